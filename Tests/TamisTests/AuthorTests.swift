import Tamis
import Testing

/// Whose posts are those that name no author.
@Suite struct AuthorTests {
  @Test(
    arguments: [
      (
        "<feed xmlns='http://www.w3.org/2005/Atom'><author><name>Ann</name></author><entry><title>t</title></entry></feed>",
        ["Ann"]
      ),
      (
        """
        <feed xmlns='http://www.w3.org/2005/Atom'><author><name>Ann</name></author>
        <entry><title>t</title><author><name>Bo</name></author></entry></feed>
        """, ["Bo"]
      ),
      (
        """
        <feed xmlns='http://www.w3.org/2005/Atom'><author><name>Ann</name></author>
        <entry><title>t</title><source><author><name>Cy</name></author></source></entry></feed>
        """, ["Cy"]
      ),
      (
        """
        {"version": "https://jsonfeed.org/version/1.1", "title": "f", "authors": [{"name": "Di"}], "items": [{"id": "1", "content_text": "x"}]}
        """, ["Di"]
      ),
      (
        """
        <rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel><item><title>t</title>
        <dc:creator>&lt;a href='https://a.example/' rel='author'&gt;Ann &amp;amp; Bo&lt;/a&gt;</dc:creator></item></channel></rss>
        """, ["Ann & Bo"]
      ),
      (
        """
        <rss version='2.0'><channel><managingEditor>ed@a.example (Ed)</managingEditor><item><title>t</title></item></channel></rss>
        """, []
      ),
    ] as [(String, [String])])
  func entriesInheritFeedAuthors(_ document: String, _ authors: [String]) throws {
    let output = try Pipeline().process(FeedDocument(name: "feed", bytes: Array(document.utf8)))
    #expect(output.posts.map(\.authors) == [authors])
  }
}
