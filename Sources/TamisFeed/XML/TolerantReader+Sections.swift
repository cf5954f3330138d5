import TamisCore

/// Character data, comments, processing instructions and declarations.
///
/// An unclosed section would swallow the text after it, up to the next closing of its kind. It is recognized by another
/// of its kind that begins inside it, after the end tag of an enclosing element; by one half of an entry; or by the end
/// of the document.
extension TolerantReader {
  /// The number of bytes searched for the end of a declaration, or after a section.
  private static let longestDeclaration = 1 << 12
  /// The number of bytes of a document type that are read.
  private static let longestDocumentType = 1 << 20

  /// Handles `<!`, or returns false when more input is needed.
  mutating func readDeclaration() -> Bool {
    if stands("<!--", at: index) { return readComment() }
    if standsInAnyCase("<![cdata[", at: index) { return readCharacterData() }
    if open.depth == 0, !hasDocumentType, standsInAnyCase("<!doctype", at: index) { return readDocumentType() }
    let end = ByteScan.index(of: UInt8(ascii: ">"), or: UInt8(ascii: "<"), in: input.span, from: index + 1)
    if end == input.count, !isLast, end - index < Self.longestDeclaration { return false }
    note("this is not a declaration")
    let next = index + 2 < input.count ? input[index + 2] : 0
    let isDeclaration =
      next.isASCIILetter || next == UInt8(ascii: "[") || next == UInt8(ascii: "-") || next == UInt8(ascii: ">")
    if isDeclaration, end < input.count, input[end] == UInt8(ascii: ">") {
      index = end + 1
    } else {
      keepAngle()
    }
    return true
  }

  /// Reads the `<` here as text, or drops it where no text is allowed.
  mutating func keepAngle() {
    if isOutside { index += 1 } else { keep(upTo: index + 1) }
  }

  // MARK: - Character data

  private mutating func readCharacterData() -> Bool {
    let start = index + "<![CDATA[".utf8.count
    let end = closing(.characterData, from: start)
    if end == nil, !isLast {
      if input.count - index <= limits.fieldBytes { return false }
      return streamCharacterData(from: start)
    }
    if isOutside {
      note("this text is outside of all elements")
      index = end.map { $0 + 3 } ?? input.count
      return true
    }
    if !stands("<![CDATA[", at: index) { note("<![CDATA[ is written in capitals") }
    let whole = start..<(end ?? input.count)
    // The following bytes may decide.
    if let end, !isLast, input.count - end < Self.longestDeclaration, nextOpening("<![CDATA[", in: whole) != nil {
      return false
    }
    let cut = unclosedCharacterData(whole, isClosed: end != nil)
    if cut != nil || end == nil { note("this CDATA section is never closed") }
    index = start
    keep(upTo: cut ?? whole.upperBound)
    index = cut ?? end.map { $0 + 3 } ?? input.count
    return true
  }

  /// Returns the end of an unclosed section: the end tag of its element, or where an entry begins or ends.
  ///
  /// Nil when the section is closed. One that quotes the beginning of another and its own end tag may be well-formed:
  /// then the end tag of its element follows, and no entry ends inside it.
  private func unclosedCharacterData(_ range: Range<Int>, isClosed: Bool) -> Int? {
    guard let next = unclosed("<![CDATA[", range, isClosed: isClosed) else { return nil }
    let inside = range.lowerBound..<next
    let behind =
      range.upperBound + 3..<max(range.upperBound + 3, min(input.count, range.upperBound + Self.longestDeclaration))
    if isClosed, !holdsHalfAnEntry("<![CDATA[", inside), ownEnd(in: behind, atOnce: true) != nil { return nil }
    return [ownEnd(in: inside), entryTag(in: inside)].compactMap { $0 }.min()
  }

  /// Reads the beginning of a section longer than the limit of a field; the rest comes in pieces.
  private mutating func streamCharacterData(from start: Int) -> Bool {
    if isOutside { note("this text is outside of all elements") }
    openSection = .characterData
    index = start
    return true
  }

  /// Continues a section longer than the limit of a field, or returns false when it does not end in the input.
  mutating func continueSection(_ section: Section) -> Bool {
    let end = closing(section, from: index)
    // A possible beginning of the closing waits for more input.
    let cut = end ?? (isLast ? input.count : max(index, input.count - 4))
    let upTo = max(index, UTF8Sequence.boundary(in: input.span, atOrBefore: cut))
    if section == .characterData, !isOutside { keep(upTo: upTo) } else { index = upTo }
    guard let end else {
      if isLast { note("this section is never closed") }
      return false
    }
    openSection = nil
    index = end + section.closing.utf8CodeUnitCount
    return true
  }

  // MARK: - Comments and processing instructions

  private mutating func readComment() -> Bool {
    let start = index + 4
    let end = closing(.comment, from: start)
    if end == nil, !isLast {
      if input.count - index > limits.fieldBytes { openSection = .comment }
      return openSection != nil
    }
    let whole = start..<max(start, end ?? input.count)
    if isUnclosedComment(whole, isClosed: end != nil) {
      note("this comment is never closed")
      index = start
    } else if let end {
      if holdsTwoDashes(start..<end) { note("-- is not allowed in a comment") }
      index = end + 3
    } else {
      note("the document ends inside this comment")
      index = input.count
    }
    return true
  }

  /// Whether `<!--` does not begin a comment; in a document that may be truncated inside it, only tags tell.
  private mutating func isUnclosedComment(_ range: Range<Int>, isClosed: Bool) -> Bool {
    if isClosed { return unclosed("<!--", range, isClosed: true) != nil || holdsHalfAnEntry("<!--", range) }
    // When one is found not to be a comment, later ones are not either.
    if !hasUnclosedComment {
      hasUnclosedComment = open.depth == 0 || holdsEndTag(range) || entryTag(in: range) != nil
    }
    return hasUnclosedComment
  }

  private func holdsTwoDashes(_ range: Range<Int>) -> Bool {
    let dash = UInt8(ascii: "-")
    var index = range.lowerBound
    while true {
      index = ByteScan.index(of: dash, in: input.span, from: index)
      if index >= range.upperBound { return false }
      if input[index + 1] == dash { return true }
      index += 1
    }
  }

  /// Handles `<?`, or returns false when more input is needed.
  mutating func readInstruction() -> Bool {
    var end = index + 2
    while end < input.count, end - index <= XMLCharacter.longestName, !input[end].isHTMLSpace, input[end] != 0x3F,
      input[end] != UInt8(ascii: ">"), input[end] != UInt8(ascii: "<")
    {
      end += 1
    }
    if end == input.count, !isLast { return false }
    let target = index + 2..<end
    if target.count == 3, standsInAnyCase("xml", at: target.lowerBound) { return readXMLDeclaration() }
    let close = closing(.instruction, from: end)
    if close == nil, !isLast {
      if input.count - index > limits.fieldBytes { openSection = .instruction }
      return openSection != nil
    }
    let whole = end..<(close ?? input.count)
    if close == nil || unclosed("<?", whole, isClosed: true) != nil || holdsHalfAnEntry("<?", whole) {
      note("this processing instruction is never closed")
      let angle = ByteScan.index(of: UInt8(ascii: ">"), or: UInt8(ascii: "<"), in: input.span, from: end)
      index = angle < input.count && input[angle] == UInt8(ascii: ">") ? angle + 1 : min(angle, input.count)
    } else if let close {
      let isNamed =
        XMLCharacter.isName(input.span, target) && !input[target].contains(UInt8(ascii: ":"))
        && (end == close || input[end].isHTMLSpace)
      if !isNamed { note("this processing instruction has no name") }
      index = close + 2
    }
    return true
  }

  /// Removes the XML declaration, which is wrong for decoded text.
  private mutating func readXMLDeclaration() -> Bool {
    let end = ByteScan.index(of: UInt8(ascii: ">"), or: UInt8(ascii: "<"), in: input.span, from: index + 1)
    if end == input.count, !isLast, end - index < Self.longestDeclaration { return false }
    let hasEnd = end < input.count && input[end] == UInt8(ascii: ">")
    if offset(of: index) > 0 {
      note("an XML declaration is allowed only at the very beginning of a document")
    } else if !hasEnd || !XMLDeclaration.isInOrder(Array(input[index...end])) {
      note("this XML declaration is malformed")
    }
    index = hasEnd ? end + 1 : end
    return true
  }

  // MARK: - Document type

  /// Reads a document type: reports its public identifier, and stores its entities.
  private mutating func readDocumentType() -> Bool {
    var scan = DocumentType(input.span, from: index)
    guard scan.read(input.span) || isLast || input.count - index > Self.longestDocumentType else { return false }
    hasDocumentType = true
    guard scan.isWhole else {
      note("this document type has no end")
      index = index + 2
      return true
    }
    if !stands("<!DOCTYPE", at: index) { note("<!DOCTYPE is written in capitals") }
    if !scan.isInOrder { note("this document type lacks a quote or its end") }
    handler.documentType(publicID: scan.publicID)
    for entity in scan.declared { entities.declare(entity.name, as: entity.value) }
    index = scan.end
    return true
  }

  // MARK: - Searching

  private mutating func closing(_ section: Section, from start: Int) -> Int? {
    let source = input
    return closings.next(section, in: source.span, from: start, offset: offset(of: 0))
  }

  /// Returns the maximum end of an unclosed section, or nil when the section is closed.
  private func unclosed(_ opening: StaticString, _ range: Range<Int>, isClosed: Bool) -> Int? {
    guard let next = nextOpening(opening, in: range) ?? (isClosed ? nil : range.upperBound) else { return nil }
    if open.depth == 0 { return next }
    return holdsEndTag(range.lowerBound..<next) ? next : nil
  }

  /// Whether a section contains the beginning or the end of an entry but not the other, before the next of its kind
  /// begins.
  ///
  /// The search stops there, or each of many nested beginnings would be searched to the end.
  private func holdsHalfAnEntry(_ opening: StaticString, _ range: Range<Int>) -> Bool {
    guard isFeed else { return false }
    let range = range.lowerBound..<(nextOpening(opening, in: range) ?? range.upperBound)
    var open = 0
    var index = range.lowerBound
    while let next = nextOpening("<", in: index..<range.upperBound) {
      let isEnd = next + 1 < range.upperBound && input[next + 1] == UInt8(ascii: "/")
      let name = next + (isEnd ? 2 : 1)
      if isEntryName(at: name) { open += isEnd ? -1 : 1 }
      if open < 0 { return true }
      index = next + 1
    }
    return open > 0
  }

  /// Returns the position of the first start or end tag of an entry in a range.
  private func entryTag(in range: Range<Int>) -> Int? {
    guard isFeed else { return nil }
    var index = range.lowerBound
    while let next = nextOpening("<", in: index..<range.upperBound) {
      if isEntryName(at: next + 1) || (stands("</", at: next) && isEntryName(at: next + 2)) { return next }
      index = next + 1
    }
    return nil
  }

  private func isEntryName(at start: Int) -> Bool {
    for name: StaticString in ["item", "entry"] where stands(name, at: start) {
      let end = start + name.utf8CodeUnitCount
      return end < input.count && (input[end] == UInt8(ascii: ">") || input[end].isHTMLSpace)
    }
    return false
  }

  /// Returns the position of the next section of this kind in a range.
  private func nextOpening(_ opening: StaticString, in range: Range<Int>) -> Int? {
    // The second byte, `!` or `?`, is rarer than the first.
    let offset = min(1, opening.utf8CodeUnitCount - 1)
    let byte = opening.withUTF8Buffer { $0[offset] }
    var index = range.lowerBound + offset
    while index < range.upperBound {
      index = ByteScan.index(of: byte, in: input.span, from: index)
      if index < range.upperBound, stands(opening, at: index - offset) { return index - offset }
      index += 1
    }
    return nil
  }

  /// Whether a range has the end tag of an open element.
  private func holdsEndTag(_ range: Range<Int>) -> Bool {
    endTag(in: range) { open.nearest($0) != nil } != nil
  }

  /// Returns the position of the end tag of the innermost element in a range, before any start tag of its name.
  ///
  /// - Parameters:
  ///   - range: the range to search.
  ///   - atOnce: whether it must be the first tag.
  /// - Returns: the position of the end tag; nil when there is none.
  private func ownEnd(in range: Range<Int>, atOnce: Bool = false) -> Int? {
    guard let own = open.innermost?.hash, !range.isEmpty else { return nil }
    return endTag(in: range) { atOnce || $0 == own }.flatMap { start in
      guard atOnce else { return start }
      return endTag(in: start..<range.upperBound) { $0 == own } == start ? start : nil
    }
  }

  private func endTag(in range: Range<Int>, _ isWanted: (UInt64) -> Bool) -> Int? {
    let angle = UInt8(ascii: "<")
    var index = range.lowerBound
    while true {
      index = ByteScan.index(of: angle, in: input.span, from: index)
      guard index + 2 < range.upperBound else { return nil }
      let isEnd = input[index + 1] == UInt8(ascii: "/")
      var end = index + (isEnd ? 2 : 1)
      var hash = NameHash.empty
      while end < range.upperBound, end - index <= XMLCharacter.longestName, !input[end].isHTMLSpace,
        input[end] != UInt8(ascii: ">"), input[end] != UInt8(ascii: "/"), input[end] != angle
      {
        hash = NameHash.adding(input[end].asciiLowercased, to: hash)
        end += 1
      }
      if isWanted(hash) { return isEnd ? index : nil }
      index += 1
    }
  }

  private func standsInAnyCase(_ text: StaticString, at start: Int) -> Bool {
    guard start + text.utf8CodeUnitCount <= input.count else { return false }
    return text.withUTF8Buffer { wanted in
      wanted.indices.allSatisfy { input[start + $0].asciiLowercased == wanted[$0] }
    }
  }
}
