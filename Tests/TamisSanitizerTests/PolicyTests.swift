import TamisCore
import TamisSanitizer
import TamisURL
import Testing

/// Policies made in code, and the hooks of a sanitizer.
@Suite struct PolicyTests {
  @Test func namesAreAllowedByList() {
    var (one, other) = (Policy(), Policy())
    one.allow("a", "b")
    one.allow(attributes: "c", "d", on: "a")
    other.allow(["a", "b"])
    other.allow(attributes: ["c", "d"], on: "a")
    #expect(one == other)
  }

  @Test func policyIsModifiedByValue() throws {
    var policy = Policy.reading
    policy.allow("search", "my-note")
    policy.allow(attributes: "data-id", on: "my-note")
    policy.disallow("video")
    policy.urls.schemes.insert("web+note")
    let html = try Sanitizer(policy: policy).sanitize(
      "<search><my-note data-id=1>a <a href=web+note:1>b</a></my-note></search><video src=x>c</video>"
    ).html.string
    #expect(html.hasPrefix(#"<search><my-note data-id="1">a <a href="web+note:1""#), "\(html)")
    #expect(!html.contains("video") && html.hasSuffix("c"), "\(html)")
    #expect(Policy.reading.elements[.html]?.contains("search") == false)
  }

  @Test func rulesForSingleAttributesAreMadeInCode() throws {
    var policy = Policy.strict
    policy.allow("INPUT", "x-*")
    policy.allow(attributes: "type", "data-*", on: "Input")
    policy.values["INPUT"] = ["Type": ["checkbox"]]
    policy.forcedAttributes["A"] = ["TARGET": "_blank"]
    policy.urls.schemesByAttribute["a"] = ["href": ["HTTPS"]]
    let html = try Sanitizer(policy: policy).sanitize(
      "<input type=CHECKBOX data-a=1><input type=text><a href=http://e.example/>x</a><x-y>z</x-y>"
    ).html.string
    #expect(html == #"<input type="checkbox" data-a="1" /><input /><a target="_blank">x</a><x-y>z</x-y>"#)
  }

  /// Configuration of others can be as long as they like; it costs in proportion.
  @Test func policyOfManyNamesIsUsable() throws {
    var policy = Policy()
    policy.allow((0..<100_000).map { "x-\($0)" })
    policy.allow(attributes: (0..<100_000).map { "data-\($0)" }, on: "*")
    for number in 0..<1000 { policy.values["x-\(number)"] = ["data-\(number)": ["\(number)"]] }
    policy.forcedAttributes = Dictionary(uniqueKeysWithValues: (0..<100).map { ("x-\($0)", ["title": "\($0)"]) })
    let sanitizer = try Sanitizer(policy: policy)
    let html = sanitizer.sanitize("<x-7 data-7=7 data-8=8></x-7><x-99999 data-7=9></x-99999><y>").html.string
    #expect(html == #"<x-7 data-7="7" data-8="8" title="7"></x-7><x-99999 data-7="9"></x-99999>"#)
    #expect(try Policy(yaml: policy.yaml, file: "x").elements == policy.elements)
  }

  @Test func emptyPolicyAllowsNothing() throws {
    let sanitizer = try Sanitizer(policy: Policy())
    #expect(sanitizer.sanitize("<p class=x>a <b>b</b></p><script>c</script>").html.string == "a b")
    var policy = Policy(name: "mine")
    policy.allow("B")
    policy.allow(attributes: "ID", on: "b")
    #expect(try Sanitizer(policy: policy).sanitize("<p>a <B ID=x>b</B>").html.string == #"a <b id="x">b</b>"#)
  }

  /// What crosses the floor, or what no document can hold, is thrown when a sanitizer is made.
  static let objections: [(String, @Sendable (inout Policy) -> Void, String)] = [
    ("script", { $0.allow("script") }, "'script' can never be allowed: it can run script"),
    ("upper case", { $0.allow("SCRIPT") }, "'script' can never be allowed"),
    ("drawing", { $0.allow("p", in: .svg) }, "'p' can never be allowed: browsers end the drawing"),
    ("handler", { $0.allow(attributes: "onclick", on: "*") }, "'onclick' can never be allowed: event handlers"),
    ("scheme", { $0.urls.schemes.insert("javascript") }, "urls.schemes: 'javascript' can never be allowed"),
    ("form of a scheme", { $0.urls.schemes.insert("http:") }, "write it without the colon"),
    ("name", { $0.allow("b onclick=x") }, "'b onclick=x' is not an element name"),
    ("attribute", { $0.allow(attributes: "a\"b", on: "p") }, "is not an attribute name"),
    ("prefix", { $0.improvements.idPrefix = "a b" }, "improve.id-prefix: 'a b' is not a prefix"),
    ("picture", { $0.allow("image") }, "'image' can never be allowed: browsers read it as 'img'"),
    ("control", { $0.improvements.linkRelations = ["a\u{1}b"] }, "is not one word"),
    ("nothing", { $0.improvements.linkRelations = [""] }, "an empty word says nothing"),
    ("class prefix", { $0.improvements.classPrefixes = ["a\u{7F}"] }, "is not one word"),
    ("provider", { $0.improvements.embedProviders["a.example"] = "x\0y" }, "is not a name that a page can show"),
    ("control in a host", { $0.improvements.trackingHosts = ["x\0.example"] }, "is not a host"),
    ("relation", { $0.improvements.linkRelations = ["a b"] }, "'a b' is not one word"),
    ("beginning of elements", { $0.allow("x*") }, "is not the beginning of custom elements"),
    ("beginning of all elements", { $0.allow("*") }, "'*' is not an element name"),
    ("beginning of drawn elements", { $0.allow("x-*", in: .svg) }, "only elements of html"),
    ("beginning of attributes", { $0.allow(attributes: "o*", on: "p") }, "only attributes with 'data-' and 'aria-'"),
    ("patterns", { $0.allow((0...100).map { "x-\($0)*" }) }, "more than 100 names end with '*'"),
    ("values of URLs", { $0.values["a"] = ["href": ["x"]] }, "values: the values of 'href' are checked by other rules"),
    ("values of handlers", { $0.values["a"] = ["ONCLICK": ["x"]] }, "values: 'onclick' can never be allowed"),
    ("forced on all", { $0.forcedAttributes["*"] = ["dir": "ltr"] }, "force: an attribute is forced on an element"),
    ("forced handler", { $0.forcedAttributes["a"] = ["onclick": "x"] }, "force: 'onclick' can never be allowed"),
    ("forced URL", { $0.forcedAttributes["a"] = ["href": "x"] }, "force: 'href' depends on the document"),
    ("forced relation", { $0.forcedAttributes["a"] = ["rel": "x"] }, "force: 'rel' is written or counted"),
    ("forced control", { $0.forcedAttributes["a"] = ["title": "x\0"] }, "has control characters"),
    ("forced attributes", { for n in 0...100 { $0.forcedAttributes["x-\(n)"] = ["title": ""] } }, "more than 100"),
    ("scheme of an attribute", { $0.urls.schemesByAttribute["a"] = ["href": ["DATA"]] }, "'data' can never be allowed"),
    (
      "schemes of a text", { $0.urls.schemesByAttribute["a"] = ["title": ["http"]] }, "'title' is not an attribute with"
    ),
    ("host", { $0.improvements.trackingHosts = ["https://x.example/"] }, "is not a host"),
  ]

  @Test(arguments: objections.indices)
  func invalidPolicyIsRejected(_ index: Int) {
    let (name, change, message) = Self.objections[index]
    var policy = Policy.reading
    change(&policy)
    let error = #expect(throws: InvalidRules.self, "\(name)") { try Sanitizer(policy: policy) }
    #expect(error?.description.contains(message) == true, "\(name): \(error?.description ?? "")")
    #expect(error?.findings.count == 1, "\(name)")
  }

  /// What browsers fill from elsewhere, by a copy or a request, belongs to the floor.
  @Test func contentFromElsewhereIsRefused() {
    var policy = Policy()
    policy.allow("selectedcontent", "p")
    policy.allow(attributes: "patchsrc", on: "p")
    #expect(throws: InvalidRules.self) { try Sanitizer(policy: policy) }
    policy.disallow("selectedcontent")
    #expect(throws: InvalidRules.self) { try Sanitizer(policy: policy) }
    policy.disallow(attributes: "patchsrc", on: "p")
    #expect(throws: Never.self) { try Sanitizer(policy: policy) }
  }

  @Test(arguments: Policy.shippedNames)
  func shippedRulesAreValid(_ name: String) throws {
    let policy = try #require(Policy.shipped(named: name))
    #expect(try Sanitizer(policy: policy).policy == policy)
    #expect(Sanitizer.shipped(named: name)?.policy == policy)
    // As in Universal Feed Parser, whose output is for programs.
    #expect(policy.doubts.count == (name == "universal-feed-parser" ? 1 : 0), "\(policy.doubts)")
  }

  @Test func ineffectiveSettingsAreReported() {
    var policy = Policy()
    policy.allow("a")
    policy.allow(attributes: "href", "title", on: "a")
    policy.allow(attributes: "src", on: "img")
    #expect(
      policy.doubts == [
        "'href' of 'a' is removed wherever it is an absolute URL: no scheme is allowed",
        "'img' is not an allowed element; its attributes have no effect",
      ])
    policy.urls.schemes = ["https"]
    policy.allow("img")
    #expect(policy.doubts == [])
    policy.allow(attributes: "id", on: "*")
    #expect(policy.doubts.map { $0.hasPrefix("'id' or 'name' is allowed without a prefix") } == [true])
    policy.improvements.idPrefix = "note-"
    #expect(policy.doubts == [])
  }

  @Test func misspelledNamesAreReported() {
    var policy = Policy()
    policy.allow("a", "strnog", "my-element")
    policy.urls.schemes = ["https"]
    policy.allow(attributes: "herf", "data-x", on: "a")
    policy.styles.properties = ["text-align"]
    #expect(
      policy.doubts == [
        "no element of html is called 'strnog'; did you mean 'strong'?",
        "no attribute of html is called 'herf'; did you mean 'href'?",
        "properties have no effect as long as no element allows the attribute 'style'",
      ])
  }
}
