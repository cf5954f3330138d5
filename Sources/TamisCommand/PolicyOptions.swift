import ArgumentParser
import Foundation
import Tamis

extension SiteRules {
  /// The rules in a file.
  static func load(_ path: FilePath) throws -> SiteRules {
    let text = String(decoding: try ConfigFile.read(path), as: UTF8.self)
    do throws(Rules.Invalid) { return try Rules.sites(from: text, file: path.description) } catch {
      Terminal.report(error.findings, notes: true)
      throw ExitCode.badData
    }
  }
}

/// Which rules are in force.
struct PolicyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Rules by name, or a rules file.", valueName: "name|file"))
  var rules: String?

  @Option(
    help: ArgumentHelp("When libtidy repairs: never, repair (what is untidy) or always.", valueName: "mode"),
    transform: { text in
      guard let mode = Policy.TidyMode(rawValue: text) else {
        throw ValidationError(
          "'\(text)' is none of \(Policy.TidyMode.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return mode
    })
  var tidy: Policy.TidyMode?

  /// The policy that the options ask for.
  func policy(fallback: Policy) throws -> Policy {
    let policy = try rules.map(Self.load) ?? fallback
    return tidy.map { policy.with(tidy: $0) } ?? policy
  }

  /// The shipped rules of this name, else the file.
  static func load(_ name: String) throws -> Policy {
    if let shipped = Rules.policy(named: name) { return shipped }
    guard let data = FileManager.default.contents(atPath: name) else {
      let known = Rules.names.joined(separator: ", ")
      throw ValidationError("there are no rules '\(name)': neither a file nor one of \(known)")
    }
    do {
      return try Rules.policy(from: String(decoding: data, as: UTF8.self), file: name)
    } catch {
      Terminal.report(error.findings, notes: true)
      throw ExitCode.badData
    }
  }
}
