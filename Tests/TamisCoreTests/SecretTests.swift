import TamisCore
import Testing

@Suite struct SecretTests {
  private struct Holder { let secret: Secret }

  @Test func nothingPrintsSecret() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(Holder(secret: secret), to: &dumped)
    dump([secret], to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), "\(Holder(secret: secret))",
      "\([secret])", "\(Optional(secret) as Any)", dumped,
    ]
    for text in texts { #expect(!text.contains("hunter2") && text.contains("(secret)"), "\(text)") }
    #expect(Mirror(reflecting: secret).children.isEmpty)
    #expect(secret.revealed == "hunter2")
  }
}
