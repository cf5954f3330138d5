import TamisCore
import TamisURL

/// Hosts whose URLs identify a picture in a special way, independent of its size.
///
/// The list is as of November 2026.
enum PictureHost {
  /// The identifying part of the URL; nil for other hosts, or a URL of another form.
  static func name(_ host: String, _ parts: [String]) -> String? {
    guard let last = parts.last else { return nil }
    switch host {
    case "miro.medium.com", "img.lemde.fr": return "\(host) \(last)"
    case "i.ytimg.com", "i1.ytimg.com", "i2.ytimg.com", "i3.ytimg.com", "i4.ytimg.com", "img.youtube.com":
      return parts.count == 3 && parts[0].hasPrefix("vi") ? "youtube \(parts[1])" : nil
    case "i.guim.co.uk", "media.guim.co.uk":
      // The rest describes the crop.
      return parts.first { $0.utf8.count > 30 && $0.utf8.allSatisfy { $0.hexDigitValue != nil } }.map { "guim \($0)" }
    case "ichef.bbci.co.uk", "c.files.bbci.co.uk": return bbc(parts)
    case "static01.nyt.com": return parts.count > 5 ? "nyt " + parts.dropLast().joined(separator: "/") : nil
    case "static.dw.com": return parts.first == "image" ? last.split(separator: "_").first.map { "dw \($0)" } : nil
    default: return nameBelow(host, parts: parts, last: last)
    }
  }

  private static func nameBelow(_ host: String, parts: [String], last: String) -> String? {
    if host.hasPrefix("cdn-images-"), host.hasSuffix(".medium.com") { return "miro.medium.com \(last)" }
    if host.hasSuffix(".staticflickr.com") || host.hasSuffix(".static.flickr.com") {
      // The number of the photograph; a key follows, which differs for each of the largest sizes.
      let names = last.split(separator: "_")
      return names.count > 1 && names[0].utf8.allSatisfy(\.isASCIIDigit) ? "flickr \(names[0])" : nil
    }
    if host.hasSuffix(".media.tumblr.com") { return tumblr(parts, last) }
    if host == "cdn.shopify.com" || parts.starts(with: ["cdn", "shop"]) {
      return "shopify " + parts.dropLast().joined(separator: "/") + "/" + shopifyFile(last)
    }
    return nil
  }

  /// The name of a BBC picture.
  ///
  /// The URL forms are `/news/240/cpsprodpb/1/production/2.jpg`, `/ace/standard/240/cpsprodpb/…`, and
  /// `/news/1024/branded_news/…`.
  private static func bbc(_ parts: [String]) -> String? {
    guard let index = parts.firstIndex(where: { $0 == "cpsprodpb" || $0.hasPrefix("branded_") }) else {
      return parts.starts(with: ["images", "ic"]) ? parts.last.map { "bbc \($0)" } : nil
    }
    var name = parts[(index + 1)...].joined(separator: "/")
    if name.hasSuffix(".webp") { name.removeLast(5) }
    return name.isEmpty ? nil : "bbc \(name)"
  }

  /// The name of a Tumblr picture.
  ///
  /// The file name differs for each size; formerly it ended in the size.
  private static func tumblr(_ parts: [String], _ last: String) -> String? {
    if parts.count == 4, parts[2].hasPrefix("s"), parts[2].contains("x") { return "tumblr \(parts[0])/\(parts[1])" }
    guard last.hasPrefix("tumblr_"), let end = last.lastIndex(of: "_") else { return nil }
    return "tumblr \(last[..<end])"
  }

  private static func shopifyFile(_ name: String) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var stem = name[..<dot]
    if stem.hasSuffix("@2x") || stem.hasSuffix("@3x") { stem.removeLast(3) }
    while let sign = stem.lastIndex(of: "_"), isShopifySize(stem[stem.index(after: sign)...]) { stem = stem[..<sign] }
    return stem + name[dot...].asciiLowercased()
  }

  private static func isShopifySize(_ text: Substring) -> Bool {
    let words: Set = [
      "pico", "icon", "thumb", "small", "compact", "medium", "large", "grande", "original", "master", "center", "crop",
      "crop",
    ]
    if words.contains(String(text)) { return true }
    let sides = text.split(separator: "x", omittingEmptySubsequences: false)
    return sides.count == 2 && sides.contains { !$0.isEmpty } && sides.allSatisfy { $0.utf8.allSatisfy(\.isASCIIDigit) }
  }
}

/// Proxies that serve a picture in other sizes.
enum PictureProxy {
  /// The original URL of the picture, which the URLs of proxies contain.
  ///
  /// Such proxies are WordPress's Photon, Cloudinary and Substack, Next.js, Cloudflare and others.
  static func address(behind address: String) -> String {
    guard let url = WebURL(address), let host = url.hostname else { return address }
    if host.hasSuffix(".wp.com"), host.utf8.first == UInt8(ascii: "i"), host.utf8.count == 9 {
      return "https:/" + url.path + (url.query.map { "?\($0)" } ?? "")
    }
    if let inner = url.queryParameters.prefix(20).first(where: { parameters.contains($0.name) })?.value {
      if url.path.hasSuffix("/_next/image") || inner.beginsAsHTTP {
        return inner
      }
    }
    if let inner = innermost(Array(url.path.utf8)).map(decoded) { return inner }
    let parts = url.path.split(separator: "/", maxSplits: 3)
    if parts.count == 4, parts[0] == "cdn-cgi", parts[1] == "image" { return "https://\(host)/\(parts[3])" }
    return address
  }

  private static let parameters: Set = ["url", "src", "u", "image", "imageurl", "image_uri"]

  /// The last URL in a path, plain or escaped; it can begin only at the beginning of a path segment.
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
}
