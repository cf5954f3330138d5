import ArgumentParser
import Tamis

/// The options for the storage of pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where pictures are when the site is read: link, where the feed has them; keep, in the site.",
      valueName: "link|keep"),
    transform: PictureOptions.pictures)
  var pictures: Planet.SiteSettings.Pictures?

  private static func pictures(_ text: String) throws -> Planet.SiteSettings.Pictures {
    guard let pictures = Planet.SiteSettings.Pictures(rawValue: text) else {
      throw ValidationError("--pictures takes link or keep")
    }
    return pictures
  }
}
