import Foundation
import TamisLibC

extension Command {
  /// Why there is no terminal: an `errno`.
  struct NoTerminal: Error {
    let code: Int32
  }

  /// Runs the executable on a terminal; the output is what the terminal got of both streams.
  static func tamisOnTerminal(_ arguments: [String], in path: String) throws -> Run {
    let (terminal, device) = try openTerminal()
    defer { close(terminal) }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(fileDescriptor: device, closeOnDealloc: false)
    process.standardError = process.standardOutput
    do {
      // Only when the process alone has the device open does the terminal end with it.
      defer { close(device) }
      try process.run()
    }
    // A terminal holds some KB: the process waits while nobody reads.
    let output = readAll(terminal)
    process.waitUntilExit()
    return Run(output: String(decoding: output, as: UTF8.self), errors: "", status: Int(process.terminationStatus))
  }

  /// The two ends of a new terminal: ours, and the device that a process writes to.
  private static func openTerminal() throws -> (terminal: Int32, device: Int32) {
    var (terminal, device): (Int32, Int32) = (-1, -1)
    guard openpty(&terminal, &device, nil, nil, nil) == 0 else { throw NoTerminal(code: errno) }
    // Processes that other tests begin at the same time do not inherit them.
    for end in [terminal, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (terminal, device)
  }

  /// Reads until nobody has the device open any more: Linux says EIO then, macOS that the file ends.
  private static func readAll(_ terminal: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(terminal, &piece, piece.count)
      if count > 0 {
        output += piece[..<count]
      } else if count == 0 || errno != EINTR {
        return output
      }
    }
  }
}
