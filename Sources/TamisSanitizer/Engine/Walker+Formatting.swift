import TamisCore

/// Formatting elements that a block closed before their end tag, and that are opened again after it.
extension Walker {
  /// Removes a suspended formatting element that has ended.
  mutating func endSuspension(of id: Int) {
    if !suspended.isEmpty { suspended.removeAll { $0.element.id == id } }
  }

  /// Removes suspended links: a new one replaces them.
  mutating func endSuspendedLinks() {
    if !suspended.isEmpty { suspended.removeAll { $0.element.role == .link } }
  }

  /// Opens formatting again that a block closed (HTML Standard, 13.2.4.3, "reconstruct the active formatting elements"),
  /// as long as the output stays within a few times the input.
  mutating func resumeFormatting() {
    guard !suspended.isEmpty, open.foreignCount == 0, open.current?.isTextOnly != true,
      open.current?.role.isTableStructure != true, open.current?.role.holdsOptions != true
    else { return }
    let waiting = suspended.filter { $0.markerCount >= open.markerCount }
    suspended.removeAll { $0.markerCount >= open.markerCount }
    facts.isUntidy = true
    for var element in waiting.reversed().map(\.element) {
      guard output.count + element.startTag.count <= state.sizeLimit, open.count < settings.limits.fragmentDepth,
        open.formattingCount < settings.limits.openFormatting
      else { return }
      if element.role == .link, open.linkInScope != nil { continue }
      let mark = output.mark
      output.repeatStartTag(at: element.startTag)
      element.startTag = mark.count..<output.count
      // Without its id it may equal others, of which browsers keep only three.
      if isFourthOfItsKind(element.startTag) {
        output.rewind(to: mark)
        continue
      }
      element.contentStart = facts.contentCount
      facts.begin(element.element)
      open.push(element)
      state.isAtPreformattedStart = false
      if element.target >= 0 { facts.beginLink(targets[element.target]) }
    }
  }

  /// Whether three formatting elements with the same start tag are open: browsers remember no more of a kind (HTML
  /// Standard, 13.2.4.3).
  mutating func isFourthOfItsKind(_ tag: Range<Int>) -> Bool {
    guard open.formattingCount >= 3 else { return false }
    return open.stack.count { element in
      element.traits.contains(.formatting) && element.startTag.count == tag.count
        && output.bytes[element.startTag].elementsEqual(output.bytes[tag])
    } >= 3
  }
}
