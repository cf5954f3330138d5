import TamisArchive
import TamisCore
import TamisSite

/// Makes the pages of posts, and those that lead from copies to the posts that stand for them.
struct PostPages {
  let source: SiteSource
  let writer: SiteWriter

  func make(_ posts: [ListedPost]) async throws {
    let numbers = posts.map(\.number)
    // A post on no list has no neighbours.
    let hidesRead = source.site.settings.showsUnreadOnly
    let listed = posts.lazy.filter { !(hidesRead && $0.isRead) }.map(\.number)
    let (neighbours, bodies) = (
      try source.postReader.neighbours(of: Array(listed)), try source.postReader.bodies(of: numbers)
    )
    let pictures = try source.postReader.pictures(of: numbers)
    for post in posts {
      try await makePage(
        of: post, between: neighbours[post.number] ?? Neighbours(), bodies[post.number], pictures[post.number] ?? [:])
    }
  }

  private func makePage(
    of post: ListedPost, between neighbours: Neighbours, _ packed: PackedBody?,
    _ pictures: [String: KeptPicture]
  ) async throws {
    let copies = post.hasCopies ? try source.copies(of: post) : []
    let linked = try source.linkedTags(of: post)
    let item = post.item
    let (site, markup) = (source.site, source.markup)
    try await writer.add(item.page) {
      let body = packed?.unpacked ?? KeptBody()
      var view = markup.view(
        of: item, body, pictures, on: site, isOffline: site.settings.isOffline, root: item.page.root)
      (view.neighbours, view.copies, view.linkedTags) = (neighbours, copies, linked)
      var file = site.postPage(view)
      if body.isDamaged {
        file.note =
          "\(item.page): the stored body of this post is damaged, and its page lacks what cannot be read; see tamis archive verify"
      }
      return file
    }
  }

  /// Makes the pages that lead to other posts.
  func makeRedirects(_ posts: [MovedPost]) async throws {
    for post in posts {
      let (site, from, to) = (source.site, post.from, post.to)
      try await writer.add(from) { site.redirectPage(from: from, to: to) }
    }
  }
}
