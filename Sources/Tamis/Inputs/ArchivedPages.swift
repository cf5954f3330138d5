package import TamisArticle
package import TamisCore
import TamisFeed
package import TamisSystem
import TamisURL

/// The web pages in a WARC file, read one after the other: successful HTML responses.
package struct ArchivedPages {
  private var reader: WARCReader

  /// Whether a file is a WARC file, by its first bytes.
  package static func isOne(_ source: FileSource) -> Bool {
    (try? source.beginning(5))?.starts(with: "WARC/".utf8) ?? false
  }

  /// Whether there is a WARC file at a path.
  package static func isOne(at path: FilePath) -> Bool { (try? FileSource(path)).map(isOne) ?? false }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - name: the file's name in findings.
  /// - Throws: ``ReadFailure`` when it cannot be opened.
  package init(_ source: FileSource, name: String) throws(ReadFailure) {
    reader = try WARCReader(source.packed, name: name)
  }

  /// Returns the next page; nil at the end.
  ///
  /// A broken record is skipped with a finding.
  package mutating func next(into findings: inout [Finding]) -> ArticleExtractor.Input? {
    while let record = reader.next(into: &findings) {
      guard record.kind == .response || record.kind == .resource, !record.body.isEmpty else { continue }
      if let status = record.http?.status, !(200..<300).contains(status) { continue }
      let type = ContentType(record.contentType ?? "")
      guard type.isHTML else { continue }
      let page = PageEncoding.decode(record.body, announced: type.charset)
      return ArticleExtractor.Input(page: page, url: record.targetURI.flatMap { WebURL($0) })
    }
    return nil
  }
}
