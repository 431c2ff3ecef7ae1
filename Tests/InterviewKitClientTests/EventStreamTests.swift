// Server-sent events, cut anywhere.

import Foundation
import Testing

@testable import InterviewKitClient

@Suite struct EventStreamTests {
  private static let text =
    "retry: 2000\n\n:\n\nid: a-1\ndata: {\"sequence\":1}\n\nid: a-2\r\ndata:one\r\ndata: two\r\n\r\nevent: reset\rid: b-1\rdata: {}\r\rdata: größer 한글\n\nid: x\n\ndata: cut"
  private static let events: [EventStreamParser.Event] = [
    .init(data: "{\"sequence\":1}", id: "a-1"), .init(data: "one\ntwo", id: "a-2"),
    .init(name: "reset", data: "{}", id: "b-1"), .init(data: "größer 한글", id: "b-1"),
  ]

  @Test func `a stream is the same in pieces of any size`() {
    let bytes = Data(Self.text.utf8)
    for size in 1...bytes.count {
      var parser = EventStreamParser()
      var events: [EventStreamParser.Event] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += parser.feed(bytes[start..<min(start + size, bytes.count)])
      }
      #expect(events == Self.events, "in pieces of \(size)")
    }
  }

  @Test func `a stream is the same cut at every place`() {
    let bytes = Data(Self.text.utf8)
    for place in 0...bytes.count {
      var parser = EventStreamParser()
      #expect(parser.feed(bytes[..<place]) + parser.feed(bytes[place...]) == Self.events, "at \(place)")
    }
  }
}
