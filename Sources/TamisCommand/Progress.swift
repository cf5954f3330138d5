import Dispatch
import Synchronization
import Tamis
import TamisFoundation
import TamisLibC
import TamisSystem

/// Shows the progress of a command, and reports the consequence of an interrupt.
///
/// The progress is a line on standard error, when that is a terminal and the work takes more than a second.
final class Progress: Sendable {
  private struct State {
    /// The action, such as `read`, and the noun for its objects.
    var (done, noun) = ("", "")
    var (count, total): (Int, Int?) = (0, nil)
    var stepStart = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
    var isLineShown = false
  }

  private let start = ContinuousClock.now
  private let isTerminal = isatty(2) != 0
  private let state = Mutex(State())
  /// The signal source, which is set up once and cancelled once.
  nonisolated(unsafe) private let interrupt: any DispatchSourceSignal

  /// The progress of the running command.
  private static let current = Mutex<Progress?>(nil)

  /// Begins to watch a command.
  ///
  /// - Parameter consequence: the state that an interrupt (Ctrl-C) leaves, in words.
  init(leaving consequence: String) {
    // The default action is ignored, so that only the source receives the signal.
    signal(SIGINT, SIG_IGN)
    interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    interrupt.setEventHandler { [weak self] in
      self?.hide()
      Terminal.error("tamis: interrupted: \(self?.summary ?? "nothing done"); \(consequence)")
      ChildProcess.killAll()
      // No other cleanup is needed: output appears as a whole or not at all, and a lock ends with its process.
      _exit(130)
    }
    interrupt.resume()
    Self.current.withLock { $0 = self }
  }

  /// Updates the progress of a step: `update(3, of: 7, noun: "feed", done: "read")`.
  func update(_ count: Int, of total: Int?, noun: String, done: String) {
    state.withLock { state in
      if state.done != done || state.noun != noun { state.stepStart = .now }
      (state.noun, state.done) = (noun, done)
      (state.count, state.total) = (count, total)
      guard isTerminal, ContinuousClock.now - start > .seconds(1) else { return }
      if let last = state.lastShown, ContinuousClock.now - last < .milliseconds(100) { return }
      state.lastShown = .now
      state.isLineShown = true
      Terminal.writeError("\r\u{1B}[K\(Self.words(state))\(Self.rate(state))")
    }
  }

  /// Ends the watch.
  func finish() {
    hide()
    Self.current.withLock { $0 = nil }
    interrupt.cancel()
    signal(SIGINT, SIG_DFL)
  }

  /// Hides the line before other output of the command.
  static func makeRoom() { current.withLock { $0 }?.hide() }

  private func hide() {
    state.withLock { state in
      if state.isLineShown { Terminal.writeError("\r\u{1B}[K") }
      state.isLineShown = false
    }
  }

  private var summary: String {
    state.withLock { $0.done.isEmpty ? "nothing done" : Self.words($0) }
  }

  /// The progress in words, such as `3 of 7 feeds read`.
  private static func words(_ state: State) -> String {
    guard let total = state.total else { return "\(state.count.counted(state.noun)) \(state.done)" }
    return "\(state.count) of \(total.counted(state.noun)) \(state.done)"
  }

  private static func rate(_ state: State) -> String {
    let seconds = Double((ContinuousClock.now - state.stepStart) / .milliseconds(1)) / 1000
    guard seconds > 0.5, state.count > 0 else { return "" }
    let rate = Double(state.count) / seconds
    return rate >= 10 ? ", \(Int(rate)) a second" : ", \((rate * 10).rounded() / 10) a second"
  }

}
