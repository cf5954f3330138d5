import TamisCore

/// Clearly marked authors and dates anywhere on a page, for pages without them near the headline.
///
/// Two different values mean that they are about something else; then none is used.
enum FarFromHeadline {
  private static let mostBytes = 120
  private static let mostFound = 12

  /// Returns the names in elements whose class marks an author.
  static func bylines(_ tape: PageTape, _ scan: PageScan, _ byline: Byline) -> [PageScan.Candidate] {
    var found: [String] = []
    for element in tape.elements.indices where found.count < mostFound {
      guard let text = text(of: element, FactNames.bylineHints, tape, scan), let names = byline.names(in: text),
        byline.areNames(names, short: Byline.saysBy(text))
      else { continue }
      found.append(names)
    }
    return candidates(found, FactNames.Rank.line + 5)
  }

  /// Returns the dates in `time` elements, and in elements whose class marks a date and whose text mentions
  /// publication.
  static func dates(_ tape: PageTape, _ scan: PageScan, _ language: String) -> [PageScan.Candidate] {
    var found: [String] = []
    for element in tape.elements.indices where found.count < mostFound {
      if scan.role(of: element) == .time, let said = scan.date(of: element), !scan.isElsewhere(element),
        let date = PageDate(said, language: language)
      {
        found.append(String(date.text.prefix(10)))
      } else if let text = text(of: element, FactNames.dateHints, tape, scan),
        let date = PageDate(text, language: language), date.other <= 24, saysPublished(text)
      {
        found.append(String(date.text.prefix(10)))
      }
    }
    return candidates(found, FactNames.Rank.line + 5)
  }

  private static func saysPublished(_ text: String) -> Bool {
    let folded = text.lowercased()
    return FactNames.publishWords.contains { folded.contains($0) }
  }

  private static func text(of element: Int, _ hints: [StaticString], _ tape: PageTape, _ scan: PageScan) -> String? {
    guard let classes = scan.range(.classes, of: element)?.prefix(300), tape.contains(any: hints, in: classes),
      !tape.contains(any: FactNames.otherHints, in: classes), !scan.isElsewhere(element),
      tape.elements[element].zones.isDisjoint(with: [.footer, .form])
    else { return nil }
    let text = tape.pieces(in: element, most: 2 * mostBytes).squeezed()
    return text.isEmpty || text.utf8.count > mostBytes ? nil : text
  }

  private static func candidates(_ found: [String], _ rank: Int) -> [PageScan.Candidate] {
    guard let first = found.first, Set(found.map(Squash.text)).count == 1 else { return [] }
    return [PageScan.Candidate(value: first, rank: rank, source: "class")]
  }
}
