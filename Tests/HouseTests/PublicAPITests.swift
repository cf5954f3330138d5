import Foundation
import TestSupport
import Testing

/// The public declarations are those of a list, so that none becomes public by the way.
@Suite struct PublicAPITests {
  private static let list = HouseTests.sources.deletingLastPathComponent().appending(path: "docs/api.txt")

  @Test func publicDeclarationsAreListed() throws {
    let found = try Self.declarations()
    if ProcessInfo.processInfo.environment["UPDATE_API"] != nil {
      try Data((found.joined(separator: "\n") + "\n").utf8).write(to: Self.list)
    }
    let listed = try String(contentsOf: Self.list, encoding: .utf8).split(separator: "\n").map(String.init)
    let (added, removed) = (Set(found).subtracting(listed), Set(listed).subtracting(found))
    #expect(added.isEmpty && removed.isEmpty, "make api writes the list; added: \(added), removed: \(removed)")
  }

  /// The table of settings in the documentation names the property of each, and leaves none out.
  @Test func settingsHaveNamesInSwift() throws {
    let types = ["Policy.URLRules.": "urls.", "Policy.StyleRules.": "styles.", "Policy.Improvements.": "improvements."]
    let computed: Set = ["doubts", "shippedNames", "yaml", "urls", "styles", "improvements"]
    let properties = try Self.declarations().compactMap { declaration -> String? in
      guard let match = declaration.firstMatch(of: /^TamisSanitizer var (Policy\.(?:\w+\.)?)(\w+)/) else { return nil }
      let path = types[String(match.1), default: ""] + match.2
      return computed.contains(path) ? nil : path
    }
    let rules = Self.list.deletingLastPathComponent().appending(path: "rules.md")
    let rows = try String(contentsOf: rules, encoding: .utf8).split(separator: "\n")
      .drop { !$0.hasPrefix("| key |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let named = rows.compactMap { $0.split(separator: "|")[1].firstMatch(of: /`([\w.]+)/).map { String($0.1) } }
    #expect(Set(named) == Set(properties))
  }

  /// What one import brings to the top level, by the exports of the module.
  @Test(arguments: [("TamisSanitizer", 10), ("TamisFeed", 12), ("Tamis", 40)])
  func importsBringFewNames(_ module: String, _ most: Int) throws {
    let own = try Self.declarations().filter {
      $0.hasPrefix(module + " ") && !($0.split(separator: ":").first ?? "").contains(".")
        && ["struct", "enum", "class", "protocol", "actor"].contains($0.split(separator: " ")[1])
    }
    let exported = try HouseTests.lines(of: module).filter { $0.line.hasPrefix("@_exported") }
    #expect(exported.allSatisfy { $0.line.contains(".") }, "whole modules are not exported")
    #expect(own.count + exported.count <= most, "\(own.count + exported.count) names")
  }

  /// The public declarations, each as its module, its kind and its signature with the types around it.
  private static func declarations() throws -> [String] {
    let types =
      /^ *(?:@\S+ )*(?:public |package |private |fileprivate )?(?:final |indirect )?(?:struct|enum|class|protocol|extension|actor) ([\w.]+)/
    let word = /(struct|enum|class|protocol|actor|func|var|let|init|subscript|typealias)\b */
    var found: [String] = []
    for module in HouseTests.mayImport.keys.sorted() {
      var around: [(indent: Int, name: String, isPublicEnum: Bool)] = []
      let lines = try HouseTests.lines(of: module).map(\.line)
      for (number, line) in lines.enumerated() where !line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") {
        let indent = line.prefix { $0 == " " }.count
        if !line.isEmpty { around.removeAll { $0.indent >= indent } }
        let isPublic = line.contains("public ") && !line.contains("import ")
        if isPublic, let match = line.firstMatch(of: word) {
          let signature = Self.signature(line[match.range.upperBound...], then: lines[(number + 1)...])
          found.append("\(module) \(match.1) \((around.map(\.name) + [signature]).joined(separator: "."))")
        }
        // The cases of an enumeration are as public as it is.
        if let type = around.last, type.isPublicEnum, indent == type.indent + 2,
          let match = line.firstMatch(of: /^ *(?:indirect )?case (.+)$/)
        {
          found.append("\(module) case \((around.map(\.name) + [String(match.1)]).joined(separator: "."))")
        }
        if let match = line.prefixMatch(of: types) {
          around.append((indent, String(match.1), isPublic && line.contains("enum ")))
        }
      }
    }
    return found.sorted()
  }

  /// A declaration without its body, on one line; lists of default values are left out.
  private static func signature(_ beginning: Substring, then lines: ArraySlice<Substring>) -> String {
    func depth(_ text: String) -> Int { text.count { $0 == "(" } - text.count { $0 == ")" } }
    var text = String(beginning)
    for line in lines {
      // What follows the parameters of a function can stand on the next line.
      let following = line.trimmingCharacters(in: .whitespaces)
      guard depth(text) > 0 || following.hasPrefix("->") else { break }
      text += (text.hasSuffix("(") || following.hasPrefix(")") ? "" : " ") + following
    }
    // A brace between parentheses is a default value.
    let body = text.indices.first { text[$0] == "{" && depth(String(text[..<$0])) == 0 }
    return text[..<(body ?? text.endIndex)].replacing(/\s*=\s*\[$/, with: "").trimmingCharacters(in: .whitespaces)
  }
}
