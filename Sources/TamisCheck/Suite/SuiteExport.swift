import TamisCore
import TamisURL

/// The cases of the suite as JSON: a list of objects, one on each line (`Suite/README.md`).
package enum SuiteExport {
  /// The members with the keys of case files that they have the values of, the id first.
  static let members = [
    ("id", "id"), ("level", "level"), ("advisories", "advisory"), ("contexts", "context"), ("asks", "asks"),
  ]

  /// Returns the document of all cases that belong to the suite, in order.
  package static func json(_ cases: [SanitizerCase]) -> [UInt8] {
    let lines = cases.compactMap { each in each.entry.map { line(each, $0) } }
    return Array("[\n".utf8) + lines.joined(separator: Array(",\n".utf8)) + Array("\n]\n".utf8)
  }

  private static func line(_ each: SanitizerCase, _ entry: SuiteEntry) -> [UInt8] {
    JSONWriter.object { json in
      json.member("id", entry.id)
      json.member("class", entry.className)
      json.member("name", each.name)
      json.member("level", entry.level.rawValue)
      list("advisories", entry.advisories, &json)
      list("contexts", entry.contexts.map(\.rawValue), &json)
      list("asks", SuiteEntry.Question.allCases.filter(entry.questions.contains).map(\.rawValue), &json)
      list("keeps", each.keeps, &json)
      json.member("base", each.base?.description)
      if let shape = entry.shape {
        json.member("before", shape.before)
        json.member("repeated", shape.repeated)
        json.member("after", shape.after)
      } else {
        json.member("html", String(decoding: each.input, as: UTF8.self))
      }
    }
  }

  /// Adds a list; none when it is empty.
  private static func list(_ name: StaticString, _ texts: [String], _ json: inout JSONWriter) {
    if !texts.isEmpty { json.member(name, texts) }
  }
}
