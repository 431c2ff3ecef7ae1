// The log: one JSON object a line on standard error.

import Glibc
import InterviewKits
import JSON
import Synchronization

enum LogLevel: String, CaseIterable, Sendable {
  case debug, info, warning, error

  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

final class Log: Sendable {
  private let rank: Atomic<Int>
  let output = LogOutput()

  init(level: LogLevel) { rank = Atomic(level.rank) }

  /// Writes lines of that level and above from now on.
  func change(to level: LogLevel) { rank.store(level.rank, ordering: .relaxed) }

  /// True when lines of that level are written.
  func writes(_ level: LogLevel) -> Bool { level.rank >= rank.load(ordering: .relaxed) }

  func callAsFunction(
    _ level: LogLevel, _ event: StaticString, _ members: (inout JSONWriter) -> Void = { _ in }
  ) {
    guard writes(level) else { return }
    always(level, event, members)
  }

  /// Writes a line whatever the level is: the answer to what somebody has just asked of the process.
  func always(_ level: LogLevel, _ event: StaticString, _ members: (inout JSONWriter) -> Void = { _ in }) {
    output.take(Self.line(level, event, at: Clock.now().rfc3339, members))
  }

  static func line(
    _ level: LogLevel, _ event: StaticString, at time: String, _ members: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { line in
      line.member("at", time)
      line.member("level", level.rawValue)
      line.member("event", "\(event)")
      members(&line)
    }
    return writer.bytes + [0x0A]
  }
}

enum Clock {
  /// The system's time in UTC.
  static func now() -> Timestamp {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: time.tv_sec * 1_000 + time.tv_nsec / 1_000_000)
  }
}
