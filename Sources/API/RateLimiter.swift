// How many requests a caller may send: the limit, and what is left of it to each caller.

import HTTP
import Locks

/// So many requests at once, and as many again over the seconds that follow: a token bucket that fills evenly.
public struct RateLimit: Hashable, Sendable, CustomStringConvertible {
  public let requests: Int
  public let seconds: Int

  /// Reads `600/60`: 600 requests in 60 seconds; nil for another form, 0, more than a million requests or more than a day.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let requests = Int(digits: parts[0]), let seconds = Int(digits: parts[1]),
      (1...1_000_000).contains(requests), (1...86_400).contains(seconds)
    else { return nil }
    (self.requests, self.seconds) = (requests, seconds)
  }

  public var description: String { "\(requests)/\(seconds)" }
}

/// What a request found in its caller's bucket.
struct RateVerdict: Hashable {
  let isAdmitted: Bool
  /// How many more would be admitted now.
  let remaining: Int
  /// Until the bucket is full again; of a refused request, until the next one is admitted. Rounded up.
  let seconds: Int
}

/// The buckets of all callers.
///
/// A bucket is one number, the time at which it will be full again, and a full one is not kept: a caller who rests costs nothing.
final class RateLimiter: Sendable {
  let limit: RateLimit
  private let maximumCallers: Int
  private let interval: Int
  private let window: Int
  private let fullAt = Lock<[String: Int]>([:])

  /// - Parameter maximumCallers: how many are remembered; beyond it the bound on memory outranks the one on requests.
  init(_ limit: RateLimit, maximumCallers: Int = 65_536) {
    (self.limit, self.maximumCallers) = (limit, maximumCallers)
    window = limit.seconds * 1_000_000
    interval = max(window / limit.requests, 1)
  }

  /// Takes one request out of the caller's bucket, if it holds more than `reserve`.
  func take(_ caller: String, at milliseconds: Int, reserve: Int = 0) -> RateVerdict {
    let now = milliseconds * 1_000
    return fullAt.withLock { fullAt in
      // No bucket is emptier than empty, whatever a clock that was set back says.
      let full = min(max(fullAt[caller] ?? now, now), now + window)
      let next = full + interval
      guard next + reserve * interval <= now + window else {
        fullAt[caller] = full
        return RateVerdict(
          isAdmitted: false, remaining: (now + window - full) / interval, seconds: Self.seconds(next - now - window))
      }
      if fullAt.count >= maximumCallers, fullAt[caller] == nil { makeRoom(&fullAt, now) }
      fullAt[caller] = next
      return verdict(fullAt: next, now)
    }
  }

  /// What is in the caller's bucket; nothing is taken.
  func look(_ caller: String, at milliseconds: Int) -> RateVerdict {
    let now = milliseconds * 1_000
    return verdict(fullAt: min(max(fullAt.withLock { $0[caller] } ?? now, now), now + window), now)
  }

  private func verdict(fullAt full: Int, _ now: Int) -> RateVerdict {
    RateVerdict(isAdmitted: true, remaining: (now + window - full) / interval, seconds: Self.seconds(full - now))
  }

  /// What is left while nobody has to be told what is left: a quarter.
  var plenty: Int { limit.requests / 4 }

  /// The callers that are remembered.
  var callers: Int { fullAt.withLock { $0.count } }

  private func makeRoom(_ fullAt: inout [String: Int], _ now: Int) {
    fullAt = fullAt.filter { $0.value > now }
    while fullAt.count > maximumCallers * 3 / 4, let caller = fullAt.keys.first { fullAt[caller] = nil }
  }

  private static func seconds(_ microseconds: Int) -> Int { (microseconds + 999_999) / 1_000_000 }
}

extension Problem {
  /// 429 (RFC 6585, section 4).
  static func tooManyRequests(_ detail: String, _ verdict: RateVerdict) -> Problem {
    Problem(429, "tooManyRequests", detail, fields: [Field("Retry-After", String(max(verdict.seconds, 1)))])
  }
}

extension RateLimit {
  /// Says what is left to a member (draft-ietf-httpapi-ratelimit-headers): quota and window of the policy; with a verdict also
  /// what remains, and until when.
  func fields(_ verdict: RateVerdict?) -> [Field] {
    let policy = Field("RateLimit-Policy", "\"member\";q=\(requests);w=\(seconds)")
    guard let verdict else { return [policy] }
    return [policy, Field("RateLimit", "\"member\";r=\(verdict.remaining);t=\(verdict.seconds)")]
  }
}
