package import TamisCore
import TamisHTML
import TamisURL
import TamisYAML

extension SiteRules {
  /// Reads a file with rules for the pages of single sites.
  ///
  ///     sites:
  ///       example.org: {keep: .story, drop: [.promo, "aside[data-ad]"]}
  ///
  /// - Parameters:
  ///   - yaml: the file's content.
  ///   - file: the name used in messages.
  /// - Throws: ``InvalidRules`` with all mistakes, each with its line and column.
  package init(yaml: String, file: String) throws(InvalidRules) {
    var reader = SiteRuleReader(file: file)
    let rules = reader.read(Array(yaml.utf8))
    guard reader.findings.isEmpty else { throw InvalidRules(findings: reader.findings) }
    self = rules
  }
}

/// A reader of rules for single sites that collects all mistakes, not only the first.
struct SiteRuleReader {
  /// The mistakes of the file.
  var findings: [Finding] { yaml.findings }
  private var yaml: YAMLReader
  private var known: [String: Finding.Location] = [:]

  init(file: String) { yaml = YAMLReader(file: file, code: "sites.invalid") }

  mutating func read(_ bytes: [UInt8]) -> SiteRules {
    var rules: [SiteRule] = []
    guard let root = yaml.root(bytes) else { return SiteRules() }
    for (key, value) in yaml.pairs(root, "site rules") {
      guard key.text == "sites" else {
        yaml.unknown(key, ["sites"], "section")
        continue
      }
      for (host, rule) in yaml.pairs(value, "sites") {
        if let rule = self.rule(host, rule) { rules.append(rule) }
      }
    }
    return SiteRules(rules)
  }

  private mutating func rule(_ key: YAMLKey, _ node: YAMLNode) -> SiteRule? {
    guard let host = host(key) else { return nil }
    if let first = known[host] {
      yaml.report("there is a rule for '\(host)' in line \(first.line) already; write both as one", at: key.location)
      return nil
    }
    known[host] = key.location
    var rule = SiteRule(host: host)
    let before = yaml.findings.count
    for (name, value) in yaml.pairs(node, "a rule") {
      switch name.text {
      case "keep": rule.keep = selectors(value)
      case "drop": rule.drop = selectors(value)
      default: yaml.unknown(name, ["keep", "drop"], "setting of a site")
      }
    }
    if yaml.findings.count == before {
      if rule.keep.isEmpty, rule.drop.isEmpty {
        yaml.report("a rule needs keep or drop", at: key.location)
      } else if rule.alternatives > CSSSelector.mostAlternatives {
        yaml.report("there are more than \(CSSSelector.mostAlternatives) selectors for this site", at: key.location)
      }
    }
    return rule
  }

  /// Returns a host name as in URLs, without `www.`.
  private mutating func host(_ key: YAMLKey) -> String? {
    let text = key.text.trimmed()
    if let url = WebURL("https://\(text)/"), let host = url.hostname, url.path == "/", url.port == nil,
      url.query == nil,
      url.username.isEmpty, url.fragment == nil, text.contains("."), !text.contains("/")
    {
      return SiteRules.name(host)
    }
    let near = WebURL(text)?.hostname.map { "; did you mean '\(SiteRules.name($0))'?" } ?? ""
    yaml.report("'\(text)' is not a host; write it as in example.org\(near)", at: key.location)
    return nil
  }

  private mutating func selectors(_ node: YAMLNode) -> [CSSSelector] {
    yaml.values(node, missing: CSSSelector.missing) { (text) throws(TextMistake) in try CSSSelector(text) }
  }
}

extension SiteRule {
  /// The number of selectors, counting each alternative of a list.
  fileprivate var alternatives: Int { (keep + drop).reduce(0) { $0 + $1.count } }
}
