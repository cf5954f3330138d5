import CTidy
import Synchronization

/// Repairs markup with libtidy.
///
/// Precondition: the input is output of the sanitizer. It is balanced, bounded in depth and in open formatting
/// elements, valid UTF-8, and has only the references `&amp; &lt; &gt; &quot; &nbsp;`. libtidy 5.6.0 hangs or overflows
/// its stack on other markup (tidy issues 343, 380, 393, 816; `Fixtures/Sanitizer` keeps inputs of that kind).
package enum TidyRepairer {
  /// The largest markup that is repaired, in bytes (1 MiB): libtidy needs about seven times the memory.
  package static let maximumSize = 1 << 20

  /// The largest product of the size of markup and the number of misplaced elements and texts in it that is repaired:
  /// 1,000 of them in 16 KiB.
  ///
  /// libtidy 5.6.0 takes time in proportion to it, about a nanosecond each: 15 seconds for 256 KiB of `<div>x</div>` in
  /// an `h2`.
  package static let maximumWork = 16 << 20

  /// A lock that lets only one document be open at a time in the process.
  ///
  /// libtidy rewrites a table that all of its documents share whenever it parses (tidy issue 816). Repair is rare
  /// enough for the lock to have no measurable cost.
  private static let turn = Mutex(())

  /// Returns the markup as repaired by libtidy; nil when it is too large or libtidy fails.
  ///
  /// Elements that libtidy does not know lose their tags.
  package static func repair(_ markup: borrowing Span<UInt8>) -> [UInt8]? {
    guard markup.count <= maximumSize else { return nil }
    var input: [UInt8] = []
    input.reserveCapacity(prologue.utf8CodeUnitCount + markup.count)
    prologue.withUTF8Buffer { unsafe input.append(contentsOf: $0) }
    unsafe markup.withUnsafeBufferPointer { unsafe input.append(contentsOf: $0) }
    return turn.withLock { _ in
      let document = TidyDocument()
      guard document.parse(input.span) else { return nil }
      return document.serializedBody()
    }
  }

  /// A doctype before every input, which keeps libtidy's shared table unchanged and its recursion finite.
  private static let prologue: StaticString = "<!DOCTYPE html><html><head><title></title></head><body>"
}
