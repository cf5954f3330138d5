import ArgumentParser
import Tamis

/// The option for elements of entries that are requested by name.
struct FieldOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A field of your own, votes:number=dz:voteUpCount.", valueName: "name=element"),
    transform: FieldOptions.field)
  var field: [FeedParser.CustomField] = []

  private static func field(_ text: String) throws -> FeedParser.CustomField {
    do { return try FeedParser.CustomField(text) } catch { throw ValidationError(error.description) }
  }
}
