import TamisCore
import TamisDigest

/// A theme's style sheet, which pages hold between `<style>` and `</style>`.
struct StyleSheet: Sendable {
  /// The sheet without comments and without white space at the beginnings of lines: every page holds it.
  let text: String
  /// The digest by which a page's Content-Security-Policy allows it.
  let hash: String

  /// Nil when the text would end the element around it.
  init?(_ source: String) {
    guard !source.utf8.contains(UInt8(ascii: "<")) else { return nil }
    text = Self.compact(Array(source.utf8))
    hash = "sha256-" + SHA256(text).base64
  }

  /// Whether a text is a digest as ``StyleSheet/hash`` has it: it becomes part of policies and of servers' files.
  static func isHash(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst("sha256-".utf8.count)
    return text.hasPrefix("sha256-") && digits.count == 44
      && digits.allSatisfy { $0.isASCIIAlphanumeric || "+/=".utf8.contains($0) }
  }

  private static func compact(_ source: [UInt8]) -> String {
    var output: [UInt8] = []
    var index = 0
    var quote: UInt8?
    while index < source.count {
      let byte = source[index]
      if let end = quote {
        if byte == UInt8(ascii: "\\"), index + 1 < source.count {
          output.append(byte)
          index += 1
          output.append(source[index])
          index += 1
          continue
        }
        if byte == end { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "/"), index + 1 < source.count, source[index + 1] == UInt8(ascii: "*") {
        // `/*/` does not end what it begins.
        index += 3
        while index < source.count, source[index] != UInt8(ascii: "/") || source[index - 1] != UInt8(ascii: "*") {
          index += 1
        }
        index += 1
        continue
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") {
        // One space says as much as many, and nothing says as much as one behind these.
        index += 1
        if let last = output.last, !"{};,\n ".utf8.contains(last) { output.append(UInt8(ascii: " ")) }
        continue
      }
      output.append(byte)
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }
}
