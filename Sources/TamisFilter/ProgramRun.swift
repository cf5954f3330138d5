#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a filter program: bytes in, bytes out, within its limits.
public struct ProgramRun: Sendable {
  /// Why a program gave no answer, in a few lower-case words.
  public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The words.
    public let description: String
  }

  /// Most bytes that are taken of a program's answer (16 MiB).
  public static let mostOutput = 16 << 20

  private let program: FilterProgram
  private let folder: String

  /// - Parameter folder: where it is run.
  public init(_ program: FilterProgram, in folder: String) { (self.program, self.folder) = (program, folder) }

  /// The shell only sets limits and becomes the program; what is run reaches it as arguments.
  private static let script = """
    cd "$1" && ulimit -v "$2" && ulimit -t "$3" && shift 3 && exec "$@"
    """

  /// Gives a program its input and waits for its answer.
  ///
  /// - Throws: when it cannot be run, fails, takes too long, or says too much.
  public func run(_ input: [UInt8]) throws(Failure) -> [UInt8] {
    let seconds = max(1, program.timeLimit.components.seconds)
    let arguments =
      ["sh", "-c", Self.script, "sh", folder, "\(max(1, program.memoryLimit >> 10))", "\(seconds + 1)"]
      + program.command
    var child = try Child(arguments)
    defer { child.close() }
    let deadline = ContinuousClock.now + program.timeLimit
    var talk = child.talk(input, until: deadline, most: Self.mostOutput)
    // One that has said all may live on, or have left others behind.
    if talk == .finished, !child.hasEnded(by: deadline) { talk = .late }
    child.kill()
    let status = child.wait()
    switch talk {
    case .late: throw Failure(description: "it took longer than \(program.timeLimit)")
    case .excessive: throw Failure(description: "it said more than \(Self.mostOutput) bytes")
    case .finished: break
    }
    if let status { throw Failure(description: status + (child.complaint.isEmpty ? "" : ": \(child.complaint)")) }
    return child.output
  }
}

/// A process with its ends of the talk.
private struct Child {
  enum Talk { case finished, late, excessive }

  private let process: pid_t
  /// A socket to its standard input, and pipes from its standard output and error; -1 when closed.
  private var input: Int32
  private var outputs: [Int32]
  private(set) var output: [UInt8] = []
  private var errors: [UInt8] = []

  /// What it said last on standard error, one line.
  var complaint: String {
    let line = errors.split { $0 == 0x0A || $0 == 0x0D }.last ?? []
    let text = String(decoding: line.prefix(200), as: UTF8.self)
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }

  init(_ arguments: [String]) throws(ProgramRun.Failure) {
    var ends: [Int32] = []
    func fail(_ words: String) -> ProgramRun.Failure {
      for end in ends { _ = Self.closeEnd(end) }
      return ProgramRun.Failure(description: words)
    }
    var pair: [Int32] = [-1, -1]
    // A socket: what is written to one that nobody reads is no signal.
    guard unsafe socketpair(AF_UNIX, Self.streamType, 0, &pair) == 0 else { throw fail("no socket can be made") }
    ends += pair
    var (out, err): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe(&out) == 0 else { throw fail("no pipe can be made") }
    ends += out
    guard unsafe pipe(&err) == 0 else { throw fail("no pipe can be made") }
    ends += err
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    for end in [pair[0], out[0], err[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    guard let process = Self.spawn(arguments, [pair[1], out[1], err[1]]) else {
      throw fail("it cannot be started")
    }
    for end in [pair[1], out[1], err[1]] { _ = Self.closeEnd(end) }
    (self.process, input, outputs) = (process, pair[0], [out[0], err[0]])
    #if !canImport(Glibc)
      var isQuiet: Int32 = 1
      unsafe setsockopt(input, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #else
    private static let streamType = SOCK_STREAM
    private static let sendFlags: Int32 = 0
  #endif

  private static func closeEnd(_ end: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(end)
    #else
      Darwin.close(end)
    #endif
  }

  /// Starts the shell in a group of processes of its own, so that what it starts ends with it.
  private static func spawn(_ arguments: [String], _ ends: [Int32]) -> pid_t? {
    #if canImport(Glibc)
      var (actions, attributes) = unsafe (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #else
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = unsafe (nil, nil)
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    for (number, end) in ends.enumerated() { unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, environ)
    return code == 0 ? process : nil
  }

  /// Writes the input and reads the answer until both are done.
  mutating func talk(_ bytes: [UInt8], until deadline: ContinuousClock.Instant, most: Int) -> Talk {
    var written = 0
    while outputs.contains(where: { $0 >= 0 }) {
      let left = (deadline - .now) / .milliseconds(1)
      if left <= 0 { return .late }
      var ends = outputs.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if input >= 0 { ends.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      let count = unsafe poll(&ends, nfds_t(ends.count), Int32(min(left, 1000)) + 1)
      if count < 0, errno != EINTR { return .late }
      if count <= 0 { continue }
      if input >= 0, ends[2].revents != 0 { write(bytes, from: &written) }
      for number in outputs.indices where ends[number].revents != 0 { read(number) }
      if output.count > most { return .excessive }
    }
    return .finished
  }

  private mutating func write(_ bytes: [UInt8], from written: inout Int) {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe send(input, buffer.baseAddress?.advanced(by: written), buffer.count - written, Self.sendFlags)
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    written += max(0, count)
    // It may answer without having heard all.
    if count < 0 || written == bytes.count {
      _ = Self.closeEnd(input)
      input = -1
    }
  }

  private mutating func read(_ number: Int) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    #if canImport(Glibc)
      let count = unsafe Glibc.read(outputs[number], &buffer, buffer.count)
    #else
      let count = unsafe Darwin.read(outputs[number], &buffer, buffer.count)
    #endif
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    if count <= 0 {
      _ = Self.closeEnd(outputs[number])
      outputs[number] = -1
    } else if number == 0 {
      output += buffer.prefix(count)
    } else {
      errors = errors.suffix(4096) + buffer.prefix(count)
    }
  }

  /// Whether the process ends in time.
  func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    var pause: UInt32 = 200
    while true {
      var end = unsafe siginfo_t()
      // It stays until ``wait()``: nobody else gets its number.
      let code = unsafe waitid(P_PID, id_t(process), &end, WEXITED | WNOHANG | WNOWAIT)
      if code == 0, unsafe end.si_signo != 0 { return true }
      if code < 0, errno != EINTR { return true }
      if ContinuousClock.now >= deadline { return false }
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
  }

  /// Ends the process and what it has started.
  func kill() {
    #if canImport(Glibc)
      _ = Glibc.kill(-process, SIGKILL)
    #else
      _ = Darwin.kill(-process, SIGKILL)
    #endif
  }

  /// Waits for the end; answers what was wrong with it, nil for nothing.
  func wait() -> String? {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    if status & 0x7F != 0 { return "it was ended by signal \(status & 0x7F)" }
    let code = status >> 8 & 0xFF
    return code == 0 ? nil : "it ended with exit code \(code)"
  }

  mutating func close() {
    for end in [input] + outputs where end >= 0 { _ = Self.closeEnd(end) }
    (input, outputs) = (-1, [-1, -1])
  }
}
