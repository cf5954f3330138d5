/// Fragments for the sanitizer; the first byte chooses rules, tidy mode and base.
struct SanitizerTarget: FuzzTarget {
  let name = "sanitizer"
  let longest = 1200

  func fault(in input: [UInt8]) -> String? {
    Probe.chosen(by: input).flatMap { $0.probe.fault(in: Array($0.rest)) }
  }

  func text(of input: [UInt8]) -> String {
    Probe.chosen(by: input).map { "\($0.probe.name) \(String(decoding: $0.rest, as: UTF8.self))" } ?? ""
  }

  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let fragments = files.sections("input", in: "Sanitizer") + files.sections("input", in: "Tidy")
    return fragments.enumerated().map { [UInt8($0.offset % Probe.all.count)] + $0.element }
  }
}
