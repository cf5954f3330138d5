import CTidy
import Synchronization

/// libtidy as a function from untidy to tidy markup.
///
/// The input must be the sanitizer's own output: balanced, bounded in depth and in open formatting elements, valid
/// UTF-8, with only the references `&amp; &lt; &gt; &quot; &nbsp;`. libtidy 5.6.0 hangs or overflows its stack on rawer
/// markup (tidy issues 343, 380, 393, 816; `Fixtures/Sanitizer` keeps inputs of that kind).
package enum TidyRepairer {
  /// Largest markup that is repaired, in bytes: libtidy needs about seven times the memory.
  package static let maximumSize = 1 << 20

  /// The HTML elements that are in markup.
  ///
  /// libtidy keeps those that it does not know as they are declared here; elements that it knows keep its own
  /// definition.
  package struct Vocabulary: Sendable {
    /// Inline elements.
    package var inline: [String] = []
    /// Block elements.
    package var blocks: [String] = []

    package init() {}
  }

  /// Most names that are declared: libtidy compares each with each.
  private static let mostNames = 1000

  /// libtidy rewrites a table that all of its documents share whenever it parses (tidy issue 816), so one document is
  /// open at a time in the process.
  ///
  /// Repair is rare enough for this to cost nothing that can be measured.
  private static let turn = Mutex(())

  /// The markup as libtidy repairs it; nil when it is too large or libtidy gives up.
  package static func repair(_ markup: borrowing Span<UInt8>, of vocabulary: Vocabulary) -> [UInt8]? {
    guard markup.count <= maximumSize, vocabulary.inline.count + vocabulary.blocks.count <= mostNames else {
      return nil
    }
    var input: [UInt8] = []
    input.reserveCapacity(prologue.utf8CodeUnitCount + markup.count)
    prologue.withUTF8Buffer { unsafe input.append(contentsOf: $0) }
    unsafe markup.withUnsafeBufferPointer { unsafe input.append(contentsOf: $0) }
    return turn.withLock { _ in
      let document = TidyDocument(vocabulary)
      guard document.parse(input.span) else { return nil }
      return document.serializedBody()
    }
  }

  /// A doctype before every input keeps libtidy's shared table as it is and its recursion finite.
  private static let prologue: StaticString = "<!DOCTYPE html><html><head><title></title></head><body>"
}
