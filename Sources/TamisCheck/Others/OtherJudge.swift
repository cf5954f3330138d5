import TamisCore
import TamisHTML
import TamisSanitizer

/// A judge of another sanitizer's output, by the tree that a browser builds from it, and by rules if given.
struct OtherJudge: Sendable {
  /// The rules; nil to require only that nothing runs and nothing around the output changes.
  let policy: Policy?

  /// Returns the first fault of each kind in a single output.
  ///
  /// - Parameters:
  ///   - html: the output.
  ///   - contexts: the places into which it is put.
  ///   - questions: the faults to judge besides those that always are.
  /// - Returns: the faults, without those that need another run of the program.
  func faults(
    of html: String, in contexts: [OutputContext] = [], asking questions: Set<SuiteEntry.Question> = []
  ) -> [OtherFault] {
    let tree = BrowserTree(html)
    var faults: [OtherFault] = []
    func add(_ kind: OtherFault.Kind, _ message: String) {
      faults.append(OtherFault(kind: kind, message: message, output: html))
    }
    // Scripts of pages serialize the tree and parse it again, with innerHTML.
    let written = tree.html
    let again = BrowserTree(written)
    if let running = tree.running {
      add(.unsafe, running)
    } else if let running = again.running {
      add(.unsafe, "\(running), once a browser has written what it built and reads that")
    } else if let running = Self.runningInWebKit(html) {
      add(.unsafe, "\(running), in WebKit, which reads no CDATA section there")
    } else if tree.endsInTag, let running = Self.runningInPage(html) {
      add(.unsafe, "\(running), once the page behind it ends the tag")
    } else if let running = contexts.lazy.compactMap({ $0.running(html) }).first {
      add(.unsafe, running)
    }
    if questions.contains(.loads), let message = tree.loading { add(.loads, message) }
    if questions.contains(.clobbers), let message = tree.clobbering { add(.clobbers, message) }
    if questions.contains(.spoofs), let message = tree.spoofing { add(.spoofs, message) }
    if let policy, let message = Self.surplus(tree, policy) { add(.disallowed, message) }
    if let fault = tree.fault {
      add(fault.kind == .balance ? .unbalanced : .rebuilt, fault.message)
    } else if again.html != written {
      add(.rebuilt, "a browser that writes what it built and reads that builds something else")
    }
    return faults
  }

  /// Returns the running part of an output that ends inside a tag, when the text after it in the page closes that tag.
  private static func runningInPage(_ html: String) -> String? {
    [">", "\">", "'>"].lazy.compactMap { BrowserTree(html + $0).running }.first
  }

  /// Returns the running part of an output where CDATA sections are comments in elements that hold HTML.
  private static func runningInWebKit(_ html: String) -> String? {
    guard html.contains("<![CDATA[") else { return nil }
    return BrowserTree(html, in: .fragment, readsSectionsBesideHTML: false).running
  }

  // MARK: - Rules

  /// The attributes that sanitizers add themselves.
  private static let ownAttributes: Set = ["rel", "loading", "decoding", "xmlns", "xmlns:xlink"]

  /// Returns the first element, attribute or URL that the rules do not allow.
  private static func surplus(_ tree: BrowserTree, _ policy: Policy) -> String? {
    if let name = tree.pageAttributes.first?.name { return "the attribute '\(name)' of the page" }
    for (node, _) in tree.inOrder {
      guard let element = tree.element(node), !element.isSupplied else { continue }
      let (name, namespace) = (element.name, element.namespace)
      if !(policy.elements[namespace] ?? []).contains(where: { AttributeCheck.stands($0, for: name) }) {
        return "<\(name)> is not allowed in \(namespace.rawValue) by the rules '\(policy.name)'"
      }
      let check = AttributeCheck(policy: policy, element: OutputElements.Element(name: name, namespace: namespace))
      for attribute in element.attributes where !ownAttributes.contains(attribute.name) {
        // Prefixes of identifiers are a matter of taste.
        if let (rule, message) = check.objection(to: [attribute]), rule != .name {
          return "\(message) by the rules '\(policy.name)'"
        }
      }
    }
    return nil
  }

  // MARK: - Text

  /// Returns the expected text that is no longer visible to a reader, or nil when nothing is missing.
  ///
  /// Only words of the input that a browser shows count: what rules add, such as a link for a video, is not expected of
  /// other programs.
  static func lost(_ each: SanitizerCase, _ html: String) -> String? {
    let given = VisibleText(html)
    let input = String(decoding: each.input, as: UTF8.self)
    let source = VisibleText(input).solid
    for wanted in each.keeps where !isAddress(wanted) {
      let part = lowered(VisibleText.solid(wanted))
      // Text that an input only has in its URLs is a matter of rules.
      if ByteScan.contains(part, in: lowered(source)[...]), !ByteScan.contains(part, in: lowered(given.solid)[...]) {
        return wanted
      }
    }
    var least: [String]?
    for output in each.outputs + (each.isUnchanged ? [input] : []) {
      let missing = given.missing(of: VisibleText(output)).filter {
        ByteScan.contains(Array($0.utf8), in: source[...])
      }
      if least.map({ missing.count < $0.count }) ?? true { least = missing }
    }
    guard let least, !least.isEmpty else { return nil }
    return least.prefix(8).joined(separator: " ") + (least.count > 8 ? " …" : "")
  }

  /// Returns the number of expectations of a case that only exact checks ask: outputs as they are written, texts that
  /// must not be there, and addresses.
  static func unasked(_ each: SanitizerCase) -> Int {
    (each.outputs.isEmpty && !each.isUnchanged ? 0 : 1) + each.drops.count + each.keeps.count(where: isAddress)
  }

  private static func lowered(_ text: [UInt8]) -> [UInt8] { text.map(\.asciiLowercased) }

  private static func isAddress(_ text: String) -> Bool { text.contains("://") || text.hasPrefix("mailto:") }
}

/// The visible text of a fragment.
struct VisibleText {
  /// The words in order.
  let words: [String]
  /// The bytes without white space.
  let solid: [UInt8]

  init(_ html: String) { self.init(BrowserTree(html)) }

  init(_ tree: BrowserTree) {
    var text: [UInt8] = []
    for (node, _) in tree.inOrder {
      switch tree.nodes[node].content {
      case .comment, .doctype: continue
      case .element(let element):
        if !HTMLName.isFormatting(element.name), element.name != "span" { text.append(ASCII.space) }
      case .text(let bytes):
        let parent = tree.nodes[node].parent ?? BrowserTree.root
        if !tree.isHTML(parent, Self.unseen) { text += bytes }
      }
    }
    // Replacement characters for invalid bytes are not a loss.
    words = String(decoding: text, as: UTF8.self).split { $0.isWhitespace || $0 == "\u{FFFD}" }.map(String.init)
    solid = words.flatMap(\.utf8)
  }

  private static let unseen = BrowserTree.rawText.subtracting(["plaintext", "xmp"])

  /// Returns a text without white space.
  static func solid(_ text: String) -> [UInt8] { text.split(whereSeparator: \.isWhitespace).flatMap(\.utf8) }

  /// Returns the words of another text that are missing in this one, regardless of their order and of text between
  /// their letters.
  func missing(of other: VisibleText) -> [String] {
    var rest = other.solid[...]
    for byte in solid where byte == rest.first { rest.removeFirst() }
    if rest.isEmpty { return [] }
    var counts: [String: Int] = [:]
    for word in other.words { counts[word, default: 0] += 1 }
    let known = counts.filter { occurrences(of: Array($0.key.utf8)) >= $0.value }
    return other.words.filter { known[$0] == nil }
  }

  /// Returns the number of occurrences of a word, also inside other words: markup written as text touches the words.
  private func occurrences(of word: [UInt8]) -> Int {
    var (count, start) = (0, 0)
    while let found = solid[start...].firstIndex(of: word[0]) {
      let isWhole = solid[found...].starts(with: word)
      if isWhole { count += 1 }
      start = found + (isWhole ? word.count : 1)
    }
    return count
  }
}
