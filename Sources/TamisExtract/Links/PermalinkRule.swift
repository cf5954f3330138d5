import TamisCore
import TamisURL

/// Picks the canonical page of a post.
///
/// The first of these that is an http or https address wins: what a proxy says it stands for, the link to a page, the
/// permalink id.
enum PermalinkRule {
  static func pick(_ entry: Entry, _ addresses: WebAddresses, into findings: inout [Finding]) -> Permalink? {
    for (address, source) in candidates(entry) {
      if let url = addresses.web(address) { return Permalink(url: url, source: source) }
      findings.append(
        Finding(
          .warning, "extract.permalink", "the \(source) is no address of a web page; it is not followed",
          at: entry.location, entry: entry.id))
    }
    return nil
  }

  private static func candidates(_ entry: Entry) -> [(String, String)] {
    var candidates: [(String, String)] = []
    if let original = entry.extensionText("feedburner_origlink") {
      candidates.append((original, "feedburner:origLink"))
    }
    if let original = entry.extensionText("pheedo_origlink") { candidates.append((original, "pheedo:origLink")) }
    if let link = entry.link { candidates.append((link, "link")) }
    if let id = entry.id, entry.idIsPermalink, entry.link != id { candidates.append((id, "guid")) }
    return candidates
  }
}
