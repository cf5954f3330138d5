import TamisCore
import TamisDigest

/// Writes a manifest as JSON, a feed, post or file a line, in the form in which `Decodable` reads it.
extension SiteManifest {
  func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("generator", "Tamis")
      writer.number("version", Int64(version))
      writer.member("inputs", inputs)
      writer.lines("feeds", feeds) { $0.write(to: &$1) }
      writer.lines("posts", posts) { $0.write(to: &$1) }
      if let redirects {
        writer.key("redirects")
        writer.object { writer in
          for (path, target) in redirects.sorted(by: { $0.key < $1.key }) { writer.member(path, target) }
        }
      }
      if let looks {
        writer.lines("looks", looks) { look, writer in
          writer.object { writer in
            writer.member("style", look.style)
            writer.flag("isOffline", look.isOffline)
          }
        }
      }
      if let files {
        writer.key("files")
        writer.object { writer in
          for (path, mark) in files.sorted(by: { $0.key < $1.key }) {
            writer.breakLine()
            writer.key(path)
            writer.object { writer in
              writer.number("size", Int64(mark.size))
              writer.member("digest", mark.digest.hex)
            }
          }
        }
      }
    }
    writer.endLine()
    return writer.bytes
  }
}

extension FeedCard {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("key", key.text)
      writer.member("path", path)
      writer.member("title", title)
      writer.member("subtitle", subtitle)
      writer.member("link", link)
      writer.member("address", address)
      writer.member("image", image)
      writer.member("language", language)
      writer.member("direction", direction)
      guard let status else { return }
      writer.key("status")
      writer.object { writer in
        writer.member("failure", status.failure)
        writer.number("entries", Int64(status.entries))
        writer.key("problems")
        writer.array { writer in for problem in status.problems { writer.string(problem) } }
        writer.key("removals")
        writer.array { writer in
          for removal in status.removals {
            writer.object { writer in
              writer.member("rule", removal.rule)
              writer.number("count", Int64(removal.count))
            }
          }
        }
      }
    }
  }
}

extension PostCard {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("feed", feed.text)
      writer.member("path", path)
      writer.member("foldedInto", foldedInto)
      writer.member("memo", memo)
      writer.member("title", title)
      writer.flag("isUntitled", isUntitled)
      writer.member("excerpt", excerpt)
      writer.number("published", published)
      writer.number("updated", updated)
      writer.number("place", place)
      writer.number("order", order.map { Int64($0) })
      writer.number("readingMinutes", readingMinutes.map { Int64($0) })
      writer.member("language", language)
      writer.member("direction", direction)
      writer.flag("hasAudio", hasAudio)
      writer.flag("hasVideo", hasVideo)
      writer.texts("tags", tags)
      writer.texts("authors", authors)
      writer.member("original", original)
      guard let thumbnail else { return }
      writer.key("thumbnail")
      writer.object { writer in
        writer.member("url", thumbnail.url)
        writer.member("alternative", thumbnail.alternative)
        writer.number("width", thumbnail.width.map { Int64($0) })
        writer.number("height", thumbnail.height.map { Int64($0) })
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func number(_ name: StaticString, _ value: Int64?) {
    guard let value else { return }
    key(name)
    int(value)
  }

  fileprivate mutating func flag(_ name: StaticString, _ value: Bool) {
    key(name)
    bool(value)
  }

  fileprivate mutating func texts(_ name: StaticString, _ values: [String]?) {
    guard let values else { return }
    key(name)
    array { writer in for value in values { writer.string(value) } }
  }

  /// An array with a line for each value.
  fileprivate mutating func lines<Value>(
    _ name: StaticString, _ values: [Value], _ write: (Value, inout JSONWriter) -> Void
  ) {
    key(name)
    array { writer in
      for index in values.indices {
        writer.breakLine()
        write(values[index], &writer)
      }
    }
  }
}
