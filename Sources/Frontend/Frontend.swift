// The pages of the reference frontend: plain files, embedded in the program.

internal import CFrontend

public enum Frontend {
  /// One file of the frontend.
  public struct File: Sendable {
    /// As it stands in the address, such as `app.js`.
    public let name: String
    /// For `Content-Type`.
    public let mediaType: String
    public let bytes: [UInt8]
  }

  /// All files by name; the page itself is `index.html`.
  public static let files: [String: File] = {
    var files: [String: File] = [:]
    for place in 0..<frontend_file_count {
      // SAFETY: the table and what it points to are constants, and the counts are their own.
      let entry = unsafe frontend_table()[place]
      let name = unsafe String(cString: entry.name)
      let bytes = unsafe Array(UnsafeBufferPointer(start: entry.bytes, count: entry.count))
      files[name] = File(name: name, mediaType: mediaType(of: name), bytes: bytes)
    }
    return files
  }()

  private static func mediaType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    case let other: preconditionFailure("no media type for \(other ?? "a file without an ending")")
    }
  }
}
