import TamisCore

/// Addresses of feeds as pages may show them: without parameters that are as secret as a password.
///
/// `https://paper.example/feed?token=4711&page=2` becomes `https://paper.example/feed?page=2`. By such parameters
/// servers know a subscriber, as of paid feeds.
enum PublicAddress {
  private static let names: Set = [
    "auth", "authkey", "auth_key", "hmac", "jwt", "key", "pass", "pw", "pwd", "session", "sessionid", "sid", "sig",
  ]
  private static let parts = ["api-key", "api_key", "apikey", "credential", "passw", "secret", "signature", "token"]

  private static func isSecret(_ name: String) -> Bool { names.contains(name) || parts.contains(where: name.contains) }

  /// Returns an address without secret parameters.
  static func withoutSecrets(_ address: some StringProtocol) -> String {
    guard let mark = address.firstIndex(of: "?") else { return String(address) }
    let query = address[address.index(after: mark)...].split(separator: "&").filter { parameter in
      !isSecret(parameter.prefix { $0 != "=" }.lowercased())
    }
    return String(address[..<mark]) + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }

  /// Returns a message without the secret parameters of the addresses in it.
  static func withoutSecrets(inMessage text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { $0.contains("://") ? withoutSecrets($0) : String($0) }.joined(separator: " ")
  }
}

extension StatusItem {
  /// The status as pages may show it.
  var published: StatusItem {
    var item = self
    let reading = self.item.feed.status
    item.item.feed.status.failure = reading.failure.map(PublicAddress.withoutSecrets(inMessage:))
    item.item.feed.status.problems = reading.problems.map(PublicAddress.withoutSecrets(inMessage:))
    if let failure = fetching?.failure {
      item.fetching?.failure?.problem.message = PublicAddress.withoutSecrets(inMessage: failure.problem.message)
    }
    if let address = fetching?.address { item.fetching?.address = PublicAddress.withoutSecrets(address) }
    if let move = fetching?.move { item.fetching?.move?.address = PublicAddress.withoutSecrets(move.address) }
    return item
  }
}
