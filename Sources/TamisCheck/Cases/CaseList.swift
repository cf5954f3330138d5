import TamisCore
import TamisFoundation
import TamisURL

/// Cases in the formats of other suites.
///
/// These are JSON lines, `{"id", "html", "base"?, "expected"?}`, or a list like DOMPurify's, `[{"title"?, "payload",
/// "expected"}]`, bare or after `export default`. `expected` is an output or a list of allowed outputs. Objects with a
/// `level` are cases of the suite, as ``SuiteExport`` writes them.
enum CaseList {
  /// Returns the cases in JSON lines.
  static func lines(_ data: Data, file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    var cases: [SanitizerCase] = []
    for (index, line) in data.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 <= 0x20 }) { continue }
      let location = Finding.Location(file: file, line: index + 1)
      guard let object = JSONNode(line), object.members != nil else {
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
    guard let list = JSONNode(data)?.elements else {
      let message = "this is not a JSON list of objects with 'payload' or 'html'"
      findings.append(Finding(.error, "check.syntax", message, at: Finding.Location(file: file)))
      return []
    }
    return list.enumerated().compactMap { index, element in
      guard element.members != nil else {
        let message = "item \(index + 1) of the list is not an object"
        findings.append(Finding(.error, "check.syntax", message, at: Finding.Location(file: file)))
        return nil
      }
      return read(element, Finding.Location(file: file), number: index + 1, into: &findings)
    }
  }

  private static func read(
    _ object: JSONNode, _ location: Finding.Location, number: Int, into findings: inout [Finding]
  ) -> SanitizerCase? {
    let names = object["level"] == nil ? ["id", "title", "name"] : ["name", "id"]
    let name = names.lazy.compactMap { object[$0]?.scalarText }.first ?? "number \(number)"
    func report(_ message: String) {
      findings.append(Finding(.error, "check.syntax", message, at: location, entry: name))
    }
    let shape = object["repeated"]?.text.map {
      SuiteEntry.Shape(before: object["before"]?.text ?? "", repeated: $0, after: object["after"]?.text ?? "")
    }
    guard
      let input = (object["html"] ?? object["payload"] ?? object["input"])?.text ?? shape?.fragment
    else {
      report("there is no string 'html' or 'payload'")
      return nil
    }
    var each = SanitizerCase(name: name, location: location, input: Array(input.utf8))
    switch object["base"]?.value {
    case nil, .null: break
    case .string(let text) where WebURL(text) != nil: each.base = WebURL(text)
    default:
      report("'base' is not an absolute URL")
      return nil
    }
    switch object["expected"]?.value {
    case nil, .null: break
    case .string(let text): each.outputs = [text]
    default:
      if let texts = object["expected"]?.texts, !texts.isEmpty {
        each.outputs = texts
        break
      }
      report("'expected' is neither a string nor a list of strings")
      return nil
    }
    if let objection = readEntry(object, shape, into: &each) {
      report(objection)
      return nil
    }
    return each
  }

  /// Reads what makes a case one of the suite, and returns what is wrong with it.
  private static func readEntry(
    _ object: JSONNode, _ shape: SuiteEntry.Shape?, into each: inout SanitizerCase
  ) -> String? {
    guard object["level"] != nil else { return nil }
    for (member, key) in SuiteExport.members {
      guard let value = object[member] else { continue }
      guard let texts = value.texts ?? value.text.map({ [$0] }) else {
        return "'\(member)' is not a text or a list of texts"
      }
      if let objection = each.read(key, texts.joined(separator: ", ")) { return objection }
    }
    for text in object["keeps"]?.texts ?? [] {
      if let objection = each.read("keeps", text) { return objection }
    }
    return each.setShape(shape)
  }
}
