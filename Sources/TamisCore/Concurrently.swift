import Dispatch
import Synchronization

/// Runs pieces of work on several threads at once and returns their results in the order of the pieces.
///
/// The result does not depend on the number of threads. The calling thread does its share, so the work is done even
/// where no other thread is free.
///
/// This function suits many small pieces of one thing; see ``inOrder(count:jobs:work:_:)`` for large ones whose results
/// are not kept together.
///
/// - Parameters:
///   - count: the number of pieces.
///   - jobs: the number of threads that work at once; 1 for the calling thread only.
///   - work: does the piece with this number.
/// - Returns: the results, in the order of the pieces.
package func concurrently<Output: Sendable>(count: Int, jobs: Int, work: @Sendable (Int) -> Output) -> [Output] {
  // The number of pieces that a thread takes at once.
  let length = 16
  let parts = (count + length - 1) / length
  guard jobs > 1, parts > 1 else { return (0..<count).map(work) }
  let next = Atomic(0)
  return Array(unsafeUninitializedCapacity: count) { results, initialized in
    // Every index is in one part, every part is taken by one thread, and all threads are done when `concurrentPerform`
    // returns: each result is written once, by one thread, before it is read. The results of a large feed are in memory
    // only once.
    nonisolated(unsafe) let results = results
    DispatchQueue.concurrentPerform(iterations: min(jobs, parts)) { _ in
      while true {
        let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard part < parts else { return }
        for index in part * length..<min((part + 1) * length, count) {
          results.initializeElement(at: index, to: work(index))
        }
      }
    }
    initialized = count
  }
}
