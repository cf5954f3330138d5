import TamisCore

/// The elements and attributes that XHTML in a book may have (HTML's content models, as EPUB readers check them).
enum XHTMLRules {
  static let foreign: Set = ["svg", "math"]
  /// The elements left out of a book: it plays nothing, and each of its pictures is one file.
  static let left: Set = ["audio", "video", "source", "track"]

  /// The elements replaced by others with the same look, by class.
  ///
  /// These are obsolete ones, those allowed only once on a page, those that only programs read, and those that hide
  /// content until opened.
  static let written: [String: (name: String, look: String?)] = [
    "address": ("div", "address"), "center": ("div", "center"), "data": ("span", nil), "details": ("div", "details"),
    "footer": ("div", "footer"), "header": ("div", "header"), "hgroup": ("div", "hgroup"), "main": ("div", nil),
    "menu": ("ul", nil), "nav": ("div", "nav"), "picture": ("span", nil), "strike": ("s", nil),
    "summary": ("div", "summary"), "time": ("span", nil), "tt": ("code", nil),
  ]

  /// The image formats that every e-book reader supports (EPUB 3.3, 3.2), except drawings, which may contain anything.
  static let pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]

  /// Whether an element may have an attribute of this value; ids, classes, languages and links are handled elsewhere.
  static func allows(_ attribute: String, on name: String, _ value: ArraySlice<UInt8>, inside parent: String?) -> Bool {
    func isOne(of texts: String...) -> Bool { texts.contains { value.elementsEqual($0.utf8) } }
    func isNumber(from least: Int) -> Bool {
      guard !value.isEmpty, value.count < 9, value.allSatisfy(\.isASCIIDigit) else { return false }
      return Int(String(decoding: value, as: UTF8.self)).map { $0 >= least } ?? false
    }
    func isInteger() -> Bool {
      let digits = value.first == UInt8(ascii: "-") ? value.dropFirst() : value
      return !digits.isEmpty && digits.count < 10 && digits.allSatisfy(\.isASCIIDigit)
    }
    switch (name, attribute) {
    case ("bdo", "dir"): return isOne(of: "ltr", "rtl")
    case (_, "dir"): return isOne(of: "ltr", "rtl", "auto")
    case (_, "title"), ("a", "rel"), ("a", "aria-label"), ("img", "src"), ("img", "alt"): return true
    case ("img", "width"), ("img", "height"): return isNumber(from: 0)
    case ("td", "colspan"), ("th", "colspan"), ("col", "span"), ("colgroup", "span"): return isNumber(from: 1)
    case ("td", "rowspan"), ("th", "rowspan"): return isNumber(from: 0)
    case ("th", "scope"): return isOne(of: "row", "col", "rowgroup", "colgroup")
    case ("th", "abbr"): return true
    case ("ol", "start"): return isInteger()
    case ("ol", "reversed"): return isOne(of: "", "reversed")
    case ("ol", "type"): return isOne(of: "1", "a", "A", "i", "I")
    case ("li", "value"): return parent == "ol" && isInteger()
    default: return false
    }
  }

  /// Whether a URL leads out of the book and does not contain a document itself, as `data:` does.
  static func isAddress(_ address: ArraySlice<UInt8>) -> Bool {
    guard let colon = address.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = address[..<colon]
    guard scheme.first?.isASCIILetter == true,
      scheme.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) })
    else { return false }
    let name = String(decoding: scheme, as: UTF8.self).asciiLowercased()
    return !["data", "javascript", "vbscript", "file", "blob", "about"].contains(name)
  }

  /// Returns an equivalent URL that is valid by the URL Standard: characters that browsers tolerate are escaped.
  static func written(_ address: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(address)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    // The host may be an IPv6 address in brackets.
    let slashes = bytes.firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let host = bytes[min(slashes + 2, bytes.count)...].firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.count
    var (isQuery, isFragment) = (false, false)
    for (index, byte) in bytes.enumerated() {
      var isWritten = true
      switch byte {
      case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"),
        UInt8(ascii: "{"),
        UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "^"):
        isWritten = false
      case UInt8(ascii: "["), UInt8(ascii: "]"): isWritten = index < host
      case UInt8(ascii: "\\"):
        if !isQuery, !isFragment {
          output.append(UInt8(ascii: "/"))
          continue
        }
        isWritten = false
      case UInt8(ascii: "%"):
        isWritten = index + 2 < bytes.count && bytes[(index + 1)...(index + 2)].allSatisfy { $0.hexDigitValue != nil }
      case UInt8(ascii: "?"): isQuery = true
      case UInt8(ascii: "#"):
        isWritten = !isFragment
        isFragment = true
      default: break
      }
      if isWritten {
        output.append(byte)
      } else {
        output += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return output
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)

  /// Whether a name is an ASCII XML name without a namespace, as all supported ones are.
  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first.isASCIILetter else { return false }
    return name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x5F }
  }
}
