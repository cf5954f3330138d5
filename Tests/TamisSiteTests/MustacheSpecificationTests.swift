import Foundation
import TamisSite
import TestSupport
import Testing

/// The tests of the Mustache specification as they are, with names that templates know in place of theirs.
///
/// A test may come out differently only where the case of its name in `Fixtures/Mustache` says why.
@Suite(.enabled(if: Fixtures.hasSuite("mustache/sections.json"), Fixtures.needs("mustache/sections.json")))
struct MustacheSpecificationTests {
  private struct Module: Decodable {
    var tests: [MustacheCase]
  }

  /// Templates drop indentation where no white space is preformatted: a comment that names `<pre>` keeps it.
  private static let keepsIndentation = "{{!<pre>}}"

  private struct Count: Equatable {
    var passed = 0
    var different = 0
    var notPages = 0
  }

  @Test(arguments: ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"])
  func specificationModulePassesOrIsExplained(_ module: String) throws {
    let file = Fixtures.suite("mustache/\(module).json")
    try #require(FileManager.default.fileExists(atPath: file.path), "\(file.path)")
    let tests = try JSONDecoder().decode(Module.self, from: Data(contentsOf: file)).tests
    let explained = Set(try MustacheCase.all(in: module).filter { $0.deviation != nil }.map(\.name))
    var count = Count()
    for test in tests {
      var names = OwnNames()
      guard let own = names.renamed(test) else {
        count.notPages += 1
        continue
      }
      let outcome = own.render()
      if own.expects(outcome) || own.withPrefix(Self.keepsIndentation).isMet {
        count.passed += 1
      } else {
        count.different += 1
        #expect(explained.contains(test.name), "\(module), \(test.name): \(outcome), not \(own.expected ?? "")")
      }
    }
    print("mustache, \(module): \(count.passed) pass, \(count.different) differ, \(count.notPages) are not pages")
    #expect(tests.count > 5 && (count.passed >= tests.count / 3 || module == "delimiters"), "\(module): \(count)")
  }
}

extension MustacheCase {
  fileprivate var isMet: Bool { expects(render()) }

  /// The same with something in front of each template.
  fileprivate func withPrefix(_ prefix: String) -> MustacheCase {
    var result = self
    result.template = prefix + template
    result.partials = partials?.mapValues { prefix + $0 }
    return result
  }
}

/// Puts names that templates know in the place of others.
private struct OwnNames {
  private var names: [String: String] = [:]
  /// In no order; as many as a test has names.
  private var free: [TemplateName] = [
    .title, .name, .heading, .subtitle, .excerpt, .rights, .label, .caption, .link, .post, .list, .items, .cards,
    .groups, .tags, .authors, .note, .target, .reason, .address,
  ]

  /// The case in other names; nil when its data cannot be a page's.
  mutating func renamed(_ test: MustacheCase) -> MustacheCase? {
    var result = test
    guard let data = renamed(test.data), data.context != nil else { return nil }
    result.data = data
    result.template = renamedTags(of: test.template)
    result.partials = test.partials?.mapValues { [self] in
      var names = self
      return names.renamedTags(of: $0)
    }
    return result
  }

  private mutating func renamed(_ value: MustacheValue) -> MustacheValue? {
    switch value {
    case .group(let values):
      var result: [String: MustacheValue] = [:]
      // In order, so that a failure is the same each time.
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        guard !key.contains(where: { !$0.isLetter && !$0.isNumber && $0 != "_" }), let inner = renamed(value) else {
          return nil
        }
        result[name(key)] = inner
      }
      return .group(result)
    case .list(let list):
      let inner = list.compactMap { renamed($0) }
      return inner.count == list.count ? .list(inner) : nil
    case .nothing, .condition, .integer, .decimal, .text: return value
    }
  }

  /// The names in tags; those of partials stay, and what is no name stays as it is.
  private mutating func renamedTags(of template: String) -> String {
    var result = template
    for match in template.matches(of: /\{\{\{?\s*[#^\/&]?\s*([\w.]+)/).reversed() where match.output.1 != "." {
      let parts = match.output.1.split(separator: ".").map { name(String($0)) }
      let range = match.output.1.startIndex..<match.output.1.endIndex
      result.replaceSubrange(range, with: parts.joined(separator: "."))
    }
    return result
  }

  private mutating func name(_ other: String) -> String {
    if let name = names[other] { return name }
    let name = free.isEmpty ? other : free.removeFirst().text
    names[other] = name
    return name
  }
}
