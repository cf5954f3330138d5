/// The encoding that the first bytes reveal: a byte order mark, or `<?xm` in a wide encoding (XML 1.0, appendix F).
struct ByteOrderMark {
  var name: String
  /// The number of bytes of the mark itself.
  var length: Int

  init?(_ bytes: [UInt8]) {
    let head = Array(bytes.prefix(4))
    switch head {
    case [0x00, 0x00, 0xFE, 0xFF]: (name, length) = ("utf-32be", 4)
    case [0xFF, 0xFE, 0x00, 0x00]: (name, length) = ("utf-32le", 4)
    case [0x00, 0x00, 0x00, 0x3C]: (name, length) = ("utf-32be", 0)
    case [0x3C, 0x00, 0x00, 0x00]: (name, length) = ("utf-32le", 0)
    case [0x00, 0x3C, 0x00, 0x3F]: (name, length) = ("utf-16be", 0)
    case [0x3C, 0x00, 0x3F, 0x00]: (name, length) = ("utf-16le", 0)
    case [0x4C, 0x6F, 0xA7, 0x94]: (name, length) = ("cp037", 0)
    case _ where head.starts(with: [0xFE, 0xFF]): (name, length) = ("utf-16be", 2)
    case _ where head.starts(with: [0xFF, 0xFE]): (name, length) = ("utf-16le", 2)
    case _ where head.starts(with: [0xEF, 0xBB, 0xBF]): (name, length) = ("utf-8", 3)
    default: return nil
    }
  }
}
