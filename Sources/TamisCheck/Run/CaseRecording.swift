package import TamisCore
import TamisSystem
import TamisFoundation

/// A case file whose expected outputs are replaced by the current ones.
package struct CaseRecording: Sendable {
  /// The file.
  package let file: String
  /// The new text.
  package let text: String
  /// The changed cases, with the difference from their expected output; a case without one has no difference.
  package private(set) var changed: [CheckRunner.Outcome] = []
  /// The cases that stay unchanged.
  ///
  /// Their output breaks the output contract, is not available, fails another expectation, or differs from several
  /// allowed outputs.
  package private(set) var refused: [CheckRunner.Outcome] = []
  /// The mistakes of the file.
  package private(set) var findings: [Finding] = []

  /// Runs the cases of a file.
  ///
  /// Cases that expect an output, or nothing at all, are recorded; those that only have other expectations are not.
  ///
  /// - Parameters:
  ///   - file: the path of the file.
  ///   - runner: the runner of the cases.
  ///   - isWanted: whether a case is to be recorded.
  package init(file: String, runner: CheckRunner, isWanted: (SanitizerCase) -> Bool) {
    self.file = file
    guard let data = FilePath(file).contents(upTo: FilePath.longestCases),
      let content = String(validating: data, as: UTF8.self)
    else {
      text = ""
      findings = [
        Finding(.error, "read.failed", "this file cannot be read as UTF-8", at: Finding.Location(file: file))
      ]
      return
    }
    let parsed = CaseFile(content, file: file)
    findings = parsed.findings
    var lines = parsed.lines.map(String.init)
    // From the end, so that the numbers of earlier lines stay valid.
    for written in parsed.cases.reversed() {
      guard let each = SanitizerCase(written, into: &findings), isWanted(each), Self.isRecorded(each) else { continue }
      let outcome = runner.run(each)
      // Several outputs are a choice that only a person can make.
      let isChoice = each.outputs.count > 1 && !outcome.hasPassed
      if !outcome.isSafe || isChoice || outcome.failures.contains(where: { !$0.isAboutOutput }) {
        refused.insert(outcome, at: 0)
        continue
      }
      if each.outputs.contains(where: { $0.utf8.elementsEqual(outcome.output.utf8) }) { continue }
      let escapes = written.setting("escapes") == "yes"
      let output = CaseFile.escaped(escapes ? Escapes.encode(outcome.output) : outcome.output)
      if let section = written.sections.first(where: { $0.name == "output" }) {
        lines.replaceSubrange(section.lines, with: output)
      } else {
        lines.insert(contentsOf: ["--- output"] + output, at: written.lines.upperBound)
      }
      changed.insert(outcome, at: 0)
    }
    text = lines.joined(separator: parsed.lineEnd)
  }

  private static func isRecorded(_ each: SanitizerCase) -> Bool {
    !each.isUnchanged && (!each.outputs.isEmpty || (each.keeps.isEmpty && each.drops.isEmpty))
  }

  /// Writes the file atomically.
  package func write() throws {
    guard !changed.isEmpty else { return }
    try FileOutput.write(Array(text.utf8), to: FilePath(file))
  }
}

extension CheckRunner.Failure {
  var isAboutRules: Bool { if case .rules = self { true } else { false } }
  fileprivate var isAboutOutput: Bool { if case .output = self { true } else { false } }
}
