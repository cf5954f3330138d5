import TamisURL
import Testing

@Suite("Properties that hold for every input")
struct PropertyTests {
  @Test("parsing a serialization again changes nothing")
  func serializationReparsesUnchanged() throws {
    for test in try Fixtures.everyCase() {
      guard let url = test.parse() else { continue }
      try expectConsistent(url, test)
    }
  }

  @Test("truncated inputs never crash, and stay consistent")
  func truncatedInputsStayConsistent() throws {
    for test in try Fixtures.everyCase() {
      let bytes = Array(test.input.utf8)
      let base = test.base.flatMap { WebURL($0) }
      for count in 0...min(bytes.count, 200) {
        let prefix = Array(bytes[..<count])
        if let url = WebURL(utf8: prefix.span, base: base) { try expectConsistent(url, test) }
      }
    }
  }

  @Test("mutated inputs never crash, and stay consistent")
  func mutatedInputsStayConsistent() throws {
    var random = SplitMix64(state: 0x7A_6D_69_73)
    let interesting = Array("\0\t\n #%./:?@[\\]^|x1-\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    for test in try Fixtures.everyCase() {
      let base = test.base.flatMap { WebURL($0) }
      for _ in 0..<40 {
        var bytes = Array(test.input.utf8)
        for _ in 0...Int.random(in: 0..<3, using: &random) {
          let index = Int.random(in: 0...bytes.count, using: &random)
          let byte = interesting.randomElement(using: &random) ?? 0
          let end = index < bytes.count && Bool.random(using: &random) ? index + 1 : index
          bytes.replaceSubrange(index..<end, with: [byte])
        }
        if let url = WebURL(utf8: bytes.span, base: base) { try expectConsistent(url, test) }
      }
    }
  }

  /// The serialization is ASCII, stable, and the sum of the components; http(s) URLs have a host.
  private func expectConsistent(_ url: WebURL, _ test: URLCase) throws {
    let again = try #require(WebURL(url.href), "\(url) does not parse, from \(test)")
    if again != url || rebuilt(url) != url.href || rebuilt(again) != url.href {
      Issue.record("\(url) became \(again), or \(rebuilt(url)) and \(rebuilt(again)) from its parts, from \(test)")
    }
    if url.utf8.contains(where: { $0 >= 0x7F || $0 < 0x20 }) { Issue.record("\(url) is not printable ASCII") }
    if url.scheme == "http" || url.scheme == "https", url.hostname?.isEmpty != false {
      Issue.record("\(url) has no host, from \(test)")
    }
  }

  /// The URL serializer of section 4.5, from the components.
  private func rebuilt(_ url: WebURL) -> String {
    var text = url.scheme + ":"
    if let host = url.hostname {
      text += "//" + url.username + (url.password.isEmpty ? "" : ":" + url.password)
      if !url.username.isEmpty || !url.password.isEmpty { text += "@" }
      text += host + (url.port.map { ":\($0)" } ?? "")
    } else if !url.hasOpaquePath, url.path.hasPrefix("//") {
      text += "/."
    }
    return text + url.path + (url.query.map { "?" + $0 } ?? "") + (url.fragment.map { "#" + $0 } ?? "")
  }
}

/// A small random number generator with a fixed seed, so that a failure can be seen again.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
