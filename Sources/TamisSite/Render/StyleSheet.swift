import TamisSystem

/// A theme's style sheet, a file that pages link; the contact sheet contains it between `<style>` and `</style>`.
struct StyleSheet: Sendable {
  /// The sheet without comments and without white space at the beginnings of lines.
  let text: String
  /// The file name, which changes with the content, so that no page is ever shown with the sheet of another build.
  let fileName: String
  /// The digest with which a page that contains the sheet allows it in its Content-Security-Policy.
  let hash: String

  /// Creates a style sheet, or returns nil when the text contains `<`, which could end the enclosing element.
  init?(_ source: String) {
    guard !source.utf8.contains(UInt8(ascii: "<")) else { return nil }
    text = Self.compact(Array(source.utf8))
    let digest = SHA256(text)
    fileName = "style-\(digest.hex.prefix(8)).css"
    hash = "sha256-" + digest.base64
  }

  /// The content of the file.
  var bytes: [UInt8] { Array("/* Written by Tamis */\n\(text)\n".utf8) }

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
        // `/*/` does not end the comment that it begins.
        index += 3
        while index < source.count, source[index] != UInt8(ascii: "/") || source[index - 1] != UInt8(ascii: "*") {
          index += 1
        }
        index += 1
        continue
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") {
        // Runs of spaces become one, and none after these characters.
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
