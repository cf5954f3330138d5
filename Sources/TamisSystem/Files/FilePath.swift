/// The path of a file as the system has it: bytes, which need not be UTF-8.
package struct FilePath: Sendable, Hashable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The bytes, without a NUL.
  package let bytes: [UInt8]

  /// Creates a path from bytes, up to the first NUL.
  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

  /// Creates a path from the UTF-8 bytes of a text.
  package init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// Creates a path from the UTF-8 bytes of a literal.
  package init(stringLiteral text: String) { self.init(text) }

  /// The path `-`, which stands for standard input where a file is read.
  package static let standardInput: FilePath = "-"

  /// The path as text, with bytes that are not UTF-8 as `\xE9` and a backslash doubled, so that no two paths look the
  /// same.
  package var description: String {
    if let utf8Text, !bytes.contains(UInt8(ascii: "\\")) { return utf8Text }
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = Self.lengthOfCharacter(rest)
      if length == 0 {
        let byte = rest.removeFirst()
        text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      } else {
        let character = String(decoding: rest.prefix(length), as: UTF8.self)
        text += character == "\\" ? "\\\\" : character
        rest = rest.dropFirst(length)
      }
    }
    return text
  }

  /// The path as a `String` that names the same file; nil when the path is not UTF-8.
  package var utf8Text: String? { String(validating: bytes, as: UTF8.self) }

  /// Compares paths byte by byte.
  package static func < (lhs: FilePath, rhs: FilePath) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }

  /// The number of bytes of the UTF-8 character at the beginning; 0 when there is none.
  private static func lengthOfCharacter(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, bytes.count >= length else { return 0 }
    return String(validating: bytes.prefix(length), as: UTF8.self) == nil ? 0 : length
  }
}

extension FilePath {
  private static let slash = UInt8(ascii: "/")

  /// The last component; empty for the root.
  package var name: FilePath {
    FilePath(bytes: bytes.split(separator: Self.slash).last.map(Array.init) ?? [])
  }

  /// The folder that contains the file; `.` for a bare name.
  package var folder: FilePath {
    var head = bytes[...]
    while head.count > 1, head.last == Self.slash { head.removeLast() }
    guard let end = head.lastIndex(of: Self.slash) else { return "." }
    return end == 0 ? "/" : FilePath(bytes: Array(head[..<end]))
  }

  /// Returns the path of a name in this folder.
  package func appending(_ name: FilePath) -> FilePath {
    if bytes.isEmpty { return name }
    return FilePath(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name.bytes)
  }

  /// Returns the path with an extension appended to its name.
  package func appending(ending: String) -> FilePath { FilePath(bytes: bytes + ending.utf8) }

  /// Returns whether the path is the folder, with or without a trailing slash, or lies inside it.
  package func isInside(_ folder: FilePath) -> Bool { path(from: folder, climbs: false) != nil }

  /// Returns the relative path from a folder to this path.
  ///
  /// Both must be absolute, without links and dots, as ``resolved`` returns them. The result begins with `../` when the
  /// path is not below the folder.
  package func path(from folder: FilePath) -> FilePath { path(from: folder, climbs: true) ?? self }

  /// Returns the first name of a path, with the slashes before it left out; nil when there is none.
  private static func firstName(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let name = path.drop { $0 == slash }.prefix { $0 != slash }
    return name.isEmpty ? nil : name
  }

  private func path(from folder: FilePath, climbs: Bool) -> FilePath? {
    var (own, base) = (bytes[...], folder.bytes[...])
    // The names that both have in common.
    while let name = Self.firstName(of: own), let other = Self.firstName(of: base), name == other {
      (own, base) = (own[name.endIndex...], base[other.endIndex...])
    }
    let steps = base.split(separator: Self.slash)
    if !climbs, !steps.isEmpty { return nil }
    let parts = steps.map { _ in Array("..".utf8)[...] } + own.split(separator: Self.slash)
    return FilePath(bytes: Array(parts.joined(separator: [Self.slash])))
  }
}
