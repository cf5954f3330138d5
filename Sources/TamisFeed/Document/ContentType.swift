import TamisCore

/// The media type and the charset of a `Content-Type` header (RFC 9110, 8.3).
package struct ContentType {
  /// Type and subtype in lower case, empty when there is none.
  package var mediaType: String
  /// The charset parameter in lower case.
  package var charset: String?

  package init(_ header: String) {
    let parts = header.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed() }
    mediaType = parts.first?.asciiLowercased() ?? ""
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmed() }
      guard pair.count == 2, pair[0].asciiLowercased() == "charset" else { continue }
      charset = pair[1].filter { $0 != "\"" && $0 != "'" }.asciiLowercased().trimmedOrNil()
    }
  }

  /// Whether a web page is announced.
  package var isHTML: Bool { ["text/html", "application/xhtml+xml"].contains(mediaType) }

  /// Whether XML is announced, by RFC 7303's names.
  var isXML: Bool { isApplicationXML || isTextXML }

  /// A type for which the document's own declaration counts.
  var isApplicationXML: Bool {
    ["application/xml", "application/xml-dtd", "application/xml-external-parsed-entity"].contains(mediaType)
      || (mediaType.hasPrefix("application/") && mediaType.hasSuffix("+xml"))
  }

  /// A type for which, by RFC 3023, only the charset parameter counts.
  var isTextXML: Bool {
    ["text/xml", "text/xml-external-parsed-entity"].contains(mediaType)
      || (mediaType.hasPrefix("text/") && mediaType.hasSuffix("+xml"))
  }

  /// A type of JSON, JSON Feed's own among them.
  var isJSON: Bool { ["application/json", "application/feed+json", "text/json"].contains(mediaType) }

  var isText: Bool { mediaType.hasPrefix("text/") }
}
