import TamisCore

extension MarkupRepair {
  /// Bytes that are looked at of a tag that is not in order.
  private static let longestUntidyTag = 1 << 16

  /// Deals with a `<` that begins a tag or nothing; false when it is undecided.
  mutating func readTag() -> Bool {
    guard index + 1 < input.count else {
      note("the document ends inside this tag")
      drop(upTo: input.count)
      return true
    }
    // A `<` that cannot begin a tag is text.
    guard mayBeginTag(index + 1) else {
      note("a < that does not begin a tag must be written &lt;")
      escapeAngle()
      return true
    }
    var search = resumedTag?.moved(to: index) ?? TagEnd(from: index)
    let source = input
    guard search.search(source.span, most: limits.fieldBytes) || isLast else {
      resumedTag = search
      return false
    }
    let bound = search.isFound ? search.index : min(input.count, index + Self.longestUntidyTag)
    if !search.isFound, !isLast, input.count - index < Self.longestUntidyTag { return false }
    resumedTag = nil
    guard
      let tag = TagReader.read(source.span, from: index, bound: bound, mostAttributes: limits.attributes)
    else {
      if stands("</>", at: index) {
        note("this end tag has no name")
        drop(upTo: index + 3)
      } else {
        note("a < that does not begin a tag must be written &lt;")
        escapeAngle()
      }
      return true
    }
    return decide(tag)
  }

  /// Whether a tag can continue like this after its `<`: with a name, a slash, or white space and then one of both.
  private func mayBeginTag(_ start: Int) -> Bool {
    let byte = input[start]
    return byte.isASCIILetter || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") || byte >= 0x80
      || byte.isHTMLSpace
  }

  private mutating func decide(_ tag: Tag) -> Bool {
    if !tag.hasEnd, tag.end == input.count, isLast {
      note("the document ends inside this tag")
      drop(upTo: tag.end)
      return true
    }
    // An ambiguous `<` begins a tag if it is an element of feeds, or ends an open element.
    let isDoubtful = !tag.hasEnd || (tag.isSpaced && !(tag.kind == .end && tags.nearest(tag.hash) != nil))
    if isDoubtful, !isKnown(tag) {
      note("a < that does not begin a tag must be written &lt;")
      escapeAngles(upTo: tag.hasEnd ? index + 1 : tag.end)
      return true
    }
    switch tag.kind {
    case .end: repairEndTag(tag)
    case .start, .empty: repairStartTag(tag)
    }
    return true
  }

  /// Whether the vocabularies of feeds have the element, or it is open, or it has a prefix; and its attributes are some.
  private func isKnown(_ tag: Tag) -> Bool {
    guard tag.hasValues else { return false }
    if tags.nearest(tag.hash) != nil { return true }
    let local = tag.localName(input)
    if local.lowerBound > tag.name.lowerBound { return true }
    return FeedElement(prefix: "", local: String(decoding: input[local], as: UTF8.self).asciiLowercased()) != .other
  }

  /// Escapes all markup up to a position.
  private mutating func escapeAngles(upTo end: Int) {
    if isOutside { return drop(upTo: end) }
    while let next = input[index..<max(index, end)].firstIndex(where: Self.isMarkup) {
      index = next
      switch input[next] {
      case UInt8(ascii: "<"): escapeAngle()
      case UInt8(ascii: "&"): repairReference(upTo: end)
      default: repairSectionEnd()
      }
    }
    index = max(index, end)
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "]")
  }

  // MARK: - End tags

  private mutating func repairEndTag(_ tag: Tag) {
    if let fault = tag.fault { note("\(fault)") }
    guard let level = tags.nearest(tag.hash), !(level == 0 && isAfterRoot) else {
      note("this end tag has no matching start tag")
      return drop(upTo: tag.end)
    }
    if tags.hasUnended(inside: level) {
      note("elements inside this one are not closed")
      write(upTo: index)
    }
    tags.end(inside: level, into: &output)
    if tags.isDropped(level) {
      tags.pop()
      return drop(upTo: tag.end)
    }
    if level == 0 {
      // The root element ends with the document: more of it may come.
      (hasRootEnded, isAfterRoot) = (true, true)
      return drop(upTo: tag.end)
    }
    let isSame = tags.isTop(named: input[tag.name])
    if !isSame || tag.fault != nil {
      note("this end tag is spelled differently from its start tag")
      write(upTo: index)
      tags.writeEnd(into: &output)
      appendLines(of: index..<tag.end)
      skip(upTo: tag.end)
    }
    tags.pop()
    index = tag.end
  }

  // MARK: - Start tags

  private mutating func repairStartTag(_ tag: Tag) {
    let role = isFeed ? tag.role(input) : []
    if isFeed, tags.depth == 0, !isRoot(tag, role) { return skipBeforeRoot(tag) }
    if isAfterRoot {
      note("there is content after the end of the root element")
      isAfterRoot = false
    }
    let isEntry = role.contains(.entry)
    if isEntry, let open = tags.nearest(tag.hash), open > 0 {
      note("the previous entry is not closed")
      write(upTo: index)
      tags.end(inside: open - 1, into: &output)
    }
    if isEntry || role.contains(.channel) { endStrayMarkup() }
    if isEntry, tags.depth >= OpenTags.deepest {
      note("elements inside this one are not closed")
      write(upTo: index)
      // Up to the root element and the channel, where entries belong.
      tags.end(inside: 1, into: &output)
    }
    if tags.depth >= OpenTags.deepest {
      note("this is nested deeper than \(OpenTags.deepest) elements")
      drop(upTo: tag.end)
      if tag.kind == .start { tags.push(tag.hash, nil, role) }
      return
    }
    if let fault = tag.fault { note("\(fault)") }
    if tag.kind == .empty, tags.depth == 0 {
      // After an empty root element there may be more content, as after its end tag.
      writeAnew(tag, isEmpty: false)
      (hasRootEnded, isAfterRoot) = (true, true)
    } else if tag.fault == nil {
      keepAttributes(of: tag)
    } else {
      writeAnew(tag, isEmpty: tag.kind == .empty)
    }
    if tag.kind == .start || isAfterRoot { tags.push(tag.hash, input[tag.name], role) }
  }

  /// Ends stray HTML elements around an entry or a channel, which are never closed.
  private mutating func endStrayMarkup() {
    let depth = tags.depth - tags.strays
    guard depth < tags.depth, depth > 0 else { return }
    note("elements inside this one are not closed")
    write(upTo: index)
    tags.end(inside: depth - 1, into: &output)
  }

  /// Whether a feed can begin with this element: its root element, or the first element of the content when that is
  /// missing.
  ///
  /// An HTML page is not a feed, whatever it contains.
  private func isRoot(_ tag: Tag, _ role: ElementRole) -> Bool {
    if role.contains(.root) { return true }
    guard skippedRoot == nil else { return false }
    return role.contains(.fragment)
      || String(decoding: input[tag.localName(input)], as: UTF8.self).asciiLowercased() == "html"
  }

  /// Content before the root element, such as a server's warning, is not part of a feed.
  private mutating func skipBeforeRoot(_ tag: Tag) {
    note("this is before the root element of the feed")
    if skippedRoot == nil { skippedRoot = String(decoding: input[tag.name], as: UTF8.self) }
    drop(upTo: tag.end)
  }

  /// References in the values of a tag that is in order.
  private mutating func keepAttributes(of tag: Tag) {
    for attribute in tag.attributes {
      while let next = input[max(index, attribute.value.lowerBound)..<attribute.value.upperBound].firstIndex(
        of: UInt8(ascii: "&"))
      {
        index = next
        repairReference(upTo: attribute.value.upperBound)
      }
    }
    index = tag.end
  }

  /// Writes a tag as XML requires.
  private mutating func writeAnew(_ tag: Tag, isEmpty: Bool) {
    write(upTo: index)
    let source = input
    output.append(UInt8(ascii: "<"))
    output.append(source.span, tag.name)
    for attribute in tag.attributes {
      output.append(ASCII.space)
      output.append(source.span, attribute.name)
      output.append(contentsOf: "=\"".utf8)
      writeValue(attribute.value)
      output.append(UInt8(ascii: "\""))
    }
    // Line breaks are white space here.
    let written = tag.attributes.reduce(0) { $0 + ByteScan.lineFeeds(in: source.span.extracting($1.value)) }
    let lines = ByteScan.lineFeeds(in: source.span.extracting(tag.start..<tag.end)) - written
    if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
    output.append(contentsOf: (isEmpty ? "/>" : ">").utf8)
    skip(upTo: tag.end)
  }

  private mutating func writeValue(_ value: Range<Int>) {
    skip(upTo: value.lowerBound)
    while index < value.upperBound {
      switch input[index] {
      case UInt8(ascii: "&"): repairReference(upTo: value.upperBound)
      case UInt8(ascii: "<"), UInt8(ascii: "\""):
        write(upTo: index)
        appendEscaped(input[index])
        skip(upTo: index + 1)
      default: index += 1
      }
    }
    write(upTo: value.upperBound)
  }

  /// Writes the line breaks of a part of the input, so that lines are counted right.
  private mutating func appendLines(of range: Range<Int>) {
    let lines = ByteScan.lineFeeds(in: input.span.extracting(range))
    if lines > 0 { output.append(contentsOf: repeatElement(ASCII.lineFeed, count: lines)) }
  }
}
