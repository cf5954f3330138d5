import ArgumentParser
import TamisCore
import TamisHTML

/// The options for reading only parts of fragments.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Leave out what matches; can be repeated.", valueName: "selector"),
    transform: Self.selector)
  var remove: [CSSSelector] = []

  @Option(
    help: ArgumentHelp("Read only what matches, if anything does.", valueName: "selector"),
    transform: Self.selector)
  var only: [CSSSelector] = []

  /// The parts that are read.
  var selection: PartSelection { PartSelection(remove: remove, only: only) }

  private static func selector(_ text: String) throws -> CSSSelector {
    do throws(TextMistake) { return try CSSSelector(text) } catch {
      throw ValidationError("'\(text)' is not a selector: \(error.message) (at byte \(error.offset + 1))")
    }
  }
}
