import Foundation

/// libFuzzer's way in; it comes with the toolchain and has no Swift module.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Looks for inputs that make the sanitizer break its output contract, guided by what of its code they reach.
///
/// `TAMIS_FUZZ` says what the bytes of an input stand for: `bytes` (the fragment itself) or `soup` (pieces of markup
/// that are hard on libtidy, see ``Soup``). The first byte chooses rules, tidy mode and base.
@main struct Fuzz {
  static func main() {
    guard CommandLine.arguments.dropFirst().first?.hasPrefix("-show") != true else { return show() }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(
      runDriver(&count, &arguments) { data, size in
        guard let first = data?.pointee else { return 0 }
        let fragment = Self.fragment(UnsafeBufferPointer(start: data, count: size).dropFirst())
        if let fault = Probe.all[Int(first) % Probe.all.count].fault(in: fragment) { fatalError(fault) }
        return 0
      })
  }

  /// `fuzz -show FILE…` prints the fragments that inputs stand for.
  private static func show() {
    for path in CommandLine.arguments.dropFirst(2) {
      guard let data = FileManager.default.contents(atPath: path), let first = data.first else { continue }
      print(Probe.all[Int(first) % Probe.all.count].name, String(decoding: fragment(data.dropFirst()), as: UTF8.self))
    }
  }

  private static let isSoup = ProcessInfo.processInfo.environment["TAMIS_FUZZ"] == "soup"

  private static func fragment(_ bytes: some Sequence<UInt8>) -> [UInt8] { isSoup ? Soup.markup(bytes) : Array(bytes) }
}
