package import TamisCore
import TamisSystem
import TamisFoundation

/// The sources of cases: files and folders as given by the user.
package enum CaseSources {
  /// The extensions of case files in a folder.
  package static let extensions: Set<String> = ["txt", "jsonl", "json", "mjs"]

  /// Whether a file is in the format of another suite rather than that of handwritten cases.
  package static func isOtherSuite(_ file: String) -> Bool {
    ["jsonl", "json", "mjs"].contains(fileExtension(file))
  }

  private static func fileExtension(_ file: String) -> String {
    let parts = file.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    return parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
  }

  /// Returns the files of the given paths, in the order of the paths and sorted by name inside folders.
  package static func files(_ paths: [String], into findings: inout [Finding]) -> [String] {
    var files: [String] = []
    for path in paths {
      guard let kind = FilePath(path).kind else {
        findings.append(
          Finding(.error, "read.missing", "there is no such file or folder", at: Finding.Location(file: path)))
        continue
      }
      guard kind == .folder else {
        files.append(path)
        continue
      }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      let folder = URL(filePath: path).resolvingSymlinksInPath().path
      let names = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { name in
        let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "node_modules" }
        guard !isHidden, extensions.contains(fileExtension(name)) else { return false }
        return FilePath("\(folder)/\(name)").kind.map { $0 != .folder } ?? false
      }
      if names.isEmpty {
        let endings = extensions.sorted().map { "." + $0 }.joined(separator: ", ")
        findings.append(
          Finding(
            .error, "read.no-cases", "there are no cases in this folder (\(endings))", at: Finding.Location(file: path))
        )
      }
      files += names.sorted().map { prefix + $0 }
    }
    return files
  }

  /// Returns the readable cases of a file, and adds the problems of the others to the findings.
  package static func cases(in file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    guard let data = FilePath(file).contents(upTo: FilePath.longestCases).map({ Data($0) }) else {
      let message = "this file cannot be read, or has more than 256 MiB"
      findings.append(Finding(.error, "read.failed", message, at: Finding.Location(file: file)))
      return []
    }
    switch fileExtension(file) {
    case "jsonl": return CaseList.lines(data, file: file, into: &findings)
    case "json", "mjs": return CaseList.list(data, file: file, into: &findings)
    default: return cases(inText: data, file: file, into: &findings)
    }
  }

  private static func cases(inText data: Data, file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    guard let text = String(data: data, encoding: .utf8) else {
      let message = "this is not UTF-8; write such bytes as \\xHH, under 'escapes: yes'"
      findings.append(
        Finding(.error, "check.encoding", message, at: Finding.Location(file: file, line: line(ofStrayByteIn: data))))
      return []
    }
    let parsed = CaseFile(text, file: file)
    findings += parsed.findings
    if parsed.cases.isEmpty {
      let message = "there is no case in this file; one begins with a line '=== NAME'"
      findings.append(Finding(.error, "check.no-cases", message, at: Finding.Location(file: file)))
    }
    return parsed.cases.compactMap { SanitizerCase($0, into: &findings) }
  }

  private static func line(ofStrayByteIn data: Data) -> Int {
    var line = 1
    for part in data.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if String(data: part, encoding: .utf8) == nil { return line }
      line += 1
    }
    return line
  }
}
