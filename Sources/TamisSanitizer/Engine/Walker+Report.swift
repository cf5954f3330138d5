import TamisCore
import TamisHTML

/// Reports what was removed, where and why.
extension Walker {
  /// Reports the removal of an element, or of one of its attributes.
  mutating func note(_ rule: Removal.Rule, _ entry: RuleTables.Element, attribute: Int? = nil) {
    // An element that is opened again was reported already.
    if !log.isRead || (place.isCopy && rule != .structure) { return }
    if log.isFull { return log.note(rule, "", at: place.offset) }
    let element = tables.text(ofElement: entry.number)
    log.note(rule, attribute.map { "\(element)@\(tables.text(ofAttribute: $0))" } ?? element, at: place.offset)
  }

  /// Reports something else, by a name.
  mutating func note(_ rule: Removal.Rule, _ name: String) {
    if !place.isCopy { log.note(rule, name, at: place.offset) }
  }
}
