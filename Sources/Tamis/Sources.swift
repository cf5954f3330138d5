import FoundationEssentials
public import TamisCore
import TamisFeed
import TamisSite

/// Feeds on disk, as the user named them.
public enum Sources {
  /// A file to be read as a feed.
  public struct File: Sendable, Hashable {
    /// Where it is, as the user would write it.
    public var path: String
    /// What identifies the feed from run to run: its path as it was named, without `.`, `..` and doubled slashes.
    ///
    /// It does not depend on what else is built.
    public var key: String

    /// Makes a source.
    public init(path: String, key: String) {
      self.path = path
      self.key = key
    }
  }

  /// Endings of file names by which feeds are known in a folder.
  public static let extensions: Set<String> = ["rss", "xml", "atom", "rdf", "cdf", "feed"]

  /// The files that paths stand for, in the order of the paths and by name inside folders.
  ///
  /// A folder stands for the feeds in it and below it; what it does not hold, and what is not there, is a finding.
  public static func files(_ paths: [String], into findings: inout [Finding]) -> [File] {
    var files: [File] = []
    for path in paths {
      var isFolder = false
      guard exists(path, isFolder: &isFolder) else {
        findings.append(
          Finding(.error, "read.missing", "there is no such file or folder", at: SourceLocation(file: path)))
        continue
      }
      if isFolder {
        let found = feeds(in: path, into: &findings)
        if found.isEmpty {
          let message =
            "there is no feed in this folder (\(extensions.sorted().map { "." + $0 }.joined(separator: ", ")))"
          findings.append(Finding(.error, "read.no-feeds", message, at: SourceLocation(file: path)))
        }
        files += found
      } else {
        files.append(File(path: path, key: normalized(path)))
      }
    }
    return distinct(files)
  }

  /// The folders among paths, as the beginnings of the keys of the feeds in them.
  public static func folders(_ paths: [String]) -> [String] {
    paths.filter { path in
      var isFolder = false
      return exists(path, isFolder: &isFolder) && isFolder
    }.map { path in
      let folder = normalized(path)
      return folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    }.sorted()
  }

  private static func exists(_ path: String, isFolder: inout Bool) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: resolved(path)) else { return false }
    isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
    return true
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path
  }

  private static func feeds(in folder: String, into findings: inout [Finding]) -> [File] {
    guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else { return [] }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    // A site writes feeds too: read again, they would grow with each build.
    let sites = names.filter { $0 == Site.manifestName || $0.hasSuffix("/" + Site.manifestName) }
      .map { String($0.dropLast(Site.manifestName.count)) }
    for site in sites {
      let message = "this is a site that tamis has built; its feeds are not read"
      findings.append(Finding(.note, "read.own-site", message, at: SourceLocation(file: prefix + site)))
    }
    return names.sorted().compactMap { name in
      if sites.contains(where: name.hasPrefix) { return nil }
      let ending = URL(filePath: name).pathExtension.lowercased()
      guard extensions.contains(ending) || ending == "json" else { return nil }
      var isFolder = false
      guard exists(prefix + name, isFolder: &isFolder), !isFolder else { return nil }
      // Much is called .json that is no feed.
      if ending == "json", !isJSONFeed(prefix + name) { return nil }
      return File(path: prefix + name, key: normalized(prefix + name))
    }
  }

  /// Whether a file says near its beginning that it is a JSON Feed, as the format asks for.
  private static func isJSONFeed(_ path: String) -> Bool {
    guard var reader = try? FileSource(path).makeReader(), let beginning = try? reader.next().prefix(4096) else {
      return false
    }
    let mark = Array("jsonfeed.org".utf8)
    return beginning.indices.contains { beginning[$0...].starts(with: mark) }
  }

  /// The same file counts once, however it is named.
  private static func distinct(_ files: [File]) -> [File] {
    var seen: Set<String> = []
    return files.filter { seen.insert(resolved($0.path)).inserted }
  }

  /// A path without what means nothing in it.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}
