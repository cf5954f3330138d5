import ArgumentParser
import Tamis

/// The options for Markdown.
struct MarkdownOptions: ParsableArguments {
  @Option(
    help: "Where URLs of Markdown stand: inline or reference.",
    transform: { try Arguments.choice($0, of: Markdown.Options.Links.self) })
  var links = Markdown.Options.Links.inline

  @Option(
    help: "Pictures in Markdown: keep (default), links, or drop (default with --jsonl).",
    transform: { try Arguments.choice($0, of: Markdown.Options.Pictures.self) })
  var pictures: Markdown.Options.Pictures?

  /// The options as the library has them.
  var options: Markdown.Options { options(pictures: .keep) }

  /// The options for records, whose readers are programs: a picture that one of them shows tells a server what its
  /// address says.
  var optionsOfRecords: Markdown.Options { options(pictures: .drop) }

  private func options(pictures usual: Markdown.Options.Pictures) -> Markdown.Options {
    var options = Markdown.Options()
    (options.links, options.pictures) = (links, pictures ?? usual)
    return options
  }
}
