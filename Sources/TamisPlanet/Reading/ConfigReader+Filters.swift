package import TamisCore
import TamisURL
import TamisYAML

/// The numbers of conditions and expressions by which a file of filters is bounded.
struct FilterCounts {
  /// The depth of the condition that is being read, from 1; 0 outside of conditions.
  var depth = 0
  /// The number of conditions in the rule that is being read.
  var conditions = 0
  /// The number of regular expressions in the file.
  var patterns = 0
}

extension ConfigReader {
  static let filterActions = ["keep", "drop", "rename", "retag", "excerpt", "program"]

  mutating func filters(_ node: YAMLNode) -> [Planet.FilterRule] {
    let items = yaml.items(node)
    if items.count > Planet.mostRules {
      yaml.report("there are more than \(Planet.mostRules) filters; put several words into one", at: node.location)
    }
    return items.prefix(Planet.mostRules).compactMap { item in
      let pairs = yaml.pairs(item, "a filter")
      guard pairs.count == 1, let (key, value) = pairs.first else {
        if !pairs.isEmpty || item.isNull {
          yaml.report("a filter is one of \(Self.filterActions.joined(separator: ", "))", at: item.location)
        }
        return nil
      }
      return action(key, value).map { Planet.FilterRule($0, at: key.location) }
    }
  }

  private mutating func action(_ key: YAMLKey, _ value: YAMLNode) -> Planet.FilterRule.Action? {
    counts.conditions = 0
    switch key.text {
    case "keep": return condition(value).map { .keep($0) }
    case "drop": return condition(value).map { .drop($0) }
    case "excerpt":
      if value.text == "all" { return .excerpt(Planet.FilterCondition()) }
      return condition(value).map { .excerpt($0) }
    case "rename": return rename(value).map { .rename($0) }
    case "retag": return retag(value)
    case "program": return program(value).map { .program($0) }
    default:
      yaml.unknown(key, Self.filterActions, "filter")
      return nil
    }
  }

  /// Reads a condition, and those inside it.
  private mutating func condition(_ node: YAMLNode) -> Planet.FilterCondition? {
    counts.depth += 1
    counts.conditions += 1
    defer { counts.depth -= 1 }
    guard counts.depth <= Planet.FilterCondition.deepest else {
      yaml.report(
        "conditions are nested more than \(Planet.FilterCondition.deepest) levels deep here", at: node.location)
      return nil
    }
    guard counts.conditions <= Planet.FilterCondition.most else {
      if counts.conditions == Planet.FilterCondition.most + 1 {
        yaml.report(
          "this rule has more than \(Planet.FilterCondition.most) conditions; write several rules", at: node.location)
      }
      return nil
    }
    let before = yaml.findings.count
    let table = Planet.FilterCondition.table
    let condition = read(node, "a condition", by: table, over: Planet.FilterCondition())
    if yaml.findings.count == before, let objection = Self.objection(to: condition, node) {
      yaml.report(objection, at: node.location)
    }
    // A partly read condition would match other posts than intended.
    return yaml.findings.count == before ? condition : nil
  }

  /// Returns the reason why no post, or every post, meets a condition; nil when it selects posts.
  private static func objection(to condition: Planet.FilterCondition, _ node: YAMLNode) -> String? {
    if condition.isEmpty {
      let names = Planet.FilterCondition.table.map(\.name).filter { $0 != "in" }
      return "a condition is missing here: \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }
    if node["in"] != nil, condition.words.isEmpty, condition.matches.isEmpty {
      return "'in' says where 'words' and 'matches' are searched; write one of them beside it"
    }
    if let older = condition.olderThan, let newer = condition.newerThan, older >= newer {
      return "no post is older than \(older.counted("day")) and not older than \(newer)"
    }
    if let shorter = condition.shorterThan, let longer = condition.longerThan, shorter <= longer + 1 {
      return "no text has more than \(longer.counted("word")) and fewer than \(shorter)"
    }
    return nil
  }

  /// Reads a condition, or several.
  mutating func conditions(_ node: YAMLNode) -> [Planet.FilterCondition] {
    guard case .sequence(let items) = node.content else { return condition(node).map { [$0] } ?? [] }
    if items.isEmpty { yaml.report("a condition is missing here", at: node.location) }
    return items.compactMap { condition($0) }
  }

  /// Reads the parts of a post that are searched: one, several, or `both` for the title and the text.
  mutating func fields(_ node: YAMLNode) -> [Planet.FilterCondition.Field]? {
    typealias Field = Planet.FilterCondition.Field
    let choices = Field.allCases.map { ($0.rawValue, [$0]) } + [("both", Field.standard)]
    let named = Set(items(node).compactMap { yaml.choice($0, choices) }.joined())
    return named.isEmpty ? nil : Field.allCases.filter(named.contains)
  }

  /// Reads a list of words of a choice, or a single one, each once.
  mutating func choices<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ node: YAMLNode) -> [Value] {
    let named: Set<Value> = Set(items(node).compactMap { choice($0) })
    return Value.allCases.filter(named.contains)
  }

  /// Reads regular expressions, and reports those that cannot be used.
  mutating func patterns(_ node: YAMLNode) -> [String] {
    items(node).compactMap { item in
      guard let text = yaml.string(item) else { return nil }
      counts.patterns += 1
      if counts.patterns > Planet.FilterCondition.mostPatterns {
        if counts.patterns == Planet.FilterCondition.mostPatterns + 1 {
          yaml.report(
            "this file has more than \(Planet.FilterCondition.mostPatterns) expressions; join some by '|', or use words",
            at: item.location)
        }
      } else if text.isEmpty {
        yaml.report("a value is missing here", at: item.location)
      } else if let objection = Pattern.objection(to: text) {
        yaml.report(objection, at: item.location)
      }
      return text
    }
  }

  /// Reads hosts, and returns them as URLs have them.
  mutating func domains(_ node: YAMLNode) -> [String] {
    items(node).compactMap { item in
      guard let text = line(item) else { return nil }
      let isHost = !text.utf8.contains { "/?#@: *".utf8.contains($0) }
      if isHost, let host = WebURL("http://\(text)/")?.hostname { return host.withoutRootDot }
      yaml.report("'\(text)' is not a host; write it as in example.org, without https:// and path", at: item.location)
      return nil
    }
  }

  /// Reads a number of words, from 1.
  mutating func wordCount(_ node: YAMLNode) -> Int? {
    guard let text = yaml.string(node) else { return nil }
    let parts = text.split(separator: " ")
    let isCount = parts.count == 1 || parts.count == 2 && ["word", "words"].contains(parts[1])
    if isCount, let count = Int(parts[0]), (1...1_000_000).contains(count) { return count }
    yaml.report("'\(text)' is not a number of words; write it as in 200 words", at: node.location)
    return nil
  }

  mutating func languages(_ node: YAMLNode) -> [String] {
    items(node).compactMap { language($0) }
  }

  /// Reads words, and reports those that cannot be matched.
  mutating func words(_ node: YAMLNode) -> [String] {
    let list = lines(node)
    for word in list {
      if let objection = WordSet.objection(to: word) { yaml.report(objection, at: node.location) }
    }
    return list
  }

  private mutating func rename(_ node: YAMLNode) -> Planet.FilterRule.Rename? {
    var texts: [String: String] = [:]
    let known = ["replace", "with", "prefix", "suffix"]
    for (key, value) in yaml.pairs(node, "rename") {
      guard known.contains(key.text) else {
        yaml.unknown(key, known, "setting of rename")
        continue
      }
      if value.isNull, key.text == "with" {
        texts["with"] = ""
      } else if let text = yaml.string(value) {
        texts[key.text] = text
      }
    }
    if texts.values.contains(where: \.isEmpty), texts["with"]?.isEmpty != true || texts.count == 1 {
      yaml.report("a text is missing here", at: node.location)
      return nil
    }
    switch (texts["replace"], texts["prefix"], texts["suffix"]) {
    case (let text?, nil, nil) where !text.isEmpty: return .replace(text, with: texts["with"] ?? "")
    case (nil, let text?, nil) where texts["with"] == nil: return .removePrefix(text)
    case (nil, nil, let text?) where texts["with"] == nil: return .removeSuffix(text)
    default:
      yaml.report("rename needs one of replace (and with), prefix, suffix", at: node.location)
      return nil
    }
  }

  private mutating func retag(_ node: YAMLNode) -> Planet.FilterRule.Action? {
    var tags: [String: String?] = [:]
    for (key, value) in yaml.pairs(node, "retag") {
      let name = key.text.collapsingSpace()
      if name.isEmpty {
        yaml.report("a tag is missing here", at: key.location)
      } else if value.isNull {
        tags.updateValue(nil, forKey: name)
      } else if let new = line(value) {
        tags.updateValue(new, forKey: name)
      }
    }
    if tags.isEmpty {
      yaml.report("retag needs tags, as in 'old: new', or 'old:' for one that goes", at: node.location)
      return nil
    }
    return .retag(tags)
  }

  private mutating func program(_ node: YAMLNode) -> Planet.FilterProgram? {
    var program = Planet.FilterProgram(command: [])
    if node.text != nil {
      yaml.report("program needs a command as a list, as in {command: [./filter, --option]}", at: node.location)
      return nil
    }
    for (key, value) in yaml.pairs(node, "program") {
      switch key.text {
      case "command": program.command = yaml.strings(value)
      case "time": program.timeLimit = duration(value, from: .seconds(1)) ?? program.timeLimit
      case "memory": program.memoryLimit = size(value) ?? program.memoryLimit
      default: yaml.unknown(key, ["command", "time", "memory"], "setting of program")
      }
    }
    guard let name = program.command.first, !name.isEmpty, !program.command.contains(where: { $0.contains("\0") })
    else {
      yaml.report("program needs a command", at: node.location)
      return nil
    }
    return program
  }
}

extension Planet.FilterRule {
  /// Reads rules that stand alone: one, such as `drop: {words: [fog]}`, or a list.
  ///
  /// - Parameters:
  ///   - text: the rules, in YAML.
  ///   - name: the name of the text in findings.
  /// - Returns: the rules, and the findings: mistakes.
  package static func rules(_ text: String, name: String) -> (rules: [Planet.FilterRule], findings: [Finding]) {
    var reader = ConfigReader(file: name)
    guard let root = reader.yaml.root(Array(text.utf8)) else {
      if reader.yaml.findings.isEmpty {
        reader.yaml.report("a filter is missing here", at: Finding.Location(file: name))
      }
      return ([], reader.yaml.findings)
    }
    let isList = if case .sequence = root.content { true } else { false }
    let list = isList ? root : YAMLNode(content: .sequence([root]), location: root.location)
    return (reader.filters(list), reader.yaml.findings)
  }
}
