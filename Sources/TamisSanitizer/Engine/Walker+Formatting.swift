import TamisCore
import TamisHTML

/// Formatting elements that a block closed before their end tag, and that are opened again after it.
extension Walker {
  /// Puts off a formatting element that is opened again until text needs it, if the rules want markup repaired.
  ///
  /// Browsers open `<b>` again for the line break between two paragraphs, and take the second one into it; then each paragraph would
  /// have to be repaired.
  mutating func postpone(_ entry: RuleTables.Element) -> SourceElements.Made? {
    guard place.isCopy, entry.traits.contains(.formatting), settings.policy.tidy != .never,
      suspended.count < settings.limits.openFormatting, let index = copiedIndex[place.offset]
    else { return nil }
    var element = copied[index]
    state.lastID += 1
    element.id = state.lastID
    element.isPostponed = true
    // The last of the list is opened first; this one is inside of all others, and so is opened last.
    suspended.insert(Suspended(element: element, markerCount: open.markerCount), at: 0)
    return .element(element.id)
  }

  /// Closes postponed formatting before a block, in which it is opened again.
  mutating func closePostponed() {
    while open.current?.isPostponed == true { close(toDepth: open.count - 1) }
  }

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
    if waiting.contains(where: { !$0.element.isPostponed }) { facts.isUntidy = true }
    for var element in waiting.reversed().map(\.element) {
      guard output.count + element.startTag.count <= state.sizeLimit, open.count < settings.limits.fragmentDepth,
        open.formattingCount < settings.limits.openFormatting
      else { return }
      if element.role == .link, open.linkInScope != nil { continue }
      let start = output.count
      output.repeatStartTag(at: element.startTag)
      element.startTag = start..<output.count
      element.contentStart = facts.contentCount
      facts.begin(element.element)
      open.push(element)
      state.isAtPreformattedStart = false
      if element.target >= 0 { facts.beginLink(targets[element.target]) }
    }
  }
}
