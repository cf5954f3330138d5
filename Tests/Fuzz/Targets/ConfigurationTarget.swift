import TamisCore
import TamisPlanet

/// Configurations and subscription lists; the first byte chooses the format, or that it is recognized.
struct ConfigurationTarget: FuzzTarget {
  let name = "configuration"
  let longest = 4000

  private static let formats: [PlanetFile.Format?] = [nil, .tamis] + PlanetFile.Format.allCases

  func fault(in input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let bytes = Array(input.dropFirst())
    let format = Self.formats[Int(first) % Self.formats.count]
    let file = PlanetFile(reading: bytes, name: "file", as: format ?? PlanetFile.format(of: bytes))
    return Places.fault(in: file.findings, of: bytes) ?? fault(ofWriting: file.planet) ?? fault(ofFilters: file.planet)
      ?? (file.format == .tamis && file.isValid ? fault(ofEditing: bytes, file.planet) : nil) ?? fault(ofTrust: file)
  }

  func text(of input: [UInt8]) -> String { String(decoding: input.dropFirst(), as: UTF8.self) }

  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let filters = files.sections("rules", in: "Filters").map { Array("filters:\n".utf8) + $0 }
    let selectors = files.sections("selectors", in: "Selections").map { Array("defaults:\n  only:\n".utf8) + $0 }
    let found = files.sections("input", in: "Planet") + files.sections("input", in: "PlanetEdits")
    return (found + filters + selectors).map { [0] + $0.prefix(longest - 1) }
  }

  // MARK: - What must hold

  /// A planet is read as it is written, as a configuration whole and as OPML with all feeds.
  private func fault(ofWriting planet: Planet) -> String? {
    let text = planet.text
    let again = PlanetFile(reading: Array(text.utf8), name: "again", as: .tamis)
    if again.planet != planet {
      let lines = Set(text.split(separator: "\n")).symmetricDifference(again.planet.text.split(separator: "\n"))
      return "a configuration is not read as it is written: \(lines.sorted()) \(again.findings)"
    }
    let outline = PlanetFile(reading: planet.opml(), name: "again")
    if outline.format != .opml { return "OPML is taken for \(outline.format)" }
    let (had, has) = (Set(planet.feeds.map(\.address)), Set(outline.planet.feeds.map(\.address)))
    return had == has ? nil : "OPML has other feeds: \(had.symmetricDifference(has))"
  }

  /// Filters do not make up a post.
  private func fault(ofFilters planet: Planet) -> String? {
    var card = Post.Card()
    (card.title, card.authors, card.tags) = ("A title of 3 words", ["Ann"], ["fog", "c++"])
    (card.language, card.published) = ("de-AT", 1_700_000_000)
    let post = Post(card: card, content: SanitizedHTML(escaping: "Some text about fog & rain."), id: "1")
    var context = PostFilter.Context()
    context.now = 1_700_100_000
    for settings in planet.feeds.map({ planet.settings(for: $0) }) + [planet.standardSettings] {
      let outcome = PostFilter(settings.filters).apply(to: post, in: context)
      if outcome.post?.content ?? post.content != post.content { return "a filter has changed a body" }
      if outcome.reached > settings.filters.count { return "more filters were asked than there are" }
    }
    return nil
  }

  /// An edit makes the requested change, or none.
  private func fault(ofEditing bytes: [UInt8], _ planet: Planet) -> String? {
    guard var edit = try? ConfigEdit(bytes, file: "file"),
      let address = try? Planet.Address("https://added.example/feed")
    else { return "a valid configuration cannot be edited" }
    if planet.feeds.contains(where: { $0.address == address }) { return nil }
    guard (try? edit.add([Planet.Subscription(address)])) != nil else { return nil }
    let added = PlanetFile(reading: edit.bytes, name: "file", as: .tamis).planet
    if added.feeds != planet.feeds + [Planet.Subscription(address)] { return "an added feed is not read" }
    guard (try? edit.remove([address])) != nil else { return nil }
    let removed = PlanetFile(reading: edit.bytes, name: "file", as: .tamis).planet
    return removed == planet ? nil : "a removed feed takes others with it"
  }

  /// Without what only its owner may decide, a file runs nothing and sends no secret.
  private func fault(ofTrust file: PlanetFile) -> String? {
    var file = file
    file.dropUntrustedSettings()
    let planet = file.planet
    let settings = planet.feeds.map(\.settings) + planet.readingLists.map(\.settings) + [planet.defaults]
    let rules = settings.flatMap(\.filters) + planet.filters
    if rules.contains(where: { if case .program = $0.action { true } else { false } }) { return "a program is left" }
    if settings.contains(where: { !$0.request.secrets.isEmpty }) { return "a secret is left" }
    return planet.fetching.proxy == nil && planet.fetching.secrets == nil ? nil : "a proxy or a file of secrets is left"
  }
}
