import TamisCore

/// A measurement of the time that a program takes for a shape, and of the length of its output, at four sizes.
struct GrowthProbe {
  /// The sizes of the repeated text in bytes, each twice the one before.
  private static let sizes = [16_384, 32_768, 65_536, 131_072]
  /// The growth from one size to the next that is more than in proportion; the square of a length grows four times.
  private static let most = 3.0
  /// The time below which growth does not matter.
  private static let least = 0.5
  /// The number of bytes of output for each byte of input from which its growth matters.
  private static let mostOutput = 20

  private let program: OtherProgram

  init(_ program: OtherProgram) { self.program = program }

  /// Returns the fault of a program that takes or writes more than in proportion to its input; nil when there is none.
  ///
  /// The time for a short fragment, most of it that of starting the program, is subtracted.
  func fault(of shape: SuiteEntry.Shape) -> OtherFault? {
    let start = measure("<p>Hello</p>").seconds
    var times: [Double] = []
    var outputs: [Int] = []
    for size in Self.sizes {
      let (seconds, output) = measure(shape.fragment(bytes: size))
      guard let output else { return unanswered(size, after: times.last) }
      times.append(max(0.001, seconds - start))
      outputs.append(output)
    }
    let sizes = "\(Self.sizes[0] >> 10) to \(Self.sizes[3] >> 10) KiB"
    if times[3] > Self.least, Self.grows(times) {
      return OtherFault(
        kind: .slow,
        message: "for \(sizes) of the repeated text it takes \(times.map(Self.rounded).joined(separator: ", ")) s")
    }
    if outputs[3] > Self.mostOutput * Self.sizes[3], Self.grows(outputs.map(Double.init)) {
      return OtherFault(
        kind: .slow,
        message: "for \(sizes) of the repeated text it writes \(outputs.map(String.init).joined(separator: ", ")) bytes"
      )
    }
    return nil
  }

  private func measure(_ html: String) -> (seconds: Double, output: Int?) {
    let clock = ContinuousClock()
    var answer: OtherProgram.Answer?
    let time = clock.measure { answer = program.answers(to: [OtherProgram.Fragment(html: html)]).first }
    let output: Int? = if case .refused = answer { 0 } else { answer?.html?.utf8.count }
    return (time / .milliseconds(1) / 1000, output)
  }

  /// A shape that has no answer in time although smaller ones had is slow; otherwise the program cannot read it at all.
  private func unanswered(_ size: Int, after time: Double?) -> OtherFault {
    OtherFault(kind: time == nil ? .unanswered : .slow, message: "no answer for \(size >> 10) KiB of the repeated text")
  }

  private static func grows(_ values: [Double]) -> Bool {
    zip(values.suffix(3), values.suffix(2)).allSatisfy { $1 > most * $0 }
  }

  private static func rounded(_ seconds: Double) -> String { "\((seconds * 100).rounded() / 100)" }
}
