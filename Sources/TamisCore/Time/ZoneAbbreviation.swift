/// Time zones by their abbreviations, as feeds and web pages write them.
package enum ZoneAbbreviation {
  /// Returns the minutes ahead of UTC of an abbreviation in lower case; nil when it is not known.
  ///
  /// An abbreviation of several zones is that of the zone whose writers use it in dates: `IST` is India's, `CST` and
  /// `EST` are America's.
  package static func minutes(_ name: String) -> Int? { minutes[name] }

  /// Returns the minutes ahead of UTC of an abbreviation in lower case that means another zone in some languages.
  ///
  /// - Parameters:
  ///   - name: the abbreviation.
  ///   - language: a language tag (BCP 47).
  /// - Returns: the minutes in that language, nil when it is what it is in others.
  package static func minutes(_ name: String, in language: String) -> Int? {
    // `he_IL`, as some feeds write it.
    let tag = String(language.asciiLowercased().map { $0 == "_" ? "-" : $0 })
    return national.first { $0.name == name && (tag == $0.language || tag.hasPrefix($0.language + "-")) }?.minutes
  }

  private static let national: [(name: String, language: String, minutes: Int)] = [
    ("ist", "he", 120), ("ist", "iw", 120), ("ist", "yi", 120), ("ist", "ga", 60), ("ist", "en-ie", 60),
    ("cst", "zh", 480), ("est", "en-au", 600), ("ast", "ar", 180), ("bst", "bn", 360), ("mst", "ms", 480),
    ("pst", "fil", 480), ("pst", "tl", 480),
  ]

  /// The abbreviations that are also words of texts.
  package static let words: Set = [
    "a", "art", "at", "cat", "ct", "eat", "et", "m", "met", "mt", "n", "pet", "pt", "wat", "west", "wit", "y",
  ]

  private static let minutes: [String: Int] = {
    let zones = """
      -660 sst -600 hst -540 akst hdt -480 pst pt akdt -420 mst mt pdt -360 cst ct mdt -300 est et cdt pet cot ect
      -240 ast at edt bot vet clt -210 nst -180 adt brt art uyt clst -150 ndt -120 brst 0 ut gmt utc z wet
      60 cet met mez bst west wat 120 cest mest mesz eet sast cat 180 msk eest eat trt idt 210 irst 240 gst msd samt
      300 pkt uzt yekt 330 ist 345 npt 360 omst 390 mmt 420 wib ict novt krat 480 sgt hkt pht myt awst wita irkt
      540 jst kst wit yakt 570 acst 600 aest chst vlat 630 acdt 660 aedt magt 720 nzst pett y 780 nzdt
      -60 a 60 n -720 m
      """
    var (table, offset): ([String: Int], Int) = ([:], 0)
    for word in zones.split(whereSeparator: \.isWhitespace) {
      if let number = Int(word) { offset = number } else { table[String(word)] = offset }
    }
    return table
  }()
}
