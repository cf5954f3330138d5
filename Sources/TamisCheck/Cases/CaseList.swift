import TamisCore
import TamisFoundation
import TamisJSON
import TamisURL

/// Cases in the formats of other suites.
///
/// These are JSON lines, `{"id", "html", "base"?, "expected"?}`, or a list like DOMPurify's, `[{"title"?, "payload",
/// "expected"}]`, bare or after `export default`. `expected` is an output or a list of allowed outputs.
enum CaseList {
  /// Returns the cases in JSON lines.
  static func lines(_ data: Data, file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    var cases: [SanitizerCase] = []
    for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      let location = Finding.Location(file: file, line: index + 1)
      guard let object = JSONValue(line)?.members else {
        findings.append(Finding(.error, "check.syntax", "this line is no JSON object", at: location))
        continue
      }
      if let each = read(object, location, number: cases.count + 1, into: &findings) { cases.append(each) }
    }
    return cases
  }

  /// Returns the cases in a list.
  static func list(_ data: Data, file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    var data = data
    if let start = data.firstIndex(of: UInt8(ascii: "[")), let end = data.lastIndex(of: UInt8(ascii: "]")),
      data[..<start].starts(with: "export".utf8), start < end
    {
      data = data[start...end]
    }
    guard let list = JSONValue(data)?.elements else {
      let message = "this is not a JSON list of objects with 'payload' or 'html'"
      findings.append(Finding(.error, "check.syntax", message, at: Finding.Location(file: file)))
      return []
    }
    return list.enumerated().compactMap { index, element in
      guard let object = element.members else {
        let message = "item \(index + 1) of the list is not an object"
        findings.append(Finding(.error, "check.syntax", message, at: Finding.Location(file: file)))
        return nil
      }
      return read(object, Finding.Location(file: file), number: index + 1, into: &findings)
    }
  }

  private static func read(
    _ object: [String: JSONValue], _ location: Finding.Location, number: Int, into findings: inout [Finding]
  ) -> SanitizerCase? {
    let name = ["id", "title", "name"].lazy.compactMap { object[$0]?.scalarText }.first ?? "number \(number)"
    func report(_ message: String) {
      findings.append(Finding(.error, "check.syntax", message, at: location, entry: name))
    }
    guard let input = (object["html"] ?? object["payload"] ?? object["input"])?.text else {
      report("there is no string 'html' or 'payload'")
      return nil
    }
    var each = SanitizerCase(name: name, location: location, input: Array(input.utf8))
    switch object["base"] {
    case nil, .null: break
    case .string(let text) where WebURL(text) != nil: each.base = WebURL(text)
    default:
      report("'base' is not an absolute URL")
      return nil
    }
    switch object["expected"] {
    case nil, .null: break
    case .string(let text): each.outputs = [text]
    case let list?:
      if let texts = list.texts, !texts.isEmpty {
        each.outputs = texts
        break
      }
      report("'expected' is neither a string nor a list of strings")
      return nil
    }
    return each
  }
}
