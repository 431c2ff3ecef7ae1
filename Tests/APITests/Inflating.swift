// Reads gzip back, with the library's other half.

import CZlib
import Testing

/// What a gzip stream holds.
func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
  var stream = unsafe z_stream()
  let size = unsafe Int32(MemoryLayout<z_stream>.size)
  try #require(unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK)
  defer { unsafe inflateEnd(&stream) }
  var isWhole = false
  let output = unsafe [UInt8](unsafeUninitializedCapacity: 4 << 20) { output, count in
    unsafe bytes.withUnsafeBufferPointer { input in
      unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      isWhole = unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END
    }
    count = unsafe Int(stream.total_out)
  }
  try #require(isWhole)
  return output
}
