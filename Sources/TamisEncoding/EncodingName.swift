import TamisCore

/// Conversion of encoding names in feeds to names that iconv knows.
///
/// Python's names are accepted too, because Universal Feed Parser takes them (docs.python.org, "Standard Encodings").
enum EncodingName {
  /// Returns the name for iconv; nil when the text does not name an encoding.
  ///
  /// iconv accepts more than names: a suffix after `//` tells it to drop what it cannot convert, and a name without
  /// letters and digits, or `char`, is the encoding of the current locale.
  static func iconv(_ name: String) -> String? {
    guard name.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || "-_.:+() ".utf8.contains($0) }),
      name.utf8.contains(where: { $0.isASCIILetter || $0.isASCIIDigit }), !ofTheMachine.contains(name)
    else { return nil }
    let plain = name.replacing("_", with: "-")
    if let known = aliases[plain] ?? aliases[plain.filter { $0 != "-" }] { return known }
    // A bare number is a code page.
    if plain.utf8.allSatisfy(\.isASCIIDigit) { return "CP" + plain }
    if plain.hasPrefix("iso2022") { return "ISO-2022" + plain.dropFirst("iso2022".count) }
    // `iso-8859-5-1988`: the year is ignored.
    let parts = plain.split(separator: "-")
    if parts.count == 4, plain.hasPrefix("iso-8859-") { return parts.prefix(3).joined(separator: "-") }
    return plain
  }

  /// Returns the size of a code unit in bytes, by the name for iconv; 0 for encodings with escape sequences.
  static func unit(of name: String) -> Int {
    let letters = name.asciiLowercased().filter { $0.isLetter || $0.isNumber }
    if letters.hasPrefix("iso2022") { return 0 }
    if ["utf32", "ucs4", "iso10646ucs4", "csucs4"].contains(where: letters.hasPrefix) { return 4 }
    return ["utf16", "ucs2", "iso10646ucs2", "unicode", "csunicode"].contains(where: letters.hasPrefix) ? 2 : 1
  }

  private static let ofTheMachine: Set = ["char", "wchar_t", "internal"]

  /// iconv names by names without hyphens.
  private static let aliases: [String: String] = [
    "big5tw": "BIG5-HKSCS", "cp866u": "CP1125", "chinese": "GB18030", "cp1051": "HP-ROMAN8", "cp154": "PT154",
    "cpis": "CP861",
    "csbig5": "BIG5-HKSCS", "csibm858": "CP858", "csibm861": "CP861", "csiso58gb231280": "GB18030",
    "csptcp154": "PT154",
    "cyrillicasian": "PT154", "elot928": "ISO-8859-7", "eucgb2312cn": "GB18030", "eucjis2004": "EUC-JISX0213",
    "eucjisx0213": "EUC-JISX0213", "gb180302000": "GB18030", "gb2312": "GB18030", "gb231280": "GB18030",
    "gb23121980": "GB18030", "hkscs": "BIG5-HKSCS", "ibm039": "CP037", "ibm1051": "HP-ROMAN8", "ibm1125": "CP1125",
    "iso2022jp1": "ISO-2022-JP-2", "iso2022jpext": "ISO-2022-JP-2", "iso2022jp2004": "ISO-2022-JP-3",
    "isoir58": "GB18030", "jisx0213": "EUC-JISX0213", "korean": "CP949", "ksc5601": "CP949",
    "ksc56011987": "CP949", "ksx1001": "CP949", "l9": "ISO-8859-15", "maccenteuro": "MAC-CENTRALEUROPE",
    "maccentraleurope": "MAC-CENTRALEUROPE", "maclatin2": "MAC-CENTRALEUROPE",
    "macroman": "MACINTOSH", "ms1361": "JOHAB", "ms949": "CP949", "ms950": "CP950", "mskanji": "CP932",
    "ptcp154": "PT154", "shiftjis": "CP932", "shiftjis2004": "SHIFT_JISX0213", "shiftjisx0213": "SHIFT_JISX0213",
    "sjis": "CP932", "sjis2004": "SHIFT_JISX0213", "sjisx0213": "SHIFT_JISX0213", "thai": "CP874",
    "tis6200": "CP874", "tis62025290": "CP874", "tis62025291": "CP874", "u16": "UTF-16", "u32": "UTF-32",
    "u7": "UTF-7", "ujis": "EUC-JP-MS", "unicode11utf7": "UTF-7", "utf16be": "UTF-16BE", "utf16le": "UTF-16LE",
    "utf32be": "UTF-32BE", "utf32le": "UTF-32LE", "xmacjapanese": "CP932", "xmackorean": "CP949",
    "xmacsimpchinese": "GB18030", "xmactradchinese": "BIG5-HKSCS",
  ]
}
