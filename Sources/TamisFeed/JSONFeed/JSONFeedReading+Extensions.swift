import TamisCore

/// People, and extensions of the feed about them.
struct JSONPeople {
  var people: [FeedPerson]
  var extensions: [ExtensionElement] = []
}

/// Keeps members that the model has no member for.
extension JSONFeedReading {
  /// Deepest nesting of an extension, and longest name of an element made from one.
  private static let deepest = 16
  private static let longestName = 256

  /// Reads `authors`, or 1.0's `author`; the same person is often named in both, and counts once then.
  func read(_ member: JSONMember, into parts: inout JSONPeople) {
    let isOne = member.name == "author"
    if case .object = member.value.value, isOne {
      addPerson(member.value, of: member, to: &parts)
    } else if case .string = member.value.value, isOne {
      addPerson(member.value, of: member, to: &parts)
    } else {
      for node in elements(of: member) { addPerson(node, of: member, to: &parts) }
    }
  }

  private func addPerson(_ node: JSONNode, of member: JSONMember, to parts: inout JSONPeople) {
    var person = FeedPerson()
    var others: [ExtensionElement] = []
    if case .string(let name) = node.value {
      note(
        .note, "parse.json-type", "the author is a string; it is read as the name, write {\"name\": …}",
        at: node.location)
      person.name = name.collapsingSpace().trimmedOrNil()
    } else if let members = object(node, of: member) {
      for part in members {
        switch part.name {
        case "name": person.name = text(of: part)?.collapsingSpace() ?? person.name
        case "url": assignAddress(part, to: &person)
        case "avatar":
          if let url = url(of: part) { others.append(ExtensionElement(name: "author_avatar", text: url)) }
        default: others += extensions(of: part, under: "author")
        }
      }
    }
    // The person that the extensions belong to.
    let owner = (person.name ?? person.url).map { [ExtensionElement.Attribute(name: "name", value: $0)] } ?? []
    parts.extensions += others.map { ExtensionElement(name: $0.name, text: $0.text, attributes: owner) }
    if !person.isEmpty, !parts.people.suffix(8).contains(person) { parts.people.append(person) }
  }

  /// A person's `url` may be a mail address.
  private func assignAddress(_ member: JSONMember, to person: inout FeedPerson) {
    guard let url = url(of: member) else { return }
    if url.asciiLowercased().hasPrefix("mailto:") {
      person.email = String(url.dropFirst("mailto:".count))
    } else {
      person.url = url
    }
  }

  /// A member as elements: its name without the underscore that extensions begin with, in lower case.
  ///
  /// An object gives an element for each of its members, named with both names and an underscore between them, an array
  /// one with its values between commas.
  func extensions(of member: JSONMember, under prefix: String? = nil) -> [ExtensionElement] {
    var elements: [ExtensionElement] = []
    flatten(member, under: prefix, depth: 1, into: &elements)
    return elements
  }

  private func flatten(
    _ member: JSONMember, under prefix: String?, depth: Int, into elements: inout [ExtensionElement]
  ) {
    if let name = Self.name(of: member, under: prefix) {
      flatten(member.value, name: name, depth: depth, into: &elements)
    } else {
      loseExtension(member.value, "it has no name, or one that is too long")
    }
  }

  private func flatten(_ node: JSONNode, name: String, depth: Int, into elements: inout [ExtensionElement]) {
    guard depth <= Self.deepest else { return loseExtension(node, "it is nested too deep") }
    switch node.value {
    case .null: break
    case .bool, .number, .string:
      elements.append(ExtensionElement(name: name, text: node.scalarText?.trimmed() ?? ""))
    case .array(let nodes):
      let texts = nodes.compactMap(\.scalarText)
      if !texts.isEmpty { elements.append(ExtensionElement(name: name, text: texts.joined(separator: ", ").trimmed())) }
      for each in nodes where each.scalarText == nil { flatten(each, name: name, depth: depth + 1, into: &elements) }
    case .object(let members):
      for each in members { flatten(each, under: name, depth: depth + 1, into: &elements) }
    }
  }

  private func loseExtension(_ node: JSONNode, _ reason: String) {
    note(.warning, "parse.json-extension", "this extension is left out: \(reason)", at: node.location)
  }

  /// The name of the element that a member makes; nil when it is empty, or too long to be repeated by many.
  private static func name(of member: JSONMember, under prefix: String?) -> String? {
    let own = member.name.hasPrefix("_") ? member.name.dropFirst() : member.name[...]
    guard !own.isEmpty, own.utf8.count + (prefix?.utf8.count ?? 0) < longestName else { return nil }
    let name = own.asciiLowercased()
    return prefix.map { "\($0)_\(name)" } ?? name
  }
}
