import TamisCore

/// What is to be said of a path at which nothing is.
extension FilePath {
  /// Why nothing is there and what to do.
  public var absence: String {
    let text = description
    guard text.beginsAsHTTP else { return "there is no such file or folder" }
    return "only files are read here; fetch it first: tamis fetch '\(text)' --into feeds"
  }
}
