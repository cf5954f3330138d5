import TamisCore

/// Reads a person from one line of text.
enum PersonText {
  /// Reads `me@example.org (Me)`, `Me <me@example.org>`, `me@example.org` or a name.
  ///
  /// The text of a contributor is always a name.
  static func parse(_ text: String, _ role: FeedElement.PersonRole) -> Feed.Person {
    // Some feeds escape the brackets around the address twice.
    let hasReferences = text.utf8.contains(UInt8(ascii: "&"))
    let single = hasReferences ? text.replacing("&lt;", with: "<").replacing("&gt;", with: ">") : text
    let whole = single.collapsingSpace()
    if role == .contributor { return Feed.Person(name: whole.trimmedOrNil()) }
    guard whole.utf8.contains(UInt8(ascii: "@")) else { return Feed.Person(name: whole.trimmedOrNil()) }
    guard let email = address(in: whole) else { return Feed.Person(name: whole.trimmedOrNil()) }
    let parts = whole.split(separator: email, maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.joined(separator: " ").filter { !"<>()".contains($0) }.collapsingSpace()
    return Feed.Person(name: rest.trimmedOrNil(), email: email, text: whole)
  }

  /// Returns the first text that looks like a mail address: characters without spaces around an `@`, and a dot after
  /// it.
  private static func address(in text: String) -> String? {
    for word in text.split(whereSeparator: { " <>(),;".contains($0) }) {
      let parts = word.split(separator: "@", omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), parts[1].utf8.count > 3 {
        return word.hasPrefix("mailto:") ? String(word.dropFirst(7)) : String(word)
      }
    }
    return nil
  }
}
