import TamisCore

/// Settings of feeds as they are written in YAML.
enum FeedText {
  /// A setting: a value, or a list of items below it.
  struct Setting {
    var name: String
    var value: String?
    var items: [String] = []
  }

  static func source(_ source: ReadingList.Source) -> (String, String) {
    switch source {
    case .address(let address): ("address", address.written)
    case .file(let path): ("file", path)
    }
  }

  static func settings(_ settings: FeedSettings) -> [Setting] {
    var list: [Setting] = []
    func add(_ name: String, _ value: String?) { if let value { list.append(Setting(name: name, value: value)) } }
    add("title", settings.title.map(YAMLText.scalar))
    add("page", settings.page.map(YAMLText.scalar))
    if !settings.categories.isEmpty {
      add(settings.categories.count == 1 ? "category" : "categories", YAMLText.list(settings.categories))
    }
    if !settings.tags.isEmpty { add("tags", YAMLText.list(settings.tags)) }
    add("rules", settings.rules.map(YAMLText.scalar))
    add("language", settings.language.map(YAMLText.scalar))
    add("time-zone", settings.timeZone.map { YAMLText.scalar($0.description) })
    add("max-posts", settings.maximumPosts.map(String.init))
    add("max-age", settings.maximumAge.map { "\($0)d" })
    add("full-text", settings.fullText?.rawValue)
    add("site-templates", settings.comparesPages.map { $0 ? "yes" : "no" })
    if settings.isOff { add("off", "true") }
    if !settings.filters.isEmpty {
      list.append(Setting(name: "filters", value: nil, items: settings.filters.map(FilterText.rule)))
    }
    return list
  }
}

/// Rules as they are written in YAML, a line each.
enum FilterText {
  static func rule(_ rule: FilterRule) -> String {
    switch rule.action {
    case .keep(let condition): return "keep: \(text(condition))"
    case .drop(let condition): return "drop: \(text(condition))"
    case .excerpt(let condition): return "excerpt: \(condition.isEmpty ? "all" : text(condition))"
    case .rename(.replace(let text, let other)): return mapping("rename", [("replace", text), ("with", other)])
    case .rename(.removePrefix(let text)): return mapping("rename", [("prefix", text)])
    case .rename(.removeSuffix(let text)): return mapping("rename", [("suffix", text)])
    case .retag(let tags):
      let parts = tags.sorted { $0.key < $1.key }.map {
        "\(key($0.key)):\($0.value.map { " " + YAMLText.inFlow($0) } ?? "")"
      }
      return "retag: {\(parts.joined(separator: ", "))}"
    case .program(let program):
      let command = program.command.map(YAMLText.inFlow).joined(separator: ", ")
      return "program: {command: [\(command)], time: \(Quantity.text(of: program.timeLimit)), "
        + "memory: \(Quantity.text(ofBytes: program.memoryLimit))}"
    }
  }

  private static func mapping(_ name: String, _ pairs: [(String, String)]) -> String {
    "\(name): {\(pairs.map { "\($0.0): \(YAMLText.quoted($0.1))" }.joined(separator: ", "))}"
  }

  private static func key(_ text: String) -> String { YAMLText.quoted(text) }

  private static func text(_ condition: FilterCondition) -> String {
    var parts: [String] = []
    for (name, list) in [
      ("words", condition.words), ("tags", condition.tags), ("authors", condition.authors),
      ("languages", condition.languages), ("categories", condition.categories),
    ] where !list.isEmpty {
      parts.append("\(name): [\(list.map(YAMLText.inFlow).joined(separator: ", "))]")
      if name == "words", condition.field != .both { parts.append("in: \(condition.field.rawValue)") }
    }
    if let days = condition.olderThan { parts.append("older-than: \(days)d") }
    return "{\(parts.joined(separator: ", "))}"
  }
}
