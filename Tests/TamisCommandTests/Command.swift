import Foundation

/// Runs the executable as its users do.
enum Command {
  struct Run {
    var output: String
    var errors: String
    var status: Int
  }

  /// The executable lies beside the test bundle.
  static let executable: URL = {
    let products = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    return (products ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()).appending(path: "tamis")
  }()

  static func tamis(_ arguments: [String], input: String = "", in path: String) throws -> Run {
    try run(executable.path, arguments, input: input, in: path)
  }

  /// Runs a script of the shell in which `tamis` is the executable.
  static func shell(_ script: String, in path: String) throws -> Run {
    try run("/bin/bash", ["-c", "tamis() { '\(executable.path)' \"$@\"; }\n" + script], in: path)
  }

  /// Runs any command; what goes in and comes out lies in a folder that is hidden.
  static func run(_ tool: String, _ arguments: [String], input: String = "", in path: String) throws -> Run {
    try FileManager.default.createDirectory(atPath: "\(path)/.run", withIntermediateDirectories: true)
    let (inFile, outFile, errorFile) = (".run/in", ".run/out.txt", ".run/err.txt")
    try Data(input.utf8).write(to: URL(filePath: "\(path)/\(inFile)"))
    for name in [outFile, errorFile] { try Data().write(to: URL(filePath: "\(path)/\(name)")) }
    let process = Process()
    process.executableURL = URL(filePath: tool)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: path)
    process.standardInput = FileHandle(forReadingAtPath: "\(path)/\(inFile)")
    process.standardOutput = FileHandle(forWritingAtPath: "\(path)/\(outFile)")
    process.standardError = FileHandle(forWritingAtPath: "\(path)/\(errorFile)")
    try process.run()
    process.waitUntilExit()
    return Run(
      output: try String(contentsOfFile: "\(path)/\(outFile)", encoding: .utf8),
      errors: try String(contentsOfFile: "\(path)/\(errorFile)", encoding: .utf8),
      status: Int(process.terminationStatus))
  }
}
