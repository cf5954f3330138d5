import TamisCore

extension FeedParser {
  /// A user-defined field: an element of a feed's entries, with a name and a type.
  public struct CustomField: Sendable, Hashable {
    /// The type of the element's value.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// Text as it is.
      case text
      /// A decimal number.
      case number
      /// A date in any form that feeds use.
      case date
      /// A URL, resolved against the base in force.
      case url
    }

    /// The name of the field.
    public let name: String
    /// The type of its value.
    public let kind: Kind
    /// The element as findings and JSON name it: standard prefix, underscore and local name in lower case.
    public let element: String
    /// The attribute that holds the value, nil for the element's text.
    public let attribute: String?

    /// The error for a definition that cannot be read.
    public struct Invalid: Error, Sendable, Hashable, CustomStringConvertible {
      /// The mistake and its correction.
      public let description: String
    }

    /// Reads a definition: `votes=dz:voteUpCount`, `votes:number=dz:voteUpCount`, `cover:url=media:thumbnail@url`.
    ///
    /// A prefix is the usual one of its namespace, whatever a document uses; the case of names does not matter.
    ///
    /// - Throws: ``Invalid`` when the definition is malformed.
    public init(_ definition: String) throws(Invalid) {
      let sides = definition.split(separator: "=", maxSplits: 1).map(String.init)
      let left =
        sides.first?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) ?? []
      guard sides.count == 2, let name = left.first, Self.isName(name) else {
        throw Invalid(description: "'\(definition)' is not a field; write name=element or name:type=element")
      }
      guard let kind = left.count == 1 ? .text : Kind(rawValue: left[1].asciiLowercased()) else {
        let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Invalid(description: "'\(left[1])' is not a type of field; use one of \(kinds)")
      }
      let path = sides[1].asciiLowercased().split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      guard let element = path.first, !element.isEmpty, path.last?.isEmpty == false else {
        throw Invalid(description: "'\(definition)' names no element; write it as in votes=dz:voteUpCount")
      }
      self.name = name
      self.kind = kind
      self.element = element.split(separator: ":").joined(separator: "_")
      attribute = path.count == 2 ? path[1].split(separator: ":").joined(separator: "_") : nil
    }

    private static func isName(_ text: String) -> Bool {
      guard let first = text.utf8.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
      return text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    /// Returns the value of a text, or nil when the text is not of this type.
    ///
    /// - Parameters:
    ///   - text: the text of the element or attribute.
    ///   - resolve: resolves a URL.
    /// - Returns: the value; nil when the text is not of this type.
    func value(of text: String, resolve: (String) -> String?) -> Feed.FieldValue? {
      switch kind {
      case .text: .text(text)
      case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
      case .date: DateParser.seconds(text).map { .date(Feed.Timestamp(source: text, seconds: $0)) }
      case .url: resolve(text).map(Feed.FieldValue.url)
      }
    }
  }
}
