import Foundation
import Tamis

/// Lines of a file or of standard input, read as they come.
final class LineReader {
  let path: String
  /// Whether reading ended before the input did.
  private(set) var hasFailed = false
  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// Nil when the file cannot be read; `-` is standard input.
  init?(path: String) {
    self.path = path
    if path == "-" {
      handle = .standardInput
    } else if let file = FileHandle(forReadingAtPath: path) {
      handle = file
    } else {
      return nil
    }
  }

  /// Whether another line is there without waiting.
  var hasBufferedLine: Bool { buffer[start...].contains(0x0A) }

  /// The next line without its line feed, nil at the end.
  func next() -> [UInt8]? {
    var searched = start
    while true {
      let end = ByteScan.index(of: 0x0A, or: 0x0A, in: buffer.span, from: searched)
      if end < buffer.count {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      searched = buffer.count
      guard !isAtEnd, fill(&searched) else {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...])
      }
    }
  }

  private func fill(_ searched: inout Int) -> Bool {
    if start > 0 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    repeat {
      count = chunk.withUnsafeMutableBytes { Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count) }
    } while count < 0 && errno == EINTR
    guard count > 0 else {
      hasFailed = count < 0
      isAtEnd = true
      return false
    }
    buffer.append(contentsOf: chunk[..<count])
    return true
  }
}
