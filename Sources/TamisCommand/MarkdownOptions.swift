import ArgumentParser
import Tamis

/// The options for Markdown.
struct MarkdownOptions: ParsableArguments {
  @Option(
    help: "Where URLs of Markdown stand: inline or reference.",
    transform: { try Arguments.choice($0, of: Markdown.Options.Links.self) })
  var links = Markdown.Options.Links.inline

  @Option(
    help: "Pictures in Markdown: keep, links or drop.",
    transform: { try Arguments.choice($0, of: Markdown.Options.Pictures.self) })
  var pictures = Markdown.Options.Pictures.keep

  /// The options as the library has them.
  var options: Markdown.Options {
    var options = Markdown.Options()
    (options.links, options.pictures) = (links, pictures)
    return options
  }
}
