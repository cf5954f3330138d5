import TamisPlanet
import TestSupport
import Testing

@Suite struct PatternTests {
  @Test(arguments: [
    ("crypto(currency)?", "All Cryptocurrency news", "Cryptocurrency"), ("(?-i)crypto", "Crypto", nil),
    ("(?-i)Crypto", "Crypto", "Crypto"), ("übung|ÜBEL", "Eine ÜBUNG", "ÜBUNG"), ("^news$", "News", "News"),
    ("^news$", "News today", nil), (#"\p{Han}{2}"#, "新しい東京", "東京"), ("a.c", "a\nc", nil), ("x*", "y", ""),
    ("a|ab", "abc", "a"), (#"\bfog\b"#, "foggy fog", "fog"), ("", "", ""), ("[^a]", "a", nil), ("é", "É", "É"),
  ])
  func firstMatchIsFound(_ source: String, _ text: String, _ expected: String?) throws {
    #expect(try Pattern(source).firstMatch(in: text) == expected)
  }

  /// Each refusal says what RE2 says, and what to do.
  @Test(arguments: [
    ("fog(?=gy)", "invalid perl operator", "look-ahead and look-behind are not supported"),
    ("(?<!x)y", "invalid perl operator", "look-ahead and look-behind are not supported"),
    ("(?>a)", "invalid perl operator", "write (?:"),
    (#"(a)\1"#, #"invalid escape sequence: \1"#, "back-references are not supported"),
    (#"\q"#, #"invalid escape sequence: \q"#, "write the character without the backslash"),
    ("a**", "bad repetition operator: **", "write one of them"),
    ("a{1001}", "invalid repetition size", "repeat 1000 times at most"),
    ("*.exe", "no argument for repetition operator: *", #"write \* for the character"#), ("(", "missing )", ""),
    ("[z-a]", "invalid character class range", ""), (#"(\pL{1,100}x){1,10}"#, "becomes too large", "repeat less"),
    ("(.{1,100}){1,10}z", "becomes too large", "repeat less"),
  ])
  func refusalSaysWhatToDo(_ source: String, _ reason: String, _ advice: String) {
    let objection = Pattern.objection(to: source) ?? ""
    #expect(objection.contains(reason) && objection.contains(advice), "\(objection)")
  }

  @Test func lengthIsBounded() {
    #expect(Pattern.objection(to: String(repeating: "a", count: Pattern.longest)) == nil)
    #expect(Pattern.objection(to: String(repeating: "a", count: Pattern.longest + 1))?.contains("1001 bytes") == true)
  }

  /// What makes engines that backtrack run for years.
  @Test(arguments: [
    "(a+)+$", "(a|a)*b", "(a|aa)+$", ".*.*.*x", "(x{1,100}){1,10}y", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a?){50}b",
    "([a-z]+)*!", "(.*a){20}b",
  ])
  func hostileExpressionsEnd(_ source: String) throws {
    let pattern = try Pattern(source)
    for letter in ["a", "x"] {
      _ = pattern.firstMatch(in: String(repeating: letter, count: Pattern.longestText) + "\u{E9}")
    }
  }

  /// Only the beginning of a text is searched, in whole characters.
  @Test func onlyBeginningIsSearched() throws {
    let long = String(repeating: "a", count: Pattern.longestText - 1)
    #expect(try Pattern("b").firstMatch(in: long + "b") == "b")
    #expect(try Pattern("b").firstMatch(in: long + "cb") == nil)
    #expect(try Pattern("[^a]").firstMatch(in: long + "é") == nil)
  }

  /// An expression is matched by several tasks at once.
  @Test func threadsShareExpression() async throws {
    let pattern = try Pattern("fog|mist")
    let found = await withTaskGroup(of: String?.self) { group in
      for number in 0..<64 { group.addTask { pattern.firstMatch(in: "\(number) Fog") } }
      return await group.reduce(into: 0) { count, match in if match == "Fog" { count += 1 } }
    }
    #expect(found == 64)
  }
}
