import TamisCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The contrast of a theme's colors (Web Content Accessibility Guidelines 2.2, 1.4.3): text needs 4.5 to 1.
struct Contrast {
  /// The colors of a style sheet in one color scheme.
  struct Scheme {
    var name: String
    var problems: [String] = []
    var missing: [String] = []
  }

  private static let inks = ["--ink", "--muted", "--accent"]
  private static let papers = ["--paper", "--soft"]
  private static let least = 4.5

  /// Returns the light and the dark scheme; missing values of the dark scheme are those of the light one.
  static func schemes(of style: String) -> [Scheme] {
    let (light, dark) = tokens(style)
    return [scheme("light", light), scheme("dark", light.merging(dark) { $1 })]
  }

  private static func scheme(_ name: String, _ tokens: [String: String]) -> Scheme {
    var scheme = Scheme(name: name)
    scheme.missing = (inks + papers).filter { tokens[$0].flatMap(luminance) == nil }
    for ink in inks {
      for paper in papers {
        guard let one = tokens[ink].flatMap(luminance), let other = tokens[paper].flatMap(luminance) else { continue }
        let ratio = (max(one, other) + 0.05) / (min(one, other) + 0.05)
        if ratio < least {
          scheme.problems.append(
            "\(ink) on \(paper) has a contrast of \(Double(Int(ratio * 100)) / 100) to 1 (\(name)); it needs \(least)")
        }
      }
    }
    return scheme
  }

  /// Returns the custom properties of `:root`, outside and inside of `prefers-color-scheme: dark`; the last of a name
  /// counts.
  private static func tokens(_ style: String) -> (light: [String: String], dark: [String: String]) {
    var light: [String: String] = [:]
    var dark: [String: String] = [:]
    var blocks: [String] = []
    var text = ""
    for character in style {
      switch character {
      case "{":
        blocks.append(text.split(separator: ";").last.map(String.init) ?? text)
        text = ""
      case "}":
        read(text, blocks: blocks, light: &light, dark: &dark)
        text = ""
        _ = blocks.popLast()
      case ";":
        read(text, blocks: blocks, light: &light, dark: &dark)
        text = ""
      default: text.append(character)
      }
    }
    return (light, dark)
  }

  private static func read(
    _ declaration: String, blocks: [String], light: inout [String: String], dark: inout [String: String]
  ) {
    let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.trimmed() }
    guard parts.count == 2, parts[0].hasPrefix("--"), blocks.last?.contains(":root") == true else { return }
    let outer = blocks.dropLast().joined()
    if outer.contains("print") { return }
    if outer.contains("dark") { dark[parts[0]] = parts[1] } else if outer.isEmpty { light[parts[0]] = parts[1] }
  }

  /// Returns the relative luminance of `#rgb` or `#rrggbb`, or nil for other formats.
  private static func luminance(_ colour: String) -> Double? {
    guard colour.hasPrefix("#") else { return nil }
    let digits = colour.dropFirst().compactMap(\.hexDigitValue)
    guard digits.count == colour.count - 1 else { return nil }
    let values: [Int]
    switch digits.count {
    case 3: values = digits.map { $0 * 17 }
    case 6: values = [digits[0] * 16 + digits[1], digits[2] * 16 + digits[3], digits[4] * 16 + digits[5]]
    default: return nil
    }
    let linear = values.map { value in
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
