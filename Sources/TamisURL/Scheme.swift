/// The schemes the URL Standard treats apart ("special scheme", section 3.1), and everything else as `other`.
enum Scheme: UInt8, Sendable {
  case http, https, ws, wss, ftp, file, other

  /// Whether the standard calls the scheme special: it always has a host and reads `\` as `/`.
  var isSpecial: Bool { self != .other }

  /// The port that is left out of the serialization; nil when the scheme has none.
  var defaultPort: UInt16? {
    switch self {
    case .http, .ws: 80
    case .https, .wss: 443
    case .ftp: 21
    case .file, .other: nil
    }
  }

  /// Recognizes a lowercased scheme without its colon.
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
