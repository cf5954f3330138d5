#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines that are given to a program all at once, and the lines that it says before it ends.
///
/// In contrast to a ``LineGuard`` it does not matter when a program flushes its output: its input ends after the last line.
package struct LineBatch {
  /// Why not every line was answered.
  package enum Problem: Sendable, Hashable {
    /// It said nothing for as long as it may take.
    case silence
    /// It ended before.
    case ending(ChildProcess.Ending)
    /// It said more lines than it was given.
    case tooMany
    /// It said a line that is longer than one may be, or lines that are longer than all may be.
    case tooLong
  }

  /// What was said.
  package private(set) var lines: [[UInt8]] = []
  /// What went wrong; nil when each line was answered by one.
  package private(set) var problem: Problem?
  /// The end of what it said on standard error.
  package private(set) var errors: [UInt8] = []

  /// How it is looked at, in milliseconds.
  private static let tick: Int32 = 20
  /// One that has answered everything may take so long to end.
  private static let patienceForEnd = Duration.seconds(2)
  /// The most bytes of all lines together, unless one alone may be longer.
  private static let mostBytes = 64 << 20
  /// So much is kept of what is said on standard error.
  private static let mostErrors = 4096

  private let process: ChildProcess
  private let count: Int
  private let longest: Int
  private let input: [UInt8]
  private var sent = 0
  private var bytes = 0
  private var beginning: [UInt8] = []
  private var answered = ContinuousClock.now

  /// Runs a program and waits for its end, or ends it.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: what it is called with, its name first.
  ///   - input: lines, each with a line feed.
  ///   - count: how many lines that are.
  ///   - patience: how long it may say no line.
  ///   - longest: how many bytes a line may have that it says.
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
        // What does not end though it has answered everything is not missed.
        if lines.count == count { break }
        problem = .silence
      }
    }
    if !isAtEnd { process.kill() }
    for stream in ChildProcess.Stream.allCases where stream != .errors { process.close(stream) }
    let ending = end()
    // What it has started may still hold this end open and write.
    for _ in 0..<256 {
      guard case .some = process.receive(.errors, into: &errors) else { break }
      trimErrors()
    }
    if problem == nil, lines.count < count { problem = .ending(ending) }
  }

  /// Waits for what comes next and takes it; answers whether nothing more will.
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
      // The last line may end with nothing.
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

  /// Waits for the end of a process whose streams are closed.
  private func end() -> ChildProcess.Ending {
    let start = ContinuousClock.now
    while !process.hasEnded {
      if ContinuousClock.now - start > Self.patienceForEnd { process.kill() }
      usleep(1000)
    }
    // Processes that it has started end too.
    process.kill()
    return process.wait()
  }
}
