/// The special schemes of the URL Standard (section 3.1), and `other` for all others.
enum Scheme: UInt8, Sendable {
  case http, https, ws, wss, ftp, file, other

  /// Whether the standard calls the scheme special: its URLs always have a host, and `\` is read as `/` in them.
  var isSpecial: Bool { self != .other }

  /// The port that the serialization omits; nil when the scheme has none.
  var defaultPort: UInt16? {
    switch self {
    case .http, .ws: 80
    case .https, .wss: 443
    case .ftp: 21
    case .file, .other: nil
    }
  }

  /// Creates a scheme from its lowercase name without the colon.
  init(_ name: ArraySlice<UInt8>) {
    switch name.count {
    case 2 where name.elementsEqual("ws".utf8): self = .ws
    case 3 where name.elementsEqual("wss".utf8): self = .wss
    case 3 where name.elementsEqual("ftp".utf8): self = .ftp
    case 4 where name.elementsEqual("http".utf8): self = .http
    case 4 where name.elementsEqual("file".utf8): self = .file
    case 5 where name.elementsEqual("https".utf8): self = .https
    default: self = .other
    }
  }
}
