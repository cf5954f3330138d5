import TamisXML

/// The state of a document at its first irregularity, with which other readers continue.
struct ParserState {
  /// The start tags of the open elements.
  var open = OpenStartTags()
  /// The unread part of the last piece.
  var rest: [UInt8] = []
  /// The number of bytes of the document before ``rest``.
  var offset = 0
  /// The position of ``rest`` as libxml2 counts, in characters.
  var position = XMLPosition(line: 1, column: 1)
  /// The column of ``rest`` as ``MarkupRepair`` counts, in bytes from 1.
  var columnInBytes = 1
  /// Whether the end tag of the root element was read.
  var hasRootEnded = false
}
