import Synchronization
package import TamisCore
package import TamisSystem

/// A folder of fetched documents, each in its own file, with its URL and header fields beside it.
///
/// `NAME` has the decompressed document, `NAME.url` the URL that it came from, `NAME.headers` the header fields, as
/// `curl -D` writes them. A document is put in place when it is complete, after the files beside it.
package struct FetchFolder: Sendable {
  /// The path of the folder.
  package let path: FilePath

  /// Creates a value for a folder, which is made when the first document arrives.
  package init(_ path: FilePath) { self.path = path }

  /// Returns the file for the documents of an address.
  ///
  /// Its name consists of the beginning of the address without its scheme, with a hyphen for any byte other than an
  /// ASCII letter, a digit or a period, and of a digest of the whole address.
  package func file(for address: String) -> FilePath {
    let rest = address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: true).dropFirst()
    let hyphen = UInt8(ascii: "-")
    var name = rest.joined(separator: [hyphen]).map { $0.isASCIIAlphanumeric || $0 == 0x2E ? $0 : hyphen }
    while name.first == UInt8(ascii: "-") || name.first == UInt8(ascii: ".") { name.removeFirst() }
    // A cryptographic digest, because remote lists name addresses too and could provoke collisions.
    let digest = SHA256(address).hex
    return path.appending(FilePath(bytes: name.prefix(80) + Array("-\(digest.prefix(32)).feed".utf8)))
  }

  /// Begins to write the document of an address.
  ///
  /// - Throws: when the folder cannot be created.
  package func begin(_ address: String) throws(FileFailure) -> Download {
    try path.makeFolder()
    return Download(of: file(for: address))
  }

  /// Returns the complete document of an address left by an earlier run; nil when there is none.
  package func leftover(for address: String) -> FilePath? {
    let file = file(for: address)
    return file.kind == .file ? file : nil
  }

  /// Removes the document of an address and the files beside it.
  package func remove(_ address: String) {
    let file = file(for: address)
    for path in [file] + Download.endings.map({ file.appending(ending: $0) }) { path.removeFile() }
  }

  /// Removes the folder if it is empty.
  package func removeIfEmpty() { path.removeFolder() }
}

/// A document that is being fetched into a file.
package final class Download: HTTPBody {
  /// The file of the complete document.
  package let file: FilePath
  private let part: Mutex<DraftFile?>
  private let count = Mutex(0)

  fileprivate static let endings = [".url", ".headers"]
  /// The header fields about the content coding, which no longer apply, and cookies, which are as secret as a login.
  private static let unstored: Set<String> = ["content-encoding", "content-length", "set-cookie", "transfer-encoding"]

  fileprivate init(of file: FilePath) {
    self.file = file
    part = Mutex(nil)
  }

  /// The number of bytes received.
  package var byteCount: Int { count.withLock { $0 } }

  /// Appends bytes.
  ///
  /// - Throws: when they cannot be written.
  package func add(_ bytes: [UInt8]) throws(FetchProblem) {
    count.withLock { $0 += bytes.count }
    do {
      try part.withLock { part throws(FileFailure) in
        if part == nil { part = try DraftFile(of: file, replacesAll: true) }
        try part?.add(bytes)
      }
    } catch {
      throw FetchProblem(.write, "\(file) cannot be written: \(error)")
    }
  }

  /// Returns the first bytes received.
  package func beginning(_ most: Int) -> [UInt8] {
    guard let path = part.withLock({ $0?.path }) else { return [] }
    return (try? FileSource(path).beginning(most)) ?? []
  }

  /// Puts the document in place, after writing the files about its download beside it.
  ///
  /// - Throws: when a file cannot be written; the document has not been replaced then.
  package func finish(_ answer: FetchAnswer) throws(FetchProblem) {
    var head = "HTTP/1.1 \(answer.status ?? 200)\r\n"
    for field in answer.fields where !Self.unstored.contains(field.name.asciiLowercased()) {
      head += "\(field.name): \(field.value)\r\n"
    }
    do {
      try FileOutput.replace(file.appending(ending: Self.endings[0]), with: Array((answer.address + "\n").utf8))
      try FileOutput.replace(file.appending(ending: Self.endings[1]), with: Array((head + "\r\n").utf8))
      try part.withLock { part throws(FileFailure) in
        if part == nil { part = try DraftFile(of: file, replacesAll: true) }
        try part?.finish(isFlushed: false)
        part = nil
      }
    } catch {
      throw FetchProblem(.write, "\(file) cannot be written: \(error)")
    }
  }
}
