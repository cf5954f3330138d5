import TamisCore
import TamisURL

/// The normal form of a picture's URL, the same for all its sizes (Tamis.docc/HowAThumbnailIsPicked.md, T7).
///
/// The form is for comparison only; it is not a URL to open.
struct PictureForm: Hashable {
  private let text: String

  init(_ address: String) {
    let address = PictureProxy.address(behind: address)
    guard let url = WebURL(address), url.isHTTP, let host = url.hostname else {
      text = Self.withoutSize(address)
      return
    }
    let parts = url.pathParts
    if let name = PictureHost.name(host, parts) {
      text = name
      return
    }
    let rest = url.removingQueryParameters { Self.sizeParameters.contains($0.asciiLowercased()) }
    text = Self.withoutSize(url.path) + (rest.query.map { "?\($0)" } ?? "")
  }

  private static let sizeParameters: Set = [
    "w", "h", "width", "height", "resize", "fit", "quality", "q", "ssl", "auto", "format", "fm", "dpr", "crop", "strip",
    "zoom", "sharp", "vertical", "s", "size", "imwidth", "impolicy", "ixlib", "ixid", "cs", "rect", "ratio", "fp-x",
    "fp-y",
    "fp-z", "max-w", "max-h", "itok", "ver", "mode", "scale", "bg", "usm", "optimize", "precrop", "sig", "op", "opts",
    "enable", "upscale", "disable", "trim",
  ]

  /// The path without the parts that name a size.
  ///
  /// Such parts are `-300x200`, `-scaled`, `-rotated`, `@2x`, Blogger's `s1600`, Ghost's `size/w600`, Drupal's
  /// `styles/large/public`, MediaWiki's `thumb/…/220px-…`, and Cloudinary's `w_500,c_fill`.
  private static func withoutSize(_ path: String) -> String {
    var parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    let last = parts.count - 1
    for index in 0..<last where isSize(parts[index]) {
      // A word that announces a size is followed by a size; the file name comes later.
      if ["max", "resize", "fit-in"].contains(parts[index]), index + 1 < last { parts[index + 1] = "" }
      if ["size", "width", "height"].contains(parts[index]) {
        guard index + 1 < last, isNumber(parts[index + 1]) || isSize(parts[index + 1]) else { continue }
        parts[index + 1] = ""
      }
      parts[index] = ""
    }
    if let styles = parts.firstIndex(of: "styles"), styles + 2 < last, ["public", "s3"].contains(parts[styles + 2]) {
      for index in styles...styles + 2 { parts[index] = "" }
    }
    if let thumb = parts.firstIndex(of: "thumb"), thumb + 1 < last, isThumb(parts[last], of: parts[last - 1]) {
      parts[thumb] = ""
      parts.removeLast()
    }
    if let name = parts.last { parts[parts.count - 1] = fileName(name) }
    return parts.filter { !$0.isEmpty }.joined(separator: "/")
  }

  private static func isNumber(_ part: String) -> Bool { !part.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit) }

  /// Whether a name is that of a file with its width in front.
  private static func isThumb(_ name: String, of file: String) -> Bool {
    name.hasSuffix(file) && name.contains("px-") || name.contains("px-" + file)
  }

  private static func isSize(_ part: String) -> Bool {
    if ["max", "resize", "fit-in", "size", "width", "height"].contains(part) { return true }
    let bytes = Array(part.utf8)
    guard bytes.count > 1 else { return false }
    if isTransformation(part) || isSides(part[...]) { return true }
    let digits = bytes.dropFirst().prefix(while: \.isASCIIDigit).count
    // Londonist's i875.
    if bytes[0] == UInt8(ascii: "i") { return digits > 2 && digits == bytes.count - 1 }
    guard [0x73, 0x77, 0x68].contains(bytes[0]) else { return false }
    // Blogger: s1600, s320-h, w640-h480.
    return digits > 1 && bytes.dropFirst().allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
  }

  /// Whether a part is a list of transformations, as in URLs of Cloudinary and similar services: `w_500,h_300,c_fill`.
  private static func isTransformation(_ part: String) -> Bool {
    let steps = part.split(separator: ",", omittingEmptySubsequences: false)
    let keys = steps.map { $0.split(separator: "_", maxSplits: 1).map(String.init) }
    let isKnown = { (key: String) in
      ["w", "h", "c", "q", "f", "ar", "dpr", "g", "e", "fl", "x", "y", "z", "t"].contains(key)
    }
    guard keys.allSatisfy({ $0.count == 2 && !$0[1].isEmpty && isKnown($0[0]) }) else { return false }
    // A single one could be a name.
    return keys.contains { key in
      key[0] == "w" || key[0] == "h"
        ? isNumber(key[1]) || key[1] == "auto" : ["auto", "fill", "limit", "fit"].contains(key[1])
    }
  }

  /// Whether a text is two numbers separated by an x.
  private static func isSides(_ text: Substring) -> Bool {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    return sides.count == 2 && sides.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }
  }

  private static func fileName(_ name: String) -> String {
    var stem = name
    var ending = ""
    // Google's pictures: name=s320, name=w640-h480.
    if let sign = stem.utf8.lastIndex(of: UInt8(ascii: "=")), isSize(String(stem[stem.index(after: sign)...])) {
      stem = String(stem[..<sign])
    }
    if let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")) {
      ending = stem[dot...].asciiLowercased()
      stem = String(stem[..<dot])
    }
    // A newer format's extension after the name of the original file.
    if [".webp", ".avif"].contains(ending), let dot = stem.utf8.lastIndex(of: UInt8(ascii: ".")),
      stem.utf8.distance(from: dot, to: stem.endIndex) < 6
    {
      ending = stem[dot...].asciiLowercased()
      stem = String(stem[..<dot])
    }
    for suffix in ["-scaled", "-rotated", "@2x", "@3x"] where stem.hasSuffix(suffix) { stem.removeLast(suffix.count) }
    for sign in "-_".utf8 {
      if let dash = stem.utf8.lastIndex(of: sign), isSides(stem[stem.index(after: dash)...]) {
        stem = String(stem[..<dash])
      }
    }
    if let name = identifier(beginning: stem) { return name }
    return stem + (ending == ".jpeg" ? ".jpg" : ending)
  }

  /// The UUID with which a name begins, when more follows: the rest describes the crop.
  private static func identifier(beginning stem: String) -> String? {
    let bytes = Array(stem.utf8)
    guard bytes.count > 36,
      bytes[36] == UInt8(ascii: "_") || bytes[36] == UInt8(ascii: "-") || bytes[36] == UInt8(ascii: "."),
      [8, 13, 18, 23].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
      bytes[..<36].count(where: { $0.hexDigitValue != nil }) == 32
    else { return nil }
    return String(decoding: bytes[..<36], as: UTF8.self)
  }
}
