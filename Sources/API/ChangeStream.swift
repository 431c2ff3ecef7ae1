// The change feed as a stream of server-sent events (HTML, section 9.2): from one source, each change once, in order.

import HTTP
import InterviewKits
import JSON
import Store

/// Limits of one reader.
enum ChangeStreamLimits {
  /// A stream looks at the feed at moments so far apart, counted from its beginning, if there is anything new at all. It may not
  /// look sooner or later for what its reader is not told: that would tell of it.
  static let lookMilliseconds = 20
  /// What a client waits before it connects again.
  static let retryMilliseconds = 2_000
}

extension Call {
  /// Goes on after `Last-Event-ID`, or `since`; without either, with what comes from now on.
  func streamChanges(after start: FeedCursor?) throws(Problem) -> Response {
    let filter = try feedFilter()
    let reader = ChangeReader(api: api, mark: request.head.mark, filter: filter, layouts: try changeLayouts())
    let stream = BodyStream(endsOnShutdown: true) { writer in
      try await withTaskExecutorPreference(api.store.workers) { try await reader.run(from: start, to: writer) }
    }
    let fields = [
      Field("Content-Type", MediaType.eventStream.description), Field("Cache-Control", "no-cache"),
      // Proxies such as nginx would hold events back.
      Field("X-Accel-Buffering", "no"),
    ]
    return Response(status: 200, fields: fields, stream: stream)
  }

  /// Where the client's last stream ended.
  func lastEventID() throws(Problem) -> FeedCursor? {
    guard let text = request.head.fields["last-event-id"], !text.isEmpty else { return nil }
    guard let cursor = FeedCursor(text) else {
      throw Problem(400, "invalidLastEventId", "'\(text)' is no event's ID of this feed.")
    }
    return cursor
  }
}

/// Follows the feed for one client.
struct ChangeReader: Sendable {
  let api: InterviewKitAPI
  /// Whose: asked anew before everything that is sent, so that a revoked token's stream ends.
  let mark: Int
  let filter: FeedFilter
  let layouts: ChangeLayouts

  /// Runs until the client is gone, the server shuts down, or the reader has fallen too far behind: then the stream ends,
  /// and its client resumes after the last event that it has.
  func run(from start: FeedCursor?, to writer: BodyWriter) async throws {
    let (store, signal, beginning) = (api.store, api.store.feedSignal, ContinuousClock.now)
    var layouts = layouts
    var (cursor, beat, isLive) = (start ?? store.feedCursor, signal.beat, false)
    try await writer.write(Array("retry: \(ChangeStreamLimits.retryMilliseconds)\n\n".utf8))
    while !Task.isCancelled {
      guard let caller = store.access.caller(mark, now: api.clock()) else { return }
      if isLive, store.sequence - cursor.sequence > api.limits.backlogChanges { return }
      let page = try store.feed(after: cursor, filter: filter, limit: StoreLimits.largestPageItems, for: caller)
      cursor = page.cursor
      var events = page.isReset ? Self.reset(to: cursor) : []
      try layouts.read(page.changes, for: caller)
      for change in page.changes { write(change, epoch: page.cursor.epoch, layouts, to: &events) }
      // A beat has no ID: the place to resume stays where it is.
      if events.isEmpty, signal.beat > beat { events = Self.beat }
      if !events.isEmpty {
        beat = signal.beat
        try await writer.write(events)
      }
      if page.hasMore { continue }
      isLive = true
      await signal.wait(after: cursor.sequence, beat: beat)
      try? await Task.sleep(for: Self.pause(after: beginning.duration(to: .now)))
    }
  }

  /// How long it is to the next moment at which a stream of that age looks.
  static func pause(after age: Duration) -> Duration {
    let period = Duration.milliseconds(ChangeStreamLimits.lookMilliseconds)
    let passed = Int64(age / period)
    return period * (passed + 1) - age
  }

  private static let beat = Array(":\n\n".utf8)

  /// Tells the client to read everything afresh, and to go on from the cursor.
  private static func reset(to cursor: FeedCursor) -> [UInt8] {
    Array("event: reset\nid: \(cursor)\ndata: {\"sequence\":\"\(cursor)\"}\n\n".utf8)
  }

  private func write(_ change: Change, epoch: String?, _ layouts: ChangeLayouts, to events: inout [UInt8]) {
    var writer = JSONWriter(capacity: 256)
    layouts.write(change, to: &writer)
    events += Array("id: \(FeedCursor(epoch: epoch, sequence: change.sequence))\ndata: ".utf8)
    events += writer.bytes
    events += [0x0A, 0x0A]
  }
}
