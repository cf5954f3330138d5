import TamisCore
import TamisXML
import Testing

/// What the XML reader tells of a document, in its order.
@Suite struct XMLReaderTests {
  @Test(arguments: [
    ("<a><b x='1'>t</b></a>", "<a> @x=1 <b> t </b> </a>"),
    ("<a xmlns:p='u:n'><p:b p:c='&lt;'/></a>", "<a> @{u:n}c=< <{u:n}b> </{u:n}b> </a>"),
    ("<a>1 &amp; 2<![CDATA[<b>]]></a>", "<a> 1 & 2<b> </a>"),
    ("<!DOCTYPE a PUBLIC 'p' 's'><a/>", "!a <a> </a>"),
    // A fault is told of before the text around it.
    ("<a><b>t", "<a> <b> ? t"), ("<a><b>t</a>", "<a> <b> ? t </b> ?"),
    // A prefix that nothing declares is a fault of its kind.
    ("<a><q:b/></a>", "<a> ?ns <b> </b> </a>"),
  ])
  func eventsMatchDocument(_ source: String, _ events: String) {
    #expect(Recorder.events(of: source).joined(separator: " ") == events)
  }

  /// Events do not depend on the size of the pieces in which a document arrives.
  @Test(arguments: [1, 2, 7, 4096])
  func eventsAreIndependentOfPieces(_ size: Int) {
    let source = "<a xmlns='u:n'><b x='é&#x1F600;'>text — <![CDATA[more]]></b><c/></a>"
    #expect(Recorder.events(of: source, in: size) == Recorder.events(of: source))
  }
}

private final class Recorder: XMLHandler {
  private var names: [String] = []
  private var pending: [String] = []
  private(set) var events: [String] = []
  private var lastIsText = false

  static func events(of source: String, in size: Int = .max) -> [String] {
    let recorder = Recorder()
    var rest = Array(source.utf8)[...]
    XMLReader(handler: recorder, limits: .standard).read {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(piece.count)
      return Array(piece)
    }
    return recorder.events
  }

  private func add(_ event: String, isText: Bool = false) {
    if isText, lastIsText { events[events.count - 1] += event } else { events.append(event) }
    lastIsText = isText
  }

  private func number(_ name: XMLName) -> Int {
    names.append(name.namespace.isEmpty ? name.local : "{\(name.namespace)}\(name.local)")
    return names.count - 1
  }

  func number(ofElement name: XMLName) -> Int { number(name) }
  func number(ofAttribute name: XMLName) -> Int { number(name) }
  var wantsMore: Bool { true }
  func attribute(_ attribute: Int, _ value: borrowing Span<UInt8>) {
    pending.append("@\(names[attribute])=\(String(value, 0..<value.count))")
  }
  func startElement(_ element: Int, namespaces: [(String, String)], at position: XMLPosition) {
    for attribute in pending { add(attribute) }
    pending = []
    add("<\(names[element])>")
  }
  func endElement(_ element: Int) { add("</\(names[element])>") }
  func text(_ bytes: borrowing Span<UInt8>) { add(String(bytes, 0..<bytes.count), isText: true) }
  func documentType(_ name: String, publicID: String) { add("!\(name)") }
  func fault(_ fault: XMLFault) { add(fault.isNamespaceFault ? "?ns" : "?") }
}
