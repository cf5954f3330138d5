/// Runs pieces of work in several tasks at once and hands out their results in the order of the pieces.
///
/// The result does not depend on the number of tasks.
///
/// - Parameters:
///   - count: the number of pieces.
///   - jobs: the number of pieces in progress at once, including results that wait for their turn, which bounds the
///     memory.
///   - work: does the piece with this number.
///   - body: takes the result of each piece, in order; when it throws, work that has not begun is left out.
/// - Throws: the error that `body` throws.
package func inOrder<Output: Sendable>(
  count: Int, jobs: Int, work: @escaping @Sendable (Int) -> Output, _ body: (Int, Output) throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: (Int, Output).self) { group in
    var waiting: [Int: Output] = [:]
    var started = 0
    var next = 0
    while next < count {
      while started < count, started < next + jobs {
        let number = started
        group.addTask { (number, work(number)) }
        started += 1
      }
      try Task.checkCancellation()
      if let output = waiting.removeValue(forKey: next) {
        try body(next, output)
        next += 1
      } else if let (number, output) = try await group.next() {
        waiting[number] = output
      }
    }
  }
}
