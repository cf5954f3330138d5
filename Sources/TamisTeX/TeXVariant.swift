/// A style of letters in formulas, such as the bold of `\mathbf{x}`: 𝐱.
///
/// MathML Core has characters for these styles (Unicode, "Mathematical Alphanumeric Symbols"), and an attribute only
/// for upright letters.
enum TeXVariant {
  case upright, italic, bold, boldItalic, doubleStruck, script, boldScript, fraktur, boldFraktur, sansSerif, monospace

  static let commands: [String: TeXVariant] = [
    "mathrm": .upright, "mathup": .upright, "mathnormal": .italic, "mathit": .italic, "mathbf": .bold,
    "mathbb": .doubleStruck,
    "Bbb": .doubleStruck, "mathcal": .script, "mathscr": .script, "mathfrak": .fraktur, "frak": .fraktur,
    "mathsf": .sansSerif,
    "mathtt": .monospace, "boldsymbol": .boldItalic, "bm": .boldItalic, "pmb": .bold, "bold": .bold,
    "mathds": .doubleStruck,
    "mathbbm": .doubleStruck, "mathbfit": .boldItalic, "symbf": .bold, "symbb": .doubleStruck,
  ]

  /// Commands that hold to the end of their group.
  static let switches: [String: TeXVariant] = [
    "rm": .upright, "it": .italic, "bf": .bold, "cal": .script, "sf": .sansSerif, "tt": .monospace, "mit": .italic,
    "boldmath": .boldItalic, "bfseries": .bold, "rmfamily": .upright, "itshape": .italic, "sffamily": .sansSerif,
    "ttfamily": .monospace,
  ]

  /// Returns a letter or digit in this style; nil when the style has no own character for it.
  func character(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if let exception = exceptions[scalar] { return exception }
    let value = scalar.value
    switch value {
    case 0x41...0x5A: return letters.flatMap { Unicode.Scalar($0 + value - 0x41) }
    case 0x61...0x7A: return letters.flatMap { Unicode.Scalar($0 + 26 + value - 0x61) }
    case 0x30...0x39: return digits.flatMap { Unicode.Scalar($0 + value - 0x30) }
    case 0x391...0x3A9: return greek.flatMap { Unicode.Scalar($0 + value - 0x391) }
    case 0x3B1...0x3C9: return greek.flatMap { Unicode.Scalar($0 + 26 + value - 0x3B1) }
    default: return nil
    }
  }

  /// The code point of the style's A, behind which are its other letters.
  private var letters: UInt32? {
    switch self {
    case .upright, .italic: nil
    case .bold: 0x1D400
    case .boldItalic: 0x1D468
    case .script: 0x1D49C
    case .boldScript: 0x1D4D0
    case .fraktur: 0x1D504
    case .doubleStruck: 0x1D538
    case .boldFraktur: 0x1D56C
    case .sansSerif: 0x1D5A0
    case .monospace: 0x1D670
    }
  }

  private var digits: UInt32? {
    switch self {
    case .bold, .boldItalic: 0x1D7CE
    case .doubleStruck: 0x1D7D8
    case .sansSerif: 0x1D7E2
    case .monospace: 0x1D7F6
    default: nil
    }
  }

  private var greek: UInt32? {
    switch self {
    case .bold: 0x1D6A8
    case .boldItalic: 0x1D71C
    default: nil
    }
  }

  /// The letters that Unicode had before their styles, in "Letterlike Symbols".
  private var exceptions: [Unicode.Scalar: Unicode.Scalar] {
    switch self {
    case .script: Self.scripts
    case .fraktur: Self.frakturs
    case .doubleStruck: Self.doubleStrucks
    default: [:]
    }
  }

  private static let scripts: [Unicode.Scalar: Unicode.Scalar] = [
    "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ", "g": "ℊ", "o": "ℴ",
  ]
  private static let frakturs: [Unicode.Scalar: Unicode.Scalar] = ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"]
  private static let doubleStrucks: [Unicode.Scalar: Unicode.Scalar] = [
    "C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ",
  ]
}
