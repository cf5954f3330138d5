import TamisCore
import TamisHTML
import TamisURL
import TamisYAML

/// The reading and writing of a type of value.
struct SettingKind<Value: Sendable>: Sendable {
  let form: SettingForm
  /// Returns the value of a node, or nil, with a finding, when it is invalid.
  let read: @Sendable (inout ConfigReader, YAMLNode) -> Value?
  /// Returns the value as YAML.
  let write: @Sendable (Value) -> SettingText?

  private init(
    _ form: SettingForm, _ read: @escaping @Sendable (inout ConfigReader, YAMLNode) -> Value?,
    text: @escaping @Sendable (Value) -> SettingText?
  ) {
    (self.form, self.read, write) = (form, read, text)
  }

  private init(
    _ form: SettingForm, _ read: @escaping @Sendable (inout ConfigReader, YAMLNode) -> Value?,
    value: @escaping @Sendable (Value) -> String
  ) {
    self.init(form, read, text: { SettingText(value: value($0)) })
  }
}

extension SettingKind<String> {
  /// A text on one line.
  static let line = SettingKind(.text, { $0.line($1) }, value: YAMLText.scalar)
  /// A path.
  static let path = SettingKind(.path, { $0.path($1) }, value: YAMLText.scalar)
  /// An HTTP or HTTPS URL without user name and password.
  static let address = SettingKind(.address, { $0.address($1) }, value: YAMLText.scalar)
  /// The same with a trailing slash.
  static let folderAddress = SettingKind(
    .address, { $0.folderAddress($1) },
    value: YAMLText.scalar)
  static let proxy = SettingKind(.proxy, { $0.proxy($1) }, value: YAMLText.scalar)
  static let language = SettingKind(.language, { $0.language($1) }, value: YAMLText.scalar)
  static let userAgent = SettingKind(.text, { $0.userAgent($1) }, value: YAMLText.scalar)
}

extension SettingKind<Planet.Login> {
  static let login = SettingKind(.login, { $0.login($1) }, value: RequestText.login)
}

extension SettingKind<[Planet.SentField]> {
  static let headers = SettingKind(.sentFields, { $0.headers($1) }, value: RequestText.fields)
  static let cookies = SettingKind(.sentFields, { $0.cookies($1) }, value: RequestText.fields)
}

extension SettingKind<[String]> {
  static let paths = SettingKind(.paths, { $0.paths($1) }, value: YAMLText.list)
  /// Names of categories or tags; `plural` is the key for several.
  static func names(plural: String? = nil) -> SettingKind {
    SettingKind(
      .names, { $0.names($1) },
      text: { SettingText(name: $0.count > 1 ? plural : nil, value: YAMLText.list($0)) })
  }
}

extension SettingKind<[CSSSelector]> {
  static let selectors = SettingKind(.selectors, { $0.selectors($1) }, value: { YAMLText.list($0.map(\.description)) })
}

extension SettingKind<Bool> {
  static let boolean = SettingKind(.boolean, { $0.yaml.boolean($1) }, value: { "\($0)" })
}

extension SettingKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(.integer(range), { $0.yaml.integer($1, in: range) }, value: { "\($0)" })
  }
  /// A number of days, from 1.
  static let days = SettingKind(.days, { $0.days($1) }, value: { "\($0)d" })
  /// A number of bytes.
  static let size = SettingKind(.size, { $0.size($1) }, value: Quantity.text(ofBytes:))
}

extension SettingKind<Duration> {
  static func duration(from least: Duration) -> SettingKind {
    SettingKind(.duration, { $0.duration($1, from: least) }, value: Quantity.text(of:))
  }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  static var choice: SettingKind {
    SettingKind(.choice(Value.allCases.map(\.rawValue)), { $0.choice($1) }, value: \.rawValue)
  }
}

extension SettingKind<ZoneName> {
  static let zone = SettingKind(.zone, { $0.zone($1) }, value: { YAMLText.scalar($0.description) })
}

extension SettingKind<SiteSearch> {
  static let search = SettingKind(.search, { $0.search($1) }, value: { YAMLText.scalar($0.text) })
}

extension SettingKind<SiteOwner> {
  static let owner = SettingKind(
    .owner, { $0.owner($1) },
    text: { owner in
      let lines = [("name", owner.name), ("email", owner.email), ("link", owner.link)].compactMap { name, value in
        value.map { "\(name): \(YAMLText.scalar($0))" }
      }
      return lines.isEmpty ? nil : SettingText(lines: lines)
    })
}

extension SettingKind<PurgePolicy> {
  static let purge = SettingKind(.purge, { $0.purge($1) }, value: \.description)
}

extension SettingKind<[IPRange]> {
  static let networks = SettingKind(
    .networks, { $0.networks($1) },
    value: { "[\($0.map { YAMLText.inFlow($0.description) }.joined(separator: ", "))]" })
}

extension SettingKind<[Planet.FilterRule]> {
  static let filters = SettingKind(
    .filters, { $0.filters($1) }, text: { SettingText(lines: $0.map { "- \(FilterText.rule($0))" }) })
}

// MARK: - Members of conditions, which stand inside braces

extension SettingKind<[String]> {
  /// Texts on one line.
  static let lines = SettingKind(.names, { $0.lines($1) }, value: YAMLText.flowList)
  /// Words and phrases that can be searched.
  static let filterWords = SettingKind(.names, { $0.words($1) }, value: YAMLText.flowList)
  static let patterns = SettingKind(.patterns, { $0.patterns($1) }, value: YAMLText.flowList)
  static let languages = SettingKind(.languages, { $0.languages($1) }, value: YAMLText.flowList)
  static let hosts = SettingKind(.hosts, { $0.domains($1) }, value: YAMLText.flowList)
}

extension SettingKind<Int> {
  /// A number of words, from 1.
  static let wordCount = SettingKind(.wordCount, { $0.wordCount($1) }, value: { $0.counted("word") })
}

extension SettingKind<[Planet.FilterCondition.Field]> {
  static let fields = SettingKind(
    .fields, { $0.fields($1) },
    value: { fields in
      if fields == Planet.FilterCondition.Field.standard { return "both" }
      return fields.count == 1 ? fields[0].rawValue : YAMLText.flowList(fields.map(\.rawValue))
    })
}

extension SettingKind<[Planet.FilterCondition.Kind]> {
  static let kinds = SettingKind(
    .choices(Planet.FilterCondition.Kind.allCases.map(\.rawValue)), { $0.choices($1) },
    value: { YAMLText.flowList($0.map(\.rawValue)) })
}

extension SettingKind<[Planet.FilterCondition]> {
  static let conditions = SettingKind(.conditions, { $0.conditions($1) }, value: FilterText.conditions)
}
