import Foundation
import FuzzTargets

/// A list of arguments as C has it.
public typealias ArgumentList = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's way in; it comes with the toolchain and has no Swift module.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<ArgumentList>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Tries one input; libFuzzer calls it by this name.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  if let fault = Fuzz.target.fault(in: Array(UnsafeBufferPointer(start: data, count: size))) {
    fatalError("\(fault)\n  in: \(Fuzz.target.name)")
  }
  return 0
}

/// Reads the arguments before libFuzzer does, and bounds inputs by the target unless they say otherwise.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<ArgumentList>) -> CInt {
  var words = (0..<Int(count.pointee)).compactMap { arguments.pointee[$0].map { String(cString: $0) } }
  switch words.dropFirst().first {
  case "-show": Fuzz.show(words.dropFirst(2))
  case "-seeds" where words.count == 4: Fuzz.writeSeeds(from: words[2], to: words[3])
  default:
    if !words.contains(where: { $0.hasPrefix("-max_len=") }) { words.append("-max_len=\(Fuzz.target.longest)") }
    let list = ArgumentList.allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { list[index] = strdup(word) }
    list[words.count] = nil
    (count.pointee, arguments.pointee) = (CInt(words.count), list)
    return 0
  }
  exit(0)
}

/// Looks for inputs with which something does not hold, guided by what of the code they reach.
///
/// `TAMIS_FUZZ` names the target, see ``FuzzTargets``; without it, the name of the program does, as OSS-Fuzz wants it.
/// This main function is for programs that are linked without that of libFuzzer.
@main struct Fuzz {
  static let target: any FuzzTarget = chosen()

  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments, testOneInput))
  }

  private static func chosen() -> any FuzzTarget {
    let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? ""
    let name = ProcessInfo.processInfo.environment["TAMIS_FUZZ"] ?? program
    if let target = FuzzTargets.named(name) { return target }
    let names = FuzzTargets.all.map(\.name).joined(separator: ", ")
    fail("'\(name)' is not a target; set TAMIS_FUZZ to one of: \(names)", code: 64)
  }

  /// `fuzz -show FILE…` prints what inputs stand for, and what is wrong with their results.
  fileprivate static func show(_ paths: ArraySlice<String>) {
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      print(target.text(of: Array(data)), target.fault(in: Array(data)) ?? "no fault", separator: "\n")
    }
  }

  /// `fuzz -seeds FIXTURES FOLDER` writes the inputs to begin with.
  fileprivate static func writeSeeds(from fixtures: String, to folder: String) {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, seed) in try await target.seeds(from: SeedFiles(fixtures: fixtures)).enumerated() {
          try Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(number)"))
        }
      } catch {
        fail("the seeds cannot be written: \(error)", code: 1)
      }
      isDone.signal()
    }
    isDone.wait()
  }

  private static func fail(_ message: String, code: CInt) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
  }
}
