/// Sets of bytes, one bit each, so that a single table look-up answers for all of them.
///
/// The percent-encode sets are those of section 1.3 of the standard; every byte from 0x80 up is in each of them,
/// because UTF-8 percent-encoding works on the bytes of a non-ASCII code point one by one.
struct ByteClass: OptionSet, Sendable {
  let rawValue: UInt16

  static let c0Control = ByteClass(rawValue: 1 << 0)
  static let fragment = ByteClass(rawValue: 1 << 1)
  static let query = ByteClass(rawValue: 1 << 2)
  static let specialQuery = ByteClass(rawValue: 1 << 3)
  static let path = ByteClass(rawValue: 1 << 4)
  static let userinfo = ByteClass(rawValue: 1 << 5)
  /// Forbidden host code points (section 3.1).
  static let forbiddenHost = ByteClass(rawValue: 1 << 6)
  /// Forbidden domain code points (section 3.1).
  static let forbiddenDomain = ByteClass(rawValue: 1 << 7)
  /// The bytes of a lowercase ASCII host name, which the host parser does not change.
  static let plainHost = ByteClass(rawValue: 1 << 8)
  /// Bytes at which the fast path has to stop: those that are encoded, separators and `\`.
  static let pathStop = ByteClass(rawValue: 1 << 9)

  /// The classes of every byte, indexed by its value.
  static let table: [UInt16] = (0...255).map { classes(of: UInt8($0)).rawValue }

  private static func classes(of byte: UInt8) -> ByteClass {
    if byte >= 0x80 { return [.c0Control, .fragment, .query, .specialQuery, .path, .userinfo, .pathStop] }
    var classes: ByteClass = []
    let control = byte < 0x20 || byte == 0x7F
    func add(_ members: String, _ set: ByteClass) {
      if control || members.utf8.contains(byte) { classes.insert(set) }
    }
    add("", .c0Control)
    add(" \"<>`", .fragment)
    add(" \"#<>", .query)
    add(" \"#<>'", .specialQuery)
    add(" \"#<>?^`{}", .path)
    add(" \"#<>?^`{}/:;=@[\\]|", .userinfo)
    add(" \"#<>?^`{}/\\", .pathStop)
    let forbidden = "\0\t\n\r #/:<>?@[\\]^|"
    if forbidden.utf8.contains(byte) { classes.insert(.forbiddenHost) }
    add(forbidden + "%", .forbiddenDomain)
    let lowercase = byte &- UInt8(ascii: "a") < 26
    if lowercase || byte.isASCIIDigit || byte == URLByte.dot || byte == URLByte.hyphen { classes.insert(.plainHost) }
    return classes
  }
}
