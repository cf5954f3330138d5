import Foundation
import TamisCore
import TamisProcess
import TamisURL

/// Another sanitizer: a program that reads a line of JSON for each fragment, `{"id": …, "html": …, "base": …}`, and answers each by
/// a line, `{"html": …}` or `{"error": …}`, in the same order.
///
/// It is given many lines at once, and their end. When it dies, is silent for too long or gives an invalid answer, it is ended;
/// the suspected line is given to it alone, and only a failure then counts.
package struct OtherProgram: Sendable {
  /// The command, as it is given to a shell.
  package let command: String
  /// How long it may take for a fragment.
  package let timeout: Duration

  /// A line has no more bytes than this (16 MiB).
  private static let longestLine = 16 << 20
  /// So many lines, and bytes, are given to one process.
  private static let (mostLines, mostBytes) = (1024, 4 << 20)

  /// Names a program.
  ///
  /// - Parameters:
  ///   - command: for `/bin/sh -c`.
  ///   - timeout: how long it may take for a fragment.
  package init(command: String, timeout: Duration = .seconds(10)) {
    (self.command, self.timeout) = (command, timeout)
  }

  /// What is to be sanitized.
  struct Fragment {
    var html: String
    var base: WebURL?
  }

  /// The answer for a fragment.
  enum Answer {
    case html(String)
    /// It said why there is nothing.
    case refused(String)
    /// There is no answer, for this reason.
    case unanswered(String)

    var html: String? { if case .html(let html) = self { html } else { nil } }
  }

  /// Why a program cannot be used at all, in words.
  package struct Unusable: Error {
    /// The words.
    package let message: String
  }

  /// Sees whether it answers anything.
  package func probe() throws(Unusable) {
    if case .unanswered(let reason) = answers(to: [Fragment(html: "<p>Hello</p>")])[0] {
      throw Unusable(message: "'\(command)' does not answer {\"html\": \"<p>Hello</p>\"}: \(reason)")
    }
  }

  // MARK: - Lines

  /// The answers to fragments, in their order.
  func answers(to fragments: [Fragment]) -> [Answer] {
    let lines = fragments.enumerated().map { Self.line($1, id: $0) }
    var answers: [Int: Answer] = [:]
    var waiting: [Range<Int>] = Self.batches(lines).reversed()
    while let range = waiting.popLast() {
      waiting += ask(range, lines, &answers).reversed()
    }
    return fragments.indices.map { answers[$0] ?? .unanswered("it was not asked") }
  }

  private static func batches(_ lines: [[UInt8]]) -> [Range<Int>] {
    var batches: [Range<Int>] = []
    var (start, bytes) = (0, 0)
    for (index, line) in lines.enumerated() {
      if index > start, index - start == mostLines || bytes + line.count > mostBytes {
        batches.append(start..<index)
        (start, bytes) = (index, 0)
      }
      bytes += line.count
    }
    return start < lines.count ? batches + [start..<lines.count] : batches
  }

  /// Asks about some lines, and answers which of them must be asked again, apart from each other.
  private func ask(_ range: Range<Int>, _ lines: [[UInt8]], _ answers: inout [Int: Answer]) -> [Range<Int>] {
    let start = range.lowerBound
    let batch: LineBatch
    do throws(ChildProcess.Failure) {
      batch = try LineBatch(
        "/bin/sh", ["sh", "-c", command], input: lines[range].flatMap(\.self), count: range.count, patience: timeout,
        longest: Self.longestLine)
    } catch {
      for index in range { answers[index] = .unanswered(error.message) }
      return []
    }
    var known: [Answer] = []
    var (hasIDs, nonsense): (Bool, String?) = (true, nil)
    for line in batch.lines {
      switch Self.answer(line, id: start + known.count) {
      case .success(let (answer, hasID)):
        known.append(answer)
        if !hasID { hasIDs = false }
      case .failure(let fault): nonsense = fault.message
      }
      if nonsense != nil { break }
    }
    let reason = nonsense ?? batch.problem.map { words($0, batch.errors) }
    // What is answered by its name is answered; but it may be the line before nonsense that was answered twice.
    let isNamed = hasIDs && batch.problem != .tooMany
    let trusted = reason == nil ? known.count : isNamed ? max(0, known.count - (nonsense == nil ? 0 : 1)) : 0
    for (offset, answer) in known.prefix(trusted).enumerated() { answers[start + offset] = answer }
    guard let reason else { return [] }
    if range.count == 1 {
      answers[start] = Answer.unanswered(reason)
      return []
    }
    return Self.parts(of: range, trusted: trusted, suspect: known.count)
  }

  /// The line that may be to blame alone, and what is around it.
  ///
  /// - Parameters:
  ///   - trusted: how many lines need not be asked about again.
  ///   - suspect: the first line that was not answered, counted from the first; after the last one if there were too many
  ///     answers.
  private static func parts(of range: Range<Int>, trusted: Int, suspect: Int) -> [Range<Int>] {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard suspect < range.count else {
      let middle = start + range.count / 2
      return [start..<middle, middle..<end]
    }
    let first = start + suspect
    // After the first line the rest is halved: a program that writes only at its end may have met the fault anywhere.
    let middle = suspect == 0 ? first + 1 + (end - first - 1) / 2 : end
    return [start + trusted..<first, first..<first + 1, first + 1..<middle, middle..<end].filter { !$0.isEmpty }
  }

  private static func line(_ fragment: Fragment, id: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("id")
      json.int(Int64(id))
      json.member("html", fragment.html)
      json.member("base", fragment.base?.description)
    }
    return json.bytes + [ASCII.lineFeed]
  }

  private struct Nonsense: Error {
    var message: String
  }

  private static func answer(_ line: [UInt8], id: Int) -> Result<(Answer, hasID: Bool), Nonsense> {
    let shown = TerminalText.beginning(of: String(decoding: line.prefix(200), as: UTF8.self))
    guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
      return .failure(Nonsense(message: "it said what is no JSON object: \(shown)"))
    }
    let name = object["id"].flatMap { $0 is NSNull ? nil : "\($0)" }
    if let name, name != "\(id)" { return .failure(Nonsense(message: "it answered another line: \(shown)")) }
    switch (object["html"], object["error"]) {
    case (let html as String, nil), (let html as String, is NSNull): return .success((.html(html), name != nil))
    case (_, let error as String): return .success((.refused(error), name != nil))
    case (_, let error as [String: Any]):
      return .success((.refused(error["message"] as? String ?? error["code"] as? String ?? ""), name != nil))
    default: return .failure(Nonsense(message: "it said neither \"html\" nor \"error\": \(shown)"))
    }
  }

  private func words(_ problem: LineBatch.Problem, _ errors: [UInt8]) -> String {
    let said = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last { !$0.isEmpty }
    let errors = said.map { "; it said: \(TerminalText.beginning(of: String($0)))" } ?? ""
    switch problem {
    case .silence: return "it said nothing for \(timeout)\(errors)"
    // So shells say that a signal has ended what they ran.
    case .ending(.exit(let code)) where code > 128: return "\(ChildProcess.Ending.signal(code - 128))\(errors)"
    case .ending(let ending): return "\(ending)\(errors)"
    case .tooMany: return "it said more than one line\(errors)"
    case .tooLong: return "it said a line of more than \(Self.longestLine >> 20) MiB\(errors)"
    }
  }
}
