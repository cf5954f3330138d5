extension Feed {
  /// A place that GeoRSS or GML names.
  ///
  /// Coordinates are longitude first, as in GeoJSON.
  public struct Place: Sendable, Hashable, Encodable {
    /// The shape of the coordinates.
    public enum Shape: String, Sendable, Hashable, Encodable {
      /// One position.
      case point = "Point"
      /// Two positions or more.
      case line = "LineString"
      /// A closed line of four positions or more.
      case polygon = "Polygon"
      /// Two opposite corners.
      case box = "Box"
    }

    /// The shape of the coordinates.
    public var shape: Shape
    /// The positions, each with two or three numbers; empty when the feed's coordinates could not be read.
    public var positions: [[Double]]

    /// Makes a place.
    public init(shape: Shape, positions: [[Double]]) {
      self.shape = shape
      self.positions = positions
    }
  }
}

extension Feed {
  /// A chapter of an episode (Podlove Simple Chapters).
  public struct Chapter: Sendable, Hashable, Codable {
    /// The start time, as written: `00:03:07.250`.
    public var start: String
    /// The start time, in seconds; nil when it cannot be read.
    public var seconds: Double?
    /// The title; nil when not given.
    public var title: String?
    /// A page about the chapter, resolved; nil when not given.
    public var link: String?
    /// A picture for the chapter, as written; nil when not given.
    public var image: String?

    /// Makes a chapter.
    public init(start: String, seconds: Double?, title: String?, link: String?, image: String?) {
      self.start = start
      self.seconds = seconds
      self.title = title
      self.link = link
      self.image = image
    }
  }
}
