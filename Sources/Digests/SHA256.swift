// SHA-256 as libcrypto computes it: of font files, fingerprints, tokens and requests.

internal import CCrypto

/// SHA-256 (FIPS 180-4), fed piece by piece.
@safe public struct SHA256: ~Copyable {
  /// The 32 bytes of a digest as four big-endian numbers.
  public typealias Words = (UInt64, UInt64, UInt64, UInt64)

  // The context is this value's alone, made with it and freed with it.
  private let context: OpaquePointer

  public init() {
    guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, Self.method.pointer, nil) == 1 else {
      preconditionFailure(Self.absence)
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  public mutating func update(_ bytes: RawSpan) {
    let isDone = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    precondition(isDone == 1, Self.absence)
  }

  public mutating func update(_ bytes: [UInt8]) { unsafe update(bytes.span.bytes) }

  /// 64 lower-case hexadecimal digits.
  public consuming func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    // The buffer has the 32 bytes of SHA-256, and outlives the call.
    precondition(unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1, Self.absence)
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The digest of all bytes, as 64 lower-case hexadecimal digits.
  public static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }

  /// The digest of all bytes, without memory of its own.
  public static func words(of bytes: Span<UInt8>) -> Words {
    var words: Words = (0, 0, 0, 0)
    let isDone = unsafe bytes.withUnsafeBytes { input in
      // The buffer has the 32 bytes of SHA-256, and both outlive the call.
      unsafe withUnsafeMutableBytes(of: &words) { output in
        unsafe EVP_Digest(
          input.baseAddress, input.count, output.baseAddress?.assumingMemoryBound(to: UInt8.self), nil,
          method.pointer, nil)
      }
    }
    precondition(isDone == 1, absence)
    return (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
  }

  private static let absence = "libcrypto has no SHA-256"

  /// The method, looked up once: with every digest it would cost more than the digest of a token.
  private static let method = Method()

  /// `@unchecked Sendable`: never freed and never changed, and libcrypto reads it from any thread.
  @safe private struct Method: @unchecked Sendable {
    let pointer: OpaquePointer? = unsafe EVP_MD_fetch(nil, "SHA256", nil)
  }
}
