/// The reason why a record has no result: the member `error` of its answer.
package struct RecordError: Error, Sendable, Hashable {
  /// The kind of error, for programs; the list is part of the format, see docs/records.md.
  package enum Code: String, Sendable, CaseIterable {
    /// The line is blank.
    case blank = "record.blank"
    /// The line is not a JSON object.
    case json = "record.json"
    /// The line is not in UTF-8 but in another encoding.
    case encoding = "record.encoding"
    /// The id is neither a string nor a number.
    case id = "record.id"
    /// The record is of another version than 1.
    case version = "record.version"
    /// There is no body, or more than one, or it is not a string, or not base64.
    case body = "record.body"
    /// The record is larger than the limit.
    case tooLarge = "record.too-large"
    /// The work on the record took longer than the limit.
    case tooSlow = "record.too-slow"
    /// The process crashed at the record.
    case crashed = "record.crashed"
    /// The work on the record took more memory than the limit.
    case memory = "record.memory"
    /// The server answered that the document is unchanged.
    ///
    /// There is no body, and nothing is wrong (WARC `revisit`, HTTP 304).
    case notModified = "record.not-modified"
    /// The server did not answer with success.
    case status = "record.status"
    /// The body is not a feed.
    case notAFeed = "feed.not-a-feed"
    /// The body is empty.
    case emptyFeed = "feed.empty"
  }

  /// The code.
  package let code: Code
  /// The problem and its remedy, in one lower-case sentence without a full stop.
  package let message: String

  /// Creates an error.
  package init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }
}

extension RecordError.Code {
  /// Reads the error of an answer that ``RecordAnswers`` wrote, after the id and the line; nil when the answer is not
  /// an error.
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
