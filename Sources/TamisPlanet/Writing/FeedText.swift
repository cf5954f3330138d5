import TamisCore

/// A setting of a feed as written in YAML: a value, or lines below it.
struct NamedSetting {
  var name: String
  var text: SettingText
}

/// Writes the settings of feeds as YAML.
enum FeedText {
  static func source(_ source: Planet.ReadingList.Source) -> (String, String) {
    switch source {
    case .address(let address): ("address", address.written)
    case .file(let path): ("file", path)
    }
  }

  static func settings(_ settings: Planet.FeedSettings) -> [NamedSetting] {
    Planet.FeedSettings.table.compactMap { setting in
      setting.write(settings).map { NamedSetting(name: $0.name ?? setting.name, text: $0) }
    }
  }
}

/// Writes rules as YAML, one on each line.
enum FilterText {
  static func rule(_ rule: Planet.FilterRule) -> String {
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

  /// Returns several conditions in brackets, or a single one.
  static func conditions(_ conditions: [Planet.FilterCondition]) -> String {
    let texts = conditions.map(text)
    return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
  }

  private static func text(_ condition: Planet.FilterCondition) -> String {
    let unset = Planet.FilterCondition()
    let parts = Planet.FilterCondition.table.compactMap { setting -> String? in
      guard let text = setting.write(condition), text != setting.write(unset) else { return nil }
      return text.value.map { "\(setting.name): \($0)" }
    }
    return "{\(parts.joined(separator: ", "))}"
  }
}
