import CMicroHTTPD
import Synchronization
package import TamisSystem
import TamisLibC

/// A server for one's own machine that shows a site while it is worked on: the files of a folder over HTTP.
///
/// Pages get a script that reloads them when ``show(_:)`` is called; the files stay as they are. Requests for a name
/// other than `localhost`, for files outside of the folder, and with any method but GET and HEAD are refused.
package final class SiteServer: Sendable {
  /// The limits of a server; what exceeds them ends its connection.
  package enum Limits {
    /// The number of connections at the same time.
    package static let connections = 256
    /// The seconds after which a connection without traffic is closed.
    package static let silentSeconds = 20
    /// The memory for the request line and header fields of a connection, in bytes.
    package static let connectionBytes = 32 << 10
    /// The size of a page that gets the script, in bytes; a larger one is sent as it is.
    package static let pageBytes = 64 << 20
  }

  /// The reason why a server cannot be started.
  package struct Failure: Error, CustomStringConvertible {
    /// The reason in a few words.
    package let description: String
  }

  /// What is shown.
  package enum Showing: Sendable {
    /// The files of the folder.
    case site
    /// A page that says that the site is being built.
    case building
    /// The messages of a build that failed, in place of every page.
    case failure(String)
  }

  private struct State {
    var folder: FilePath
    var showing = Showing.building
    var version = SiteServer.time()
  }

  private let state: Mutex<State>
  /// The server of the library, which is set once.
  private let server = Mutex<UInt>(0)

  /// Makes a server of a folder.
  ///
  /// - Parameter folder: the folder of the site; it need not exist yet.
  package init(_ folder: FilePath) { state = Mutex(State(folder: folder)) }

  deinit { stop() }

  /// Starts the server.
  ///
  /// - Parameters:
  ///   - address: the address of this machine in numbers, such as `127.0.0.1` or `::1`.
  ///   - port: the port; 0 for any free one.
  /// - Returns: the URL of the site.
  /// - Throws: when the library is missing, or the address cannot be taken.
  package func start(address: String, port: UInt16) throws(Failure) -> String {
    if let reason = unsafe tamis_http_load() {
      throw Failure(
        description: unsafe "libmicrohttpd cannot be loaded: \(String(cString: reason)); it is in Debian's "
          + "package libmicrohttpd12, and in Homebrew's libmicrohttpd")
    }
    let limits = tamis_http_limits(
      connections: UInt32(Limits.connections), silent_seconds: UInt32(Limits.silentSeconds),
      memory: Limits.connectionBytes)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    let started = unsafe tamis_http_start(address, port, limits, Self.handler, context)
    guard let started = unsafe started else { throw Failure(description: Self.words(errno, address, port)) }
    server.withLock { $0 = UInt(bitPattern: started) }
    return "http://\(address.contains(":") ? "[\(address)]" : address):\(unsafe tamis_http_port(started))/"
  }

  /// Stops the server; answers that are being sent are cut off.
  package func stop() {
    let address = server.withLock { server in
      defer { server = 0 }
      return server
    }
    if let started = unsafe OpaquePointer(bitPattern: address) { unsafe tamis_http_stop(started) }
  }

  /// Shows something from now on; pages that are open are loaded again.
  ///
  /// - Parameters:
  ///   - showing: what is shown.
  ///   - folder: the folder of the site; nil for the present one.
  package func show(_ showing: Showing, of folder: FilePath? = nil) {
    state.withLock { $0 = State(folder: folder ?? $0.folder, showing: showing) }
  }

  private static func words(_ failure: Int32, _ address: String, _ port: UInt16) -> String {
    switch failure {
    case EADDRINUSE: "port \(port) is in use; name another with --port, or 0 for any free one"
    case EACCES: "port \(port) is only for the system; name another with --port"
    case EINVAL: "'\(address)' is not an address in numbers, such as 127.0.0.1"
    default: "\(address) port \(port) cannot be taken: \(FileFailure(failure))"
    }
  }

  /// A version that no earlier server of this site had.
  private static func time() -> String {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return "\(now.tv_sec).\(now.tv_nsec)"
  }

  // MARK: - Answers

  private static let handler: tamis_http_handler = { context, method, target, host in
    guard let context = unsafe context, let method = unsafe method, let target = unsafe target else {
      return unsafe tamis_http_answer()
    }
    let server = unsafe Unmanaged<SiteServer>.fromOpaque(context).takeUnretainedValue()
    let answer = unsafe server.answer(
      String(cString: method), UnsafeBufferPointer(start: target, count: strlen(target)).map { UInt8(bitPattern: $0) },
      host: host.map { unsafe String(cString: $0) })
    return unsafe answer.sent()
  }

  private func answer(_ method: String, _ target: [UInt8], host: String?) -> Answer {
    guard method == "GET" || method == "HEAD" else {
      return Answer(405, "This server only shows files.", [("Allow", "GET, HEAD")])
    }
    guard RequestHost.isTrusted(host) else {
      return Answer(421, "Open this site by its number or as localhost; the name of the request is not answered.")
    }
    let state = state.withLock { $0 }
    if target.elementsEqual(ReloadingPage.versionTarget.utf8) { return Answer(200, state.version) }
    do throws(RequestTarget.Refusal) {
      return answer(try RequestTarget(target), state)
    } catch {
      switch error {
      case .malformed: return Answer(400, "This is not the path of a file.")
      case .absent: return missing(state)
      }
    }
  }

  private func answer(_ target: RequestTarget, _ state: State) -> Answer {
    let isPage =
      target.isFolder || MediaType(ofFile: target.names.last.map { String(decoding: $0, as: UTF8.self) } ?? "").isPage
    if isPage, let (status, notice) = notice(state) {
      return Answer(status, .page, .bytes(ReloadingPage.page(Array(notice.markup.utf8), version: state.version)), [])
    }
    switch ServedFile.find(target, in: state.folder) {
    case .file(let file): return answer(file, 200, state)
    case .folder: return Answer(301, "", [("Location", target.ofFolder)])
    case .nothing: return missing(state)
    }
  }

  /// The page in place of those of the site, and its status.
  private func notice(_ state: State) -> (Int, NoticePage)? {
    let isThere = state.folder.appending("index.html").kind != nil
    switch state.showing {
    case .failure(let messages): return (500, NoticePage(title: "The site cannot be built", text: messages))
    case .building, .site:
      if isThere { return nil }
      return (503, NoticePage(title: "The site is not there yet", text: "This page loads it when it has been built."))
    }
  }

  private func missing(_ state: State) -> Answer {
    if let target = try? RequestTarget("/404.html".utf8),
      case .file(let file) = ServedFile.find(target, in: state.folder)
    {
      return answer(file, 404, state)
    }
    return Answer(404, "There is no such file.")
  }

  private func answer(_ file: consuming ServedFile, _ status: Int, _ state: State) -> Answer {
    let headers = SiteHeaders(ofSite: state.folder)
    let (type, size) = (file.type, file.size)
    guard type.isPage, size <= Limits.pageBytes else {
      return Answer(status, type, .file(file.takeDescriptor(), size: size), headers.fields)
    }
    guard let bytes = file.content() else { return Answer(500, "The file cannot be read.") }
    return Answer(status, type, .bytes(ReloadingPage.page(bytes, version: state.version)), headers.reloading)
  }
}

/// An answer to a request.
private struct Answer {
  enum Body {
    case bytes([UInt8])
    /// An open file, which is closed when it has been sent.
    case file(Int32, size: Int)
  }

  private let status: Int
  private let body: Body
  private let fields: [(name: String, value: String)]

  init(_ status: Int, _ type: MediaType, _ body: Body, _ fields: [(name: String, value: String)]) {
    (self.status, self.body) = (status, body)
    self.fields = [("Content-Type", type.text), ("Cache-Control", "no-store")] + fields
  }

  /// An answer of plain text.
  init(_ status: Int, _ text: String, _ fields: [(name: String, value: String)] = []) {
    self.init(status, .plain, .bytes(Array(text.utf8)), [("X-Content-Type-Options", "nosniff")] + fields)
  }

  /// The answer for the library, which takes what it holds.
  func sent() -> tamis_http_answer {
    let response: OpaquePointer? =
      switch body {
      case .bytes(let bytes): unsafe tamis_http_bytes(bytes, bytes.count)
      case .file(let descriptor, let size): unsafe tamis_http_file(descriptor, UInt64(size))
      }
    guard let response = unsafe response else { return unsafe tamis_http_answer() }
    for (name, value) in fields { unsafe tamis_http_field(response, name, value) }
    return unsafe tamis_http_answer(status: UInt32(status), response: response)
  }
}
