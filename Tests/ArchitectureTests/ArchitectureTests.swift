// Holds the whole package to its arrows and sizes.

import Testing

@Suite struct ArchitectureTests {
  @Test func `the sources keep the arrows and the sizes`() throws {
    let sources = try PackageTree.swiftSources()
    #expect(sources.count > 20, "the package was not found at \(PackageTree.path)")
    let faults = Rules.faults(in: sources)
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))")
  }

  @Test func `the manifest promises no other arrow`() throws {
    let manifest = try PackageTree.text("Package.swift")
    let faults = Rules.faults(inManifest: manifest)
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))")
    #expect(Set(Manifest.targets(in: manifest).map(\.name)) == Set(Arrows.allowed.keys))
  }

  @Test func `scripts and shim headers open with what they own and stay short`() throws {
    let files =
      try PackageTree.files(in: "scripts") { _ in true }
      + PackageTree.files(in: "Examples") { $0.hasSuffix(".sh") }
      + PackageTree.files(in: "Tests") { $0.hasSuffix(".py") }
      + PackageTree.files(in: "Sources") { $0.hasSuffix(".h") }
    #expect(!files.isEmpty)
    let faults = try files.flatMap { path in
      let lines = try PackageTree.text(path).split(omittingEmptySubsequences: false) { $0.isNewline }
      return Rules.opening(path, lines) + Rules.length(path, lines)
    }
    #expect(faults.isEmpty, "\n\(faults.joined(separator: "\n"))")
  }

  @Test func `ARCHITECTURE names every target`() throws {
    let document = try PackageTree.text("ARCHITECTURE.md")
    for target in Arrows.allowed.keys.sorted() {
      #expect(document.contains(target), "ARCHITECTURE.md says nothing of \(target)")
    }
  }
}
