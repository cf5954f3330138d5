public import TamisArticle
public import TamisCore
import TamisFeed
public import TamisFiles
import TamisURL
import TamisWARC

/// The web pages in a WARC file, one after the other: what servers answered with success and as HTML.
public struct ArchivedPages {
  private var reader: WARCReader

  /// Whether a file is one, by its beginning.
  public static func isOne(_ source: FileSource) -> Bool {
    (try? source.beginning(5))?.starts(with: "WARC/".utf8) ?? false
  }

  /// Whether there is one of this name.
  public static func isOne(at path: FilePath) -> Bool { (try? FileSource(path)).map(isOne) ?? false }

  /// Begins to read a file.
  ///
  /// - Parameter name: what the file is called in findings.
  public init(_ source: FileSource, name: String) throws(ReadFailure) {
    reader = try WARCReader(source.packed, name: name)
  }

  /// The next page; nil at the end.
  ///
  /// What is broken costs its own record, with a finding.
  public mutating func next(into findings: inout [Finding]) -> ArticleExtractor.Input? {
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
