import Foundation
package import Testing

/// The processor time that something takes on this thread.
///
/// Other work on the machine does not lengthen it: what takes the square of its input is seen on a busy machine too,
/// and nothing else.
package func processorTime(of body: () throws -> Void) rethrows -> Duration {
  let start = nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)
  try body()
  return .nanoseconds(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) - start)
}

private func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension Trait where Self == TimeLimitTrait {
  /// For what would wait for ever if it failed.
  ///
  /// All tests run at once, and their limits run while they wait for their turn: a shorter one would fail on a busy
  /// machine.
  package static var endsAtAll: Self { .timeLimit(.minutes(60)) }
}
