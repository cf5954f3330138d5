import TamisCore

extension Markdown {
  /// Facts about a document that stand in front of it as YAML.
  public struct FrontMatter: Sendable, Hashable {
    /// The title; nil to leave it out.
    public var title: String?
    /// The names of the authors.
    public var authors: [String] = []
    /// The date, or the date and time, in the format of RFC 3339; nil to leave it out.
    public var date: String?
    /// The URL; nil to leave it out.
    public var url: String?
    /// The language (BCP 47); nil to leave it out.
    public var language: String?
    /// The tags.
    public var tags: [String] = []
    /// The URLs of pictures that the text does not show.
    public var images: [String] = []
    /// The URLs of attached files.
    public var files: [String] = []

    /// Creates front matter without facts.
    public init() {}

    /// The facts as YAML between two lines of hyphens; strings are quoted, whatever is in them.
    var text: String {
      var lines = ["---"]
      let single = [("title", title), ("date", date), ("url", url), ("language", language)]
      for (name, value) in single { if let value { lines.append("\(name): \(Self.quoted(value))") } }
      for (name, values) in [("author", authors), ("tags", tags), ("images", images), ("files", files)]
      where !values.isEmpty {
        lines.append("\(name): [\(values.map(Self.quoted).joined(separator: ", "))]")
      }
      return lines.joined(separator: "\n") + "\n---\n\n"
    }

    /// Returns a double-quoted scalar (YAML 1.2.2, 7.3.1).
    ///
    /// A renderer may take it for text, as that of the second post in a file. So what begins a tag, a link or a picture
    /// (`<`, `[`) is escaped, and outside of addresses what makes a word a link (`://`, `www.`, `@`; GFM, 6.9).
    private static func quoted(_ value: String) -> String {
      let isAddress = value.beginsAsHTTP && !value.contains(" ")
      var (text, before): (String, Unicode.Scalar) = ("\"", " ")
      for scalar in value.unicodeScalars {
        let linksWord =
          scalar == "@" || scalar == "/" && before == ":" || scalar == "." && (before == "w" || before == "W")
        before = scalar
        switch scalar.value {
        case 0x22, 0x5C: text += "\\\(scalar)"
        case 0x0A: text += "\\n"
        case 0x09: text += "\\t"
        case 0..<0x20, 0x3C, 0x5B, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: text += escaped(scalar)
        default:
          if linksWord, !isAddress { text += escaped(scalar) } else { text.unicodeScalars.append(scalar) }
        }
      }
      return text + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }
}
