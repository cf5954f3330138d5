import Foundation
import FuzzTargets

/// libFuzzer's way in; it comes with the toolchain and has no Swift module.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Tries one input; the symbol is the one by which OSS-Fuzz recognizes a program that fuzzes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  if let fault = Fuzz.target.fault(in: Array(UnsafeBufferPointer(start: data, count: size))) {
    fatalError("\(fault)\n  in: \(Fuzz.target.name)")
  }
  return 0
}

/// Looks for inputs with which something does not hold, guided by what of the code they reach.
///
/// `TAMIS_FUZZ` names the target, see ``FuzzTargets``; without it, the name of the program does, as OSS-Fuzz wants it.
@main struct Fuzz {
  static let target: any FuzzTarget = chosen()

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    switch words.first {
    case "-show": show(words.dropFirst())
    case "-seeds" where words.count == 3: try await writeSeeds(from: words[2], to: words[3])
    default: exit(run())
    }
  }

  private static func chosen() -> any FuzzTarget {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let name = ProcessInfo.processInfo.environment["TAMIS_FUZZ"] ?? program
    if let target = FuzzTargets.named(name) { return target }
    let names = FuzzTargets.all.map(\.name).joined(separator: ", ")
    FileHandle.standardError.write(Data("'\(name)' is not a target; set TAMIS_FUZZ to one of: \(names)\n".utf8))
    exit(64)
  }

  /// Runs libFuzzer with the target's size of inputs, unless its arguments name another.
  private static func run() -> CInt {
    var words = CommandLine.arguments
    if !words.contains(where: { $0.hasPrefix("-max_len=") }) { words.append("-max_len=\(target.longest)") }
    var count = CInt(words.count)
    var pointers = words.map { strdup($0) } + [nil]
    return pointers.withUnsafeMutableBufferPointer { buffer in
      guard var arguments = buffer.baseAddress else { return 1 }
      return runDriver(&count, &arguments, testOneInput)
    }
  }

  /// `fuzz -show FILE…` prints what inputs stand for, and what is wrong with their results.
  private static func show(_ paths: ArraySlice<String>) {
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      print(target.text(of: Array(data)), target.fault(in: Array(data)) ?? "no fault", separator: "\n")
    }
  }

  /// `fuzz -seeds FIXTURES FOLDER` writes the inputs to begin with.
  private static func writeSeeds(from fixtures: String, to folder: String) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (number, seed) in try await target.seeds(from: SeedFiles(fixtures: fixtures)).enumerated() {
      try Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(number)"))
    }
  }
}
