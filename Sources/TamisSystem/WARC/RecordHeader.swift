import TamisCore

/// The header of a record (ISO 28500, 4 and 5).
struct RecordHeader {
  /// The major version: 1 for the editions of 2009 and 2017.
  var version: Int
  var fields: [HeaderField]
  /// The number of lines that are not fields.
  var oddLines: Int
  /// The length of the block; nil when there is no number, or more than one.
  var length: Int?

  /// The value to which larger lengths are clamped.
  static let mostLength = 1 << 60

  /// Parses the lines of a header, beginning with its version line.
  init(_ bytes: ArraySlice<UInt8>) {
    version = bytes.dropFirst(5).prefix { $0.isASCIIDigit }.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let lines = HeaderBlock(bytes.drop { $0 != ASCII.lineFeed }.dropFirst())
    (fields, oddLines) = (lines.fields, lines.oddLines)
    let lengths = Set(lines.fields.filter { $0.name.asciiLowercased() == "content-length" }.map(\.value))
    length = lengths.count == 1 ? lengths.first.flatMap(Self.number) : nil
  }

  var kind: WARCRecord.Kind {
    let name = fields.value(of: "WARC-Type") ?? ""
    return switch name.asciiLowercased() {
    case "response": .response
    case "resource": .resource
    case "revisit": .revisit
    default: .other(name)
    }
  }

  /// Returns the record as its header alone describes it.
  func record(at location: WARCWindow.Location) -> WARCRecord {
    WARCRecord(
      kind: kind, targetURI: bracketed("WARC-Target-URI"),
      date: fields.value(of: "WARC-Date").flatMap(Self.seconds), id: bracketed("WARC-Record-ID"),
      offset: location.offset, offsetInMember: location.inMember, fields: fields)
  }

  private func bracketed(_ name: String) -> String? {
    guard let value = fields.value(of: name) else { return nil }
    return value.hasPrefix("<") && value.hasSuffix(">") ? value.dropFirst().dropLast().trimmedOrNil() : value
  }

  /// Returns the value of decimal digits, clamped to ``mostLength``; nil for any other text.
  private static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return min(Int(text) ?? .max, mostLength)
  }

  /// Returns the seconds since 1970 of a date such as `2024-05-06T07:08:09.5Z`; nil when it is invalid.
  ///
  /// Month, day and time may be missing (W3C date and time formats).
  static func seconds(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    var parts: [Int] = []
    for (length, mark) in [(4, ""), (2, "-"), (2, "-"), (2, "Tt "), (2, ":"), (2, ":")] {
      if !mark.isEmpty {
        guard let first = rest.first, mark.utf8.contains(first) else { break }
        rest.removeFirst()
      }
      guard rest.count >= length, rest.prefix(length).allSatisfy(\.isASCIIDigit) else { return nil }
      parts.append(rest.prefix(length).reduce(0) { $0 * 10 + Int($1 - 0x30) })
      rest.removeFirst(length)
    }
    if parts.count == 6, rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0.isASCIIDigit } }
    guard parts.count != 4, let offset = offset(rest, hasTime: parts.count > 4) else { return nil }
    parts += [0, 1, 1, 0, 0, 0][parts.count...]
    return CivilTime(
      year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5]
    ).seconds(offset: offset)
  }

  /// Returns the offset of a time zone in seconds; nil when it is invalid.
  ///
  /// The zone is `Z`, or `+02:00` as some writers have it; a missing zone is UTC.
  private static func offset(_ zone: ArraySlice<UInt8>, hasTime: Bool) -> Int? {
    if zone.isEmpty || (hasTime && (zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8))) { return 0 }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard hasTime, let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), digits.count == 4,
      digits.allSatisfy(\.isASCIIDigit)
    else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    let seconds = (number / 100 * 60 + number % 100) * 60
    return sign == UInt8(ascii: "+") ? seconds : -seconds
  }
}
