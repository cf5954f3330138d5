import TamisCore
import TamisSystem
import TamisURL

/// Another sanitizer: a program that exchanges JSON lines.
///
/// The program reads a line for each fragment, `{"id": …, "html": …, "base": …}`, and answers each with a line,
/// `{"html": …}` or `{"error": …}`, in the same order. It is given many lines at once, followed by the end of
/// input. When it crashes, times out or gives an invalid answer, it is terminated; the suspected line is given to it
/// alone, and only a failure then counts.
package struct OtherProgram: Sendable {
  /// The command, as given to a shell.
  package let command: String
  /// The maximum time for a fragment.
  package let timeout: Duration

  /// The maximum number of bytes in a line (16 MiB).
  private static let longestLine = 16 << 20
  /// The maximum number of lines, and of bytes, given to one process.
  private static let (mostLines, mostBytes) = (1024, 4 << 20)

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - command: the command for `/bin/sh -c`.
  ///   - timeout: the maximum time for a fragment.
  package init(command: String, timeout: Duration = .seconds(10)) {
    (self.command, self.timeout) = (command, timeout)
  }

  /// A fragment to be sanitized.
  struct Fragment {
    var html: String
    var base: WebURL?
  }

  /// The answer for a fragment.
  enum Answer {
    case html(String)
    /// The program reported an error.
    case refused(String)
    /// There is no answer, for this reason.
    case unanswered(String)

    var html: String? { if case .html(let html) = self { html } else { nil } }
  }

  /// The error for a program that cannot be used at all.
  package struct Unusable: Error {
    /// The reason in words.
    package let message: String
  }

  /// Checks that the program answers at all.
  ///
  /// - Throws: ``Unusable`` when it does not.
  package func probe() throws(Unusable) {
    if case .unanswered(let reason) = answers(to: [Fragment(html: "<p>Hello</p>")])[0] {
      throw Unusable(message: "'\(command)' does not answer {\"html\": \"<p>Hello</p>\"}: \(reason)")
    }
  }

  // MARK: - Lines

  /// Returns the answers to fragments, in order.
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

  /// Sends some lines, and returns which of them must be sent again, separately from each other.
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
    // An answer with an id is trusted, except the one before an invalid answer, which may have been answered twice.
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

  /// Splits a range into the suspected line and the lines around it.
  ///
  /// - Parameters:
  ///   - range: the lines that were sent.
  ///   - trusted: the number of lines that need not be sent again.
  ///   - suspect: the offset of the first line without an answer; the number of lines when there were too many answers.
  /// - Returns: the ranges to send next, in order, none of them empty.
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
    JSONWriter.line { json in
      json.member("id", id)
      json.member("html", fragment.html)
      json.member("base", fragment.base?.description)
    }
  }

  private struct Nonsense: Error {
    var message: String
  }

  private static func answer(_ line: [UInt8], id: Int) -> Result<(Answer, hasID: Bool), Nonsense> {
    let shown = TerminalText.beginning(of: String(decoding: line.prefix(200), as: UTF8.self))
    guard let object = JSONNode(line), object.members != nil else {
      return .failure(Nonsense(message: "it said what is no JSON object: \(shown)"))
    }
    let name = object["id"].flatMap { $0.isNull ? nil : $0.scalarText ?? "" }
    if let name, name != "\(id)" { return .failure(Nonsense(message: "it answered another line: \(shown)")) }
    switch (object["html"]?.value, object["error"]?.value) {
    case (.string(let html), nil), (.string(let html), .null): return .success((.html(html), name != nil))
    case (_, .string(let error)): return .success((.refused(error), name != nil))
    case (_, .object):
      let error = object["error"]
      return .success((.refused(error?["message"]?.text ?? error?["code"]?.text ?? ""), name != nil))
    default: return .failure(Nonsense(message: "it said neither \"html\" nor \"error\": \(shown)"))
    }
  }

  private func words(_ problem: LineBatch.Problem, _ errors: [UInt8]) -> String {
    let said = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last { !$0.isEmpty }
    let errors = said.map { "; it said: \(TerminalText.beginning(of: String($0)))" } ?? ""
    switch problem {
    case .silence: return "it said nothing for \(timeout)\(errors)"
    // Shells report in this way that a signal ended the command.
    case .ending(.exit(let code)) where code > 128: return "\(ChildProcess.Ending.signal(code - 128))\(errors)"
    case .ending(let ending): return "\(ending)\(errors)"
    case .tooMany: return "it said more than one line\(errors)"
    case .tooLong: return "it said a line of more than \(Self.longestLine >> 20) MiB\(errors)"
    }
  }
}
