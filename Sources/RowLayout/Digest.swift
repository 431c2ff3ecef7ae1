// SHA-256 through libcrypto, for fingerprints.

internal import CCrypto

enum Digest {
  /// SHA-256 of the bytes, in hexadecimal.
  static func sha256(_ bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    // Both buffers outlive the call, and the digest has the room that libcrypto names.
    let isDone = unsafe EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil)
    precondition(isDone == 1, "libcrypto has no SHA-256")
    return hexadecimal(digest.prefix(Int(length)))
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }
}
