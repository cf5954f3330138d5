import Foundation
import TestSupport
import Testing

/// Inputs that the fuzzer has found, judged by the fuzzer's own probes: `Probe.swift` is a link to its source, which
/// therefore compiles whenever the tests do.
@Suite struct ProbeTests {
  static let inputs = Fixtures.files(in: "Fuzz", withExtension: "bin")

  @Test("an input that the fuzzer found is no fault any more", arguments: inputs)
  func foundInputIsNoFault(_ file: URL) throws {
    let input = try Array(Data(contentsOf: file))
    let first = try #require(input.first)
    #expect(Probe.all[Int(first) % Probe.all.count].fault(in: Array(input.dropFirst())) == nil)
  }
}
