/// A header field of an HTTP message.
public struct HeaderField: Sendable, Hashable {
  /// Name, in any case.
  public var name: String
  /// Value.
  public var value: String

  /// Makes a header field.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

extension [HeaderField] {
  /// The value of the first field of this name, trimmed; nil when there is none or it is blank.
  package func value(of name: String) -> String? {
    let wanted = name.asciiLowercased()
    return first { $0.name.asciiLowercased() == wanted }?.value.trimmedOrNil()
  }
}
