import CCurl
import TamisCore

/// The libcurl library, which is loaded when it is first needed.
enum CurlLibrary {
  /// The reason why libcurl cannot be used; nil when it can.
  ///
  /// Precondition for calls of libcurl functions: this has been read and is nil.
  static let problem: String? = {
    // A static property is initialized once, by one thread, and the result of `dlerror` is copied at once.
    if let reason = unsafe tamis_curl_load() { return unsafe "libcurl cannot be loaded: \(String(cString: reason))" }
    if let objection = unsafe LibraryMinimum.libcurl.objection(to: String(cString: tamis_curl_version())) {
      return objection
    }
    return tamis_curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK ? nil : "libcurl cannot be set up"
  }()
}
