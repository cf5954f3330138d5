import TamisCore

/// The `srcset` attribute (HTML Standard, 4.8.4.3.10, "parse a srcset attribute"): commas inside URLs and parentheses
/// included.
enum SourceSet {
  struct Candidate: Equatable {
    /// The URL, without white space.
    var url: [UInt8]
    /// `640w`, `2x` or nothing.
    var descriptor: [UInt8]

    /// The candidate as later stages want it.
    var fact: MarkupFacts.Candidate {
      let number = String(decoding: descriptor.dropLast(), as: UTF8.self)
      return MarkupFacts.Candidate(
        url: String(decoding: url, as: UTF8.self),
        width: descriptor.last == UInt8(ascii: "w") ? Int(number) : nil,
        density: descriptor.last == UInt8(ascii: "x") ? Double(number) : nil)
    }
  }

  /// The valid candidates in order.
  static func parse(_ text: borrowing Span<UInt8>) -> [Candidate] {
    var candidates: [Candidate] = []
    var index = 0
    while true {
      while index < text.count, text[index].isHTMLSpace || text[index] == UInt8(ascii: ",") { index += 1 }
      guard index < text.count else { return candidates }
      var url: [UInt8] = []
      while index < text.count, !text[index].isHTMLSpace {
        url.append(text[index])
        index += 1
      }
      var descriptor: [UInt8] = []
      if url.last == UInt8(ascii: ",") {
        while url.last == UInt8(ascii: ",") { url.removeLast() }
      } else {
        descriptor = Self.descriptor(text, &index)
      }
      if isValid(descriptor) { candidates.append(Candidate(url: url, descriptor: descriptor)) }
    }
  }

  /// The candidates as a value.
  ///
  /// A comma at either end of a URL would be read as a separator, so it is written in percent.
  static func serialize(_ candidates: [Candidate]) -> [UInt8] {
    var output: [UInt8] = []
    for candidate in candidates {
      if !output.isEmpty { output.append(contentsOf: ", ".utf8) }
      var url = candidate.url[...]
      while url.first == UInt8(ascii: ",") {
        output.append(contentsOf: "%2C".utf8)
        url = url.dropFirst()
      }
      let trailing = url.reversed().prefix { $0 == UInt8(ascii: ",") }.count
      output.append(contentsOf: url.dropLast(trailing))
      for _ in 0..<trailing { output.append(contentsOf: "%2C".utf8) }
      if !candidate.descriptor.isEmpty {
        output.append(ASCII.space)
        output.append(contentsOf: candidate.descriptor)
      }
    }
    return output
  }

  /// The text up to the comma that ends the candidate; commas in parentheses do not.
  private static func descriptor(_ text: borrowing Span<UInt8>, _ index: inout Int) -> [UInt8] {
    var descriptor: [UInt8] = []
    var depth = 0
    while index < text.count {
      let byte = text[index]
      if byte == UInt8(ascii: ","), depth == 0 { break }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
      descriptor.append(byte.isHTMLSpace ? ASCII.space : byte)
      index += 1
    }
    while descriptor.last == ASCII.space { descriptor.removeLast() }
    return Array(descriptor.drop { $0 == ASCII.space })
  }

  /// Nothing, a positive whole width `640w`, or a density `1.5x`; a height after a width is dropped by no browser that
  /// still matters, so two descriptors are refused.
  private static func isValid(_ descriptor: [UInt8]) -> Bool {
    guard let unit = descriptor.last else { return true }
    let number = descriptor.dropLast()
    switch unit {
    case UInt8(ascii: "w"):
      return !number.isEmpty && number.allSatisfy(\.isASCIIDigit) && number.contains { $0 != UInt8(ascii: "0") }
    case UInt8(ascii: "x"):
      let isDecimal = number.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
      return isDecimal && number.contains(where: \.isASCIIDigit) && number.filter { $0 == UInt8(ascii: ".") }.count <= 1
    default: return false
    }
  }
}
