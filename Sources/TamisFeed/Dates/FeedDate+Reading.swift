public import TamisCore

extension FeedDate {
  /// A date in any of the forms that feeds use.
  public init(reading text: String) {
    self.init(source: text, seconds: DateParser.seconds(text))
  }
}
