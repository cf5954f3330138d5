import Synchronization
package import TamisLibC

/// A child process and this side's ends of its standard streams, which never block.
///
/// The process leads its own process group, so that the processes it starts end with it.
package final class ChildProcess {
  /// The reason why a program could not be started.
  package struct Failure: Error {
    /// The reason in a few lower-case words.
    package let message: String
  }

  /// The way in which a process ended.
  package enum Ending: Sendable, Hashable, CustomStringConvertible {
    /// The process exited with this code.
    case exit(Int32)
    /// The process was ended by this signal.
    case signal(Int32)

    /// The ending in words.
    package var description: String {
      switch self {
      case .exit(let code): "it ended with exit code \(code)"
      case .signal(let number): "it was ended by signal \(number)"
      }
    }
  }

  /// The result of writing or reading.
  package enum Transfer {
    /// Bytes were transferred.
    case some
    /// There is no room to write, or nothing to read yet.
    case wait
    /// The other side has closed its end.
    case closed
  }

  /// A standard stream of the process.
  package enum Stream: Int, CaseIterable {
    case input
    case output
    case errors
  }

  /// The process ID.
  package let number: pid_t
  /// This side's ends, by ``Stream``: a socket to standard input, and pipes from the other streams; -1 when closed.
  private var ends: [Int32]

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - arguments: the arguments; the first is the name by which the program is called.
  ///   - environment: variables that the program gets besides those of this process, as `NAME=value`.
  ///   - keepsErrors: whether standard error of the program is read here; otherwise it is that of this process.
  /// - Throws: when the program cannot be started.
  package init(
    _ program: String, _ arguments: [String], environment: [String] = [], keepsErrors: Bool
  ) throws(Failure) {
    var all: [Int32] = []
    func fail(_ words: String) -> Failure {
      for end in all { _ = Self.systemClose(end) }
      return Failure(message: words)
    }
    var pair: [Int32] = [-1, -1]
    // A socket, because writing to a socket without a reader can be done without raising a signal.
    guard unsafe socketpair(AF_UNIX, Self.streamType, 0, &pair) == 0 else { throw fail("no socket can be made") }
    all += pair
    var (out, err): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard unsafe pipe(&out) == 0 else { throw fail("no pipe can be made") }
    all += out
    if keepsErrors {
      guard unsafe pipe(&err) == 0 else { throw fail("no pipe can be made") }
      all += err
    }
    for end in all { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let own = [pair[0], out[0]] + (keepsErrors ? [err[0]] : [])
    let others = [pair[1], out[1]] + (keepsErrors ? [err[1]] : [])
    for end in own { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    guard let number = Self.spawn(program, arguments: arguments, environment: environment, ends: others) else {
      throw fail("it cannot be started")
    }
    for end in others { _ = Self.systemClose(end) }
    self.number = number
    Self.running.withLock { _ = $0.insert(number) }
    ends = own + (keepsErrors ? [] : [-1])
    #if !canImport(Glibc)
      var isQuiet: Int32 = 1
      unsafe setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { for stream in Stream.allCases { close(stream) } }

  private static func spawn(_ program: String, arguments: [String], environment: [String], ends: [Int32]) -> pid_t? {
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
    // The first of two variables with the same name counts.
    var variables = unsafe environment.map { unsafe strdup($0) } + inherited() + [nil]
    defer {
      unsafe words.forEach { unsafe free($0) }
      unsafe variables.prefix(environment.count).forEach { unsafe free($0) }
    }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    return code == 0 ? process : nil
  }

  /// The beginning of the names of environment variables with secrets, which other programs do not get.
  package static let secretPrefix = "TAMIS_SECRET_"

  private static func inherited() -> [UnsafeMutablePointer<CChar>?] {
    var variables: [UnsafeMutablePointer<CChar>?] = unsafe []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      if unsafe strncmp(variable, secretPrefix, secretPrefix.utf8.count) != 0 { unsafe variables.append(variable) }
      unsafe next += 1
    }
    return unsafe variables
  }

  // MARK: - Communication

  /// Returns whether this side's end of a stream is open.
  package func isOpen(_ stream: Stream) -> Bool { ends[stream.rawValue] >= 0 }

  /// Returns the argument of `poll` for a stream.
  package func poll(_ stream: Stream) -> pollfd {
    pollfd(fd: ends[stream.rawValue], events: Int16(stream == .input ? POLLOUT : POLLIN), revents: 0)
  }

  /// Writes to standard input as much as there is room for.
  ///
  /// - Parameters:
  ///   - bytes: the data.
  ///   - offset: the index of the first byte to write; afterwards that of the first byte not written.
  /// - Returns: whether bytes were written, there was no room for any, or the program reads no more.
  package func send(_ bytes: [UInt8], from offset: inout Int) -> Transfer {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe systemSend(ends[0], buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
    }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .wait : .closed }
    offset += count
    return .some
  }

  /// Reads the available bytes of a stream, up to 64 KiB, and appends them.
  package func receive(_ stream: Stream, into bytes: inout [UInt8]) -> Transfer {
    var (result, failure): (Int, Int32) = (0, 0)
    let end = ends[stream.rawValue]
    bytes += unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      result = unsafe read(end, buffer.baseAddress, buffer.count)
      failure = errno
      count = max(0, result)
    }
    if result < 0, failure == EAGAIN || failure == EINTR { return .wait }
    return result > 0 ? .some : .closed
  }

  /// Closes this side's end of a stream.
  package func close(_ stream: Stream) {
    if isOpen(stream) { _ = Self.systemClose(ends[stream.rawValue]) }
    ends[stream.rawValue] = -1
  }

  // MARK: - Termination

  /// Whether the process has ended.
  ///
  /// ``wait()`` has to be called nevertheless: until then its process ID is not reused.
  package var hasEnded: Bool {
    var end = unsafe siginfo_t()
    let code = unsafe waitid(P_PID, id_t(number), &end, WEXITED | WNOHANG | WNOWAIT)
    if code == 0 { return unsafe end.si_signo != 0 }
    return errno != EINTR
  }

  /// Kills the process and the processes it has started.
  ///
  /// A process that has become the leader of another session or group goes on.
  package func kill() { _ = Self.systemKill(-number, SIGKILL) }

  /// The processes that were not waited for yet.
  private static let running = Mutex<Set<pid_t>>([])

  /// Kills all processes that were not waited for yet, with those that they have started.
  ///
  /// They lead groups of their own, so that an interrupt from the terminal does not reach them.
  package static func killAll() {
    running.withLock { numbers in
      for number in numbers { _ = systemKill(-number, SIGKILL) }
    }
  }

  /// Waits for the end of the process, and kills it after `patience`, with the processes that it has started; to be
  /// called once.
  package func end(within patience: Duration) -> Ending {
    let start = ContinuousClock.now
    while !hasEnded {
      if ContinuousClock.now - start > patience { kill() }
      usleep(1000)
    }
    kill()
    return wait()
  }

  /// Waits for the end of the process; to be called once.
  package func wait() -> Ending {
    defer { Self.running.withLock { _ = $0.remove(number) } }
    var status: Int32 = 0
    while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F != 0 ? .signal(status & 0x7F) : .exit(status >> 8 & 0xFF)
  }
}

extension ChildProcess {
  #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    static let systemClose = Glibc.close
    private static let systemKill = Glibc.kill
    private func systemSend(_ end: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      unsafe Glibc.send(end, bytes, count, Int32(MSG_NOSIGNAL))
    }
  #else
    private static let streamType = SOCK_STREAM
    static let systemClose = Darwin.close
    private static let systemKill = Darwin.kill
    private func systemSend(_ end: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      unsafe Darwin.send(end, bytes, count, 0)
    }
  #endif
}
