// To add a source of thumbnails: a case in Fixtures/Extract/pictures.txt. An element of feeds: `pictureElements`, as
// prefix and local name in lower case, `dz_thumbnail`, and its namespace (TamisFeed/Vocabulary/Namespaces.swift). A
// page's `meta` or JSON-LD: Page/PagePictures.swift, LinkedData.swift. Addresses that name one picture in several
// sizes: PictureForm.swift, PictureHost.swift, cases in Fixtures/PictureForms. List T1 of HowAThumbnailIsPicked.md.
// Raise `Pipelines.version`. Paths of trackers under hosts that do more: DecorativePicture.swift.

import TamisCore
import TamisURL

/// Picks the thumbnail of a post among all candidates, and records the outcome of each.
enum ThumbnailRule {
  /// The choice, with all candidates.
  struct Choice {
    var thumbnail: Post.Thumbnail?
    /// The candidates: the chosen one, then the others by rank, then rejected ones.
    var candidates: [PictureCandidate]
  }

  /// Data besides the feed.
  struct Knowledge {
    /// The hosts whose pictures only count readers.
    var trackers: TrackingHosts
    /// The URLs of pictures that several posts of the feed have.
    var repeated: RepeatedPictures = RepeatedPictures()
    /// The pictures that the article's page names.
    var page: PagePictures?
    /// The pictures of texts that are not the body.
    var others: [SanitizedHTML.Facts.Image] = []
    /// The real sizes by URL, which replace declared ones.
    var sizes: [String: PictureSize] = [:]
  }

  static func pick(
    _ entry: Feed.Entry, _ facts: SanitizedHTML.Facts, _ addresses: WebAddresses, _ known: Knowledge
  ) -> Choice {
    let onPage = known.page?.pictures.map(candidate) ?? []
    var candidates = (explicit(entry) + onPage + inBody(facts) + known.others.map(elsewhere)).map { candidate in
      var candidate = candidate
      if let url = addresses.picture(candidate.url) {
        candidate.url = url
        if let size = known.sizes[url] { candidate.measure(size) }
        candidate.rejection = DecorativePicture.rejection(
          of: candidate, trackers: known.trackers, repeated: known.repeated)
      } else {
        candidate.rejection = .address
      }
      return candidate
    }
    enlarge(&candidates)
    let order = candidates.enumerated().sorted {
      rank(of: $0.element, at: $0.offset) < rank(of: $1.element, at: $1.offset)
    }
    candidates = order.map(\.element)
    guard let best = candidates.first, best.rejection == nil else {
      return Choice(thumbnail: nil, candidates: candidates)
    }
    // The same picture in the body, unless it has nothing to add.
    var twin: SanitizedHTML.Facts.Image?
    if !best.isInBody || best.alternative.isEmpty {
      let form = PictureForm(best.url)
      twin = facts.images.first { PictureForm(addresses.picture($0.source) ?? $0.source) == form }
    }
    let thumbnail = Post.Thumbnail(
      url: best.url, alternative: best.alternative.isEmpty ? twin?.alternative ?? "" : best.alternative,
      width: best.width, height: best.height, isInBody: best.isInBody || twin != nil, source: best.source,
      reason: best.class.words)
    return Choice(thumbnail: thumbnail, candidates: candidates)
  }

  /// The sort key of a candidate.
  ///
  /// Candidates that are not rejected come first, ordered by class, declared area, figure, alternative text, and
  /// position in the document.
  private static func rank(
    of candidate: PictureCandidate, at index: Int
  ) -> (Int, PictureCandidate.Class, Int, Int, Int, Int) {
    // Rejected ones stay in document order.
    if candidate.rejection != nil { return (1, .poster, 0, 0, 0, index) }
    return (
      0, candidate.class,
      -candidate.area, candidate.isInFigure ? 0 : 1, candidate.alternative.isEmpty ? 1 : 0, index
    )
  }

  /// Replaces a small picture that the feed names with the same picture, larger, in the body.
  private static func enlarge(_ candidates: inout [PictureCandidate]) {
    let small = candidates.indices.filter {
      candidates[$0].class == .namedSmall && candidates[$0].rejection == nil
    }
    guard !small.isEmpty else { return }
    var widths: [PictureForm: Int] = [:]
    for candidate in candidates where candidate.isInBody && candidate.rejection == nil {
      let form = PictureForm(candidate.url)
      widths[form] = max(widths[form] ?? 0, candidate.width ?? 0)
    }
    for index in small {
      guard let width = widths[PictureForm(candidates[index].url)], width >= candidates[index].width ?? 0 else {
        continue
      }
      candidates[index].class = .body
    }
  }

  // MARK: - What the feed names

  /// The elements of other vocabularies that name a picture.
  private static let pictureElements = [
    "dz_thumbnail": "dz:thumbnail", "webfeeds_cover": "webfeeds:cover", "thumb": "thumb",
    "podcast_images": "podcast:images",
  ]

  private static func explicit(_ entry: Feed.Entry) -> [PictureCandidate] {
    let image = entry.image?.url
    var candidates = image.map { [PictureCandidate(url: $0, source: "image", class: .named)] } ?? []
    for object in entry.media where isPicture(object) && (object.url != image || object.source != .thumbnail) {
      var candidate = PictureCandidate(url: object.url, source: object.source.rawValue, class: .named)
      (candidate.width, candidate.height) = (object.width, object.height)
      if let width = object.width {
        candidate.class = width >= 640 ? .namedLarge : .namedSmall
      } else if object.source == .content {
        candidate.class = .namedLarge
      }
      if candidate.class != .namedLarge, let larger = LargerPicture.address(of: object.url) {
        // The declared size is that of the small picture.
        (candidate.url, candidate.class) = (larger, .namedSmall)
        (candidate.width, candidate.height) = (nil, nil)
      }
      candidates.append(candidate)
    }
    for field in entry.fields where field.name == "thumbnail" {
      guard case .url(let url) = field.value else { continue }
      candidates.append(PictureCandidate(url: url, source: "thumbnail", class: .named))
    }
    for element in entry.extensions {
      guard let source = pictureElements[element.name] else { continue }
      candidates.append(candidate(element, source))
    }
    for enclosure in entry.enclosures where enclosure.type?.asciiLowercased().hasPrefix("image/") == true {
      let isTiny = enclosure.length.map { (1..<50_000).contains($0) } ?? false
      candidates.append(PictureCandidate(url: enclosure.url, source: "enclosure", class: isTiny ? .namedSmall : .named))
    }
    return candidates
  }

  static func isPicture(_ object: Feed.MediaObject) -> Bool {
    if object.source != .content { return true }
    let medium = object.medium?.asciiLowercased()
    if medium == "image" || object.type?.asciiLowercased().hasPrefix("image/") == true { return true }
    guard medium == nil, object.type == nil else { return false }
    let path = object.url.split(separator: "?").first?.asciiLowercased() ?? ""
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains { path.hasSuffix($0) }
  }

  private static func candidate(_ element: Feed.ExtensionElement, _ source: String) -> PictureCandidate {
    if let list = element.attribute("srcset") {
      let files = SourceSet.parse(Array(list.utf8).span).map(\.fact)
      let file = file(of: files, width: nil) ?? SanitizedHTML.Facts.Candidate(url: "")
      var candidate = PictureCandidate(
        url: file.url, source: source, class: file.width.map { $0 >= 640 ? .namedLarge : .namedSmall } ?? .named)
      candidate.width = file.width
      return candidate
    }
    let address = element.attributes.first { ["image", "url", "href"].contains($0.name) }?.value ?? element.text
    return PictureCandidate(url: address.trimmed(), source: source, class: .named)
  }

  private static func candidate(_ picture: PagePictures.Picture) -> PictureCandidate {
    var candidate = PictureCandidate(url: picture.url, source: picture.source, class: .page)
    (candidate.width, candidate.height) = (picture.width, picture.height)
    candidate.alternative = picture.alternative
    return candidate
  }

  // MARK: - What the body shows

  private static func inBody(_ facts: SanitizedHTML.Facts) -> [PictureCandidate] {
    facts.images.map(candidate) + facts.posters.map { PictureCandidate(url: $0, source: "poster", class: .poster) }
      + facts.embeds.compactMap(poster)
  }

  private static func candidate(_ image: SanitizedHTML.Facts.Image) -> PictureCandidate {
    let file = file(of: image)
    let isLead = image.textOffset < 200 || (image.width ?? file.width ?? 0) >= 320 || image.hasCaption
    var candidate = PictureCandidate(url: file.url, source: "img", class: isLead ? .lead : .body)
    candidate.width = image.width ?? file.width
    candidate.height = image.height
    candidate.alternative = image.alternative ?? ""
    candidate.isInFigure = image.isInFigure
    candidate.isInBody = true
    candidate.shownSource = image.source
    candidate.classes = image.classes
    candidate.isHidden = image.isHidden
    return candidate
  }

  /// A picture of a text that is not shown.
  private static func elsewhere(_ image: SanitizedHTML.Facts.Image) -> PictureCandidate {
    var candidate = candidate(image)
    (candidate.source, candidate.isInBody) = ("other text", false)
    return candidate
  }

  /// The file to show: the source itself when it is large, else one of the other files, else the source.
  private static func file(of image: SanitizedHTML.Facts.Image) -> SanitizedHTML.Facts.Candidate {
    let source = SanitizedHTML.Facts.Candidate(url: image.source, width: image.width)
    if let width = image.width, width >= 640 { return source }
    return file(of: image.candidates, width: image.width) ?? source
  }

  /// The smallest of several files that is at least 640 pixels wide, else the largest.
  ///
  /// See Tamis.docc/HowAThumbnailIsPicked.md, T3.
  ///
  /// - Parameters:
  ///   - files: the files of one picture.
  ///   - width: the width at which they are shown; nil when not given.
  /// - Returns: the chosen file; nil when there are no files.
  private static func file(of files: [SanitizedHTML.Facts.Candidate], width: Int?) -> SanitizedHTML.Facts.Candidate? {
    let hasWidths = files.contains { $0.width != nil }
    // When widths and densities are mixed, only widths are used.
    let sized = files.compactMap { file -> (SanitizedHTML.Facts.Candidate, Double)? in
      if let width = file.width { return (file, Double(width)) }
      if hasWidths { return nil }
      return (file, (file.density ?? 1) * Double(width ?? 320))
    }
    let fitting = sized.filter { $0.1 >= 640 }.min { $0.1 < $1.1 }
    return (fitting ?? sized.max { $0.1 < $1.1 })?.0
  }

  /// The poster of a video, when its URL can be derived from the video's.
  private static func poster(_ embed: String) -> PictureCandidate? {
    guard let url = WebURL(embed), let host = url.hostname,
      ["youtube.com", "youtube-nocookie.com"].contains(where: { host == $0 || host.hasSuffix("." + $0) })
    else { return nil }
    let parts = url.pathParts
    let isFramed = parts.count >= 2 && parts[0] == "embed"
    let film = isFramed ? parts[1] : parts == ["watch"] ? url.queryParameters.first { $0.name == "v" }?.value : nil
    // These two words have the length of a video id.
    guard let film, film.utf8.count == 11, film != "videoseries", film != "live_stream",
      film.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == 0x2D || $0 == 0x5F })
    else { return nil }
    return PictureCandidate(
      url: "https://i.ytimg.com/vi/\(film)/hqdefault.jpg", source: PictureCandidate.embedSource, class: .poster)
  }
}
