package import TamisCore
package import TamisFeed
package import TamisSystem
package import TamisPlanet
import TamisSite
import TamisURL

/// The feeds in the files and folders that a user names.
package struct FeedSources: Sendable {
  /// A file to be read as a feed.
  package struct File: Sendable, Hashable {
    /// The path of the file, as the user would write it.
    package var path: FilePath
    /// The path relative to the folder of the archive, as text.
    ///
    /// The path does not depend on the current folder or on the spelling of the path by the user.
    package var name: String
    /// The data of the download, as far as known.
    package var response = Response()
    /// The settings of the feed.
    package var settings = Planet.FeedSettings()
    /// Whether the file was fetched: ``name`` is then the subscribed address, which identifies the feed wherever it
    /// redirects.
    var isFetched = false

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - path: the path of the file, as the user would write it.
    ///   - name: the path relative to the folder of the archive.
    package init(path: FilePath, name: String) {
      self.path = path
      self.name = name
    }

    /// Returns the feed in the file, with the data of its download.
    ///
    /// - Throws: ``FeedParser/Failure`` when the file cannot be read.
    package func document() throws(FeedParser.Failure) -> FeedDocument { try opened().document }

    /// Returns the feed in the file, and the bytes of the file.
    ///
    /// - Throws: ``FeedParser/Failure`` when the file cannot be read.
    func opened() throws(FeedParser.Failure) -> (document: FeedDocument, bytes: FileSource) {
      let source = try FeedDocument.source(of: path)
      let document = FeedDocument(
        name: isFetched ? name : path.description, source: source, url: response.address, headers: response.headers)
      return (document, source)
    }
  }

  /// Files in a folder that are not feeds.
  package struct Skipped: Sendable, Hashable {
    /// The folder as it was named.
    package var folder: FilePath
    /// Findings about the files and other things in it.
    package var findings: [Finding]
  }

  /// The feeds, in the order of the paths and by the bytes of their names inside folders.
  package private(set) var files: [File] = []
  /// The other files in the folders, one member for each folder that has any.
  package private(set) var skipped: [Skipped] = []
  /// The paths of the folders, each with a trailing slash, relative to the folder of the archive; empty for that folder
  /// itself.
  private(set) var folders: [String] = []
  /// The paths of subfolders that cannot be read: their feeds may still be there.
  private var unreadable: [String] = []
  /// Findings about paths that do not exist or cannot be read.
  package private(set) var findings: [Finding] = []
  /// WARC files in which a crawler stored feeds; `-` is standard input.
  package private(set) var crawls: [FilePath] = []
  /// Whether there are files of other shards.
  package private(set) var hasElsewhere = false
  /// Files in the folders that are not feeds at present.
  private(set) var others: [File] = []

  /// The paths that the user named, relative to the folder of the archive.
  private(set) var named: [String] = []
  private let home: FilePath
  private let own: Set<FilePath>
  private let known: [String: FileStamp]
  private let shard: Archive.Shard?
  private let output: FilePath?
  private var seen: Set<FilePath> = []

  /// Finds the feeds in files and folders.
  ///
  /// A folder stands for the feeds in it and below it: the files whose contents begin like a feed, optionally
  /// packed, whatever their names. Hidden files are skipped, as are files that tamis itself has written.
  ///
  /// - Parameters:
  ///   - paths: the files and folders.
  ///   - home: the folder to which paths are relative: that of the archive.
  ///   - output: the folder of the site that is being built.
  ///   - own: other files that are not feeds, such as the archive.
  ///   - known: stamps of files that were feeds, by path; a file with an unchanged stamp is not opened.
  ///   - shard: the shard whose feeds are wanted; other files are not opened. Nil for all.
  package init(
    _ paths: [FilePath], home: FilePath = ".", output: FilePath? = nil, except own: [FilePath] = [],
    known: [String: FileStamp] = [:], shard: Archive.Shard? = nil
  ) {
    (self.known, self.shard) = (known, shard)
    self.home = home.resolved ?? home.absolute
    self.own = Set(own.map(\.absolute))
    self.output = output?.resolved
    named = paths.map { name(of: $0) }.sorted()
    for path in paths {
      if path == .standardInput || Self.isCrawl(path) {
        if !crawls.contains(path) { crawls.append(path) }
        continue
      }
      switch path.kind {
      case nil: findings.append(Self.missing(path))
      case .folder: add(folder: path)
      case .file, .special:
        let place = Place(path: path, absolute: path.absolute, target: path.resolved ?? path, stamp: nil)
        add(place, file(place, name(ofAbsolute: place.absolute), among: nil))
      }
    }
    folders.sort()
  }

  /// Creates sources from files that are known to be feeds.
  package init(files: [File]) {
    self.files = files
    (home, own, output, known, shard) = ("/", [], nil, [:], nil)
  }

  /// A file with its absolute path, which takes system calls to find.
  private struct Place {
    let path: FilePath
    let absolute: FilePath
    /// The file behind all links, which counts once.
    let target: FilePath
    /// The stamp of a file in a folder.
    let stamp: FileStamp?

    /// Returns the files of a folder with their absolute paths; each subfolder is resolved once.
    static func all(_ files: [FolderWalk.File]) -> [Place] {
      var resolved: [FilePath: FilePath] = [:]
      return files.map { file in
        let path = file.path
        let folder = path.folder
        let around = resolved[folder] ?? folder.resolved ?? folder.absolute
        resolved[folder] = around
        let absolute = around.appending(path.name)
        return Place(
          path: path, absolute: absolute, target: file.isLink ? path.resolved ?? path : absolute, stamp: file.stamp)
      }
    }
  }

  private static func isCrawl(_ path: FilePath) -> Bool {
    guard path.kind == .file, let source = try? FileSource(path) else { return false }
    return ArchivedPages.isOne(source)
  }

  /// Adds a file; the same file counts once, however it is named.
  private mutating func add(_ place: Place, _ file: File) {
    guard seen.insert(place.target).inserted else { return }
    if isWanted(file) { files.append(file) } else { hasElsewhere = true }
  }

  /// Whether a feed is in the wanted shard.
  private func isWanted(_ file: File) -> Bool { shard?.holds(feedNamed: file.response.address ?? file.name) ?? true }

  /// Returns a file with the data of its download.
  ///
  /// - Parameters:
  ///   - place: the file.
  ///   - name: its name.
  ///   - files: the paths of the files in its folder; nil to look on the disk.
  /// - Returns: the file.
  private func file(_ place: Place, _ name: String, among files: Set<FilePath>?) -> File {
    var file = File(path: place.path, name: name)
    file.response = Response(beside: place.path, among: files)
    return file
  }

  private mutating func add(folder: FilePath) {
    folders.append(name(ofFolder: folder))
    let walk = FolderWalk(folder)
    for (folder, failure) in walk.failures {
      unreadable.append(name(ofFolder: folder))
      findings.append(Self.finding(.error, "read.failed", "this folder cannot be read: \(failure)", folder))
    }
    let paths = walk.paths
    let sites = OwnFiles(paths, output: output)
    findings += sites.folders.map {
      Self.finding(.note, "read.own-site", "this folder is a site built by tamis; its files are not read", $0)
    }
    var notes = walk.others.map { Self.skip($0, "this is not a regular file") }
    let before = files.count
    let (all, places) = (Set(paths), Place.all(walk.files))
    for place in places
    where !own.contains(place.absolute) && !sites.contains(place.path, at: place.target)
      && !Self.isBeside(place.path, all)
    {
      let file = file(place, name(ofAbsolute: place.absolute), among: all)
      if shard != nil, !isWanted(file) {
        hasElsewhere = true
        continue
      }
      switch recognize(place, file.name) {
      case .feed: add(place, file)
      case .empty: skip(file, "this file is empty", &notes)
      case .somethingElse(let words): skip(file, words, &notes)
      }
    }
    if !notes.isEmpty { skipped.append(Skipped(folder: folder, findings: notes)) }
    if files.count == before, !hasElsewhere, places.allSatisfy({ !seen.contains($0.target) }) {
      findings.append(Self.finding(.error, "read.no-feeds", "there is no feed in this folder", folder))
    }
  }

  /// Whether a file describes the download of another.
  private static func isBeside(_ path: FilePath, _ all: Set<FilePath>) -> Bool {
    Response.endings.contains { ending in
      path.bytes.suffix(ending.utf8.count) == Array(ending.utf8)[...]
        && all.contains(FilePath(bytes: path.bytes.dropLast(ending.utf8.count)))
    }
  }

  /// Sets the URL from which a feed was downloaded.
  ///
  /// - Parameters:
  ///   - address: the URL.
  ///   - path: the path of the feed's file.
  /// - Returns: false when the file is not one of these feeds.
  package mutating func setAddress(_ address: String, of path: FilePath) -> Bool {
    let name = name(of: path)
    let target = path.resolved
    guard let index = files.firstIndex(where: { $0.name == name || ($0.path.resolved == target && target != nil) })
    else { return shard != nil && path.kind == .file }
    files[index].response.address = WebURL(address)?.removingCredentials.href ?? address
    return true
  }

  /// Takes standard input for a feed instead of a crawl.
  package mutating func readStandardInputAsFeed() {
    guard let index = crawls.firstIndex(of: .standardInput) else { return }
    crawls.remove(at: index)
    files.append(File(path: .standardInput, name: "standard input"))
  }

  /// Gives all files the settings of a configuration.
  package mutating func setSettings(_ settings: Planet.FeedSettings) {
    for index in files.indices { files[index].settings = settings }
    for index in others.indices { others[index].settings = settings }
  }

  private func name(of path: FilePath) -> String { name(ofAbsolute: path.absolute) }

  private func name(ofAbsolute path: FilePath) -> String { path.path(from: home).description }

  private func name(ofFolder folder: FilePath) -> String {
    let path = (folder.resolved ?? folder).path(from: home).description
    return path.isEmpty ? path : path + "/"
  }

  /// Whether there is a file at a path.
  func exists(_ name: String) -> Bool { home.appending(FilePath(name)).kind != nil }

  /// Whether a path is in one of the folders.
  func isInFolder(_ name: String) -> Bool { folders.contains { Self.isPath(name, in: $0) } }

  /// Whether a file in one of the folders no longer exists.
  func isGone(_ name: String) -> Bool {
    isInFolder(name) && !unreadable.contains { Self.isPath(name, in: $0) }
      && !files.contains { $0.name == name } && !others.contains { $0.name == name }
  }

  /// Whether a path is below a folder; the archive's own folder contains all paths that do not begin with `..`.
  private static func isPath(_ path: String, in folder: String) -> Bool {
    path.hasPrefix(folder) && !path.dropFirst(folder.count).hasPrefix("../")
  }

  private mutating func skip(_ file: File, _ words: String, _ notes: inout [Finding]) {
    notes.append(Self.skip(file.path, words))
    others.append(file)
  }

  /// The number of bytes of a file that are read to determine whether it is a feed; much may precede the first element.
  private static let lengthOfBeginning = 256 << 10

  private func recognize(_ place: Place, _ name: String) -> FeedParser.Recognition {
    if let stamp = known[name], place.stamp == stamp { return .feed }
    do {
      return FeedParser().recognize(try FileSource(place.path).beginning(Self.lengthOfBeginning))
    } catch {
      return .somethingElse("this file cannot be read: \(error.message)")
    }
  }

  private static func missing(_ path: FilePath) -> Finding {
    finding(.error, "read.missing", path.absence, path)
  }

  private static func skip(_ path: FilePath, _ words: String) -> Finding {
    finding(.note, "read.skipped", words, path)
  }

  private static func finding(
    _ severity: Finding.Severity, _ code: String, _ message: String, _ path: FilePath
  ) -> Finding {
    Finding(severity, code, message, at: Finding.Location(file: path.description))
  }
}
