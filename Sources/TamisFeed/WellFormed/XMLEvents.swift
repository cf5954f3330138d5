import TamisXML

/// What ``WellFormedReader`` reports to, as `XMLReader` does to an `XMLHandler`.
///
/// Structs conform to it: Swift checks each access to a property of a class for exclusivity while the program runs.
protocol XMLEvents {
  /// The number under which elements of this name are to be reported.
  mutating func number(ofElement name: XMLName) -> Int
  /// The number under which attributes of this name are to be reported.
  mutating func number(ofAttribute name: XMLName) -> Int
  /// Whether reading is to go on; asked after each tag.
  var wantsMore: Bool { get }
  /// An attribute of the start tag that is reported next, references decoded.
  mutating func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>)
  /// A start tag, with the namespaces it declares as (prefix, URI), and where it ends.
  mutating func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition)
  /// An end tag.
  mutating func endElement(_ element: Int)
  /// Text with its references decoded; only a very long run comes in several pieces.
  mutating func text(_ bytes: borrowing Span<UInt8>)
}
