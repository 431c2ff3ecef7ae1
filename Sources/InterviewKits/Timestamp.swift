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

  /// Reads RFC 3339 with any offset and any fraction, of which three digits are kept; nil when it is none.
  public init?(rfc3339 text: String) {
    var rest = Array(text.utf8)[...]
    func number(_ digits: Int, upTo limit: Int) -> Int? {
      guard rest.count >= digits else { return nil }
      var value = 0
      for byte in rest.prefix(digits) {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      rest = rest.dropFirst(digits)
      return value <= limit ? value : nil
    }
    func take(_ bytes: String) -> UInt8? {
      guard let first = rest.first, bytes.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard rest.count >= 20, let date = CalendarDate(iso8601: String(decoding: rest.prefix(10), as: UTF8.self)) else {
      return nil
    }
    rest = rest.dropFirst(10)
    guard take("Tt") != nil, let hour = number(2, upTo: 23), take(":") != nil, let minute = number(2, upTo: 59),
      take(":") != nil, let second = number(2, upTo: 60)
    else { return nil }
    var fraction = 0
    if take(".") != nil {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      if digits.isEmpty { return nil }
      for place in 0..<3 {
        fraction = fraction * 10 + (place < digits.count ? Int(digits[digits.startIndex + place] - 0x30) : 0)
      }
      rest = rest.dropFirst(digits.count)
    }
    guard let sign = take("Zz+-") else { return nil }
    var offsetMinutes = 0
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      guard let hours = number(2, upTo: 23), take(":") != nil, let minutes = number(2, upTo: 59) else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    guard rest.isEmpty else { return nil }
    let minutes = (date.daysSinceEpoch * 24 + hour) * 60 + minute - offsetMinutes
    milliseconds = (minutes * 60 + second) * 1_000 + fraction
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

  /// Days since 1970-01-01, by the proleptic Gregorian calendar with years that start in March.
  var daysSinceEpoch: Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = marchYear.floorDivided(by: 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
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
