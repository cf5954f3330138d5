import TamisCore

/// The target of a request as the names of folders and of a file below the folder of a site (RFC 9112, 3.2.1).
struct RequestTarget: Sendable, Hashable {
  /// The reason why a target is refused.
  enum Refusal: Error {
    /// The target is not one of HTTP's `origin-form`, or has a broken escape.
    case malformed
    /// The target can name no file of a site.
    case absent
  }

  /// The names, decoded; empty for the folder itself.
  let names: [[UInt8]]
  /// Whether the target ends with a slash, and so names a folder.
  let isFolder: Bool

  /// Reads a target.
  ///
  /// - Parameter target: the bytes of the path, with its escapes and without a query.
  /// - Throws: when no file can have this target: names that begin with a dot, among them `..`, and names with a slash,
  ///   a backslash or a control character are no names of a site's files.
  init(_ target: some Sequence<UInt8>) throws(Refusal) {
    let bytes = Array(target)
    guard bytes.first == UInt8(ascii: "/") else { throw .malformed }
    var parts = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    isFolder = parts.last?.isEmpty ?? true
    if isFolder { parts = parts.dropLast() }
    var names: [[UInt8]] = []
    for part in parts {
      let name = try Self.decoded(part)
      if name.isEmpty || name[0] == UInt8(ascii: ".") { throw .absent }
      if name.contains(where: { $0 < 0x20 || $0 == 0x7F || "/\\".utf8.contains($0) }) { throw .absent }
      names.append(name)
    }
    self.names = names
  }

  /// The target of the folder with the same name, whose pages have relative links.
  var ofFolder: String {
    "/" + names.map { name in name.map(Self.escaped).joined() + "/" }.joined()
  }

  private static func decoded(_ part: ArraySlice<UInt8>) throws(Refusal) -> [UInt8] {
    var (name, rest): ([UInt8], ArraySlice<UInt8>) = ([], part)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        name.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
        throw .malformed
      }
      name.append(high << 4 | low)
    }
    return name
  }

  private static func escaped(_ byte: UInt8) -> String {
    if byte.isASCIIAlphanumeric || "-._".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
    return "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }
}
