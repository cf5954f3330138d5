import TamisLibC

/// Lines that are given to a program all at once, and the lines that it writes before it ends.
///
/// Unlike with a ``LineGuard``, it does not matter when the program flushes its output: its input ends after the last
/// line.
package struct LineBatch {
  /// The reason why not every line was answered.
  package enum Problem: Sendable, Hashable {
    /// The program wrote no line within its timeout.
    case silence
    /// The program ended early.
    case ending(ChildProcess.Ending)
    /// The program wrote more lines than it was given.
    case tooMany
    /// The program wrote a line that is longer than allowed, or more bytes in all than allowed.
    case tooLong
  }

  /// The lines that the program wrote, without line ends.
  package private(set) var lines: [[UInt8]] = []
  /// The problem; nil when each line was answered by one line.
  package private(set) var problem: Problem?
  /// The end of what the program wrote to standard error.
  package private(set) var errors: [UInt8] = []

  /// The interval of polling in milliseconds.
  private static let tick: Int32 = 20
  /// The time that a program may take to end after it has answered everything.
  private static let patienceForEnd = Duration.seconds(2)
  /// The limit of the bytes of all lines together (64 MiB), unless one line may be longer.
  private static let mostBytes = 64 << 20
  /// The number of bytes kept of standard error.
  private static let mostErrors = 4096

  private let process: ChildProcess
  private let count: Int
  private let longest: Int
  private let input: [UInt8]
  private var sent = 0
  private var bytes = 0
  private var beginning: [UInt8] = []
  private var answered = ContinuousClock.now

  /// Runs a program and waits for its end, or kills it.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - arguments: the arguments, the name of the program first.
  ///   - input: lines, each with a line feed.
  ///   - count: the number of those lines.
  ///   - patience: the longest time without a line of output.
  ///   - longest: the limit of a line of output in bytes.
  /// - Throws: when the program cannot be started.
  package init(
    _ program: String, _ arguments: [String], input: [UInt8], count: Int, patience: Duration, longest: Int
  ) throws(ChildProcess.Failure) {
    process = try ChildProcess(program, arguments, keepsErrors: true)
    (self.input, self.count, self.longest) = (input, count, longest)
    var isAtEnd = false
    while !isAtEnd, problem == nil {
      isAtEnd = step()
      let limit = lines.count == count ? min(patience, Self.patienceForEnd) : patience
      if !isAtEnd, problem == nil, ContinuousClock.now - answered > limit {
        // A program that has answered everything may be killed if it does not end.
        if lines.count == count { break }
        problem = .silence
      }
    }
    if !isAtEnd { process.kill() }
    for stream in ChildProcess.Stream.allCases where stream != .errors { process.close(stream) }
    let ending = process.end(within: Self.patienceForEnd)
    // Processes that the program has started may still hold the other end open and write.
    for _ in 0..<256 {
      guard case .some = process.receive(.errors, into: &errors) else { break }
      trimErrors()
    }
    if problem == nil, lines.count < count { problem = .ending(ending) }
  }

  /// Waits up to one tick for data and processes it; returns whether the output has ended.
  private mutating func step() -> Bool {
    if sent == input.count { process.close(.input) }
    let closed = pollfd(fd: -1, events: 0, revents: 0)
    var ends = [process.poll(.output), closed, closed]
    if process.isOpen(.input) { ends[1] = process.poll(.input) }
    if process.isOpen(.errors) { ends[2] = process.poll(.errors) }
    guard unsafe poll(&ends, nfds_t(ends.count), Self.tick) > 0 else { return false }
    if ends[1].revents != 0, case .closed = process.send(input, from: &sent) { sent = input.count }
    if ends[2].revents != 0 {
      if case .closed = process.receive(.errors, into: &errors) { process.close(.errors) }
      trimErrors()
    }
    guard ends[0].revents != 0 else { return false }
    let searched = beginning.count
    switch process.receive(.output, into: &beginning) {
    case .wait: return false
    case .closed:
      // The last line may lack a line feed.
      if !beginning.isEmpty { take(beginning[...]) }
      return true
    case .some: takeLines(from: searched)
    }
    return false
  }

  private mutating func takeLines(from searched: Int) {
    var (start, index) = (0, searched)
    while problem == nil, let end = beginning[index...].firstIndex(of: 0x0A) {
      take(beginning[start..<end])
      (start, index) = (end + 1, end + 1)
    }
    beginning.removeFirst(start)
    if beginning.count > longest || bytes > max(longest, Self.mostBytes) { problem = .tooLong }
  }

  private mutating func take(_ line: ArraySlice<UInt8>) {
    let line = line.last == 0x0D ? line.dropLast() : line
    if lines.count == count {
      problem = .tooMany
    } else if line.count > longest {
      problem = .tooLong
    } else {
      lines.append(Array(line))
      bytes += line.count
      answered = .now
    }
  }

  private mutating func trimErrors() {
    if errors.count > Self.mostErrors { errors.removeFirst(errors.count - Self.mostErrors) }
  }
}
