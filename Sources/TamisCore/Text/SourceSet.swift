/// A parser and serializer of the `srcset` attribute (HTML Standard, 4.8.4.3.10, "parse a srcset attribute").
///
/// Commas inside URLs and parentheses are supported.
package enum SourceSet {
  /// An image candidate of a `srcset` attribute.
  package struct Candidate: Equatable, Sendable {
    /// The URL, without white space.
    package var url: [UInt8]
    /// `640w`, `2x` or nothing.
    package var descriptor: [UInt8]

    /// Makes a candidate.
    package init(url: [UInt8], descriptor: [UInt8]) {
      self.url = url
      self.descriptor = descriptor
    }

    /// The candidate in the form that later stages use.
    package var fact: SanitizedHTML.Facts.Candidate {
      let number = String(decoding: descriptor.dropLast(), as: UTF8.self)
      return SanitizedHTML.Facts.Candidate(
        url: String(streamSafe: url),
        width: descriptor.last == UInt8(ascii: "w") ? Int(number) : nil,
        density: descriptor.last == UInt8(ascii: "x") ? Double(number) : nil)
    }
  }

  /// Returns the valid candidates in order.
  package static func parse(_ text: borrowing Span<UInt8>) -> [Candidate] {
    var candidates: [Candidate] = []
    var index = 0
    while true {
      while index < text.count, text[index].isHTMLSpace || text[index] == UInt8(ascii: ",") { index += 1 }
      guard index < text.count else { return candidates }
      let start = index
      while index < text.count, !text[index].isHTMLSpace { index += 1 }
      var end = index
      while text[end - 1] == UInt8(ascii: ",") { end -= 1 }
      let descriptors = end == index ? Self.descriptors(text, &index) : []
      guard let descriptor = descriptor(descriptors) else { continue }
      var url: [UInt8] = []
      url.append(text, start..<end)
      candidates.append(Candidate(url: url, descriptor: descriptor))
    }
  }

  /// Returns the candidates as an attribute value.
  ///
  /// A comma at either end of a URL would be read as a separator, so it is percent-encoded.
  package static func serialize(_ candidates: [Candidate]) -> [UInt8] {
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

  /// Returns the words up to the comma that ends the candidate.
  ///
  /// Commas and spaces in parentheses are not separators (step 8, "tokenize the descriptors").
  private static func descriptors(_ text: borrowing Span<UInt8>, _ index: inout Int) -> [[UInt8]] {
    var descriptors: [[UInt8]] = []
    var current: [UInt8] = []
    var isInParentheses = false
    while index < text.count {
      let byte = text[index]
      index += 1
      if isInParentheses {
        current.append(byte)
        if byte == UInt8(ascii: ")") { isInParentheses = false }
      } else if byte == UInt8(ascii: ",") {
        break
      } else if byte.isHTMLSpace {
        if !current.isEmpty { descriptors.append(current) }
        current = []
      } else {
        current.append(byte)
        if byte == UInt8(ascii: "(") { isInParentheses = true }
      }
    }
    return current.isEmpty ? descriptors : descriptors + [current]
  }

  /// Returns the width or density descriptor among the words; nil when the candidate is invalid.
  ///
  /// The result is empty when there is neither. A height is valid only beside a width, and no browser uses it, so it is
  /// removed.
  private static func descriptor(_ words: [[UInt8]]) -> [UInt8]? {
    var size: [UInt8]?
    var hasHeight = false
    for word in words {
      guard let unit = word.last else { continue }
      let number = Array(word.dropLast())
      switch unit {
      case UInt8(ascii: "w") where size == nil && isPositive(number): size = word
      case UInt8(ascii: "x") where size == nil && !hasHeight && isDensity(number): size = word
      case UInt8(ascii: "h") where !hasHeight && isPositive(number): hasHeight = true
      default: return nil
      }
    }
    if hasHeight, size?.last != UInt8(ascii: "w") { return nil }
    return size ?? []
  }

  /// Returns whether a number is a positive integer that browsers do not ignore as too large.
  private static func isPositive(_ number: [UInt8]) -> Bool {
    guard !number.isEmpty, number.allSatisfy(\.isASCIIDigit), let value = Int32(String(decoding: number, as: UTF8.self))
    else { return false }
    return value > 0
  }

  /// Returns whether a number is a valid floating-point number (HTML Standard, 2.3.4.3) that is not negative.
  private static func isDensity(_ number: [UInt8]) -> Bool {
    var rest = number[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix(while: \.isASCIIDigit)
    rest = rest.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
      if fraction.isEmpty { return false }
      rest = rest.dropFirst(fraction.count + 1)
    } else if whole.isEmpty {
      return false
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
      if rest.isEmpty || !rest.allSatisfy(\.isASCIIDigit) { return false }
      rest = []
    }
    guard rest.isEmpty, let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite else {
      return false
    }
    return value >= 0
  }
}
