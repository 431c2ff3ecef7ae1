// The gzip content coding (RFC 1952), through zlib.

import CZlib

enum Gzip {
  /// Between zlib's fastest (1) and smallest (9): on JSON, higher levels gain hardly a percent.
  private static let level: Int32 = 5
  /// zlib's largest window, with the header of gzip around it.
  private static let windowBits: Int32 = 15 + 16
  private static let memoryLevel: Int32 = 8

  /// The coded bytes, the same for the same input; nil when they would not be at most `limit` bytes.
  static func compress(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard
      unsafe deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK
    else { return nil }
    defer { unsafe deflateEnd(&stream) }
    var isWhole = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: limit) { output, count in
      unsafe bytes.withUnsafeBufferPointer { input in
        // zlib does not write to its input; the type of `next_in` only lacks the word const.
        unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.avail_in = UInt32(clamping: input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(clamping: limit)
        isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = unsafe Int(stream.total_out)
    }
    return isWhole ? output : nil
  }
}
