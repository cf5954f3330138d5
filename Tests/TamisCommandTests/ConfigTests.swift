import Foundation
import TestSupport
import Testing

/// The commands about subscriptions, as their users run them.
@Suite struct ConfigTests {
  private let folder: TemporaryFolder

  init() throws { folder = try Fixtures.temporaryFolder() }

  private func shell(_ script: String) throws -> Command.Run { try Command.shell(script, in: folder.path) }

  @Test func subscriptionsComeAndGo() throws {
    var run = try shell("tamis init --title 'Planet  Fog' && tamis config check && cat tamis.yaml")
    #expect(run.status == 0 && run.output.contains("\n  title: Planet Fog\n"), "\(run.errors)")
    #expect(run.errors.contains("tamis.yaml: warning: there are no feeds in this file"))
    run = try shell(
      "cp tamis.yaml before; tamis add --as-is https://example.org/a --category News --title A https://example.org/a")
    #expect(run.status == 2 && run.errors.contains("--title is for one feed"))
    run = try shell(
      "tamis add --as-is https://example.org/a --category News --title 'A: é'; tamis add --as-is https://example.org/b example.org"
    )
    #expect(run.status == 1 && run.errors.contains("did you mean 'https://example.org'?"), "\(run.errors)")
    run = try shell("tamis add --as-is https://EXAMPLE.org/a")
    #expect(run.status == 65 && run.errors.contains("is there already: tamis.yaml:"), "\(run.errors)")
    #expect(try shell("tamis list").output == "https://example.org/a\tA: é\tNews\nhttps://example.org/b\t\t\n")
    run = try shell("tamis remove https://example.org/c")
    #expect(run.status == 65 && run.errors.contains("did you mean 'https://example.org/a'?"), "\(run.errors)")
    run = try shell(
      "tamis remove 'a: É' https://example.org/b; sed -i 's/^feeds:$/feeds: []/' tamis.yaml; cmp before tamis.yaml")
    #expect(run.status == 0, "\(run.errors) \(run.output)")
  }

  @Test func nothingIsWrittenOver() throws {
    let run = try shell(
      "echo mine > tamis.yaml; tamis init; echo $?; cat tamis.yaml; tamis init --force; tamis list; echo $?")
    #expect(run.output == "2\nmine\n0\n" && run.errors.contains("--force writes over it"), "\(run.errors)")
  }

  @Test func othersAreTakenOver() throws {
    let script = """
      printf 'https://example.org/a The first\\n' > list.txt
      tamis init --from list.txt --config one.yaml && tamis list --opml --config one.yaml > one.opml
      tamis init --from - --config two.yaml < one.opml && tamis list --config two.yaml && cmp one.yaml two.yaml
      """
    let run = try shell(script)
    #expect(run.status == 0 && run.output == "https://example.org/a\tThe first\t\n", "\(run.errors)")
    #expect(run.errors.contains("with 1 feed from a list of addresses") && run.errors.contains("from OPML"))
    let bad = try shell("echo '<html>' > x; tamis init --from x --config three.yaml; echo $?; ls three.yaml")
    #expect(bad.output == "65\n" && bad.errors.contains("x:1:1: error: this is no OPML"), "\(bad.errors)")
  }

  @Test func mistakesAreNamedWithTheirPlaces() throws {
    let text =
      "site:\n  titel: x\n  theme: newspapr\nfeeds:\n  - {address: https://example.org/, rules: strct}\nlists: [none.opml]\n"
    try Data(text.utf8).write(to: URL(filePath: folder.path + "/tamis.yaml"))
    let run = try shell("tamis config check")
    #expect(run.status == 65 && run.output.isEmpty)
    for words in [
      "tamis.yaml:2:3: error: unknown setting of site 'titel'; did you mean 'title'? [config.invalid]",
      "tamis.yaml: error: there is no theme 'newspapr'; did you mean 'newspaper'? [config.missing]",
      "tamis.yaml:5:5: error: there is no rules 'strct'; did you mean 'strict'? [config.missing]",
      "tamis.yaml:6:9: error: there is no list 'none.opml' [config.missing]",
    ] { #expect(run.errors.contains(words), "\(run.errors)") }
    let missing = try shell(
      "tamis config check nowhere.yaml; echo $?; tamis add --as-is https://example.org/ --config nowhere.yaml; echo $?")
    #expect(missing.output == "65\n65\n" && missing.errors.contains("begin one with: tamis init"), "\(missing.errors)")
  }
}
