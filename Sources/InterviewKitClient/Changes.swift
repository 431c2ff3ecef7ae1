// The change feed: pages of it, and the same live.

import Foundation

/// One change; it holds no text. Read afresh what it names.
public struct Change: Codable, Sendable, Hashable {
  public var sequence: Int
  /// `answer.changed`, `evaluation.submitted`, … : a word, so that a newer service's kind is no error.
  public var kind: String
  public var kitId: String?
  public var evaluationId: String?
  public var itemId: String?
  public var revision: Int?
  public var deleted: Bool
  /// The rows that the change touches, where the stream was opened with a viewport.
  public var layouts: [LayoutDelta]?
}

public struct ChangePage: Codable, Sendable {
  public var items: [Change]
  /// Where to go on; nil when nothing more is there now.
  public var nextCursor: String?
  /// The feed's position that the page reaches.
  public var sequence: String
  public var reset: Bool
}

/// What a stream of changes tells.
public enum ChangeEvent: Sendable, Hashable {
  /// - Parameter position: where to go on after this change.
  case change(Change, position: String)
  /// The data began another life, from a backup say: read everything afresh, and go on from the position.
  case reset(position: String)
}

extension InterviewKitClient {
  /// Follows the feed. A connection that ends is made again after the last event; the stream ends when its reader does, or with what
  /// the service refuses for good.
  /// - Parameter position: an evaluation's `sequence`, so that nothing between its reading and the stream is missed.
  public func changeEvents(after position: String, evaluation: String? = nil, viewport: Viewport? = nil)
    -> AsyncThrowingStream<ChangeEvent, any Error>
  {
    AsyncThrowingStream { continuation in
      let reading = Task {
        var position = position
        var pause = Duration.milliseconds(250)
        while !Task.isCancelled {
          do {
            for try await event in events(after: position, evaluation: evaluation, viewport: viewport) {
              pause = .milliseconds(250)
              switch event {
              case .change(_, let next), .reset(let next): position = next
              }
              continuation.yield(event)
            }
          } catch let error as ServiceError where !error.isTemporary {
            return continuation.finish(throwing: error)
          } catch {}
          do { try await Task.sleep(for: pause) } catch { break }
          pause = min(pause * 2, .seconds(30))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }

  /// The events of one connection.
  private func events(after position: String, evaluation: String?, viewport: Viewport?)
    -> AsyncThrowingStream<ChangeEvent, any Error>
  {
    var query: [URLQueryItem] = viewport?.queryItems ?? []
    if let evaluation { query.append(URLQueryItem(name: "evaluation", value: evaluation)) }
    var request = request("GET", ["changes"], query)
    request.fields["Accept"] = "text/event-stream"
    request.fields["Last-Event-ID"] = position
    let pieces = transport.stream(request)
    return AsyncThrowingStream { continuation in
      let reading = Task {
        do {
          var parser = EventStreamParser()
          var head: ServiceReply?
          var refusal = Data()
          for try await piece in pieces {
            guard let reply = head else {
              head = piece
              continue
            }
            guard reply.status == 200 else {
              refusal += piece.body
              continue
            }
            for event in parser.feed(piece.body) {
              if let event = try ChangeEvent(event) { continuation.yield(event) }
            }
          }
          guard let head, head.status != 200 else { return continuation.finish() }
          throw ServiceError(ServiceReply(status: head.status, fields: head.fields, body: refusal))
        } catch let error as ServiceError {
          continuation.finish(throwing: error)
        } catch { continuation.finish(throwing: ServiceError.unreachable("\(error)")) }
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }
}

extension ChangeEvent {
  /// Nil for an event of a kind that this client does not know.
  init?(_ event: EventStreamParser.Event) throws {
    switch event.name {
    case "message":
      self = .change(try JSONDecoder().decode(Change.self, from: Data(event.data.utf8)), position: event.id)
    case "reset": self = .reset(position: event.id)
    default: return nil
    }
  }
}

/// Takes a `text/event-stream` apart (HTML, section 9.2.6), in pieces of any size.
struct EventStreamParser: Sendable {
  struct Event: Sendable, Hashable {
    var name = "message"
    var data = ""
    /// The last ID that the stream gave, with this event or before it.
    var id = ""
  }

  private var line: [UInt8] = []
  private var lastWasReturn = false
  private var name = ""
  private var data: [String] = []
  private var id = ""

  mutating func feed(_ bytes: Data) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      // A line ends with LF, CR, or both, which are one.
      let isSecondHalf = byte == 0x0A && lastWasReturn
      lastWasReturn = byte == 0x0D
      if isSecondHalf { continue }
      guard byte == 0x0A || byte == 0x0D else {
        line.append(byte)
        continue
      }
      if let event = endLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func endLine() -> Event? {
    guard !line.isEmpty else {
      defer { (name, data) = ("", []) }
      guard !data.isEmpty else { return nil }
      return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: id)
    }
    let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == 0x20 { value = value.dropFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": name = text
    case "data": data.append(text)
    case "id" where !text.utf8.contains(0): id = text
    default: break
    }
    return nil
  }
}
