/// The commands of TeX that stand for a character, for a function's name or for an accent.
///
/// The names are those of LaTeX and of the AMS packages (The Comprehensive LaTeX Symbol List, unicode-math); each list
/// is of pairs, a command and its character.
enum TeXSymbols {
  static let table: [String: TeXSymbol] = {
    var table: [String: TeXSymbol] = [:]
    for (kind, text) in lists {
      // An accent is a scalar that would join the space before it.
      let words = text.unicodeScalars.split { $0 == " " || $0 == "\n" }
      for index in stride(from: 0, to: words.count - 1, by: 2) {
        table[String(words[index])] = TeXSymbol(kind: kind, text: String(words[index + 1]))
      }
    }
    for name in functions { table[name] = TeXSymbol(kind: .function, text: name) }
    for name in limitFunctions { table[name] = TeXSymbol(kind: .limitFunction, text: name) }
    for (name, text) in [
      ("limsup", "lim sup"), ("liminf", "lim inf"), ("injlim", "inj lim"), ("projlim", "proj lim"),
    ] {
      table[name] = TeXSymbol(kind: .limitFunction, text: text)
    }
    return table
  }()

  /// Functions, whose names are upright.
  private static let functions = [
    "arccos", "arcsin", "arctan", "arctg", "arcctg", "arg", "ch", "cos", "cosec", "cosh", "cot", "cotg", "coth", "csc",
    "ctg", "cth", "deg", "dim", "exp", "hom", "ker", "lg", "ln", "log", "sec", "sin", "sinh", "sh", "tan", "tanh", "tg",
    "th",
  ]

  /// Functions whose scripts are below and above them when they are displayed.
  private static let limitFunctions = [
    "argmax", "argmin", "det", "gcd", "inf", "lim", "max", "min", "plim", "Pr", "sup",
  ]

  private static let lists: [(TeXSymbol.Kind, String)] = [
    (
      .variable,
      """
      alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ
      nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
      digamma ϝ imath ı jmath ȷ varGamma Γ varDelta Δ varTheta Θ varLambda Λ varXi Ξ varPi Π varSigma Σ varUpsilon Υ
      varPhi Φ varPsi Ψ varOmega Ω thetasym ϑ varkappa ϰ
      """
    ),
    (
      .sign,
      """
      Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω Alpha A Beta B Epsilon E Zeta Z
      Eta H Iota I Kappa K Mu M Nu N Omicron O Rho P Tau T Chi X
      infty ∞ partial ∂ nabla ∇ hbar ℏ hslash ℏ ell ℓ Re ℜ Im ℑ wp ℘ aleph ℵ beth ℶ gimel ℷ daleth ℸ emptyset ∅
      varnothing ∅ forall ∀ exists ∃ nexists ∄ angle ∠ measuredangle ∡ sphericalangle ∢ triangle △ triangledown ▽
      Box □ square □ blacksquare ■ lozenge ◊ Diamond ◊ blacklozenge ⧫ bigstar ★ clubsuit ♣ diamondsuit ♢ heartsuit ♡
      spadesuit ♠ flat ♭ natural ♮ sharp ♯ neg ¬ lnot ¬ top ⊤ bot ⊥ surd √ checkmark ✓ complement ∁ mho ℧ eth ð Finv Ⅎ
      Game ⅁ backprime ‵ blacktriangle ▲ blacktriangledown ▼ circledR ® circledS Ⓢ maltese ✠ yen ¥ pounds £ mathsterling £
      degree ° copyright © dag † ddag ‡ S § P ¶ textdegree ° AA Å ss ß ae æ oe œ AE Æ OE Œ o ø O Ø i ı j ȷ euro €
      infin ∞ real ℜ reals ℝ R ℝ N ℕ Z ℤ natnums ℕ cnums ℂ Complex ℂ isin ∈ alef ℵ alefsym ℵ image ℑ weierp ℘ hearts ♡
      vert | Vert ‖ backslash \\ lbrack [ rbrack ] % % $ $ & & # # _ _ | ‖ diagup ╱ diagdown ╲ Bbbk 𝕜
      """
    ),
    (
      .operator,
      """
      pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧
      land ∧ setminus ∖ smallsetminus ∖ wr ≀ diamond ⋄ bigtriangleup △ bigtriangledown ▽ triangleleft ◃ triangleright ▹
      lhd ⊲ rhd ⊳ unlhd ⊴ unrhd ⊵ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙ bigcirc ◯ dagger † ddagger ‡ amalg ⨿
      boxplus ⊞ boxminus ⊟ boxtimes ⊠ boxdot ⊡ ltimes ⋉ rtimes ⋊ leftthreetimes ⋋ rightthreetimes ⋌ curlyvee ⋎
      curlywedge ⋏ circledast ⊛ circledcirc ⊚ circleddash ⊝ dotplus ∔ barwedge ⊼ veebar ⊻ doublebarwedge ⩞ intercal ⊺
      Cap ⋒ Cup ⋓ doublecap ⋒ doublecup ⋓ centerdot ⋅ divideontimes ⋇ And & cdotp ⋅ gtrdot ⋗ lessdot ⋖
      leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ equiv ≡ sim ∼ simeq ≃ approx ≈ approxeq ≊ cong ≅ doteq ≐ propto ∝ varpropto ∝
      prec ≺ succ ≻ preceq ⪯ succeq ⪰ ll ≪ gg ≫ lll ⋘ ggg ⋙ llless ⋘ gggtr ⋙ asymp ≍ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇
      sqsubset ⊏ sqsupset ⊐ sqsubseteq ⊑ sqsupseteq ⊒ in ∈ ni ∋ owns ∋ notin ∉ notni ∌ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨
      Vdash ⊩ Vvdash ⊪ mid ∣ parallel ∥ nmid ∤ nparallel ∦ perp ⊥ bowtie ⋈ Join ⋈ smile ⌣ frown ⌢ leqslant ⩽ geqslant ⩾
      leqq ≦ geqq ≧ lesssim ≲ gtrsim ≳ lessapprox ⪅ gtrapprox ⪆ lessgtr ≶ gtrless ≷ lesseqgtr ⋚ gtreqless ⋛ eqsim ≂
      eqcirc ≖ circeq ≗ triangleq ≜ bumpeq ≏ Bumpeq ≎ fallingdotseq ≒ risingdotseq ≓ doteqdot ≑ Doteq ≑ thicksim ∼
      thickapprox ≈ backsim ∽ backsimeq ⋍ subseteqq ⫅ supseteqq ⫆ Subset ⋐ Supset ⋑ precsim ≾ succsim ≿ preccurlyeq ≼
      succcurlyeq ≽ curlyeqprec ⋞ curlyeqsucc ⋟ precapprox ⪷ succapprox ⪸ trianglelefteq ⊴ trianglerighteq ⊵
      vartriangleleft ⊲ vartriangleright ⊳ vartriangle △ blacktriangleleft ◀ blacktriangleright ▶ between ≬ pitchfork ⋔ therefore ∴
      because ∵ backepsilon ∍ shortmid ∣ shortparallel ∥ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ lneq ⪇ gneq ⪈ lneqq ≨ gneqq ≩
      nprec ⊀ nsucc ⊁ nsim ≁ ncong ≆ nvdash ⊬ nvDash ⊭ nVdash ⊮ nVDash ⊯ nsubseteq ⊈ nsupseteq ⊉ subsetneq ⊊ supsetneq ⊋
      subsetneqq ⫋ supsetneqq ⫌ ntriangleleft ⋪ ntriangleright ⋫ ntrianglelefteq ⋬ ntrianglerighteq ⋭
      lnsim ⋦ gnsim ⋧ precnsim ⋨ succnsim ⋩ precneqq ⪵ succneqq ⪶ coloneqq ≔ eqqcolon ≕ Coloneqq ⩴ colonequals ≔
      gets ← leftarrow ← to → rightarrow → leftrightarrow ↔ Leftarrow ⇐ Rightarrow ⇒ Leftrightarrow ⇔ iff ⟺ mapsto ↦
      longmapsto ⟼ longleftarrow ⟵ longrightarrow ⟶ longleftrightarrow ⟷ Longleftarrow ⟸ Longrightarrow ⟹
      Longleftrightarrow ⟺ implies ⟹ impliedby ⟸ hookleftarrow ↩ hookrightarrow ↪ nearrow ↗ searrow ↘ swarrow ↙
      nwarrow ↖ leftharpoonup ↼ leftharpoondown ↽ rightharpoonup ⇀ rightharpoondown ⇁ rightleftharpoons ⇌
      leftrightharpoons ⇋ leadsto ⇝ rightsquigarrow ⇝ leftrightsquigarrow ↭ nleftarrow ↚ nrightarrow ↛ nLeftarrow ⇍
      nRightarrow ⇏ nleftrightarrow ↮ nLeftrightarrow ⇎ dashleftarrow ⇠ dashrightarrow ⇢ leftleftarrows ⇇
      rightrightarrows ⇉ leftrightarrows ⇆ rightleftarrows ⇄ upuparrows ⇈ downdownarrows ⇊ Lleftarrow ⇚ Rrightarrow ⇛
      twoheadleftarrow ↞ twoheadrightarrow ↠ leftarrowtail ↢ rightarrowtail ↣ looparrowleft ↫ looparrowright ↬
      curvearrowleft ↶ curvearrowright ↷ circlearrowleft ↺ circlearrowright ↻ Lsh ↰ Rsh ↱ multimap ⊸ upharpoonleft ↿
      upharpoonright ↾ restriction ↾ downharpoonleft ⇃ downharpoonright ⇂ larr ← rarr → lArr ⇐ rArr ⇒ Larr ⇐ Rarr ⇒ harr ↔
      hArr ⇔ Harr ⇔ lrarr ↔ Lrarr ⇔ lrArr ⇔ sub ⊂ sube ⊆ supe ⊇ exist ∃ plusmn ± ratio ∶
      ldots … dots … dotsc … dotso … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ vdots ⋮ ddots ⋱ hdots … mathellipsis … textellipsis …
      prime ′ slash / colon : vcentcolon :
      """
    ),
    (
      .large,
      """
      sum ∑ prod ∏ coprod ∐ bigcap ⋂ bigcup ⋃ bigvee ⋁ bigwedge ⋀ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ biguplus ⨄
      bigsqcup ⨆ intop ∫
      """
    ),
    (.integral, "int ∫ iint ∬ iiint ∭ iiiint ⨌ oint ∮ oiint ∯ oiiint ∰ smallint ∫ idotsint ∫⋯∫"),
    (
      .fence,
      """
      langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ lbrace { rbrace } { { } } lvert ∣ rvert ∣ lVert ∥ rVert ∥
      lgroup ⟮ rgroup ⟯ lmoustache ⎰ rmoustache ⎱ ulcorner ┌ urcorner ┐ llcorner └ lrcorner ┘ lang ⟨ rang ⟩ llbracket ⟦
      rrbracket ⟧ lparen ( rparen )
      uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓ Updownarrow ⇕ uarr ↑ darr ↓ uArr ⇑ dArr ⇓
      """
    ),
    (
      .accent,
      """
      hat ^ check ˇ tilde ~ acute ˊ grave ˋ dot ˙ ddot ¨ dddot ⃛ ddddot ⃜ breve ˘ bar ˉ vec ⃗ mathring ˚ overline ‾
      widehat ^ widetilde ~ widecheck ˇ overrightarrow → overleftarrow ← overleftrightarrow ↔ Overrightarrow ⇒
      overleftharpoon ↼ overrightharpoon ⇀ overgroup ⏠ overbrace ⏞ overparen ⏜ wideparen ⏜ overbracket ⎴ overarc ⏜
      """
    ),
    (
      .accentBelow,
      """
      underline ‾ underbrace ⏟ underrightarrow → underleftarrow ← underleftrightarrow ↔ undergroup ⏡ utilde ~
      underparen ⏝ underbracket ⎵ underbar ‾
      """
    ),
    (
      .arrow,
      """
      xrightarrow → xleftarrow ← xleftrightarrow ↔ xRightarrow ⇒ xLeftarrow ⇐ xLeftrightarrow ⇔ xmapsto ↦ xhookrightarrow ↪
      xhookleftarrow ↩ xrightleftharpoons ⇌ xleftrightharpoons ⇋ xrightharpoonup ⇀ xrightharpoondown ⇁ xleftharpoonup ↼
      xleftharpoondown ↽ xtwoheadrightarrow ↠ xtwoheadleftarrow ↞ xlongequal = xtofrom ⇄ xrightleftarrows ⇄
      """
    ),
  ]
}

/// What a command stands for, such as `\\alpha`.
struct TeXSymbol {
  enum Kind {
    /// A variable, which is italic.
    case variable
    /// Something that is upright.
    case sign
    case `operator`
    /// An operator whose scripts are below and above it when it is displayed.
    case large
    /// An operator whose scripts are beside it.
    case integral
    case fence
    case function
    case limitFunction
    case accent
    case accentBelow
    /// An arrow that is as long as what stands on it.
    case arrow
  }

  let kind: Kind
  let text: String
}
