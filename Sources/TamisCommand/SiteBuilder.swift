import Synchronization
import Tamis
import TamisProcess
import TamisServe

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs `tamis build` as a process of its own, again and again, so that what it prints can also be shown on a page.
final class SiteBuilder: Sendable {
  private let arguments: [String]
  /// The process ID of the running build; 0 when none runs.
  private let running = Mutex<pid_t>(0)

  /// The bytes of messages that are shown on a page.
  private static let longestMessages = 1 << 20

  /// Makes a builder.
  ///
  /// - Parameter arguments: the arguments of `tamis`, which begin with `build`.
  init(_ arguments: [String]) { self.arguments = arguments }

  /// Builds the site, passing on what the build prints.
  ///
  /// - Parameter isMistaken: whether the configuration has a mistake, whose message is shown although pages were made.
  /// - Returns: the site, also when some feeds failed; otherwise the messages of the build.
  func build(isMistaken: Bool) -> SiteServer.Showing {
    guard let program = FilePath.executable?.utf8Text else { return .failure("the program does not find itself") }
    let child: ChildProcess
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(program, [program] + arguments, keepsErrors: true)
    } catch {
      return .failure("the build cannot be started: \(error.message)")
    }
    running.withLock { $0 = child.number }
    child.close(.input)
    let messages = Self.sorted(Self.messages(of: child))
    running.withLock { $0 = 0 }
    switch child.wait() {
    case .exit(0), .exit(1): return isMistaken ? .failure(messages) : .site
    case .exit: return .failure(messages)
    case .signal(let number): return .failure("\(messages)\nthe build was ended by signal \(number)")
    }
  }

  /// Ends the running build.
  func kill() {
    let child = running.withLock { $0 }
    if child > 0 { _ = SystemSignal.send(-child, SIGKILL) }
  }

  /// Starts a program that is not waited for.
  static func start(_ program: String, _ arguments: [String]) -> Bool {
    guard FilePath(program).kind == .file,
      let child = try? ChildProcess(program, [program] + arguments, keepsErrors: false)
    else { return false }
    child.close(.input)
    return true
  }

  /// Returns the messages with the errors first.
  private static func sorted(_ messages: String) -> String {
    let lines = messages.split(separator: "\n")
    let errors = lines.filter { $0.contains("error: ") }
    let others = lines.filter { !$0.contains("error: ") }
    return (errors + (errors.isEmpty || others.isEmpty ? [] : [""]) + others).joined(separator: "\n")
  }

  /// Prints what a build writes, until it ends, and returns its messages.
  private static func messages(of child: ChildProcess) -> String {
    var messages: [UInt8] = []
    while child.isOpen(.output) || child.isOpen(.errors) {
      let streams = [ChildProcess.Stream.output, .errors].filter(child.isOpen)
      var waiting = streams.map { child.poll($0) }
      _ = poll(&waiting, nfds_t(waiting.count), -1)
      for stream in streams {
        var bytes: [UInt8] = []
        if case .closed = child.receive(stream, into: &bytes) { child.close(stream) }
        if stream == .output {
          Terminal.write(bytes)
        } else {
          Terminal.writeError(String(decoding: bytes, as: UTF8.self))
        }
        messages += bytes.prefix(longestMessages - messages.count)
      }
    }
    return String(decoding: messages, as: UTF8.self)
  }
}

/// The `kill` of the system, whose name is that of a method here.
private enum SystemSignal {
  static func send(_ process: pid_t, _ number: Int32) -> Int32 { kill(process, number) }
}
