import Foundation
import TamisCheck
import TamisCore

/// A case of a file in `Fixtures/`, in the format of ``CaseFile``.
package struct Case: Sendable, CustomStringConvertible {
  package var name: String
  package var file: String
  package var line: Int
  package var settings: [String: String]
  package var sections: [String: String]

  package var description: String { "\(file):\(line) \(name)" }

  private init(_ each: CaseFile.Case) {
    name = each.name
    file = each.location.file
    line = each.location.line
    settings = Dictionary(each.settings.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    sections = Dictionary(each.sections.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  /// All cases of all files in a folder of `Fixtures/`.
  package static func all(in folder: String) -> [Case] {
    Fixtures.files(in: folder, withExtension: "txt").flatMap { url -> [Case] in
      guard let text = try? String(contentsOf: url, encoding: .utf8) else { return [] }
      return CaseFile(text, file: url.lastPathComponent).cases.map(Case.init)
    }
  }
}
