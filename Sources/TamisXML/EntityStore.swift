import CLibXML2
import TamisCore

/// Entities made up for names that a document uses without declaring them.
///
/// The parser keeps their addresses until the document ends, so each stays alive as long as the store.
@safe struct EntityStore: ~Copyable {
  private struct Name: Hashable {
    var name: String
    var isGeneral: Bool
  }

  private var entities: [Name: UnsafeMutablePointer<xmlEntity>] = unsafe [:]

  private var declared: [String: String] = [:]

  init() {}

  /// Remembers an entity of the document type declaration if its value is plain text or one numeric reference.
  mutating func declare(_ name: String, as value: String) {
    let isNumber = value.hasPrefix("&#") && value.firstIndex(of: ";") == value.indices.last
    guard isNumber || !value.contains("&"), !value.contains("\""), !value.contains("<"), value.utf8.count < 1000,
      declared.count < 1000, declared[name] == nil
    else { return }
    declared[name] = value.decodingCharacterReferences()
  }

  /// How many bytes a declared name stands for, nil when it is not declared.
  func declaredSize(_ name: String) -> Int? { declared[name]?.utf8.count }

  /// An entity that stands for nothing.
  mutating func nothing(isGeneral: Bool) -> UnsafeMutablePointer<xmlEntity>? {
    // No document can use this name.
    declared[""] = ""
    return unsafe entity(named: "", isGeneral: isGeneral)
  }

  deinit {
    unsafe entities.values.forEach { entity in
      unsafe entity.pointee.content.deallocate()
      unsafe entity.deallocate()
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&#38;").replacing("<", with: "&#60;")
  }

  /// The entity of a name; `isGeneral` makes it a general one rather than one of XML's five.
  mutating func entity(named name: String, isGeneral: Bool) -> UnsafeMutablePointer<xmlEntity>? {
    let key = Name(name: name, isGeneral: isGeneral)
    if let known = unsafe entities[key] { return unsafe known }
    // A document with ever new unknown names gets them as nothing rather than unbounded memory.
    guard unsafe entities.count < 4096 else { return nil }
    let reference = "&\(name);"
    let decoded = declared[name] ?? reference.decodingCharacterReferences()
    // A general entity's content is parsed once more, so its ampersand must be escaped.
    let content = Array((isGeneral ? Self.escaped(decoded) : decoded).utf8)
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: content.count + 1)
    unsafe bytes.initialize(repeating: 0, count: content.count + 1)
    for (index, byte) in content.enumerated() { unsafe bytes[index] = byte }
    let entity = UnsafeMutablePointer<xmlEntity>.allocate(capacity: 1)
    unsafe entity.initialize(to: xmlEntity())
    unsafe entity.pointee.type = XML_ENTITY_DECL
    unsafe entity.pointee.etype = isGeneral ? XML_INTERNAL_GENERAL_ENTITY : XML_INTERNAL_PREDEFINED_ENTITY
    unsafe entity.pointee.content = bytes
    unsafe entity.pointee.length = Int32(content.count)
    unsafe entities[key] = entity
    return unsafe entity
  }
}
