import TamisCore

/// The pictures and media of a post besides its body.
extension Site {
  /// Sets the pictures, players, chapters and files of a post.
  func setMedia(_ post: inout PageContext, _ view: PostView, _ root: String) {
    let details = view.details
    setLead(&post, view, root)
    let pictures = details.pictures.map(Post.Thumbnail.init)
    let shown = pictures.compactMap { item in
      picture(item, view.kept[item.url], root).map { context in
        var context = context
        context.set(.caption, item.alternative)
        return context
      }
    }
    post.set(.pictures, shown)
    // A file shown as a picture is not listed as a file.
    let isShown = shown.count == pictures.count
    let seen = Set(isShown ? pictures.map(\.url) + [view.item.card.thumbnail?.url].compactMap { $0 } : [])
    var files = details.files.filter { file in
      file.url.beginsAsHTTP && !(seen.contains(file.url) && file.type?.lowercased().hasPrefix("image/") == true)
    }
    files += hiddenPictures(view, root).filter { picture in !files.contains { $0.url == picture.url } }
    let played = files.contains { Self.family(of: $0) != .other } ? view.body.playedFiles : []
    let medium = files.first { Self.family(of: $0) != .other }
    let enclosures = files.map { file in
      var item = enclosure(file, isPlayed: played.contains(PageBody.withoutQuery(file.url)))
      // The playing time is that of the first file.
      item.set(.length, file == medium ? view.item.card.playingSeconds.flatMap(PlayingText.clock) : nil)
      return item
    }
    post.set(.enclosures, enclosures)
    post.set(.chapters, details.chapters.map { chapter($0, in: medium?.url) })
    post.set(.hasChapters, !details.chapters.isEmpty)
    post.set(.transcripts, details.transcripts.filter(\.url.beginsAsHTTP).map(transcript))
    post.set(.hasTranscripts, !details.transcripts.isEmpty)
  }

  /// Returns the pictures outside the body that an offline page cannot show, as files.
  private func hiddenPictures(_ view: PostView, _ root: String) -> [Post.File] {
    guard settings.isOffline else { return [] }
    let details = view.details
    var pictures = details.pictures.map(Post.Thumbnail.init).filter { view.kept[$0.url] == nil }
    if var lead = view.item.lead, view.item.keptThumbnail == nil {
      if lead.alternative.isEmpty { lead.alternative = details.thumbnailCaption }
      pictures.insert(lead, at: 0)
    }
    return pictures.filter(\.url.beginsAsHTTP).map { picture in
      Post.File(url: picture.url, title: picture.alternative.isEmpty ? nil : picture.alternative)
    }
  }

  /// Sets the thumbnail of a post: its first picture, the cover of its audio, or the still of its video.
  private func setLead(_ post: inout PageContext, _ view: PostView, _ root: String) {
    let (card, details) = (view.item.card, view.details)
    guard let thumbnail = card.thumbnail, !thumbnail.isInBody,
      var lead = picture(thumbnail, view.item.keptThumbnail, root)
    else { return }
    let families = settings.isOffline ? [] : details.files.filter(\.url.beginsAsHTTP).map(Self.family)
    // A cover has no caption, and a poster no text at all, so a picture with text is shown separately.
    let hasCaption = !details.thumbnailCaption.isEmpty
    if families.contains(.audio), !hasCaption {
      post.set(.cover, lead)
    } else if families.contains(.video), !hasCaption, thumbnail.alternative.isEmpty {
      post.set(.poster, lead)
    } else {
      lead.set(.caption, details.thumbnailCaption)
      if thumbnail.alternative.isEmpty { lead.set(.alt, details.thumbnailCaption) }
      post.set(.lead, lead)
      post.set(.film, address: details.videoPage)
    }
  }

  /// The kind of player a browser has for a file.
  enum Family { case audio, video, other }

  static func family(of file: Post.File) -> Family {
    let type = file.type?.lowercased() ?? ""
    if type.hasPrefix("audio/") { return .audio }
    if type.hasPrefix("video/") { return .video }
    guard type.isEmpty || type == "application/octet-stream" else { return .other }
    return family(ofName: fileName(of: file.url))
  }

  /// Returns the kind of player a browser has for a file of this name.
  static func family(ofName name: String) -> Family {
    let name = name.lowercased()
    if [".mp3", ".m4a", ".ogg", ".opus", ".oga", ".flac"].contains(where: name.hasSuffix) { return .audio }
    return [".mp4", ".m4v", ".webm"].contains(where: name.hasSuffix) ? .video : .other
  }

  private func transcript(_ file: Post.File) -> PageContext {
    var item = PageContext(capacity: 3)
    item.set(.url, file.url)
    item.set(.name, Self.name(of: file))
    return item
  }

  /// Returns a file, with a player unless the body has one for it.
  func enclosure(_ file: Post.File, isPlayed: Bool) -> PageContext {
    var item = PageContext(capacity: 6)
    let (type, family) = (file.type?.lowercased() ?? "", Self.family(of: file))
    item.set(.url, file.url)
    item.set(.type, type)
    item.set(.name, Self.name(of: file))
    item.set(.size, file.length.flatMap(size))
    // An offline page has links only.
    let hasPlayer = !isPlayed && !settings.isOffline
    item.set(.audio, family == .audio && hasPlayer)
    item.set(.video, family == .video && hasPlayer)
    return item
  }

  /// Returns a chapter.
  ///
  /// - Parameters:
  ///   - chapter: the chapter.
  ///   - medium: the URL of its audio or video; nil when that is not attached.
  /// - Returns: the values of the chapter.
  private func chapter(_ chapter: Feed.Chapter, in medium: String?) -> PageContext {
    var item = PageContext(capacity: 4)
    item.set(.start, chapter.seconds.map(PlayingText.mark) ?? chapter.start)
    item.set(.title, chapter.title ?? words.text(.chapter))
    item.set(.url, address: chapter.link)
    var target: String?
    if let seconds = chapter.seconds, seconds >= 0, seconds < 1e6, let medium {
      // A browser that opens the file begins playing there (Media Fragments URI 1.0, 4.2.1).
      target = medium.prefix { $0 != "#" } + "#t=\(Int(seconds))"
    }
    item.set(.target, address: target)
    return item
  }

  /// Returns the title of a file, else its name.
  static func name(of file: Post.File) -> String { file.title ?? fileName(of: file.url) }

  static func fileName(of url: String) -> String {
    let parts = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    // Without a path the last part is the host.
    return parts.count > 2 ? shown(String(parts[parts.count - 1])) : host(of: url)
  }

  /// Returns a file name percent-decoded, unless the result is not text that can be shown on a line.
  private static func shown(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "%")),
      let decoded = String(validating: name.utf8.percentDecoded(), as: UTF8.self)?.streamSafe
    else { return name }
    let isPlain = decoded.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
      default: true
      }
    }
    return isPlain && !decoded.trimmed().isEmpty ? decoded : name
  }

  /// Returns the size in megabytes with one decimal digit, or in kilobytes below; nil for less than 1,000 bytes.
  func size(_ bytes: Int) -> String? {
    guard bytes >= 1000 else { return nil }
    if bytes < 1_000_000 { return words.text(.kilobytes, [.number: "\(bytes / 1000)"]) }
    let (whole, tenth) = (bytes / 1_000_000, bytes / 100_000 % 10)
    let number = tenth == 0 ? "\(whole)" : "\(whole)\(words.text(.decimalMark))\(tenth)"
    return words.text(.megabytes, [.number: number])
  }
}

extension Post.Thumbnail {
  /// A picture besides the body, described by its caption.
  fileprivate init(_ picture: Post.Picture) {
    self.init(url: picture.url, alternative: picture.caption, width: picture.width, height: picture.height)
  }
}
