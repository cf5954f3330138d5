import TamisDigest

/// Publishes the files of one build: writes what is new or changed, leaves alone what is not, removes what is not to be there
/// any more, and touches nothing that is not the site's own.
struct Publication {
  private let folder: SiteFolder
  /// The files that earlier builds wrote, with the marks by which they are known as they were written.
  private let earlier: [String: FileMark]
  /// Whether files are written and removed, or it is only said which would be.
  private let isDryRun: Bool
  private let progress: (Int) -> Void
  private(set) var summary = Site.Summary()
  /// The files of this build.
  private(set) var files: [String: FileMark] = [:]
  /// Folders that were made by this build: nothing is in them but what it wrote.
  private var newFolders: Set<String> = []
  /// The pages that stay as an earlier build made them.
  private(set) var kept: [String] = []

  init(_ folder: SiteFolder, earlier: [String: FileMark], isDryRun: Bool, progress: @escaping (Int) -> Void) {
    self.progress = progress
    self.folder = folder
    self.earlier = earlier
    self.isDryRun = isDryRun
  }

  /// Puts a file in its place.
  ///
  /// - Parameter isOwn: whether what is there is the site's own whatever it holds.
  /// - Throws: when it cannot be written, or something that is not the site's own has its name.
  mutating func put(_ bytes: [UInt8], at path: String, isOwn: Bool = false) throws(SiteError) {
    files[path] = FileMark(bytes)
    if files.count % 200 == 0 { progress(files.count) }
    let directory = SiteFolder.folder(of: path) ?? ""
    switch newFolders.contains(directory) ? .nothing : folder.look(at: path) {
    case .nothing: break
    case .file(let present):
      if present == bytes {
        summary.unchanged += 1
        return
      }
      try check(present, at: path, isOwn: isOwn)
    case .other:
      guard isOwn || earlier[path] != nil else {
        throw SiteError(
          description:
            "\(folder.root)/\(path): what has this name is no file that can be read, or lies behind a symbolic link; move it away, or name another folder with --output"
        )
      }
      summary.notes.append("\(path): somebody has changed this file; it is written anew")
    }
    summary.written += 1
    if isDryRun {
      summary.changes.append("write \(path)")
    } else if try folder.write(bytes, to: path) {
      newFolders.insert(directory)
    }
  }

  /// - Throws: when what is at a path is not the site's own.
  private mutating func check(_ present: [UInt8], at path: String, isOwn: Bool) throws(SiteError) {
    if let mark = earlier[path], !mark.fits(present) {
      summary.notes.append("\(path): somebody has changed this file; it is written anew")
    }
    // A run that was killed has written pages that no manifest knows.
    guard isOwn || earlier[path] != nil || Self.isOurs(present) else {
      throw SiteError(
        description:
          "\(folder.root)/\(path): this file was not written by tamis; move it away, or name another folder with --output"
      )
    }
  }

  /// Takes over a file that stays as it is.
  mutating func keep(_ path: String) {
    guard let known = earlier[path] else { return }
    files[path] = known
    kept.append(path)
  }

  /// Removes what earlier builds wrote and this one did not, unless somebody has changed it since.
  mutating func removeStale() {
    for (path, mark) in earlier.sorted(by: { $0.key < $1.key }) where files[path] == nil {
      guard SiteFolder.isInside(path), let present = folder.read(path) else { continue }
      guard mark.fits(present) else {
        summary.notes.append("\(path): somebody has changed this file; it stays, although nothing leads there any more")
        continue
      }
      if isDryRun { summary.changes.append("remove \(path)") }
      if isDryRun || folder.remove(path) { summary.removed += 1 }
    }
  }

  /// Adds to what the owner should know.
  mutating func note(_ notes: [String]) { summary.notes += notes }

  /// Pages that are gone and to which pages that were kept lead.
  func missed() -> [String] {
    let gone = Set(earlier.keys.filter { files[$0] == nil && $0.hasSuffix(".html") })
    if gone.isEmpty { return [] }
    var missed: Set<String> = []
    for page in kept {
      let text = String(decoding: folder.read(page) ?? [], as: UTF8.self)
      for link in text.split(separator: "href=\"").dropFirst() {
        var path = link.prefix { $0 != "\"" && $0 != "#" }
        while path.hasPrefix("../") { path = path.dropFirst(3) }
        if gone.contains(String(path)) { missed.insert(String(path)) }
      }
    }
    return missed.sorted()
  }

  /// By what the files of a build are known, each near its beginning.
  private static let marks = [
    "<meta name=\"generator\" content=\"Tamis\">", "<!-- Written by Tamis -->", "# Written by Tamis",
    "\"generator\":\"Tamis\"", "\"_generator\":\"Tamis\"",
  ].map { Array($0.utf8) }

  static func isOurs(_ bytes: [UInt8]) -> Bool {
    let beginning = bytes.prefix(2048)
    return beginning.indices.contains { index in marks.contains { beginning[index...].starts(with: $0) } }
  }
}
