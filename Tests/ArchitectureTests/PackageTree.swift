// Reads the package's own files from disk.

import Foundation

enum PackageTree {
  /// The package's root, found from where this file was compiled.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static var path: String { root.path }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Paths, from the root, of all files under `folder` that `isWanted` takes.
  static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
      .map { "\(folder)/\($0)" }
      .filter { path in isWanted(path) && !path.contains("/.") && !path.contains("__pycache__") }
      .filter { path in
        var isFolder: ObjCBool = false
        let exists = unsafe FileManager.default.fileExists(
          atPath: root.appendingPathComponent(path).path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue
      }
      .sorted()
  }

  static func swiftSources() throws -> [SwiftSource] {
    try ["Sources", "Tests"]
      .flatMap { try files(in: $0) { $0.hasSuffix(".swift") } }
      .map { SwiftSource(path: $0, text: try text($0)) }
  }
}
