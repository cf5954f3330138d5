import TamisCore
import Testing

@Suite struct CivilTimeTests {
  @Test func monthsBeginWithTheirFirstSecond() {
    for number in Int64(12)...(9999 * 12 + 11) {
      let start = CivilTime.start(ofMonth: number)
      let (first, last) = (CivilTime(seconds: start), CivilTime(seconds: CivilTime.start(ofMonth: number + 1) - 1))
      #expect(first.monthNumber == number && last.monthNumber == number, "month \(number)")
      #expect(first.day == 1 && first.hour == 0 && first.minute == 0 && first.second == 0, "month \(number)")
    }
    #expect(CivilTime.start(ofMonth: .max) == 253_402_300_800, "as GNU date says")
    #expect(CivilTime.start(ofMonth: .min) == CivilTime.start(ofMonth: 0))
  }
}
