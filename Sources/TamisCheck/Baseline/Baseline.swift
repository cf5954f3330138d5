package import TamisFoundation
package import TamisCore
import TamisSystem
package import TamisSanitizer
package import TamisURL

/// Stored sanitized bodies of feeds, with the rules that produced them.
///
/// On disk a baseline is JSON lines: the first with the rules, then one for each body in the order of the feeds.
package struct Baseline: Sendable {
  /// The body of an entry of a feed.
  package struct Body: Sendable {
    /// The feed's file.
    package var feed: String
    /// The identifier of the entry in its feed; empty when only its content distinguishes it.
    package var entry: String
    /// The markup.
    package var html: String
    /// The base URL; nil for none.
    package var base: WebURL?

    /// Creates a body.
    package init(feed: String, entry: String, html: String, base: WebURL?) {
      self.feed = feed
      self.entry = entry
      self.html = html
      self.base = base
    }
  }

  /// The error for a file that is not a baseline.
  package struct Invalid: Error, CustomStringConvertible {
    /// The mistake with its location.
    package let finding: Finding

    /// `file:line: error: …`.
    package var description: String { finding.description }
  }

  struct Header: Codable {
    /// The version of the format.
    var baseline = 1
    /// The rules, as a self-contained file.
    var rules: String
  }

  struct Record: Codable {
    var feed: String
    var entry: String
    /// A digest of the body's markup and base URL; a body that the feed itself has changed cannot be compared.
    var source: String
    var html: String
  }

  /// The rules that produced the baseline.
  package var policy: Policy { sanitizer.policy }
  let sanitizer: Sanitizer
  let records: [Record]

  /// Creates a baseline by sanitizing bodies.
  package init(_ bodies: [Body], sanitizer: Sanitizer) {
    self.sanitizer = sanitizer
    var counter = EntryCounter()
    records = bodies.map { body in
      Record(
        feed: body.feed, entry: counter.key(of: body), source: Self.digest(body),
        html: sanitizer.sanitizedHTML(of: body.html, base: body.base).string)
    }
  }

  /// Reads a baseline.
  package init(contentsOf data: Data, file: String) throws(Invalid) {
    var lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    func invalid(_ message: String, line: Int) -> Invalid {
      let location = Finding.Location(file: file, line: line)
      return Invalid(finding: Finding(.error, "check.baseline", message, at: location))
    }
    guard let first = lines.popFirst(), let header = try? JSONDecoder().decode(Header.self, from: Data(first)),
      header.baseline == 1
    else {
      throw invalid("this is not a baseline; 'tamis check --feeds' writes one to a file that does not exist", line: 1)
    }
    let rules = Result { () throws(InvalidRules) in
      try Sanitizer(policy: Policy(yaml: header.rules, file: file))
    }
    guard case .success(let sanitizer) = rules else { throw invalid("the rules in it cannot be read", line: 1) }
    self.sanitizer = sanitizer
    var records: [Record] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      guard let record = try? JSONDecoder().decode(Record.self, from: Data(line)) else {
        throw invalid("this line is not the record of a body", line: index + 2)
      }
      records.append(record)
    }
    self.records = records
  }

  /// Returns the baseline as a file.
  package func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var output = try encoder.encode(Header(rules: policy.yaml))
    for record in records {
      output.append(0x0A)
      output.append(try encoder.encode(record))
    }
    output.append(0x0A)
    return output
  }

  static func digest(_ body: Body) -> String {
    SHA256("\(body.base?.href ?? "")\n\(body.html)").hex
  }

  /// A counter that distinguishes entries with the same identifier in a feed.
  struct EntryCounter {
    private var seen: [String: Int] = [:]

    mutating func key(of body: Body) -> String {
      let entry = body.entry.isEmpty ? "content \(digest(body).prefix(12))" : body.entry
      let count = seen["\(body.feed)\n\(entry)", default: 0] + 1
      seen["\(body.feed)\n\(entry)"] = count
      return count == 1 ? entry : "\(entry) (\(count))"
    }
  }
}
