// Receives and sends of many connections in one system call: io_uring.
internal import CLinux
internal import Glibc

/// What a ring does for a token.
public enum RingOperation: UInt64, Sendable {
  case receive = 0
  case send = 1
  case poll = 2
  case cancel = 3
}

/// One report of a ring.
public struct RingEvent: Sendable {
  /// The token given with the operation.
  public let token: UInt64
  public let operation: RingOperation
  /// Bytes, or a negative errno.
  public let result: Int32
  /// The buffer that holds what was received; it is the caller's until it is recycled.
  public let buffer: Int?
  /// Whether the operation has ended.
  public let isLast: Bool

  /// Whether a receive ended only because no buffer was free, or because it was told to.
  public var isPause: Bool { result == -ENOBUFS || result == -ECANCELED }
  /// Whether the system takes or gives nothing now.
  public var isNothing: Bool { result == -EAGAIN || result == -EINTR }
}

/// Bytes that a ring sends: a range of one buffer, to one socket.
public struct RingSend: Sendable {
  public let number: Int32
  public let token: UInt64
  public let range: Range<Int>

  public init(number: Int32, token: UInt64, range: Range<Int>) {
    (self.number, self.token, self.range) = (number, token, range)
  }
}

/// An io_uring instance with buffers for what it receives.
///
/// Operations are queued and take effect with `submit`, which also gathers what has come of those before. Tokens have
/// their bits 30 and 31 clear.
///
/// `@unchecked Sendable`: one owner at a time, and only the thread that called `start` uses it from then on. The pointers
/// lead into mappings that live as long as the ring.
@safe public final class Ring: @unchecked Sendable {
  public static let entries: UInt32 = 1_024
  /// Buffers for received bytes, a power of two.
  public static let bufferCount = 256
  public static let bufferBytes = 4 * 1_024
  private static let operationShift: UInt64 = 30

  private let descriptor: Descriptor
  private let rings: Mapping
  private let submissions: Mapping
  private let lent: Mapping
  private let buffers: Mapping
  private let offsets: io_uring_params
  private var tail: UInt32 = 0
  private var lentTail: UInt16 = 0
  /// What has been gathered and not been taken.
  private var events: [RingEvent] = []
  /// Those among the sends of the last `submit` that were not taken whole.
  public private(set) var failedSends: [RingEvent] = []

  /// - Parameter completions: events that have room before some are gathered, a power of two and no less than `entries`;
  ///   the kernel keeps those beyond it.
  /// - Throws: the call that failed: `ENOSYS` or `EPERM` where the kernel, a container or a setting forbids io_uring,
  ///   `EINVAL` where the kernel is older than 6.1.
  public init(completions: UInt32 = 8_192) throws(SocketError) {
    var parameters = io_uring_params()
    parameters.flags =
      UInt32(IORING_SETUP_CQSIZE) | UInt32(IORING_SETUP_SUBMIT_ALL) | UInt32(IORING_SETUP_SINGLE_ISSUER)
      | UInt32(IORING_SETUP_DEFER_TASKRUN) | UInt32(IORING_SETUP_R_DISABLED)
    parameters.cq_entries = completions
    descriptor = Descriptor(owning: try Self.checked(unsafe ring_setup(Self.entries, &parameters), "io_uring_setup"))
    let entries = Int(parameters.sq_off.array) + Int(parameters.sq_entries) * MemoryLayout<UInt32>.stride
    let results =
      Int(parameters.cq_off.cqes) + Int(parameters.cq_entries) * MemoryLayout<ring_completion>.stride
    rings = try Mapping(bytes: max(entries, results), of: descriptor.number, at: Int(IORING_OFF_SQ_RING))
    submissions = try Mapping(
      bytes: Int(parameters.sq_entries) * MemoryLayout<io_uring_sqe>.stride, of: descriptor.number,
      at: Int(IORING_OFF_SQES))
    lent = try Mapping(bytes: Self.bufferCount * MemoryLayout<io_uring_buf>.stride)
    buffers = try Mapping(bytes: Self.bufferCount * Self.bufferBytes)
    offsets = parameters
    for index in 0..<Int(parameters.sq_entries) {
      let place = Int(parameters.sq_off.array) + index * MemoryLayout<UInt32>.stride
      unsafe rings.start.storeBytes(of: UInt32(index), toByteOffset: place, as: UInt32.self)
    }
    var registration = io_uring_buf_reg()
    registration.ring_addr = unsafe UInt64(UInt(bitPattern: lent.start))
    registration.ring_entries = UInt32(Self.bufferCount)
    _ = try Self.checked(
      unsafe ring_register(descriptor.number, UInt32(IORING_REGISTER_PBUF_RING), &registration, 1),
      "io_uring_register")
    for number in 0..<Self.bufferCount { recycle(number) }
  }

  /// Gives the ring to this thread: no other may use it from now on.
  public func start() throws(SocketError) {
    _ = try Self.checked(
      ring_register(descriptor.number, UInt32(IORING_REGISTER_ENABLE_RINGS), nil, 0), "io_uring_register")
  }

  /// Makes a ring, starts it on this thread and lets it do nothing once: what `init` proves is not all that is needed.
  public static func probe() throws(SocketError) {
    let ring = try Ring()
    try ring.start()
    unsafe ring_nothing(try ring.entry(), word(0, .poll))
    try ring.submit(waitingMilliseconds: 1_000)
    guard !ring.events.isEmpty else { throw SocketError(call: "io_uring_enter", code: ETIME) }
  }

  // MARK: Operations

  /// Receives from a socket until the event that is the last.
  public func receive(_ number: Int32, token: UInt64) throws(SocketError) {
    unsafe ring_receive(try entry(), number, Self.word(token, .receive))
  }

  /// Ends the receiving of that token; its last event tells when.
  public func stopReceiving(token: UInt64) throws(SocketError) {
    unsafe ring_cancel(try entry(), Self.word(token, .receive), Self.word(token, .cancel))
  }

  /// Reports once when the descriptor is readable, now or later.
  public func poll(_ number: Int32, token: UInt64) throws(SocketError) {
    unsafe ring_poll(try entry(), number, Self.word(token, .poll))
  }

  /// Does all that is queued, sends each range of `bytes`, waits for an event, and gathers the events.
  ///
  /// The system takes of `bytes` what it takes at once. What is not among `failedSends` then has been taken whole.
  /// - Parameter milliseconds: the longest wait; 0 for none, negative for ever.
  public func submit(
    _ sends: [RingSend] = [], of bytes: [UInt8] = [], waitingMilliseconds milliseconds: Int32
  ) throws(SocketError) {
    failedSends.removeAll(keepingCapacity: true)
    if sends.isEmpty { return try enter(waitingMilliseconds: milliseconds) }
    // The kernel reads `bytes` within the last `enter` at the latest.
    let result: Result<Void, SocketError> = unsafe bytes.withUnsafeBytes { buffer in
      do throws(SocketError) {
        for send in sends {
          let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[send.range])
          unsafe ring_send(
            try entry(), send.number, part.baseAddress, UInt32(part.count), Self.word(send.token, .send))
        }
        return .success(try enter(waitingMilliseconds: milliseconds))
      } catch { return .failure(error) }
    }
    try result.get()
  }

  /// Exchanges what has been gathered for an empty buffer.
  public func takeEvents(_ buffer: inout [RingEvent]) { swap(&events, &buffer) }

  // MARK: Buffers

  /// The received bytes, lent to `body`.
  public func withReceived<R>(_ event: RingEvent, _ body: (Span<UInt8>) -> R) -> R {
    guard let number = event.buffer, event.result > 0 else { return body([UInt8]().span) }
    let start = unsafe buffers.start + number * Self.bufferBytes
    return unsafe UnsafeRawBufferPointer(start: start, count: Int(event.result)).withMemoryRebound(to: UInt8.self) {
      unsafe body($0.span)
    }
  }

  /// Lends a buffer to the kernel again.
  public func recycle(_ number: Int) {
    unsafe ring_lend(
      lent.start.assumingMemoryBound(to: io_uring_buf.self), UInt32(Self.bufferCount - 1), lentTail,
      buffers.start + number * Self.bufferBytes, UInt32(Self.bufferBytes), UInt16(number))
    lentTail &+= 1
  }

  // MARK: The rings

  private static func word(_ token: UInt64, _ operation: RingOperation) -> UInt64 {
    token | operation.rawValue << operationShift
  }

  private func place(_ offset: UInt32) -> UnsafeMutablePointer<UInt32> {
    unsafe (rings.start + Int(offset)).assumingMemoryBound(to: UInt32.self)
  }

  /// Entries that the kernel has not taken yet.
  private var queued: UInt32 { tail &- (unsafe ring_load(place(offsets.sq_off.head))) }

  /// The next free entry; where there is none, what is queued is done first.
  private func entry() throws(SocketError) -> UnsafeMutablePointer<io_uring_sqe> {
    if queued == offsets.sq_entries { try enter(waitingMilliseconds: 0) }
    let index = Int(tail & (offsets.sq_entries - 1))
    tail &+= 1
    return unsafe submissions.start.assumingMemoryBound(to: io_uring_sqe.self) + index
  }

  private func enter(waitingMilliseconds milliseconds: Int32) throws(SocketError) {
    unsafe ring_store(place(offsets.sq_off.tail), tail)
    repeat {
      let mayWait = milliseconds != 0 && events.isEmpty && failedSends.isEmpty
      let result = ring_enter(descriptor.number, queued, mayWait ? 1 : 0, milliseconds)
      gather()
      switch -result {
      // Too much is under way: what has come is taken off, and the rest goes on.
      case ETIME, EINTR, EAGAIN, EBUSY: break
      case 1...: throw SocketError(call: "io_uring_enter", code: -result)
      default: break
      }
    } while queued > 0
  }

  /// Takes off what has come.
  private func gather() {
    let head = unsafe place(offsets.cq_off.head)
    var next = unsafe ring_load(head)
    let end = unsafe ring_load(place(offsets.cq_off.tail))
    let results = unsafe (rings.start + Int(offsets.cq_off.cqes)).assumingMemoryBound(to: ring_completion.self)
    while next != end {
      let result = unsafe results[Int(next & (offsets.cq_entries - 1))]
      let hasBuffer = result.flags & UInt32(IORING_CQE_F_BUFFER) != 0
      let event = RingEvent(
        token: result.token & ~(3 << Self.operationShift),
        operation: RingOperation(rawValue: result.token >> Self.operationShift & 3) ?? .cancel,
        result: result.result, buffer: hasBuffer ? Int(result.flags >> 16) : nil,
        isLast: result.flags & UInt32(IORING_CQE_F_MORE) == 0)
      switch event.operation {
      case .receive, .poll: events.append(event)
      case .send: failedSends.append(event)
      case .cancel: break
      }
      next &+= 1
    }
    unsafe ring_store(head, next)
  }

  private static func checked(_ result: Int32, _ call: String) throws(SocketError) -> Int32 {
    if result < 0 { throw SocketError(call: call, code: -result) }
    return result
  }
}

/// Memory shared with the kernel, for as long as the value lives.
@safe private struct Mapping: ~Copyable {
  let start: UnsafeMutableRawPointer
  private let bytes: Int

  /// - Parameter descriptor: a ring whose memory it is; -1 for fresh memory.
  init(bytes: Int, of descriptor: Int32 = -1, at offset: Int = 0) throws(SocketError) {
    let flags = MAP_POPULATE | (descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED)
    let start = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, descriptor, offset)
    guard let start = unsafe start, unsafe start != MAP_FAILED else { throw .last("mmap") }
    unsafe (self.start, self.bytes) = (start, bytes)
  }

  deinit { unsafe munmap(start, bytes) }
}
