public import TamisCore
import TamisURL

extension SearchForm {
  /// The placeholder of the search words in a URL.
  private static let words = "{words}"

  /// The form for URLs such as `https://search.example/?site=planet.example&q={words}`; nil unless the words are the whole value
  /// of one parameter: a form without a script cannot add anything to them.
  public init?(address: String) {
    guard let url = WebURL(address), url.isHTTP, let origin = url.origin,
      let host = url.hostname, url.username.isEmpty, url.password.isEmpty,
      // The URL Standard allows more in a host than may stand in a Content-Security-Policy, such as semicolons.
      host.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "-.[]:".utf8.contains($0) })
    else { return nil }
    let parameters = url.queryParameters
    guard parameters.count(where: { $0.value.contains(Self.words) }) == 1,
      let words = parameters.first(where: { $0.value == Self.words }), !words.name.isEmpty
    else { return nil }
    self.init(
      action: url.replacingQuery(nil).removingFragment.href, origin: origin, host: host, wordsName: words.name,
      others: parameters.filter { $0 != words }.map { Field(name: $0.name, value: $0.value) })
  }

  /// The address that makes the form.
  public var address: String {
    func encoded(_ text: String) -> String {
      var output = ""
      for byte in text.utf8 {
        let isPlain = byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
        let digits = Array("0123456789ABCDEF")
        output += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
      return output
    }
    let others = others.map { "\(encoded($0.name))=\(encoded($0.value))" }
    return "\(action)?\((others + ["\(encoded(wordsName))=\(Self.words)"]).joined(separator: "&"))"
  }
}
