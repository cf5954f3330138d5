import TamisCore

/// A name in an XML document, as written and with its meaning.
package struct XMLName: Hashable {
  /// The prefix as written, empty when there is none.
  package var prefix: String
  /// The part after the colon.
  package var local: String
  /// The namespace URI of the prefix; empty when there is none or it was never declared.
  package var namespace: String

  /// The name as written.
  var written: String { prefix.isEmpty ? local : "\(prefix):\(local)" }
}

/// A position in a document: the line, and the column in characters, both from 1.
package struct XMLPosition {
  package var line: Int
  package var column: Int
}

/// What a document has that XML does not allow, or that is beyond a limit.
package struct XMLFault {
  package enum Kind {
    case illFormed
    /// A prefix that nothing declares; the document is well-formed XML otherwise.
    case undeclaredPrefix
    /// There are more names than ``Limits/names``.
    case tooManyNames
  }

  package var kind: Kind
  /// What is wrong, on one line.
  package var message: String
  /// The line and column, from 1.
  package var line: Int
  package var column: Int

  /// The fault of a tag that uses a prefix without a declaration around it.
  static func undeclared(_ prefix: String, at position: XMLPosition) -> XMLFault {
    XMLFault(
      kind: .undeclaredPrefix, message: "the prefix '\(prefix)' is not declared", line: position.line,
      column: position.column)
  }
}

/// The receiver of the events of an ``XMLReader``.
///
/// Names are reported as numbers chosen by the handler.
package protocol XMLHandler: AnyObject {
  /// Returns the number under which elements of this name are to be reported.
  func number(ofElement name: XMLName) -> Int
  /// Returns the number under which attributes of this name are to be reported.
  func number(ofAttribute name: XMLName) -> Int
  /// Whether reading should continue; asked after each tag.
  var wantsMore: Bool { get }
  /// Reports an attribute of the start tag that is reported next, with references decoded.
  func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>)
  /// Reports a start tag, with the namespaces it declares as (prefix, URI), and the position of its end.
  func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition)
  /// Reports an end tag, written or implied.
  func endElement(_ element: Int)
  /// Reports text with its references decoded; only a very long run comes in several pieces.
  func text(_ bytes: borrowing Span<UInt8>)
  /// Reports the public identifier of the document type declaration, empty when it has none.
  func documentType(publicID: String)
  /// Reports that the document ends before its root element does, before the end tags that it lacks.
  func cutOff(at position: XMLPosition)
  /// Reports the first fault of a kind, not always before what follows it.
  func fault(_ fault: XMLFault)
}

/// The place of a byte in a document.
struct XMLPlace {
  private(set) var line = 1
  /// The column in characters, from 1.
  private(set) var column = 1
  /// The number of bytes of the document before the line.
  private var lineStart = 0

  var position: XMLPosition { XMLPosition(line: line, column: column) }

  /// Returns the column in bytes, from 1, of the byte at an offset in the document.
  func columnInBytes(at offset: Int) -> Int { offset - lineStart + 1 }

  /// Advances over a part of the document that ends at an offset in it.
  mutating func advance(over part: borrowing Span<UInt8>, to offset: Int) {
    let lines = ByteScan.lineFeeds(in: part)
    guard lines > 0 else {
      column += ByteScan.characters(in: part)
      return
    }
    var end = part.count
    while part[end - 1] != ASCII.lineFeed { end -= 1 }
    line += lines
    column = 1 + ByteScan.characters(in: part.extracting(end...))
    lineStart = offset - (part.count - end)
  }
}
