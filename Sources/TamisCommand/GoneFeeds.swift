import Tamis

/// Feeds that are gone for good by their servers' answer, and are subscribed to nevertheless.
enum GoneFeeds {
  /// Has a gone feed fetched again, and reports it.
  ///
  /// - Parameter config: the configuration, whose archive remembers that.
  /// - Returns: whether it was gone.
  static func askAgain(_ address: FeedAddress, _ config: FilePath) throws -> Bool {
    let file = try PlanetOptions.archive(of: config)
    guard file.kind == .file else { return false }
    let stored = address.forAll
    guard try Archive(file: file.description, mode: .reading).fetchStates()[stored]?.isGone == true else {
      return false
    }
    try Archive.open(file: file.description).archive.forgetFetching(of: [stored])
    Terminal.error("\(TerminalText.beginning(of: stored)) was gone (410); it is fetched again")
    return true
  }
}
