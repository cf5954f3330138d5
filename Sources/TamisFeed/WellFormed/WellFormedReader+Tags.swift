import TamisCore
import TamisXML

extension WellFormedReader {
  /// The longest name, in bytes, and the most attributes of a tag: more are left to libxml2.
  private static let longestName = 100
  private static let mostAttributes = 32

  // MARK: - End tags

  mutating func readEndTag(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    guard let element = open.last, !hasRootEnded else { return .outOfOrder }
    let nameEnd = index + 2 + element.name.count
    guard nameEnd < bytes.count else { return .incomplete }
    guard open.isName(of: element, in: bytes, at: index + 2) else { return .outOfOrder }
    var end = nameEnd
    while end < bytes.count, bytes[end].isHTMLSpace { end += 1 }
    guard end < bytes.count else { return .incomplete }
    guard bytes[end] == UInt8(ascii: ">") else { return .outOfOrder }
    text.report(bytes, to: &handler)
    index = end + 1
    if open.count == 1 {
      hasRootEnded = true
    } else {
      handler.endElement(element.number)
      open.removeLast()
      names.current = element.scopeOutside
    }
    return .read
  }

  // MARK: - Start tags

  mutating func readStartTag(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Step {
    var end = index + 1
    let name = readName(bytes, &end)
    guard end < bytes.count else { return .incomplete }
    guard let name, open.count < OpenTags.deepest, !hasRootEnded else { return .outOfOrder }
    let step = readAttributes(bytes, &end)
    guard step == .read else { return step }
    let isEmpty = bytes[end] == UInt8(ascii: "/")
    guard !isEmpty || !open.isEmpty else { return .outOfOrder }
    let outside = names.current
    var declared: [(String, String)] = []
    if attributes.contains(where: \.isNamespace) {
      guard declare(bytes, &declared) else { return .outOfOrder }
    }
    guard let element = names.element(name, bytes, &handler), isExpected(element) else {
      names.current = outside
      return .outOfOrder
    }
    // All names and values must be known before the first event.
    guard resolveAttributes(bytes, &handler) else {
      names.current = outside
      return .outOfOrder
    }
    text.report(bytes, to: &handler)
    reportAttributes(bytes, to: &handler)
    count(bytes, upTo: end)
    handler.startElement(element.number, namespaces: declared, at: position)
    let start = index
    index = end + (isEmpty ? 2 : 1)
    if isEmpty {
      handler.endElement(element.number)
      names.current = outside
    } else {
      open.append(bytes, start..<index, name: name, element, scopeOutside: outside)
    }
    return .read
  }

  /// Whether the element may come here without anything having been left open before it, as ``MarkupRepair`` sees it.
  private func isExpected(_ element: NamespaceScopes.Element) -> Bool {
    if open.isEmpty { return !element.role.isDisjoint(with: [.root, .fragment]) }
    guard element.role.contains(.entry) || element.role.contains(.channel), let last = open.last else { return true }
    return !last.role.contains(.stray) && !(element.role.contains(.entry) && open.holdsEntry)
  }

  /// Reads a qualified name in ASCII; nil when it is another.
  private func readName(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> XMLQualifiedName? {
    let start = index
    var colon: Int?
    while index < bytes.count, Self.isNameByte(bytes[index]) {
      if bytes[index] == UInt8(ascii: ":") {
        guard colon == nil else { return nil }
        colon = index
      }
      index += 1
    }
    let local = colon.map { $0 + 1 } ?? start
    guard index > local, colon != start, index - start <= Self.longestName, Self.beginsName(bytes[start]),
      Self.beginsName(bytes[local])
    else { return nil }
    return XMLQualifiedName(whole: start..<index, colon: colon)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".")
  }

  private static func beginsName(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == UInt8(ascii: "_") }

  /// `xmlns` or `xmlns:prefix`.
  private static func isNamespace(_ name: XMLQualifiedName, _ bytes: borrowing Span<UInt8>) -> Bool {
    let start = name.whole.lowerBound
    return (name.colon ?? name.whole.upperBound) == start + 5 && ByteScan.stands("xmlns", in: bytes, at: start)
  }

  /// Reads the attributes of a tag, up to its `>` or `/>`.
  private mutating func readAttributes(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> Step {
    if !attributes.isEmpty { attributes.removeAll(keepingCapacity: true) }
    while true {
      let before = index
      while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
      guard index < bytes.count else { return .incomplete }
      switch bytes[index] {
      case UInt8(ascii: ">"): return .read
      case UInt8(ascii: "/"):
        guard index + 1 < bytes.count else { return .incomplete }
        return bytes[index + 1] == UInt8(ascii: ">") ? .read : .outOfOrder
      default:
        guard index > before else { return .outOfOrder }
        let step = readAttribute(bytes, &index)
        guard step == .read else { return step }
      }
    }
  }

  private mutating func readAttribute(_ bytes: borrowing Span<UInt8>, _ index: inout Int) -> Step {
    let name = readName(bytes, &index)
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    guard index < bytes.count else { return .incomplete }
    guard let name, bytes[index] == UInt8(ascii: "="), attributes.count < min(Self.mostAttributes, limits.attributes)
    else { return .outOfOrder }
    index += 1
    while index < bytes.count, bytes[index].isHTMLSpace { index += 1 }
    guard index < bytes.count else { return .incomplete }
    let quote = bytes[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return .outOfOrder }
    let start = index + 1
    index = start
    var needsDecoding = false
    while index < bytes.count, bytes[index] != quote {
      let byte = bytes[index]
      if byte == UInt8(ascii: "<") { return .outOfOrder }
      if byte < 0x20 || byte == UInt8(ascii: "&") { needsDecoding = true }
      index += 1
    }
    guard index < bytes.count else { return .incomplete }
    let isNamespace = Self.isNamespace(name, bytes)
    for other in attributes where other.isNamespace == isNamespace && isSame(other.name, name, bytes) {
      return .outOfOrder
    }
    attributes.append(
      Attribute(name: name, isNamespace: isNamespace, value: start..<index, needsDecoding: needsDecoding))
    index += 1
    return .read
  }

  /// Whether two names are one, or could be once their prefixes are resolved.
  private func isSame(_ one: XMLQualifiedName, _ other: XMLQualifiedName, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard one.local.count == other.local.count, (one.colon == nil) == (other.colon == nil) else { return false }
    for offset in 0..<one.local.count
    where bytes[one.local.lowerBound + offset] != bytes[other.local.lowerBound + offset] {
      return false
    }
    return true
  }

  /// Opens the namespaces that a tag declares; false when one is unusual.
  private mutating func declare(_ bytes: borrowing Span<UInt8>, _ declared: inout [(String, String)]) -> Bool {
    for attribute in attributes where attribute.isNamespace {
      let prefix = attribute.name.colon == nil ? "" : String(bytes, attribute.name.local)
      let address = bytes.extracting(attribute.value)
      guard !attribute.needsDecoding, prefix != "xml", prefix != "xmlns", NamespaceScopes.isUsual(address) else {
        return false
      }
      declared.append((prefix, String(bytes, attribute.value)))
    }
    return names.enter(declared)
  }

  // MARK: - Values

  /// Finds the names of the attributes and decodes their values; false when one is for others to read.
  private mutating func resolveAttributes(_ bytes: borrowing Span<UInt8>, _ handler: inout some XMLEvents) -> Bool {
    if !decodedValues.isEmpty { decodedValues.removeAll(keepingCapacity: true) }
    for index in attributes.indices where !attributes[index].isNamespace {
      guard let number = names.attribute(attributes[index].name, bytes, &handler) else { return false }
      attributes[index].number = number
      if attributes[index].needsDecoding {
        let start = decodedValues.count
        guard decode(attributes[index].value, bytes) else { return false }
        attributes[index].value = start..<decodedValues.count
      }
    }
    return true
  }

  private func reportAttributes(_ bytes: borrowing Span<UInt8>, to handler: inout some XMLEvents) {
    for attribute in attributes where !attribute.isNamespace {
      if attribute.needsDecoding {
        handler.attribute(attribute.number, decodedValues.span.extracting(attribute.value))
      } else {
        handler.attribute(attribute.number, bytes.extracting(attribute.value))
      }
    }
  }

  /// Decodes a value (XML 1.0, 3.3.3); false when it has references that need a declaration.
  ///
  /// Each white space that is written as itself is a space.
  private mutating func decode(_ value: Range<Int>, _ bytes: borrowing Span<UInt8>) -> Bool {
    var index = value.lowerBound
    while index < value.upperBound {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") {
        guard
          let end = CharacterData.append(referenceAt: index, upTo: value.upperBound, of: bytes, to: &decodedValues)
        else { return false }
        index = end
        continue
      }
      if byte == ASCII.carriageReturn {
        guard index + 1 < value.upperBound, bytes[index + 1] == ASCII.lineFeed else { return false }
        index += 1
      }
      decodedValues.append(byte < 0x20 ? ASCII.space : byte)
      index += 1
    }
    return true
  }
}
