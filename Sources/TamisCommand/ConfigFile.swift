import ArgumentParser
import Tamis

/// The option that names the configuration, with functions to read and edit the file.
struct ConfigOptions: ParsableArguments {
  @Option(help: "The configuration.")
  var config: FilePath = "tamis.yaml"

  /// Returns the content of the file.
  func bytes() throws -> [UInt8] {
    guard config.kind != nil else {
      throw Terminal.failure(
        "tamis: error: \(TerminalText.beginning(of: config.description)) does not exist; create it with: tamis init [config]",
        .badData)
    }
    return try ConfigFile.read(config)
  }

  /// Waits until no other command edits the file; others wait while the lock lives.
  func lock() throws -> FileLock {
    if let lock = FileLock(beside: config, seconds: 30) { return lock }
    throw Terminal.failure(
      "tamis: error: \(config): another run edits this file, or its folder cannot be written to [config]", .cannotWrite)
  }

  /// Begins an edit of the file.
  func edit() throws -> ConfigEdit {
    do { return try ConfigEdit(bytes(), file: config.description) } catch let error as ConfigEdit.Refusal {
      throw Terminal.failure(error.description, .badData)
    }
  }
}

extension FilePath {
  /// Refuses to write over a file that the run reads.
  ///
  /// - Throws: an error of the arguments when this is one of `inputs`.
  func refuseAsOutput(of option: String, besides inputs: [FilePath]) throws {
    let own = resolved ?? absolute
    if inputs.contains(where: { ($0.resolved ?? $0.absolute) == own }) {
      throw ValidationError("\(option) names \(self), which this run reads; name another file")
    }
  }

  /// Writes an output file, or says in a message with this code what of the run cannot be written.
  func save(_ bytes: [UInt8], as what: String, code: String) throws {
    do { try FileOutput.write(bytes, to: self) } catch {
      throw Terminal.failure("tamis: error: \(self): \(what) cannot be written: \(error) [\(code)]", .cannotWrite)
    }
  }
}

enum ConfigFile {
  /// Returns the content of a file, or of standard input for `-`.
  static func read(_ path: FilePath) throws -> [UInt8] {
    do {
      var reader = try FileSource(path).makeReader()
      // One byte above the maximum shows that the file is too large.
      return try reader.rest(upTo: PlanetFile.maximumBytes)
    } catch {
      throw Terminal.failure("\(path): error: this file cannot be read: \(error.message) [read.failed]", .badData)
    }
  }

  /// Returns a text of a feed, escaped for a terminal.
  static func shown(_ text: String) -> String { TerminalText.beginning(of: text) }
}
