import TamisCore

/// What the pictures of a block look like before anybody loads them: their files, their sizes, where they lead.
struct BlockPictures {
  /// The names of their files, without the sizes that servers put into them.
  private(set) var files: [PictureFile] = []
  /// Whether all of them declare a side of less than ``smallestSide`` pixels, or are rulers.
  private(set) var areSmall = true
  /// Whether a class or a folder says that one is the picture of a person, or a part of the page's own furniture.
  private(set) var isFurniture = false
  /// Whether a word of a name, a class or the alternative text says that one is no picture of an article.
  private(set) var soundsLikeFurniture = false
  /// Whether they lead to another page: neither to a larger picture nor nowhere.
  private(set) var leadElsewhere = false

  /// Pictures that declare less are icons, in pixels.
  static let smallestSide = 60
  /// A picture so many times as wide as it is high is a ruler or a banner.
  static let flattest = 6

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
        let target = tape.range(of: "href", in: link), leadsElsewhere(tape.bytes[target])
      {
        linked += 1
      }
    }
    leadElsewhere = count > 0 && linked == count
    if count == 0 { areSmall = false }
  }

  /// Looks at a picture; false for a film or a frame.
  private mutating func look(at element: Int, _ tape: PageTape) -> Bool {
    guard let address = Self.address(of: element, tape) else {
      areSmall = areSmall && Self.isPicture(element, tape)
      return Self.isPicture(element, tape)
    }
    let sides = ["width", "height"].map { tape.value(of: $0, in: element).flatMap { Int($0.prefix { $0.isNumber }) } }
    areSmall = areSmall && Self.isSmall(sides[0], sides[1])
    let bytes = tape.bytes[address]
    files.append(PictureFile(bytes))
    if PictureWords.furniture.areInFolder(of: bytes) { isFurniture = true }
    if PictureWords.sounds.areIn(bytes) { soundsLikeFurniture = true }
    for name in ["class", "alt"] {
      guard let said = tape.range(of: name, in: element).map({ tape.bytes[$0] }) else { continue }
      if name == "class", PictureWords.furniture.areIn(said) { isFurniture = true }
      if PictureWords.sounds.areIn(said) { soundsLikeFurniture = true }
    }
    return true
  }

  private static func isPicture(_ element: Int, _ tape: PageTape) -> Bool {
    tape.name(of: element) == "img" || tape.name(of: element) == "amp-img"
  }

  /// Where a picture is, as a script would load it; nil when nothing says so.
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

  /// Whether a link around a picture leads neither to a file of a picture nor to one of the pictures.
  private func leadsElsewhere(_ target: ArraySlice<UInt8>) -> Bool {
    !PictureFile.isPicture(target.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
      && !files.contains(PictureFile(target))
  }
}

/// The name of a picture's file, by which two addresses of it are known: `ship-800x600.jpg` and `ship.webp` are one.
struct PictureFile: Hashable {
  private let digest: UInt64?

  /// - Parameter address: where a program gives the picture, the file's name is in what it is asked, or that is the name.
  init(_ address: some BidirectionalCollection<UInt8>) {
    let address = address.map(\.asciiLowercased)
    let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path
    if path.count < address.count, address[path.count] == UInt8(ascii: "?"), !Self.isPicture(path) {
      let query = address[(path.count + 1)...]
      name = query
      for word in query.split(whereSeparator: { "/=&%".utf8.contains($0) }) where Self.isPicture(word) { name = word }
    }
    let stem = Self.withoutSize(name.prefix { $0 != UInt8(ascii: ".") })
    digest = stem.isEmpty ? nil : stem.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// Whether it has a name at all.
  var isNamed: Bool { digest != nil }

  private static let endings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"].map { Array($0.utf8) }

  /// Whether a path ends as files of pictures do.
  static func isPicture(_ path: some BidirectionalCollection<UInt8>) -> Bool {
    endings.contains { ending in path.suffix(ending.count).lazy.map(\.asciiLowercased).elementsEqual(ending) }
  }

  private static func withoutSize(_ stem: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let dash = stem.lastIndex(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return stem }
    let size = stem[(dash + 1)...]
    let isSize =
      size.contains(UInt8(ascii: "x")) && size.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "x") }
    return isSize || size.elementsEqual("scaled".utf8) ? stem[..<dash] : stem
  }
}

/// Words of addresses, classes and alternative texts by which pictures that are no part of an article are known.
struct PictureWords {
  private let digests: Set<UInt64>

  static let furniture = PictureWords([
    "avatar", "avatars", "gravatar", "badge", "badges", "emoji", "smiley", "smilies", "sprite", "sprites",
  ])
  static let sounds = PictureWords([
    "icon", "icons", "logo", "logos", "share", "sharing", "rating", "stars", "button", "buttons", "banner", "ad", "ads",
    "facebook", "twitter", "linkedin", "pinterest", "whatsapp", "headshot", "byline",
  ])

  private init(_ words: [String]) { digests = Set(words.map { $0.utf8.reduce(Self.seed, Self.mix) }) }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func mix(_ digest: UInt64, _ byte: UInt8) -> UInt64 {
    (digest ^ UInt64(byte.asciiLowercased)) &* 0x100_0000_01B3
  }

  /// Whether one of them is among the words of a text or of an address without its query.
  func areIn(_ text: some Collection<UInt8>) -> Bool {
    var digest = Self.seed
    for byte in text {
      if byte.isASCIILetter {
        digest = Self.mix(digest, byte)
      } else if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        break
      } else {
        if digests.contains(digest) { return true }
        digest = Self.seed
      }
    }
    return digests.contains(digest)
  }

  /// The same, of an address without the name of its file: pictures of badges are no badges.
  func areInFolder(of address: some BidirectionalCollection<UInt8>) -> Bool {
    let path = address.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.lastIndex(of: UInt8(ascii: "/")).map { areIn(path[..<$0]) } ?? false
  }
}

extension PageTape {
  /// Where the value of an element's attribute stands among the bytes; nil when it has none of this name.
  func range(of name: String, in element: Int) -> Range<Int>? {
    let list = elements[element].attributes
    for index in Int(list.lowerBound)..<Int(list.upperBound)
    where attributeNames[Int(attributes[index].name)] == name {
      return Int(attributes[index].value.lowerBound)..<Int(attributes[index].value.upperBound)
    }
    return nil
  }
}
