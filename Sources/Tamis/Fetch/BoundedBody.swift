import TamisCore
import Synchronization
import TamisFetch

/// Collects the bytes of a response, up to a limit.
final class BoundedBody: HTTPBody {
  private let taken = Mutex<[UInt8]>([])
  private let most: Int

  init(most: Int) { self.most = most }

  var bytes: [UInt8] { taken.withLock { $0 } }

  func add(_ bytes: [UInt8]) throws(FetchProblem) {
    let most = most
    let fits = taken.withLock { taken in
      if taken.count + bytes.count > most { return false }
      taken += bytes
      return true
    }
    if !fits { throw FetchProblem(.tooLarge, "more than \(most) bytes") }
  }
}
