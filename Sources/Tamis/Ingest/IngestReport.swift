import TamisArchive
public import TamisCore

extension SiteBuild {
  /// The result of reading the sources.
  public struct IngestReport: Sendable {
    /// The number of feeds that were read.
    public internal(set) var feeds = 0
    /// The number of documents of the feeds' histories that were read.
    public internal(set) var earlierDocuments = 0
    /// The number of feeds whose files are unchanged, so that nothing was read.
    public internal(set) var unchanged = 0
    /// The number of feeds that could not be read, now or the last time, and whose earlier posts are stored.
    public internal(set) var failing = 0
    /// The number of subscriptions for each result, by ``FetchedFeed/word``; empty when there are none.
    package internal(set) var fetching: [FetchedFeed.Word: Int] = [:]
    /// The number of feeds, and of lists of feeds, that could not be read.
    public internal(set) var failed = 0
    /// The number of pictures that were fetched and stored.
    public internal(set) var pictures = 0
    /// The number of entries' pages that were fetched.
    public internal(set) var pages = 0
    /// The number of entries' pages that were taken from files.
    public internal(set) var knownPages = 0
    /// The number of new posts that are folded into others.
    public internal(set) var folded = 0
    /// The decision on each post, by source and in document order; empty unless requested.
    public internal(set) var events: [SiteBuild.Event] = []
    /// The findings, by source.
    public internal(set) var findings: [Finding] = []
    /// The posts of the events.
    var posts: [PostNumber?] = []
    private var counts: [Word: Int] = [:]

    /// A decision as a word.
    public enum Word: Sendable, Hashable {
      case new, backfill, known, updated, revived, duplicate, buried, cutOff, heldBack
    }

    /// Whether no feed was read, now or before.
    package var isEmpty: Bool { feeds + unchanged + failing == 0 }

    /// Returns the number of posts with a decision.
    public func count(_ word: Word) -> Int { counts[word] ?? 0 }

    mutating func add(_ stage: FullTextStage) {
      (pages, knownPages) = (stage.came, stage.taken)
      findings += stage.findings
    }

    mutating func add(_ pictures: PictureStage.Report) {
      self.pictures = pictures.stored
      findings += pictures.findings
    }

    private mutating func count(_ decision: Archive.Decision) {
      let word: Word =
        switch decision {
        case .new: .new
        case .backfill: .backfill
        case .known: .known
        case .updated: .updated
        case .revived: .revived
        case .duplicate: .duplicate
        case .buried: .buried
        case .cutOff: .cutOff
        case .heldBack: .heldBack
        }
      counts[word, default: 0] += 1
    }

    /// Counts the decisions on the posts of a document, and reports those that keep the words that they had.
    mutating func count(_ verdicts: [Verdict], in file: String) {
      for verdict in verdicts { count(verdict.decision) }
      let kept = verdicts.count(where: \.keepsBody)
      guard kept > 0 else { return }
      let message =
        "\(kept.counted("post")) came without words that the archive has: empty, cut short or all alike; what is stored "
        + "stays; tamis archive forget takes a post away"
      findings.append(Finding(.warning, "archive.kept-words", message, at: Finding.Location(file: file)))
    }

    mutating func note(_ verdict: Verdict, _ index: Int, _ document: PreparedDocument, _ key: Feed.Key) {
      let card = document.card(ofPost: index)
      var event = SiteBuild.Event(
        feed: key, title: card.isUntitled ? "" : card.title, location: document.locations[index],
        decision: verdict.decision,
        rule: verdict.rule)
      if case .duplicate(let kept) = verdict.decision { event.kept = document.locations[kept] }
      events.append(event)
      posts.append(verdict.name.isEmpty ? nil : verdict.post)
    }
  }
}
