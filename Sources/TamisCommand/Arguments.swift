import ArgumentParser
import Tamis
import TamisLibC

/// The command's arguments, which the system does not require to be UTF-8.
///
/// The parser reads strings. A byte that is not UTF-8 is therefore represented by a character of a private-use area
/// that stands for that byte; characters of that area are represented by their bytes.
enum Arguments {
  /// The arguments as strings, without the command's own name.
  static var strings: [String] {
    CommandLine.arguments.indices.dropFirst().compactMap { index in
      CommandLine.unsafeArgv[index].map { text in string(of: (0..<strlen(text)).map { UInt8(bitPattern: text[$0]) }) }
    }
  }

  private static let first: UInt32 = 0x10_FF00

  static func string(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: { $0.value >= first })
    {
      return text
    }
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      let length = (1...4).first { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.count == 1 }
      if let length, let scalar = String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first,
        scalar.value < first
      {
        scalars.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        if let scalar = Unicode.Scalar(first + UInt32(byte)) { scalars.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(scalars)
  }

  /// Whether an argument is as it was typed, without a substitute for any byte.
  static func isUTF8(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value < first } }

  /// Returns `; did you mean 'long'?`, or an empty string when no name is near.
  static func hint(_ name: String, _ names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Returns the choice that a word of an option names.
  static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ text: String, of type: Choice.Type
  ) throws -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    throw ValidationError("'\(text)' is not one of \(type.allCases.map(\.rawValue).joined(separator: ", "))")
  }

  static func bytes(of text: String) -> [UInt8] {
    text.unicodeScalars.flatMap { $0.value >= first ? [UInt8($0.value - first)] : Array(String($0).utf8) }
  }
}

extension FilePath: ExpressibleByArgument {
  /// Makes the path of an argument of any bytes; nil for an empty one.
  public init?(argument: String) {
    if argument.isEmpty { return nil }
    self.init(bytes: Arguments.bytes(of: argument))
  }
}
