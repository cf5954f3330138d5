#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A line that is to be answered.
package struct GuardedLine: Sendable {
  /// Its number, from 1; one more than that of the line before.
  package var number: Int
  /// Its bytes without a line feed.
  package var bytes: [UInt8]
  /// Its answer, when it needs no worker.
  package var answer: [UInt8]?

  /// Makes a line.
  package init(number: Int, bytes: [UInt8], answer: [UInt8]? = nil) {
    (self.number, self.bytes, self.answer) = (number, bytes, answer)
  }
}

/// Why a worker has not answered a line.
package enum WorkerFailure: Sendable, Hashable {
  /// It ended by itself, with this code.
  case exit(Int32)
  /// It was ended by this signal.
  case signal(Int32)
  /// It said nothing for as long as it may take.
  case silence
  /// It took more memory than it may.
  case memory
  /// It said something that is no answer.
  case nonsense
}

/// Where lines come from and where answers go.
package protocol GuardedWork {
  /// The next line if it is there without waiting.
  mutating func take() -> GuardedLine?
  /// Reads on, once.
  mutating func fill()
  /// Whether there are no more lines.
  var isAtEnd: Bool { get }
  /// What ``fill()`` reads from, so that it can be seen whether it would wait; nil when that cannot be seen.
  var descriptor: Int32? { get }
  /// Whether a worker's line may be an answer, and is not of something that prints where it should not.
  func isAnswer(_ bytes: ArraySlice<UInt8>) -> Bool
  /// Takes the answer to a line, without a line feed.
  mutating func write(_ answer: [UInt8])
  /// Answers a line that no worker can answer.
  mutating func write(_ failure: WorkerFailure, to line: GuardedLine)
  /// Hands on all answers, as nothing more comes at once; may wait for who reads them.
  mutating func flush()
}

/// Has lines answered by a worker, a process that answers each line with a line, in order and at once.
///
/// This process only reads and writes. A worker that dies, is silent or grows too large costs the one line it was at: the first
/// that it had not answered. The next worker continues after it. Failures with a possible outside cause are tried again: a signal
/// from another process, and the end of a worker that had answered other lines before.
package struct LineGuard {
  /// What a worker is and may take.
  package struct Options: Sendable {
    /// The program, by its path.
    package var program: String
    /// What it is called with, up to the number of its first line.
    package var command: [String]
    /// The arguments after that.
    package var options: [String]
    /// How long it may be silent.
    package var patience: Duration
    /// How much memory it may take, in bytes (resident; on Linux).
    package var memory: Int

    /// Makes options.
    package init(program: String, command: [String], options: [String], patience: Duration, memory: Int) {
      (self.program, self.command, self.options) = (program, command, options)
      (self.patience, self.memory) = (patience, memory)
    }
  }

  /// Why nothing can be answered at all.
  package struct Failure: Error {
    /// In words.
    package let message: String
  }

  /// Lines are handed to a worker ahead of its answers as long as they have no more bytes than this (256 KiB), or are only one.
  private static let bytesAhead = 256 << 10
  /// And no more than so many.
  private static let linesAhead = 256
  /// How often a silent worker is checked, in milliseconds.
  private static let tick = 20
  /// Behind such a pause answers are handed on, in milliseconds.
  private static let pause: Int32 = 1
  /// What may have come from outside is tried so often in all.
  private static let mostTries = 3
  /// A worker that is only asked to end has at least so long for it, also on a busy machine.
  private static let patienceForEnd = Duration.seconds(10)
  /// Its memory is looked at after as many answers.
  private static let answersBetweenLooks = 256

  private struct Waiting {
    var line: GuardedLine
    /// What the last worker failed by at this line.
    var failure: WorkerFailure?
    var tries = 1
    var isDecided: Bool { line.answer != nil || failure != nil }
  }

  private let options: Options
  private var worker: ChildProcess?
  /// The lines that are not answered, in order; those that a worker has heard of are all of them.
  private var waiting: [Waiting] = []
  private var waitingBytes = 0
  /// What is still to be written to the worker.
  private var outgoing: [UInt8] = []
  private var sent = 0
  /// The beginning of an answer.
  private var incoming: [UInt8] = []
  /// How long the worker has been silent, as far as this process was there to hear it.
  private var silence = Duration.zero
  private var answers = 0
  /// Whether a worker has answered something, or ended well when it was asked for nothing.
  private var isProven = false

  /// Makes a guard.
  package init(_ options: Options) { self.options = options }

  /// Has all lines answered.
  ///
  /// - Throws: when no worker can be started, or none ever answers.
  package mutating func run(_ work: inout some GuardedWork) throws(Failure) {
    while true {
      // The end of an idle worker is no line's fault.
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

  /// Hands a line to the worker; an empty one in place of a line that needs none, so that both count the same.
  private mutating func send(_ item: Waiting) {
    // What was written goes, also when there is always something left: memory is not to follow the input.
    if sent == outgoing.count || sent > Self.bytesAhead {
      outgoing.removeFirst(sent)
      sent = 0
    }
    if !item.isDecided { outgoing += item.line.bytes }
    outgoing.append(0x0A)
  }

  /// Without a worker, answers the lines at the beginning that need none.
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

  /// Sees whether it is the line or the program that fails: one that is asked for nothing has to end well.
  private mutating func prove() throws(Failure) {
    let ending = stop(try launch(), patience: max(options.patience, Self.patienceForEnd))
    guard ending == .exit(0) else {
      throw Failure(message: "\(options.program): it fails with empty input: \(ending)")
    }
    isProven = true
  }

  /// Waits for the worker, for room in its input, or for lines; then does what can be done.
  private mutating func wait(_ work: inout some GuardedWork) throws(Failure) {
    guard let worker else { return }
    let wantsLines = hasRoom && !work.isAtEnd
    let source = wantsLines ? work.descriptor : nil
    var ends = [worker.poll(.output)]
    ends.append(sent < outgoing.count ? worker.poll(.input) : pollfd(fd: -1, events: 0, revents: 0))
    ends.append(pollfd(fd: source ?? -1, events: Int16(POLLIN), revents: 0))
    // What cannot be waited for is read when there is nothing else to do.
    let isFilling = wantsLines && source == nil
    let before = ContinuousClock.now
    // Consecutive answers are passed on together.
    var count = unsafe poll(&ends, nfds_t(ends.count), isFilling ? 0 : Self.pause)
    if count == 0 {
      work.flush()
      count = unsafe poll(&ends, nfds_t(ends.count), isFilling ? 0 : Int32(Self.tick))
    }
    // A process that was stopped itself has not listened.
    silence += min(ContinuousClock.now - before, .milliseconds(2 * Self.tick))
    if count > 0, ends[1].revents != 0, case .closed = worker.send(outgoing, from: &sent) {
      // It has ended, or will not listen: its output says so.
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
      // If it were accepted, all later answers would be matched to other lines.
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
    // More than was asked for is no answer to anything.
    if waiting.isEmpty { incoming = [] }
    if incoming.count > options.memory { try fail(.memory, &work) }
  }

  /// Ends a worker that has failed, and decides what becomes of the line it was at.
  ///
  /// - Parameter failure: nil when it has ended, which tells why.
  private mutating func fail(_ failure: WorkerFailure?, _ work: inout some GuardedWork) throws(Failure) {
    guard let worker else { return }
    if failure != nil { worker.kill() }
    let ending = stop(worker)
    self.worker = nil
    var cause = failure
    if cause == nil {
      switch ending {
      case .exit(let code): cause = .exit(code)
      case .signal(let number): cause = .signal(number)
      }
    }
    guard let cause, !waiting.isEmpty else { return }
    isProven = isProven || answers > 0
    if !isProven { try prove() }
    // A worker that had answered other lines may have ended by what they have left, or before it heard of this one.
    let isPerhapsFromOutside =
      switch cause {
      case .signal(SIGKILL), .signal(SIGTERM): true
      case .signal, .exit, .memory, .nonsense: answers > 0
      case .silence: false
      }
    if isPerhapsFromOutside, waiting[0].tries < Self.mostTries {
      waiting[0].tries += 1
    } else {
      waiting[0].failure = cause
    }
  }

  /// Waits for the end of a worker to which nothing more is said; one that lives on is ended.
  private func stop(
    _ worker: ChildProcess, patience: Duration = .milliseconds(200)
  ) -> ChildProcess.Ending {
    worker.close(.input)
    let start = ContinuousClock.now
    while !worker.hasEnded {
      if ContinuousClock.now - start > patience { worker.kill() }
      usleep(1000)
    }
    // Processes that it has started end too.
    worker.kill()
    return worker.wait()
  }

  private mutating func endWorker() {
    guard let worker else { return }
    _ = stop(worker)
    self.worker = nil
  }

  private func isTooLarge(_ worker: ChildProcess) -> Bool { (worker.residentBytes ?? 0) > options.memory }
}

extension ChildProcess {
  /// How much memory it has that is not elsewhere, in bytes; nil where that cannot be seen.
  fileprivate var residentBytes: Int? {
    let file = unsafe open("/proc/\(number)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = Self.systemClose(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = unsafe Self.systemRead(file, &text, text.count)
    let words = text.prefix(max(0, count)).split(separator: UInt8(ascii: " "))
    // All pages, then those in memory (proc_pid_statm(5)).
    guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return nil }
    return pages * Int(getpagesize())
  }
}
