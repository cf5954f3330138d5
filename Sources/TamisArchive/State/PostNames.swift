import GRDB
package import TamisCore
import TamisURL

/// Finds posts and feeds by their user-visible names.
extension Archive {
  /// Returns the key of a stored feed by its key, its URL, or the path of its file relative to the folder of the
  /// archive (`./a.xml` is `a.xml`); nil when there is none.
  package func feed(named name: String) throws(Archive.Failure) -> Feed.Key? {
    var plain = name[...]
    while plain.hasPrefix("./") { plain = plain.dropFirst(2).drop { $0 == "/" } }
    let form = AddressForm(name, tracking: TrackingParameters([]))?.text
    let names = [name, String(plain), form.map { Feed.Key(addressForm: $0).text }].compactMap { $0 }
    return try read { database in
      for column in ["key", "location"] {
        for name in names {
          let sql = "SELECT key FROM feed WHERE \(column) = ? ORDER BY key"
          if let found = try String.fetchOne(database, sql: sql, arguments: [name]) { return Feed.Key(found) }
        }
      }
      return nil
    }
  }

  /// Returns the titles of feeds by name: the subscribed address or the path of the file, otherwise the key.
  package func feedTitles() throws(Archive.Failure) -> [(name: String, title: String)] {
    try read { database in
      try Row.fetchAll(database, sql: "SELECT ifnull(location, key), title FROM feed WHERE isRemoved = 0 ORDER BY key")
        .map { try ($0[0], $0[1]) }
    }
  }

  /// Returns the name of a page without folder and extension.
  static func name(ofPage path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return file.hasSuffix(".html") ? String(file.dropLast(".html".count)) : file
  }

  /// Returns the posts for each of some names: the name of a page, or a feed and the present title of a post,
  /// `blog.xml: First post`.
  ///
  /// - Returns: an empty list for a name without a post, a list of several where several posts have the title.
  package func find(_ names: [String]) throws(Archive.Failure) -> [[Selection]] {
    let pages = names.map(Self.name(ofPage:))
    let known = try read { database in
      let sql = "SELECT DISTINCT name FROM post WHERE name IN (SELECT value FROM json_each(?))"
      return Set(try String.fetchAll(database, sql: sql, arguments: [try Self.list(pages)]))
    }
    var found: [[Selection]] = []
    for (name, page) in zip(names, pages) {
      found.append(known.contains(page) ? [.page(name)] : try postsTitled(name))
    }
    return found
  }

  private func postsTitled(_ name: String) throws(Archive.Failure) -> [Selection] {
    for range in name.ranges(of: ": ") {
      guard let feed = try feed(named: String(name[..<range.lowerBound])) else { continue }
      let found = try posts(titled: String(name[range.upperBound...]), in: feed)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func posts(titled title: String, in feed: Feed.Key) throws(Archive.Failure) -> [Selection] {
    let forms = TitleForm.variants(title).map { $0.text }.filter { !$0.isEmpty }
    return try read { database in
      for form in forms {
        let names = try String.fetchAll(
          database,
          sql: "SELECT name FROM post WHERE feed = (SELECT id FROM feed WHERE key = ?) AND title = ? ORDER BY name",
          arguments: [feed.text, Digest.of(form, kind: "title")])
        if !names.isEmpty { return names.map { .post(feed: feed, name: $0) } }
      }
      return []
    }
  }
}
