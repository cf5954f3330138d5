import ArgumentParser
import Tamis

/// The option for elements of entries that are requested by name.
struct FieldOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read an element of each entry into a field of your own, as text, number, date or url; can be repeated.",
      discussion: "For example: --field votes:number=dz:voteUpCount --field cover:url=media:thumbnail@url. A name that "
        + "an entry has already gets 'field_' before it in JSON.",
      valueName: "name[:type]=element[@attribute]"),
    transform: FieldOptions.field)
  var field: [FeedParser.CustomField] = []

  private static func field(_ text: String) throws -> FeedParser.CustomField {
    do { return try FeedParser.CustomField(text) } catch { throw ValidationError(error.description) }
  }
}
