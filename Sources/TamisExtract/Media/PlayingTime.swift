import TamisCore

/// Finds the playing time of an entry's audio or video.
enum PlayingTime {
  /// The playing time in seconds, at least 1; nil when the feed has no duration.
  ///
  /// The sources are, in this order: `itunes:duration`, the `duration_in_seconds` of a JSON Feed's attachment, and the
  /// `duration` of a `media:content` (Media RSS 1.5.1), with the default one first.
  static func seconds(_ entry: Feed.Entry, _ podcast: PodcastFacts?) -> Int? {
    let said = podcast?.seconds ?? entry.extensionText("attachment_duration_in_seconds").flatMap(PodcastFacts.seconds)
    if let said, said > 0 { return said }
    func isDefault(_ object: Feed.MediaObject) -> Bool {
      object.attributes.contains { $0.name == "isdefault" && $0.value.asciiLowercased() == "true" }
    }
    let films = entry.media.filter { $0.source == .content }
    return (films.filter(isDefault) + films).lazy.compactMap { film in
      film.attributes.first { $0.name == "duration" }.flatMap { PodcastFacts.seconds($0.value) }
    }.first { $0 > 0 }
  }
}
