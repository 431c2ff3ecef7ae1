// The text that Prometheus reads.

import HTTP
import Testing

@testable import API

@Suite struct MetricsTests {
  @Test func `figures are written with their names, kinds and labels`() async throws {
    let harness = try APIHarness()
    harness.api.addMetrics {
      [
        MetricFamily("a_total", .counter, "Counts.", [.init(3, [("route", "/v1/\"x\\\n")]), .init(0.5)]),
        MetricFamily("b", .histogram, "Times.", [.init(2, [("le", "+Inf")], suffix: "_bucket")]),
        MetricFamily("empty", .gauge, "Nothing.", []),
      ]
    }
    let reply = try await harness.send(.get, "/metrics")
    #expect(reply.status == 200)
    #expect(reply.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
    #expect(
      reply.text == """
        # HELP a_total Counts.
        # TYPE a_total counter
        a_total{route="/v1/\\"x\\\\\\n"} 3
        a_total 0.5
        # HELP b Times.
        # TYPE b histogram
        b_bucket{le="+Inf"} 2

        """)
  }

  @Test func `every answer carries the number of its route`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit()
    func name(_ number: Int) -> String? {
      guard number > 0 else { return nil }
      return "\(InterviewKitAPI.routeNames[number - 1].method) \(InterviewKitAPI.routeNames[number - 1].path)"
    }
    for _ in 0..<2 {
      let reply = try await harness.send(.get, "/v1/kits/kit")
      #expect(name(reply.response.route) == "GET /v1/kits/{kitId}")
    }
    #expect(name(try await harness.send(.head, "/v1/kits/kit").response.route) == "GET /v1/kits/{kitId}")
    #expect(name(try await harness.send(.get, "/v1/kits/no").response.route) == "GET /v1/kits/{kitId}")
    let unread = try await harness.send(.post, "/v1/kits", "{}", type: "image/png")
    #expect(unread.status == 415 && name(unread.response.route) == "POST /v1/kits")
    #expect(name(try await harness.send(.get, "/nothing").response.route) == nil)
  }
}
