import Synchronization
import Tamis
import TamisFoundation
import TamisLibC
import TamisSystem
import TamisServe

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
    // In the archive of a release a script calls the loader with the command; it names itself as what can be started.
    let environment = ProcessInfo.processInfo.environment
    guard let program = environment["TAMIS_WORKER"] ?? FilePath.executable?.utf8Text else {
      return .failure("the program does not find itself")
    }
    let child: ChildProcess
    do throws(ChildProcess.Failure) {
      // A signal that comes meanwhile waits until the process is known.
      child = try running.withLock { running throws(ChildProcess.Failure) in
        let child = try ChildProcess(program, [program] + arguments, keepsErrors: true)
        running = child.number
        return child
      }
    } catch {
      return .failure("the build cannot be started: \(error.message)")
    }
    child.close(.input)
    let messages = Self.sorted(Self.messages(of: child))
    running.withLock { $0 = 0 }
    switch child.wait() {
    case .exit(0), .exit(1): return isMistaken ? .failure(messages) : .site
    case .exit: return .failure(messages)
    case .signal(let number): return .failure("\(messages)\nthe build was ended by signal \(number)")
    }
  }

  /// Interrupts the running build, which then ends the programs that it has started, and starts no other.
  func interrupt() {
    // The lock is kept: the process ends now.
    running.withLock { child in
      guard child > 0 else { return }
      _ = kill(child, SIGINT)
      usleep(300_000)
      _ = kill(-child, SIGKILL)
    }
  }

  /// Starts a program that is not waited for, and whose output goes nowhere.
  static func start(_ program: String, with argument: String) -> Bool {
    let script = "exec \"$0\" \"$1\" < /dev/null > /dev/null 2>&1"
    guard FilePath(program).kind == .file else { return false }
    return (try? ChildProcess("/bin/sh", ["sh", "-c", script, program, argument], keepsErrors: false)) != nil
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
