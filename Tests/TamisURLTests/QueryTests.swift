import TamisURL
import Testing

@Suite("Query and fragment")
struct QueryTests {
  @Test("parameters are split raw and decoded on demand")
  func parametersAreSplitRawAndDecodedOnDemand() throws {
    let url = try #require(WebURL("https://h/?a=1&b%20c=d+e%C3%A9&&flag&=x&y=z=z&bad=%FF#f=1"))
    let parameters = url.queryParameters
    #expect(parameters.map(\.rawName) == ["a", "b%20c", "flag", "", "y", "bad"])
    #expect(parameters.map(\.rawValue) == ["1", "d+e%C3%A9", nil, "x", "z=z", "%FF"])
    #expect(parameters.map(\.name) == ["a", "b c", "flag", "", "y", "bad"])
    #expect(parameters.map(\.value) == ["1", "d eé", "", "x", "z=z", "\u{FFFD}"])
    #expect(WebURL("https://h/")?.queryParameters.isEmpty == true)
    #expect(WebURL("https://h/?")?.queryParameters.isEmpty == true)
  }

  @Test(
    "removing parameters leaves the others' bytes alone",
    arguments: [
      ("https://h/?utm_source=x&a=%7e+1", "https://h/?a=%7e+1"), ("https://h/?a&utm_x&b", "https://h/?a&b"),
      ("https://h/?utm_source=x#f", "https://h/#f"), ("https://h/?utm_a=1&utm_b=2", "https://h/"),
      ("https://h/?%75tm_a=1&b", "https://h/?b"), ("https://h/?a&&b", "https://h/?a&&b"),
      ("https://h/?", "https://h/?"),
      ("https://h/?&utm_a&", "https://h/"), ("https://h/#?utm_a", "https://h/#?utm_a"),
      ("mailto:a@b?utm_a=1&subject=x", "mailto:a@b?subject=x"),
    ])
  func removingParametersPreservesOthers(input: String, expected: String) throws {
    let url = try #require(WebURL(input)).removingQueryParameters { $0.hasPrefix("utm_") }
    #expect(url.href == expected)
    #expect(WebURL(expected)?.fragment == url.fragment)
    #expect(WebURL(expected)?.query == url.query)
  }

  @Test(
    "a parameter that is added is read back, whatever it holds",
    arguments: [
      ("https://h/", "https://h/?u=https%3A%2F%2Fa%2F%3Fx%3D1%26y%3D%23z"),
      ("https://h/?", "https://h/?u=https%3A%2F%2Fa%2F%3Fx%3D1%26y%3D%23z"),
      ("https://h/?a=%7e&b#f", "https://h/?a=%7e&b&u=https%3A%2F%2Fa%2F%3Fx%3D1%26y%3D%23z#f"),
      ("mailto:a@b", "mailto:a@b?u=https%3A%2F%2Fa%2F%3Fx%3D1%26y%3D%23z"),
    ])
  func addedParameterIsReadBack(input: String, expected: String) throws {
    let url = try #require(WebURL(input)).addingQueryParameter("u", "https://a/?x=1&y=#z")
    #expect(url.href == expected && WebURL(expected) == url)
    let odd = "a b&c=d+e%41é\u{1F600}\0\t"
    let added = url.addingQueryParameter(odd, odd)
    #expect(added.queryParameters.last?.name == odd && added.queryParameters.last?.value == odd)
  }

  @Test("replacing the query encodes it by the query set")
  func replacedQueryIsPercentEncoded() throws {
    let url = try #require(WebURL("https://h/a?b#c"))
    #expect(url.replacingQuery("x y#'\t\"é").href == "https://h/a?x%20y%23%27%22%C3%A9#c")
    #expect(url.replacingQuery("").href == "https://h/a?#c")
    #expect(url.replacingQuery(nil).href == "https://h/a#c")
    #expect(url.replacingQuery(nil).fragment == "c")
    #expect(WebURL("web:x")?.replacingQuery("'#").href == "web:x?'%23")
  }

  @Test("replacing the fragment encodes it by the fragment set")
  func replacedFragmentIsPercentEncoded() throws {
    let url = try #require(WebURL("https://h/a?b#c"))
    #expect(url.replacingFragment("x y#`\n").href == "https://h/a?b#x%20y#%60")
    #expect(url.replacingFragment("").fragment == "")
    #expect(url.replacingFragment(nil).href == "https://h/a?b")
    #expect(url.removingFragment.fragment == nil)
    #expect(url.removingFragment.removingFragment.query == "b")
  }
}
