import TamisCore

/// The fields of a header of a record (ISO 28500, 4) or of HTTP (RFC 9112, section 5), which have the same syntax.
struct HeaderBlock {
  /// The fields, in order.
  private(set) var fields: [HeaderField] = []
  /// The number of lines that are neither fields nor continuations, which are dropped.
  private(set) var oddLines = 0

  /// Parses lines, each of which may end with CR LF or LF.
  init(_ bytes: ArraySlice<UInt8>) {
    for line in bytes.split(separator: ASCII.lineFeed) {
      // A bare CR or a NUL in a value is a space (RFC 9110, section 5.5).
      let text = String(decoding: line.map { $0 == 0 || $0 == ASCII.carriageReturn ? ASCII.space : $0 }, as: UTF8.self)
      if line.first == ASCII.space || line.first == ASCII.tab, let last = fields.indices.last {
        // This line continues the one before.
        let more = text.trimmed()
        if !more.isEmpty { fields[last].value += fields[last].value.isEmpty ? more : " " + more }
      } else if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex {
        fields.append(HeaderField(name: text[..<colon].trimmed(), value: text[colon...].dropFirst().trimmed()))
      } else if !text.trimmed().isEmpty {
        oddLines += 1
      }
    }
  }
}

extension HTTPMessage {
  /// The head of a response, and the index at which its content begins.
  struct Head {
    var message: HTTPMessage
    var end: Int
    /// Whether the header ends with an empty line.
    var isWhole: Bool
  }

  /// The reason why there is no head.
  enum Fault: Error {
    case none
    case tooLarge
  }

  /// Reads the head of a response, skipping interim responses (RFC 9110, section 15.2) before it.
  static func head(of block: [UInt8], most: Int) throws(Fault) -> Head {
    var start = 0
    while true {
      guard let status = status(in: block, at: start) else { throw .none }
      let head = try head(of: block, from: start, status: status, most: most)
      let isInterim = (100..<200).contains(status) && status != 101
      guard isInterim, Self.status(in: block, at: head.end) != nil else { return head }
      start = head.end
    }
  }

  /// Returns the status code of a status line such as `HTTP/1.1 200 OK`; nil when there is none.
  private static func status(in block: [UInt8], at start: Int) -> Int? {
    let line = block[start...].prefix(64).prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
    guard line.starts(with: "HTTP/".utf8) else { return nil }
    let words = line.split(separator: ASCII.space, maxSplits: 2)
    guard words.count > 1, words[1].count == 3, words[1].allSatisfy(\.isASCIIDigit) else { return nil }
    return words[1].reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private static func head(of block: [UInt8], from start: Int, status: Int, most: Int) throws(Fault) -> Head {
    var lineStart = start
    while lineStart < block.count {
      let end = ByteScan.index(of: ASCII.lineFeed, in: block.span, from: lineStart)
      let isEmpty = end == lineStart || (end == lineStart + 1 && block[lineStart] == ASCII.carriageReturn)
      lineStart = min(end + 1, block.count)
      if lineStart - start > most { throw .tooLarge }
      if isEmpty, end < block.count {
        return Head(message: message(block[start..<lineStart], status), end: lineStart, isWhole: true)
      }
    }
    return Head(message: message(block[start...], status), end: block.count, isWhole: false)
  }

  private static func message(_ lines: ArraySlice<UInt8>, _ status: Int) -> HTTPMessage {
    let fields = lines.firstIndex(of: ASCII.lineFeed).map { HeaderBlock(lines[($0 + 1)...]).fields } ?? []
    return HTTPMessage(status: status, fields: fields)
  }
}
