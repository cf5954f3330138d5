import CRE2

/// A regular expression in the syntax of RE2 (https://github.com/google/re2/wiki/Syntax).
///
/// RE2 compiles an expression to an automaton and never goes back in the text, so that the time is linear in the text
/// whatever the expression is. Upper and lower case are the same unless the expression contains `(?-i)`.
@safe package final class Pattern: Sendable {
  /// The maximum length of an expression in bytes.
  package static let longest = 1000
  /// The maximum number of instructions of a compiled expression, by which each byte of a text costs time at worst.
  package static let mostInstructions = 4000
  /// The maximum memory of a compiled expression in bytes, with the states that it keeps between texts (1 MiB).
  package static let mostMemory = 1 << 20
  /// The number of bytes of a text that are searched (256 KiB).
  package static let longestText = 256 << 10

  /// The error for a text that is not a usable expression.
  package struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, and what to do, in words.
    package let description: String
  }

  /// The expression as written.
  package let source: String
  /// The compiled expression, which any number of threads may match.
  nonisolated(unsafe) private let compiled: OpaquePointer

  /// Compiles an expression.
  ///
  /// - Parameter source: the expression.
  /// - Throws: ``Refusal`` when it is too long, too large when compiled, or not an expression.
  package init(_ source: String) throws(Refusal) {
    guard source.utf8.count <= Self.longest else {
      throw Refusal(
        description: "this expression has \(source.utf8.count) bytes, more than \(Self.longest); write several")
    }
    var copy = source
    let compiled = copy.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        unsafe tamis_re2_compile(text.baseAddress, text.count, Int64(Self.mostMemory))
      }
    }
    guard let compiled = unsafe compiled else { throw Refusal(description: "there is no memory for '\(source)'") }
    if let refusal = unsafe Self.refusal(of: compiled, source) {
      unsafe tamis_re2_free(compiled)
      throw refusal
    }
    self.source = source
    unsafe self.compiled = compiled
  }

  deinit { unsafe tamis_re2_free(compiled) }

  /// Returns the reason why a text is not a usable expression, and what to do; nil when it is one.
  package static func objection(to source: String) -> String? {
    do throws(Refusal) {
      _ = try Pattern(source)
      return nil
    } catch { return error.description }
  }

  /// Returns the first match in the beginning of a text, of ``longestText`` bytes; nil when there is none.
  ///
  /// A match may be empty.
  package func firstMatch(in text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      let end = unsafe Self.end(of: bytes)
      var (first, last) = (0, 0)
      let isFound = unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        unsafe tamis_re2_find(compiled, text.baseAddress, end, &first, &last)
      }
      return isFound ? unsafe String(decoding: bytes[first..<last], as: UTF8.self) : nil
    }
  }

  /// Returns the number of bytes to search, with whole characters.
  private static func end(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var end = min(bytes.count, longestText)
    while end < bytes.count, end > 0, unsafe bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  // MARK: - Refusals

  private static func refusal(of compiled: OpaquePointer, _ source: String) -> Refusal? {
    let fault = unsafe tamis_re2_fault_of(compiled)
    if fault == TAMIS_RE2_NONE {
      let isTooLarge = unsafe tamis_re2_size(compiled) > mostInstructions
      return isTooLarge ? Refusal(description: tooLarge(source)) : nil
    }
    if fault == TAMIS_RE2_TOO_LARGE { return Refusal(description: tooLarge(source)) }
    let message = unsafe String(cString: tamis_re2_message(compiled))
    let advice = advice(on: fault, message, source)
    return Refusal(description: "'\(source)' is not an expression of RE2: \(message)\(advice.map { "; \($0)" } ?? "")")
  }

  private static func tooLarge(_ source: String) -> String {
    "'\(source)' becomes too large; repeat less, and write narrower classes than \\pL"
  }

  /// The reason why something of other engines is missing.
  private static let because = "are not supported, because the time would not be linear"

  private static func advice(on fault: tamis_re2_fault, _ message: String, _ source: String) -> String? {
    switch fault {
    case TAMIS_RE2_PERL_OPERATOR where ["(?=", "(?!", "(?<=", "(?<!"].contains(where: source.contains):
      "look-ahead and look-behind \(because); put what must not match into a condition of its own, below 'not'"
    case TAMIS_RE2_PERL_OPERATOR where source.contains("(?<"):
      "leave out the name of the group"
    case TAMIS_RE2_PERL_OPERATOR where source.contains("(?>"): "write (?: for a group, since nothing is tried twice"
    case TAMIS_RE2_ESCAPE where message.utf8.last.map { (0x31...0x39).contains($0) } == true:
      "back-references \(because)"
    case TAMIS_RE2_ESCAPE: "write the character without the backslash"
    case TAMIS_RE2_REPETITION: "write one of them; a group in parentheses can be repeated again"
    case TAMIS_RE2_REPETITION_SIZE: "repeat 1000 times at most"
    case TAMIS_RE2_REPETITION_ARGUMENT: "write \\\(message.last.map { String($0) } ?? "*") for the character"
    default: nil
    }
  }
}
