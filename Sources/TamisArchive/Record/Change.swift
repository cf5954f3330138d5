extension Archive.Decision.Change {
  /// Computes the change from the stored post to the one in a document; nil for no change.
  ///
  /// The number of changed words is estimated from the runs of three words that have disappeared: one word changes
  /// three of them, a sequence of n words changes n + 2.
  init?(from old: PostKeys, to new: PostKeys) {
    if old.title == new.title, old.text.digest == new.text.digest {
      if old.markup == new.markup { return nil }
      self = .cosmetic
      return
    }
    if old.text.digest == new.text.digest {
      self = .minor
      return
    }
    guard let similarity = Likeness(old, new).similarity else {
      self = .major
      return
    }
    let words = Double(max(old.text.words, new.text.words))
    let changed = max(1, words * (1 - similarity) / (1 + similarity) - 2, Double(abs(old.text.words - new.text.words)))
    self = changed < max(1.5, words / 10) && changed < 9 ? .minor : .major
  }
}
