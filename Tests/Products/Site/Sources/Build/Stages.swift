import Tamis

/// Leaves out what is advertised.
struct WithoutAdvertisements: EntryStage {
  var version: String { "1" }

  func run(_ entry: Feed.Entry, of feed: Feed, into findings: inout [Finding]) -> Feed.Entry? {
    entry.title?.value.hasPrefix("[Ad]") == true ? nil : entry
  }
}

/// Writes a line below each post.
struct Signed: PostStage {
  var version: String { "1" }

  func run(_ post: Post, of feed: Feed, into findings: inout [Finding]) -> StagedPost? {
    StagedPost(post, body: "\(post.content)<p onclick=x>By hand.</p><script>x</script>")
  }
}
