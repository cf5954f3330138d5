import TamisCore

/// Reads an XML document piece by piece and reports events: libxml2 reads it up to its first fault, ``TolerantReader``
/// from there on.
///
/// So a fault costs only itself, and what is well-formed is read by a library that everybody uses. Neither loads a
/// document type, opens a file or a connection, or expands an entity that refers to another. Memory is bounded by the
/// largest element, time is linear in the input, and the events do not depend on the pieces.
///
/// The document is UTF-8 without characters beyond that, whatever encoding it declares, and has line feeds at the ends
/// of its lines (``DocumentText``). Its XML declaration is read here, since libxml2 would act on it.
package struct XMLReader {
  /// The maximum length of text reported in one piece, in bytes.
  static let longestText = 1 << 16
  /// The maximum length of the XML declaration, in bytes.
  private static let longestDeclaration = 1 << 12

  private let handler: any XMLHandler
  private let limits: Limits
  private let isFeed: Bool
  private let usesLibXML2: Bool
  /// The position at which reading ended.
  private(set) var position = XMLPosition(line: 1, column: 1)
  /// The first element ignored because it is not the root element of a feed, or nil when there was none.
  private(set) var skippedRoot: String?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - handler: the receiver of the events.
  ///   - limits: the limits on what is read.
  ///   - isFeed: whether the document is a feed: then an entry without an end tag ends where the next begins, and
  ///     elements before the root element are ignored.
  ///   - usesLibXML2: whether libxml2 reads the beginning; the events are the same without it.
  package init(handler: any XMLHandler, limits: Limits, isFeed: Bool, usesLibXML2: Bool = true) {
    (self.handler, self.limits, self.isFeed, self.usesLibXML2) = (handler, limits, isFeed, usesLibXML2)
  }

  /// Reads a document.
  ///
  /// - Parameter next: returns the next bytes, any number of them; none at the end.
  package mutating func read(_ next: @escaping () -> [UInt8]) {
    var head = Self.head(next)
    var rest: XMLRest?
    // libxml2 would drop a second byte order mark.
    if usesLibXML2, !head.starts(with: [0xEF, 0xBB, 0xBF]), Self.removeDeclaration(from: &head) {
      let reader = LibXMLReader(handler: handler, limits: limits, isFeed: isFeed)
      var isFirst = true
      rest = reader.read {
        defer { isFirst = false }
        return isFirst && !head.isEmpty ? head : next()
      }
      position = reader.position
    } else {
      rest = XMLRest(bytes: head)
    }
    guard let rest else { return }
    var tolerant = TolerantReader(handler: handler, limits: limits, isFeed: isFeed, from: rest)
    tolerant.read(rest.bytes, next)
    (position, skippedRoot) = (tolerant.position, tolerant.skippedRoot)
  }

  /// Returns the first pieces, up to the end of the XML declaration where there is one.
  private static func head(_ next: () -> [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    let opening = Array("<?xml".utf8)
    while head.count < longestDeclaration, head.prefix(5).elementsEqual(opening.prefix(head.count)),
      !head.contains(UInt8(ascii: ">"))
    {
      let piece = next()
      if piece.isEmpty { break }
      head += piece
    }
    return head
  }

  /// Replaces the XML declaration at the beginning with white space, or returns false when it is malformed.
  private static func removeDeclaration(from head: inout [UInt8]) -> Bool {
    guard head.starts(with: "<?xml".utf8), head.count > 5, head[5].isHTMLSpace else { return true }
    guard let end = head.firstIndex(of: UInt8(ascii: ">")), XMLDeclaration.isInOrder(Array(head[...end])),
      XMLCharacter.firstForbidden(head.span.extracting(...end), from: 0) > end
    else { return false }
    for index in 0...end where head[index] != ASCII.lineFeed { head[index] = ASCII.space }
    return true
  }
}

/// The rest of a document behind the last tag before its first fault.
struct XMLRest {
  /// The beginning of the rest, as far as it was received.
  var bytes: [UInt8] = []
  /// The number of bytes of the document before the rest.
  var offset = 0
  /// The place of the rest.
  var place = XMLPlace()
  /// The open elements, outermost first.
  var open: [OpenElement] = []
  /// Whether the end tag of the root element was read, which is still open.
  var hasRootEnded = false
  /// Whether a prefix without a declaration was reported.
  var hasUndeclaredPrefix = false
  /// The names of elements and attributes that were read.
  var names: [String] = []

  /// An open element.
  struct OpenElement {
    var name: XMLName
    /// The handler's number of the name.
    var number: Int
    var role: ElementRole
    /// The namespaces that the start tag declares, as (prefix, URI).
    var namespaces: [(String, String)]
  }
}
