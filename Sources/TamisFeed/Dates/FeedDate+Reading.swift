public import TamisCore

extension FeedDate {
  /// A date in any of the forms that feeds use.
  public init(reading text: String) {
    let date = DateParser.read(text)
    self.init(source: text, seconds: date?.seconds, offset: date?.offset)
  }

  /// Whether it has a time of day and names no zone, so that it is taken for one in UTC: a zone behind it makes a difference.
  package var isLocal: Bool {
    guard let seconds else { return false }
    let text = source.trimmed()
    return ["+01:00", " +0100"].contains { DateParser.seconds(text + $0) == seconds - 3600 }
  }
}
