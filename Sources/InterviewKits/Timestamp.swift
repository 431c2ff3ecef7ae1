// A moment in UTC with milliseconds, and its RFC 3339 form.

/// Milliseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Sendable, Comparable {
  public var milliseconds: Int

  public init(milliseconds: Int) { self.milliseconds = milliseconds }

  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  /// RFC 3339 in UTC with exactly three digits of fraction, such as `2026-11-30T08:00:00.123Z`.
  public var rfc3339: String {
    let day = milliseconds.floorDivided(by: 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let date = CalendarDate(daysSinceEpoch: day)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { $0.padded(to: 2) }
    return "\(date.iso8601)T\(time.joined(separator: ":")).\((rest % 1_000).padded(to: 3))Z"
  }
}

/// A day of the Gregorian calendar, without a time or a zone.
public struct CalendarDate: Hashable, Sendable {
  public let year: Int
  public let month: Int
  public let day: Int

  /// Parses `YYYY-MM-DD`; nil when that day does not exist.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The civil date of a day count, by the proleptic Gregorian calendar with years that start in March.
  init(daysSinceEpoch days: Int) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  public var iso8601: String { "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))" }

  static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }
}

extension Int {
  fileprivate func floorDivided(by divisor: Int) -> Int {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }

  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return digits.utf8.count >= width ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}
