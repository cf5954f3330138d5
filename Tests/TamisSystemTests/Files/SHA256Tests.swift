import TamisSystem
import Testing

@Suite struct SHA256Tests {
  /// Examples are those of NIST's FIPS 180-4 (one block, two blocks, nothing).
  @Test(arguments: [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func digestMatchesFIPSExamples(_ text: String, _ hex: String) {
    #expect(SHA256(text).hex == hex)
  }

  @Test func digestIsWrittenAsBase64() {
    #expect(SHA256("abc").base64 == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=")
  }
}
