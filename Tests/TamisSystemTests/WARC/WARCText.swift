import TamisCore
import TamisSystem
import TestSupport

/// A WARC file written as text: the sections of a case in the order of their names, or records by themselves.
struct WARCText {
  /// How a file is packed.
  struct Packing: Hashable, CustomStringConvertible {
    enum Frames: CaseIterable {
      case each
      case one
      /// They begin anywhere.
      case anywhere
    }

    enum Format: CaseIterable {
      case gzip
      case zstd
      /// One after the other, and in between what zstd skips.
      case mixed
    }

    /// Nil for a file that is not packed.
    var frames: Frames?
    var format = Format.gzip

    static let plain = Packing()
    /// A frame for each record, in each format.
    static let each = Format.allCases.map { Packing(frames: .each, format: $0) }
    static let allCases =
      [plain] + Format.allCases.flatMap { format in Frames.allCases.map { Packing(frames: $0, format: format) } }

    var description: String { frames.map { "\(format)-\($0)" } ?? "plain" }

    func pack(_ part: [UInt8], number: Int) -> [UInt8] {
      switch format {
      case .gzip: return Packed.gzip(part)
      case .zstd: return Packed.zstd(part)
      case .mixed:
        let frame = [{ Packed.zstd($0) }, Packed.gzip][number % 2]
        return frame(part) + Packed.skippable(UInt8(number % 13), part)
      }
    }
  }

  /// The bytes of the parts of the file.
  var parts: [[UInt8]]

  init(_ parts: [[UInt8]]) { self.parts = parts }

  init(_ each: Case) {
    parts = each.sections.filter { $0.key.first?.isNumber == true }.sorted { $0.key < $1.key }.map { name, text in
      name.hasSuffix("record") ? Self.record(text) : Packed.bytes(Self.joined(text))
    }
  }

  private static func joined(_ text: String) -> String {
    // A line that ends with a backslash goes on in the next.
    text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
      .replacing("\\\r\n", with: "")
  }

  /// A record: its header, to which the right length is added where there is none, an empty line, its block.
  static func record(_ text: String) -> [UInt8] {
    let sides = joined(text).split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let block = sides.count > 1 ? Packed.bytes(sides[1]) : []
    var head = Packed.bytes(sides[0])
    if !sides[0].contains("Length:") { head += "\r\nContent-Length: \(block.count)".utf8 }
    return head + "\r\n\r\n".utf8 + block + "\r\n\r\n".utf8
  }

  func packed(_ packing: Packing) -> [[UInt8]] {
    let all = Array(parts.joined())
    guard let cut = packing.frames else { return parts }
    let frames =
      switch cut {
      case .each: parts
      case .one: [all]
      case .anywhere: all.cut(into: [7, 300, 1, 40])
      }
    return frames.enumerated().map { packing.pack($1, number: $0) }
  }

  func bytes(_ packing: Packing) -> [UInt8] { Array(packed(packing).joined()) }
}

/// What comes out of a file.
struct WARCOutcome {
  var records: [WARCRecord] = []
  var findings: [Finding] = []
  /// Both, in the order in which they came.
  var lines: [String] = []

  init(_ source: any ByteSource, limits: WARCLimits = .standard) throws {
    var reader = try WARCReader(source, name: "a.warc", limits: limits)
    while true {
      var found: [Finding] = []
      let record = reader.next(into: &found)
      findings += found
      lines += found.map(\.description)
      guard let record else { return }
      records.append(record)
      lines.append(Self.line(record))
    }
  }

  init(_ bytes: [UInt8], pieces: Int = 1 << 16, limits: WARCLimits = .standard) throws {
    try self.init(ByteArray(bytes, pieceSize: pieces), limits: limits)
  }

  /// What is the same however a file is packed: no places, of findings only what they cost and their rule.
  var withoutLocations: [String] {
    records.map { String(Self.line($0).drop { $0 != " " }) } + findings.map { "\($0.severity) \($0.code)" }
  }

  /// `@place kind status date address content-type "body" cut`; `-` for what is not there.
  static func line(_ record: WARCRecord) -> String {
    let kind =
      switch record.kind {
      case .response: "response"
      case .resource: "resource"
      case .revisit: "revisit"
      case .other(let name): "other(\(name))"
      }
    let location = record.offsetInMember == 0 ? "@\(record.offset)" : "@\(record.offset)+\(record.offsetInMember)"
    let facts = [
      location, kind, record.http.map { String($0.status) } ?? "-", record.date.map { String($0) } ?? "-",
      record.targetURI ?? "-", record.contentType ?? "-", "\"\(escaped(record.body))\"",
    ]
    return facts.joined(separator: " ") + (record.isCut ? " cut" : "")
  }

  private static func escaped(_ bytes: [UInt8]) -> String {
    if bytes.count > 200 { return "\(bytes.count) bytes" }
    return bytes.map { byte in
      switch byte {
      case 10: "\\n"
      case 13: "\\r"
      case 0x20..<0x7F: String(UnicodeScalar(byte))
      default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
