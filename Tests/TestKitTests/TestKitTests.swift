// The tools that other tests rely on do what they say.

import Foundation
import TestKit
import Testing

@Suite struct TestKitTests {
  @Test func `a temporary folder is gone with all that was in it`() throws {
    var folder: TemporaryFolder? = TemporaryFolder()
    let path = try #require(folder?.path)
    let file = try #require(folder?.write("text\0", to: "a file"))
    try FileManager.default.createDirectory(atPath: path + "/b/c", withIntermediateDirectories: true)
    folder?.write([0, 255], to: "b/c/d")
    try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/usr")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("text\0".utf8))
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.fileExists(atPath: "/usr/bin"))
  }

  @Test func `a seed gives the same numbers again, and another seed others`() {
    var (first, second, other) = (SeededGenerator(seed: 1), SeededGenerator(seed: 1), SeededGenerator(seed: 2))
    #expect(first.bytes(64) == second.bytes(64))
    #expect(first.text(scalars: 100) == second.text(scalars: 100))
    #expect(first.next() != other.next())
    #expect(second.text(scalars: 100).unicodeScalars.count == 100)
  }

  @Test func `a manual clock wakes whom it passes, in order, and nobody else`() async throws {
    let clock = ManualClock()
    let woken = await withTaskGroup(of: Int?.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask { (try? await clock.sleep(for: .seconds(seconds))) == nil ? nil : seconds }
      }
      while clock.sleeperCount < 3 { await Task.yield() }
      var woken: [Int?] = []
      for _ in 0..<2 {
        clock.advance(by: .seconds(1))
        woken.append(await group.next() ?? nil)
      }
      #expect(clock.sleeperCount == 1)
      group.cancelAll()
      woken.append(await group.next() ?? 0)
      return woken
    }
    #expect(woken == [1, 2, nil])
    #expect(clock.milliseconds == 2_000)
    #expect(clock.sleeperCount == 0)
  }

  @Test func `a sleep that is over already returns at once, and a cancelled one throws`() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `samples are named once and say their language`() {
    #expect(Set(TextSample.all.map(\.name)).count == TextSample.all.count)
    #expect(TextSample.all.allSatisfy { !$0.locale.isEmpty })
  }
}
