import CCurl
import Synchronization
package import TamisCore
import TamisLibC

/// Sends requests with libcurl's multi interface: one dedicated thread drives all of them.
///
/// HTTP/2 is used where the server supports it, and gzip, deflate, brotli and zstd as far as the library does. Each
/// address is checked when its socket is opened, so that the address checked is the one connected to.
package final class CurlTransport: HTTPTransport {
  /// The options of requests.
  package struct Options: Sendable {
    /// The user agent, with an address at which the user can be reached.
    package var userAgent = "tamis"
    /// The limits and timeouts of responses.
    package var limits = HTTPLimits()
    /// The rules for the addresses that may be requested.
    package var guardian = AddressGuard()
    /// The proxy in libcurl's notation: `http://host:port`, `socks5h://host:port`; nil for none.
    ///
    /// Behind a proxy, only addresses written as numbers in URLs are checked here: names are resolved by the proxy.
    package var proxy: String?
    /// A PEM file of certificates of authorities; nil for those of the system.
    package var authorities: String?

    /// Creates the default options.
    package init() {}
  }

  private let loop: CurlLoop

  /// Creates a transport, whose thread ends when it is released.
  ///
  /// - Throws: when libcurl cannot be set up.
  package init(_ options: Options = Options()) throws(FetchProblem) {
    if let problem = CurlLibrary.problem { throw FetchProblem(.connect, problem) }
    loop = try CurlLoop(options)
  }

  deinit { loop.stop() }

  /// Sends a GET request.
  ///
  /// - Throws: when there is no response, or an incomplete one.
  package func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    let transfer = CurlTransfer(request, body, loop.options, loop.proxy)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.whenDone = { continuation.resume(returning: $0) }
        loop.add(transfer)
      }
    } onCancel: {
      transfer.cancel()
      loop.wake()
    }
    return try result.get()
  }
}

/// The thread that drives libcurl.
@safe private final class CurlLoop: Sendable {
  private struct State {
    var waiting: [CurlTransfer] = []
    var isStopped = false
  }

  let options: CurlTransport.Options
  let proxy: ProxyAddress?
  private let state = Mutex(State())
  /// Other threads may call only `curl_multi_wakeup`.
  nonisolated(unsafe) private let multi: OpaquePointer

  init(_ options: CurlTransport.Options) throws(FetchProblem) {
    guard let multi = unsafe tamis_curl_multi_init() else { throw FetchProblem(.connect, "libcurl cannot be set up") }
    unsafe self.multi = OpaquePointer(multi)
    self.options = options
    proxy = options.proxy.flatMap(ProxyAddress.init)
    // The number of connections kept for later requests to the same server.
    unsafe _ = tamis_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 64)
    let context = unsafe Unmanaged.passRetained(self).toOpaque()
    guard unsafe Self.startThread(context) else {
      unsafe Unmanaged<CurlLoop>.fromOpaque(context).release()
      throw FetchProblem(.connect, "no thread can be made")
    }
  }

  private static func startThread(_ context: UnsafeMutableRawPointer) -> Bool {
    #if canImport(Glibc)
      var thread = pthread_t()
      let isStarted =
        unsafe pthread_create(
          &thread, nil,
          { context in
            if let context = unsafe context { unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
            return nil
          }, context) == 0
      if isStarted { pthread_detach(thread) }
    #else
      var thread: pthread_t?
      let isStarted =
        unsafe pthread_create(
          &thread, nil,
          { context in
            unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
            return nil
          }, context) == 0
      if isStarted, let thread = unsafe thread { unsafe pthread_detach(thread) }
    #endif
    return isStarted
  }

  func add(_ transfer: CurlTransfer) {
    state.withLock { $0.waiting.append(transfer) }
    wake()
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  func wake() { _ = unsafe tamis_curl_multi_wakeup(UnsafeMutableRawPointer(multi)) }

  // MARK: - On the thread

  private func run() {
    let multi = unsafe UnsafeMutableRawPointer(multi)
    var running: [UnsafeMutableRawPointer: CurlTransfer] = unsafe [:]
    while true {
      let (new, isStopped) = state.withLock { state in
        defer { state.waiting = [] }
        return (state.waiting, state.isStopped)
      }
      if isStopped, new.isEmpty, unsafe running.isEmpty { break }
      for transfer in new {
        if let easy = unsafe transfer.begin() {
          unsafe running[easy] = transfer
          unsafe tamis_curl_multi_add_handle(multi, easy)
        }
      }
      var count: Int32 = 0
      unsafe tamis_curl_multi_perform(multi, &count)
      unsafe end(multi, &running)
      for unsafe(easy, transfer) in unsafe running where transfer.isLate {
        unsafe tamis_curl_multi_remove_handle(multi, easy)
        unsafe running[easy] = nil
        transfer.end(CURLE_OPERATION_TIMEDOUT)
      }
      unsafe tamis_curl_multi_poll(multi, running.isEmpty ? 60_000 : 500)
    }
    unsafe tamis_curl_multi_cleanup(multi)
  }

  /// Ends the transfers that are done.
  private func end(_ multi: UnsafeMutableRawPointer, _ running: inout [UnsafeMutableRawPointer: CurlTransfer]) {
    var left: Int32 = 0
    while let message = unsafe tamis_curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
      let code = unsafe message.pointee.data.result
      unsafe tamis_curl_multi_remove_handle(multi, easy)
      unsafe running.removeValue(forKey: easy)?.end(code)
    }
  }
}
