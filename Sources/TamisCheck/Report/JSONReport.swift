import TamisCore

/// Outcomes as lines of JSON: an object for each case, and one with their numbers at the end.
package struct JSONReport: Sendable {
  private var counts: [OtherFault.Kind: Int] = [:]

  /// Begins a report.
  package init() {}

  /// Returns the line of an outcome.
  package mutating func line(_ outcome: CheckRunner.Outcome) -> String {
    for kind in Set(outcome.faults.map(\.kind)) { counts[kind, default: 0] += 1 }
    let text = FailureText(hasColours: false)
    let bytes = JSONWriter.object { json in
      json.member("id", outcome.each.entry?.id)
      json.member("class", outcome.each.entry?.className)
      json.member("name", outcome.each.name)
      json.member("file", outcome.each.location.file)
      json.member("line", outcome.each.location.line)
      json.member("level", outcome.each.entry?.level.rawValue)
      json.member("passed", outcome.hasPassed)
      json.array("faults") { json in
        for failure in outcome.failures { Self.add(failure, text.lines(failure, outcome), &json) }
        for fault in outcome.expected { Self.add(fault, isExpected: true, &json) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func add(_ failure: CheckRunner.Failure, _ lines: [String], _ json: inout JSONWriter) {
    if case .other(let fault) = failure { return add(fault, isExpected: false, &json) }
    json.object { json in
      if case .gone(let kind) = failure { json.member("kind", kind.rawValue) }
      json.member("message", lines.joined(separator: "\n"))
      if case .gone = failure {
        json.member("gone", true)
      }
    }
  }

  private static func add(_ fault: OtherFault, isExpected: Bool, _ json: inout JSONWriter) {
    json.object { json in
      json.member("kind", fault.kind.rawValue)
      json.member("message", fault.message)
      json.member("program", fault.program)
      json.member("output", fault.output)
      if isExpected {
        json.member("expected", true)
      }
    }
  }

  /// Returns the last line: numbers under their names, and those of the faults.
  package func summary(_ numbers: [(name: String, count: Int)]) -> String {
    let bytes = JSONWriter.object { json in
      json.object("summary") { json in
        for (name, count) in numbers {
          json.key(name)
          json.int(Int64(count))
        }
        json.object("faults") { json in
          for kind in OtherFault.Kind.allCases {
            json.key(kind.rawValue)
            json.int(Int64(counts[kind] ?? 0))
          }
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
