import TamisCheck
import TamisCore
import TamisSanitizer
import TamisURL
import TestSupport
import Testing

/// What hooks change, and what they cannot.
@Suite struct HookTests {
  /// Sends pictures through a proxy, and takes those of one host away.
  private static func proxied(_ url: WebURL, _ use: Sanitizer.URLUse) -> WebURL? {
    guard use.element == "img" else { return url }
    return url.hostname == "gone.example" ? nil : WebURL("https://proxy.example/\(url.hostname ?? "")\(url.path)")
  }

  /// Each case of `hooks.txt`: a proxy for pictures, no `class`, and figures instead of frames.
  private static let hooks: Sanitizer.Hooks = {
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.rewriteURL = proxied
    hooks.handleElement = { element in
      element["class"] = nil
      for attribute in element.attributes { element[attribute.name] = attribute.value.replacing("secret", with: "") }
      return switch element.name {
      case "iframe":
        .replace(html: #"<figure><a href="\#(element["src"] ?? "")" onclick=x>Film<script>y</script></a></figure>"#)
      case "center": .unwrap
      case "aside": .drop
      case "evil": .replace(html: "<iframe src=https://x.example/></iframe><p onclick=x>in the place of evil")
      default: .followPolicy
      }
    }
    return hooks
  }()

  @Test(arguments: Case.all(in: "Hooks"))
  func hooksProduceExpectedOutput(_ each: Case) throws {
    let sanitizer = try Sanitizer(policy: .reading, hooks: Self.hooks)
    let base = each.settings["base"].flatMap { WebURL($0) }
    let html = sanitizer.sanitize(each.sections["input"] ?? "", base: base, page: base).html.string
    #expect(html == each.sections["output"], "\(each.name)")
  }

  /// The proxy of `docs/library.md` receives every request that a browser would send, for all cases of the sanitizer.
  @Test(arguments: Policy.shippedNames)
  func urlHookSeesEveryRequestedURL(_ name: String) throws {
    let policy = try #require(Policy.shipped(named: name))
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.rewriteURL = { url, use in
      use.purpose.isRequested ? WebURL("https://proxy.example/?\(url.hostname ?? "")") : url
    }
    let sanitizer = try Sanitizer(policy: policy, hooks: hooks)
    var requests = 0
    for input in Self.inputs + Self.requests {
      let html = sanitizer.sanitize(input, base: WebURL("https://feed.example/")).html.string
      for address in Self.requested(by: html) {
        requests += 1
        #expect(
          address.hasPrefix("https://proxy.example/") || address.hasPrefix("data:"), "\(address) in \(html.prefix(300))"
        )
      }
    }
    // The others show no pictures.
    #expect(requests > 50 || ["browser-default", "strict", "text"].contains(name))
  }

  private static let requests = [
    "<picture><source srcset='a.png 1x, b.png 2x'><img src=c.png srcset='d.png 2x'></picture>",
    "<video poster=a.png src=b.mp4><source src=c.mp4><track src=d.vtt></video><audio src=e.mp3></audio>",
    "<svg><image href=a.png xlink:href=b.png /><use href=c.svg#d /></svg><table background=e.png><td background=f.png>",
    "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='><img src=//g.example/h.png><a href=i ping=j>k</a>",
    "<iframe src=https://www.youtube-nocookie.com/embed/abc></iframe><object data=l></object><embed src=m><input type=image src=n>",
    "<p style='background: url(o.png)'>p</p><q cite=q>r</q><a href=s attributionsrc=t>u</a><link rel=stylesheet href=v>",
  ]

  /// The addresses that browsers request while they show a page.
  ///
  /// These are those of `src` and the like on whatever element, and those of `href` where it is not a link.
  private static func requested(by html: String) -> [String] {
    html.matches(of: #/<([a-zA-Z:]+)((?:\s+[^\s=>]+="[^"]*")*)\s*\/?>/#).flatMap { tag in
      tag.2.matches(of: #/([^\s=]+)="([^"]*)"/#).flatMap { attribute -> [String] in
        switch attribute.1.lowercased() {
        case "src", "srcset", "poster", "background", "data", "lowsrc", "dynsrc", "style": break
        case "href", "xlink:href":
          guard ["image", "use", "feimage", "link", "pattern", "script", "textpath"].contains(tag.1.lowercased())
          else { return [] }
        default: return []
        }
        return attribute.2.replacing("&amp;", with: "&").split { " ,()'".contains($0) }.map(String.init).filter {
          $0.hasPrefix("//") || $0.contains("://") || $0.hasPrefix("data:")
        }
      }
    }
  }

  private static let inputs = CaseTests.suite.cases.map { String(decoding: $0.input, as: UTF8.self) }

  /// Hooks with hostile answers; the output keeps the contract and is a fixed point of the sanitizer without hooks.
  static let hostile: [Sanitizer.Hooks] = {
    let markup = "<script>x</script><svg><style><img src=x onerror=x></style></svg><table><p><a href=javascript:x>y"
    var all: [Sanitizer.Hooks] = []
    for target in ["javascript:alert(1)", "data:text/html,<script>x</script>", "https://x.example/\"><b>", "ftp:x"] {
      var hooks = Sanitizer.Hooks(version: target)
      hooks.rewriteURL = { _, _ in WebURL(target) }
      all.append(hooks)
      hooks.handleElement = { element in
        for attribute in element.attributes { element[attribute.name] = target }
        element["onclick"] = target
        element["x y=\"><script>"] = target
        return .followPolicy
      }
      all.append(hooks)
      hooks.handleElement = { element in
        element.name = ["script", "svg", "style", "table", "img", "a b", "template"][element.name.count % 7]
        return .followPolicy
      }
      hooks.handleText = { _ in .replace(html: markup) }
      all.append(hooks)
      hooks.handleElement = { $0.name.count % 2 == 0 ? .replace(html: markup) : .unwrap }
      all.append(hooks)
    }
    var silent = Sanitizer.Hooks(version: "nothing")
    silent.rewriteURL = { _, _ in nil }
    silent.handleElement = { element in
      element.attributes = []
      return element.name == "p" ? .drop : .followPolicy
    }
    return all + [silent]
  }()

  @Test(arguments: hostile.indices)
  func hostileHooksCannotBreakOutputContract(_ index: Int) throws {
    for policy in [Policy.reading, .strict, .universalFeedParser.with(tidy: .broken)] {
      let sanitizer = try Sanitizer(policy: policy, hooks: Self.hostile[index])
      let plain = sanitizer.withoutHooks
      let contract = OutputContract(policy: policy)
      // Each a third of them: all are shown to hooks of each kind.
      for input in Self.inputs.enumerated().filter({ $0.offset % 3 == index % 3 }).map(\.element) {
        let html = sanitizer.sanitize(input).html
        let breach = contract.breach(of: html, by: plain, base: nil)
        #expect(breach == nil, "\(policy.name), \(Self.hostile[index].version): \(input.debugDescription)")
      }
    }
  }

  /// Hooks that return their input leave the output unchanged.
  @Test func identityHooksChangeNothing() throws {
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.rewriteURL = { url, _ in url }
    hooks.handleElement = { element in
      for attribute in element.attributes { element[attribute.name] = attribute.value }
      return .followPolicy
    }
    hooks.handleText = { _ in .keep }
    let base = WebURL("https://feed.example/dir/page")
    let asking = try Sanitizer(policy: .reading, hooks: hooks)
    for input in Self.inputs {
      let (with, without) = (asking.sanitize(input, base: base), Sanitizer.reading.sanitize(input, base: base))
      #expect(with.html.string == without.html.string, "\(input.debugDescription)")
      #expect(with.facts == without.facts && with.removals == without.removals, "\(input.debugDescription)")
    }
  }

  @Test func removalsByHooksAreReported() throws {
    let sanitizer = try Sanitizer(policy: .reading, hooks: Self.hooks)
    let result = sanitizer.sanitize("<p>\n<img src=https://gone.example/a.png alt=x><aside>a</aside>")
    #expect(result.removals.map { "\($0.line): \($0.name) \($0.rule)" } == ["2: img@src hook", "2: aside hook"])
    #expect(result.removalCounts[.hook] == 2)
  }

  /// The everyday changes: names, forced and added attributes, words that become links.
  @Test("what the sanitizer has written itself is no removal when hooks change something else")
  func ownAttributesAreNotReported() throws {
    var policy = Policy.strict
    policy.allow("img")
    policy.allow(attributes: "src", "alt", on: "img")
    policy.urls.schemesByAttribute["img"] = ["src": ["https"]]
    policy.improvements.linkRelations = ["nofollow", "ugc"]
    policy.improvements.loadsImagesLazily = true
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.rewriteURL = { url, use in
      use.purpose.isRequested ? WebURL(url.path == "/old" ? "http://p.example/" : "https://p.example/") : url
    }
    let sanitizer = try Sanitizer(policy: policy, hooks: hooks)
    let source = "<p>a\n<a href='https://x.example/' rel=me>x</a><img src='https://y.example/a.png'>"
    let result = sanitizer.sanitize(source)
    #expect(result.html.string.contains(#"<img loading="lazy" src="https://p.example/" />"#))
    #expect(result.removals.map(\.description) == ["2:36: a@rel is not allowed there"])
    #expect(result.removalCounts == [.attribute: 1])
    // What a hook has made has no place in the source.
    let refused = sanitizer.sanitize("<p>a\n<img src='https://y.example/old'>")
    #expect(refused.removals.map(\.description) == ["1:1: img@src has a value that is not allowed"])
  }

  @Test func elementsAndTextAreChanged() throws {
    var policy = Policy.strict
    policy.allow("strong", "a")
    policy.allow(attributes: "target", "href", on: "a")
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.handleElement = { element in
      if element.name == "b" { element.name = "strong" }
      if element.name == "a" { element["target"] = "_blank" }
      return .followPolicy
    }
    hooks.handleText = { text in
      guard !text.isInLink, let at = text.string.firstIndex(of: "@") else { return .keep }
      let name = text.string[at...].prefix { $0 != " " }
      return .replace(
        html: text.string.replacing(
          name, with: "<a href='https://h.example/\(SanitizedHTML(escaping: String(name)))'>\(name)</a>"))
    }
    let sanitizer = try Sanitizer(policy: policy, hooks: hooks)
    let html = sanitizer.sanitize("<b>x</b> @ann <a href=https://a.example/ target=x>@ben</a>").html.string
    #expect(html.hasPrefix("<strong>x</strong> <a href=\"https://h.example/@ann\""), "\(html)")
    #expect(html.contains(">@ann</a> <a href=\"https://a.example/\"") && html.contains(">@ben</a>"), "\(html)")
    #expect(html.split(separator: "target=\"_blank\"").count == 2, "\(html)")
  }

  /// An element without content keeps its name, and no other takes one.
  @Test(arguments: [
    ("br", "p", "<br />x"), ("p", "br", "<p>x</p>"), ("p", "a b", "<p>x</p>"), ("p", "DIV", "<div>x</div>"),
  ])
  func renamingKeepsContentModel(_ name: String, _ other: String, _ expected: String) throws {
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.handleElement = { element in
      if element.name == name { element.name = other }
      return .followPolicy
    }
    #expect(try Sanitizer(policy: .reading, hooks: hooks).sanitize("<\(name)>x").html.string == expected)
  }

  @Test func hookValuesAreMade() {
    var element = Sanitizer.Hooks.Element(name: "a", attributes: [.init(name: "href", value: "x")])
    element["title"] = "t"
    element["href"] = nil
    #expect(element.attributes == [.init(name: "title", value: "t")] && element["href"] == nil)
    #expect(Sanitizer.Hooks.Text("x").isInLink == false)
    #expect(Sanitizer.URLUse(element: "img", attribute: "src").purpose == .image)
  }

  /// Answers of hooks are as large as a fragment may be, all together.
  @Test func hooksReturnNoMoreThanFragmentMayHave() throws {
    let large = String(repeating: "<b>x</b>", count: 1_310_720)
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.handleElement = { $0.name == "u" ? .replace(html: large) : .followPolicy }
    hooks.handleText = { $0.string.contains("y") ? .replace(html: large) : .keep }
    hooks.rewriteURL = { url, _ in WebURL("\(url.href)?\(large.utf8.count)\(String(repeating: "z", count: 100_000))") }
    let links = String(repeating: "<a href='https://e.example/'>z</a>", count: 100)
    let result = try Sanitizer(policy: .reading, hooks: hooks).sanitize("<u>x</u> y " + links)
    #expect(result.html.string.hasPrefix("<u>x</u> y <a") && result.html.string.utf8.count < 9 << 20)
    #expect(result.removalCounts[.limit] == 2 && result.removalCounts[.hook, default: 0] > 10)
  }

  /// Formatting that is reopened is replaced again, by the same elements.
  @Test func reopenedFormattingIsReplacedAgain() throws {
    var hooks = Sanitizer.Hooks(version: "1")
    hooks.handleElement = { $0.name == "b" ? .replace(html: "<u>1</u><i>2</i>") : .followPolicy }
    let result = try Sanitizer(policy: .reading, hooks: hooks).sanitize("<p><b>x<p>y")
    #expect(result.html.string == "<p><u>1</u><i>2</i></p><p><u>1</u><i>2</i></p>")
  }
}
