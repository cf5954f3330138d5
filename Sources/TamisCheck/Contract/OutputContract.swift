// To add a check: a rule of `Breach.Rule`, its check in a file of this folder that shares no list with the
// sanitizer, the call in `check`, markup that breaks it and markup that does not in OutputContractTests, a row in
// Tamis.docc/OutputContract.md.

public import TamisCore
public import TamisSanitizer
public import TamisURL

/// The guarantees of the sanitizer for every input, checked on one output.
///
/// The output is parsed by its own grammar and with a browser's rules for open elements, and compared with the policy
/// and the ``Policy/Floor``. The sanitizer's own parser is not used.
public struct OutputContract: Sendable {
  /// A violated guarantee.
  public struct Breach: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of guarantee.
    public enum Rule: String, Sendable, Hashable, CaseIterable {
      /// Every tag, value and reference is written in the one form that all parsers read alike.
      case grammar
      /// Each end tag closes the innermost open element, and all elements are closed.
      case balance
      /// All elements are allowed.
      case element
      /// All attributes are allowed.
      case attribute
      /// All schemes of URLs are allowed.
      case url
      /// All style declarations are allowed, and paints load nothing.
      case style
      /// Identifiers and class names have the policy's prefixes.
      case name
      /// A browser builds the tree that the markup describes.
      case structure
      /// Drawings and formulas stay in their place on the page, and definitions do not multiply.
      case place
      /// Sanitizing the output again changes nothing.
      case idempotence
    }

    /// The violated guarantee.
    public var rule: Rule
    /// The violation in words.
    public var message: String
    /// The offset in the output, in bytes from 0.
    public var offset: Int

    /// The rule, the message and the offset: `rule: message (at byte 12 of the output)`.
    public var description: String { "\(rule.rawValue): \(message) (at byte \(offset) of the output)" }
  }

  /// The rules that produced the output.
  public let policy: Policy

  /// Creates a contract for outputs of a policy.
  public init(policy: Policy) { self.policy = policy }

  /// Returns the first guarantee that an output violates, or nil when there is none.
  public func breach(of output: SanitizedHTML) -> Breach? { breach(ofMarkup: output.string) }

  /// Returns the same as ``breach(of:)``, and also checks that sanitizing the output again changes nothing.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - sanitizer: the sanitizer that produced it.
  ///   - base: the base URL of the input.
  ///   - page: the URL of the page that the input is from.
  /// - Returns: the first breach; nil when the output keeps the contract.
  public func breach(of output: SanitizedHTML, by sanitizer: Sanitizer, base: WebURL?, page: WebURL? = nil) -> Breach? {
    if let breach = breach(of: output) { return breach }
    let again = sanitizer.sanitizedHTML(of: output.string, base: base, page: page)
    guard !again.string.utf8.elementsEqual(output.string.utf8) else { return nil }
    let offset = zip(again.string.utf8, output.string.utf8).enumerated().first { $1.0 != $1.1 }?.offset
    return Breach(
      rule: .idempotence, message: "sanitizing it again gives \(again.string)",
      offset: offset ?? min(again.string.utf8.count, output.string.utf8.count))
  }

  /// Returns the same as ``breach(of:)``, for markup of any origin.
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
      if open.movesText, !text.allSatisfy(\.isHTMLSpace) {
        return Breach(rule: .structure, message: "text that a browser moves before the table", offset: offset)
      }
      // Browsers drop the first line feed and keep the next.
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
      let checker = AttributeCheck(policy: policy, element: element)
      if let (rule, message) = checker.objection(to: attributes) ?? checker.objection(toAbsenceFrom: attributes) {
        return Breach(rule: rule, message: message, offset: offset)
      }
      if let objection = DrawingCheck(element: element, ancestors: open.elements).objection(to: attributes) {
        return Breach(rule: .place, message: objection, offset: offset)
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
    if let objection = Policy.Floor.objection(toElement: name, in: namespace) {
      return Breach(rule: .element, message: "<\(name)> is below the floor: \(objection)", offset: offset)
    }
    guard (policy.elements[namespace] ?? []).contains(where: { AttributeCheck.stands($0, for: name) }) else {
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
    if let objection = open.objection(toStart: name) {
      return Breach(rule: .structure, message: "<\(name)>: \(objection)", offset: offset)
    }
    return nil
  }

  private static let void: Set = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input",
    "keygen", "link", "meta", "param", "source", "track", "wbr",
  ]
}
