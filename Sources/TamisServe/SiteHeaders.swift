import TamisSystem

/// The header fields that a site wants to be sent with every page, from its `_headers`
/// (https://docs.netlify.com/routing/headers/).
struct SiteHeaders {
  /// The fields in their order.
  private(set) var fields: [(name: String, value: String)] = []

  /// Reads the fields for all paths of a site; a folder without the file has none.
  init(ofSite folder: FilePath) {
    let path = folder.appending("_headers")
    guard path.kind == .file, let bytes = try? FileSource(path).beginning(Self.largest) else { return }
    var isForAll = false
    for line in String(decoding: bytes.prefix(Self.largest), as: UTF8.self).split(separator: "\n") {
      guard line.hasPrefix(" ") else {
        isForAll = line == "/*"
        continue
      }
      guard isForAll, let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].drop { $0 == " " }
      fields.append((String(name), String(line[line.index(after: colon)...].drop { $0 == " " })))
    }
  }

  /// The number of bytes of the file that are read.
  private static let largest = 64 << 10

  /// The fields for a page with a script that reloads it.
  var reloading: [(name: String, value: String)] {
    fields.map { name, value in
      (name, name.lowercased() == "content-security-policy" ? ReloadingPage.policy(value) : value)
    }
  }
}
