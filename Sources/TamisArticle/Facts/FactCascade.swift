import TamisCore
import TamisURL

/// A search for the metadata of a page.
///
/// Machine-readable data comes first, then text near the headline, the URL last. Among equals the rank of the name that
/// declares a fact decides. Running text is never used.
struct FactCascade {
  private typealias Candidate = PageScan.Candidate

  private let tape: PageTape
  private let scan: PageScan
  private let base: WebURL?
  private let url: WebURL?
  private var facts = Article.Facts()
  /// The names of the site, squashed.
  private var sites: Set<String> = []
  /// The linked data of the article, and of the page as a whole.
  private var article: LinkedFacts.Item?
  private var page: LinkedFacts.Item?

  /// Reads the facts of a page.
  ///
  /// - Parameters:
  ///   - tape: the page.
  ///   - url: its URL, or nil when not known.
  ///   - page: its bytes, for the `html` start tag, which tapes lack; empty when not known.
  /// - Returns: the facts, each from its best source.
  static func facts(of tape: PageTape, url: WebURL?, page: [UInt8] = []) -> Article.Facts {
    var cascade = FactCascade(tape, url)
    cascade.read(page)
    return cascade.facts
  }

  private init(_ tape: PageTape, _ url: WebURL?) {
    (self.tape, self.url) = (tape, url)
    scan = PageScan(tape)
    base = scan.base.isEmpty ? url : WebURL(scan.base, base: url) ?? url
  }

  private mutating func read(_ bytes: [UInt8]) {
    chooseLinked()
    readSite()
    readLanguage(bytes)
    let headline = Headline(
      tape, scan, linked: article.map { $0.headline.isEmpty ? $0.name : $0.headline } ?? "", sites: sites)
    facts.title = headline.title.map { .init(value: $0.value.prefix(bytes: 1000), source: $0.source) }
    let byline = Byline(sites: sites)
    let near = headline.element.map {
      NearHeadline(tape, scan, headline: $0, byline: byline, language: facts.language?.value ?? "")
    }
    readByline(byline, near)
    readDates(near)
    readImage(near)
    facts.description = said(.description, article?.description, page?.description, most: 4000)
    if !scan.base.isEmpty { facts.base = base?.href }
    facts.linkedBody = article?.body ?? ""
    facts.linkedText = facts.linkedBody.isEmpty ? article?.text ?? "" : facts.linkedBody
    // Other pages have questions that are asked often, or comments on an article.
    if scan.linked.types.contains(where: FactNames.threadTypes.contains) { facts.linkedPosts = scan.linked.posts }
    facts.linkedProduct = scan.linked.productDescription
    facts.preloaded = scan.preloaded
    facts.isDataCut = scan.isLinkedDataCut
    facts.signs = PageSigns(types: scan.linked.types + values(.type), generators: values(.generator), url: url)
  }

  private func values(_ slot: FactNames.Slot) -> [String] { scan.candidates[slot.rawValue].map(\.value) }

  // MARK: - Linked data

  /// Chooses the article that the page is about: the first whose headline is the page's title, else the first that is
  /// not on another site.
  private mutating func chooseLinked() {
    let items = scan.linked.items
    let articles = items.filter { $0.kind == .article }
    let titles = (scan.candidates[FactNames.Slot.title.rawValue].prefix(3).map(\.value) + [scan.titleElement])
      .map(Squash.text)
    article =
      articles.first { item in
        let name = Squash.text(item.headline.isEmpty ? item.name : item.headline)
        return !name.isEmpty && titles.contains { $0.hasPrefix(name) || $0.hasSuffix(name) }
      } ?? articles.first { !isElsewhere($0) }
    page = items.first { $0.kind == .page }
  }

  /// Whether an article says that it is on another site than the page, as one that the page recommends.
  private func isElsewhere(_ item: LinkedFacts.Item) -> Bool {
    guard !item.headline.isEmpty, let host = WebURL(item.url, base: base)?.hostname else { return false }
    let own = [url?.hostname, best(.canonical).flatMap { resolve($0.value) }.flatMap { WebURL($0)?.hostname }]
    return own.contains { $0 != nil } && !own.contains(host)
  }

  private func best(_ slot: FactNames.Slot) -> Candidate? {
    scan.candidates[slot.rawValue].min { $0.rank < $1.rank }
  }

  private func said(_ slot: FactNames.Slot, _ linked: String?..., most: Int) -> Article.Facts.Fact? {
    if let found = best(slot) { return .init(value: found.value.prefix(bytes: most), source: found.source) }
    for text in linked {
      if let text = text?.squeezed(), !text.isEmpty { return .init(value: text.prefix(bytes: most), source: "json-ld") }
    }
    return nil
  }

  private mutating func readSite() {
    let site = scan.linked.items.first { $0.kind == .site }
    facts.site = said(.site, article?.publisher, site?.name, page?.publisher, most: 200)
    let names = scan.candidates[FactNames.Slot.site.rawValue].map(\.value)
    // Some pages put their title where the site's name belongs.
    let titles = Set(
      (scan.candidates[FactNames.Slot.title.rawValue].map(\.value) + [scan.titleElement]).map(Squash.text))
    for name in names + [article?.publisher ?? "", site?.name ?? "", page?.publisher ?? ""] {
      let name = Squash.text(name)
      if !titles.contains(name) { sites.insert(name) }
    }
    if let host = url?.hostname {
      let labels = host.split(separator: ".").map(String.init).filter { $0 != "www" }
      sites.insert(Squash.text(labels.joined()))
      for label in labels.dropLast() where label.utf8.count > 3 { sites.insert(Squash.text(label)) }
    }
    sites.remove("")
    if let address = best(.canonical), let resolved = resolve(address.value) {
      facts.canonical = .init(value: resolved, source: address.source)
    }
  }

  private mutating func readLanguage(_ bytes: [UInt8]) {
    let declared = LanguageTag.normalized(PageLanguage.declared(in: bytes.span))
    if let declared {
      facts.language = .init(value: declared, source: "html")
    } else if let said = said(.language, article?.language, page?.language, most: 100),
      let tag = LanguageTag.normalized(said.value)
    {
      facts.language = .init(value: tag, source: said.source)
    }
  }

  // MARK: - Authors

  private mutating func readByline(_ byline: Byline, _ near: NearHeadline?) {
    var found: [Candidate] = []
    for (item, rank) in [(article, FactNames.Rank.linkedData), (page, FactNames.Rank.linkedPage)] {
      guard let item else { continue }
      let authors = scan.linked.authors(of: item)
      let people = authors.filter { !$0.isOrganization }
      if let names = byline.names(in: (people.isEmpty ? authors : people).map(\.name), persons: !people.isEmpty) {
        found.append(Candidate(value: names, rank: rank, source: "json-ld"))
      }
    }
    // Repeated declarations under one name are several authors.
    var names: [String: [Candidate]] = [:]
    for each in scan.candidates[FactNames.Slot.byline.rawValue] { names[each.source, default: []].append(each) }
    for (source, list) in names.sorted(by: { ($0.value[0].rank, $0.key) < ($1.value[0].rank, $1.key) }) {
      let isMeta = list[0].rank < FactNames.Rank.itemprop
      if !isMeta, isThread(list) { continue }
      var texts = list.prefix(isMeta ? 30 : 4).map(\.value)
      if beginsWithLastName(source) { texts = texts.flatMap(Byline.inReadingOrder) }
      if let text = byline.names(in: texts, persons: isMeta) {
        found.append(Candidate(value: text, rank: list[0].rank, source: source))
      }
    }
    found += near?.bylines ?? []
    if found.isEmpty { found = FarFromHeadline.bylines(tape, scan, byline) }
    // A group comes last: when a person is also named, the person wrote it.
    for index in found.indices where Byline.isGroup(found[index].value) { found[index].rank += 50 }
    guard let best = found.min(by: { $0.rank < $1.rank }) else { return }
    facts.byline = .init(value: best.value.prefix(bytes: 500), source: best.source)
  }

  /// Whether names of a source are "Last, First" by its definition: those of Google Scholar, and on pages that have
  /// these the creators of Dublin Core.
  private func beginsWithLastName(_ source: String) -> Bool {
    if source.contains("citation_") { return true }
    return source.hasSuffix(".creator")
      && [FactNames.Slot.byline, .published].contains { slot in
        scan.candidates[slot.rawValue].contains { $0.source.contains("citation_") }
      }
  }

  /// Whether names are far apart, as on a page with many writers, none of them its author.
  private func isThread(_ list: [Candidate]) -> Bool {
    guard let first = list.first, let last = list.last else { return false }
    return Set(list.map(\.value)).count > 2 && last.element - first.element > 100
  }

  // MARK: - Dates

  private mutating func readDates(_ near: NearHeadline?) {
    let language = facts.language?.value ?? ""
    var found = scan.candidates[FactNames.Slot.published.rawValue]
    var changed = scan.candidates[FactNames.Slot.updated.rawValue]
    for (item, rank) in [(article, FactNames.Rank.linkedData), (page, FactNames.Rank.linkedPage)] {
      guard let item else { continue }
      for (text, more) in [(item.published, 0), (item.created, 15)] where !text.isEmpty {
        found.append(Candidate(value: text, rank: rank + more, source: "json-ld"))
      }
      if !item.updated.isEmpty { changed.append(Candidate(value: item.updated, rank: rank, source: "json-ld")) }
    }
    found += near?.published ?? []
    changed += near?.updated ?? []
    facts.published = date(found, language)
    facts.updated = date(changed, language)
    if facts.published == nil {
      facts.published = date(FarFromHeadline.dates(tape, scan, language), language)
    }
    if facts.published == nil, let url, let date = PageDate.inAddress(url.path) {
      facts.published = .init(value: date.text, source: "url")
    }
    // The only date visible on a page is the one that readers know.
    if facts.published == nil, let updated = facts.updated, updated.isInText {
      facts.published = .init(value: updated.value, source: updated.source + " (updated)")
    }
  }

  /// Returns the readable date of the lowest rank.
  private func date(_ candidates: [Candidate], _ language: String) -> Article.Facts.Fact? {
    var best: (rank: Int, fact: Article.Facts.Fact)?
    for each in candidates where best.map({ each.rank < $0.rank }) ?? true {
      guard let date = PageDate(each.value, language: language) else { continue }
      best = (each.rank, .init(value: date.text, source: each.source))
    }
    return best?.fact
  }

  // MARK: - What it looks like

  private mutating func readImage(_ near: NearHeadline?) {
    var found = scan.candidates[FactNames.Slot.image.rawValue]
    for (item, rank) in [(article, 15), (page, 25)] {
      if let image = item?.images.first { found.append(Candidate(value: image, rank: rank, source: "json-ld")) }
    }
    if let picture = near?.picture {
      found.append(Candidate(value: picture, rank: FactNames.Rank.lead, source: FactNames.pictureSource))
    }
    // Equal ranks in document order.
    for each in found.enumerated().sorted(by: { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }) {
      guard let resolved = resolve(each.element.value) else { continue }
      facts.image = .init(value: resolved, source: each.element.source)
      return
    }
  }

  /// Returns an HTTP URL resolved against the page's base, or nil for any other.
  private func resolve(_ address: String) -> String? {
    guard address.utf8.count <= 4000, let url = WebURL(address, base: base),
      url.isHTTP
    else { return nil }
    return url.href
  }
}
