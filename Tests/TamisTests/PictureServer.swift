import TamisCore
import TamisFetch
import Foundation
import Synchronization
import Tamis

/// A server that answers for pictures.
///
/// `https://pictures.example/NAME.png` is a PNG that differs by its name, unless something else is said.
final class PictureServer: HTTPTransport {
  /// What is at an address.
  enum Content: Sendable {
    case nothing
    case bytes([UInt8])
  }

  private let contents = Mutex<[String: Content]>([:])
  private let asked = Mutex<[String]>([])

  /// Puts something else at an address.
  func put(_ content: Content?, at name: String) { contents.withLock { $0[Self.address(name)] = content } }

  /// The names of what was asked for since this was looked at last, sorted.
  func takeAsked() -> [String] {
    asked.withLock { asked in
      defer { asked = [] }
      return asked.sorted()
    }
  }

  /// Returns the address of a picture; a name with a colon, `:8443/1.png`, says its port.
  static func address(_ name: String) -> String {
    "https://pictures.example\(name.hasPrefix(":") ? "" : "/")\(name)"
  }

  func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    asked.withLock { $0.append(String(request.address.dropFirst(Self.address("").count))) }
    switch contents.withLock({ $0[request.address] }) ?? .bytes(Self.png(request.address)) {
    case .nothing: return HTTPResponse(status: 404)
    case .bytes(let bytes):
      try body.add(bytes)
      return HTTPResponse(status: 200, fields: [HeaderField(name: "Content-Type", value: "image/png")])
    }
  }

  /// The header of a PNG of 64 by 48 with a text behind it.
  static func png(_ text: String) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8 + [0, 0, 0, 64, 0, 0, 0, 48]
      + [8, 2, 0, 0, 0, 0, 0, 0, 0] + text.utf8
  }
}
