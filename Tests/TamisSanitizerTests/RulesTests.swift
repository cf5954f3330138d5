import Foundation
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

@Suite struct RulesTests {
  @Test func everyFileInTheFolderIsShippedAndLoads() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.root.appending(path: "Rules").path)
      .map { String($0.prefix { $0 != "." }) }.sorted()
    #expect(names == Policy.shippedNames)
    for name in names { #expect(Policy.shipped(named: name)?.name == name) }
  }

  /// The table of settings in the documentation counts what the shipped rules have.
  @Test(arguments: zip(4...7, ["reading", "strict", "text", "universal-feed-parser"]))
  func documentedCountsAreThoseOfTheRules(_ column: Int, _ name: String) throws {
    let counts = Self.counts(try #require(Policy.shipped(named: name)))
    let rows = try String(contentsOf: Fixtures.root.appending(path: "docs/rules.md"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
      .filter { $0.count == 8 }
    var compared: Set<String> = []
    for cells in rows {
      let property = cells[1].trimmingCharacters(in: ["`"])
      guard let number = cells[column] == "empty" ? 0 : Int(cells[column].prefix(while: \.isNumber)) else { continue }
      let key = cells[column].contains("under `\"*\"`") ? property + "*" : property
      #expect(try #require(counts[key], "\(key)") == number, "\(key) of \(name)")
      compared.insert(property)
    }
    #expect(compared.count > 10)
  }

  /// What can be counted in rules, by the names of their properties; a star marks what every element has.
  private static func counts(_ policy: Policy) -> [String: Int] {
    var counts: [String: Int] = [
      "droppedElements": policy.droppedElements.count, "unwrappedElements": policy.unwrappedElements.count,
      "forcedAttributes": policy.forcedAttributes.count, "urls.schemes": policy.urls.schemes.count,
      "styles.properties": policy.styles.properties.count, "styles.families": policy.styles.families.count,
      "styles.keywords": policy.styles.keywords.count, "styles.svgProperties": policy.styles.svgProperties.count,
      "improvements.linkRelations": policy.improvements.linkRelations.count,
      "improvements.trackingParameters": policy.improvements.trackingParameters.count,
      "improvements.trackingHosts": policy.improvements.trackingHosts.count,
      "improvements.embedProviders": Set(policy.improvements.embedProviders.values).count,
    ]
    let namespaces: KeyValuePairs = [Policy.Namespace.html: "html", .svg: "svg", .math: "math"]
    for (namespace, label) in namespaces {
      let attributes = policy.attributes[namespace] ?? [:]
      counts["elements[.\(label)]"] = policy.elements[namespace]?.count ?? 0
      counts["attributes[.\(label)]"] = attributes.keys.filter { $0 != "*" }.count
      counts["attributes[.\(label)]*"] = attributes["*"]?.count ?? 0
    }
    return counts
  }

  @Test func rulesErrorsAreReportedWithLocations() {
    let text = """
      name: x
      tidy: sometimes
      elements:
        html: [p, script]
        xhtml: [p]
      attributes:
        html:
          p: [class, onclick]
      urls:
        schemes: [http, javascript]
        data-images: maybe
      colour: red
      """
    let locations = findings(text).map { "\($0.location.line):\($0.location.column)" }
    #expect(locations == ["2:7", "4:13", "5:3", "8:16", "10:19", "11:16", "12:1"])
  }

  /// Valid but suspicious rules are reported with their location; the shipped rules have none.
  @Test func lintReportsSuspiciousRules() throws {
    let text = """
      name: x
      extends: reading
      elements:
        html: [scrpt, -vidio, my-widget, marquee, search]
      attributes:
        html:
          p: [algin, data-x, align]
          blockqoute: [cite]
      """
    let found = try Policy.lint(yaml: text, file: "x.yaml").map {
      "\($0.location.line):\($0.location.column) \($0.message)"
    }
    #expect(
      found == [
        "4:10 no element of html is called 'scrpt'; did you mean 'script'?",
        "4:17 'vidio' is not in the extended rules and cannot be removed; did you mean 'video'?",
        "7:9 no attribute of html is called 'algin'; did you mean 'align'?",
        "8:5 'blockqoute' is not an allowed element; its attributes have no effect; did you mean 'blockquote'?",
      ])
    let style = "name: x\nelements:\n  html: [p]\nattributes:\n  html:\n    p: [style]"
    #expect(try Policy.lint(yaml: style, file: "x").map(\.location.line) == [6])
    let properties = "name: x\nelements:\n  html: [p]\nstyles:\n  properties: [color]"
    #expect(try Policy.lint(yaml: properties, file: "x").map(\.location.line) == [5])
    let dropping = "name: x\nelements: {html: [p]}\ndrop: [my-*, '*']\nunwrap: [p, b, script]"
    #expect(
      try Policy.lint(yaml: dropping, file: "x").map(\.message) == [
        "'my-*' under drop has no effect; name the elements, or '*' for all that are not allowed",
        "'p' under unwrap has no effect: it is allowed",
        "'script' under unwrap has no effect: it goes with its content",
      ])
    let both = "name: x\nextends: reading\nelements: {html: [nav]}\ndrop: [nav, img, '-textarea']"
    #expect(
      try Policy.lint(yaml: both, file: "x").map(\.message) == ["'nav' under drop has no effect: this file allows it"])
    let custom = "name: x\nelements: {html: [my-widget]}\nattributes: {html: {my-*: [data-*]}}"
    #expect(try Policy.lint(yaml: custom, file: "x").isEmpty)
    let unwrapping = "name: x\nelements: {html: [p]}\nunwrap: [b]"
    #expect(
      try Policy.lint(yaml: unwrapping, file: "x").map(\.message) == ["unwrap has no effect without '*' under drop"])
    for name in Policy.shippedNames where name != "browser-default" {
      #expect(try Policy.lint(yaml: Policy.shippedText(named: name) ?? "", file: name) == [], "\(name)")
    }
  }

  /// What a file drops goes with its content, also when the extended rules, or a pattern, allow it.
  @Test func droppedElementsGo() throws {
    let html = "<p>a</p><nav>n</nav><img src=https://a.example/x.png><my-a>c</my-a><my-b>d</my-b>"
    let (policy, _) = try Policy.read(
      rules: "name: x\nextends: reading\nelements: {html: [my-*]}\ndrop: [img, nav, my-b]", file: "x")
    #expect(try Sanitizer(policy: policy).sanitize(html).html.string == "<p>a</p><my-a>c</my-a>")
    var own = Policy.reading
    own.drop("nav", "img", "my-a", "my-b")
    #expect(try Sanitizer(policy: own).sanitize(html).html.string == "<p>a</p>")
  }

  @Test func malformedYAMLIsReportedWithLocation() {
    #expect((findings("name: [a").first?.location.line ?? 0) > 0)
    #expect(findings("").first?.code == "rules.invalid")
  }

  @Test func rulesExtendOthers() throws {
    let text = """
      name: mine
      extends: reading
      elements:
        html: [-img, marquee]
      attributes:
        html:
          p: [align]
      urls:
        schemes: [-ftp, gemini]
      improve:
        lazy-loading: false
      """
    let policy = try Policy(yaml: text, file: "mine.yaml")
    #expect(policy.elements[.html]?.contains("img") == false)
    #expect(policy.elements[.html]?.contains("marquee") == true)
    #expect(policy.elements[.html]?.contains("p") == true)
    #expect(policy.attributes[.html]?["p"] == ["align"])
    #expect(policy.urls.schemes.contains("gemini") && !policy.urls.schemes.contains("ftp"))
    #expect(policy.improvements.loadsImagesLazily == false)
    #expect(policy.improvements.idPrefix == "post-")
    #expect(findings("name: x\nextends: nothing").map(\.location.line) == [2])
    #expect(findings("urls:\n  schemes: [\"http:\"]").map(\.location.line) == [2])
  }

  /// Browsers end a drawing at these elements, so its attributes would come to stand on HTML.
  @Test func htmlElementsAreRejectedInForeignNamespaces() {
    let names = ["p", "b", "font", "img", "table", "listing", "span"]
    for name in names {
      #expect(findings("name: x\nelements:\n  svg: [svg, \(name)]").map(\.location.line) == [3], "\(name)")
      #expect(findings("name: x\nelements:\n  math: [\(name)]").first?.message.contains("browsers end") == true)
      #expect(findings("name: x\nelements:\n  html: [\(name)]").isEmpty)
    }
    #expect(findings("name: x\nelements:\n  svg: [a, text, title, switch]").isEmpty)
  }

  /// Lists of Universal Feed Parser, as recorded beside the project, are used without what can never be allowed.
  @Test(.enabled(if: Fixtures.hasSuite("ufp-rules.json"), Fixtures.needs("ufp-rules.json")))
  func universalFeedParserRulesMatchItsLists() throws {
    let data = try Data(contentsOf: Fixtures.suite("ufp-rules.json"))
    let lists = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    func list(_ name: String) -> Set<String> { Set((lists[name] as? [String] ?? []).map { $0.lowercased() }) }
    let policy = Policy.universalFeedParser
    for (namespace, name) in [(Policy.Namespace.html, "html"), (.svg, "svg"), (.math, "mathml")] {
      let elements = list("\(name)_elements").union(namespace == .html ? [] : [namespace.rawValue])
        .filter { Policy.Floor.objection(toElement: $0, in: namespace) == nil }
      #expect(policy.elements[namespace] == elements)
      let attributes = list("\(name)_attributes").filter { Policy.Floor.objection(toAttribute: $0) == nil }
      #expect(policy.attributes[namespace]?["*"] == attributes)
    }
    #expect(policy.droppedElements == list("elements_removed_with_content"))
    #expect(policy.urls.schemes == list("uri_schemes"))
    #expect(policy.styles.properties == list("css_properties"))
    #expect(policy.styles.keywords == list("css_keywords"))
    #expect(policy.styles.families == list("css_shorthand_families_value_checked"))
    #expect(policy.styles.svgProperties == list("svg_properties_in_style"))
  }

  private func findings(_ text: String) -> [Finding] {
    do {
      _ = try Policy(yaml: text, file: "x.yaml")
      return []
    } catch {
      return error.findings
    }
  }

  /// Styles that put a box over the page around it go under any policy, and so do filters.
  @Test func displacingStylesGo() throws {
    var policy = Policy.reading
    policy.attributes[.html, default: [:]]["*", default: []].insert("style")
    policy.styles.properties = ["bottom", "box-shadow", "inset-block", "outline", "right", "scale", "zoom"]
    let style =
      "bottom:9em;right:1px;inset-block:auto;scale:50;zoom:9;box-shadow:0 0 0 9999px white;outline:2px solid red"
    let html = try Sanitizer(policy: policy).sanitize("<p style='\(style)'>a</p>").html.string
    #expect(html == "<p style=\"outline: 2px solid red;\">a</p>")
    policy.elements[.svg, default: []].insert("filter")
    #expect(throws: InvalidRules.self) { try Sanitizer(policy: policy) }
  }

  /// A policy that is written as YAML and read again is the same policy.
  @Test(arguments: Policy.shippedNames)
  func policyYAMLRoundTrips(_ name: String) throws {
    let policy = try #require(Policy.shipped(named: name))
    let text = policy.yaml
    #expect(try Policy(yaml: text, file: "x") == policy)
    #expect(try Policy(yaml: text, file: "x").yaml == text)
  }

  /// The policy of a configuration without attributes has no empty mapping, which would be read as no rules at all.
  @Test func policyWithoutAttributesRoundTrips() throws {
    let policy = try SanitizerConfig(json: #"{"elements": ["p"], "attributes": []}"#, file: "x.json").policy
    #expect(try Policy(yaml: policy.yaml, file: "y").yaml == policy.yaml)
    #expect(policy.yaml.contains("\nattributes: {}\n"))
  }

  @Test func rulesForSingleAttributesRoundTrip() throws {
    let yaml = try String(contentsOf: Fixtures.url("Sanitizer/values.yaml"), encoding: .utf8)
    let policy = try Policy(yaml: yaml, file: "values.yaml")
    #expect(policy.values["p"] == ["dir": ["ltr", "rtl"]])
    #expect(policy.forcedAttributes["img"] == ["referrerpolicy": "no-referrer", "decoding": "async"])
    #expect(policy.urls.schemesByAttribute["*"] == ["cite": ["https"]])
    #expect(try Policy(yaml: policy.yaml, file: "x") == policy)
    #expect(try Policy.lint(yaml: yaml, file: "values.yaml") == [])
  }

  @Test func mistakesInRulesForSingleAttributesHaveLocations() {
    let text = """
      name: x
      elements:
        html: [o*]
        svg: [x-*]
      values:
        a: {href: [x]}
      force:
        a: {target: [a, b], onclick: x}
      urls:
        schemes-of: {a: {href: [javascript]}}
      """
    #expect(
      findings(text).map { "\($0.location.line):\($0.location.column)" } == [
        "3:10", "4:9", "6:7", "8:23", "8:15", "10:26",
      ])
  }
}
