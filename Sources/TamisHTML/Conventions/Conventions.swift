import TamisCore

/// What programs write into pages for their own style sheets and scripts, read as what stands for it without these.
///
///     <span style="font-weight:700">never</span>         <b>never</b>                emphasis
///     <li><input type="checkbox" checked> fill           <li>☑ fill                  tasks
///     <td>1 2<td><pre>a⏎b</pre>                          <pre>a⏎b</pre>              code
///     so<span class="sidenote">Note</span>               so<sup><a href="#note-1">1     notes
///     <h2>Pumps<span class="mw-editsection">[edit]       <h2>Pumps                   headings
///     where \(x^2\) is                                   where <math>…</math> is    formulas
///     <div class="fb-post" data-href="https://…">        <iframe src="https://…">    embeds
///     <path id="a"/><use href="#a" x="5"/>               <path/><g><path/></g>       drawings
///
/// Each is a pass over the tree, in a file of its own, before anything is decided about it. What a pass leaves out is
/// in ``HTMLTree/controls`` and ``HTMLTree/duplicates``.
package struct Conventions: OptionSet, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Emphasis by inline styles is that of elements.
  package static let emphasis = Conventions(rawValue: 1 << 0)
  /// Boxes of tasks are characters, code has its lines alone, and headings their words.
  package static let controls = Conventions(rawValue: 1 << 1)
  /// What attributes say for a script to show is a frame or a formula.
  package static let embeds = Conventions(rawValue: 1 << 2)

  /// What a drawing uses several times, or styles by a sheet of its own, stands where it is drawn.
  package static let drawings = Conventions(rawValue: 1 << 3)

  /// A formula that is there as MathML is not shown a second time.
  package static let formulas = Conventions(rawValue: 1 << 4)

  /// What is there of a formula in TeX is set as MathML.
  package static let tex = Conventions(rawValue: 1 << 5)

  /// Words of code have the classes of one highlighter.
  package static let tokens = Conventions(rawValue: 1 << 6)

  /// A formula is its TeX, or what its elements say, as text.
  package static let formulaText = Conventions(rawValue: 1 << 7)

  /// A formula without TeX has signs in its text for what its elements say.
  package static let formulaSigns = Conventions(rawValue: 1 << 10)

  /// Numbers above and below the line are characters.
  package static let raisedText = Conventions(rawValue: 1 << 8)

  /// Links to places of the text work.
  package static let anchors = Conventions(rawValue: 1 << 9)

  /// What style sheets of the source hide is known.
  package static let sheets = Conventions(rawValue: 1 << 11)

  /// All that pages are read with whose elements stay.
  package static let all: Conventions = [
    .emphasis, .controls, .embeds, .drawings, .formulas, .tex, .tokens, .anchors, .sheets,
  ]
}

extension HTMLTree {
  /// Reads the conventions of the tree; returns whether elements were made, renamed or moved.
  mutating func read(
    _ conventions: Conventions, _ limits: Limits, isFragment: Bool, _ linked: LinkedSheets.Finder? = nil
  ) -> Bool {
    isRearranged = false
    // Sheets are written for the elements of the source.
    if conventions.contains(.sheets) { sheets = SheetStyles(self, limits, isFragment: isFragment, linked) }
    if conventions.contains(.controls) { findClassNames() }
    if conventions.contains(.formulas) { findDrawnFormulas() }
    if conventions.contains(.tex) {
      setFormulas(limits)
      setFormulasInText(limits)
    }
    if conventions.contains(.formulaText) {
      writeFormulas(keepsSources: false)
    } else if conventions.contains(.formulaSigns) {
      writeFormulas(keepsSources: true)
    }
    showFormulaSources()
    if conventions.contains(.embeds) { showDeferredEmbeds(conventions, limits) }
    if conventions.contains(.controls) {
      moveSideNotes(hasLinks: conventions.contains(.anchors))
      showTaskBoxes()
      showDrawnTaskBoxes()
      leaveOutHeadingControls()
      leaveOutCodeButtons()
      readBoxes()
      leaveOutLineNumbers()
      nameLanguages()
    }
    if conventions.contains(.drawings) {
      var budget = limits.drawingCopies
      copyUsedDrawings(&budget)
      applyDrawingStyles(&budget)
      isDrawingCut = budget < 0
    }
    if conventions.contains(.emphasis) { readStyledEmphasis() }
    if conventions.contains(.raisedText) { raiseText() }
    // Tokens come last, since a `span` goes only when it makes no emphasis.
    if conventions.contains(.tokens) { nameCodeTokens() }
    return isRearranged
  }
}
