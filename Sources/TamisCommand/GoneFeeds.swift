import Tamis

/// Feeds that their servers report as permanently gone, and that the user subscribes to nevertheless.
enum GoneFeeds {
  /// Schedules a gone feed to be fetched again, and reports it.
  ///
  /// - Parameters:
  ///   - address: the URL of the feed.
  ///   - config: the configuration, whose archive stores the state.
  /// - Returns: whether the feed was gone.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read or written.
  static func askAgain(_ address: Planet.Address, _ config: FilePath) throws -> Bool {
    let file = try PlanetOptions.archive(of: config)
    guard file.kind == .file else { return false }
    let stored = address.forAll
    guard try Archive(file: file.description, mode: .reading).fetchStates()[stored]?.isGone == true else {
      return false
    }
    try Archive(file: file.description).forgetFetching(of: [stored])
    Terminal.error("\(TerminalText.beginning(of: stored)) was gone (410); it is fetched again")
    return true
  }
}
