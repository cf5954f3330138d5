import Tamis
import TamisCore
import TamisLibC
package import TamisSystem

/// The result of answering records.
package struct RecordSummary: Sendable {
  /// The number of records that were answered.
  package var count = 0
  /// The number of errors among the answers, by code.
  package var errors: [RecordError.Code: Int] = [:]

  /// The number of answers that are failures; ``RecordError/Code/notModified`` is not one.
  package var failed: Int { errors.reduce(0) { $0 + ($1.key == .notModified ? 0 : $1.value) } }
}

/// Answers all records of an input, one line each, in order.
package struct RecordRun<Mapper: RecordMapper> {
  /// The number of bytes of answers that are passed on at once, unless further reading would wait.
  private static var batch: Int { 1 << 16 }

  private let mapper: Mapper
  private let write: ([UInt8]) -> Void

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - mapper: the mapper that answers each record.
  ///   - write: a function that is called with whole lines of answers; it may wait.
  package init(_ mapper: Mapper, write: @escaping ([UInt8]) -> Void) {
    (self.mapper, self.write) = (mapper, write)
  }

  /// Answers all records in this process.
  package func run(_ input: inout RecordInput) -> RecordSummary {
    var answers = RecordAnswers(mapper)
    while true {
      if let question = input.take() {
        answers.answer(question)
        if answers.writer.bytes.count >= Self.batch { answers.handOn(to: write) }
      } else {
        // A caller that sends records in small pieces gets many answers at once.
        if input.isAtEnd || input.wouldWait { answers.handOn(to: write) }
        if input.isAtEnd { return RecordSummary(count: answers.count, errors: answers.errors) }
        input.fill()
      }
    }
  }

  /// Answers all records in the process that a guard has started: each answer is passed on before the next record is
  /// begun.
  ///
  /// - Parameters:
  ///   - input: the records.
  ///   - seconds: the time for one record after which this process terminates itself (SIGALRM), in case the guard is
  ///     gone.
  package func work(_ input: inout RecordInput, endingAfter seconds: Int) {
    var answers = RecordAnswers(mapper)
    while !input.isAtEnd {
      if let question = input.take() {
        alarm(UInt32(clamping: seconds))
        answers.answer(question)
        answers.handOn(to: write)
      } else {
        alarm(0)
        input.fill()
      }
    }
  }

  /// Answers all records in another process, so that a crash, a hang or excessive memory use affects only the record at
  /// which it happens.
  ///
  /// - Parameters:
  ///   - input: the records.
  ///   - guarding: the program and its limits.
  /// - Returns: the summary of the answers.
  /// - Throws: when no process can be started or none ever answers.
  package func run(
    _ input: inout RecordInput, guarding: LineGuard.Options
  ) throws(LineGuard.Failure) -> RecordSummary {
    var work = GuardedRecords(input: input, answers: RecordAnswers(mapper), limits: guarding, write: write)
    var lineGuard = LineGuard(guarding)
    try lineGuard.run(&work)
    input = work.input
    return work.summary
  }
}

/// Records on their way to another process and back.
private struct GuardedRecords<Mapper: RecordMapper>: GuardedWork {
  var input: RecordInput
  var answers: RecordAnswers<Mapper>
  let limits: LineGuard.Options
  let write: ([UInt8]) -> Void
  var summary = RecordSummary()
  var output: [UInt8] = []

  var isAtEnd: Bool { input.isAtEnd }
  var descriptor: Int32? { input.descriptor }

  mutating func take() -> GuardedLine? {
    guard let question = input.take() else { return nil }
    switch question.content {
    case .line(let bytes): return GuardedLine(number: question.number, bytes: bytes)
    case .record(let record): return GuardedLine(number: question.number, bytes: record.line)
    case .invalid:
      answers.answer(question)
      var answer: [UInt8] = []
      answers.handOn { answer = Array($0.dropLast()) }
      return GuardedLine(number: question.number, bytes: [], answer: answer)
    }
  }

  mutating func fill() { input.fill() }

  func isAnswer(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: RecordAnswers<Mapper>.beginning) }

  mutating func write(_ answer: [UInt8]) {
    summary.count += 1
    if let code = RecordError.Code(ofAnswer: answer) { summary.errors[code, default: 0] += 1 }
    output += answer
    output.append(ASCII.lineFeed)
    if output.count >= 1 << 16 { flush() }
  }

  mutating func write(_ failure: WorkerFailure, to line: GuardedLine) {
    let seconds = Int(limits.patience.components.seconds)
    let error: RecordError =
      switch failure {
      case .ending(.exit(let code)): RecordError(.crashed, "the process ended at this record with exit code \(code)")
      case .ending(.signal(let number)): RecordError(.crashed, "the process ended at this record by signal \(number)")
      case .silence:
        RecordError(.tooSlow, "this record took longer than \(seconds.counted("second")) (--max-time)")
      case .nonsense: RecordError(.crashed, "the process wrote something that is not an answer to this record")
      case .memory:
        RecordError(.memory, "this record took more memory than \(limits.memory) bytes (--max-memory)")
      }
    let record = try? Record(line: line.bytes)
    answers.write(
      error, id: record?.id ?? Record.ID(beginningOf: line.bytes), line: line.number, meta: record?.meta ?? [])
    summary.count += 1
    summary.errors[error.code, default: 0] += 1
    answers.handOn { output += $0 }
  }

  mutating func flush() {
    if !output.isEmpty { write(output) }
    output.removeAll(keepingCapacity: true)
  }
}
