import TestSupport
import Testing

/// `--language`, the settings `dates` and `time-zone`, and the words to begin a language with.
@Suite struct LanguageOptionTests {
  private static let feed = """
    <rss version="2.0"><channel><title>風</title><item><guid>1</guid><title>雨</title>\
    <pubDate>Wed, 31 Dec 2025 23:30:00 GMT</pubDate></item></channel></rss>
    """

  @Test func pagesUseLanguageAndDateOptions() throws {
    let folder = try Fixtures.temporaryFolder()
    let run = try Command.shell(
      """
      printf %s '\(Self.feed)' > feed.xml
      tamis theme words fr | sed 's/^language = fr/language = fr-CH/; s/^archive = .*/archive = Vieux papiers/' > own.words
      tamis build feed.xml -o site --language own.words --set site.time-zone=Europe/Vienna --set site.dates=long 2> said || cat said
      head -2 site/index.html; grep -o 'Vieux papiers' site/index.html | head -1; grep -o '1er janvier 2026' site/index.html | head -1
      grep -o 'datetime="[^"]*"' site/posts/*/*.html
      tamis build feed.xml -o site --language ar 2> said || cat said
      sed -n 2p site/index.html
      """, in: folder.path)
    #expect(
      run.output == """
        <!doctype html>
        <html lang="fr-CH" dir="ltr">
        Vieux papiers
        1er janvier 2026
        datetime="2025-12-31T23:30:00Z"
        <html lang="ar" dir="rtl">

        """, "\(run.output)\(run.errors)")
  }

  @Test(arguments: [
    (["--language", "fre"], "did you mean 'fr'?"), (["--set", "site.dates=shrt"], "did you mean 'short'?"),
    (["--set", "site.time-zone=Europe/Viena"], "did you mean 'Europe/Vienna'?"),
  ])
  func misspelledOptionValueGetsSuggestion(_ options: [String], _ hint: String) throws {
    let folder = try Fixtures.temporaryFolder()
    let run = try Command.tamis(["publish", "-o", "site"] + options, in: folder.path)
    #expect(run.status == 2 && run.errors.contains(hint), "\(run.errors)")
  }

  @Test func unknownWordIsReportedWithItsLine() throws {
    let folder = try Fixtures.temporaryFolder()
    let run = try Command.shell(
      "echo 'neewer = x' > own.words; tamis publish -o site --language own.words", in: folder.path)
    #expect(run.status == 65 && run.errors.contains("own.words:1: there is no word 'neewer'"), "\(run.errors)")
  }
}
