import TamisCore
import TamisEncoding

/// The XML declaration at the beginning of a document.
enum XMLDeclaration {
  /// Returns the encoding that the declaration names, in lower case, or nil when there is none.
  static func encoding(in head: [UInt8], _ mark: ByteOrderMark?) -> String? {
    var bytes = Array(head.dropFirst(mark?.length ?? 0))
    if let mark, var decoder = CharacterDecoder(mark.name, .replace) {
      var text: [UInt8] = []
      _ = decoder.decode(bytes.span, into: &text)
      bytes = text
    }
    return nameRange(bytes).flatMap { String(streamSafe: bytes[$0.name]).asciiLowercased().trimmedOrNil() }
  }

  /// Replaces `encoding="…"` with spaces, since it is wrong for decoded text; locations do not change.
  static func removeEncoding(from text: inout [UInt8]) {
    guard let range = nameRange(text)?.whole else { return }
    for index in range { text[index] = ASCII.space }
  }

  /// Whether a declaration is well-formed (XML 1.0, production 23): a version, then optionally `standalone`.
  ///
  /// An encoding may have been removed before, or stand between them.
  static func isInOrder(_ declaration: [UInt8]) -> Bool {
    guard
      let tag = TagReader.read(
        (Array("<".utf8) + declaration.dropFirst(2).dropLast(2) + Array(">".utf8)).span, from: 0,
        bound: declaration.count - 2, mostAttributes: 4)
    else { return false }
    let names = tag.attributes.map {
      String(decoding: declaration[($0.name.lowerBound + 1)..<($0.name.upperBound + 1)], as: UTF8.self)
    }
    return tag.fault == nil && declaration.starts(with: "<?xml".utf8)
      && declaration.suffix(2).elementsEqual("?>".utf8)
      && [["version"], ["version", "encoding"], ["version", "standalone"], ["version", "encoding", "standalone"]]
        .contains(names)
  }

  /// Returns the range of `encoding="…"` and the range of the name alone.
  ///
  /// The first declaration that names an encoding counts, even with stray content before it.
  private static func nameRange(_ bytes: [UInt8]) -> (whole: Range<Int>, name: Range<Int>)? {
    let head = bytes.prefix(TextSurvey.headSize)
    var index = 0
    while let start = head[index...].firstIndex(of: UInt8(ascii: "<")) {
      index = start + 1
      let rest = head[index...]
      // Comments contain no declaration, and none follows the root element or a CDATA section.
      if rest.starts(with: "!--".utf8) {
        let dashes = Array("-->".utf8)
        index = rest.indices.first { rest[$0...].starts(with: dashes) } ?? index
        continue
      }
      let roots = ["rss", "feed", "rdf", "channel", "!["]
      let word = rest.prefix(8).map(\.asciiLowercased)
      if roots.contains(where: { word.starts(with: $0.utf8) }) { return nil }
      let isDeclaration = head[index...].prefix(4).map(\.asciiLowercased).elementsEqual("?xml".utf8)
      if isDeclaration, head.count > index + 4, head[index + 4].isHTMLSpace, let range = name(in: head[index...]) {
        return range
      }
    }
    return nil
  }

  /// Returns the same ranges in a declaration, given its beginning.
  private static func name(in bytes: ArraySlice<UInt8>) -> (whole: Range<Int>, name: Range<Int>)? {
    let start = bytes.startIndex
    let end = bytes.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") } ?? bytes.endIndex
    let keyword = "encoding".utf8
    guard
      let begin = (start..<end).first(where: { bytes[$0..<end].prefix(8).map(\.asciiLowercased).elementsEqual(keyword) }
      ),
      let open = bytes[begin..<end].firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
      let close = bytes[(open + 1)..<end].firstIndex(of: bytes[open])
    else { return nil }
    return (begin..<close + 1, open + 1..<close)
  }
}
