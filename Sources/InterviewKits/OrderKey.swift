// The key that orders sections and questions without an index: a new key fits between any two.

/// A hexadecimal fraction, compared digit by digit. Moving an item writes its own key and no other's.
public struct OrderKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Digits of a key made by appending or prepending; keys between two others may be longer.
  private static let plainDigits = 12
  /// The distance between appended keys: room for many insertions before keys grow.
  private static let step: UInt64 = 1 << 20
  private static let middle: UInt64 = 1 << 44

  /// Lower-case hexadecimal digits; the last one is not 0.
  public let digits: String

  /// Nil when `digits` is empty or holds anything but lower-case hexadecimal digits.
  public init?(_ digits: String) {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
      return nil
    }
    self.digits = digits
  }

  public var description: String { digits }

  public static func < (left: OrderKey, right: OrderKey) -> Bool {
    left.digits.utf8.lexicographicallyPrecedes(right.digits.utf8)
  }

  /// Keys for `count` new siblings.
  public static func sequence(count: Int) -> [OrderKey] {
    var keys: [OrderKey] = []
    keys.reserveCapacity(count)
    for _ in 0..<count { keys.append(between(keys.last, nil)) }
    return keys
  }

  /// A key above `lower` (nil: no bound) and below `upper` (nil: no bound). Traps unless `lower < upper`.
  public static func between(_ lower: OrderKey?, _ upper: OrderKey?) -> OrderKey {
    switch (lower, upper) {
    case (nil, nil): return key(middle)
    case (let lower?, nil):
      let head = lower.head
      if head < (1 << 48) - step - 1 { return key(head + step) }
    case (nil, let upper?):
      let head = upper.head
      if head > step { return key(head - step) }
    case (let lower?, let upper?):
      precondition(lower < upper, "an order key fits between two keys in order only: \(lower), \(upper)")
    }
    return fraction(between: lower.map { Array($0.digits.utf8) } ?? [], upper.map { Array($0.digits.utf8) })
  }

  private var head: UInt64 {
    var value: UInt64 = 0
    var bytes = digits.utf8.makeIterator()
    for _ in 0..<Self.plainDigits { value = value << 4 | UInt64(bytes.next().map(Self.value(of:)) ?? 0) }
    return value
  }

  private static func key(_ head: UInt64) -> OrderKey {
    var digits = String(head, radix: 16)
    digits = String(repeating: "0", count: plainDigits - digits.utf8.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return OrderKey(unchecked: digits)
  }

  /// The shortest fraction strictly between, taking the middle digit where there is room.
  private static func fraction(between lower: [UInt8], _ upper: [UInt8]?) -> OrderKey {
    var result: [UInt8] = []
    var upper = upper
    var place = 0
    while true {
      let low = place < lower.count ? value(of: lower[place]) : 0
      let high = upper.map { place < $0.count ? value(of: $0[place]) : 0 } ?? 16
      if high - low > 1 {
        result.append(digit((low + high) / 2))
        return OrderKey(unchecked: String(decoding: result, as: UTF8.self))
      }
      result.append(digit(low))
      if high - low == 1 { upper = nil }
      place += 1
    }
  }

  private static func value(of byte: UInt8) -> Int { Int(byte < 0x3A ? byte - 0x30 : byte - 0x57) }
  private static func digit(_ value: Int) -> UInt8 { UInt8(value < 10 ? 0x30 + value : 0x57 + value) }

  private init(unchecked digits: String) { self.digits = digits }
}
