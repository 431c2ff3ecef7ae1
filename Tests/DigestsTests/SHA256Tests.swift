// SHA-256 against the published examples, whole and in pieces.
import Testing

@testable import Digests

struct SHA256Tests {
  /// FIPS 180-4's examples (NIST, SHA-256 example values), and no bytes at all.
  private static let examples: [(text: String, digest: String)] = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ]

  @Test(arguments: examples)
  func `a digest is the published one, whole and in pieces`(text: String, digest: String) {
    let bytes = Array(text.utf8)
    #expect(SHA256.hexadecimal(of: bytes) == digest)
    for cut in 0...bytes.count {
      var pieces = SHA256()
      pieces.update(Array(bytes[..<cut]))
      unsafe pieces.update(bytes.span.extracting(cut...).bytes)
      #expect(pieces.finish() == digest)
    }
    let words = SHA256.words(of: bytes.span)
    let digits = [words.0, words.1, words.2, words.3].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    #expect(digits.joined() == digest)
  }
}
