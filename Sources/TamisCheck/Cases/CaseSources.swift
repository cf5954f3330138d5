import Foundation
package import TamisCore

/// Where cases come from: files and folders as the user named them.
package enum CaseSources {
  /// Endings of file names by which cases are known in a folder.
  package static let extensions: Set<String> = ["txt", "jsonl", "json", "mjs"]

  /// Whether a file is of another suite, not one of cases as people write them.
  package static func isOtherSuite(_ file: String) -> Bool {
    ["jsonl", "json", "mjs"].contains((file as NSString).pathExtension.lowercased())
  }

  /// The files of the given paths, in the order of the paths and by name inside folders.
  package static func files(_ paths: [String], into findings: inout [Finding]) -> [String] {
    var files: [String] = []
    for path in paths {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        findings.append(
          Finding(.error, "read.missing", "there is no such file or folder", at: SourceLocation(file: path)))
        continue
      }
      guard isFolder.boolValue else {
        files.append(path)
        continue
      }
      let prefix = path.hasSuffix("/") ? path : path + "/"
      let folder = URL(filePath: path).resolvingSymlinksInPath().path
      let names = ((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []).filter { name in
        let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "node_modules" }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder) else { return false }
        return !isHidden && !isFolder.boolValue && extensions.contains((name as NSString).pathExtension.lowercased())
      }
      if names.isEmpty {
        let endings = extensions.sorted().map { "." + $0 }.joined(separator: ", ")
        findings.append(
          Finding(
            .error, "read.no-cases", "there are no cases in this folder (\(endings))", at: SourceLocation(file: path)))
      }
      files += names.sorted().map { prefix + $0 }
    }
    return files
  }

  /// The cases of a file, each that can be read; what is wrong with the others is in the findings.
  package static func cases(in file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    guard let data = FileManager.default.contents(atPath: file) else {
      findings.append(
        Finding(.error, "read.failed", "this file cannot be read", at: SourceLocation(file: file)))
      return []
    }
    switch (file as NSString).pathExtension.lowercased() {
    case "jsonl": return CaseList.lines(data, file: file, into: &findings)
    case "json", "mjs": return CaseList.list(data, file: file, into: &findings)
    default: return cases(inText: data, file: file, into: &findings)
    }
  }

  private static func cases(inText data: Data, file: String, into findings: inout [Finding]) -> [SanitizerCase] {
    guard let text = String(data: data, encoding: .utf8) else {
      let message = "this is not UTF-8; write such bytes as \\xHH, under 'escapes: yes'"
      findings.append(
        Finding(.error, "check.encoding", message, at: SourceLocation(file: file, line: line(ofStrayByteIn: data))))
      return []
    }
    let parsed = CaseFile(text, file: file)
    findings += parsed.findings
    if parsed.cases.isEmpty {
      let message = "there is no case in this file; one begins with a line '=== NAME'"
      findings.append(Finding(.error, "check.no-cases", message, at: SourceLocation(file: file)))
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
