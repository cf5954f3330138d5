import TamisCore

/// The sections of a long post, for a list of contents above it, and the body in which each heading has an id.
struct PageContents {
  /// A heading of the body.
  struct Section {
    var id: String
    var title: String
    /// Whether the section is part of the one before it.
    var isDeep = false
  }

  private(set) var body: PageBody
  /// The sections in order; empty when a list of them would be shorter or longer than is of use.
  private(set) var sections: [Section] = []

  /// The numbers of headings for which there is a list of contents.
  ///
  /// With more, the list has the headings of the first level alone, if these are not too many.
  static let useful = 4...100

  init(_ body: PageBody) {
    self.body = body
    let source = body.bytes
    var headings = Self.headings(source)
    guard headings.count >= Self.useful.lowerBound, let top = headings.map(\.level).min() else { return }
    headings.removeAll { $0.level > top + 1 }
    if headings.count > Self.useful.upperBound { headings.removeAll { $0.level > top } }
    if headings.count > Self.useful.upperBound { return }
    var (output, copied): ([UInt8], Int) = ([], 0)
    output.reserveCapacity(source.count + 32 * headings.count)
    for (number, heading) in headings.enumerated() {
      var id = heading.tag.value("id", source).map { String(streamSafe: source[$0]).decodingCharacterReferences() }
      if id == nil {
        id = "section-\(number + 1)"
        output += source[copied..<heading.tag.nameEnd]
        output += " id=\"section-\(number + 1)\"".utf8
        copied = heading.tag.nameEnd
      }
      sections.append(Section(id: id ?? "", title: heading.title, isDeep: heading.level > top))
    }
    self.body = PageBody(source: output + source[copied...])
  }

  private struct Heading {
    var tag: MarkupTag
    var level: UInt8
    var title = ""
  }

  /// The headings that have words and are of the post itself, not of what it quotes or of a table.
  private static func headings(_ source: [UInt8]) -> [Heading] {
    var (headings, open, quoting, isNoted): ([Heading], Heading?, Int, Bool) = ([], nil, 0, false)
    for token in MarkupTokens(source) {
      switch token {
      case .text(let range):
        if open != nil, !isNoted { open?.title += String(streamSafe: source[range]) }
      case .tag(let tag):
        switch tag.name {
        case "blockquote", "table": quoting += tag.isEnd ? -1 : 1
        case "annotation": isNoted = !tag.isEnd
        case "h2", "h3", "h4", "h5", "h6":
          if !tag.isEnd, quoting == 0 { open = Heading(tag: tag, level: tag.name.utf8.last ?? 0) }
          if tag.isEnd, var heading = open {
            heading.title = heading.title.decodingCharacterReferences().trimmed()
            if !heading.title.isEmpty { headings.append(heading) }
            open = nil
          }
        default: break
        }
      }
    }
    return headings
  }
}
