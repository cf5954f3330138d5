import TamisCore
import TamisURL

/// What addresses of one picture in several sizes have in common (rule T7 of the design): for comparison only, it leads
/// nowhere.
struct PictureForm: Hashable {
  private let text: String

  init(_ address: String) {
    var path = Self.withoutProxy(address)
    if let url = WebURL(path), url.scheme == "http" || url.scheme == "https" {
      let rest = url.removingQueryParameters { Self.sizeParameters.contains($0.asciiLowercased()) }
      path = rest.path + (rest.query.map { "?\($0)" } ?? "")
    }
    text = Self.withoutSize(path)
  }

  private static let sizeParameters: Set = [
    "w", "h", "width", "height", "resize", "fit", "quality", "q", "ssl", "auto", "format", "fm", "dpr", "crop", "strip",
    "zoom", "sharp", "vertical", "s", "size", "imwidth", "impolicy", "ixlib", "ixid", "cs",
  ]

  /// The address behind those that only serve it in other sizes: WordPress's Photon, Cloudinary and Substack, Next.js.
  private static func withoutProxy(_ address: String) -> String {
    guard let url = WebURL(address), let host = url.hostname else { return address }
    if host.hasSuffix(".wp.com"), host.utf8.first == UInt8(ascii: "i"), host.utf8.count == 9 {
      return "https:/" + url.path + (url.query.map { "?\($0)" } ?? "")
    }
    if url.path.hasSuffix("/_next/image"), let inner = url.queryParameters.first(where: { $0.name == "url" })?.value {
      return inner
    }
    return innermost(Array(url.path.utf8)).map(decoded) ?? address
  }

  /// The last address that a path holds, whole or escaped; only where a part begins can one begin.
  private static func innermost(_ path: [UInt8]) -> ArraySlice<UInt8>? {
    let starts = path.indices.reversed().filter { $0 == 0 || path[$0 - 1] == UInt8(ascii: "/") }
    let start = starts.first { start in
      markers.contains { marker in
        path[start...].lazy.prefix(marker.count).map(\.asciiLowercased).elementsEqual(marker)
      }
    }
    return start.map { path[$0...] }
  }

  private static let markers = ["https%3a%2f%2f", "http%3a%2f%2f", "https://", "http://"].map { Array($0.utf8) }

  private static func decoded(_ text: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        output.append(value)
        rest = rest.dropFirst(2)
      } else {
        output.append(byte)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The path without the parts that name a size: `-300x200`, `-scaled`, `-rotated`, `@2x`, Medium's `max/800`, Blogger's `s1600`.
  private static func withoutSize(_ path: String) -> String {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropLast() where isSize(parts[index]) {
      if parts[index] == "max" || parts[index] == "resize", index + 1 < parts.count - 1 { parts[index + 1] = "" }
      parts[index] = ""
    }
    if let name = parts.last { parts[parts.count - 1] = fileName(name) }
    return parts.joined(separator: "/")
  }

  private static func isSize(_ part: String) -> Bool {
    if part == "max" || part == "resize" { return true }
    let bytes = Array(part.utf8)
    guard bytes.count > 1, [0x73, 0x77, 0x68].contains(bytes[0]) else { return false }
    // Blogger: s1600, s320-h, w640-h480.
    return bytes.dropFirst().prefix(while: \.isASCIIDigit).count > 1
      && bytes.dropFirst().allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
  }

  private static func fileName(_ name: String) -> String {
    let query = name.firstIndex(of: "?") ?? name.endIndex
    var stem = String(name[..<query])
    var ending = ""
    if let dot = stem.lastIndex(of: ".") {
      ending = String(stem[dot...])
      stem = String(stem[..<dot])
    }
    for suffix in ["-scaled", "-rotated", "@2x", "@3x"] where stem.hasSuffix(suffix) { stem.removeLast(suffix.count) }
    if let dash = stem.lastIndex(of: "-") {
      let sides = stem[stem.index(after: dash)...].split(separator: "x", omittingEmptySubsequences: false)
      if sides.count == 2, sides.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }) {
        stem = String(stem[..<dash])
      }
    }
    return stem + ending + name[query...]
  }
}
