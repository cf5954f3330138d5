import ArgumentParser
import Tamis

/// `tamis publish`: publishes an archive as a static site, a book, or a mail.
struct PublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Make a static site of what an archive holds, a book, or a mail.",
    discussion: """
      The site is a function of the archive, the theme and the settings. With --epub or --digest the site is left alone \
      unless --output names its folder. Examples:

        tamis publish --archive planet.archive --output site
        tamis publish --archive planet.archive --epub week.epub --days 7
        tamis publish --archive planet.archive --digest text --days 7
      """)

  @OptionGroup var planet: PlanetOptions

  @OptionGroup var site: SiteOptions

  @OptionGroup var book: BookOptions

  @Option(help: "The archive (default: OUTPUT.archive).")
  var archive: String?

  @OptionGroup var pictures: PictureOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup var work: WorkOptions

  func validate() throws {
    if book.isAsked, work.check { throw ValidationError("--check looks at sites only: leave out --epub and --digest") }
  }

  func run() async throws {
    let isPublished = !book.isAsked || site.output != nil
    let run = try SiteRun(
      planet, reading: nil, site, archive: archive, pictures.settings, policy, work, isPublished: isPublished)
    if isPublished { try await run.run(nil) { try await $0.publish(progress: $1) } }
    if book.isAsked { try writeBook(run) }
  }

  private func writeBook(_ run: SiteRun) throws {
    try book.epub?.refuseAsOutput(of: "--epub", besides: run.inputFiles)
    try book.to?.refuseAsOutput(of: "--to", besides: run.inputFiles)
    let progress = Progress(leaving: "no incomplete book is left")
    defer { progress.finish() }
    do {
      let (choice, name) = try book.choice(in: run.configuration)
      let posts = try PostBook(run.configuration, choice)
      guard posts.count > 0 else {
        progress.finish()
        throw Terminal.failure("tamis: warning: no post matches; nothing is written [choice]", .someFailed)
      }
      if let epub = book.epub {
        let made = try posts.write(epub: epub, name: name, modified: BookOptions.sourceDate()) {
          progress.update($0, of: $1, noun: "post", done: "written")
        }
        progress.finish()
        let pictures = made.pictures > 0 ? ", \(made.pictures.counted("picture"))" : ""
        if !work.success.quiet {
          Terminal.error("\(made.posts.counted("post"))\(pictures): \(TerminalText.beginning(of: epub.description))")
        }
      }
      if let form = book.digest { try write(posts, form, name, isWhole: run.configuration.site.showsFullPosts) }
    } catch let error as any CustomStringConvertible & Error where error is Archive.Failure || error is PostBook.Failure
    {
      progress.finish()
      throw Terminal.failure("tamis: error: \(TerminalText.beginning(of: "\(error)")) [book]", .cannotWrite)
    }
  }

  private func write(_ posts: PostBook, _ form: MailDigest.Form, _ name: String, isWhole: Bool) throws {
    guard let file = book.to else {
      return warn(try posts.write(digest: form, name: name, isWhole: isWhole) { Terminal.write($0) })
    }
    var bytes: [UInt8] = []
    warn(try posts.write(digest: form, name: name, isWhole: isWhole) { bytes += $0 })
    do { try FileOutput.write(bytes, to: file) } catch {
      throw Terminal.failure(
        "tamis: error: \(TerminalText.beginning(of: file.description)): the mail cannot be written: \(error) [book]",
        .cannotWrite)
    }
  }

  /// Warns of posts that Markdown shows otherwise than they are.
  private func warn(_ flattened: Int) {
    guard flattened > 0 else { return }
    Terminal.error("tamis: warning: in \(flattened.counted("post")) \(Markdown.limitMessage) [markdown.limit]")
  }
}
