// The date form of HTTP (RFC 9110, section 5.6.7).

public enum HTTPDate {
  /// The length of each date.
  public static let byteCount = 29

  /// IMF-fixdate in ASCII, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z, not negative.
  public static func bytes(secondsSinceEpoch seconds: Int) -> [UInt8] {
    let days = seconds / 86_400
    let time = seconds % 86_400
    let (year, month, day) = civilDate(days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][days % 7]
    let monthName = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
    var text: [UInt8] = []
    text.reserveCapacity(byteCount)
    text.append(contentsOf: weekday.utf8)
    text.append(contentsOf: ", ".utf8)
    append(day, to: &text)
    text.append(contentsOf: " \(monthName) \(year) ".utf8)
    append(time / 3_600, to: &text)
    text.append(0x3A)
    append(time / 60 % 60, to: &text)
    text.append(0x3A)
    append(time % 60, to: &text)
    text.append(contentsOf: " GMT".utf8)
    return text
  }

  private static func append(_ twoDigits: Int, to text: inout [UInt8]) {
    text.append(0x30 + UInt8(twoDigits / 10))
    text.append(0x30 + UInt8(twoDigits % 10))
  }

  /// The proleptic Gregorian calendar with years that start in March.
  private static func civilDate(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
