package import TamisCore

/// Reads values from a YAML document and collects all errors with their locations.
package struct YAMLReader {
  /// The findings, in the order of reading.
  package var findings: [Finding] = []
  /// The name of the file in findings.
  package let file: String
  private let code: String

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - file: the name of the file in findings.
  ///   - code: the code of the findings.
  package init(file: String, code: String) {
    self.file = file
    self.code = code
  }

  /// Returns the root of the document; nil when it is empty or cannot be read.
  package mutating func root(_ bytes: [UInt8]) -> YAMLNode? {
    YAMLDocument.read(bytes, file: file, code: code, into: &findings)
  }

  // MARK: - Values

  /// Returns the pairs of a mapping; none for null.
  package mutating func pairs(_ node: YAMLNode, _ what: String) -> [(key: YAMLKey, value: YAMLNode)] {
    if node.isNull { return [] }
    guard case .mapping(let pairs) = node.content else {
      report("\(what) must be a list of 'key: value' lines", at: node.location)
      return []
    }
    return pairs
  }

  /// Returns the items of a sequence; none for null.
  package mutating func items(_ node: YAMLNode) -> [YAMLNode] {
    if node.isNull { return [] }
    guard case .sequence(let items) = node.content else {
      report("a list is expected here: in brackets, or with '- ' before each item", at: node.location)
      return []
    }
    return items
  }

  /// Returns a text; nil, with a finding, for anything else.
  package mutating func string(_ node: YAMLNode) -> String? {
    if let text = node.text { return text }
    report(node.isNull ? "a value is missing here" : "a single value is expected here", at: node.location)
    return nil
  }

  /// Returns several texts, either the items of a sequence or a single scalar.
  package mutating func strings(_ node: YAMLNode) -> [String] {
    if node.text != nil { return [node.text ?? ""] }
    return items(node).compactMap { string($0) }
  }

  /// Returns the values of several texts, either the items of a sequence or a single scalar.
  ///
  /// - Parameters:
  ///   - node: the texts.
  ///   - missing: the message about a missing text.
  ///   - parse: a function that parses a text; its mistakes are reported at their columns.
  /// - Returns: the values of texts without mistakes.
  package mutating func values<Value>(
    _ node: YAMLNode, missing: String, _ parse: (String) throws(TextMistake) -> Value
  ) -> [Value] {
    (node.text == nil && !node.isNull ? items(node) : [node]).compactMap { value($0, missing, parse) }
  }

  private mutating func value<Value>(
    _ node: YAMLNode, _ missing: String, _ parse: (String) throws(TextMistake) -> Value
  ) -> Value? {
    if node.isNull {
      report(missing, at: node.location)
      return nil
    }
    guard let text = string(node) else { return nil }
    do throws(TextMistake) { return try parse(text) } catch {
      var location = node.location
      if case .scalar(_, let isPlain) = node.content { location.column += error.offset + (isPlain ? 0 : 1) }
      report("\(error.message), in '\(text.prefix(100))'", at: location)
      return nil
    }
  }

  /// Returns a boolean, written as `yes`, `no`, `true` or `false`.
  package mutating func boolean(_ node: YAMLNode) -> Bool? {
    if let text = node.text, let short = ["yes": true, "no": false][text] { return short }
    return choice(node, [("true", true), ("false", false)])
  }

  /// Returns an integer within a range.
  package mutating func integer(_ node: YAMLNode, in range: ClosedRange<Int>) -> Int? {
    guard let text = string(node) else { return nil }
    if text.utf8.count <= 18, let number = Int(text), range.contains(number) { return number }
    report("'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)", at: node.location)
    return nil
  }

  /// Returns the value of one of several words.
  package mutating func choice<Value>(_ node: YAMLNode, _ choices: [(String, Value)]) -> Value? {
    guard let text = string(node) else { return nil }
    if let match = choices.first(where: { $0.0 == text }) { return match.1 }
    let words = choices.map(\.0)
    let hint = NearestName.of(text, among: words).map { "; did you mean '\($0)'?" } ?? ""
    report("'\(text)' is not one of \(words.joined(separator: ", "))\(hint)", at: node.location)
    return nil
  }

  // MARK: - Errors

  /// Reports an unknown key.
  package mutating func unknown(_ key: YAMLKey, _ known: [String], _ kind: String) {
    let hint =
      NearestName.of(key.text, among: known).map { "did you mean '\($0)'?" }
      ?? "known are \(known.joined(separator: ", "))"
    report("unknown \(kind) '\(key.text)'; \(hint)", at: key.location)
  }

  /// Adds a finding.
  package mutating func report(
    _ message: String, at location: Finding.Location, _ severity: Finding.Severity = .error
  ) {
    findings.append(Finding(severity, code, message, at: location))
  }
}
