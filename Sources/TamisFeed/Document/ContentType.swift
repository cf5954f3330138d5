import TamisCore

/// The media type and the charset of a `Content-Type` header (RFC 9110, 8.3).
package struct ContentType {
  /// The type and subtype in lower case, empty when there is none.
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

  /// Whether the header declares a web page.
  package var isHTML: Bool { ["text/html", "application/xhtml+xml"].contains(mediaType) }

  /// Whether the header declares XML (RFC 7303).
  var isXML: Bool { isApplicationXML || isTextXML }

  /// Whether the document's own declaration takes precedence over this type.
  var isApplicationXML: Bool {
    ["application/xml", "application/xml-dtd", "application/xml-external-parsed-entity"].contains(mediaType)
      || (mediaType.hasPrefix("application/") && mediaType.hasSuffix("+xml"))
  }

  /// Whether only the charset parameter counts, by RFC 3023.
  var isTextXML: Bool {
    ["text/xml", "text/xml-external-parsed-entity"].contains(mediaType)
      || (mediaType.hasPrefix("text/") && mediaType.hasSuffix("+xml"))
  }

  /// Whether the header declares JSON, including JSON Feed's own type.
  var isJSON: Bool { ["application/json", "application/feed+json", "text/json"].contains(mediaType) }

  var isText: Bool { mediaType.hasPrefix("text/") }
}
