import Dispatch
import Synchronization

/// Does pieces of work on several threads at once, and returns their results in the order of the work, so that the result does not
/// depend on the number of threads.
///
/// For many small pieces of one thing; see ``inOrder(count:jobs:work:_:)`` for large ones whose results are not kept together. The
/// calling thread does its share, so that it is done even where no other thread is free.
///
/// - Parameters:
///   - count: how many pieces there are.
///   - jobs: how many threads work at once; 1 for the calling one only.
///   - work: does the piece with this number.
package func concurrently<Output: Sendable>(
  count: Int, jobs: Int, work: @Sendable (Int) -> Output
) -> [Output] {
  // Pieces that a thread takes at once.
  let length = 16
  let parts = (count + length - 1) / length
  guard jobs > 1, parts > 1 else { return (0..<count).map(work) }
  let next = Atomic(0)
  return Array(unsafeUninitializedCapacity: count) { results, initialized in
    // Every index is in one part, every part is taken by one thread, and all threads are done when `concurrentPerform` returns: each
    // result is written once, by one thread, before it is read. Results of a large feed are in memory once.
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
