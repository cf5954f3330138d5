import TamisCore
import TamisFilter
import TamisYAML

extension ConfigReader {
  static let filterActions = ["keep", "drop", "rename", "retag", "excerpt", "program"]

  mutating func filters(_ node: YAMLNode) -> [FilterRule] {
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
      return action(key, value).map { FilterRule($0, at: key.location) }
    }
  }

  private mutating func action(_ key: YAMLKey, _ value: YAMLNode) -> FilterRule.Action? {
    switch key.text {
    case "keep": return condition(value).map { .keep($0) }
    case "drop": return condition(value).map { .drop($0) }
    case "excerpt":
      if value.text == "all" { return .excerpt(FilterCondition()) }
      return condition(value).map { .excerpt($0) }
    case "rename": return rename(value).map { .rename($0) }
    case "retag": return retag(value)
    case "program": return program(value).map { .program($0) }
    default:
      yaml.unknown(key, Self.filterActions, "filter")
      return nil
    }
  }

  private mutating func condition(_ node: YAMLNode) -> FilterCondition? {
    let before = yaml.findings.count
    var condition = FilterCondition()
    for (key, value) in yaml.pairs(node, "a condition") {
      switch key.text {
      case "words": condition.words = words(value)
      case "in": condition.field = choice(value) ?? .both
      case "tags": condition.tags = lines(value)
      case "authors": condition.authors = words(value)
      case "languages": condition.languages = languages(value)
      case "categories": condition.categories = lines(value)
      case "older-than": condition.olderThan = days(value)
      default:
        yaml.unknown(key, ["words", "in", "tags", "authors", "languages", "categories", "older-than"], "condition")
      }
    }
    if yaml.findings.count == before, condition.isEmpty {
      yaml.report(
        "a condition is missing here: words, tags, authors, languages, categories or older-than", at: node.location)
    }
    // A condition of which only a part could be read would hold for other posts than was meant.
    return yaml.findings.count == before ? condition : nil
  }

  private mutating func languages(_ node: YAMLNode) -> [String] {
    if node.text != nil { return language(node).map { [$0] } ?? [] }
    return yaml.items(node).compactMap { language($0) }
  }

  /// Words that can be found.
  private mutating func words(_ node: YAMLNode) -> [String] {
    let list = lines(node)
    for word in list {
      if let objection = WordSet.objection(to: word) { yaml.report(objection, at: node.location) }
    }
    return list
  }

  private mutating func rename(_ node: YAMLNode) -> FilterRule.Rename? {
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

  private mutating func retag(_ node: YAMLNode) -> FilterRule.Action? {
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

  private mutating func program(_ node: YAMLNode) -> FilterProgram? {
    var program = FilterProgram(command: [])
    if node.text != nil {
      yaml.report("program needs a command as a list, as in {command: [./filter, --option]}", at: node.location)
      return nil
    }
    for (key, value) in yaml.pairs(node, "program") {
      switch key.text {
      case "command": program.command = yaml.strings(value)
      case "time": program.timeLimit = duration(value, from: 1) ?? program.timeLimit
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
