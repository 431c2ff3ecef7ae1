// Accepting connections: within the limits, and never spinning when descriptors run out.
internal import HTTP
internal import Locks
internal import Sockets
internal import Synchronization

extension EventLoop {
  func accept(from index: Int) {
    guard index < listeners.count, acceptPausedUntil == nil else { return }
    for _ in 0..<limits.acceptsPerTurn {
      switch listeners[index].accept() {
      case .nothing: return
      case .aborted: continue
      case .exhausted: return yieldSpare(from: index)
      case .connection(let socket, let peer): admit(socket, peer)
      }
    }
  }

  private func admit(_ socket: consuming StreamSocket, _ peer: SocketAddress) {
    let key = context.census.key(for: peer)
    let isAdmitted = context.census.enter(key)
    metrics.update { metrics in
      if isAdmitted { metrics.connectionsAccepted += 1 } else { metrics.connectionsRefused += 1 }
    }
    guard isAdmitted || context.census.enterLingering(limit: limits.lingeringRefusals) else {
      // Too many even for a courteous refusal: one send, and away.
      _ = socket.send(refusalBytes(Self.tooManyConnections(limits)))
      return
    }
    guard isAdmitted, let lighter = lighterLoop() else {
      mailbox.load.wrappingAdd(1, ordering: .relaxed)
      return open(socket, peer, censusKey: key, isRefused: !isAdmitted)
    }
    let handover = Handover(socket, peer: peer, censusKey: key)
    lighter.load.wrappingAdd(1, ordering: .relaxed)
    if lighter.post(.adopt(handover)) { return }
    // That loop has ended before this one.
    lighter.load.wrappingSubtract(1, ordering: .relaxed)
    mailbox.load.wrappingAdd(1, ordering: .relaxed)
    if let socket = handover.take() { open(socket, peer, censusKey: key, isRefused: false) }
  }

  /// Another loop that has fewer connections: the kernel tends to wake the same loop again and again.
  private func lighterLoop() -> LoopMailbox? {
    var lightest: LoopMailbox?
    var least = mailbox.load.load(ordering: .relaxed)
    for other in others {
      let load = other.load.load(ordering: .relaxed)
      if load < least { (lightest, least) = (other, load) }
    }
    return lightest
  }

  /// Begins a connection's life on this loop.
  func open(_ socket: consuming StreamSocket, _ peer: SocketAddress, censusKey: String?, isRefused: Bool) {
    let token = makeToken(socket.number)
    let connection = Connection(
      socket, token: token, peer: peer.host, censusKey: censusKey, isRefused: isRefused,
      isTrustedProxy: context.trustedProxies.ranges.contain(peer.host), now: now)
    enter(connection)
    if ring == nil {
      do {
        try poller.add(connection.socket.number, [.reading, .edgeTriggered], token: token)
      } catch {
        return close(connection)
      }
    }
    guard isRefused else { return settle(connection) }
    refuse(Self.tooManyConnections(limits), on: connection)
    pump(connection)
  }

  private static func tooManyConnections(_ limits: ServerLimits) -> Refusal {
    Refusal(
      status: 503, code: "tooManyConnections", detail: "Too many connections are open.",
      retryAfterSeconds: limits.retryAfterSeconds)
  }

  private func refusalBytes(_ refusal: Refusal) -> [UInt8] {
    let requestID = repeater.ids.next(milliseconds: time.wallMilliseconds)
    let response = context.handler.refusal(refusal, requestID: requestID.text)
    var bytes: [UInt8] = []
    let reply = ReplyContext(date: time.date, requestID: requestID, closes: true)
    if ResponseEncoder.appendHead(of: response, to: &bytes, reply) { bytes += response.body }
    return bytes
  }

  /// No descriptors are left: the spare one takes the waiting client off the queue, and accepting rests for a while.
  private func yieldSpare(from index: Int) {
    spare = nil
    if case .connection(let socket, _) = listeners[index].accept() {
      _ = socket.send(refusalBytes(Self.tooManyConnections(limits)))
      metrics.update { $0.connectionsRefused += 1 }
    }
    spare = Descriptor.reserve()
    for listener in listeners { try? poller.remove(listener.number) }
    acceptPausedUntil = now + limits.acceptBackOffMilliseconds
  }

  func resumeAccepting() {
    guard let until = acceptPausedUntil, now >= until else { return }
    if spare == nil { spare = Descriptor.reserve() }
    for (index, listener) in listeners.enumerated() {
      do {
        try poller.add(listener.number, .accepting, token: Self.listenerToken(index))
      } catch {
        acceptPausedUntil = now + limits.acceptBackOffMilliseconds
        return
      }
    }
    acceptPausedUntil = nil
  }
}
