public import TamisArchive
import TamisCore
package import TamisSystem
import TamisSanitizer
package import TamisSite

/// Writes selected posts of an archive as a book or a mail.
public struct PostBook {
  /// The result of writing a book.
  public struct Summary: Sendable {
    /// The number of posts in the book.
    public var posts = 0
    /// The number of pictures in the book.
    public var pictures = 0
  }

  /// The reason why there is no book or mail.
  public struct Failure: Error, CustomStringConvertible {
    /// The problem and its remedy.
    public let description: String
  }

  private let archive: Archive
  private let postReader: PostReader
  private let numbers: [PostNumber]
  private let markup: StoredMarkup
  private let site: Site
  private let pictureFolder: FilePath
  private let choice: Archive.PostChoice

  private static let batch = 100

  /// Selects posts; an archive that cannot be written is opened for reading.
  ///
  /// - Parameters:
  ///   - configuration: the archive, the sanitizer and the settings of the site.
  ///   - choice: the selection.
  /// - Throws: ``Archive/Failure`` when the archive cannot be read.
  public init(_ configuration: SiteBuild.Configuration, _ choice: Archive.PostChoice) throws {
    let file = configuration.archive
    guard file.kind != nil else { throw Archive.Failure(missing: file.description) }
    let isWritten = file.isWritable && file.folder.isWritable
    archive =
      try isWritten
      ? Archive(file: file.description, patience: configuration.patience)
      : Archive(file: file.description, mode: .reading)
    if isWritten { try archive.settle() }
    var settings = configuration.site
    // Books and mails load nothing from the web.
    settings.isOffline = true
    site = Site(settings, theme: configuration.theme, words: configuration.words)
    (self.choice, pictureFolder) = (choice, configuration.pictureFolder)
    markup = StoredMarkup(configuration.sanitizer)
    postReader = PostReader(
      archive, showsUnreadOnly: configuration.site.showsUnreadOnly, keepsPictures: settings.pictures == .keep)
    numbers = try postReader.chosen(choice)
  }

  /// The number of selected posts.
  public var count: Int { numbers.count }

  /// Calls `body` with the posts, the oldest first unless `newestFirst`.
  private func eachPost(
    newestFirst: Bool = false, wantsPictures: Bool, _ body: (ListedPost, PostView) throws -> Void
  ) throws {
    let numbers = newestFirst ? self.numbers.reversed() : self.numbers
    for start in stride(from: 0, to: numbers.count, by: Self.batch) {
      let part = Array(numbers[start..<min(start + Self.batch, numbers.count)])
      let posts = try postReader.chosen(part)
      let pictures = wantsPictures ? try postReader.pictures(of: posts.map(\.number)) : [:]
      for post in posts {
        // Bodies are read one at a time, since a batch of them may be large.
        let packed = try postReader.bodies(of: [post.number])[post.number]
        try body(post, view(of: post, packed?.unpacked ?? KeptBody(), pictures[post.number] ?? [:]))
      }
    }
  }

  private func view(of post: ListedPost, _ body: KeptBody, _ kept: [String: KeptPicture]) -> PostView {
    let pictures = kept.filter { Site.canShowInBooks($0.value) && path(of: $0.value).kind == .file }
    var item = post.item
    if let picture = item.keptThumbnail, !pictures.values.contains(picture) { item.keptThumbnail = nil }
    return markup.view(of: item, body, pictures, on: site, isOffline: true)
  }

  private func path(of picture: KeptPicture) -> FilePath {
    pictureFolder.appending(FilePath(String(picture.path.text.dropFirst(KeptPicture.folder.count))))
  }

  // MARK: - Books

  /// Writes the posts as an EPUB; memory holds only one chapter or picture at a time, and the table of contents.
  ///
  /// - Parameters:
  ///   - file: the path of the file, which is replaced when everything is written.
  ///   - name: the selection in words; empty for all.
  ///   - modified: the time at which the book is made, in seconds since 1970-01-01T00:00:00Z; nil for the date of its
  ///     newest post.
  ///   - progress: a function that is called with the number of written posts and of all posts.
  /// - Returns: the number of posts and of pictures in the book.
  /// - Throws: ``Failure`` when the book or a picture cannot be written or read; ``Archive/Failure`` when the archive
  ///   cannot be read.
  public func write(
    epub file: String, name: String = "", modified: Int64? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Summary {
    try write(epub: FilePath(file), name: name, modified: modified, progress: progress)
  }

  /// Writes the same into a file whose path need not be text.
  package func write(
    epub file: FilePath, name: String, modified: Int64?, progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Summary {
    do {
      let zip = try ZipFile(file)
      try zip.add(Book.mediaType.path.text, Book.mediaType.bytes, isStored: true)
      var book = Book(site, name: name, identity: identity, modified: modified)
      var summary = Summary()
      try eachPost(wantsPictures: true) { _, view in
        let chapter = site.bookChapter(view, number: book.count + 1)
        try zip.add(Book.folder + chapter.file.path.text, chapter.file.bytes)
        book.add(chapter, view.item)
        for picture in view.kept.values.sorted(by: { $0.path.text < $1.path.text }) {
          let name = Book.folder + picture.path.text
          if zip.has(name) { continue }
          var bytes: [UInt8] = []
          try path(of: picture).readPieces { bytes += $0 }
          try zip.add(name, bytes, isStored: true)
          book.add(picture: picture.path)
        }
        progress(book.count, count)
      }
      for file in book.files() { try zip.add(file.path.text, file.bytes) }
      try zip.finish()
      (summary.posts, summary.pictures) = (book.count, book.pictureCount)
      return summary
    } catch let failure as ZipFile.Failure {
      throw Failure(description: "\(file): the book cannot be written: \(failure)")
    } catch let failure as FileFailure {
      throw Failure(description: "\(file): the book cannot be written: a picture cannot be read: \(failure)")
    }
  }

  // MARK: - Mails

  /// Writes the posts as a mail, the newest first; memory holds only one post at a time.
  ///
  /// - Parameters:
  ///   - form: the format of the mail.
  ///   - name: the selection in words; empty for all.
  ///   - isWhole: whether the mail has complete posts, not excerpts.
  ///   - body: a function that is called with the next bytes.
  /// - Returns: the number of posts whose lists, quotations and tables are too deep for Markdown.
  /// - Throws: the error that `body` throws; ``Archive/Failure`` when the archive cannot be read.
  package func write(
    digest form: MailDigest.Form, name: String, isWhole: Bool, to body: ([UInt8]) throws -> Void
  ) throws -> Int {
    var digest = MailDigest(site, form, name: name, isWhole: isWhole)
    try body(digest.beginning(posts: count))
    try eachPost(newestFirst: true, wantsPictures: false) { _, view in try body(digest.post(view)) }
    try body(digest.end())
    return digest.flattened
  }

  /// The book's identifier, which is the same for each edition of a selection.
  private var identity: String {
    let times = choice.times.map { "\($0.lowerBound) \($0.upperBound == .max ? "" : "\($0.upperBound)")" }
    return [times ?? "", choice.tag ?? "", choice.category ?? "", choice.feed?.text ?? "", "\(choice.most ?? -1)"]
      .joined(separator: "\n")
  }
}
