// What waits in memory until peers take it, of all loops together.
internal import Locks

/// Counts what the queues of connections hold, in bytes of content. A body that many connections wait to send is in memory
/// once, and counts once.
final class HeldOutput: Sendable {
  private struct State {
    var bytes = 0
    /// How many queues hold a piece, by the place of its bytes: nobody writes to them there as long as a queue holds them.
    var holders: [UInt: Int] = [:]
  }

  private let limitBytes: Int
  private let state = Lock(State())

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  var bytes: Int { state.withLock { $0.bytes } }
  var isTooMuch: Bool { bytes > limitBytes }

  func enter(_ pieces: [[UInt8]]) {
    state.withLock { state in
      for piece in pieces {
        let before = state.holders[Self.place(piece)] ?? 0
        state.holders[Self.place(piece)] = before + 1
        if before == 0 { state.bytes += piece.count }
      }
    }
  }

  func leave(_ pieces: some Sequence<[UInt8]>) {
    state.withLock { state in
      for piece in pieces {
        let left = (state.holders[Self.place(piece)] ?? 1) - 1
        state.holders[Self.place(piece)] = left > 0 ? left : nil
        if left == 0 { state.bytes -= piece.count }
      }
    }
  }

  /// Whether memory is given back when a queue leaves that holds these pieces.
  func isAlone(with pieces: [[UInt8]]) -> Bool {
    state.withLock { state in pieces.contains { state.holders[Self.place($0)] == 1 } }
  }

  private static func place(_ piece: [UInt8]) -> UInt {
    unsafe piece.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }
}
