import TamisXML

/// The receiver of the events of ``WellFormedReader``, as `XMLHandler` is for `XMLReader`.
///
/// Conforming types are structs, since Swift checks each access to a class property for exclusivity at run time.
protocol XMLEvents {
  /// Returns the number under which elements of this name are to be reported.
  mutating func number(ofElement name: XMLName) -> Int
  /// Returns the number under which attributes of this name are to be reported.
  mutating func number(ofAttribute name: XMLName) -> Int
  /// Whether reading continues; queried after each tag.
  var wantsMore: Bool { get }
  /// Receives an attribute of the next start tag, with references decoded.
  mutating func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>)
  /// Receives a start tag, with the namespaces it declares as (prefix, URI), and where it ends.
  mutating func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition)
  /// Receives an end tag.
  mutating func endElement(_ element: Int)
  /// Receives text with its references decoded; only a very long run comes in several pieces.
  mutating func text(_ bytes: borrowing Span<UInt8>)
}
