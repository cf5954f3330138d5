import Foundation
import TamisCheck
import TamisCore
import TamisSanitizer
import TestSupport
import Testing

/// The output contract under policies that nobody would write: whatever the floor permits, in any combination.
@Suite struct RandomPolicyTests {
  /// 10,000 policies, or as many as TAMIS_RANDOM_POLICIES says, from the seed in TAMIS_SEED.
  @Test func outputsKeepContractUnderRandomPolicies() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["TAMIS_RANDOM_POLICIES"].flatMap(Int.init) ?? 10_000
    let seed = environment["TAMIS_SEED"].flatMap(UInt64.init) ?? 38
    let inputs = Self.inputs
    let workers = ProcessInfo.processInfo.activeProcessorCount
    DispatchQueue.concurrentPerform(iterations: workers) { worker in
      for number in stride(from: worker, to: count, by: workers) {
        var chance = Chance(seed: seed &+ UInt64(number))
        Self.check(RandomPolicy.policy(&chance), number, (0..<6).map { _ in chance.pick(inputs) })
      }
    }
  }

  /// The fragments of the suite and soup.
  private static var inputs: [String] {
    SuiteTests.suite.cases.filter { $0.entry?.shape == nil }.map { String(decoding: $0.input, as: UTF8.self) }
      + (0..<2000).map { number in
        var chance = Chance(seed: UInt64(number))
        return RandomPolicy.soup(&chance)
      }
  }

  private static func check(_ policy: Policy, _ number: Int, _ inputs: [String]) {
    do throws(InvalidRules) {
      let sanitizer = try Sanitizer(policy: policy)
      // What a rules file says of the policy is the policy.
      let read = try Policy(yaml: sanitizer.policy.yaml, file: "random")
      #expect(read == sanitizer.policy && read.yaml == sanitizer.policy.yaml, "policy \(number): \(policy.yaml)")
      let contract = OutputContract(policy: sanitizer.policy)
      for input in inputs {
        let breach = contract.breach(of: sanitizer.sanitize(input).html, by: sanitizer, base: nil)
        #expect(breach == nil, "policy \(number), \(input.debugDescription): \(policy.yaml)")
      }
    } catch {
      Issue.record("policy \(number): \(error)")
    }
  }
}

/// Numbers that are the same in every run.
struct Chance {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  /// Returns a number below a bound.
  mutating func below(_ bound: Int) -> Int {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int(truncatingIfNeeded: (word ^ (word >> 31)) >> 1) % bound
  }

  mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

  /// Returns true one time in `bound`.
  mutating func one(in bound: Int) -> Bool { below(bound) == 0 }

  /// Returns some of the items; each with the same chance, which differs from call to call.
  mutating func some<Item>(_ items: [Item]) -> [Item] {
    let share = pick([0, 1, 3, 10, 50, 90, 100])
    return items.filter { _ in below(100) < share }
  }
}

/// Policies and markup made by chance.
enum RandomPolicy {
  private static let shipped = Policy.shippedNames.compactMap(Policy.shipped(named:))

  private static let elements: [Policy.Namespace: [String]] = {
    var names = Dictionary(uniqueKeysWithValues: Policy.Namespace.allCases.map { ($0, Set<String>()) })
    for policy in shipped { names.merge(policy.elements) { $0.union($1) } }
    names[.html]?.formUnion(ElementTable.known.union(["my-card", "unknown", "x-*", "svg:a"]))
    names[.svg]?.formUnion([
      "filter", "feblend", "mask", "pattern", "symbol", "view", "image", "style", "script", "cursor", "metadata", "p",
    ])
    names[.math]?.formUnion(["mglyph", "malignmark", "maction", "annotation", "mi", "a", "svg"])
    return names.reduce(into: [:]) { result, each in
      result[each.key] = each.value.filter { Policy.Floor.objection(toElement: $0, in: each.key) == nil }.sorted()
    }
  }()

  private static let attributes: [Policy.Namespace: [String]] = {
    let common: Set<String> = [
      "id", "name", "class", "style", "title", "dir", "lang", "href", "src", "xlink:href", "xml:base", "xml:lang",
      "hidden",
      "contenteditable", "popover", "popovertarget", "for", "form", "target", "download", "usemap", "srcset", "data",
      "rel", "type", "value", "open", "role", "aria-label", "aria-labelledby", "data-x", "data-*", "aria-*", "inert",
      "commandfor", "command", "tabindex", "draggable", "poster", "background", "cite", "longdesc", "filter", "mask",
      "fill",
      "clip-path", "marker-end", "cursor", "color-profile", "xmlns", "xmlns:xlink", "begin", "shadowrootmode", "as",
    ]
    var names = Dictionary(uniqueKeysWithValues: Policy.Namespace.allCases.map { ($0, common) })
    for policy in shipped {
      names.merge(policy.attributes.mapValues { $0.values.reduce(into: Set()) { $0.formUnion($1) } }) { $0.union($1) }
    }
    return names.mapValues { $0.filter { Policy.Floor.objection(toAttribute: $0) == nil }.sorted() }
  }()

  private static let schemes = Set(shipped.flatMap(\.urls.schemes)).union(["x-y", "web+a"]).sorted()
  private static let properties = Set(shipped.flatMap(\.styles.properties))
    .union(["position", "background", "background-image", "content", "z-index", "behavior", "-moz-binding"])
    .sorted()

  /// Returns a policy that a rules file could have.
  static func policy(_ chance: inout Chance) -> Policy {
    var policy = chance.one(in: 3) ? chance.pick(shipped) : Policy()
    policy.name = "random"
    policy.tidy = chance.pick(Policy.TidyMode.allCases)
    for namespace in Policy.Namespace.allCases { names(in: namespace, of: &policy, &chance) }
    let names = (elements[.html] ?? []) + ["script", "style", "template", "iframe", "*"]
    policy.droppedElements = Set(chance.some(names))
    policy.unwrappedElements = Set(chance.some(names))
    urls(of: &policy, &chance)
    single(of: &policy, &chance)
    improvements(of: &policy, &chance)
    return policy
  }

  private static func names(in namespace: Policy.Namespace, of policy: inout Policy, _ chance: inout Chance) {
    let (elements, attributes) = (elements[namespace] ?? [], attributes[namespace] ?? [])
    policy.elements[namespace, default: []].formUnion(chance.some(elements))
    policy.elements[namespace]?.subtract(chance.some(elements))
    policy.attributes[namespace, default: [:]]["*", default: []].formUnion(chance.some(attributes))
    for _ in 0..<chance.below(6) {
      policy.attributes[namespace]?[chance.pick(elements), default: []].formUnion(chance.some(attributes))
    }
  }

  private static func urls(of policy: inout Policy, _ chance: inout Chance) {
    policy.urls.schemes = Set(chance.some(schemes))
    policy.urls.allowsDataImages = chance.one(in: 2)
    policy.urls.keepsRelative = chance.one(in: 2)
    policy.urls.leavesRefusedEmpty = chance.one(in: 2)
    for attribute in chance.some(["href", "src", "cite", "srcset", "poster"]) {
      policy.urls.schemesByAttribute[chance.pick(["*", "a", "img", "q"]), default: [:]][attribute] = Set(
        chance.some(schemes))
    }
    policy.styles.properties = Set(chance.some(properties))
    policy.styles.families = Set(chance.some(["border", "margin", "padding", "background", "font", "list-style"]))
    policy.styles.keywords = Set(chance.some(["auto", "left", "red", "solid", "url", "none", "block", "fixed"]))
    policy.styles.svgProperties = Set(chance.some(["fill", "stroke", "clip-path", "mask", "opacity"]))
  }

  private static func single(of policy: inout Policy, _ chance: inout Chance) {
    for attribute in chance.some(["dir", "type", "role", "class", "target", "contenteditable", "hidden"]) {
      policy.values[chance.pick(["*", "p", "a", "my-card"]), default: [:]][attribute] = Set(
        chance.some(["ltr", "x", "", "a b", "\"><b>", "&lt;", "_blank", "true"]))
    }
    for attribute in chance.some(["title", "role", "target", "class", "data-x", "loading", "inert"]) {
      policy.forcedAttributes[chance.pick(["p", "a", "img", "td", "my-card", "svg"]), default: [:]][attribute] =
        chance.pick([
          "", "x", "\"><script>", "&amp;", "a b", "_self", "é\u{202E}",
        ])
    }
  }

  private static func improvements(of policy: inout Policy, _ chance: inout Chance) {
    policy.improvements.idPrefix = chance.pick([nil, "p", "post-", "a-_-"])
    policy.improvements.linkRelations = chance.some(["noopener", "nofollow", "x"])
    policy.improvements.loadsImagesLazily = chance.one(in: 2)
    policy.improvements.repairsLazyImages = chance.one(in: 2)
    policy.improvements.removesTrackingPixels = chance.one(in: 2)
    policy.improvements.trackingParameters = Set(chance.some(["utm_*", "a", "*", "ref"]))
    policy.improvements.trackingHosts = Set(chance.some(["example.com", "x.example"]))
    policy.improvements.linksEmbeds = chance.one(in: 2)
    policy.improvements.readsAMP = chance.one(in: 2)
    policy.improvements.alignsPictures = chance.one(in: 2)
    policy.improvements.makesFigures = chance.one(in: 2)
    policy.improvements.separatesBlocks = chance.one(in: 2)
    policy.improvements.embedProviders = chance.one(in: 2) ? ["x.example": "X <b>"] : [:]
    policy.improvements.classPrefixes = chance.pick([nil, [], ["a"], ["language-", "x"]])
  }

  /// Returns markup of tags, attributes and text, in no order.
  static func soup(_ chance: inout Chance) -> String {
    let names = elements.values.flatMap { $0 }.sorted() + Policy.Floor.elements.sorted()
    let values = [
      "x", "", "#x", "javascript:alert(1)", "//x.example/?utm_a=1&a=2", "data:image/png;base64,AAAA",
      "color:red;position:fixed",
      "url(#x)", "a b", "1", "&quot;", "true", "ltr", "x 1x, y 2x",
    ]
    return (0..<(2 + chance.below(14))).map { _ in
      switch chance.below(8) {
      case 0:
        return chance.pick(["text ", "&lt;", "<!--", "-->", "<![CDATA[", "]]>", "\n", "<", "\u{0}", "</p>", "<br>"])
      case 1, 2: return "</\(chance.pick(names))>"
      default:
        let list = (0..<chance.below(4)).map { _ in
          " \(chance.pick(attributes[chance.pick(Policy.Namespace.allCases)] ?? []))=\"\(chance.pick(values))\""
        }
        return "<\(chance.pick(names))\(list.joined())\(chance.one(in: 6) ? "/" : "")>"
      }
    }.joined()
  }
}
