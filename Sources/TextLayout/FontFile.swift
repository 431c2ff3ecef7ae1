// Font files on disk: whether one is there, what tells its states apart, and its bytes.
import Glibc
import Locks

/// What tells one state of a file from another without reading it.
struct FileIdentity: Hashable, Sendable {
  var path: String
  var size: Int
  var modifiedNanoseconds: Int
  var inode: UInt64

  /// Nil when there is no regular file at the path.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.path = path
    size = status.st_size
    modifiedNanoseconds = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    inode = UInt64(status.st_ino)
  }
}

/// Which of the files that a configuration names are there.
struct PresentFiles {
  /// Files that are there, each once, in order.
  private(set) var files: [FileIdentity] = []
  /// Files that are not, or are no fonts, and faces that a collection lacks (`path#index`).
  private(set) var missing: [String] = []
  private var faceCounts: [String: Int] = [:]
  private var absences: [String: FontLibrary.Absence] = [:]

  init(_ faces: [FaceConfiguration]) {
    for face in faces {
      if faceCounts[face.file] == nil {
        let identity = FileIdentity(path: face.file)
        faceCounts[face.file] = identity == nil ? 0 : FileReading.faceCount(face.file)
        if let identity, faceCounts[face.file] != 0 {
          files.append(identity)
        } else {
          missing.append(face.file)
          let isReadable = unsafe access(face.file, R_OK) == 0
          absences[face.file] = identity == nil ? .notThere : isReadable ? .noFont : .unreadable
        }
      }
      let name = "\(face.file)#\(face.index)"
      if faceCounts[face.file] != 0, !has(face), !missing.contains(name) { missing.append(name) }
    }
  }

  func has(_ face: FaceConfiguration) -> Bool { face.index < faceCounts[face.file] ?? 0 }

  /// Why a face is not there; nil for one that is.
  func absence(of face: FaceConfiguration) -> FontLibrary.Absence? {
    has(face) ? nil : absences[face.file] ?? .noSuchFace
  }
}

enum FileReading {
  /// The whole file.
  static func bytes(of path: String) throws(FontError) -> [UInt8] {
    var bytes: [UInt8] = []
    unsafe try chunks(of: path) { unsafe bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Number of faces in a file that begins like an OpenType font or collection; 0 when it may not be read or is no font.
  static func faceCount(_ path: String) -> Int {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    // Tag, version and number of faces of a collection (OpenType, `ttcf` header).
    var header: (UInt32, UInt32, UInt32) = (0, 0, 0)
    guard unsafe read(descriptor, &header, 12) == 12 else { return 0 }
    switch UInt32(bigEndian: header.0) {
    case 0x0001_0000, 0x4F54_544F, 0x7472_7565: return 1
    case 0x7474_6366: return Int(UInt32(bigEndian: header.2))
    default: return 0
    }
  }

  static func chunks(of path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws(FontError) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: lastErrorMessage()) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FontLimits.digestChunkBytes, alignment: 16)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(path: path, reason: lastErrorMessage())
      }
      unsafe body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  static func lastErrorMessage() -> String { unsafe String(cString: strerror(errno)) }
}
