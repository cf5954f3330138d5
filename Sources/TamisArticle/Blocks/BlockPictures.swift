import TamisCore

/// The properties of a block's pictures that need no loading: files, declared sizes, links.
struct BlockPictures {
  /// The names of the files, without the sizes that servers put into them.
  private(set) var files: [PictureName] = []
  /// Whether all pictures declare a side of less than ``smallestSide`` pixels, or are rulers.
  private(set) var areSmall = true
  /// Whether a class or a folder marks a picture as a portrait or a part of the page's design.
  private(set) var isBoilerplate = false
  /// Whether a word of a name, a class or the alternative text suggests that a picture is not part of the article.
  private(set) var soundsLikeBoilerplate = false
  /// Whether all pictures link to another page, as opposed to a larger picture or nothing.
  private(set) var leadElsewhere = false

  /// The declared side in pixels below which a picture is an icon.
  static let smallestSide = 60
  /// The ratio of width to height above which a picture is a ruler or a banner.
  static let flattest = 6

  /// The number of bytes of a link's URL that are compared; a link can be around many pictures.
  private static let longestTarget = 2000

  init(_ tape: PageTape, _ block: Block) {
    var link = block.opening < 0 ? nil : tape.ancestors(of: block.opening).first { tape.kind(of: $0).isLink }
    var linked = 0
    var count = 0
    for item in tape.items[Int(block.items.lowerBound)..<Int(block.items.upperBound)] {
      guard case .element(let element) = item else { continue }
      if tape.kind(of: element).isLink { link = element }
      guard tape.kind(of: element).isPicture, tape.name(of: element) != "picture" else { continue }
      count += 1
      if look(at: element, tape), let link, tape.elements[link].end >= tape.elements[element].first,
        let target = tape.range(of: "href", in: link), leadsElsewhere(tape.bytes[target].prefix(Self.longestTarget))
      {
        linked += 1
      }
    }
    leadElsewhere = count > 0 && linked == count
    if count == 0 { areSmall = false }
  }

  /// Adds a picture, or returns false for a video or a frame.
  private mutating func look(at element: Int, _ tape: PageTape) -> Bool {
    guard let address = Self.address(of: element, tape) else {
      areSmall = areSmall && Self.isPicture(element, tape)
      return Self.isPicture(element, tape)
    }
    let sides = ["width", "height"].map { tape.value(of: $0, in: element).flatMap { Int($0.prefix { $0.isNumber }) } }
    areSmall = areSmall && Self.isSmall(sides[0], sides[1])
    let bytes = tape.bytes[address]
    files.append(PictureName(bytes))
    if PictureWords.decoration.areInFolder(of: bytes) { isBoilerplate = true }
    if PictureWords.sounds.areIn(bytes) { soundsLikeBoilerplate = true }
    for name in ["class", "alt"] {
      guard let said = tape.range(of: name, in: element).map({ tape.bytes[$0] }) else { continue }
      if name == "class", PictureWords.decoration.areIn(said) { isBoilerplate = true }
      if PictureWords.sounds.areIn(said) { soundsLikeBoilerplate = true }
    }
    return true
  }

  private static func isPicture(_ element: Int, _ tape: PageTape) -> Bool {
    tape.name(of: element) == "img" || tape.name(of: element) == "amp-img"
  }

  /// Returns the range of a picture's URL, as a script would load it, or nil when there is none.
  static func address(of element: Int, _ tape: PageTape) -> Range<Int>? {
    guard isPicture(element, tape) else { return nil }
    for name in ["data-src", "data-original", "src"] {
      if let range = tape.range(of: name, in: element), !tape.bytes[range].starts(with: "data:".utf8) { return range }
    }
    return nil
  }

  private static func isSmall(_ width: Int?, _ height: Int?) -> Bool {
    if let width, let height, width > 0, height > 0 {
      return min(width, height) < smallestSide || width / flattest > height
    }
    return (width ?? height).map { $0 < smallestSide } ?? false
  }

  /// Whether a link around a picture leads neither to an image file nor to one of the pictures.
  private func leadsElsewhere(_ target: ArraySlice<UInt8>) -> Bool {
    !PictureName.isPicture(target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
      && !files.contains(PictureName(target))
  }
}
