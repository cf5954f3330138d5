import TamisCore

extension Footnotes {
  /// Returns what the elements of markup are for its footnotes, by the offsets behind their start tags.
  ///
  /// - Parameter source: markup that the sanitizer wrote.
  /// - Returns: the roles other than ``Role/none``; empty when no element has one.
  package static func roles(in source: [UInt8]) -> [Int: Role] {
    guard ByteScan.contains(Array("href=\"#".utf8), in: source[...]) else { return [:] }
    var reader = HTMLReader()
    reader.readFragment(source.span, limits: .standard)
    let notes = Footnotes(in: reader.builder.tree)
    if notes.labels.isEmpty { return [:] }
    var roles: [Int: Role] = [:]
    while let event = reader.next() {
      guard case .start = event else { continue }
      let role = notes.role(of: reader.entered)
      if role != .none { roles[reader.place.offset + 1] = role }
    }
    return roles
  }
}
