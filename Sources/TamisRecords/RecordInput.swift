import Tamis
package import TamisCore
import TamisFeed
package import TamisSystem

/// A record that is to be answered.
struct RecordQuestion {
  enum Content {
    /// A line of JSON.
    case line([UInt8])
    /// A record of a WARC file.
    case record(Record)
    /// A line or record that is not valid.
    case invalid(Record.Invalid)
  }

  /// The number of the record in the input, from 1.
  var number: Int
  var content: Content
}

/// Reads the records of files, one after the other: JSON lines, or a WARC file, recognized by its first bytes,
/// optionally packed by gzip or zstd.
///
/// Memory use depends on the largest record that is read, not on the input.
package struct RecordInput {
  /// The findings about files that could not be read, or not to their ends.
  package private(set) var failures: [Finding] = []
  /// The findings about WARC files.
  package private(set) var findings: [Finding] = []
  /// The number of records of WARC files that were skipped, since their content is not wanted.
  package private(set) var passedOver = 0

  private enum Source {
    case lines(LineStream, descriptor: Int32)
    case records(WARCReader)
  }

  private var files: ArraySlice<FilePath>
  private let longest: Int
  private let wantsPages: Bool
  private var source: Source?
  private var name = ""
  private var number: Int
  private var pending: RecordQuestion?

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - files: the paths of the files; `-` is standard input.
  ///   - longest: the maximum size of a record, in bytes.
  ///   - wantsPages: whether only web pages of WARC files are wanted.
  ///   - first: the number of the first record.
  package init(_ files: [FilePath], longest: Int, wantsPages: Bool, first: Int = 1) {
    (self.files, self.longest, self.wantsPages) = (files[...], longest, wantsPages)
    number = first - 1
  }

  /// Whether the input has ended.
  var isAtEnd: Bool { files.isEmpty && source == nil && pending == nil }

  /// The file descriptor from which ``fill()`` reads, to test whether it would wait; nil when that cannot be tested.
  var descriptor: Int32? {
    if case .lines(_, let descriptor)? = source { return descriptor }
    return nil
  }

  /// Whether ``fill()`` would or may wait.
  var wouldWait: Bool { descriptor.map(StreamedFile.wouldWait) ?? (source != nil) }

  /// Returns the next record if it is already in memory.
  mutating func take() -> RecordQuestion? {
    if case .lines(var lines, let descriptor)? = source {
      source = nil
      let line = lines.take()
      if line != nil || !lines.isAtEnd {
        source = .lines(lines, descriptor: descriptor)
      } else if let failure = lines.failure {
        fail(failure.message)
      }
      return line.map { question($0) }
    }
    defer { pending = nil }
    return pending
  }

  /// Returns the next record, which is read if needed; nil at the end.
  ///
  /// Invalid records are skipped.
  package mutating func next() -> Record? {
    while true {
      switch take()?.content {
      case .line(let line): if let record = try? Record(line: line) { return record }
      case .record(let record): return record
      case .invalid: continue
      case nil:
        if isAtEnd { return nil }
        fill()
      }
    }
  }

  /// Reads one step further: opens a file, reads some of its bytes, or reads a record.
  mutating func fill() {
    switch source {
    case nil: open()
    case .lines(var lines, let descriptor):
      source = nil
      lines.fill()
      source = .lines(lines, descriptor: descriptor)
    case .records(var reader):
      source = nil
      if let record = reader.next(into: &findings) {
        source = .records(reader)
        take(record)
      } else if let failure = reader.failure {
        fail(failure.message)
      }
    }
  }

  private mutating func open() {
    guard let path = files.popFirst() else { return }
    name = path.description
    do throws(ReadFailure) {
      let file = try StreamedFile(path)
      if try file.begins(with: Array("WARC/".utf8)) {
        var limits = WARCLimits.standard
        (limits.recordBytes, limits.bodyBytes) = (longest, longest)
        let bytes: any ByteSource = file.isRegular ? try FileSource(path).packed : file
        source = .records(try WARCReader(bytes, name: name, limits: limits))
      } else {
        source = .lines(try LineStream(file, longest: longest), descriptor: file.descriptor)
      }
    } catch {
      fail(error.message)
    }
  }

  private mutating func fail(_ message: String) {
    let message = "this file cannot be read to its end: \(message)"
    failures.append(Finding(.error, "read.failed", message, at: Finding.Location(file: name)))
  }

  // MARK: - Lines

  private mutating func question(_ line: LineStream.Line) -> RecordQuestion {
    number += 1
    guard line.isCut else { return RecordQuestion(number: number, content: .line(line.bytes)) }
    let message =
      "this record has \(line.count) bytes; at most \(longest) are allowed (--max-record); it is skipped"
    let invalid = Record.Invalid(
      error: RecordError(.tooLarge, message), id: Record.ID(beginningOf: line.bytes), meta: [])
    return RecordQuestion(number: number, content: .invalid(invalid))
  }

  // MARK: - Records

  /// Converts a WARC record, or its error, into a question.
  private mutating func take(_ record: WARCRecord) {
    let kinds: [WARCRecord.Kind] = [.response, .resource, .revisit]
    guard kinds.contains(record.kind) else { return }
    let type = ContentType(record.contentType ?? "")
    let isWanted = wantsPages ? type.isHTML : type.mayBeFeed
    guard isWanted || record.kind == .revisit else {
      passedOver += 1
      return
    }
    number += 1
    pending = RecordQuestion(number: number, content: Self.content(record))
  }

  private static func content(_ record: WARCRecord) -> RecordQuestion.Content {
    let id = record.id.map { Record.ID.string($0) } ?? .none
    var meta = JSONWriter()
    meta.object { writer in
      writer.member("url", record.targetURI)
      if let date = record.date { writer.member("date", CivilTime(seconds: date).text) }
      if record.isCut {
        writer.member("isCut", true)
      }
    }
    func invalid(_ code: RecordError.Code, _ message: String) -> RecordQuestion.Content {
      .invalid(Record.Invalid(error: RecordError(code, message), id: id, meta: meta.bytes))
    }
    let status = record.http?.status
    if record.kind == .revisit || status == 304 {
      return invalid(.notModified, "not modified since an earlier record; there is nothing to read")
    }
    if let status, !(200..<300).contains(status) {
      return invalid(.status, "the server answered with status \(status)")
    }
    if record.body.isEmpty { return invalid(.body, "there is no body") }
    var made = Record(id: id, body: .bytes(record.body))
    // The declared content codings are already decoded.
    let fields = (record.http?.fields ?? []).filter { !Self.isCoding($0) }
    (made.url, made.headers, made.meta) = (record.targetURI, fields, meta.bytes)
    if made.headers.isEmpty, let type = record.contentType {
      made.headers = [HeaderField(name: "Content-Type", value: type)]
    }
    return .record(made)
  }

  private static func isCoding(_ field: HeaderField) -> Bool {
    ["content-encoding", "transfer-encoding", "content-length"].contains(field.name.lowercased())
  }
}

extension ContentType {
  /// Whether the media type is not that of a picture, audio or video.
  fileprivate var mayBeFeed: Bool {
    let kind = mediaType.prefix { $0 != "/" }
    let others = ["text/css", "text/javascript", "application/javascript", "application/pdf"]
    return !["image", "audio", "video", "font"].contains(String(kind)) && !others.contains(mediaType)
  }
}
