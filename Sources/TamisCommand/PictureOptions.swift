import ArgumentParser
import Foundation
import Tamis

/// The options for the storage of pictures.
struct PictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where pictures are when the site is read: link, where the feed has them; keep, in the site.",
      valueName: "link|keep"),
    transform: PictureOptions.pictures)
  var pictures: SiteSettings.Pictures?

  private static func pictures(_ text: String) throws -> SiteSettings.Pictures {
    guard let pictures = SiteSettings.Pictures(rawValue: text) else {
      throw ValidationError("--pictures takes link or keep")
    }
    return pictures
  }
}
