import TamisArchive
import TamisCore
import TamisSite

/// The text of a plan, one line for each thing that would be made or removed.
struct PlanText {
  let plan: PublishingPlan
  let source: SiteSource

  var lines: [String] {
    switch plan.extent {
    case .nothing: return []
    case .everything(let reason): return ["make all pages: \(reason.rawValue)"]
    case .changes: break
    }
    let names = (try? source.postReader.pages(of: plan.posts.keys.sorted())) ?? [:]
    var lines = plan.posts.sorted { $0.key < $1.key }.map { number, cause in
      let path = names[number]?.text ?? "post \(number.rawValue)"
      return cause == .hidden
        ? "remove \(path), or lead to the post that stands for it" : "make \(path): \(cause.rawValue)"
    }
    lines += plan.lists.keys.compactMap(Self.name(of:)).sorted().map { "make \($0)" }
    lines += plan.feeds.sorted().compactMap { number in
      (try? source.directory.feed(number)).flatMap { $0 }.map { "make the pages of \($0.card.title)" }
    }
    return lines + ["make the list pages of these posts"]
  }

  private static func name(of query: PostQuery) -> String? {
    switch query {
    case .all, .feed: nil
    case .category(let slug): "the list of the category \(slug)"
    case .tag(let slug): "the list of the tag \(slug)"
    case .month(let number): Month(number: number).list.path.text
    }
  }
}
