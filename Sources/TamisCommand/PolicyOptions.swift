import ArgumentParser
import Tamis
import TamisFoundation

extension SiteRules {
  /// Reads the rules in a file.
  static func load(_ path: FilePath) throws -> SiteRules {
    let text = String(decoding: try ConfigFile.read(path), as: UTF8.self)
    do throws(InvalidRules) { return try SiteRules(yaml: text, file: path.description) } catch {
      Terminal.report(error.findings, notes: true)
      throw ExitCode.badData
    }
  }
}

/// The options for the sanitizing rules.
struct PolicyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Rules by name, or a file (.yaml, .json).", valueName: "name|file"))
  var rules: String?

  @Option(
    help: ArgumentHelp("When libtidy repairs: never, broken or always.", valueName: "mode"),
    transform: { try Arguments.choice($0, of: Policy.TidyMode.self) })
  var tidy: Policy.TidyMode?

  /// Returns the sanitizer with the requested rules.
  func sanitizer(fallback: Sanitizer) throws -> Sanitizer {
    let sanitizer = try rules.map(Self.load) ?? fallback
    return tidy.map(sanitizer.with(tidy:)) ?? sanitizer
  }

  /// Returns the sanitizer for the shipped rules of this name, else for the rules file.
  static func load(_ name: String) throws -> Sanitizer {
    if let shipped = Sanitizer.shipped(named: name) { return shipped }
    guard let data = FilePath(name).contents(upTo: FilePath.longestConfiguration) else {
      let known = Policy.shippedNames.joined(separator: ", ")
      throw ValidationError("no rules '\(name)': neither a file of up to 16 MiB nor one of \(known)")
    }
    let text = String(decoding: data, as: UTF8.self)
    do {
      let (policy, findings) = try Policy.read(rules: text, file: name)
      Terminal.report(findings, notes: false)
      return try Sanitizer(policy: policy)
    } catch {
      Terminal.report(error.findings, notes: true)
      throw ExitCode.badData
    }
  }
}
