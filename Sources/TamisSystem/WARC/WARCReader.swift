package import TamisCore

/// Reads the records of a WARC file, one after another (ISO 28500:2009 and 2017, WARC 1.0 and 1.1).
///
/// The file may be packed by gzip or zstd: each record as its own frame, all in one frame, or in frames that begin
/// anywhere. The bytes tell this, not the file name. Memory is bounded by the largest record, never by the file.
///
/// A broken record is skipped: reading resumes at the next version line or frame, and a finding says what is left
/// out. Text inside the block of a record is read as a record only if the length of the outer record is wrong, or the
/// file is cut off in it.
///
/// A reader must not be copied: copies would consume each other's input.
package struct WARCReader {
  /// The maximum number of times that reading goes back after a large record that was not one.
  private static let mostReturns = 8

  private let limits: WARCLimits
  private var window: WARCWindow
  private var log: WARCLog
  private var isDone = false
  private var returns = 0
  /// The error that ended reading early, unless it was a fault of the content; it is also in the findings.
  package private(set) var failure: ReadFailure?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: the stored bytes of the file, for a `FileSource` its `packed`, since decompressed bytes do not show
  ///     the frames. If the source can be read only once, records inside a broken one that claims to be large are left
  ///     out.
  ///   - name: the name of the file in findings.
  ///   - limits: the limits.
  /// - Throws: when the source cannot be opened.
  package init(_ source: any ByteSource, name: String, limits: WARCLimits = .standard) throws(ReadFailure) {
    self.limits = limits
    log = WARCLog(file: name, most: limits.findings)
    window = try WARCWindow(source, limits: limits.frames)
  }

  /// Returns the next record; nil when there is none.
  ///
  /// - Parameter findings: receives the findings about the record and about bytes before it, each with its offset in
  ///   the file.
  /// - Returns: the next record that can be read; nil at the end of the file.
  package mutating func next(into findings: inout [Finding]) -> WARCRecord? {
    defer { findings += log.take() }
    while !isDone {
      // The previous record ends with two line ends (4), or with more or fewer.
      while window.fill(1), let byte = window[0], byte == ASCII.carriageReturn || byte == ASCII.lineFeed {
        window.drop(1)
      }
      if !window.fill(1) {
        passStop()
      } else if let length = window.versionLine(at: 0) {
        if let record = readRecord(behind: length) { return record }
      } else {
        passWhatIsNoRecord()
      }
    }
    return nil
  }

  // MARK: - Bytes outside of records

  private mutating func passStop() {
    switch window.stop {
    case .damage(let damage):
      log.add(damage)
      window.passDamage()
    case .end(let cut):
      isDone = true
      if let cut { log.cutOff(at: window.location, "the file ends within this \(cut); what is whole of it was read") }
    case .failure(let failure):
      isDone = true
      self.failure = failure
      log.add(.error, "warc.read", at: window.location, "the file cannot be read any further: \(failure.message)")
    case nil: break
    }
  }

  private mutating func passWhatIsNoRecord() {
    let location = window.location
    // A file that is cut off may end in a version line or in the name after it.
    let isBegun =
      !window.fill(WARCWindow.longestBeginning)
      && zip("WARC/".utf8, 0...).allSatisfy { window[$1] == nil || window[$1] == $0 }
    leaveOut(from: location, "warc.header", "no record begins here", isBegun: isBegun)
  }

  /// Skips to the next record, and reports what was left out and why.
  ///
  /// - Parameters:
  ///   - location: the place where the part that is left out begins.
  ///   - code: the code of the finding.
  ///   - message: the reason in words.
  ///   - isBegun: whether a record begins at the location, and lacks only its end where the file ends.
  ///   - uri: the URI of the record; nil when it is not known.
  private mutating func leaveOut(
    from location: WARCWindow.Location, _ code: String, _ message: String, isBegun: Bool = false, uri: String? = nil
  ) {
    let isFound = window.seekVersion(before: window.position + min(limits.strayBytes, Int.max - window.position))
    if !isFound, window.fill(1) {
      isDone = true
      let message = "\(message); no other begins in \(limits.strayBytes) bytes, so the rest of the file is left out"
      log.add(.error, "warc.limit", at: location, message, uri: uri)
    } else if isFound {
      log.add(.error, code, at: location, "\(message); left out up to \(window.location)", uri: uri)
    } else if case .damage(let damage) = window.stop {
      // The finding about the damage covers this.
      if !isBegun, location.offset != damage.start {
        log.add(.error, code, at: location, "\(message); left out up to where the file is damaged", uri: uri)
      }
    } else if isBegun {
      log.cutOff(at: location, "the file ends within this record; left out", uri: uri)
    } else {
      log.add(.error, code, at: location, "\(message); left out up to the end of the file", uri: uri)
    }
  }

  // MARK: - Records

  private mutating func readRecord(behind versionLength: Int) -> WARCRecord? {
    let location = window.location
    let end: Int
    switch headerEnd(behind: versionLength) {
    case .whole(let length): end = length
    case .another(let next):
      window.drop(next)
      leaveOut(from: location, "warc.header", "another record begins within the header of this one")
      return nil
    case .tooLarge(let length):
      window.drop(length)
      leaveOut(from: location, "warc.limit", "the header of this record is larger than \(limits.headerBytes) bytes")
      return nil
    case .cut:
      window.drop(versionLength)
      leaveOut(from: location, "warc.header", "the header of this record has no end", isBegun: true)
      return nil
    }
    let header = RecordHeader(window.bytes[window.start..<window.start + end])
    let record = header.record(at: location)
    guard let length = header.length else {
      window.drop(end)
      leaveOut(from: location, "warc.length", "this record does not say how long it is", uri: record.targetURI)
      return nil
    }
    if length > limits.recordBytes || isBeyondEnd(end, length: length) {
      return passLarge(record, header, end: end, length: length)
    }
    return readBlock(of: record, header, behind: end, length)
  }

  private enum HeaderEnd {
    case whole(Int)
    case another(at: Int)
    case tooLarge(Int)
    case cut
  }

  /// Searches for the empty line after a header.
  private mutating func headerEnd(behind versionLength: Int) -> HeaderEnd {
    var (lineStart, index) = (versionLength, versionLength)
    while index <= limits.headerBytes {
      guard window.fill(index + 1) else { return .cut }
      let found = ByteScan.index(of: ASCII.lineFeed, in: window.bytes.span, from: window.start + index)
      index = found - window.start
      guard index < window.count else { continue }
      if index == lineStart || (index == lineStart + 1 && window[lineStart] == ASCII.carriageReturn) {
        return index < limits.headerBytes ? .whole(index + 1) : .tooLarge(index + 1)
      }
      index += 1
      lineStart = index
      if window.versionLine(at: index) != nil { return .another(at: index) }
    }
    return .tooLarge(min(index, window.count))
  }

  /// Whether a block is incomplete according to an end of the file that is already known.
  private func isBeyondEnd(_ end: Int, length: Int) -> Bool {
    window.knownEnd.map { window.position + end + length > $0 } ?? false
  }

  private mutating func readBlock(
    of record: WARCRecord, _ header: RecordHeader, behind end: Int, _ length: Int
  ) -> WARCRecord? {
    let isThere = window.fill(end + length)
    guard isThere, endsWell(at: end + length) else {
      window.drop(end)
      leaveOut(from: record.location, "warc.length", Self.lie(length), isBegun: !isThere, uri: record.targetURI)
      return nil
    }
    defer { window.drop(end + length) }
    // A record that is a frame of its own is valid only if the checksum of the frame is.
    _ = window.fill(end + length + 5)
    if case .damage(let damage) = window.stop, window.count < end + length + 5,
      record.location == WARCWindow.Location(offset: damage.start, inMember: 0)
    {
      return nil
    }
    return complete(record, header, window.bytes[window.start + end..<window.start + end + length])
  }

  private static func lie(_ length: Int) -> String {
    let bytes = length == RecordHeader.mostLength ? "more bytes than any file" : length.counted("byte")
    return "this record announces \(bytes), but does not end there"
  }

  /// Whether a record ends at an index.
  ///
  /// Two line ends follow, or the next record, or nothing; up to four bytes may be wrong.
  private mutating func endsWell(at end: Int) -> Bool {
    if window.fill(end + 2), window[end] == ASCII.lineFeed, window[end + 1] == ASCII.lineFeed { return true }
    if window.fill(end + 4), zip("\r\n\r\n".utf8, end...).allSatisfy({ window[$1] == $0 }) { return true }
    for gap in 0...4 where !window.fill(end + gap + 1) || window.versionLine(at: end + gap) != nil { return true }
    return false
  }

  /// Skips a record that is too large to be held, or claims to be.
  private mutating func passLarge(_ record: WARCRecord, _ header: RecordHeader, end: Int, length: Int) -> WARCRecord? {
    let isBeyond = isBeyondEnd(end, length: length)
    let target = window.position + end + length
    window.drop(end)
    if isBeyond {
      leaveOut(from: record.location, "warc.length", Self.lie(length), isBegun: true, uri: record.targetURI)
      return nil
    }
    let candidate = window.seekVersion(before: target) ? window.position : nil
    while window.position < target, window.fill(1) { window.drop(target - window.position) }
    let isThere = window.position == target
    if isThere, endsWell(at: 0) {
      if case .other = header.kind { return record }
      let message = "this record has \(length) bytes, and \(limits.recordBytes) are allowed; left out"
      log.add(.error, "warc.limit", at: record.location, message, uri: record.targetURI)
      return nil
    }
    if let candidate, returns < Self.mostReturns {
      returns += 1
      do throws(ReadFailure) {
        try window.goBack(to: candidate)
      } catch {
        // A stream cannot be read again.
        log.add(
          .error, "warc.read", at: record.location, "the content of this record cannot be read again: \(error.message)")
      }
    }
    leaveOut(from: record.location, "warc.length", Self.lie(length), isBegun: !isThere, uri: record.targetURI)
    return nil
  }
}

extension WARCRecord {
  /// The location of the record in the file.
  var location: WARCWindow.Location { WARCWindow.Location(offset: offset, inMember: offsetInMember) }
}

extension WARCReader {
  /// Completes a record with its block; nil when the record is left out.
  private mutating func complete(
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

  private mutating func report(_ severity: Finding.Severity, _ code: String, _ message: String, _ record: WARCRecord) {
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
        // Records of DNS, FTP and other protocols have no HTTP header.
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
    let most = min(limits.bodyBytes, (1 << 20) + limits.bodyGrowth * body.count)
    for name in names.reversed() where !undo(name, &record, most: most) { return false }
    return isAllowed(record)
  }

  private mutating func isAllowed(_ record: WARCRecord) -> Bool {
    if record.body.count <= limits.bodyBytes { return true }
    report(.error, "warc.limit", "this body has more than \(limits.bodyBytes) bytes; left out", record)
    return false
  }

  /// Decodes one coding of a body; returns whether the record can be used.
  private mutating func undo(_ name: String, _ record: inout WARCRecord, most: Int) -> Bool {
    guard let output = Codings.undo(name, record.body, most: most) else {
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
      report(.error, "warc.limit", "unpacked this body has more than \(most) bytes; left out", record)
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
