// Holds the client to what an app for iOS 16 can build: Foundation alone, and nothing newer.

import Testing

@Suite struct ClientSourceTests {
  /// Names of the standard library and of Foundation that came after iOS 16, and why they would be at hand.
  private static let newer = [
    "Synchronization", "Mutex", "Atomic", "Observation", "Observable", "Span", "RawSpan", "MutableSpan", "InlineArray",
    "Int128", "UInt128", "Predicate", "Expression", "withTaskExecutorPreference", "DiscardingTaskGroup",
    "withDiscardingTaskGroup", "TaskExecutor", "SerialExecutor", "assumeIsolated", "isolated deinit", "UTF8Span",
    "Subprocess", "URLSessionWebSocketTask", "makeStream", "Regex", "bytes(for",
  ]

  private static func sources() throws -> [SwiftSource] {
    let sources = try PackageTree.swiftSources().filter { $0.path.hasPrefix("Sources/InterviewKitClient/") }
    #expect(sources.count > 5)
    return sources
  }

  @Test func `it imports Foundation, and FoundationNetworking only where that is a module of its own`() throws {
    for source in try Self.sources() {
      let lines = source.lines.map { $0.drop { $0 == " " } }
      for (place, line) in lines.enumerated()
      where line.hasPrefix("import ") || line.contains(" import ") && !line.hasPrefix("//") {
        let name = line.split(separator: " ").last.map(String.init) ?? ""
        #expect(["Foundation", "FoundationNetworking"].contains(name), "\(source.path): \(line)")
        let isGuarded = place > 0 && lines[place - 1] == "#if canImport(FoundationNetworking)"
        #expect((name == "FoundationNetworking") == isGuarded, "\(source.path):\(place + 1)")
      }
    }
  }

  @Test func `it uses nothing newer than iOS 16`() throws {
    for source in try Self.sources() {
      let code = String(decoding: source.code, as: UTF8.self)
      let used = Set(code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init))
      for name in Self.newer {
        let isUsed = name.contains(where: { !$0.isLetter && !$0.isNumber }) ? code.contains(name) : used.contains(name)
        #expect(!isUsed, "\(source.path) uses \(name), which iOS 16 does not have")
      }
      #expect(!code.contains("#available"), "\(source.path): a fallback for older systems is not needed")
    }
  }

  @Test func `the package offers it as a library, and promises iOS 16`() throws {
    let manifest = try PackageTree.text("Package.swift")
    #expect(manifest.contains(#".library(name: "InterviewKitClient", targets: ["InterviewKitClient"])"#))
    #expect(manifest.contains("platforms: [.iOS(.v16)"))
    #expect(manifest.contains(#"library("InterviewKitClient"),"#), "it depends on nothing of ours")
  }
}
