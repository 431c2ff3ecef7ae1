// How many events a wait is for: several under load, one for who comes alone.
import Testing

@testable import Sockets

struct WaitBatchTests {
  @Test func `a wait is for one event until two have come together, and for no more than are expected`() {
    var batch = WaitBatch()
    for _ in 0..<100 {
      #expect(batch.wanted(of: 64) == 1)
      batch.note(events: 1, wanted: 1)
    }
    batch.note(events: 2, wanted: 1)
    #expect(batch.wanted(of: 64) == WaitBatch.mostEvents)
    #expect(batch.wanted(of: 5) == 5)
    #expect(batch.wanted(of: 1) == 1)
  }

  @Test func `waits in vain are followed by waits for one event, before another try`() {
    var batch = WaitBatch()
    batch.note(events: 8, wanted: 1)
    for events in [1, 1, 1, 3, 1, 1, 1, 1] {
      #expect(batch.wanted(of: 16) == 16)
      batch.note(events: events, wanted: 16)
    }
    for _ in 0..<WaitBatch.restingWaits {
      #expect(batch.wanted(of: 16) == 1)
      batch.note(events: 8, wanted: 1)
    }
    batch.note(events: 8, wanted: 1)
    #expect(batch.wanted(of: 16) == 16)
  }
}
