// Holds the embedded files to those of the folder, and to what a browser needs of them.

import Foundation
import Frontend
import Testing

@Suite struct FrontendTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/CFrontend/web")

  @Test func `every file of the folder is embedded, byte for byte`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(names) == Set(Frontend.files.keys))
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
      #expect(Frontend.files[name]?.bytes == bytes, "\(name) differs: is it built?")
    }
  }

  @Test(arguments: ["index.html", "docs.html"])
  func `a page holds no script and no style of its own, and names only files that are there`(name: String) throws {
    let page = String(decoding: try #require(Frontend.files[name]).bytes, as: UTF8.self)
    #expect(!page.contains("style=") && !page.contains("<style") && !page.contains(" on"))
    let names = page.components(separatedBy: "/assets/").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(!names.isEmpty)
    for name in names { #expect(Frontend.files[String(name)] != nil, "\(name) is not there") }
  }

  @Test func `modules import only modules that are there, and open by saying what they own`() throws {
    for file in Frontend.files.values where file.name.hasSuffix(".js") {
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.first?.hasPrefix("// ") == true, "\(file.name) does not say what it owns")
      #expect(lines.count <= 400, "\(file.name) has \(lines.count) lines")
      for line in lines where line.contains(" from \"") {
        let name = line.components(separatedBy: " from \"./").last?.prefix { $0 != "\"" } ?? ""
        #expect(Frontend.files[String(name)] != nil, "\(file.name) imports \(name)")
      }
    }
  }
}
