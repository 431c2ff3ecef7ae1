// Sockets: addresses, listening, the poller and its wake-up.
import Sockets
import Testing

@Suite struct SocketsTests {
  /// A path for a Unix socket that nobody else uses.
  private static func temporaryPath() -> String {
    "/tmp/interviewkit-\(UInt64.random(in: 0...UInt64.max)).socket"
  }

  @Test(arguments: [SocketAddress.ipv4("127.0.0.1", port: 0), .ipv6("::1", port: 0)])
  func `a listener on port 0 tells the port that it got`(address: SocketAddress) throws {
    let listener = try Listener(address)
    let port = try #require(listener.address.port)
    #expect(port > 0)
    #expect(listener.address.host == address.host)
    let client = try StreamSocket.connect(to: listener.address)
    guard case .connection(let server, let peer) = listener.accept() else {
      Issue.record("nobody is waiting")
      return
    }
    #expect(peer.isLocal)
    #expect(server.send(Array("hello".utf8)) == .bytes(5))
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(client.receive(into: &buffer) == .bytes(5))
    #expect(buffer.prefix(5).elementsEqual("hello".utf8))
  }

  @Test func `an address in use is refused`() throws {
    let listener = try Listener(.ipv4("127.0.0.1", port: 0))
    let error = #expect(throws: SocketError.self) { try Listener(listener.address) }
    #expect(error?.code == SocketError.addressInUse)
    #expect(error?.description.hasPrefix("bind 127.0.0.1:") == true)
  }

  @Test func `a Unix socket replaces one that nobody answers at, and no other`() throws {
    let address = SocketAddress.unix(path: Self.temporaryPath())
    do {
      let first = try Listener(address)
      #expect(throws: SocketError.self) { try Listener(address) }
      let client = try StreamSocket.connect(to: address)
      #expect(client.number >= 0)
      #expect(first.address == address)
    }
    // Released, the path is gone; connecting fails.
    #expect(throws: SocketError.self) { _ = try StreamSocket.connect(to: address) }
    let second = try Listener(address)
    #expect(second.address == address)
  }

  @Test(arguments: ["", String(repeating: "a", count: 200), "a\0b"])
  func `a path that is no Unix socket's is refused`(path: String) {
    #expect(throws: SocketError.self) { try Listener(.unix(path: path)) }
  }

  @Test func `hosts are resolved, numeric ones to themselves`() throws {
    #expect(try SocketAddress.resolve(host: "127.0.0.1", port: 80) == [.ipv4("127.0.0.1", port: 80)])
    #expect(try SocketAddress.resolve(host: "::1", port: 80) == [.ipv6("::1", port: 80)])
    #expect(throws: SocketError.self) { try SocketAddress.resolve(host: "not a host", port: 80) }
    #expect(SocketAddress.ipv6("::1", port: 80).description == "[::1]:80")
  }

  @Test func `pieces are sent in order, the first from its middle`() throws {
    let listener = try Listener(.ipv4("127.0.0.1", port: 0))
    let client = try StreamSocket.connect(to: listener.address)
    let pieces = (0..<40).map { Array("\($0),".utf8) }
    let sent = client.send(pieces, skipping: 1)
    let expected = pieces.prefix(StreamSocket.piecesPerCall).joined().dropFirst()
    #expect(sent == .bytes(expected.count))
    guard case .connection(let server, _) = listener.accept() else {
      Issue.record("nobody is waiting")
      return
    }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    #expect(server.receive(into: &buffer) == .bytes(expected.count))
    #expect(buffer.prefix(expected.count).elementsEqual(expected))
    let shifted = [InsertedBytes(Array("one".utf8), at: 1), InsertedBytes(Array("two".utf8), at: 3)]
    #expect(
      client.send(Array("+abcd".utf8), from: 1, inserting: shifted + [InsertedBytes(Array("three".utf8), at: 5)])
        == .bytes(15))
    #expect(server.receive(into: &buffer) == .bytes(15))
    #expect(String(decoding: buffer.prefix(15), as: UTF8.self) == "oneabtwocdthree")
    #expect(server.receive(into: &buffer) == .nothing)
    client.shutWriting()
    #expect(server.receive(into: &buffer) == .end)
  }

  @Test func `a wake-up makes its poller return, once`() throws {
    let wakeUp = try WakeUp()
    var poller = try Poller(capacity: 4)
    try poller.add(wakeUp.number, .reading, token: 9)
    #expect(try poller.wait(milliseconds: 0) == 0)
    wakeUp.signal()
    wakeUp.signal()
    #expect(try poller.wait(milliseconds: 1_000) == 1)
    #expect(poller[0].token == 9)
    #expect(poller[0].isReadable)
    wakeUp.wait()
    #expect(try poller.wait(milliseconds: 0) == 0)
  }

  @Test func `sending to a peer that has reset is an error, not the end of the process`() throws {
    let listener = try Listener(.ipv4("127.0.0.1", port: 0))
    do {
      let client = try StreamSocket.connect(to: listener.address)
      client.resetOnClose()
    }
    guard case .connection(let server, _) = listener.accept() else {
      Issue.record("nobody is waiting")
      return
    }
    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(server.receive(into: &buffer) == .broken)
    #expect(server.send(Array("hello".utf8)) == .broken)
  }
}
