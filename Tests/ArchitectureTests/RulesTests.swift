// Shows that the rules find what they forbid, on bad samples, and let good code pass.

import Testing

@Suite struct RulesTests {
  private static let head = "// Owns the samples here.\n"

  private func faults(_ code: String, in path: String = "Sources/HTTP/Sample.swift") -> [String] {
    Rules.faults(in: SwiftSource(path: path, text: Self.head + code))
  }

  @Test(arguments: [
    ("Sources/HTTP/A.swift", "import JSON"),
    ("Sources/JSON/A.swift", "internal import HTTP"),
    ("Sources/InterviewKits/A.swift", "import Glibc"),
    ("Sources/InterviewKits/A.swift", "public import JSON"),
    ("Sources/Store/A.swift", "import CSQLite"),
    ("Sources/API/A.swift", "import SQLDatabase"),
    ("Sources/API/A.swift", "import struct Sockets.Address"),
    ("Sources/API/A.swift", "@_exported import HTTPServer"),
    ("Sources/TextLayout/A.swift", "import InterviewKits"),
    ("Sources/RowLayout/A.swift", "@preconcurrency internal import Store"),
    ("Sources/HTTPServer/A.swift", "let x = 1; import API"),
    ("Sources/JSON/A.swift", "import Foundation"),
    ("Sources/Store/A.swift", "import TestKit"),
    ("Sources/interviewkit/A.swift", "import TestKit"),
    ("Sources/interviewkit/A.swift", "import Foundation"),
    ("Sources/Bench/A.swift", "#if DEBUG\nimport TestKit\n#endif"),
    ("Sources/JSON/A.swift", "@testable import\n  HTTP"),
    ("Sources/Unheard/A.swift", ""),
  ])
  func `an arrow that is not drawn is a fault`(path: String, code: String) {
    #expect(faults(code, in: path).count == 1)
  }

  @Test(arguments: [
    ("Sources/HTTP/A.swift", "import Glibc"),
    ("Sources/API/A.swift", "public import HTTP\ninternal import Store\nimport class RowLayout.RowLayoutEngine"),
    ("Sources/HTTP/A.swift", "// import JSON\n/* import JSON /* import Store */ import API */\nlet a = 1"),
    ("Sources/HTTP/A.swift", #"let a = "import JSON \(b("import Store")) import API""#),
    ("Sources/HTTP/A.swift", "let a = \"\"\"\n  import JSON \"\n  \"\"\"\nlet b = #\"import \"Store\" \\(x)\"#"),
    ("Sources/HTTP/A.swift", "func `import JSON it's`() {}\n#if canImport(JSON)\n#endif"),
    ("Tests/HTTPTests/A.swift", "import HTTP\nimport TestKit\nimport Testing"),
  ])
  func `an arrow that is drawn, and words that only look like imports, are no faults`(path: String, code: String) {
    #expect(faults(code, in: path) == [])
  }

  @Test(arguments: [
    "", "import Glibc\n", "\n// Owns it, but on the second line.\n", "//no space\n", "// Short.\n",
    "/* Owns the block comments. */\n", "/// Owns the documentation comments.\n",
  ])
  func `a file that does not say what it owns is a fault`(text: String) {
    #expect(Rules.faults(in: SwiftSource(path: "Sources/HTTP/A.swift", text: text)).count == 1)
  }

  @Test(arguments: [
    ("scripts/a", "#!/bin/bash\nset -e\n", 1), ("scripts/a", "#!/bin/bash\n# Owns this sample script.\n", 0),
    ("Tests/a.py", "# Owns this sample in Python.\n", 0), ("Tests/a.py", "import os\n", 1),
  ])
  func `a script says what it owns under its first line`(path: String, text: String, count: Int) {
    #expect(Rules.opening(path, text.split(omittingEmptySubsequences: false) { $0.isNewline }).count == count)
  }

  @Test func `a file of 401 lines is a fault and one of 400 is not`() {
    #expect(faults(String(repeating: "\n", count: 399)) == [])
    #expect(faults(String(repeating: "\n", count: 400)).count == 1)
    #expect(faults(String(repeating: "\r\n", count: 400)).count == 1)
  }

  @Test(arguments: [
    ("func a() {", "}"),
    ("@Test func `it's a name with \"quotes\" and {`() async throws -> [Int] {", "}"),
    ("struct A {\n  init?(_ a: (Int) -> Int = { $0 }) {", "  }\n}"),
    ("final class A {\n  deinit {", "  }\n}"),
    ("struct A {\n  subscript(_ a: Int) -> Int {", "  }\n}"),
    ("struct A {\n  var a: [Int: String] {", "  }\n}"),
    ("protocol P {\n  func a()\n  func b() -> Int\n}\nfunc c<T>(_ t: T) throws(E) where T: P {", "}"),
  ])
  func `a function of 71 lines is a fault and one of 70 is not`(opening: String, closing: String) {
    func sample(_ inside: Int) -> String {
      "\(opening)\n\(String(repeating: "let s = \"}\" // }\n", count: inside))\(closing)\n"
    }
    #expect(faults(sample(68)) == [])
    #expect(faults(sample(69)).count == 1)
  }

  @Test(arguments: [
    "var list = [\n\(String(repeating: "  1,\n", count: 90))]",
    "protocol P {\n  func a()\n\n  init()\n}\nstruct S {\n\(String(repeating: "  let a = 1\n", count: 90))}",
    "enum E {\n  static let a = E.init(\n    1)\n}\nenum F {\n\(String(repeating: "  case a\n", count: 90))}",
  ])
  func `what is long but no function is no fault`(code: String) {
    #expect(faults(code) == [])
  }

  @Test func `two files that import the toolchain's ICU are a fault`() {
    let sources = ["A", "B"].map {
      SwiftSource(path: "Sources/TextLayout/\($0).swift", text: Self.head + "import _FoundationICU\n")
    }
    #expect(Rules.faults(in: [sources[0]]) == [])
    #expect(Rules.faults(in: sources).count == 1)
  }

  @Test(arguments: [
    (#"library("HTTP", ["JSON"]),"#, 1),
    (#"library("API", ["HTTP", "SQLDatabase", "Sockets"]),"#, 2),
    (#"library("Unheard"),"#, 1),
    (#".executableTarget(name: "Bench", dependencies: ["TestKit"], swiftSettings: strict),"#, 1),
    (#"dependencies: [.package(url: "…", from: "1.0.0")],"#, 1),
    (#"library("JSON"), library("RowLayout", ["InterviewKits", "TextLayout", "JSON", "Digests"]),"#, 0),
    (#"tests("HTTP", ["HTTP", "TestKit"]),"#, 0),
  ])
  func `the manifest is held to the same arrows`(text: String, count: Int) {
    #expect(Rules.faults(inManifest: text).count == count)
  }
}
