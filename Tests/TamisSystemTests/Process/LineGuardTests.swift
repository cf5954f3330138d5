import Foundation
import TamisSystem
import TestSupport
import Testing

@Suite struct LineGuardTests {
  /// Lines that are there at once, or some at a time.
  private struct Lines: GuardedWork {
    var lines: ArraySlice<GuardedLine>
    var portion = Int.max
    /// How long it takes to read on, in microseconds.
    var pause: UInt32 = 0
    var ready = 0
    var answers: [String] = []
    var flushed = 0
    var failures: [Int: WorkerFailure] = [:]

    var isAtEnd: Bool { lines.isEmpty }
    var descriptor: Int32? { nil }

    mutating func take() -> GuardedLine? {
      if ready == 0 { return nil }
      ready -= 1
      return lines.popFirst()
    }

    /// Who asks for a portion has the answers to the one before.
    mutating func fill() {
      #expect(flushed == answers.count)
      usleep(pause)
      ready = min(portion, lines.count)
    }

    func isAnswer(_ bytes: ArraySlice<UInt8>) -> Bool { !bytes.starts(with: "warning:".utf8) }

    mutating func flush() { flushed = answers.count }

    mutating func write(_ answer: [UInt8]) { answers.append(String(decoding: answer, as: UTF8.self)) }

    mutating func write(_ failure: WorkerFailure, to line: GuardedLine) {
      answers.append("failed \(line.number)")
      failures[line.number] = failure
    }
  }

  /// Says the number and the words of each line; fails at some.
  private static let worker = """
    n=$1
    while IFS= read -r line; do
      case "$line" in
        SEGV*) kill -SEGV $$ ;;
        EXIT*) exit 3 ;;
        DONE*) exit 0 ;;
        KILL*) kill -KILL $$ ;;
        HANG*) sleep 30 ;;
        TALK*) echo "warning: talk" ;;
      esac
      echo "$n $line"
      n=$((n + 1))
    done
    """

  /// A shell reads long lines byte by byte, which takes seconds on a busy machine.
  private static func run(_ work: inout Lines, _ script: String = worker, patience: Duration = .seconds(60)) throws {
    let options = LineGuard.Options(
      program: "/bin/sh", command: ["-c", script, "sh"], options: [], patience: patience, memory: 1 << 30)
    var lineGuard = LineGuard(options)
    try lineGuard.run(&work)
  }

  private static func lines(_ words: [String]) -> ArraySlice<GuardedLine> {
    words.enumerated().map { GuardedLine(number: $0 + 1, bytes: Array($1.utf8)) }[...]
  }

  /// Lines are answered once, in their place and by their number, whatever order of success and failure.
  @Test(arguments: 0..<12)
  func everyLineIsAnsweredOnceInOrder(_ seed: Int) throws {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let kinds = ["SEGV", "EXIT", "KILL", "word", "word", "word", "word", String(repeating: "long", count: 30_000)]
    let words = (0..<80).map { "\(kinds[next(kinds.count)])\($0)" }
    var work = Lines(lines: Self.lines(words), portion: [1, 7, .max][seed % 3])
    for index in stride(from: 5, to: 80, by: 17) { work.lines[index].answer = Array("decided \(index + 1)".utf8) }
    try Self.run(&work)
    let expected = words.enumerated().map { index, word in
      if (index - 5) % 17 == 0, index >= 5 { return "decided \(index + 1)" }
      return ["SEGV", "EXIT", "KILL"].contains { word.hasPrefix($0) } ? "failed \(index + 1)" : "\(index + 1) \(word)"
    }
    #expect(work.answers == expected)
  }

  @Test func workerFailuresAreReportedWithReason() throws {
    var work = Lines(lines: Self.lines(["a", "SEGV", "EXIT", "HANG", "KILL", "DONE", "TALK", "b"]))
    try Self.run(&work, patience: .seconds(5))
    #expect(work.answers == ["1 a", "failed 2", "failed 3", "failed 4", "failed 5", "failed 6", "failed 7", "8 b"])
    #expect(
      work.failures == [
        2: .ending(.signal(SIGSEGV)), 3: .ending(.exit(3)), 4: .silence, 5: .ending(.signal(SIGKILL)),
        6: .ending(.exit(0)), 7: .nonsense,
      ])
  }

  /// A worker that ends while it is idle loses no line.
  @Test func idleWorkerThatEndsIsReplaced() throws {
    var work = Lines(lines: Self.lines(["a", "b", "c"]), portion: 1, pause: 600_000)
    let script = """
      n=$1
      while IFS= read -r line; do
        echo "$n $line"
        n=$((n + 1))
        (sleep 0.1; kill -SEGV $$) &
      done
      """
    try Self.run(&work, script)
    #expect(work.answers == ["1 a", "2 b", "3 c"] && work.failures.isEmpty)
  }

  /// A worker that starts slowly, as on a busy machine, is not taken for one that cannot start.
  @Test func slowWorkerStartIsNoFailure() throws {
    var work = Lines(lines: Self.lines(["SEGV", "a", "KILL", "b"]))
    try Self.run(&work, "sleep 0.4\n" + Self.worker)
    #expect(work.answers == ["failed 1", "2 a", "failed 3", "4 b"])
  }

  /// Lines and answers larger than all pipe buffers do not wait for each other.
  @Test func largeLinesDoNotDeadlock() throws {
    let words = (0..<6).map { String(repeating: "\($0)", count: 3 << 20) }
    var work = Lines(lines: Self.lines(words))
    try Self.run(&work, "exec cat")
    #expect(work.answers == words)
  }

  @Test func noWorkerStartsForEmptyInput() throws {
    var work = Lines(lines: [])
    try Self.run(&work, "exit 1")
    #expect(work.answers.isEmpty)
  }

  @Test func workerThatNeverAnswersIsAbandoned() throws {
    var work = Lines(lines: Self.lines(["a", "b", "c", "d", "e"]))
    #expect(throws: LineGuard.Failure.self) { try Self.run(&work, "exit 127") }
    #expect(work.answers.count < 5)
  }
}
