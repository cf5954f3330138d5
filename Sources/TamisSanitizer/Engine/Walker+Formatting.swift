import TamisCore

/// Formatting that a block closed before its end came, and that is opened again behind it.
extension Walker {
  /// Forgets a formatting element that has ended.
  mutating func endSuspension(of id: Int) {
    if !suspended.isEmpty { suspended.removeAll { $0.element.id == id } }
  }

  /// Forgets suspended links: a new one takes their place.
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
      guard output.count + element.startTag.count <= sizeLimit, open.count < limits.fragmentDepth,
        open.formattingCount < limits.openFormatting
      else { return }
      if element.role == .link, open.linkInScope != nil { continue }
      let mark = output.mark
      output.repeatStartTag(at: element.startTag)
      element.startTag = mark.count..<output.count
      // Without its id it may be like others now, of which there may be only so many.
      if isFourthOfItsKind(element.startTag) {
        output.rewind(to: mark)
        continue
      }
      element.contentStart = facts.contentCount
      facts.begin(element.element)
      open.push(element)
      isAtPreformattedStart = false
      if element.target >= 0 { facts.beginLink(targets[element.target]) }
    }
  }

  /// Whether three formatting elements with the same start tag are open: browsers remember no more of a kind (HTML
  /// Standard, 13.2.4.3).
  func isFourthOfItsKind(_ tag: Range<Int>) -> Bool {
    guard open.formattingCount >= 3 else { return false }
    return open.stack.count { element in
      element.traits.contains(.formatting) && element.startTag.count == tag.count
        && output.bytes[element.startTag].elementsEqual(output.bytes[tag])
    } >= 3
  }
}
