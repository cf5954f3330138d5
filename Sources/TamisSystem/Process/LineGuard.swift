import TamisLibC

/// A line that is to be answered.
package struct GuardedLine: Sendable {
  /// The line number, from 1; one more than that of the line before.
  package var number: Int
  /// The bytes without a line feed.
  package var bytes: [UInt8]
  /// The answer, when the line needs no worker.
  package var answer: [UInt8]?

  /// Creates a line.
  package init(number: Int, bytes: [UInt8], answer: [UInt8]? = nil) {
    (self.number, self.bytes, self.answer) = (number, bytes, answer)
  }
}

/// The reason why a worker has not answered a line.
package enum WorkerFailure: Sendable, Hashable {
  /// The worker exited by itself, or was ended by a signal.
  case ending(ChildProcess.Ending)
  /// The worker gave no answer within its timeout.
  case silence
  /// The worker used more memory than allowed.
  case memory
  /// The worker wrote something that is not an answer.
  case nonsense
}

/// The source of lines and the destination of answers.
package protocol GuardedWork {
  /// Returns the next line if it is available without waiting.
  mutating func take() -> GuardedLine?
  /// Reads more input, once.
  mutating func fill()
  /// Whether there are no more lines.
  var isAtEnd: Bool { get }
  /// The descriptor that ``fill()`` reads from, for testing whether it would wait; nil when that cannot be tested.
  var descriptor: Int32? { get }
  /// Returns whether a line of a worker can be an answer rather than stray output.
  func isAnswer(_ bytes: ArraySlice<UInt8>) -> Bool
  /// Receives the answer to a line, without a line feed.
  mutating func write(_ answer: [UInt8])
  /// Answers a line that no worker can answer.
  mutating func write(_ failure: WorkerFailure, to line: GuardedLine)
  /// Passes on all buffered answers, because no more will follow at once.
  ///
  /// This may wait for their reader.
  mutating func flush()
}

/// Has lines answered by a worker, a process that answers each line with one line, in order and at once.
///
/// This process only reads and writes. A worker that dies, is silent or grows too large costs only the line it was
/// working on, which is the first that it had not answered. The next worker continues after that line. A failure whose
/// cause may lie elsewhere is retried: a signal from another process, or the end of a worker that had answered other
/// lines before.
package struct LineGuard {
  /// The command line and the limits of a worker.
  package struct Options: Sendable {
    /// The path of the program.
    package var program: String
    /// The arguments before the number of the first line.
    package var command: [String]
    /// The arguments after that number.
    package var options: [String]
    /// The longest time that a worker may be silent.
    package var patience: Duration
    /// The limit of resident memory of a worker in bytes, checked on Linux.
    package var memory: Int

    /// Creates options.
    package init(program: String, command: [String], options: [String], patience: Duration, memory: Int) {
      (self.program, self.command, self.options) = (program, command, options)
      (self.patience, self.memory) = (patience, memory)
    }
  }

  /// The reason why no line can be answered at all.
  package struct Failure: Error {
    /// The reason in words.
    package let message: String
  }

  /// The limit of the bytes of unanswered lines up to which more lines are taken (256 KiB).
  ///
  /// A single line may be longer.
  private static let bytesAhead = 256 << 10
  /// The maximum number of unanswered lines.
  private static let linesAhead = 256
  /// The interval in milliseconds at which a silent worker is checked.
  private static let tick = 20
  /// Idle milliseconds after which buffered answers are flushed.
  private static let pause: Int32 = 1
  /// The maximum number of attempts at a line whose failure may have an outside cause.
  private static let mostTries = 3
  /// The minimum timeout of a worker that is only asked to end, which allows for a busy machine.
  private static let patienceForEnd = Duration.seconds(10)
  /// The number of answers between two checks of the memory of a worker.
  private static let answersBetweenLooks = 256

  private struct Waiting {
    var line: GuardedLine
    /// The failure of the last worker at this line.
    var failure: WorkerFailure?
    var tries = 1
    var isDecided: Bool { line.answer != nil || failure != nil }
  }

  private let options: Options
  private var worker: ChildProcess?
  /// The unanswered lines, in order; a running worker has been sent all of them.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  /// The bytes for the worker, of which the first `sent` have been written.
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// The beginning of an answer.
  private var incoming: [UInt8] = []
  /// The time for which the worker has been silent while this process was able to read.
  private var silence = Duration.zero
  private var answers = 0
  /// Whether a worker has answered a line, or has exited normally with empty input.
  private var isProven = false

  /// Creates a guard.
  package init(_ options: Options) { self.options = options }

  /// Has all lines answered.
  ///
  /// - Parameter work: the source of lines and the destination of answers.
  /// - Throws: when no worker can be started, or none ever answers.
  package mutating func run(_ work: inout some GuardedWork) throws(Failure) {
    while true {
      // The end of an idle worker is not the fault of a line.
      if waiting.isEmpty, worker?.hasEnded == true { endWorker() }
      takeLines(&work)
      writeDecided(&work)
      if waiting.isEmpty {
        work.flush()
        if work.isAtEnd { break }
        work.fill()
        continue
      }
      if worker == nil { try start() }
      try wait(&work)
    }
    endWorker()
  }

  // MARK: - Lines

  private var hasRoom: Bool {
    waiting.isEmpty || (waitingBytes < Self.bytesAhead && waiting.count < Self.linesAhead)
  }

  private mutating func takeLines(_ work: inout some GuardedWork) {
    while hasRoom, let line = work.take() {
      waitingBytes += line.bytes.count
      waiting.append(Waiting(line: line))
      if worker != nil { send(waiting[waiting.count - 1]) }
    }
  }

  /// Sends a line to the worker; one that needs no worker is sent as an empty line, so that answers stay aligned.
  private mutating func send(_ item: Waiting) {
    // Written bytes are dropped even while others remain, so that memory does not grow with the input.
    if sent == outgoing.count || sent > Self.bytesAhead {
      outgoing.removeFirst(sent)
      sent = 0
    }
    if !item.isDecided { outgoing += item.line.bytes }
    outgoing.append(0x0A)
  }

  /// Answers the lines at the beginning that need no worker, while none is running.
  private mutating func writeDecided(_ work: inout some GuardedWork) {
    guard worker == nil else { return }
    let count = waiting.prefix { $0.isDecided }.count
    for item in waiting.prefix(count) { write(item, answer: [], &work) }
    waiting.removeFirst(count)
  }

  private mutating func write(_ item: Waiting, answer: [UInt8], _ work: inout some GuardedWork) {
    waitingBytes -= item.line.bytes.count
    if let failure = item.failure {
      work.write(failure, to: item.line)
    } else {
      work.write(item.line.answer ?? answer)
    }
  }

  // MARK: - Worker

  private mutating func start() throws(Failure) {
    worker = try launch()
    (outgoing, sent, incoming, silence, answers) = ([], 0, [], .zero, 0)
    for item in waiting { send(item) }
  }

  private func launch() throws(Failure) -> ChildProcess {
    let first = waiting[0].line.number
    do throws(ChildProcess.Failure) {
      // A backtrace takes longer than most lines, and is not shown.
      return try ChildProcess(
        options.program, [options.program] + options.command + ["\(first)"] + options.options,
        environment: ["SWIFT_BACKTRACE=enable=no"], keepsErrors: false)
    } catch {
      throw Failure(message: "\(options.program): \(error.message)")
    }
  }

  /// Tests whether the program itself fails, rather than the line.
  ///
  /// A worker with empty input has to exit normally.
  private mutating func prove() throws(Failure) {
    let ending = stop(try launch(), patience: max(options.patience, Self.patienceForEnd))
    guard ending == .exit(0) else {
      throw Failure(message: "\(options.program): it fails with empty input: \(ending)")
    }
    isProven = true
  }

  /// Waits for the worker, for room in its input, or for lines; then handles whatever is ready.
  private mutating func wait(_ work: inout some GuardedWork) throws(Failure) {
    guard let worker else { return }
    let wantsLines = hasRoom && !work.isAtEnd
    let source = wantsLines ? work.descriptor : nil
    var ends = [worker.poll(.output)]
    ends.append(sent < outgoing.count ? worker.poll(.input) : pollfd(fd: -1, events: 0, revents: 0))
    ends.append(pollfd(fd: source ?? -1, events: Int16(POLLIN), revents: 0))
    // A source that cannot be polled is read when there is nothing else to do.
    let isFilling = wantsLines && source == nil
    let before = ContinuousClock.now
    // Consecutive answers are passed on together.
    var count = unsafe poll(&ends, nfds_t(ends.count), isFilling ? 0 : Self.pause)
    if count == 0 {
      work.flush()
      count = unsafe poll(&ends, nfds_t(ends.count), isFilling ? 0 : Int32(Self.tick))
    }
    // Time in which this process itself was stopped does not count as silence.
    silence += min(ContinuousClock.now - before, .milliseconds(2 * Self.tick))
    if count > 0, ends[1].revents != 0, case .closed = worker.send(outgoing, from: &sent) {
      // The worker has ended or closed its input: reading its output tells which.
      sent = outgoing.count
    }
    if count > 0, ends[0].revents != 0 {
      try receive(from: worker, &work)
    } else if silence > options.patience {
      try fail(.silence, &work)
    } else if count == 0, isTooLarge(worker) {
      try fail(.memory, &work)
    }
    if isFilling { work.flush() }
    if wantsLines, isFilling || ends[2].revents != 0 { work.fill() }
  }

  private mutating func receive(from worker: ChildProcess, _ work: inout some GuardedWork) throws(Failure) {
    let searched = incoming.count
    switch worker.receive(.output, into: &incoming) {
    case .wait: return
    case .closed: return try fail(nil, &work)
    case .some: break
    }
    var start = 0
    var index = searched
    while let end = incoming[index...].firstIndex(of: 0x0A), !waiting.isEmpty {
      // If this line were accepted, all later answers would be matched to the wrong lines.
      guard work.isAnswer(incoming[start..<end]) else { return try fail(.nonsense, &work) }
      let item = waiting.removeFirst()
      write(item, answer: Array(incoming[start..<end]), &work)
      (start, index) = (end + 1, end + 1)
      answers += 1
      silence = .zero
      if answers % Self.answersBetweenLooks == 0, isTooLarge(worker) {
        incoming.removeFirst(start)
        return waiting.isEmpty ? endWorker() : try fail(.memory, &work)
      }
    }
    incoming.removeFirst(start)
    // Output beyond the last unanswered line is no answer.
    if waiting.isEmpty { incoming = [] }
    if incoming.count > options.memory { try fail(.memory, &work) }
  }

  /// Ends a worker that has failed, and decides what becomes of the line it was working on.
  ///
  /// - Parameters:
  ///   - failure: the failure; nil when the worker has ended, in which case its ending is the failure.
  ///   - work: the source of lines and the destination of answers.
  /// - Throws: ``Failure`` when the program cannot be started, or fails with empty input too.
  private mutating func fail(_ failure: WorkerFailure?, _ work: inout some GuardedWork) throws(Failure) {
    guard let worker else { return }
    if failure != nil { worker.kill() }
    let ending = stop(worker)
    self.worker = nil
    let cause = failure ?? .ending(ending)
    if waiting.isEmpty { return }
    isProven = isProven || answers > 0
    if !isProven { try prove() }
    // A worker that had answered other lines may have failed because of those, or before it read this one.
    let isPerhapsFromOutside =
      switch cause {
      case .ending(.signal(SIGKILL)), .ending(.signal(SIGTERM)): true
      case .ending, .memory, .nonsense: answers > 0
      case .silence: false
      }
    if isPerhapsFromOutside, waiting[0].tries < Self.mostTries {
      waiting[0].tries += 1
    } else {
      waiting[0].failure = cause
    }
  }

  /// Closes the input of a worker and waits for its end; kills it after `patience`.
  private func stop(_ worker: ChildProcess, patience: Duration = .milliseconds(200)) -> ChildProcess.Ending {
    worker.close(.input)
    return worker.end(within: patience)
  }

  private mutating func endWorker() {
    guard let worker else { return }
    _ = stop(worker)
    self.worker = nil
  }

  private func isTooLarge(_ worker: ChildProcess) -> Bool { (worker.residentBytes ?? 0) > options.memory }
}

extension ChildProcess {
  /// The resident memory in bytes; nil where it cannot be determined.
  fileprivate var residentBytes: Int? {
    let file = unsafe open("/proc/\(number)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = Self.systemClose(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(file, &text, text.count)
    let words = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    // The first two fields are all pages and those in memory (proc_pid_statm(5)).
    guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
    return pages * Int(getpagesize())
  }
}
