// A lock lets one holder at its state at a time, and lets go whatever happens.

import Locks
import Testing

@Suite struct LockTests {
  @Test func `many tasks that count lose no step`() async {
    let count = Lock(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<10_000 { count.withLock { $0 += 1 } } } }
    }
    #expect(count.withLock { $0 } == 80_000)
  }

  @Test func `a body that throws lets go of the lock and keeps what it wrote`() {
    struct Refused: Error {}
    let words = Lock(["one"])
    #expect(throws: Refused.self) {
      try words.withLock { (words: inout [String]) throws(Refused) -> Void in
        words.append("two")
        throw Refused()
      }
    }
    #expect(words.withLock { $0 } == ["one", "two"])
  }

  @Test func `the state ends with its lock`() {
    final class Held {
      let ended: Lock<Bool>; init(_ ended: Lock<Bool>) { self.ended = ended }; deinit { ended.withLock { $0 = true } }
    }
    let ended = Lock(false)
    do {
      let lock = Lock(Held(ended))
      #expect(lock.withLock { !$0.ended.withLock { $0 } })
    }
    #expect(ended.withLock { $0 })
  }
}
