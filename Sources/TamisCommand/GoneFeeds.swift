import Tamis

/// Feeds whose servers have said that they are gone for good, and which somebody subscribes to all the same.
enum GoneFeeds {
  /// Has a feed asked again if it is gone, and says so.
  ///
  /// - Parameter config: the configuration, whose archive remembers that.
  /// - Returns: whether it was gone.
  static func askAgain(_ address: FeedAddress, _ config: FilePath) throws -> Bool {
    var gathering = Gathering()
    gathering.add(configuration: config)
    let file = try SiteRun.archive(nil, nil, isConfigured: true, gathering)
    guard file.kind == .file else { return false }
    let place = address.forAll
    guard try Archive(file: file.description, mode: .reading).fetchStates()[place]?.isGone == true else { return false }
    try Archive.open(file: file.description).archive.forgetFetching(of: [place])
    Terminal.error("\(FailureText.shown(place)) was gone; it is asked again")
    return true
  }
}
