import CCurl

/// libcurl itself, which is loaded when it is first needed.
enum CurlLibrary {
  /// Why libcurl cannot be used; nil when it can.
  ///
  /// Whoever calls one of its functions has looked here before.
  static let problem: String? = {
    // A static property is made once, by one thread; what `dlerror` answered is copied at once.
    if let reason = unsafe tamis_curl_load() { return unsafe "libcurl cannot be loaded: \(String(cString: reason))" }
    return tamis_curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK ? nil : "libcurl cannot be set up"
  }()
}
