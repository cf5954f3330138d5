/// Tag soup for the sanitizer, a piece for each byte; the first byte chooses as that of ``SanitizerTarget`` does.
struct SoupTarget: FuzzTarget {
  let name = "soup"
  let longest = 1200

  func fault(in input: [UInt8]) -> String? {
    Probe.chosen(by: input).flatMap { $0.probe.fault(in: Soup.markup($0.rest)) }
  }

  func text(of input: [UInt8]) -> String {
    Probe.chosen(by: input).map { "\($0.probe.name) \(String(decoding: Soup.markup($0.rest), as: UTF8.self))" } ?? ""
  }

  /// Returns the pieces of fragments with tables and lists; what of them is no piece is left out.
  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let fragments = files.sections("input", in: "Tidy") + files.sections("input", in: "Sanitizer")
    return fragments.enumerated().map { [UInt8($0.offset % Probe.all.count)] + Soup.bytes(of: $0.element) }
  }
}
