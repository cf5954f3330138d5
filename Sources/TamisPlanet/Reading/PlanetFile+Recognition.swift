import TamisCore

extension PlanetFile {
  /// How much of a file is looked at, in bytes.
  private static let headSize = 1 << 18

  /// The format of a file, by its beginning.
  package static func format(of bytes: [UInt8]) -> Format {
    let head = bytes.prefix(headSize)
    // XML in any encoding begins with `<`, be it of two bytes.
    let first = head.drop { $0 >= 0xEF || $0 == 0 || $0.isHTMLSpace }.first
    if first == UInt8(ascii: "<") || head.prefix(4).contains(UInt8(ascii: "<")) { return .opml }
    let lines = String(decoding: head.drop { $0 >= 0xEF }, as: UTF8.self)
      .split { $0.isNewline }.filter { !$0.trimmed().isEmpty && !$0.hasPrefix("#") && !$0.hasPrefix(";") }
    guard let line = lines.first else { return .tamis }
    let words = line.trimmed()
    if isSection(words) || isSetting(words) { return isPluto(lines) ? .pluto : .venus }
    if words.hasPrefix("---") || words.hasPrefix("%YAML") || words.hasPrefix("- ") || words.hasPrefix("{")
      || isKey(line)
    {
      return lines.contains(where: isOsmosfeed) ? .osmosfeed : .tamis
    }
    return .list
  }

  /// Whether it is `[name]` and nothing else.
  private static func isSection(_ line: String) -> Bool {
    guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return false }
    let rest = line[line.index(after: end)...].trimmed()
    return rest.isEmpty || rest.hasPrefix(";") || rest.hasPrefix("#")
  }

  /// Whether it is `name = value`.
  private static func isSetting(_ line: String) -> Bool {
    let name = line.prefix { $0 != "=" }
    return name.utf8.count < line.utf8.count && !name.trimmed().isEmpty
      && name.trimmed().utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
  }

  /// Whether it is `name:` at the beginning of a line, with nothing or white space behind it.
  private static func isKey(_ line: Substring) -> Bool {
    let name = line.prefix { $0 != ":" }
    let rest = line.dropFirst(name.count + 1)
    return !name.isEmpty && name.utf8.count < line.utf8.count && (rest.isEmpty || rest.first?.isWhitespace == true)
      && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == 0x5F || $0 == 0x2D }
  }

  private static func isPluto(_ lines: [Substring]) -> Bool {
    var hasFeed = false
    for line in lines {
      let line = line.trimmed()
      if line.asciiLowercased().hasPrefix("[planet]") { return false }
      if line.hasPrefix("["), line.contains("://") { return false }
      let name = line.prefix { $0 != "=" }.trimmed()
      if name == "feed" || name == "feed_url" { hasFeed = true }
    }
    return hasFeed
  }

  private static func isOsmosfeed(_ line: Substring) -> Bool {
    ["sources:", "cacheUrl:", "siteTitle:", "cacheMaxDays:", "feedUrls:"].contains { line.hasPrefix($0) }
  }
}
