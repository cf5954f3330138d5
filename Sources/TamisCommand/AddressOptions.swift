import ArgumentParser
import Tamis

/// The options for the URLs from which feeds were downloaded.
struct AddressOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Where a file was downloaded from; can be repeated.", valueName: "file=url"),
    transform: AddressOptions.pair)
  var address: [Pair] = []

  struct Pair: Sendable {
    var file: FilePath
    var url: String
  }

  /// Sets the URLs of the feeds.
  func apply(to feeds: inout FeedSources) throws {
    for pair in address where !feeds.setAddress(pair.url, of: pair.file) {
      throw ValidationError("--address '\(pair.file)': no feed of this name is among the sources or in their folders")
    }
  }

  /// The URL begins after the first equals sign that precedes a scheme, since file names may contain equals signs too.
  private static func pair(_ text: String) throws -> Pair {
    for scheme in ["=https://", "=http://"] {
      guard let range = text.firstRange(of: scheme), range.lowerBound > text.startIndex,
        let file = FilePath(argument: String(text[..<range.lowerBound])),
        let url = WebURL(String(text[text.index(after: range.lowerBound)...]))
      else { continue }
      return Pair(file: file, url: url.href)
    }
    throw ValidationError("--address '\(text)' is not of the form FILE=https://…")
  }
}
