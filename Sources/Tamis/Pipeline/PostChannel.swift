import Dispatch
import Synchronization
import TamisCore

/// Hands posts from the thread that makes them to a task, a few at a time.
///
/// Parsing calls a function for each entry and cannot be suspended, so it has a thread of its own, which waits while
/// the channel is full.
final class PostChannel: Sendable {
  /// The maximum number of posts between the thread and the task.
  private static let capacity = 16

  private struct State {
    var posts: [Post] = []
    var isEnded = false
    var receiver: CheckedContinuation<Post?, Never>?
  }

  private let state = Mutex(State())
  private let freeSlots = DispatchSemaphore(value: 0)

  init() {
    // A semaphore must not end with a lower value than it began with.
    for _ in 0..<Self.capacity { freeSlots.signal() }
  }

  /// Sends a post, waiting while there is no room; returns false when nobody will receive it.
  func send(_ post: Post) -> Bool {
    freeSlots.wait()
    let (isEnded, receiver) = state.withLock { state -> (Bool, CheckedContinuation<Post?, Never>?) in
      if !state.isEnded, state.receiver == nil { state.posts.append(post) }
      return (state.isEnded, state.receiver.take())
    }
    if let receiver, !isEnded {
      freeSlots.signal()
      receiver.resume(returning: post)
    }
    return !isEnded
  }

  /// Ends the channel: the posts that were sent are still received.
  ///
  /// Either side calls it, the receiver to stop the sender.
  func end() {
    let receiver = state.withLock { state in
      state.isEnded = true
      return state.posts.isEmpty ? state.receiver.take() : nil
    }
    receiver?.resume(returning: nil)
    // A sender that waits goes on, and stops.
    freeSlots.signal()
  }

  /// Returns the next post; nil after the last one.
  func next() async -> Post? {
    await withCheckedContinuation { continuation in
      let (post, isEnded) = state.withLock { state -> (Post?, Bool) in
        if !state.posts.isEmpty { return (state.posts.removeFirst(), false) }
        if !state.isEnded { state.receiver = continuation }
        return (nil, state.isEnded)
      }
      if let post {
        freeSlots.signal()
        continuation.resume(returning: post)
      } else if isEnded {
        continuation.resume(returning: nil)
      }
    }
  }
}

/// The receiving end of a channel, which ends when nothing refers to it any longer.
final class PostReceiver: Sendable {
  private let channel: PostChannel

  init(_ channel: PostChannel) { self.channel = channel }

  deinit { channel.end() }

  func next() async -> Post? { await channel.next() }

  func end() { channel.end() }
}
