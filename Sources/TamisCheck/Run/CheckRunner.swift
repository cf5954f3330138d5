import Foundation
import Synchronization
import TamisCore
import TamisRules
public import TamisSanitizer

/// Runs cases; can be shared by any number of tasks.
public final class CheckRunner: Sendable {
  /// What a case came to.
  public struct Outcome: Sendable {
    /// The case.
    public var each: SanitizerCase
    /// What came out; empty when nothing could.
    public var output = ""
    /// Why it failed; empty when it passed.
    public var failures: [Failure] = []
    /// Whether the output keeps the promise.
    public var isSafe = true

    /// Whether it passed.
    public var hasPassed: Bool { failures.isEmpty }
  }

  /// Why a case failed.
  public enum Failure: Sendable {
    /// Another output was expected.
    case output(MarkupDifference)
    /// The output does not keep the promise.
    case promise(Promise.Breach)
    /// A reader does not see this any more.
    case lost(String)
    /// This is still in the output.
    case kept(String)
    /// The rules that the case names cannot be used.
    case rules(String)
  }

  private struct Configuration: Hashable {
    var rules: String
    var tidy: Policy.TidyMode?
  }

  private struct Tools: Sendable {
    var sanitizer: Sanitizer
    var promise: Promise
  }

  private let policy: Policy
  private let tidy: Policy.TidyMode?
  private let checksPromiseOnly: Bool
  private let tools = Mutex<[Configuration: Result<Tools, Unusable>]>([:])

  private struct Unusable: Error {
    var message: String
  }

  /// Makes a runner.
  ///
  /// - Parameters:
  ///   - policy: the rules for cases that name none.
  ///   - tidy: when libtidy repairs, for cases that do not say; nil for what the rules say.
  ///   - checksPromiseOnly: whether expected outputs and other wishes of the cases are left aside.
  public init(policy: Policy, tidy: Policy.TidyMode? = nil, checksPromiseOnly: Bool = false) {
    self.policy = policy
    self.tidy = tidy
    self.checksPromiseOnly = checksPromiseOnly
  }

  /// Runs a case.
  public func run(_ each: SanitizerCase) -> Outcome {
    var outcome = Outcome(each: each)
    let tools: Tools
    switch self.tools(for: each) {
    case .success(let found): tools = found
    case .failure(let unusable):
      outcome.failures = [.rules(unusable.message)]
      return outcome
    }
    let result = tools.sanitizer.sanitize(utf8: each.input.span, base: each.base, page: each.page)
    outcome.output = result.html.string
    if let breach = tools.promise.breach(of: result.html, by: tools.sanitizer, base: each.base, page: each.page) {
      outcome.failures.append(.promise(breach))
      outcome.isSafe = false
    }
    if !checksPromiseOnly { outcome.failures += Self.failures(of: each, result) }
    return outcome
  }

  /// Why an input breaks the promise under the rules of a case; nil when it does not, or when they cannot be used.
  func breach(by input: [UInt8], under each: SanitizerCase) -> Promise.Breach? {
    guard case .success(let tools) = tools(for: each) else { return nil }
    let html = tools.sanitizer.sanitize(utf8: input.span, base: each.base, page: each.page).html
    return tools.promise.breach(of: html, by: tools.sanitizer, base: each.base, page: each.page)
  }

  private static func failures(of each: SanitizerCase, _ result: Sanitizer.Result) -> [Failure] {
    var failures: [Failure] = []
    let output = result.html.string
    var expected = each.outputs
    if each.isUnchanged { expected.append(String(decoding: each.input, as: UTF8.self)) }
    if let first = expected.first, !expected.contains(where: { $0.utf8.elementsEqual(output.utf8) }) {
      failures.append(.output(MarkupDifference(expected: first, given: output)))
    }
    let facts = result.facts
    for wanted in each.keeps {
      let isKept =
        holds(facts.text, wanted)
        || (facts.links.map(\.href) + facts.images.map(\.source) + facts.media).contains {
          $0.utf8.elementsEqual(wanted.utf8)
        }
      if !isKept { failures.append(.lost(wanted)) }
    }
    for unwanted in each.drops where holds(output.asciiLowercased(), unwanted.asciiLowercased()) {
      failures.append(.kept(unwanted))
    }
    return failures
  }

  /// Whether a text is in another, code point by code point: to Swift a letter with an accent behind it is another letter.
  private static func holds(_ text: String, _ part: String) -> Bool { text.range(of: part, options: .literal) != nil }

  private func tools(for each: SanitizerCase) -> Result<Tools, Unusable> {
    let file = each.rules.map { Self.isNamed($0) ? $0 : Self.path(of: $0, from: each.location.file) } ?? ""
    let configuration = Configuration(rules: file, tidy: each.tidy)
    return tools.withLock { known in
      if let found = known[configuration] { return found }
      let made = Self.policy(file, fallback: policy).map { policy in
        let policy = (each.tidy ?? tidy).map { policy.with(tidy: $0) } ?? policy
        return Tools(sanitizer: Sanitizer(policy: policy), promise: Promise(policy: policy))
      }
      known[configuration] = made
      return made
    }
  }

  private static func isNamed(_ rules: String) -> Bool { Rules.names.contains(rules) }

  private static func path(of file: String, from caseFile: String) -> String {
    file.hasPrefix("/") ? file : URL(filePath: caseFile).deletingLastPathComponent().appending(path: file).path
  }

  private static func policy(_ rules: String, fallback: Policy) -> Result<Policy, Unusable> {
    if rules.isEmpty { return .success(fallback) }
    if let shipped = Rules.policy(named: rules) { return .success(shipped) }
    guard let data = FileManager.default.contents(atPath: rules) else {
      let known = Rules.names.joined(separator: ", ")
      return .failure(Unusable(message: "there are no rules '\(rules)': neither a file nor one of \(known)"))
    }
    return Result { () throws(Rules.Invalid) in
      try Rules.policy(from: String(decoding: data, as: UTF8.self), file: rules)
    }.mapError { Unusable(message: $0.description) }
  }
}
