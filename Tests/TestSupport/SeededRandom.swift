/// Numbers that are the same in every run (SplitMix64), so that a failure can be seen again.
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// One of the numbers from 0 to below a limit; not quite evenly, which makes no difference here.
  package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  package mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }
}
