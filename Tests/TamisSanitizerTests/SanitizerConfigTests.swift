import TamisSanitizer
import TestSupport
import Testing

/// Configurations of the browsers' own sanitizer as policies, and policies as configurations.
@Suite struct SanitizerConfigTests {
  @Test(arguments: Case.all(in: "SanitizerConfig"))
  func configurationsAreReadAsInBrowsers(_ each: Case) throws {
    let json = try #require(each.sections["config"])
    do throws(InvalidRules) {
      let config = try SanitizerConfig(json: json, file: "x.json")
      let output = try Sanitizer(policy: config.policy).sanitize(each.sections["input"] ?? "").html.string
      #expect(output == each.sections["output"], "\(each)")
      let findings = config.findings.map { "\(Self.place($0)) \($0.severity.rawValue): \($0.message)" }
      #expect(findings == Self.lines(each.sections["findings"]), "\(each)")
      #expect(each.sections["error"] == nil, "\(each)")
    } catch {
      #expect(error.findings.map { "\(Self.place($0)) \($0.message)" } == Self.lines(each.sections["error"]), "\(each)")
    }
  }

  private static func place(_ finding: Finding) -> String {
    "\(max(1, finding.location.line)):\(max(1, finding.location.column))"
  }

  private static func lines(_ text: String?) -> [String] { (text ?? "").split(separator: "\n").map(String.init) }

  /// A policy that is written as a configuration and read again allows the same.
  @Test(arguments: Policy.shippedNames)
  func allowedNamesRoundTrip(_ name: String) throws {
    let policy = try #require(Policy.shipped(named: name))
    let config = SanitizerConfig(policy)
    let again = try SanitizerConfig(json: config.json, file: "x.json")
    #expect(again.findings.isEmpty, "\(again.findings)")
    for namespace in Policy.Namespace.allCases {
      #expect(again.policy.elements[namespace] ?? [] == policy.elements[namespace] ?? [])
      for element in policy.elements[namespace] ?? [] {
        #expect(Self.allowed(element, namespace, again.policy) == Self.allowed(element, namespace, policy))
      }
    }
  }

  @Test func elementInNoNamespaceIsWrittenAsOne() throws {
    let text = #"{"elements":[{"name":"p","namespace":null}]}"#
    #expect(try SanitizerConfig(json: text, file: "x.json").json == text + "\n")
  }

  private static func allowed(_ element: String, _ namespace: Policy.Namespace, _ policy: Policy) -> Set<String> {
    let lists = policy.attributes[namespace] ?? [:]
    return (lists["*"] ?? []).union(lists[element] ?? [])
  }

  @Test func losslessSettingsAreNotNamed() throws {
    var policy = Policy(name: "mine")
    policy.allow("p", "my-*")
    policy.allow(attributes: "data-*", "aria-*", on: "*")
    policy.droppedElements = ["*"]
    #expect(
      SanitizerConfig(policy).findings.map(\.message) == [
        "'aria-*' is not part of a sanitizer configuration; list what it stands for",
        "'my-*' is not part of a sanitizer configuration; list what it stands for",
      ])
    policy.improvements.idPrefix = "x-"
    policy.urls.schemes = ["https"]
    policy.droppedElements = []
    #expect(
      SanitizerConfig(policy).findings.map(\.message).filter { !$0.hasPrefix("'") } == [
        "not part of a sanitizer configuration: urls.schemes, improve.id-prefix",
        "a browser removes elements that it does not know with their content",
      ])
  }
}
