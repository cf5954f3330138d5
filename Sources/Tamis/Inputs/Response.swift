package import TamisCore
import TamisFeed
package import TamisSystem

/// The data of a file's download, from the files beside it.
///
/// `FILE.url` has the URL. `FILE.headers` has the header fields of the response, as `curl -D FILE.headers` writes them;
/// when there are several responses, as after redirects, the last one is used.
package struct Response: Sendable, Hashable {
  /// The file's URL; nil when it is not known.
  package var address: String?
  /// The header fields.
  package var headers: [HeaderField] = []

  /// Creates the data of an unknown download.
  package init() {}

  /// The extensions of these files.
  static let endings = [".url", ".headers"]

  /// The part of the data on which reading a feed depends; the rest differs between downloads of the same document.
  var facts: String {
    let fields = ["content-type", "content-language", "content-location"].map { headers.value(of: $0) ?? "" }
    return ([address ?? ""] + fields).joined(separator: "\n")
  }

  /// The maximum size in bytes of these files; larger ones are ignored.
  private static let mostBytes = 64 << 10

  /// Reads the files beside a feed's file.
  ///
  /// - Parameters:
  ///   - file: the path of the feed's file.
  ///   - files: the paths of the files in its folder, among which the files are looked for by the bytes of their names;
  ///     nil to look on the disk.
  package init(beside file: FilePath, among files: Set<FilePath>? = nil) {
    func lines(_ ending: String) -> [String] {
      let path = file.appending(ending: ending)
      return files?.contains(path) == false ? [] : Self.lines(of: path)
    }
    headers = Self.fields(lines(".headers"))
    let document = FeedDocument(name: "", bytes: [], headers: headers)
    let named = lines(".url").compactMap { WebAddress.absolute($0) }.first
    address = named ?? Self.ownLink(headers) ?? document.header("Content-Location").flatMap(WebAddress.absolute)
  }

  private static func lines(of path: FilePath) -> [String] {
    guard path.kind == .file, let bytes = try? FileSource(path).beginning(mostBytes), bytes.count <= mostBytes else {
      return []
    }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map { $0.trimmed() }
  }

  private static func fields(_ lines: [String]) -> [HeaderField] {
    var fields: [HeaderField] = []
    for line in lines {
      if line.hasPrefix("HTTP/") {
        fields.removeAll()
      } else if let colon = line.firstIndex(of: ":"), colon != line.startIndex {
        let value = String(line[line.index(after: colon)...]).trimmed()
        fields.append(HeaderField(name: String(line[..<colon]), value: value))
      }
    }
    return fields
  }

  /// Returns the URL of a `Link` field whose relation is `self` (RFC 8288).
  private static func ownLink(_ headers: [HeaderField]) -> String? {
    HeaderLink.all(in: headers).lazy.filter { $0.relations.contains("self") }.compactMap {
      WebAddress.absolute($0.target)
    }
    .first
  }
}
