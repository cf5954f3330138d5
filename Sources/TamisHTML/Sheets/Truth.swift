/// Whether something holds, in an order in which `min` is "and", and `max` is "or".
enum Truth: Int8, Comparable {
  case no
  /// What decides is not known, such as the size of a container, or changes while the page is read, such as `:hover`.
  case maybe
  case yes

  static func < (left: Truth, right: Truth) -> Bool { left.rawValue < right.rawValue }

  static prefix func ! (truth: Truth) -> Truth { Truth(rawValue: 2 - truth.rawValue) ?? .maybe }

  init(_ holds: Bool) { self = holds ? .yes : .no }
}
