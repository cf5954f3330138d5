import ArgumentParser
import Tamis

/// The options for the storage of pictures.
struct PictureOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Where pictures are: at their feed, or in the site.", valueName: "link|keep"))
  var pictures: String?

  /// The setting, if it is given.
  var settings: [PlanetOptions.GivenSetting] { pictures.map { [("--pictures", "site.pictures", $0)] } ?? [] }
}
