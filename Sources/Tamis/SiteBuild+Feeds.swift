import TamisCore
import TamisFeed
import TamisFiles
import TamisIndex
import TamisSite

/// Which feed of the index and of the site each file is.
extension SiteBuild {
  /// What names the files of a run.
  struct Names {
    /// A key for each file, in their order; of one that could not be read that of the feed that was in it before.
    var keys: [FeedKey] = []
    /// What is to be said of feeds that would have had the same key.
    var findings: [Finding] = []
    /// The feeds of the site that are to be no part of it any more.
    var removed: Set<FeedKey> = []
  }

  /// The files of a run: the feeds, and what was one when the site was built last.
  static func files(of sources: Sources, _ site: Site, _ places: [FeedKey: String]) -> [Sources.File] {
    let known = Set(site.feeds.compactMap { place(of: $0, places) })
    return sources.files + sources.others.filter { known.contains($0.place) }
  }

  /// Names the files of a run, now that they were read.
  ///
  /// - Parameter places: those of the feeds that the index knew before.
  func names(
    of files: [Sources.File], _ results: [Result<Prepared, NotAFeed>], in sources: Sources, _ site: Site,
    _ index: PostIndex, places: [FeedKey: String], run: Int64
  ) throws(IndexError) -> Names {
    let read = files.indices.filter { (try? results[$0].get()) != nil }
    let identities = read.compactMap { position in
      (try? results[position].get()).map { identity(of: files[position], $0.output.feed) }
    }
    let standing = Set(places.values.filter(sources.isStanding))
    let found = try index.identify(identities, standing: standing, run: run)
    var before: [String: FeedKey] = [:]
    for (key, place) in places { before[place] = key }
    var names = Names()
    names.keys = files.map { before[$0.place] ?? FeedKey(place: $0.place) }
    for (position, key) in zip(read, found.keys) {
      names.keys[position] = key
      guard let twin = found.twins[key] else { continue }
      let message =
        "this feed has the same address or home page as that in \(twin); the two are told apart by where they lie; "
        + "--address FILE=URL says which is which"
      let location = SourceLocation(file: files[position].path.description)
      names.findings.append(Finding(.warning, "build.same-feed", message, at: location))
    }
    names.removed = removed(names.keys, files, sources, site, places)
    return names
  }

  private func identity(of file: Sources.File, _ feed: Feed) -> FeedIdentity {
    FeedIdentity(
      address: file.response.address ?? feed.ownAddress, home: feed.link, place: file.place, tracking: Self.tracking)
  }

  /// The feeds of folders that are read now, and that lie in them no more: their pages go, what the index knows stays.
  private func removed(
    _ keys: [FeedKey], _ files: [Sources.File], _ sources: Sources, _ site: Site, _ places: [FeedKey: String]
  ) -> Set<FeedKey> {
    let current = Set(keys)
    let taken = Set(files.map(\.place))
    return Set(
      site.feeds.filter { key in
        guard !current.contains(key), let place = Self.place(of: key, places) else { return false }
        // One that could never be read had no other name than its place.
        if taken.contains(place) { return places[key] == nil || sources.isInFolder(place) }
        return sources.isGone(place)
      })
  }

  /// Where a feed's file was seen last.
  private static func place(of key: FeedKey, _ places: [FeedKey: String]) -> String? {
    places[key] ?? key.place.map(String.init)
  }
}

extension Feed {
  /// Where the feed says that it is published, if that is an absolute web address.
  var ownAddress: String? {
    links.lazy.filter { $0.rel == "self" }.compactMap { WebAddress.absolute($0.href) }.first
  }
}
