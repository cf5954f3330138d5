import TamisCheck
import TamisCore
import TamisSanitizer

/// Rules files, and configurations of the browsers' sanitizer where the text begins with a brace.
struct RulesTarget: FuzzTarget {
  let name = "rules"
  let longest = 4000

  func fault(in input: [UInt8]) -> String? {
    let text = String(decoding: input, as: UTF8.self)
    do throws(InvalidRules) {
      return input.first == UInt8(ascii: "{") ? try configurationFault(text) : try fileFault(text)
    } catch {
      return error.findings.isEmpty ? "refused without a reason" : Places.fault(in: error.findings, of: input)
    }
  }

  func seeds(from files: SeedFiles) -> [[UInt8]] {
    let shipped = Policy.shippedNames.compactMap { Policy.shippedText(named: $0).map { Array($0.utf8) } }
    let found =
      files.files(in: "Sanitizer", withExtension: "yaml") + files.files(in: "Suite", withExtension: "yaml")
      + files.sections("config", in: "SanitizerConfig") + shipped
    // Rules that extend others are as short as people write them.
    let extending = Policy.shippedNames.map { Array("extends: \($0)\nelements:\n  html: [-p, +blink]\n".utf8) }
    return found.map { Array($0.prefix(longest)) } + extending
  }

  // MARK: - What must hold

  private func configurationFault(_ text: String) throws(InvalidRules) -> String? {
    let config = try SanitizerConfig(json: text, file: "rules.json")
    // The reader is one of YAML, which refuses these characters where they are not escaped.
    let isRefused = config.json.unicodeScalars.contains { (0x7F...0x9F).contains($0.value) || $0.value | 1 == 0xFFFF }
    let again = try? SanitizerConfig(json: config.json, file: "rules.json")
    return isRefused || again?.json == config.json
      ? fault(of: config.policy) : "a configuration is not read as it is written: \(config.json)"
  }

  private func fileFault(_ text: String) throws(InvalidRules) -> String? {
    let policy = try Policy(yaml: text, file: "rules.yaml")
    let slips = try Policy.lint(yaml: text, file: "rules.yaml")
    return Places.fault(in: slips, of: Array(text.utf8)) ?? fault(of: policy)
  }

  private func fault(of policy: Policy) -> String? {
    do throws(InvalidRules) {
      let again = try Policy(yaml: policy.yaml, file: "again.yaml")
      if again.yaml != policy.yaml { return "a policy is not read as it is written:\n\(policy.yaml)" }
      return try breach(of: Sanitizer(policy: policy))
    } catch {
      return "accepted rules are refused: \(error)"
    }
  }

  private func breach(of sanitizer: Sanitizer) -> String? {
    let contract = OutputContract(policy: sanitizer.policy)
    for fragment in Self.fragments {
      let html = sanitizer.sanitizedHTML(of: fragment)
      if let breach = contract.breach(of: html, by: sanitizer, base: nil) {
        return "\(breach) of \(fragment.debugDescription) is \(html.string.debugDescription)"
      }
    }
    return nil
  }

  /// Fragments with what crosses the floor, and what rules decide.
  private static let fragments = [
    """
    <p id=a class="b c" style="color:red;position:fixed;background:url(x)" onclick=x() data-a=b>a<script>x</script>
    <a href="javascript:x()" target=_blank>b</a><a href="https://a.example/?utm_source=b#c">c</a><a href="d">d</a>
    <img src=e srcset="f 2x" width=1 height=1 onerror=x()><img src="data:image/png;base64,AA=="><iframe src=//g.example>
    </iframe><iframe srcdoc="<script>x</script>"></iframe><object data=h><embed src=i></object><base href=j>
    <meta http-equiv=refresh content=0><link rel=stylesheet href=k><style>x</style><form action=l><input name=m>
    <button formaction="javascript:x">n</button></form><table><b><tr><td>o<blink>p<custom-name q=r>s</table>
    """,
    """
    <svg><script>x</script><a xlink:href="javascript:x"><text>a</text></a><use href="#b"></use><style>x</style>
    <foreignObject><p>c</p></foreignObject><animate attributeName=href to="javascript:x"></animate><title><p>d</title>
    </svg><math><mtext><p>e</p></mtext><annotation-xml encoding="text/html"><style><img src=x onerror=x></style>
    </annotation-xml><mi href="javascript:x">f</mi></math><noscript><p title="</noscript><img src=x onerror=x>">
    <template><p>g</template><select><option>h<p>i</select><plaintext>j
    """,
  ]
}
