import Foundation
import TamisSite
import TestSupport
import Testing

/// Templates as the Mustache specification has them (https://github.com/mustache/spec).
///
/// `Fixtures/Mustache` has a case for each test of the specification, under its name, with names that templates know;
/// in `indentation.json` are more. A case that differs on purpose says why in `deviation`.
@Suite struct MustacheTests {
  /// How many cases of each file differ from the specification: a number that changes is a decision.
  static let deviations = [
    "comments": 1, "delimiters": 14, "indentation": 0, "interpolation": 24, "inverted": 2, "partials": 6, "sections": 6,
  ]

  @Test(arguments: deviations.keys.sorted())
  func fixtureCasesRenderAsExpected(_ file: String) throws {
    let cases = try MustacheCase.all(in: file)
    #expect(Set(cases.map(\.name)).count == cases.count, "\(file): a name stands twice")
    for each in cases {
      #expect((each.expected == nil) != (each.error == nil), "\(file), \(each.name): either a result or an error")
      let outcome = each.render()
      #expect(each.expects(outcome), "\(file), \(each.name): \(outcome)")
    }
  }

  @Test func deviationsAreCounted() throws {
    let files = Fixtures.files(in: "Mustache", withExtension: "json").map {
      $0.deletingPathExtension().lastPathComponent
    }
    #expect(Set(files) == Set(Self.deviations.keys))
    for (file, count) in Self.deviations {
      let reasons = try MustacheCase.all(in: file).compactMap(\.deviation)
      #expect(reasons.count == count && reasons.allSatisfy { !$0.isEmpty }, "\(file)")
    }
  }
}

/// A template with its data, and what comes of them.
struct MustacheCase: Decodable {
  var name: String
  var data: MustacheValue
  var template: String
  var partials: [String: String]?
  var expected: String?
  /// A part of the message with which the template is refused.
  var error: String?
  /// Why it differs from the specification.
  var deviation: String?

  static func all(in file: String) throws -> [MustacheCase] {
    let data = try Data(contentsOf: Fixtures.url("Mustache/\(file).json"))
    return try JSONDecoder().decode([MustacheCase].self, from: data)
  }

  enum Outcome {
    case page(String)
    case refusal(String)
    /// The data has a name that no template knows, or a shape that no page has.
    case notAPage
  }

  /// Whether an outcome is what the case says, byte by byte.
  func expects(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .page(let page): expected.map { Array($0.utf8) == Array(page.utf8) } ?? false
    case .refusal(let message): error.map { message.contains($0) } ?? false
    case .notAPage: false
    }
  }

  /// What comes out.
  func render() -> Outcome {
    guard let context = data.context else { return .notAPage }
    var files = ["page.mustache": Array(template.utf8)]
    for (name, partial) in partials ?? [:] { files["\(name).mustache"] = Array(partial.utf8) }
    do {
      let theme = try Site.Theme(files, named: "theme", isHTML: false)
      return .page(String(decoding: theme.render("page", context, length: 0), as: UTF8.self))
    } catch {
      return .refusal(error.description)
    }
  }
}

/// A value of a case's data.
indirect enum MustacheValue: Decodable {
  case nothing
  case condition(Bool)
  case integer(Int)
  case decimal(Double)
  case text(String)
  case list([MustacheValue])
  case group([String: MustacheValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .nothing
    } else if let condition = try? value.decode(Bool.self) {
      self = .condition(condition)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let decimal = try? value.decode(Double.self) {
      self = .decimal(decimal)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([MustacheValue].self) {
      self = .list(list)
    } else {
      self = .group(try value.decode([String: MustacheValue].self))
    }
  }

  /// The values of a page; nil when it is no group, has a name that no template knows, or holds what no page holds.
  var context: PageContext? {
    guard case .group(let values) = self else { return nil }
    var context = PageContext()
    for (key, value) in values {
      guard let name = TemplateName(key) else { return nil }
      switch value {
      case .nothing: context.set(name, String?.none)
      case .condition(let condition): context.set(name, condition)
      case .integer(let number): context.set(name, number)
      case .decimal, .text: context.set(name, value.text)
      case .group:
        guard let group = value.context else { return nil }
        context.set(name, group)
      case .list(let list):
        let groups = list.compactMap(\.context)
        let texts = list.compactMap(\.text)
        if groups.count == list.count {
          context.set(name, groups)
        } else if texts.count == list.count {
          context.set(name, texts)
        } else {
          return nil
        }
      }
    }
    return context
  }

  /// The value as a page prints it; nil for what is none.
  private var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .nothing, .condition, .list, .group: nil
    }
  }
}
