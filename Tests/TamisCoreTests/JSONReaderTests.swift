import Foundation
import TamisCore
import TestSupport
import Testing

/// What the reader reports, in a line for each event: its place, its name and its text.
final class Recorder: JSONHandler {
  private(set) var events: [String] = []
  private(set) var fault: JSONFault?
  private var reader: JSONReader?
  private let most: Int

  /// Reads documents in chunks of the given sizes, the last again and again, and stops after some events.
  init(
    _ bytes: [UInt8], chunks: [Int] = [.max], limits: Limits = .standard, most: Int = .max, mends: Bool = false
  ) {
    self.most = most
    let reader = JSONReader(handler: self, limits: limits, mends: mends)
    self.reader = reader
    for chunk in bytes.cut(into: chunks) {
      if !reader.read(chunk.span) { break }
    }
    reader.finish()
  }

  /// The place and the words of the first fault after which the reader went on.
  var mended: String { reader?.mended.map { "\($0.line):\($0.column) \($0.message)" } ?? "" }

  private func add(_ text: String) {
    events.append("\(reader?.line ?? 0):\(reader?.column ?? 0) \(text)\(reader?.isCut == true ? " …" : "")")
    if events.count == most { reader?.stop() }
  }

  private func text(_ bytes: borrowing Span<UInt8>) -> String {
    let array = bytes.withUnsafeBufferPointer { Array($0) }
    return String(validating: array, as: UTF8.self) ?? "not UTF-8"
  }

  func null() { add("null") }
  func bool(_ value: Bool) { add("\(value)") }
  func number(_ text: borrowing Span<UInt8>) { add("number \(self.text(text))") }
  func string(_ text: borrowing Span<UInt8>) { add("string \(self.text(text))") }
  func startObject() { add("{") }
  func key(_ name: borrowing Span<UInt8>) { add("key \(text(name))") }
  func endObject() { add("}") }
  func startArray() { add("[") }
  func endArray() { add("]") }

  func fault(_ fault: JSONFault) {
    #expect(self.fault == nil, "a second fault")
    self.fault = fault
    events.append("\(fault.line):\(fault.column) fault \(fault.message)")
  }
}

@Suite struct JSONReaderTests {
  @Test func eventsHaveLocations() {
    let text = """
      {"a": [1, -2.5e3,\ttrue, null],
        "grün\\u00e9": {"b\\"": "\\u0000 \\ud83d\\ude00"} }

      """
    #expect(
      Recorder(Array(text.utf8)).events == [
        "1:1 {", "1:2 key a", "1:7 [", "1:8 number 1", "1:11 number -2.5e3", "1:19 true", "1:25 null", "1:29 ]",
        "2:3 key grüné", "2:18 {", "2:19 key b\"", "2:26 string \0 😀", "2:47 }", "2:49 }",
      ])
  }

  @Test(arguments: [
    "12", " \"a\" ", "null", "\u{FEFF}[1]", "\u{FEFF}12", "{}", "[[],{}]", "1e999", "[123456789012345678901]",
  ])
  func validDocumentsAreReadWithoutFault(_ text: String) {
    #expect(Recorder(Array(text.utf8)).fault == nil)
  }

  /// Faults are located at the first invalid byte.
  @Test(arguments: [
    ("[1,\n tru]", "2:2"), ("[01]", "1:2"), ("[1.]", "1:2"), ("[1,]", "1:4"), ("{\"a\" 1}", "1:6"),
    ("{\"a\":1,}", "1:8"),
    ("{1:2}", "1:2"), ("[1 2]", "1:4"), ("{\"a\":1}\n}", "2:1"), ("[\"a\\q\"]", "1:5"), ("[\"a\nb\"]", "1:4"),
    ("[\"a\\\n\"]", "1:5"), ("[\"a\0\"]", "1:4"), ("[1,\0]", "1:4"), ("\0", "1:1"), ("[\"\\u00g0\"]", "1:7"),
    ("[/* */1]", "1:2"), ("['a']", "1:2"), ("[NaN]", "1:2"), ("\u{A0}[]", "1:1"), ("[\u{FEFF}]", "1:2"),
    ("\u{0C}", "1:1"), ("\u{0C}[1]", "1:1"), ("[1\u{0C}]", "1:3"), ("{\u{0C}}", "1:2"), ("[1,\u{0B}2]", "1:4"),
    ("<rss/>", "1:1"), ("plain text", "1:1"), ("nulll", "1:1"), ("[1}", "1:3"), ("]", "1:1"),
    // The document ends: where it does.
    ("", "1:1"), (" \n ", "2:2"), ("[1,2", "1:5"), ("{\"a\":\n\"b", "2:3"), ("\"a\\", "1:4"), ("tru", "1:1"),
    ("-", "1:1"),
    ("{\"a\"", "1:5"), ("\u{FEFF}", "1:1"),
  ])
  func firstFaultIsReportedWithLocation(_ text: String, _ location: String) throws {
    let recorder = Recorder(Array(text.utf8))
    let fault = try #require(recorder.fault, "\(text)")
    #expect("\(fault.line):\(fault.column)" == location, "\(text): \(fault.message)")
    #expect(!fault.message.isEmpty && !fault.message.contains("\n"))
    #expect(recorder.events.last?.contains("fault") == true)
  }

  /// Strings of mixed escapes and characters are read as Foundation reads them, in chunks of any size.
  @Test func stringsMatchFoundation() throws {
    let parts = [
      "a", "lorem ipsum dolor sit amet", "é", "語", "😀", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t",
      "\\u0000", "\\u00e9",
      "\\uD83D\\uDE00", "\\u20AC", "/", " ", "\u{7F}", "\\u005c", "\\u0022",
    ]
    var state: UInt64 = 7
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += parts[Int(state >> 33) % parts.count]
      }
      let json = Array("[\"\(text)\"]".utf8)
      let expected = try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String])
      for chunks in [[Int.max], [1], [3, 5]] {
        #expect(Recorder(json, chunks: chunks).events.contains("1:2 string \(expected[0])"), "\(text)")
      }
    }
  }

  /// What people write all the same is read, in pieces of any size; the first fault has its place.
  @Test(arguments: [
    ("[1,]", ["1:1 [", "1:2 number 1", "1:4 ]"], "1:3 no value follows this comma"),
    ("[,1,,2]", ["1:1 [", "1:3 number 1", "1:6 number 2", "1:7 ]"], "1:2 no value follows this comma"),
    ("{\"a\":1,\n}", ["1:1 {", "1:2 key a", "1:6 number 1", "2:1 }"], "1:7 no value follows this comma"),
    ("[1/*\n,*/,// x\n2]//", ["1:1 [", "1:2 number 1", "3:1 number 2", "3:2 ]"], "1:3 JSON has no comments"),
    ("[\"a\tb\nc\", 1]", ["1:1 [", "1:2 string a b c", "2:5 number 1", "2:6 ]"], "1:4 a control character"),
    ("[\"\n\\q\"]", ["1:1 [", "1:2 string  \\q", "2:4 ]"], "1:3 a control character"),
    ("[\"it\\'s C:\\dir\"]", ["1:1 [", "1:2 string it's C:\\dir", "1:16 ]"], "1:6 a backslash"),
    ("[\"\\u12\"]", ["1:1 [", "1:2 string \\u12", "1:8 ]"], "1:7 \\u needs four hexadecimal digits"),
    ("[NaN,True,None]", ["1:1 [", "1:2 null", "1:6 true", "1:11 null", "1:15 ]"], "1:2 'NaN' is not a value of JSON"),
    ("{\"a\":,}", ["1:1 {", "1:2 key a", "1:6 fault a value is expected here"], ""),
    ("[1 2]", ["1:1 [", "1:2 number 1", "1:4 fault a comma or an end is expected here"], ""),
    ("[1,2}", ["1:1 [", "1:2 number 1", "1:4 number 2", "1:5 fault no object ends here"], ""),
    ("/", ["1:2 fault the document ends too early"], ""),
    ("[1] /* x", ["1:1 [", "1:2 number 1", "1:3 ]"], "1:5 JSON has"),
  ])
  func faultsOfPeopleAreMended(_ text: String, _ events: [String], _ fault: String) {
    let bytes = Array(text.utf8)
    for size in 1...bytes.count {
      let recorder = Recorder(bytes, chunks: [size], mends: true)
      #expect(recorder.events == events, "\(text) in chunks of \(size)")
      #expect(fault.isEmpty ? recorder.mended.isEmpty : recorder.mended.hasPrefix(fault), "\(recorder.mended)")
    }
    #expect(Recorder(bytes).fault != nil, "a reader that does not mend says so")
  }

  /// Bytes that are not UTF-8: alone, too long, a surrogate, beyond U+10FFFF, cut short.
  @Test(
    arguments: [
      [0xFF], [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80],
      [0xE2, 0x82],
    ] as [[UInt8]])
  func invalidUTF8IsFault(_ bad: [UInt8]) {
    let recorder = Recorder(Array("[\"a\",\n\"é".utf8) + bad + Array("\"]".utf8))
    #expect(recorder.events.prefix(2) == ["1:1 [", "1:2 string a"])
    #expect(recorder.fault.map { [$0.line, $0.column] } == [2, 4])
    #expect(Recorder(Array("[1,".utf8) + bad).fault.map { [$0.line, $0.column] } == [1, 4])
  }

  @Test(arguments: [
    ("\\ud83d", "\u{FFFD}"), ("\\udc00", "\u{FFFD}"), ("\\ud83d\\u2026", "\u{FFFD}…"), ("\\ud83d…", "\u{FFFD}…"),
    ("\\ud83d\\ud83d\\ude00", "\u{FFFD}😀"), ("\\\\ud83d", "\\ud83d"), ("\\uD83D\\uDE00", "😀"),
    ("\\ud83d\\n", "\u{FFFD}\n"),
  ])
  func loneSurrogateBecomesReplacementCharacter(_ escaped: String, _ text: String) {
    #expect(Recorder(Array("\"\(escaped)\"".utf8)).events == ["1:1 string \(text)"])
  }

  /// Documents are read in every split into two and in chunks of every small size.
  @Test(arguments: [
    "{\"a\": [1, -2.5e3, true, null, \"\"],\n \"gr\u{FC}n\\u00e9\": {\"b\\\"\\\\\": \"\\ud83d\\ude00 \\ud83d \u{1F600}\"}} ",
    "\u{FEFF}[false,12]", "[\"a\\\\\", 1.5 x]", "[\"abc\nd\"]", "{\"a\":1,,}", "[\"a\", \"b", "-12", "[1,2]]",
    "[\"\\ud83d\\",
  ])
  func resultIsIndependentOfChunks(_ text: String) {
    let bytes = Array(text.utf8)
    var limits = Limits.standard
    for fieldBytes in [limits.fieldBytes, 4] {
      limits.fieldBytes = fieldBytes
      let whole = Recorder(bytes, limits: limits).events
      for size in 1...bytes.count {
        #expect(Recorder(bytes, chunks: [size], limits: limits).events == whole, "chunks of \(size)")
        #expect(Recorder(bytes, chunks: [size, .max], limits: limits).events == whole, "split at \(size)")
      }
    }
  }

  @Test func overlongStringIsTruncatedAtCharacterBoundary() {
    var limits = Limits.standard
    limits.fieldBytes = 5
    let text = "[\"abcde\", \"abcdef\", \"abcdé\", \"ab\\u00e9f\", \"abcd\\n\", \"\\\\\\\\\\\\\", 7]"
    #expect(
      Recorder(Array(text.utf8), limits: limits).events == [
        "1:1 [", "1:2 string abcde", "1:11 string abcde …", "1:21 string abcd …", "1:31 string ab …",
        "1:44 string abcd …", "1:54 string \\\\ …", "1:64 number 7", "1:65 ]",
      ])
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":["])
  func nestingDepthIsBounded(_ opening: String) {
    let bomb = String(repeating: opening, count: 1_000_000)
    let recorder = Recorder(Array(bomb.utf8), chunks: [65536])
    #expect(recorder.fault?.message.contains("nested") == true)
    #expect(recorder.events.count { $0.hasSuffix("[") || $0.hasSuffix("{") } == JSONReader.deepest)
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(Recorder(Array(deepest.utf8)).fault == nil)
  }

  @Test func overlongTokenIsFault() {
    for text in [String(repeating: "1", count: 3_000_000), String(repeating: "x", count: 3_000_000)] {
      #expect(Recorder(Array(text.utf8), chunks: [4096]).fault?.column == 1)
    }
    let number = "[" + String(repeating: "1", count: 1000) + "]"
    #expect(Recorder(Array(number.utf8), chunks: [7]).fault == nil)
  }

  /// A reader that restarted the string with each chunk would take hours.
  @Test func longStringInSmallChunksTakesLinearTime() {
    let text = "\"" + String(repeating: "a", count: 8 << 20) + "\""
    let time = processorTime { #expect(Recorder(Array(text.utf8), chunks: [256]).fault == nil) }
    #expect(time < .seconds(30))
  }

  @Test func readingStopsOnRequest() {
    let bytes = Array("[1,2,\"a\",{\"b\":3}]".utf8)
    let whole = Recorder(bytes).events
    for most in 1...whole.count {
      let recorder = Recorder(bytes, chunks: [3], most: most)
      #expect(recorder.events == Array(whole.prefix(most)))
      #expect(recorder.fault == nil)
    }
  }
}
