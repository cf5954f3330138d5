import TamisCore
import TamisURL

/// Reads single values, and reports values of a wrong type.
extension JSONFeedReading {
  /// Text, trimmed; nil when there is none.
  ///
  /// A number is taken as it was written, which JSON Feed asks for where it is an id.
  func text(of member: JSONMember) -> String? {
    switch member.value.value {
    case .string(let text): return text.trimmedOrNil()
    case .number(let text):
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a number; it is read as text, write it in quotes",
        at: member.value.location)
      return text
    default:
      lose(member, "a string")
      return nil
    }
  }

  /// Text with what is known about it, nil when there is none.
  func markup(of member: JSONMember, _ kind: Markup.Kind, _ language: String?) -> Markup? {
    text(of: member).map { Markup($0, kind: kind, base: baseText, language: language) }
  }

  /// A URL, resolved: as it was written when there is no base to resolve it against.
  func url(of member: JSONMember) -> String? {
    guard let reference = text(of: member) else { return nil }
    guard let base, WebURL(reference) == nil || WebURL.isRelativeToItsScheme(reference.utf8.span) else {
      return reference
    }
    return WebURL(reference, base: base)?.href ?? reference
  }

  /// A language (BCP 47), with hyphens.
  func language(of member: JSONMember) -> String? {
    text(of: member).map { String($0.map { $0 == "_" ? "-" : $0 }) }
  }

  /// A date, kept with its text even when it cannot be read.
  func date(of member: JSONMember) -> FeedDate? {
    guard let text = text(of: member) else { return nil }
    let date = FeedDate(reading: text)
    if date.seconds == nil {
      note(
        .warning, "parse.date", "'\(text.prefix(60))' is not a date that can be read; write 2026-11-21T09:30:00Z",
        at: member.value.location)
    }
    return date
  }

  /// `true` or `false`, or a string that says so.
  func bool(of member: JSONMember) -> Bool? {
    switch member.value.value {
    case .bool(let value): return value
    case .string("true"), .string("false"):
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a string; write it without quotes",
        at: member.value.location)
      return member.value.scalarText == "true"
    default:
      lose(member, "true or false")
      return nil
    }
  }

  /// A number of bytes.
  func size(of member: JSONMember) -> Int? {
    switch member.value.value {
    case .number(let text):
      if let size = Self.size(text) { return size }
      note(
        .warning, "parse.json-size", "\(text.prefix(40)) is not a number of bytes; it is left out",
        at: member.value.location)
      return nil
    case .string(let text) where Self.size(text) != nil:
      note(
        .note, "parse.json-type", "'\(member.shortName)' is a string; it is read as a number, write it without quotes",
        at: member.value.location)
      return Self.size(text)
    default:
      lose(member, "a number")
      return nil
    }
  }

  private static func size(_ text: String) -> Int? {
    let size = Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    return size.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The elements of an array; what is no array is taken for its only element.
  func elements(of member: JSONMember) -> [JSONNode] {
    switch member.value.value {
    case .array(let elements): return elements
    case .null:
      lose(member, "an array")
      return []
    default:
      note(
        .note, "parse.json-type", "'\(member.shortName)' is \(member.value.kind); it is read as an array of one",
        at: member.value.location)
      return [member.value]
    }
  }

  /// The members of an object in an array.
  func object(_ node: JSONNode, of member: JSONMember) -> [JSONMember]? {
    if case .object(let members) = node.value { return members }
    lose(JSONMember(name: member.name, value: node), "an object")
    return nil
  }

  /// Reports that a value is of the wrong type and left out.
  func lose(_ member: JSONMember, _ wanted: String) {
    if case .null = member.value.value {
      note(
        .note, "parse.json-null", "'\(member.shortName)' is null; leave it out instead", at: member.value.location)
      return
    }
    note(
      .warning, "parse.json-type",
      "'\(member.shortName)' is \(member.value.kind), not \(wanted); it is left out", at: member.value.location)
  }

  /// Reports a repeated member, which JSON does not define.
  func noteRepetition(of name: String, at location: SourceLocation, in seen: inout Set<String>) {
    if !seen.insert(name).inserted { repeated(name, at: location) }
  }

  private func repeated(_ name: String, at location: SourceLocation) {
    let isList = ["items", "authors", "author", "tags", "attachments", "hubs"].contains(name)
    note(
      isList ? .note : .warning, "parse.json-duplicate",
      "'\(name)' is given twice; \(isList ? "both count" : "the last that can be read counts")", at: location)
  }
}

extension JSONMember {
  /// The name as findings show it.
  var shortName: Substring { name.prefix(40) }
}
