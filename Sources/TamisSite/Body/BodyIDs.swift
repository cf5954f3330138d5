import TamisCore

/// The ids of one body among several on a page, such as `p2-post-clip` for the `post-clip` of the second.
///
/// Two bodies may have the same id, by chance or to replace a part of each other's drawings.
struct BodyIDs {
  /// The start of each id, such as `p2-`; empty when the page has one body.
  let prefix: [UInt8]

  /// Creates the ids of the body with this number, which no other body of the page has.
  init(body number: Int) { prefix = Array("p\(number)-".utf8) }

  /// Creates the ids of the only body of a page, which do not change.
  init() { prefix = [] }

  /// Returns the value of an attribute with the ids in it as the page has them.
  ///
  /// These are ids themselves, lists of them, `#name` and `url(#name)`; other values are returned as they are.
  func value(_ value: ArraySlice<UInt8>, of attribute: String) -> ArraySlice<UInt8> {
    if prefix.isEmpty || value.isEmpty { return value }
    if Self.lists.contains(attribute) {
      let names = value.split(whereSeparator: \.isHTMLSpace).map { prefix + $0 }
      return Array(names.joined(separator: [ASCII.space]))[...]
    }
    let isLocal = attribute == "href" || attribute == "xlink:href" || attribute == "usemap"
    let start = isLocal ? "#" : "url(#"
    guard value.starts(with: start.utf8) else { return value }
    return value.prefix(start.utf8.count) + prefix + value.dropFirst(start.utf8.count)
  }

  /// The attributes that hold ids and nothing else: one, or several with spaces between them.
  private static let lists = IDAttributes.identifiers.union(IDAttributes.references)
    .union(IDAttributes.inHTML).union(IDAttributes.inMath).union(IDAttributes.controls)
}
