// A folder of a test's own that is gone when the test is.

import Glibc

/// An empty folder under `TMPDIR` (or `/tmp`), removed with all that is in it when the last reference goes.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// - Parameter name: what the folder's name begins with, so that one left behind can be told apart.
  public init(_ name: String = "interviewkit-test") {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    // mkdtemp(3) puts letters in place of the six X.
    var template = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe mkdtemp(buffer.baseAddress!) != nil
    }
    precondition(made, "no temporary folder could be made in \(parent): errno \(errno)")
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of `name` inside this folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a file and returns its path.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) -> String {
    let target = file(name)
    let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    precondition(descriptor >= 0, "\(target) could not be made: errno \(errno)")
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + written, bytes.count - written)
      }
      precondition(count > 0, "\(target) could not be written: errno \(errno)")
      written += count
    }
    return target
  }

  /// Writes a text as UTF-8 and returns the file's path.
  @discardableResult
  public func write(_ text: String, to name: String) -> String { write(Array(text.utf8), to: name) }

  /// Removes a file, or a folder after what it holds; symbolic links are removed, not followed.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 || rmdir(path) == 0 { return }
    if let folder = unsafe opendir(path) {
      while let entry = unsafe readdir(folder) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != "." && name != ".." { remove("\(path)/\(name)") }
      }
      unsafe closedir(folder)
    }
    unsafe rmdir(path)
  }
}
