import CCurl
import Synchronization
import TamisCore
import TamisURL

/// One request made through libcurl.
///
/// It is created by one task and handed to the thread of libcurl, which alone uses it from then on, except for the
/// cancellation flag.
@safe final class CurlTransfer: @unchecked Sendable {
  private let request: HTTPRequest
  private let body: any HTTPBody
  private let options: CurlTransport.Options
  private let proxy: ProxyAddress?
  /// Receives the result; called once.
  var whenDone: (Result<HTTPResponse, FetchProblem>) -> Void = { _ in }

  private var easy: UnsafeMutableRawPointer?
  private var list: UnsafeMutablePointer<curl_slist>?
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let isCancelled = Atomic(false)
  private var start = ContinuousClock.now

  /// The response received so far.
  private var response: HTTPResponse?
  private var headerBytes = 0
  private var bodyBytes = 0
  private var isHeadWhole = false
  /// The reason for which a callback of libcurl has ended the transfer.
  private var problem: FetchProblem?
  /// Whether the rest of the response is ignored.
  private var isEnough = false
  /// An address to which a connection was refused.
  private var forbidden: IPAddress?

  /// The number of bytes read of an unsuccessful response, so that the connection can be reused (64 KiB).
  private static let lengthOfRest = 64 << 10

  init(_ request: HTTPRequest, _ body: any HTTPBody, _ options: CurlTransport.Options, _ proxy: ProxyAddress?) {
    self.proxy = proxy
    (self.request, self.body, self.options) = (request, body, options)
    unsafe words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit { unsafe words.deallocate() }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// Whether the server has exceeded the time for the beginning of its response, counted from the request on.
  var isLate: Bool {
    guard response == nil, let sent else { return false }
    return ContinuousClock.now - start > sent + .milliseconds(options.limits.firstByte)
  }

  /// The time from the beginning until the connection was established; nil before that.
  private var sent: Duration? {
    guard let easy = unsafe easy else { return nil }
    var time: curl_off_t = 0
    unsafe tamis_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &time)
    return time > 0 ? .microseconds(time) : nil
  }

  // MARK: - Setting up

  /// Sets up libcurl; when that fails, ends the transfer and returns nil.
  func begin() -> UnsafeMutableRawPointer? {
    guard let easy = unsafe tamis_curl_easy_init() else {
      whenDone(.failure(FetchProblem(.connect, "libcurl cannot be set up")))
      return nil
    }
    unsafe self.easy = unsafe easy
    start = ContinuousClock.now
    unsafe setAddress(easy)
    unsafe setLimits(easy)
    unsafe setFields(easy)
    unsafe setFunctions(easy)
    return unsafe easy
  }

  private func setAddress(_ easy: UnsafeMutableRawPointer) {
    unsafe tamis_curl_set_text(easy, CURLOPT_URL, request.address)
    unsafe tamis_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe tamis_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    // Empty for no proxy; otherwise libcurl would take one from the environment.
    unsafe tamis_curl_set_text(easy, CURLOPT_PROXY, options.proxy ?? "")
    unsafe tamis_curl_set_text(easy, CURLOPT_NOPROXY, "")
    unsafe tamis_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if let authorities = options.authorities { unsafe tamis_curl_set_text(easy, CURLOPT_CAINFO, authorities) }
    if let credentials = request.credentials {
      unsafe tamis_curl_set_long(easy, CURLOPT_HTTPAUTH, tamis_curl_auth_basic)
      unsafe tamis_curl_set_text(easy, CURLOPT_USERNAME, credentials.name.revealed)
      unsafe tamis_curl_set_text(easy, CURLOPT_PASSWORD, credentials.password.revealed)
    }
    unsafe tamis_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    // Accepts all codings that the library supports.
    unsafe tamis_curl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
    unsafe tamis_curl_set_text(easy, CURLOPT_USERAGENT, request.userAgent ?? options.userAgent)
  }

  private func setLimits(_ easy: UnsafeMutableRawPointer) {
    let limits = options.limits
    unsafe tamis_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Name lookups that hang are not waited for.
    unsafe tamis_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    unsafe tamis_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, limits.connecting)
    unsafe tamis_curl_set_long(easy, CURLOPT_TIMEOUT_MS, limits.whole)
    unsafe tamis_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.wireBytes))
  }

  private func setFields(_ easy: UnsafeMutableRawPointer) {
    let hidden = request.hiddenFields.map { HeaderField(name: $0.name, value: $0.value.revealed) }
    let accept = hidden.value(of: "Accept") == nil ? [HeaderField(name: "Accept", value: Self.accepted)] : []
    for field in accept + request.fields + hidden where Self.isSendable(field) {
      if let longer = unsafe tamis_curl_slist_append(list, "\(field.name): \(field.value)") { unsafe list = longer }
    }
    unsafe tamis_curl_set_list(easy, CURLOPT_HTTPHEADER, list)
  }

  private static let accepted =
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, "
    + "text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.5"

  /// Whether a field contains nothing that would end its line, since some values come from a server.
  private static func isSendable(_ field: HeaderField) -> Bool {
    (field.name + field.value).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  private func setFunctions(_ easy: UnsafeMutableRawPointer) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe tamis_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
    unsafe tamis_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    unsafe tamis_curl_on_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      unsafe CurlTransfer.of(context)?.addHeader(bytes, size * count) == true ? size * count : 0
    }
    unsafe tamis_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    unsafe tamis_curl_on_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe CurlTransfer.of(context)?.addBody(bytes, size * count) == true ? size * count : 0
    }
    unsafe tamis_curl_set_long(easy, CURLOPT_NOPROGRESS, 0)
    unsafe tamis_curl_set_pointer(easy, CURLOPT_XFERINFODATA, context)
    unsafe tamis_curl_on_progress(easy) { context, _, received, _, _ in
      unsafe CurlTransfer.of(context)?.mayGoOn(Int(received)) == true ? 0 : 1
    }
    unsafe tamis_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context)
    unsafe tamis_curl_on_open(easy) { context, _, address in
      guard let transfer = unsafe CurlTransfer.of(context), let address = unsafe address else { return CURL_SOCKET_BAD }
      return unsafe transfer.open(address)
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
    unsafe context.map { unsafe Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: - Callbacks of libcurl

  private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let found = unsafe withUnsafePointer(to: &address.pointee.addr) {
      unsafe IPAddress($0, family: address.pointee.family)
    }
    let port = unsafe withUnsafePointer(to: &address.pointee.addr) { unsafe IPAddress.port(of: $0) }
    guard let found, options.guardian.allows(found) || proxy?.isAt(found, port: port) == true else {
      forbidden = found
      return CURL_SOCKET_BAD
    }
    return unsafe socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
  }

  private func addHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    headerBytes += count
    if headerBytes > options.limits.headerBytes {
      return giveUp(FetchProblem(.headers, "the header is larger than \(options.limits.headerBytes) bytes"))
    }
    // This is a trailer.
    if isHeadWhole, bodyBytes > 0 { return true }
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    // A bare CR or a NUL in a value is a space (RFC 9110, section 5.5); other software would end the line there.
    let breaks: Set<UInt8> = [0x00, 0x0A, 0x0D]
    let text = unsafe String(streamSafe: line.map { breaks.contains($0) ? UInt8(ascii: " ") : $0 })
      .trimmed()
    if text.hasPrefix("HTTP/") {
      let status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      response = HTTPResponse(status: status)
      isHeadWhole = false
    } else if text.isEmpty {
      isHeadWhole = (response?.status ?? 0) >= 200
      if isHeadWhole, codings > options.limits.codings {
        return giveUp(
          FetchProblem(.encoding, "the content is packed \(codings) times; at most \(options.limits.codings) is read"))
      }
    } else if unsafe line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      // This line continues the one before (RFC 9112, section 5.2).
      if let last = response?.fields.indices.last { response?.fields[last].value += " " + text }
    } else if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
      let value = String(text[text.index(after: colon)...]).trimmed()
      response?.fields.append(HeaderField(name: String(text[..<colon]).trimmed(), value: value))
    }
    return true
  }

  /// The number of codings that libcurl would undo.
  private var codings: Int {
    (response?.fields ?? []).filter { ["content-encoding", "transfer-encoding"].contains($0.name.asciiLowercased()) }
      .flatMap { $0.value.split(separator: ",") }
      .count { !["", "chunked", "identity", "none"].contains($0.trimmed().asciiLowercased()) }
  }

  private func addBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Bool {
    bodyBytes += count
    guard let status = response?.status, (200...299).contains(status) else {
      isEnough = bodyBytes > Self.lengthOfRest
      return !isEnough
    }
    if bodyBytes > options.limits.unpackedBytes {
      return giveUp(FetchProblem(.tooLarge, "unpacked it is larger than \(options.limits.unpackedBytes) bytes"))
    }
    do throws(FetchProblem) {
      try body.add(unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count)))
      return true
    } catch {
      return giveUp(error)
    }
  }

  private func mayGoOn(_ received: Int) -> Bool {
    if isCancelled.load(ordering: .relaxed) { return giveUp(FetchProblem(.timeout, "it was cancelled")) }
    if received > options.limits.wireBytes {
      return giveUp(FetchProblem(.tooLarge, "it is larger than \(options.limits.wireBytes) bytes"))
    }
    return true
  }

  private func giveUp(_ problem: FetchProblem) -> Bool {
    self.problem = self.problem ?? problem
    return false
  }

  // MARK: - Completion

  /// Passes on the result and releases libcurl's handle.
  func end(_ code: CURLcode) {
    let result = result(code)
    unsafe tamis_curl_easy_cleanup(easy)
    unsafe tamis_curl_slist_free_all(list)
    unsafe (easy, list) = (nil, nil)
    whenDone(result)
  }

  private func result(_ code: CURLcode) -> Result<HTTPResponse, FetchProblem> {
    if let problem { return .failure(problem) }
    guard code == CURLE_OK || isEnough, var response, response.status >= 200 else {
      return .failure(failure(code))
    }
    var count: curl_off_t = 0
    unsafe tamis_curl_get_offset(easy, CURLINFO_SIZE_DOWNLOAD_T, &count)
    response.wireBytes = Int(count)
    var time: curl_off_t = 0
    unsafe tamis_curl_get_offset(easy, CURLINFO_TOTAL_TIME_T, &time)
    response.milliseconds = Int(time) / 1000
    return .success(response)
  }

  private func failure(_ code: CURLcode) -> FetchProblem {
    var said = unsafe String(cString: words)
    if said.isEmpty { said = unsafe String(cString: tamis_curl_easy_strerror(code)) }
    let words = Self.midSentence(said)
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return FetchProblem(.resolve, "the host name cannot be resolved")
    case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR:
      if let forbidden { return AddressGuard.problem(forbidden) }
      return FetchProblem(.connect, "no connection: \(words)")
    case CURLE_OPERATION_TIMEDOUT: return timeout
    case CURLE_PARTIAL_FILE:
      return FetchProblem(.cutOff, "the answer ended before its announced end", status: response?.status)
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      // CURLE_WRITE_ERROR is libcurl's error for data after the end of the compressed content.
      return FetchProblem(.encoding, "the content cannot be unpacked: \(words)")
    case CURLE_FILESIZE_EXCEEDED:
      return FetchProblem(.tooLarge, "it is larger than \(options.limits.wireBytes) bytes")
    case CURLE_OUT_OF_MEMORY:
      // libcurl 7.88 reports this error for a field that is longer than it accepts.
      return FetchProblem(.headers, "a header field is too long")
    case CURLE_URL_MALFORMAT:
      return FetchProblem(.address, "the address cannot be asked for: \(words)")
    case CURLE_RECV_ERROR:
      let isBegun = isHeadWhole
      return FetchProblem(isBegun ? .cutOff : .connect, "the answer broke off: \(words)", status: response?.status)
    default:
      return FetchProblem(Self.isOfTLS(code) ? .tls : .protocol, words)
    }
  }

  /// Returns a message of libcurl for the middle of a sentence; a first word in capitals, such as URL, stays unchanged.
  static func midSentence(_ words: String) -> String {
    if words.dropFirst().first?.isUppercase == true { return words }
    return words.prefix(1).lowercased() + words.dropFirst()
  }

  /// The problem for a timeout, which names the stage and its limit.
  private var timeout: FetchProblem {
    let limits = options.limits
    let (what, limit) =
      if response != nil { ("end of the answer", limits.whole) } else if sent == nil {
        ("connection", min(limits.connecting, limits.whole))
      } else { ("answer", isLate ? limits.firstByte : limits.whole) }
    let time = limit.isMultiple(of: 1000) ? (limit / 1000).counted("second") : limit.counted("millisecond")
    return FetchProblem(.timeout, "no \(what) after \(time)")
  }

  private static func isOfTLS(_ code: CURLcode) -> Bool {
    [
      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND,
      CURLE_SSL_ENGINE_SETFAILED,
    ].contains(code)
  }
}
