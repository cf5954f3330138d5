import Foundation
import TamisCheck
import TamisCore
import TestSupport
import Testing

/// `Fixtures/Dedupe/Scenarios/*.txt`: sequences of feed documents, and what the archive must decide about each post.
@Suite struct ScenarioTests {
  static let scenarios: [CaseFile.Case] = Fixtures.files(in: "Dedupe/Scenarios", withExtension: "txt").flatMap { url in
    CaseFile((try? String(contentsOf: url, encoding: .utf8)) ?? "", file: url.lastPathComponent).cases
  }

  @Test func fixtureScenariosExist() { #expect(Self.scenarios.count >= 60) }

  @Test(arguments: scenarios)
  func scenarioPostsAreDecidedAsExpected(_ scenario: CaseFile.Case) throws {
    let folder = try Fixtures.temporaryFolder()
    var runner = ScenarioRunner(folder: folder.path)
    for section in scenario.sections {
      let found = try runner.run(section.name, section.text)
      let expected = section.name.hasPrefix("write") ? [] : section.text.split(separator: "\n").map(String.init)
      let location = "\(scenario.location.file):\(section.line)"
      for line in expected where !found.contains(line) {
        Issue.record("\(scenario.name) (\(location)): expected '\(line)', found \(found)")
      }
      if section.name.hasPrefix("archive"), !found.isEmpty { Issue.record("\(scenario.name) (\(location)): \(found)") }
      if section.name.hasPrefix("build"), expected.count != found.count {
        Issue.record("\(scenario.name) (\(location)): \(expected.count) posts expected, found \(found)")
      }
    }
  }
}

/// Does what the sections of a scenario say, with the real command.
private struct ScenarioRunner {
  let folder: String
  /// The post of each page that was heard of: its file and title.
  private var posts: [String: String] = [:]

  /// When the next build runs.
  private var time = "2027-01-01T00:00:00Z"

  init(folder: String) { self.folder = folder }

  private struct Event: Decodable {
    var file: String
    var title: String
    var decision: String
    var change: String?
    var page: String?
    var of: String?
  }

  /// What came out, a line for each post.
  mutating func run(_ name: String, _ text: String) throws -> [String] {
    let words = Self.words(name)
    switch words[0] {
    case "write":
      let document = ScenarioFeed(text, file: words[1]).document
      try Data(document.utf8).write(to: URL(filePath: "\(folder)/\(words[1])"))
    case "delete": try FileManager.default.removeItem(atPath: "\(folder)/\(words[1])")
    case "build": return try build(Array(words.dropFirst()))
    case "archive":
      let run = try Command.tamis(["archive", words[1], "--archive", "site.archive"] + words.dropFirst(2), in: folder)
      if run.status != 0 { return ["failed: \(run.errors)"] }
    case "states": return try states()
    case "folds": return try folds()
    case "time": time = words[1]
    default: Issue.record("no section '\(name)'")
    }
    return []
  }

  private mutating func build(_ options: [String]) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".xml") }.sorted()
    let now = Int64(try Date(time, strategy: .iso8601).timeIntervalSince1970)
    let command = ["SOURCE_DATE_EPOCH=\(now)", Command.executable.path, "build"] + files
    let run = try Command.run(
      "/usr/bin/env", command + ["--output", "site", "--report", "report.jsonl"] + options, in: folder)
    let report = (try? String(contentsOfFile: folder + "/report.jsonl", encoding: .utf8)) ?? ""
    try? FileManager.default.removeItem(atPath: folder + "/report.jsonl")
    let events = try report.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    for event in events { if let page = event.page { posts[page] = "\(event.file): \(event.title)" } }
    var lines: [String] = []
    var numbers: [String: Int] = [:]
    for event in events {
      numbers[event.file, default: 0] += 1
      let title = event.title.isEmpty ? "#\(numbers[event.file] ?? 0)" : event.title
      var decision = event.decision + (event.change.map { " \($0)" } ?? "")
      if event.decision == "folded" { decision = "folded into \(event.of.flatMap { posts[$0] } ?? "?")" }
      lines.append("\(event.file): \(title) = \(decision)")
    }
    for file in files where run.errors.contains("\(file):") && run.errors.contains("error:") && numbers[file] == nil {
      lines.append("\(file) = failed")
    }
    return lines
  }

  private func states() throws -> [String] {
    let run = try Command.tamis(["archive", "show", "--archive", "site.archive"], in: folder)
    return run.output.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t")
      guard columns.count == 5, let page = posts.first(where: { $0.key.hasSuffix("/\(columns[4]).html") }) else {
        return nil
      }
      return "\(page.value) = \(columns[0].prefix { $0 != "," })"
    }
  }

  /// For each post whether it stands for itself or which post stands for it.
  private func folds() throws -> [String] {
    let run = try Command.tamis(["archive", "show", "--archive", "site.archive"], in: folder)
    func post(_ name: Substring) -> String? { posts.first { $0.key.hasSuffix("/\(name).html") }?.value }
    return run.output.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t")
      guard columns.count == 5, let shown = post(columns[4]) else { return nil }
      let other = columns[0].components(separatedBy: ", in ").dropFirst().first
      return "\(shown) = \(other.map { "in \(post($0[...]) ?? "?")" } ?? "own")"
    }
  }

  /// Words between spaces, those between quotation marks as one.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 { words.append(String(part)) } else { words += part.split(separator: " ").map(String.init) }
    }
    return words
  }
}
