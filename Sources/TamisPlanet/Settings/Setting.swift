// To add a setting to tamis.yaml: a `var` of `SiteSettings` (TamisCore), `Planet.FetchSettings`,
// `Planet.PageSettings` or `Planet.FeedSettings`, a row in the table of its section (TamisPlanet/Model), and the
// place that uses it. Reading, near words, `--set`, `tamis init`, what groups hand down, the fingerprint of pages,
// the reference and the JSON Schema follow from the row. A setting of fetching is used by
// Tamis/Fetch/FetchOptions.swift; one of feeds that changes posts belongs in the text by which
// Tamis/Ingest/Pipelines.swift recognizes a change. Cases in Fixtures/Planet or PlanetSettingTests; docs/planet.md;
// docs/settings.md and docs/tamis.schema.json by `tamis config settings` and `tamis config schema`.

import TamisCore
import TamisYAML

/// A setting of a section of `tamis.yaml`.
///
/// Reading, suggestions for misspelled names, writing, inheritance from groups, the reference and the JSON Schema all
/// follow from the tables of settings: ``SiteSettings/table``, ``Planet/FetchSettings/table``,
/// ``Planet/PageSettings/table``, ``Planet/FeedSettings/table``.
struct Setting<Settings: Sendable>: Sendable {
  /// The key.
  let name: String
  /// Other keys that are read as this one.
  var aliases: [String] = []
  /// The effect of the setting, as the end of a line in the reference.
  let summary: String
  /// The accepted values.
  let form: SettingForm
  /// An example value for a new file, when there is no default.
  var example: String?
  /// Whether the setting is written even when it has its default.
  var isAlwaysWritten = false
  /// Reads a value, and reports its mistakes.
  let read: @Sendable (inout ConfigReader, YAMLNode, inout Settings) -> Void
  /// Returns the value as YAML, or nil when there is none.
  let write: @Sendable (Settings) -> SettingText?
  /// Takes the value of a group when the settings have none of their own.
  let inherit: @Sendable (inout Settings, Settings) -> Void
}

/// A setting as written in YAML: a value, or lines below the key.
struct SettingText: Equatable {
  /// The key, when it depends on the value.
  var name: String?
  var value: String?
  var lines: [String] = []
}

extension Setting {
  /// Creates a setting with a default.
  init<Value>(
    _ name: String, _ path: any WritableKeyPath<Settings, Value> & Sendable, _ kind: SettingKind<Value>,
    _ summary: String,
    example: String? = nil, isAlwaysWritten: Bool = false
  ) {
    self.init(
      name: name, summary: summary, form: kind.form, example: example, isAlwaysWritten: isAlwaysWritten,
      read: { reader, node, settings in
        if let value = kind.read(&reader, node) { settings[keyPath: path] = value }
      },
      write: { kind.write($0[keyPath: path]) },
      inherit: { _, _ in })
  }

  /// Creates a setting without a default.
  init<Value>(
    _ name: String, optional path: any WritableKeyPath<Settings, Value?> & Sendable, _ kind: SettingKind<Value>,
    _ summary: String, example: String? = nil
  ) {
    self.init(
      name: name, summary: summary, form: kind.form, example: example,
      read: { reader, node, settings in settings[keyPath: path] = kind.read(&reader, node) },
      write: { $0[keyPath: path].flatMap(kind.write) },
      inherit: { settings, group in settings[keyPath: path] = settings[keyPath: path] ?? group[keyPath: path] })
  }

  /// Creates a setting of named values; those of a group are added whose names it does not have.
  init(
    _ name: String, _ path: any WritableKeyPath<Settings, [Planet.SentField]> & Sendable,
    sent kind: SettingKind<[Planet.SentField]>, _ summary: String, example: String
  ) {
    self.init(
      name: name, summary: summary, form: kind.form, example: example,
      read: { reader, node, settings in settings[keyPath: path] = kind.read(&reader, node) ?? [] },
      write: { $0[keyPath: path].isEmpty ? nil : kind.write($0[keyPath: path]) },
      inherit: { settings, group in
        let (own, outer) = (settings[keyPath: path], group[keyPath: path])
        let names = Set(own.map { $0.name.asciiLowercased() })
        settings[keyPath: path] =
          own.isEmpty ? outer : outer.filter { !names.contains($0.name.asciiLowercased()) } + own
      })
  }

  /// Creates a list setting, which is appended to that of a group.
  init<Element: Hashable>(
    _ name: String, _ path: any WritableKeyPath<Settings, [Element]> & Sendable, listed kind: SettingKind<[Element]>,
    _ summary: String, aliases: [String] = [], example: String? = nil
  ) {
    self.init(
      name: name, aliases: aliases, summary: summary, form: kind.form, example: example,
      read: { reader, node, settings in
        // Two keys may name one list.
        let known = settings[keyPath: path]
        settings[keyPath: path] += (kind.read(&reader, node) ?? []).filter { !known.contains($0) }
      },
      write: { $0[keyPath: path].isEmpty ? nil : kind.write($0[keyPath: path]) },
      inherit: { settings, group in
        let (own, outer) = (settings[keyPath: path], group[keyPath: path])
        // Most feeds add nothing, and then share the list.
        settings[keyPath: path] = own.isEmpty ? outer : outer + own.filter { !outer.contains($0) }
      })
  }
}
