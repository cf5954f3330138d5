import TamisXML

/// What is known of a document when its first part was in order and the rest is not: enough to go on as if all of it had
/// been read by others.
struct ParserState {
  /// The start tags of the open elements.
  var open = OpenStartTags()
  /// What is not read of the piece that came last.
  var rest: [UInt8] = []
  /// Bytes of the document before that.
  var offset = 0
  /// Where the rest begins, as libxml2 counts: in characters.
  var position = XMLPosition(line: 1, column: 1)
  /// Its column as ``MarkupRepair`` counts, in bytes from 1.
  var columnInBytes = 1
  /// Whether the end tag of the root element has come.
  var hasRootEnded = false
}
