// One-use tickets: what a browser's EventSource, which can't send a token, opens an event stream with.

import HTTP
import InterviewKits
import JSON
import Locks
import Store

/// The tickets that were given and not used yet. They live in this process and no longer than half a minute.
final class TicketBox: Sendable {
  static let lifeMilliseconds = 30_000
  private static let maximumCount = 10_000
  /// So that nobody takes the room of others.
  static let maximumCountOfToken = 100

  private struct Ticket {
    /// Of whom it stands for.
    let mark: Int
    let end: Timestamp
  }

  private let tickets = Lock<[TokenDigest: Ticket]>([:])

  /// - Returns: when it ends; nil when too many are waiting.
  func put(_ digest: TokenDigest, mark: Int, now: Timestamp) -> Timestamp? {
    let end = Timestamp(milliseconds: now.milliseconds + Self.lifeMilliseconds)
    return tickets.withLock { tickets in
      if tickets.count >= Self.maximumCount { tickets = tickets.filter { $0.value.end > now } }
      guard tickets.count < Self.maximumCount else { return nil }
      let own = tickets.count < Self.maximumCountOfToken ? 0 : tickets.values.count { $0.mark == mark && $0.end > now }
      guard own < Self.maximumCountOfToken else { return nil }
      tickets[digest] = Ticket(mark: mark, end: end)
      return end
    }
  }

  /// The mark of whom the ticket stands for; it is used up.
  func take(_ digest: TokenDigest, now: Timestamp) -> Int? {
    guard let ticket = tickets.withLock({ $0.removeValue(forKey: digest) }), ticket.end > now else { return nil }
    return ticket.mark
  }
}

extension Call {
  func createTicket() async throws(Problem) -> Response {
    let ticket = InterviewKitAPI.makeSecret("ikt_")
    guard let end = api.tickets.put(TokenDigest(of: ticket.utf8.span), mark: request.head.mark, now: now) else {
      throw Problem(
        503, "tooManyTickets", "Too many tickets wait to be used.", fields: [Field("Retry-After", "30")])
    }
    var response = Response.json(201) { writer in
      writer.object { body in
        body.member("ticket", ticket)
        body.member("expiresAt", end.rfc3339)
      }
    }
    response.fields.append(Field("Cache-Control", "no-store"))
    return response
  }
}
