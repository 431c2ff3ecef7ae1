// Where new IDs come from: UUIDv7 in the service, a counter in tests.

public struct ItemIDSource: Sendable {
  public let next: @Sendable () -> ItemID

  public init(next: @escaping @Sendable () -> ItemID) { self.next = next }

  /// UUIDv7s of the clock's time and the system's random numbers.
  public static func uuidV7(clock: @escaping @Sendable () -> Timestamp) -> ItemIDSource {
    ItemIDSource {
      var generator = SystemRandomNumberGenerator()
      return ItemID.make(at: clock(), using: &generator)
    }
  }
}
