/// The HTML element that replaces an element of AMP.
enum StandIn: String, Hashable {
  case image = "img"
  case audio
  case video

  static func of(_ name: String) -> StandIn? {
    switch name {
    case "amp-img", "amp-anim": .image
    case "amp-audio": .audio
    case "amp-video": .video
    default: nil
    }
  }
}
