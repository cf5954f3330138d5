import TamisCore
import TamisURL

/// Checks where secrets of a configuration are sent.
enum RequestLint {
  /// The maximum number of servers that a warning names.
  private static let mostNamed = 3

  static func doubts(about planet: Planet) -> [(String, Finding.Location)] {
    var doubts: [(String, Finding.Location)] = []
    var servers: [Planet.SecretName: (location: Finding.Location, names: [String])] = [:]
    for (address, settings, location) in requests(of: planet) {
      let secrets = settings.secrets
      if !secrets.isEmpty, address.url.scheme == "http" {
        doubts.append(("the secrets for this address are sent unencrypted; use https", location))
      }
      if !address.url.password.isEmpty {
        let words =
          "the password in this address is not secret here; write the address without it, and 'login' beside it"
        doubts.append((words, location))
      }
      if settings.login != nil, address.hasCredentials {
        doubts.append(("the user name in this address is sent, and not that of 'login'; remove one", location))
      }
      if settings.login != nil, settings.headers.contains(where: { $0.name.asciiLowercased() == "authorization" }) {
        doubts.append(("the header field Authorization takes the place of 'login'; remove one", location))
      }
      for secret in secrets {
        let server = address.url.origin ?? ""
        if servers[secret]?.names.contains(server) != true {
          let first = Finding.Location(file: location.file, line: secret.line, column: 1)
          servers[secret, default: (first, [])].names.append(server)
        }
      }
    }
    for (secret, found) in servers.sorted(by: { $0.key.name < $1.key.name }) where found.names.count > 1 {
      let names = found.names.prefix(mostNamed).joined(separator: ", ")
      let more = found.names.count > mostNamed ? " and others" : ""
      doubts.append(
        (
          "the secret '\(secret.name)' is sent to \(found.names.count.counted("server")): \(names)\(more); "
            + "write it only at the feeds whose server it is for", found.location
        ))
    }
    return doubts
  }

  /// The addresses for which something is sent, with what that is.
  private static func requests(
    of planet: Planet
  ) -> [(address: Planet.Address, settings: Planet.RequestSettings, location: Finding.Location)] {
    let isAny = !planet.defaults.request.isEmpty
    let feeds = planet.feeds.lazy.filter { isAny || !$0.settings.request.isEmpty || $0.address.hasCredentials }.map {
      feed in
      (address: feed.address, settings: planet.settings(for: feed).request, location: feed.location)
    }
    let lists = planet.readingLists.compactMap { list in
      if case .address(let address) = list.source {
        (address: address, settings: list.settings.over(planet.defaults).request, location: list.location)
      } else {
        nil
      }
    }
    return Array(feeds) + lists
  }
}
