/// A header field of an HTTP message.
public struct HeaderField: Sendable, Hashable {
  /// The name, in any case.
  public var name: String
  /// The value.
  public var value: String

  /// Makes a header field.
  public init(name: String, value: String) { (self.name, self.value) = (name, value) }
}

extension [HeaderField] {
  /// Returns the value of the first field with this name, trimmed; nil when there is none or it is blank.
  package func value(of name: String) -> String? {
    let wanted = name.asciiLowercased()
    return first { $0.name.asciiLowercased() == wanted }?.value.trimmedOrNil()
  }
}
