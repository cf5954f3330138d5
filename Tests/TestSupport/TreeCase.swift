import Foundation

/// A test of html5lib's tree construction: a document or fragment, and the tree that browsers build of it.
package struct TreeCase: Sendable, CustomStringConvertible {
  /// The name of the file.
  package var file: String
  package var data: String
  /// The element around the fragment, such as `td` or `svg desc`; nil for a document.
  package var context: String?
  /// With and without scripts, where the test leaves it open.
  package var scripting: [Bool]
  /// The lines of the tree.
  package var tree: String

  package var description: String { "\(file): \(data.debugDescription) in '\(context ?? "a document")'" }

  /// Whether browsers build another tree than in 2020, when the tests were written.
  ///
  /// Since then the Standard lets any element stand in `select`, and HTML break out of a fragment of SVG or MathML;
  /// Chromium 156 and Firefox 153 do both, WebKitGTK 2.50 the second.
  package var isOld: Bool {
    data.lowercased().contains("<select") || context == "select" || context?.hasPrefix("svg ") == true
      || context?.hasPrefix("math ") == true
  }

  /// All tests in the folder of the suite, in the order of file names.
  package static func all() throws -> [TreeCase] {
    let folder = Fixtures.suite("html5lib-tests/tree-construction")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".dat") }.sorted()
      .flatMap { file in
        let text = String(decoding: try Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
        return ("\n" + text).components(separatedBy: "\n#data\n").dropFirst().compactMap { TreeCase($0, file: file) }
      }
  }

  private static let names: Set = ["errors", "new-errors", "document-fragment", "document", "script-on", "script-off"]

  /// Reads a test from the line behind `#data` on; nil when it has no tree.
  private init?(_ block: String, file: String) {
    var (sections, name) = ([String: [String]](), "data")
    sections[name] = []
    for line in block.components(separatedBy: "\n") {
      if line.hasPrefix("#"), Self.names.contains(String(line.dropFirst())) {
        name = String(line.dropFirst())
        sections[name] = []
      } else {
        sections[name]?.append(line)
      }
    }
    guard var document = sections["document"] else { return nil }
    // An empty line ends a test.
    while document.last == "" { document.removeLast() }
    self.file = file
    data = (sections["data"] ?? []).joined(separator: "\n")
    context = sections["document-fragment"]?.first
    scripting = sections["script-on"] != nil ? [true] : sections["script-off"] != nil ? [false] : [true, false]
    tree = document.joined(separator: "\n")
  }
}
