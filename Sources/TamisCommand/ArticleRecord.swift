import Foundation
import Tamis

/// One line of `tamis article --jsonl`.
struct ArticleRecord {
  let id: FragmentRecord.ID
  let input: ArticleExtractor.Input

  init(_ line: [UInt8]) throws(FragmentRecord.Invalid) {
    let record = try FragmentRecord(line)
    id = record.id
    let object = (try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]) ?? [:]
    var input = ArticleExtractor.Input(
      page: Array(record.html.utf8), url: (object["url"] as? String).flatMap { WebURL($0) })
    let feed = object["feed"] as? [String: Any]
    input.feedTitle = feed?["title"] as? String ?? ""
    input.feedText = feed?["summary"] as? String ?? ""
    self.input = input
  }
}
