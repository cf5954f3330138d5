/// The pictures and captions shown with the text of an article: those located among it.
struct PictureChoice {
  /// The blocks shown for their pictures.
  private(set) var pictures: [Int] = []
  /// The blocks shown as captions, each with the block of its picture.
  private(set) var captions: [(caption: Int, picture: Int)] = []

  private let page: MeasuredPage
  private let isText: [Bool]
  /// The file of the page's declared picture.
  private let lead: PictureName?
  /// The files of pictures that occur three times or more on the page.
  private let repeated: Set<PictureName>
  private var tape: PageTape { page.tape }
  private var list: [Block] { page.blocks.list }

  /// Chooses the pictures and captions.
  ///
  /// - Parameters:
  ///   - page: the page.
  ///   - isText: whether each block is text of the article.
  init(_ page: MeasuredPage, _ isText: [Bool]) {
    (self.page, self.isText) = (page, isText)
    let image = page.facts.image
    lead = image?.source == FactNames.pictureSource ? nil : image.map { PictureName($0.value.utf8) }
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for element in page.tape.elements.indices where page.tape.kind(of: element).isPicture {
      if let address = BlockPictures.address(of: element, page.tape) {
        counts[page.tape.bytes[address], default: 0] += 1
      }
    }
    repeated = Set(counts.lazy.filter { $0.value >= Self.boilerplateCount }.map { PictureName($0.key) })
    findPictures()
    findCaptions()
  }

  // MARK: - Pictures

  /// The number of occurrences on a page from which a picture is not part of the article.
  private static let boilerplateCount = 3

  private mutating func findPictures() {
    var before = [Int?](repeating: nil, count: list.count)
    var last: Int?
    for index in list.indices {
      before[index] = last
      if isText[index] { last = index }
    }
    var next: Int?
    for index in list.indices.reversed() {
      if !isText[index], list[index].pictures > 0, isInPlace(index, after: before[index], before: next) {
        pictures.append(index)
      }
      if isText[index] { next = index }
    }
    pictures.reverse()
  }

  /// Whether a picture is located among kept blocks.
  private func isInPlace(_ index: Int, after: Int?, before: Int?) -> Bool {
    let block = list[index]
    guard block.isReadable || block.zones.contains(.body) else { return false }
    // A picture with words of its own is a teaser, or has its credit next to it.
    if block.words > 40 || block.characters > 0 && block.linkShare > 500 && !block.zones.contains(.figure) {
      return false
    }
    if let after, let before, block.owner >= 0, let table = page.tables.around(block.owner) {
      return tape.elements[table].holds(list[after].items.lowerBound)
        || tape.elements[table].holds(list[before].items.lowerBound)
    }
    guard isNear(index, after: after, before: before) else { return false }
    let looks = BlockPictures(tape, block)
    let isLead = lead.map { $0.isNamed && looks.files.contains($0) } ?? false
    if !isLead, isBoilerplate(looks, index, after: after, before: before) { return false }
    switch (after, before) {
    case (nil, nil): return false
    case (let after?, let before?): return !isInTeaser(index, between: after, and: before)
    case (nil, let before?): return isLead || isBehindHeadline(index, before: before, looks)
    case (let after?, nil):
      return (page.box?.contains(block) == true || isBeside(index, paragraph: after))
        && !isInTeaser(index, between: after, and: after)
    }
  }

  /// Whether a picture is near enough to the text or the headline to belong to it.
  private func isNear(_ index: Int, after: Int?, before: Int?) -> Bool {
    switch (after, before) {
    case (nil, nil): return false
    case (let after?, let before?): return min(index - after, before - index) <= 4 || before - after <= 28
    case (nil, let before?): return headline(before: before).map { index >= $0 - 4 } ?? (before - index <= 14)
    case (let after?, nil): return index - after <= 4
    }
  }

  /// Returns the headline if it precedes the text.
  private func headline(before text: Int) -> Int? { page.marks.headline.flatMap { $0 < text ? $0 : nil } }

  /// Whether pictures are boilerplate, wherever they are.
  ///
  /// These are pictures of people and ranks, small ones not directly between two paragraphs, and links and logos that
  /// occur three times.
  private func isBoilerplate(_ looks: BlockPictures, _ index: Int, after: Int?, before: Int?) -> Bool {
    if looks.isBoilerplate { return true }
    if looks.leadElsewhere || looks.soundsLikeBoilerplate, looks.files.contains(where: repeated.contains) {
      return true
    }
    guard looks.areSmall else { return false }
    guard let after, let before, !looks.leadElsewhere, !looks.soundsLikeBoilerplate else { return true }
    return index - after > 2 || before - index > 2
  }

  /// Whether a picture before the first paragraph belongs to the article.
  ///
  /// A picture after the headline or directly before the paragraph does, unless it is in a list, a link to another
  /// page, or a logo.
  private func isBehindHeadline(_ index: Int, before: Int, _ looks: BlockPictures) -> Bool {
    guard !looks.leadElsewhere, !looks.soundsLikeBoilerplate, !list[index].zones.contains(.list) else { return false }
    guard headline(before: before).map({ index >= $0 - 2 && before - index <= 14 }) ?? (before - index <= 3) else {
      return false
    }
    return !isInTeaser(index, between: before, and: before)
  }

  /// Whether a picture is in the same box as the paragraph before it, or in a small one around that.
  private func isBeside(_ index: Int, paragraph: Int) -> Bool {
    let owner = list[paragraph].owner
    guard owner >= 0, index - paragraph <= 2 else { return false }
    let box = tape.kind(of: owner).role == .box ? owner : Int(tape.elements[owner].parent)
    guard box >= 0 else { return false }
    if tape.elements[box].holds(list[index].items.lowerBound) { return true }
    let outer = Int(tape.elements[box].parent)
    return outer >= 0 && page.sums.elements[outer].blocks <= 6
      && tape.elements[outer].holds(list[index].items.lowerBound)
  }

  /// Whether a picture is in a box of its own with dropped words, many of them links.
  private func isInTeaser(_ index: Int, between first: Int, and second: Int) -> Bool {
    let positions = [list[first].items.lowerBound, list[second].items.lowerBound]
    var part = -1
    guard list[index].owner >= 0 else { return false }
    for element in tape.ancestors(of: list[index].owner) {
      if positions.contains(where: { tape.elements[element].holds($0) }) { break }
      part = element
    }
    guard part >= 0 else { return false }
    let sum = page.sums.elements[part]
    return sum.words > 12 && sum.linkShare > 400 || sum.words > 120
  }

  // MARK: - Captions

  /// Finds the captions of the shown pictures.
  private mutating func findCaptions() {
    let withPicture = Set(pictures).union(list.indices.filter { isText[$0] && list[$0].pictures > 0 })
    var ofFigures: [Int: Int] = [:]
    for index in withPicture.sorted().reversed() {
      if let figure = figure(around: index) { ofFigures[figure] = index }
    }
    for index in list.indices where list[index].characters > 0 && !withPicture.contains(index) {
      if let figure = figure(around: index) {
        if !isText[index], let picture = ofFigures[figure] { captions.append((index, picture)) }
      } else if let picture = [index - 1, index - 2].first(where: withPicture.contains),
        isText[index] ? isAlone(index, with: picture) : isCaption(index, of: picture)
      {
        captions.append((index, picture))
      }
    }
  }

  private func figure(around index: Int) -> Int? {
    guard list[index].zones.contains(.figure), list[index].owner >= 0 else { return nil }
    return tape.ancestors(of: list[index].owner).first { tape.name(of: $0) == "figure" }
  }

  /// The maximum number of words of a caption.
  private static let mostWords = 40
  /// The maximum number of words and blocks of the box of a picture.
  private static let largestBox = (words: 60, blocks: 3)

  /// Whether a block directly after a picture, and in no figure, is its caption: marked as one, or alone with it in a
  /// box.
  private func isCaption(_ index: Int, of picture: Int) -> Bool {
    let block = list[index]
    guard block.owner >= 0, block.isReadable, block.linkShare < 500, Landmarks.headingLevel(tape, block) == 0 else {
      return false
    }
    if block.zones.contains(.caption), page.tables.around(block.owner) == nil { return true }
    guard block.words <= Self.mostWords, list[picture].characters == 0 else { return false }
    guard let sum = sumAround(index, and: picture) else { return false }
    return sum.blocks <= Self.largestBox.blocks && sum.words <= Self.largestBox.words && sum.linkShare < 500
  }

  /// Whether a line that looks like text is alone in a box with one picture.
  private func isAlone(_ index: Int, with picture: Int) -> Bool {
    let block = list[index]
    guard block.owner >= 0, block.words <= Self.mostWords, block.sentences <= 1, list[picture].characters == 0,
      Landmarks.headingLevel(tape, block) == 0
    else { return false }
    return sumAround(index, and: picture)?.blocks == 2
  }

  /// Returns the sum of the innermost element around two blocks.
  private func sumAround(_ index: Int, and other: Int) -> Sum? {
    let position = list[other].items.lowerBound
    let box = tape.ancestors(of: list[index].owner).first { tape.elements[$0].holds(position) }
    return box.map { page.sums.elements[$0] }
  }
}

extension PageTape.Element {
  /// Whether the element contains a position on the tape.
  func holds(_ position: Int32) -> Bool { first <= position && position < end }
}
