import TamisCore
import TamisFiles

extension WARCReader {
  /// Reads the block of a record into it; nil when nothing can be made of that.
  mutating func complete(
    _ record: WARCRecord, _ header: RecordHeader, _ block: ArraySlice<UInt8>
  ) -> WARCRecord? {
    var record = record
    guard header.version == 1 else {
      report(.error, "warc.version", "this record is of a version that is not known here; left out", record)
      return nil
    }
    if header.oddLines > 0 {
      let lines = header.oddLines.counted("line")
      report(.warning, "warc.header", "\(lines) of its header cannot be read; the other lines are used", record)
    }
    switch record.kind {
    case .other(let name):
      if name.isEmpty { report(.warning, "warc.header", "this record has no WARC-Type", record) }
      return record
    case .revisit:
      record.http = try? HTTPMessage.head(of: Array(block), most: limits.headerBytes).message
      return record
    case .resource:
      record.body = Array(block)
      if !isAllowed(record) { return nil }
    case .response: if !readResponse(Array(block), into: &record) { return nil }
    }
    sayWhatIsCut(&record)
    return record
  }

  private mutating func report(
    _ severity: Finding.Severity, _ code: String, _ message: String, _ record: WARCRecord
  ) {
    log.add(severity, code, at: record.location, message, uri: record.targetURI)
  }

  private mutating func sayWhatIsCut(_ record: inout WARCRecord) {
    if let reason = record.fields.value(of: "WARC-Truncated") {
      record.isCut = true
      report(.note, "warc.truncated", "the crawler has cut this record (\(reason)); only this part is read", record)
    } else if record.fields.value(of: "WARC-Segment-Number") != nil {
      record.isCut = true
      report(.note, "warc.segment", "this record is one segment of several; only this part is read", record)
    }
  }

  // MARK: - HTTP

  private mutating func readResponse(_ block: [UInt8], into record: inout WARCRecord) -> Bool {
    let type = record.fields.value(of: "Content-Type")?.asciiLowercased() ?? ""
    do throws(HTTPMessage.Fault) {
      let head = try HTTPMessage.head(of: block, most: limits.headerBytes)
      record.http = head.message
      if !head.isWhole { report(.note, "warc.http", "the HTTP header of this record has no end", record) }
      let body = head.end == block.count ? [] : Array(block[head.end...])
      return undoCodings(of: head.message, body, into: &record)
    } catch {
      switch error {
      case .tooLarge:
        let message = "the HTTP header of this record is larger than \(limits.headerBytes) bytes; left out"
        report(.error, "warc.limit", message, record)
        return false
      case .none:
        // DNS, FTP and others have no header.
        record.body = block
        if !type.hasPrefix("application/http") { return isAllowed(record) }
        report(.error, "warc.http", "this record should be an HTTP response and is not; left out", record)
        return false
      }
    }
  }

  private mutating func undoCodings(of message: HTTPMessage, _ body: [UInt8], into record: inout WARCRecord) -> Bool {
    record.body = body
    let names = body.isEmpty ? [] : Codings.names(of: message)
    if names.count > limits.codings {
      report(.error, "warc.limit", "this body has \(names.count) codings; left out", record)
      return false
    }
    for name in names.reversed() where !undo(name, &record) { return false }
    return isAllowed(record)
  }

  private mutating func isAllowed(_ record: WARCRecord) -> Bool {
    if record.body.count <= limits.bodyBytes { return true }
    report(.error, "warc.limit", "this body has more than \(limits.bodyBytes) bytes; left out", record)
    return false
  }

  /// Undoes one coding of a body; answers whether something can be made of that.
  private mutating func undo(_ name: String, _ record: inout WARCRecord) -> Bool {
    guard let output = Codings.undo(name, record.body, most: limits.bodyBytes) else {
      report(.error, "warc.coding", "the coding '\(name.prefix(32))' is not supported; left out", record)
      return false
    }
    switch output.end {
    case .whole: record.body = output.bytes
    case .notThisCoding:
      log.addOnce(
        "warc.coding", at: record.location,
        "this body should have the coding '\(name.prefix(32))' and has not; it is read as it is", uri: record.targetURI)
    case .tooLarge:
      report(.error, "warc.limit", "unpacked this body has more than \(limits.bodyBytes) bytes; left out", record)
      return false
    case .cut, .damaged:
      let what = output.end == .cut ? "ends too early" : "is damaged"
      if output.bytes.isEmpty {
        report(.error, "warc.coding", "the data of the coding '\(name)' \(what); left out", record)
        return false
      }
      record.body = output.bytes
      record.isCut = true
      report(.warning, "warc.coding", "what the coding '\(name)' has wrapped \(what); only this part is read", record)
    }
    return true
  }
}
