// One face as a font file of its own, for browsers: they take no face out of a collection.
import CHarfBuzz
import Glibc

/// Reads a face from a file or a collection (OpenType, "Font Collections").
enum FaceFile {
  private static let collection: UInt32 = 0x7474_6366
  private static let recordBytes = 16
  private static let headerBytes = 12

  /// The bytes of the face; of a file that is no collection, the file.
  static func bytes(of path: String, index: Int) throws(FontError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: FileReading.lastErrorMessage()) }
    defer { close(descriptor) }
    func read(_ offset: Int, _ count: Int) throws(FontError) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      guard unsafe pread(descriptor, &bytes, count, off_t(offset)) == count else {
        throw .unreadable(path: path, reason: "it ends early")
      }
      return bytes
    }
    let head = try read(0, headerBytes)
    guard uint32(head, 0) == collection, index < uint32(head, 8) else {
      return try FileReading.bytes(of: path)
    }
    let start = Int(uint32(try read(headerBytes + 4 * index, 4), 0))
    let header = try read(start, headerBytes)
    let count = Int(header[4]) << 8 | Int(header[5])
    var directory = try read(start + headerBytes, recordBytes * count)
    var tables: [UInt8] = []
    let first = headerBytes + recordBytes * count
    for record in 0..<count {
      let (offset, length) = (uint32(directory, recordBytes * record + 8), uint32(directory, recordBytes * record + 12))
      put(UInt32(first + tables.count), in: &directory, at: recordBytes * record + 8)
      tables += try read(Int(offset), Int(length))
      // Tables begin at multiples of four.
      tables += [UInt8](repeating: 0, count: (4 - tables.count % 4) % 4)
    }
    return header + directory + tables
  }

  private static func uint32(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func put(_ value: UInt32, in bytes: inout [UInt8], at offset: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(24 - 8 * place)) }
  }
}

extension FontLibrary {
  /// A face as a font file.
  ///
  /// A family with a substitute is an operator's own copy of what may not be passed on: its faces are not given.
  /// - Parameters:
  ///   - sha256: the digest of the file that holds the face, in lower case.
  ///   - index: the face's place in a collection; 0 in a file with one face.
  /// - Returns: nil when no face that is there has this digest and index.
  public func fontFile(sha256: String, index: Int) throws(FontError) -> [UInt8]? {
    let files = digests().filter { $0.sha256 == sha256 }.map(\.file)
    for family in families where family.substitute == nil {
      for face in family.faces where face.index == index && face.isPresent && files.contains(face.file) {
        return try FaceFile.bytes(of: face.file, index: index)
      }
    }
    return nil
  }

  /// The code points that a face has, as ranges in rising order; the file is opened for it and closed again.
  public func coverage(of face: Face) -> [ClosedRange<UInt32>] {
    guard face.isPresent else { return [] }
    let blob = unsafe hb_blob_create_from_file(face.file)
    guard let opened = unsafe hb_face_create(blob, UInt32(face.index)) else { return [] }
    defer {
      unsafe hb_face_destroy(opened)
      unsafe hb_blob_destroy(blob)
    }
    return unsafe CodePointSet.ranges(of: opened)
  }
}
