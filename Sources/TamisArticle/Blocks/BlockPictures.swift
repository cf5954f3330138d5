import TamisCore

/// What the pictures of a block look like before anybody loads them: their files, their sizes, where they lead.
struct BlockPictures {
  /// The names of their files, without the sizes that servers put into them.
  private(set) var files: [String] = []
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

  private static let furniture: Set = [
    "avatar", "avatars", "gravatar", "badge", "badges", "emoji", "smiley", "smilies", "sprite", "sprites",
  ]
  private static let sounds: Set = [
    "icon", "icons", "logo", "logos", "share", "sharing", "rating", "stars", "button", "buttons", "banner", "ad", "ads",
    "facebook", "twitter", "linkedin", "pinterest", "whatsapp", "headshot", "byline",
  ]

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
        let target = tape.value(of: "href", in: link), leadsElsewhere(target)
      {
        linked += 1
      }
    }
    leadElsewhere = count > 0 && linked == count
    if count == 0 { areSmall = false }
  }

  /// Whether any of the files is the one with this name.
  func isAny(file: String?) -> Bool { file.map { !$0.isEmpty && files.contains($0) } ?? false }

  /// Looks at a picture; false for a film or a frame.
  private mutating func look(at element: Int, _ tape: PageTape) -> Bool {
    guard tape.name(of: element) == "img" || tape.name(of: element) == "amp-img" else {
      areSmall = false
      return false
    }
    let sides = ["width", "height"].map { tape.value(of: $0, in: element).flatMap { Int($0.prefix { $0.isNumber }) } }
    areSmall = areSmall && Self.isSmall(sides[0], sides[1])
    for name in ["data-src", "data-original", "src"] {
      guard let address = tape.value(of: name, in: element), !address.hasPrefix("data:") else { continue }
      files.append(Self.file(of: address))
      let words = Self.words(address)
      if !Self.furniture.isDisjoint(with: words.dropLast()) { isFurniture = true }
      if !Self.sounds.isDisjoint(with: words.joined()) { soundsLikeFurniture = true }
      break
    }
    let classes = Self.words(tape.value(of: "class", in: element) ?? "").joined()
    if !Self.furniture.isDisjoint(with: classes) { isFurniture = true }
    let alternative = Self.words(tape.value(of: "alt", in: element) ?? "").joined()
    if !Self.sounds.isDisjoint(with: classes) || !Self.sounds.isDisjoint(with: alternative) {
      soundsLikeFurniture = true
    }
    return true
  }

  private static func isSmall(_ width: Int?, _ height: Int?) -> Bool {
    if let width, let height, width > 0, height > 0 {
      return min(width, height) < smallestSide || width > flattest * height
    }
    return (width ?? height).map { $0 < smallestSide } ?? false
  }

  /// Whether a link around a picture leads neither to a file of a picture nor to one of the pictures.
  private func leadsElsewhere(_ target: String) -> Bool {
    if Self.isPicture(target.prefix { $0 != "?" && $0 != "#" }.asciiLowercased()) { return false }
    return !files.contains { !$0.isEmpty && target.contains($0) }
  }

  /// The words of an address, folder by folder, or of a text.
  private static func words(_ text: String) -> [Set<String>] {
    text.prefix { $0 != "?" && $0 != "#" }.asciiLowercased().split(separator: "/").map { part in
      Set(part.split { !$0.isASCII || !$0.isLetter }.map(String.init))
    }
  }

  /// Whether a word of an address says that its picture is none of an article.
  static func isFurniture(address: String) -> Bool {
    let words = words(address)
    return !furniture.isDisjoint(with: words.dropLast()) || !sounds.isDisjoint(with: words.joined())
  }

  private static func isPicture(_ path: String) -> Bool {
    [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif", ".svg"].contains(where: path.hasSuffix)
  }

  /// The name of an address's file, without its ending and a size in it: `ship-800x600.jpg` is `ship`.
  ///
  /// Where a program gives the picture, the file's name is in what it is asked, or that is the name.
  static func file(of address: String) -> String {
    let parts = address.asciiLowercased().split(separator: "?", maxSplits: 1)
    let path = parts.first.map { $0.prefix { $0 != "#" } } ?? ""
    if parts.count == 2, !isPicture(String(path)) {
      let words = parts[1].split { "/=&%".contains($0) }.map(String.init)
      return words.last(where: isPicture).map(stem) ?? String(parts[1])
    }
    return stem(path.split(separator: "/").last.map(String.init) ?? "")
  }

  private static func stem(_ name: String) -> String {
    let stem = name.split(separator: ".").first.map(String.init) ?? ""
    guard let dash = stem.lastIndex(where: { $0 == "-" || $0 == "_" }) else { return stem }
    let size = stem[stem.index(after: dash)...]
    let isSize = size.contains("x") && size.allSatisfy { $0.isNumber || $0 == "x" } || size == "scaled"
    return isSize ? String(stem[..<dash]) : stem
  }
}

extension Set where Element == String {
  fileprivate func isDisjoint(with folders: ArraySlice<Set<String>>) -> Bool {
    folders.allSatisfy { isDisjoint(with: $0) }
  }
}
