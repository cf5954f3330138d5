package import TamisCore
import TamisYAML

/// An edit of the feeds of a configuration in place, which leaves all other lines, including comments, unchanged.
///
/// The result is parsed again before it is accepted, so that an edit makes exactly the requested change, or none.
package struct ConfigEdit: Sendable {
  /// The configuration's text.
  package private(set) var bytes: [UInt8]
  /// The edited configuration.
  package private(set) var planet: Planet
  private let file: String
  private var root: YAMLNode?

  /// The error for an edit that is not possible.
  package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason with its location and the remedy.
    package let finding: Finding

    /// The finding in one line.
    package var description: String { finding.description }
  }

  /// Begins to edit a configuration.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: the name used in findings.
  /// - Throws: ``Refusal`` when the content is not valid YAML.
  package init(_ bytes: [UInt8], file: String) throws(Refusal) {
    (self.bytes, self.file) = (bytes, file)
    var reader = ConfigReader(file: file)
    root = reader.yaml.root(bytes)
    if let first = reader.yaml.findings.first { throw Refusal(finding: first) }
    if let root { reader.read(root) }
    planet = reader.planet
  }

  /// Appends feeds; none of them may exist already.
  package mutating func add(_ feeds: [Planet.Subscription]) throws(Refusal) {
    if feeds.isEmpty { return }
    var wanted = planet
    wanted.feeds += feeds
    let insertion = try self.insertion()
    var lines = SourceLines(bytes)
    if let cut = insertion.cut { lines.replaceEnd(of: cut.line, from: cut.column, with: cut.rest) }
    let indent = String(repeating: " ", count: insertion.indent)
    var added = insertion.heading.map { [$0] } ?? []
    for feed in feeds { added += PlanetText.item(for: feed).map { indent + $0 } }
    lines.insert(added, before: insertion.line)
    try accept(lines.bytes, if: wanted)
  }

  /// Removes feeds.
  package mutating func remove(_ addresses: Set<Planet.Address>) throws(Refusal) {
    if addresses.isEmpty { return }
    var wanted = planet
    wanted.feeds.removeAll { addresses.contains($0.address) }
    var lines = SourceLines(bytes)
    var search = ItemSearch(addresses: addresses, lines: lines)
    if let root { search.look(in: root, name: "feeds", until: lines.count + 1) }
    if let line = search.refused {
      throw refusal("this feed shares its line with others; remove it by hand", line: line)
    }
    for range in search.found.reversed() { lines.remove(range) }
    // A key without a list may be the end of a truncated file, so an empty list is written explicitly.
    for place in (try? ConfigEdit(lines.bytes, file: file).root).map(Self.emptyLists) ?? [] {
      lines.insert(" []", behindColonIn: place.line, from: place.column)
    }
    try accept(lines.bytes, if: wanted)
  }

  /// Returns the places of the keys `feeds` without a value, also in categories.
  private static func emptyLists(_ node: YAMLNode) -> [Finding.Location] {
    guard case .mapping(let pairs) = node.content, let feeds = pairs.first(where: { $0.key.text == "feeds" }) else {
      return []
    }
    if feeds.value.isNull { return [feeds.key.location] }
    guard case .sequence(let groups) = feeds.value.content else { return [] }
    return groups.flatMap(emptyLists)
  }

  // MARK: - Parts

  private func refusal(_ message: String, line: Int) -> Refusal {
    let location = Finding.Location(file: file, line: line, column: line == 0 ? 0 : 1)
    return Refusal(finding: Finding(.error, "config.edit", message, at: location))
  }

  private mutating func accept(_ new: [UInt8], if wanted: Planet) throws(Refusal) {
    guard let changed = try? ConfigEdit(new, file: file), changed.planet == wanted else {
      throw refusal("these feeds are written in a way that cannot be changed here; change them by hand", line: 0)
    }
    self = changed
  }

  /// The place where feeds are added.
  private struct Insertion {
    /// The line before which they are written, from 1.
    var line: Int
    /// The indentation of their hyphens.
    var indent: Int
    /// A line written before them.
    var heading: String?
    /// The replacement of the end of an earlier line.
    var cut: (line: Int, column: Int, rest: String)?
  }

  private func insertion() throws(Refusal) -> Insertion {
    let lines = SourceLines(bytes)
    let end = lines.endOfContent(before: lines.count + 1)
    guard let root else { return Insertion(line: lines.count + 1, indent: 2, heading: "feeds:") }
    guard case .mapping(let pairs) = root.content else {
      throw refusal("this is not a configuration; it must be a list of 'key: value' lines", line: 1)
    }
    guard let index = pairs.firstIndex(where: { $0.key.text == "feeds" }) else {
      return Insertion(line: end, indent: 2, heading: "feeds:")
    }
    let (key, value) = pairs[index]
    let next = index + 1 < pairs.count ? pairs[index + 1].key.location.line : lines.count + 1
    if value.isNull { return Insertion(line: key.location.line + 1, indent: 2) }
    guard case .sequence(let items) = value.content else {
      throw refusal("'feeds' is not a list", line: value.location.line)
    }
    let (line, column) = (value.location.line, value.location.column)
    if lines.startsWithHyphen(line, column) {
      return Insertion(line: lines.endOfContent(before: next), indent: column - 1)
    }
    guard items.isEmpty, line == key.location.line, let rest = lines.behindEmptyBrackets(line, column) else {
      throw refusal("the feeds stand in brackets; write each on a line of its own, after '- '", line: line)
    }
    return Insertion(line: line + 1, indent: 2, cut: (line, column, rest))
  }
}

/// A search for the lines of feeds.
private struct ItemSearch {
  let addresses: Set<Planet.Address>
  let lines: SourceLines
  /// The lines of each found feed, in order.
  var found: [ClosedRange<Int>] = []
  /// A line from which a feed cannot be removed alone.
  var refused: Int?

  /// Searches the list under a key of a mapping that ends before a line.
  mutating func look(in mapping: YAMLNode, name: String, until end: Int) {
    guard case .mapping(let pairs) = mapping.content else { return }
    guard let index = pairs.firstIndex(where: { $0.key.text == name }),
      case .sequence(let items) = pairs[index].value.content
    else { return }
    let end = index + 1 < pairs.count ? pairs[index + 1].key.location.line : end
    for (number, item) in items.enumerated() {
      let next = number + 1 < items.count ? items[number + 1].location.line : end
      if item["feeds"] != nil {
        look(in: item, name: "feeds", until: next)
      } else if let text = item.text ?? item["address"]?.text, let address = try? Planet.Address(text),
        addresses.contains(address)
      {
        let line = item.location.line
        guard lines.isItem(line, item.location.column), next > line else {
          refused = refused ?? line
          continue
        }
        found.append(line...(lines.endOfContent(before: next) - 1))
      }
    }
  }
}
