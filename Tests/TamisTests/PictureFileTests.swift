import Tamis
import TestSupport
import Testing

/// Pictures by their bytes, in the cases of `Fixtures/Pictures`.
@Suite struct PictureFileTests {
  @Test(arguments: Case.all(in: "Pictures"))
  func pictureFormatAndSizeAreReadFromBytes(_ each: Case) throws {
    let bytes = Self.bytes(try #require(each.sections["input"]))
    #expect(Self.outcome(bytes) == each.sections["output"])
  }

  /// A picture truncated or altered at any byte is rejected or stays within the pixel limit.
  @Test(arguments: Case.all(in: "Pictures"))
  func damagedPictureIsRejectedOrWithinLimits(_ each: Case) throws {
    let bytes = Self.bytes(try #require(each.sections["input"]))
    for length in 0...bytes.count { _ = Self.outcome(Array(bytes.prefix(length))) }
    let limits = PictureLimits()
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        guard let file = try? PictureFile(changed) else { continue }
        #expect(file.width > 0 && file.height > 0 && file.width * file.height <= limits.pixels)
      }
    }
  }

  @Test func oversizedPictureIsRejected() {
    var limits = PictureLimits()
    limits.bytes = 40
    let bytes = Self.bytes("89504e470d0a1a0a 0000000d \"IHDR\" 00000280 000001e0 08020000 00 00000000 00*20")
    #expect(throws: PictureRefusal.tooLarge("53 bytes, and 40 are allowed")) {
      try PictureFile(bytes, limits: limits)
    }
  }

  private static func outcome(_ bytes: [UInt8]) -> String {
    do throws(PictureRefusal) {
      let file = try PictureFile(bytes)
      return "\(file.format.ending) \(file.width)x\(file.height)"
    } catch {
      return switch error {
      case .notAPicture(let found): "no picture: \(found)"
      case .damaged(let format): "damaged \(format.ending)"
      case .tooLarge: "too large"
      case .unseen: "unseen"
      }
    }
  }

  /// `"text"`, hexadecimal digits, and `00*65`.
  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if number % 2 == 1 {
        bytes += part.utf8
        continue
      }
      for word in part.split(whereSeparator: \.isWhitespace) {
        let sides = word.split(separator: "*")
        let digits = Array(sides[0])
        let values = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
          UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        for _ in 0..<(sides.count > 1 ? Int(sides[1]) ?? 1 : 1) { bytes += values }
      }
    }
    return bytes
  }
}
