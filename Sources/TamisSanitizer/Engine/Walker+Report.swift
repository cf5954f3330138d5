import TamisCore

/// Reports what was removed, where and why.
extension Walker {
  /// Reports the removal of an element, or of one of its attributes.
  mutating func note(_ rule: Removal.Rule, _ entry: RuleTables.Element, attribute: Int? = nil) {
    // Not as an autoclosure of the log: that would capture the walker.
    if !log.isRead { return }
    if log.isFull { return log.note(rule, name: "") }
    let element = tables.text(ofElement: entry.number)
    log.note(rule, name: attribute.map { "\(element)@\(tables.text(ofAttribute: $0))" } ?? element)
  }
}
