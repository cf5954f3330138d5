/// The values that a setting accepts, for the reference and the JSON Schema.
enum SettingForm: Sendable, Hashable {
  case text, path, paths, address, proxy, language, zone, names, boolean, days, size, duration, search, owner, purge,
    networks
  case filters, patterns, fields, languages, hosts, wordCount, conditions, selectors
  case login, sentFields
  case choices([String])
  case integer(ClosedRange<Int>)
  case choice([String])

  /// The values in words.
  var words: String {
    switch self {
    case .text: "text"
    case .path: "a path"
    case .paths: "a path, or a list of paths"
    case .address: "an http(s) URL"
    case .proxy: "a proxy: `http://host:port`, `socks5h://host:port`"
    case .language: "a language: `en`, `de-AT`"
    case .zone: "a time zone: `Europe/Vienna`, `UTC`, `+02:00`"
    case .names: "a name, or a list of names"
    case .boolean: "`true` or `false`"
    case .days: "days: `90d`, `2w`"
    case .size: "a size: `500 KB`, `20 MiB`"
    case .duration: "a duration: `500ms`, `30s`, `1h 30m`, `7d`"
    case .search: "`page`, or an http(s) URL with `{words}` as the value of a parameter"
    case .owner: "a name, or `{name: …, email: …, link: …}`"
    case .purge: "`keep`, `now`, or a number of looks from 1"
    case .networks: "a network, or a list of networks: `10.0.0.0/8`, `fd00::/8`"
    case .login: "`{user: …, password: {secret: NAME}}`"
    case .sentFields: "names with a text or a [secret](planet.md#secrets) each: `{name: text, other: {secret: NAME}}`"
    case .filters: "a list of [filters](planet.md#filters)"
    case .selectors: "a [CSS selector](planet.md#removing-parts-of-posts), or a list of them"
    case .patterns: "an expression, or a list of expressions"
    case .fields: "\(Self.listed(Self.fieldNames)), a list of them, or `both`: title and text"
    case .languages: "a language, or a list of languages"
    case .hosts: "a host, or a list of hosts: `example.org`"
    case .wordCount: "words: `200 words`"
    case .conditions: "a condition, or a list of conditions"
    case .choices(let words): "\(Self.listed(words)), or a list of them"
    case .integer(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let words): Self.listed(words)
    }
  }

  /// The values as JSON Schema (2020-12).
  var schema: String {
    switch self {
    // A scalar of any type is read as text.
    case .text, .language, .zone: #"{"type": ["string", "number", "boolean"]}"#
    case .path, .search, .proxy: #"{"type": "string", "minLength": 1}"#
    case .paths, .networks, .selectors: Self.oneOrMore(#"{"type": "string", "minLength": 1}"#)
    case .address: #"{"type": "string", "pattern": "^\\s*([Ff][Ee][Ee][Dd]:)?([Hh][Tt][Tt][Pp][Ss]?:)?//"}"#
    case .names, .languages, .hosts, .patterns: Self.oneOrMore(#"{"type": ["string", "number", "boolean"]}"#)
    case .fields: Self.oneOrMore(Self.enumeration(Self.fieldNames + ["both"]))
    case .choices(let words): Self.oneOrMore(Self.enumeration(words))
    case .wordCount:
      ##"{"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[0-9]+( words?)?$"}]}"##
    case .conditions: Self.oneOrMore(##"{"$ref": "#/$defs/condition"}"##)
    case .boolean: #"{"enum": [true, false, "true", "false", "yes", "no"]}"#
    case .days: ##"{"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[0-9 ]+[smhdw]?"}]}"##
    case .size: #"{"type": "string", "pattern": "^[0-9]+ ?([bB]|[kKmMgG]([iI]?[bB])?)$"}"#
    case .duration: #"{"type": "string", "pattern": "^[0-9]+ ?(ms|[smhdw])( ?[0-9]+ ?(ms|[smhdw]))*$"}"#
    case .owner: ##"{"anyOf": [{"type": "string"}, {"$ref": "#/$defs/owner"}]}"##
    case .login: ##"{"$ref": "#/$defs/login"}"##
    case .sentFields: ##"{"$ref": "#/$defs/sentFields"}"##
    case .purge: #"{"anyOf": [{"enum": ["keep", "now"]}, {"type": "integer", "minimum": 1}]}"#
    case .filters: ##"{"$ref": "#/$defs/filters"}"##
    case .integer(let range):
      #"{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}"#
    case .choice(let words): Self.enumeration(words)
    }
  }

  private static let fieldNames = Planet.FilterCondition.Field.allCases.map(\.rawValue)

  private static func listed(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }

  private static func enumeration(_ words: [String]) -> String {
    #"{"enum": [\#(words.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
  }

  private static func oneOrMore(_ item: String) -> String {
    #"{"anyOf": [\#(item), {"type": "array", "items": \#(item)}]}"#
  }
}
