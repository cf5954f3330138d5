import Mustache
import TamisCore

/// The values a template sees.
///
/// There is no way to put a plain string in: text goes through ``HTMLText``.
struct PageContext: MustacheParent {
  private var values: [String: Any] = [:]

  /// Sets a text.
  ///
  /// Nil and the empty text count as absent: set all the same, since a template looks for a name that is not there in
  /// the contexts around this one.
  mutating func set(_ name: String, _ text: String?) {
    values[name] = HTMLText(text ?? "")
  }

  /// Sets a number; nil counts as absent.
  mutating func set(_ name: String, _ number: Int?) {
    set(name, number.map { String($0) })
  }

  /// Sets a condition.
  mutating func set(_ name: String, _ condition: Bool) {
    values[name] = condition
  }

  /// Sets sanitized markup.
  mutating func set(_ name: String, _ html: SanitizedHTML) {
    values[name] = HTMLText(html)
  }

  /// Sets the theme's style sheet.
  mutating func set(_ name: String, _ style: StyleSheet) {
    values[name] = HTMLText(style)
  }

  /// Sets a group of values; nil counts as absent.
  mutating func set(_ name: String, _ context: PageContext?) {
    values[name] = context ?? HTMLText("")
  }

  /// Sets a list of groups of values; an empty one counts as absent.
  mutating func set(_ name: String, _ list: [PageContext]) {
    values[name] = list
  }

  /// Sets a list of texts; an empty one counts as absent.
  mutating func set(_ name: String, _ list: [String]) {
    values[name] = list.map { HTMLText($0) }
  }

  func child(named name: String) -> Any? { values[name] }
}
