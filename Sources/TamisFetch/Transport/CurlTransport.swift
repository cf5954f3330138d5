import CCurl
import Synchronization
package import TamisCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Requests by libcurl's multi interface: one thread of its own drives all of them.
///
/// HTTP/2 where the server speaks it; gzip, deflate, brotli and zstd as the library has them. Each address is checked when its socket
/// is opened, so that the one that was checked is the one that is connected to.
package final class CurlTransport: HTTPTransport {
  /// How requests are made.
  package struct Options: Sendable {
    /// How the program introduces itself, with an address where its user can be found.
    package var userAgent = "tamis"
    /// How much is taken.
    package var limits = HTTPLimits()
    /// To whom requests may go.
    package var guardian = AddressGuard()
    /// The proxy, as libcurl writes it: `http://host:port`, `socks5h://host:port`.
    ///
    /// Nil for none. Behind a proxy only addresses that stand in URLs as numbers are checked here: names are looked up by the proxy.
    package var proxy: String?
    /// A file with certificates of authorities instead of the system's (PEM); nil for those.
    package var authorities: String?

    /// The defaults.
    package init() {}
  }

  private let loop: CurlLoop

  /// Makes a transport; its thread ends when it is released.
  ///
  /// - Throws: when libcurl cannot be set up.
  package init(_ options: Options = Options()) throws(FetchProblem) {
    if let problem = CurlLibrary.problem { throw FetchProblem(.connect, problem) }
    loop = try CurlLoop(options)
  }

  deinit { loop.stop() }

  /// Sends a GET request.
  package func send(_ request: HTTPRequest, into body: any HTTPBody) async throws(FetchProblem) -> HTTPResponse {
    let transfer = CurlTransfer(request, body, loop.options, loop.proxy)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.whenDone = { continuation.resume(returning: $0) }
        loop.add(transfer)
      }
    } onCancel: {
      transfer.cancel()
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
  /// Only `curl_multi_wakeup` may be called from other threads.
  nonisolated(unsafe) private let multi: OpaquePointer

  init(_ options: CurlTransport.Options) throws(FetchProblem) {
    guard let multi = unsafe tamis_curl_multi_init() else { throw FetchProblem(.connect, "libcurl cannot be set up") }
    unsafe self.multi = OpaquePointer(multi)
    self.options = options
    proxy = options.proxy.flatMap(ProxyAddress.init)
    // Connections that are kept for the next request to the same server.
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

  private func wake() { _ = unsafe tamis_curl_multi_wakeup(UnsafeMutableRawPointer(multi)) }

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

  /// Hands out what is done.
  private func end(
    _ multi: UnsafeMutableRawPointer, _ running: inout [UnsafeMutableRawPointer: CurlTransfer]
  ) {
    var left: Int32 = 0
    while let message = unsafe tamis_curl_multi_info_read(multi, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else { continue }
      let code = unsafe message.pointee.data.result
      unsafe tamis_curl_multi_remove_handle(multi, easy)
      unsafe running.removeValue(forKey: easy)?.end(code)
    }
  }
}
