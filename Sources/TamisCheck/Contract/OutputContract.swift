public import TamisCore
public import TamisSanitizer
public import TamisURL

/// What the sanitizer promises for every input, checked on one output.
///
/// The output is read once more, by its own grammar and with a browser's rules for open elements, and compared with the
/// policy and the ``Floor``. Nothing of the sanitizer's own reading is used for it.
public struct OutputContract: Sendable {
  /// A promise that was not kept.
  public struct Breach: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was promised.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
      /// Every tag, value and reference is written in the one way that all parsers read alike.
      case grammar
      /// Each end tag ends what was opened last, and nothing stays open.
      case balance
      /// Only allowed elements.
      case element
      /// Only allowed attributes.
      case attribute
      /// Only allowed schemes in URLs.
      case url
      /// Only allowed declarations in styles, and nothing in paints that loads.
      case style
      /// Identifiers and class names with the policy's prefixes.
      case name
      /// A browser builds what is written.
      case structure
      /// Sanitizing the output again changes nothing.
      case idempotence
    }

    /// What was promised.
    public var rule: Rule
    /// The violation.
    public var message: String
    /// Where in the output, in bytes from 0.
    public var offset: Int

    /// `rule: message (at byte 12 of the output)`.
    public var description: String { "\(rule.rawValue): \(message) (at byte \(offset) of the output)" }
  }

  /// The rules that the output was made with.
  public let policy: Policy

  /// Prepares to check outputs of a policy.
  ///
  /// Under rules that never repair (`tidy: never`) misplaced content of a table stays where it was written, which browsers
  /// show before the table; that is a breach under all others.
  public init(policy: Policy) { self.policy = policy }

  /// The first promise that an output does not keep; nil when it keeps all.
  public func breach(of output: SanitizedHTML) -> Breach? { breach(ofMarkup: output.string) }

  /// As ``breach(of:)``, and whether sanitizing the output again changes nothing.
  public func breach(of output: SanitizedHTML, by sanitizer: Sanitizer, base: WebURL?, page: WebURL? = nil) -> Breach? {
    if let breach = breach(of: output) { return breach }
    let again = sanitizer.sanitizedHTML(of: output.string, base: base, page: page)
    guard !again.string.utf8.elementsEqual(output.string.utf8) else { return nil }
    let offset = zip(again.string.utf8, output.string.utf8).enumerated().first { $1.0 != $1.1 }?.offset
    return Breach(
      rule: .idempotence, message: "sanitizing it again gives \(again.string)",
      offset: offset ?? min(again.string.utf8.count, output.string.utf8.count))
  }

  /// As ``breach(of:)``, for markup of any origin.
  public func breach(ofMarkup html: String) -> Breach? {
    var scanner = OutputScanner(html)
    var open = OutputElements()
    do {
      while true {
        let offset = scanner.index
        guard let token = try scanner.next() else { break }
        if let breach = check(token, scanner, &open, offset) { return breach }
      }
    } catch {
      return Breach(rule: .grammar, message: error.message, offset: error.offset)
    }
    return open.current.map {
      Breach(rule: .balance, message: "<\($0.name)> is not closed", offset: scanner.index)
    }
  }

  private func check(
    _ token: OutputScanner.Token, _ scanner: OutputScanner, _ open: inout OutputElements, _ offset: Int
  )
    -> Breach?
  {
    switch token {
    case .text(let range):
      let text = scanner[range]
      if policy.tidy != .never, open.movesText, !text.allSatisfy(\.isHTMLSpace) {
        return Breach(rule: .structure, message: "text that a browser moves before the table", offset: offset)
      }
      // A browser takes one away, and leaves the next.
      if open.isJustOpened, text.first == ASCII.lineFeed, text.dropFirst().first != ASCII.lineFeed,
        let name = open.current?.name,
        ["listing", "pre", "textarea"].contains(name)
      {
        return Breach(rule: .structure, message: "a line break that a browser drops in <\(name)>", offset: offset)
      }
      open.isJustOpened = false
    case .end(let name):
      open.isJustOpened = false
      guard let element = open.pop(), element.name == name.asciiLowercased() else {
        return Breach(rule: .balance, message: "</\(name)> has no matching start tag", offset: offset)
      }
    case .start(let written, let attributes, let isVoid):
      let name = written.asciiLowercased()
      let namespace = open.namespace(of: name)
      let element = OutputElements.Element(name: name, namespace: namespace)
      if let breach = check(element, open, isVoid: isVoid, offset) { return breach }
      let checker = AttributeCheck(policy: policy, element: element, isRoot: open.current?.namespace != namespace)
      if let (rule, message) = checker.objection(to: attributes) {
        return Breach(rule: rule, message: message, offset: offset)
      }
      if !isVoid { open.push(element) }
      open.isJustOpened = !isVoid
    }
    return nil
  }

  private func check(_ element: OutputElements.Element, _ open: OutputElements, isVoid: Bool, _ offset: Int) -> Breach?
  {
    let (name, namespace) = (element.name, element.namespace)
    if let objection = open.breakOut(atStart: name) {
      return Breach(rule: .structure, message: "<\(name)>: \(objection)", offset: offset)
    }
    if let objection = Floor.objection(toElement: name, in: namespace) {
      return Breach(rule: .element, message: "<\(name)> is below the floor: \(objection)", offset: offset)
    }
    guard policy.elements[namespace]?.contains(name) == true else {
      return Breach(rule: .element, message: "<\(name)> is not allowed in \(namespace.rawValue)", offset: offset)
    }
    if namespace == .html, isVoid != Self.void.contains(name) {
      return Breach(rule: .grammar, message: "<\(name)> has \(isVoid ? "no" : "an") end tag by itself", offset: offset)
    }
    if isVoid, namespace != .html {
      return Breach(rule: .grammar, message: "<\(name)> is self-closing", offset: offset)
    }
    if open.count >= Limits.standard.fragmentDepth {
      return Breach(
        rule: .structure, message: "more than \(Limits.standard.fragmentDepth) open elements", offset: offset)
    }
    if let objection = open.objection(toStart: name, mayMove: policy.tidy == .never) {
      return Breach(rule: .structure, message: "<\(name)>: \(objection)", offset: offset)
    }
    return nil
  }

  private static let void: Set = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
  ]
}
