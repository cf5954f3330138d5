import TamisCore
import Testing

/// Sixteen bytes at a time must find what one at a time finds, wherever it is.
@Suite struct ByteScanTests {
  typealias Search = (name: String, find: (borrowing Span<UInt8>, Int) -> Int, isWanted: (UInt8) -> Bool)

  private static var searches: [Search] {
    [
      ("one", { ByteScan.index(of: 0x5D, in: $0, from: $1) }, { $0 == 0x5D }),
      ("two", { ByteScan.index(of: 0x00, or: 0xFF, in: $0, from: $1) }, { $0 == 0x00 || $0 == 0xFF }),
      ("high", { ByteScan.indexOfHighByte(in: $0, from: $1) }, { $0 >= 0x80 }),
      (
        "JSON", { ByteScan.indexOfJSONEscape(in: $0, from: $1) },
        { $0 < 0x20 || "\"\\".utf8.contains($0) }
      ),
      ("HTML", { ByteScan.indexOfHTMLEscape(in: $0, from: $1) }, { $0 == 0xC2 || "&<>\"".utf8.contains($0) }),
      (
        "XML suspect", { ByteScan.indexOfXMLSuspect(in: $0, from: $1) },
        { $0 == 0xEF || ($0 < 0x20 && !"\t\n\r".utf8.contains($0)) }
      ),
      ("control", { ByteScan.indexOfControlOrHighByte(in: $0, from: $1) }, { $0 < 0x20 || $0 >= 0x80 }),
    ]
  }

  /// Every text of up to seven bytes in every one of up to nine, of two letters.
  @Test func containmentMatchesComparisonAtEachPlace() {
    func words(_ count: Int) -> [[UInt8]] {
      (0..<(1 << count)).map { bits in (0..<count).map { UInt8(truncatingIfNeeded: bits >> $0 & 1) } }
    }
    for (wanted, text) in [(1, 3), (2, 6), (3, 7), (5, 9), (7, 9), (4, 3)] {
      for wanted in words(wanted) {
        for text in words(text) {
          let isThere = text.indices.contains { text[$0...].starts(with: wanted) }
          #expect(ByteScan.contains(wanted, in: text[...]) == isThere)
        }
      }
    }
    #expect(ByteScan.contains([], in: []) && !ByteScan.contains([1], in: []))
  }

  @Test(arguments: searches.indices) func vectorSearchMatchesBytewiseSearch(_ index: Int) {
    let search = Self.searches[index]
    for byte in UInt8.min...UInt8.max {
      // Plain bytes with this one in one place and at the end, a part of bytes that have it on both sides; lengths
      // around one and two blocks.
      for length in [1, 7, 15, 16, 17, 31, 33, 47] {
        for place in [0, 1, 7, 8, 14, 15, 16, length / 2, length - 1] where place < length {
          var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length + 2)
          for index in [0, place + 1, length, length + 1] { bytes[index] = byte }
          for start in [0, place, min(place + 1, length), length] {
            let expected = (start..<length).first { search.isWanted(bytes[$0 + 1]) } ?? length
            let found = search.find(bytes.span.extracting(1...length), start)
            if found != expected { Issue.record("\(search.name): \(byte) at \(place) of \(length) from \(start)") }
          }
        }
      }
    }
  }

  /// Counts of a block are kept in bytes, which hold 255.
  @Test(arguments: [0, 1, 15, 16, 17, 255 * 16 - 1, 255 * 16, 255 * 16 + 1, 256 * 16, 3 * 255 * 16 + 5])
  func linesAndCharactersAreCounted(_ length: Int) {
    let lines = [UInt8](repeating: ASCII.lineFeed, count: length)
    #expect(ByteScan.lineFeeds(in: lines.span) == length)
    let text = String(repeating: "é\n€", count: length / 6)
    let bytes = Array(text.utf8)
    #expect(ByteScan.lineFeeds(in: bytes.span) == length / 6)
    #expect(ByteScan.characters(in: bytes.span) == text.unicodeScalars.count)
  }

  /// Texts of words with one or more spaces between, controls, and characters of several bytes.
  @Test func spacesMatchThoseOfBytewiseSearch() {
    let pieces = ["a", " ", "\n", "\u{1}", "\0", "é", "漢", "sixteen bytes and"]
    for number in 0..<(8 * 8 * 8 * 8) {
      // The digits of the number to the base of eight.
      let bytes = [0, 3, 6, 9].flatMap { Array(pieces[number >> $0 & 7].utf8) }
      func isSpace(_ index: Int) -> Bool { bytes[index] == ASCII.space }
      let inner = bytes.indices.dropFirst()
      #expect(ByteScan.wordStarts(in: bytes.span) == inner.count { isSpace($0 - 1) && !isSpace($0) })
      let visible = bytes.indices.count { !isSpace($0) && bytes[$0] & 0xC0 != 0x80 }
      #expect(ByteScan.visibleCharacters(in: bytes.span) == visible)
      for start in inner {
        let found = bytes[start...].indices.first { bytes[$0] < 0x20 || isSpace($0) && isSpace($0 - 1) }
        #expect(ByteScan.indexOfIrregularSpace(in: bytes.span, from: start) == found ?? bytes.count)
      }
      let words = bytes.split { $0 == ASCII.space || $0 == ASCII.lineFeed }
      if !bytes.contains(0xE6) { #expect(WordCount(String(decoding: bytes, as: UTF8.self)).words == words.count) }
    }
  }

  @Test func multiByteTextsAreFound() {
    let bytes = Array("a]]b]]>c".utf8)
    #expect(ByteScan.index(of: "]]>", in: bytes.span, from: 0) == 4)
    #expect(ByteScan.index(of: "]]>", in: bytes.span, from: 5) == nil)
    #expect(ByteScan.index(of: "]]>", in: bytes.span.extracting(..<6), from: 0) == nil)
    #expect(ByteScan.index(of: "]]>", in: Array("a]]]]>".utf8).span, from: 0) == 3)
    #expect(ByteScan.index(of: "-->", in: Array(repeating: UInt8(ascii: "-"), count: 40).span, from: 0) == nil)
  }
}

/// Strings are made of bytes without the standard library's check, after a check of our own.
@Suite struct UTF8Tests {
  /// Sequences of two to four bytes whose later bytes are at the bounds of what they may be.
  @Test func utf8ValidationMatchesStandardLibrary() {
    let bounds: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for first in UInt8.min...UInt8.max {
      for second in bounds {
        check([first, second])
        guard first >= 0xE0 else { continue }
        for third in bounds {
          check([first, second, third])
          guard first >= 0xF0 else { continue }
          for fourth in bounds { check([first, second, third, fourth]) }
        }
      }
    }
  }

  private func check(_ sequence: [UInt8]) {
    // After a block of ASCII, and before some more.
    for bytes in [sequence, Array("0123456789abcdefg".utf8) + sequence + [UInt8(ascii: "z")]] {
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      guard UTF8Sequence.isWellFormed(bytes.span) == isValid,
        String(bytes.span, 0..<bytes.count) == String(decoding: bytes, as: UTF8.self)
      else {
        Issue.record("\(bytes)")
        return
      }
    }
  }

  /// Ranges may begin and end inside sequences.
  @Test(arguments: ["aé", "€b", "😀", "0123456789abcdefé€😀", "é0123456789abcdef"])
  func stringsAreMadeOfAnyByteRange(_ text: String) {
    let bytes = Array(text.utf8)
    for start in 0...bytes.count {
      for end in start...bytes.count {
        #expect(String(bytes.span, start..<end) == String(decoding: bytes[start..<end], as: UTF8.self))
      }
    }
  }

  @Test func characterBoundariesAreFound() {
    let bytes = Array("aé€😀".utf8)
    let boundaries = (0...bytes.count).map { UTF8Sequence.boundary(in: bytes.span, atOrBefore: $0) }
    #expect(boundaries == [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10])
    // At most three bytes back where there are no sequences.
    let strays = [UInt8](repeating: 0x80, count: 9)
    #expect(UTF8Sequence.boundary(in: strays.span, atOrBefore: 8) == 5)
  }
}

@Suite struct NameIndexTests {
  /// Names begin or end alike, around the eight bytes that are compared as a number.
  @Test func similarNamesAreDistinguished() {
    var names = [""]
    for length in 1...20 {
      let base = String(repeating: "a", count: length)
      names.append(base)
      names.append("b" + base.dropFirst() + "x")
      names.append(base.dropLast() + "b" + "y")
      names.append(base.dropLast(length / 2) + "é" + base)
    }
    names += (0..<1000).map { "name\($0)" }
    names = Array(Set(names)).sorted()
    var index = NameIndex()
    for name in names {
      #expect(index.number(of: name) == nil)
      index.add(name)
    }
    for (number, name) in names.enumerated() {
      #expect(index.number(of: name) == number)
      // In the middle of others, and at the end of all.
      let bytes = Array("<\(name)>".utf8)
      #expect(index.number(of: bytes.span, 1..<bytes.count - 1) == number)
      let last = Array("</\(name)".utf8)
      #expect(index.number(of: last.span, 2..<last.count) == number)
      #expect(index.number(of: name + "\u{0}") == nil)
    }
  }

  /// Names that differ in few letters, by the hundred thousand, would take minutes if they shared slots.
  @Test(arguments: ["aaaaaaaa#bbbbbbbb", "figur#", "#figures", "aaaaaaaaaaaaaaaa#bb"])
  func similarNamesDoNotSlowLookup(_ form: String) {
    var index = NameIndex()
    let names = (100_000..<300_000).map { (number: Int) -> String in form.replacing("#", with: String(number)) }
    for name in names { index.add(name) }
    #expect(names.indices.allSatisfy { index.number(of: names[$0]) == $0 })
  }
}
