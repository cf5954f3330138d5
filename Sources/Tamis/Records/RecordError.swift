/// Why a record has no other answer: what stands in its answer under `error`.
public struct RecordError: Error, Sendable, Hashable {
  /// What was wrong, as programs know it; the list is part of the format, see docs/records.md.
  public enum Code: String, Sendable, CaseIterable {
    /// The line is blank.
    case blank = "record.blank"
    /// The line is no JSON object.
    case json = "record.json"
    /// The line is not in UTF-8 but in another encoding.
    case encoding = "record.encoding"
    /// The id is neither a string nor a number.
    case id = "record.id"
    /// The record is of another version than 1.
    case version = "record.version"
    /// There is no body, or more than one, or it is no string, or no base64.
    case body = "record.body"
    /// The record is larger than records may be.
    case tooLarge = "record.too-large"
    /// Its work took longer than it may.
    case tooSlow = "record.too-slow"
    /// The process ended at it.
    case crashed = "record.crashed"
    /// Its work took more memory than it may.
    case memory = "record.memory"
    /// A server has said that nothing has changed: there is no body, and nothing is wrong (WARC `revisit`, HTTP 304).
    case notModified = "record.not-modified"
    /// The server has answered with something else than success.
    case status = "record.status"
    /// The body is no feed.
    case notAFeed = "feed.not-a-feed"
    /// There is nothing in the body.
    case emptyFeed = "feed.empty"
  }

  /// The code.
  public let code: Code
  /// What is wrong and what to do about it, in one lower-case sentence without a full stop.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension RecordError.Code {
  /// That of an answer, as ``RecordAnswers`` writes it: behind the id, and the line where there is one; nil when it is no error.
  init?(ofAnswer answer: [UInt8]) {
    func stands(_ text: String, at index: Int) -> Int? {
      let text = text.utf8
      return answer[min(index, answer.count)...].starts(with: text) ? index + text.count : nil
    }
    guard var index = stands(#"{"v":1,"id":"#, at: 0) else { return nil }
    var (isInString, isEscaped) = (false, false)
    while index < answer.count, isInString || answer[index] != UInt8(ascii: ",") {
      let byte = answer[index]
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      index += 1
    }
    if let line = stands(#","line":"#, at: index) {
      index = answer[line...].firstIndex(of: UInt8(ascii: ",")) ?? answer.count
    }
    guard let start = stands(#","error":{"code":""#, at: index),
      let end = answer[start...].firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    self.init(rawValue: String(decoding: answer[start..<end], as: UTF8.self))
  }
}
