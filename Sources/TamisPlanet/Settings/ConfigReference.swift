import TamisCore

/// The reference of `tamis.yaml` and its JSON Schema, generated from the tables of settings.
package enum ConfigReference {
  /// A section of the configuration, with its settings.
  private struct Section {
    var name: String
    var words: String
    var rows: [Row]
  }

  private struct Row {
    var name: String
    var summary: String
    var form: SettingForm
    var standard: String

    init<Settings>(_ setting: Setting<Settings>, _ defaults: Settings) {
      (name, summary, form) = (setting.name, setting.summary, setting.form)
      standard = setting.write(defaults)?.value.map { "`\($0)`" } ?? ""
    }
  }

  private static var sections: [Section] {
    func section<Settings>(
      _ name: String, _ words: String, _ table: [Setting<Settings>], _ defaults: Settings
    ) -> Section {
      Section(name: name, words: words, rows: table.map { Row($0, defaults) })
    }
    return [
      section("site", "The site that is made.", SiteSettings.table, SiteSettings()),
      section("fetch", "How feeds are fetched.", Planet.FetchSettings.table, Planet.FetchSettings()),
      section("pages", "The pages of posts, for full text.", Planet.PageSettings.table, Planet.PageSettings()),
      section(
        "defaults", "One feed, a group of feeds, a list, or all feeds.", Planet.FeedSettings.table,
        Planet.FeedSettings()),
    ]
  }

  /// The members of a condition, which stand in filters.
  private static var conditions: [Row] {
    Planet.FilterCondition.table.map { Row($0, Planet.FilterCondition()) }
  }

  // MARK: - Reference

  /// All settings as tables in Markdown.
  package static var markdown: String {
    var lines = [
      "# Settings", "",
      "All settings of `tamis.yaml`, as `tamis config settings` prints them. [planet.md](planet.md) explains them.",
    ]
    for section in sections {
      let heading = section.name == "defaults" ? "`defaults`, and in `feeds` and `lists`" : "`\(section.name)`"
      lines += self.lines(heading, section.words, section.rows)
    }
    let words = "What a [filter](planet.md#filters) asks of a post: each member that is given has to hold."
    lines += self.lines("Conditions of filters", words, conditions)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ heading: String, _ words: String, _ rows: [Row]) -> [String] {
    ["", "## \(heading)", "", words, "", "| setting | values | default | |", "|-|-|-|-|"]
      + rows.map { "| `\($0.name)` | \($0.form.words) | \($0.standard) | \($0.summary) |" }
  }

  // MARK: - JSON Schema

  /// A JSON Schema (2020-12) of the configuration.
  package static var schema: String {
    let properties = sections.map { section in
      section.name == "defaults"
        ? ##"    "defaults": {"$ref": "#/$defs/settings", "unevaluatedProperties": false}"##
        : "    \"\(section.name)\": \(object(section.rows, indent: "    ", closing: section.words))"
    }
    let feed = sections.last.map { object($0.rows, indent: "    ", closing: nil) } ?? "{}"
    return ##"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tamis.yaml",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": {
      \##(properties.joined(separator: ",\n")),
          "feeds": {"$ref": "#/$defs/feeds"},
          "lists": {"type": ["array", "null"], "items": {"$ref": "#/$defs/list"}},
          "filters": {"$ref": "#/$defs/filters"}
        },
        "$defs": {
          "settings": \##(feed),
          "feeds": {"type": ["array", "null"], "items": {"$ref": "#/$defs/feed"}},
          "feed": {
            "anyOf": [
              {"type": "string"},
              {
                "$ref": "#/$defs/settings", "required": ["address"], "unevaluatedProperties": false,
                "properties": {"address": {"type": "string"}}
              },
              {
                "$ref": "#/$defs/settings", "required": ["feeds"], "unevaluatedProperties": false,
                "properties": {"feeds": {"$ref": "#/$defs/feeds"}}
              }
            ]
          },
          "list": {
            "anyOf": [
              {"type": "string"},
              {
                "$ref": "#/$defs/settings", "required": ["address"], "unevaluatedProperties": false,
                "properties": {"address": {"type": "string"}}
              },
              {
                "$ref": "#/$defs/settings", "required": ["file"], "unevaluatedProperties": false,
                "properties": {"file": {"type": "string"}}
              }
            ]
          },
          "owner": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
              "name": {"type": "string"}, "email": {"type": "string"}, "link": {"type": "string"}
            }
          },
          "login": {
            "type": "object",
            "required": ["user", "password"],
            "additionalProperties": false,
            "properties": {"user": {"$ref": "#/$defs/sentText"}, "password": {"$ref": "#/$defs/secret"}}
          },
          "sentFields": {"type": ["object", "null"], "additionalProperties": {"$ref": "#/$defs/sentText"}},
          "sentText": {"anyOf": [{"type": ["string", "number", "boolean"]}, {"$ref": "#/$defs/secret"}]},
          "secret": {
            "type": "object",
            "required": ["secret"],
            "additionalProperties": false,
            "properties": {"secret": {"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"}}
          },
          "filters": {
            "type": ["array", "null"],
            "items": {
              "type": "object",
              "minProperties": 1,
              "maxProperties": 1,
              "propertyNames": {"enum": [\##(quoted(ConfigReader.filterActions))]},
              "properties": {
                "keep": {"$ref": "#/$defs/condition"},
                "drop": {"$ref": "#/$defs/condition"},
                "excerpt": {"anyOf": [{"const": "all"}, {"$ref": "#/$defs/condition"}]}
              }
            }
          },
          "condition": \##(object(conditions, indent: "    ", closing: "A condition of a filter."))
        }
      }

      """##
  }

  private static func object(_ rows: [Row], indent: String, closing words: String?) -> String {
    let aliases = Planet.FeedSettings.table.flatMap { setting in setting.aliases.map { (setting.name, $0) } }
    var lines: [String] = []
    for row in rows {
      for name in [row.name] + aliases.filter({ words == nil && $0.0 == row.name }).map(\.1) {
        // A summary has no quotation marks.
        lines.append("\(indent)    \"\(name)\": {\"description\": \"\(row.summary)\", \(row.form.schema.dropFirst())")
      }
    }
    let head = words.map { "\"description\": \"\($0)\", " } ?? ""
    let isClosed = words != nil ? "\"additionalProperties\": false, " : ""
    return "{\(head)\"type\": [\"object\", \"null\"], \(isClosed)\"properties\": {\n"
      + lines.joined(separator: ",\n") + "\n\(indent)}}"
  }

  private static func quoted(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: ", ") }
}
