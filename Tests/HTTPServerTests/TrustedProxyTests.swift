// Whose word about a client's address is believed.
import HTTP
import Locks
import Sockets
import Testing

@testable import HTTPServer

@Suite struct TrustedProxyTests {
  private static func head(_ lines: [String]) throws -> RequestHead {
    try RequestHead.make(
      .get, "/",
      fields: lines.map { line in
        let colon = line.firstIndex(of: ":") ?? line.endIndex
        return Field(String(line[..<colon]), String(line[colon...].dropFirst(2)))
      })
  }

  private static let proxies = ["10.0.0.0/8", "::1", "fd00::/8", "unix"].compactMap { AddressRange($0) }

  private static let fromProxies: [(String?, [String], String?)] = [
    ("203.0.113.9", ["X-Forwarded-For: 1.2.3.4"], "203.0.113.9"),
    ("10.0.0.1", [], "10.0.0.1"),
    ("10.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
    ("10.0.0.1", ["X-Forwarded-For: 6.6.6.6, 1.2.3.4"], "1.2.3.4"),
    ("10.0.0.1", ["X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.9.9.9"], "1.2.3.4"),
    ("10.0.0.1", ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
    ("10.0.0.1", ["X-Forwarded-For: 10.1.1.1, 10.2.2.2"], "10.1.1.1"),
    ("10.0.0.1", ["X-Forwarded-For: 1.2.3.4, unknown"], "unknown"),
    ("10.0.0.1", ["X-Forwarded-For: 0xcb.0.113.7"], "unknown"),
    ("10.0.0.1", ["X-Forwarded-For: 203.0.113.007"], "unknown"),
    ("10.0.0.1", ["X-Forwarded-For: fe80::1%eth0"], "fe80::1"),
    ("10.0.0.1", ["X-Forwarded-For: junk, 10.1.1.1"], "unknown"),
    ("10.0.0.1", ["X-Forwarded-For: ,"], "unknown"),
    (nil, ["X-Forwarded-For: unknown"], "unknown"),
    ("11.0.0.1", ["X-Forwarded-For: unknown"], "11.0.0.1"),
    ("10.0.0.1", ["X-Forwarded-For: 1.2.3.4:5678"], "1.2.3.4"),
    ("10.0.0.1", ["X-Forwarded-For: 2001:DB8::1"], "2001:db8::1"),
    ("10.0.0.1", ["X-Forwarded-For: [2001:db8::1]:443"], "2001:db8::1"),
    ("10.0.0.1", ["Forwarded: for=1.2.3.4"], "10.0.0.1"),
    ("::ffff:10.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
    ("11.0.0.1", ["X-Forwarded-For: 1.2.3.4"], "11.0.0.1"),
    (nil, ["X-Forwarded-For: 1.2.3.4"], "1.2.3.4"),
  ]

  @Test(arguments: fromProxies)
  func `X-Forwarded-For counts from trusted proxies alone`(peer: String?, lines: [String], client: String?) throws {
    let trusted = TrustedProxies(Self.proxies)
    #expect(trusted.client(of: try Self.head(lines), peer: peer) == client)
  }

  private static let forwarded: [(String, String?)] = [
    ("for=1.2.3.4", "1.2.3.4"), ("For=\"1.2.3.4:80\";proto=https;by=10.0.0.1", "1.2.3.4"),
    ("for=6.6.6.6, for=\"[2001:db8::1]:443\"", "2001:db8::1"), ("for=1.2.3.4, for=10.5.5.5", "1.2.3.4"),
    ("proto=https;for=1.2.3.4", "1.2.3.4"), ("for=_hidden", "unknown"), ("for=unknown", "unknown"),
    ("proto=https", "unknown"), ("for=6.6.6.6, nonsense \"a,b\"", "unknown"),
  ]

  @Test(arguments: forwarded)
  func `Forwarded is read as RFC 7239 has it`(value: String, client: String?) throws {
    let trusted = TrustedProxies(Self.proxies, field: .forwarded)
    #expect(trusted.client(of: try Self.head(["Forwarded: \(value)"]), peer: "10.0.0.1") == client)
    #expect(trusted.client(of: try Self.head(["Forwarded: \(value)"]), peer: "11.0.0.1") == "11.0.0.1")
  }

  @Test(arguments: [
    "", "10.0.0", "10.0.0.1/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/+8", "::1/129", "localhost", "1.2.3.4.5", "/8",
  ])
  func `what is no range is told so`(text: String) { #expect(AddressRange(text) == nil) }

  @Test func `a range without bits is for everyone of its family`() throws {
    let all = try #require(AddressRange("0.0.0.0/0"))
    #expect(all.contains("1.2.3.4") && !all.contains("::1") && !all.contains(nil))
  }

  @Test func `the log names the client that a trusted proxy speaks for`() async throws {
    let peers = Lock<[String?]>([])
    let range = try #require(AddressRange("127.0.0.0/8"))
    let server = try HTTPServer(
      handler: TestHandler(gate: Gate()), trustedProxies: TrustedProxies([range]), loopCount: 1,
      accessLog: { records in peers.withLock { $0 += records.map(\.peer) } })
    let address = try server.start(listening: .ipv4("127.0.0.1", port: 0))
    _ = try await Client(address).ask(request("GET", "/", "X-Forwarded-For: 6.6.6.6, 203.0.113.7\r\n"))
    await server.shutdown(grace: .seconds(5))
    #expect(peers.withLock { $0 } == ["203.0.113.7"])
  }
}
