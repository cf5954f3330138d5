import TamisCheck
import TamisSanitizer
import Testing

/// The output contract must be able to be broken: each of these is markup that the sanitizer never writes.
@Suite struct ContractTests {
  @Test(arguments: [
    (#"<p onclick="x">a</p>"#, OutputContract.Breach.Rule.attribute), ("<script>x</script>", .element),
    ("<blink>a</blink>", .element),
    ("<p>a", .balance), ("a</p>", .balance), ("<b><i>a</b></i>", .balance), ("<p class=x>a</p>", .grammar),
    (#"<p title='a'>b</p>"#, .grammar), ("a & b", .grammar), ("a > b", .grammar), ("<!-- a -->", .grammar),
    ("a\u{A0}b", .grammar),
    ("a\u{7}b", .grammar), (#"<p dir="a" dir="b">c</p>"#, .grammar), ("<br></br>", .grammar), ("<p />", .grammar),
    (#"<a href="javascript:x">a</a>"#, .url), (#"<a href=" java\#tscript:x">a</a>"#, .url),
    (#"<a href="data:text/html,x">a</a>"#, .url),
    (#"<img src="data:image/svg+xml,x" />"#, .url), (#"<img srcset="a.jpg 1x, javascript:x 2x" />"#, .url),
    (#"<p id="a">b</p>"#, .name), (#"<p class="big">b</p>"#, .name), ("<p>a<p>b</p></p>", .structure),
    ("<p><div>a</div></p>", .structure),
    ("<table>a</table>", .structure), ("<table><p>a</p></table>", .structure), ("<tr><td>a</td></tr>", .structure),
    (#"<a href="x">a<b><a href="y">b</a></b></a>"#, .structure), ("<li>a<li>b</li></li>", .structure),
    ("<h1><h2>a</h2></h1>", .structure),
    ("<pre>\na</pre>", .structure), ("<svg><q>a</q></svg>", .element), ("<circle></circle>", .element),
    ("<svg><circle /></svg>", .grammar),
    (#"<svg><rect fill="url(https://a.example/)"></rect></svg>"#, .style),
    (#"<p style="color: red;">a</p>"#, .attribute),
    ("<svg><p></p></svg>", .structure), ("<math><mfrac><b></b></mfrac></math>", .structure),
    ("<svg><g><font></font></g></svg>", .structure), ("<p><table></table></p>", .structure),
    (#"<a href="https:/a">a</a>"#, .url), (#"<img src="HTTPS:a.png" />"#, .url),
    (#"<img srcset="a.png 1x, https:\b.png 2x" />"#, .url),
    (String(repeating: "<div>", count: 257) + String(repeating: "</div>", count: 257), .structure),
  ])
  func breachIsFoundWithItsRule(_ markup: String, _ rule: OutputContract.Breach.Rule) {
    #expect(OutputContract(policy: .reading).breach(ofMarkup: markup)?.rule == rule, "\(markup)")
  }

  @Test(arguments: [
    "", "a &amp; &lt;b&gt; &nbsp;\"", #"<p class="language-swift" lang="en">a<br />b</p>"#,
    "<table><caption>a</caption><tr><td><p>b</p></td></tr></table>", "<ul><li>a<ul><li>b</li></ul></li></ul>",
    #"<a href="https://a.example/?a&amp;b" rel="noopener noreferrer nofollow">a</a>"#,
    "<svg><title>a</title><circle r=\"1\"></circle></svg>",
    #"<img alt="" loading="lazy" src="data:image/png;base64,AA" srcset="a,b.jpg 1x, c.jpg 2x" />"#,
    "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>",
  ])
  func validMarkupHasNoBreach(_ markup: String) {
    #expect(OutputContract(policy: .reading).breach(ofMarkup: markup) == nil, "\(markup)")
  }

  @Test func drawingsMayReferenceOnlyTheirDocument() {
    let contract = OutputContract(policy: .universalFeedParser)
    #expect(
      contract.breach(ofMarkup: ##"<svg><text xlink:href="#a"></text><a xlink:href="https://a/"></a></svg>"##) == nil)
    #expect(contract.breach(ofMarkup: #"<svg><text xlink:href="https://a/#a"></text></svg>"#)?.rule == .url)
    #expect(contract.breach(ofMarkup: #"<img usemap="a" />"#)?.rule == .url)
  }

  @Test(arguments: [
    #"<svg transform="scale(9)"></svg>"#, #"<p><svg transform="scale(9)"></svg></p>"#,
    ##"<svg><marker><path marker-end="url(#post-a)"></path></marker></svg>"##,
    ##"<svg><clipPath clip-path="url(#post-a)"></clipPath></svg>"##,
    #"<math><mpadded height="0"></mpadded></math>"#, #"<math><mspace width="-500px"></mspace></math>"#,
    #"<math><mfrac linethickness="400px"></mfrac></math>"#,
  ])
  func drawingsStayInTheirPlace(_ markup: String) {
    #expect(OutputContract(policy: .reading).breach(ofMarkup: markup)?.rule == .place, "\(markup)")
  }

  @Test(arguments: [
    #"<svg><svg transform="scale(9)"></svg><g transform="scale(9)"></g></svg>"#,
    ##"<svg><path marker-end="url(#post-a)"></path></svg>"##, #"<math><mfrac linethickness="0.1em"></mfrac></math>"#,
    #"<math><mspace width="2em"></mspace></math>"#,
  ])
  func drawingsInTheirPlaceHaveNoBreach(_ markup: String) {
    #expect(OutputContract(policy: .reading).breach(ofMarkup: markup) == nil, "\(markup)")
  }

  @Test func stylesAreJudgedByThePolicy() {
    let contract = OutputContract(policy: .universalFeedParser)
    #expect(contract.breach(ofMarkup: #"<p style="color: red;">a</p>"#) == nil)
    for style in [
      "position: fixed;", "color: url(x);", "color: expression(x);", "color: r\\65d;", "behavior: x;",
      "color: red;\u{FF9E}x: y;",
      "color: rgb(0)\u{FF9E}x(\u{FF9E}y);",
    ] {
      #expect(contract.breach(ofMarkup: "<p style=\"\(style)\">a</p>")?.rule == .style, "\(style)")
    }
  }
}
