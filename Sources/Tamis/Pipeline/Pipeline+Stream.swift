import Dispatch
public import TamisCore
import TamisExtract
public import TamisFeed
import TamisURL

/// Posts as they are asked for.
extension Pipeline {
  /// Processes a document post by post.
  ///
  /// The posts are those of ``process(_:details:)``, in memory a few at a time. The feed's own data and the pictures
  /// that several posts have, which belong to the site's design, are known at the document's end. So the document is
  /// read twice before its first post, and again while posts are asked for: an ``EntryStage`` is called twice for each
  /// entry, and some bytes are kept for each picture. Articles of supplied pages are not used.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - report: called with each finding, in order, on the thread that makes the posts.
  /// - Returns: the feed, and its posts. When the stream is no longer referred to, reading stops; so it does when the
  ///   task that asks for posts is cancelled, and the stream throws `CancellationError`.
  /// - Throws: ``FeedParser/Failure`` when the document is not a feed, `CancellationError` when the task is cancelled.
  @concurrent public func posts(
    of document: FeedDocument, report: @escaping @Sendable (Finding) -> Void = { _ in }
  ) async throws -> (feed: Feed, posts: Posts) {
    let survey = try survey(document)
    let channel = PostChannel()
    DispatchQueue(label: "tamis.posts").async {
      self.send(document, survey, to: channel, report)
      channel.end()
    }
    return (survey.feed, Posts(receiver: PostReceiver(channel)))
  }

  /// The posts of a document in its order, each made when it is asked for.
  public struct Posts: AsyncSequence, Sendable {
    let receiver: PostReceiver

    /// Returns an iterator; two iterators of one sequence share its posts.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(receiver: receiver) }

    /// Gives one post after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let receiver: PostReceiver

      /// Returns the next post; nil after the last one.
      ///
      /// - Throws: `CancellationError` when the task is cancelled.
      public mutating func next() async throws -> Post? {
        let receiver = receiver
        let post = await withTaskCancellationHandler {
          await receiver.next()
        } onCancel: {
          receiver.end()
        }
        try Task.checkCancellation()
        return post
      }
    }
  }

  /// What has to be known of a document before its first post can be made.
  private struct Survey: Sendable {
    var feed: Feed
    var site: WebURL?
    var escaping: SecondEscaping
    var repeatedPictures: RepeatedPictures
    /// The findings about the feed itself.
    var findings: [Finding]
  }

  private func survey(_ document: FeedDocument) throws -> Survey {
    var ignored: [Finding] = []
    // The first reading is for the feed's own data, which may follow the entries; the second for repeated pictures.
    var escaping = SecondEscaping()
    var heading = try parser.parse(document, into: &ignored) { entry in
      escaping.note(entry)
      return Task.isCancelled ? .stop : .continue
    }.feed
    let site = Identifier.site(of: &heading, from: document.base)
    var findings: [Finding] = []
    var names = NameBounds(limits)
    names.apply(toAuthorsOf: &heading, at: Finding.Location(file: document.name), into: &findings)
    let feed = heading
    var pictures = RepeatedPictures()
    var gate = EntryGate(limits)
    _ = try parser.parse(document, into: &ignored) { entry in
      if gate.admits(entry), let input = prepare(escaping.undone(entry), of: feed, site, nil, nil).input {
        pictures.add(input.facts)
      }
      return Task.isCancelled ? .stop : .continue
    }
    try Task.checkCancellation()
    return Survey(feed: feed, site: site, escaping: escaping, repeatedPictures: pictures, findings: findings)
  }

  private func send(
    _ document: FeedDocument, _ survey: Survey, to channel: PostChannel,
    _ report: @escaping (Finding) -> Void
  ) {
    for finding in survey.findings { report(finding) }
    var names = NameBounds(limits)
    var gate = EntryGate(limits)
    var findings: [Finding] = []
    // A document that cannot be read has been refused by the first reading.
    _ = try? parser.parse(document, into: &findings) { entry in
      guard gate.admits(entry) else { return .continue }
      var found: [Finding] = []
      let post = makePost(of: entry, survey, &names, &found)
      for finding in found { report(finding) }
      guard let post else { return .continue }
      return channel.send(post) ? .continue : .stop
    }
    for finding in findings + gate.findings { report(finding) }
  }

  private func makePost(
    of entry: Feed.Entry, _ survey: Survey, _ names: inout NameBounds, _ findings: inout [Finding]
  ) -> Post? {
    let prepared = prepare(survey.escaping.undone(entry), of: survey.feed, survey.site, nil, nil)
    findings += prepared.findings
    guard let input = prepared.input else { return nil }
    var extracted = extracted(of: input, survey.repeatedPictures, details: false)
    return finish(&extracted, of: survey.feed, &names, into: &findings) ? extracted.post : nil
  }
}
