import CTidy
import Synchronization

/// libtidy as a function from untidy to tidy markup.
///
/// What goes in must be the sanitizer's own output: balanced, bounded in depth and in open formatting elements, valid
/// UTF-8, with only the references `&amp; &lt; &gt; &quot; &nbsp;`. libtidy 5.6.0 hangs or overflows its stack on
/// rawer markup (tidy issues 343, 380, 393, 816; `Fixtures/Sanitizer` keeps inputs of that kind).
package enum TidyRepairer {
  /// Largest markup that is repaired, in bytes: libtidy needs about seven times the memory.
  package static let maximumSize = 1 << 20

  /// libtidy rewrites a table that all of its documents share whenever it parses (tidy issue 816), so one document is
  /// open at a time in the process.
  ///
  /// Repair is rare enough for this to cost nothing that can be measured.
  private static let turn = Mutex(())

  /// The markup as libtidy repairs it; nil when it is too large or libtidy gives up.
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

  /// A doctype before every input keeps libtidy's shared table as it is and its recursion finite.
  private static let prologue: StaticString = "<!DOCTYPE html><html><head><title></title></head><body>"
}
