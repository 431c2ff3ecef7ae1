// The API as commands use it: through the running server's Unix socket, else opened in this process.

import API
import HTTP
import InterviewKits
import Sockets
import Store

struct LocalAPI {
  private let socketPath: String?
  private let service: Service?
  /// Proves that we may read the data folder.
  private let key: String
  /// True when a database was made for this, and no server runs.
  var isNew: Bool { service?.traces.isNewDatabase ?? false }

  /// Goes to the server of the data folder when one runs, else opens the folder.
  /// - Parameter creates: whether a folder without a database gets one.
  static func connect(_ settings: Settings, log: Log, creates: Bool = true) throws -> LocalAPI {
    if (try? StreamSocket.connect(to: .unix(path: settings.socketPath))) != nil {
      let key = String(decoding: try Files.read(settings.keyPath), as: UTF8.self)
      return LocalAPI(socketPath: settings.socketPath, service: nil, key: key)
    }
    if !creates { try settings.requireDatabase() }
    let service = try Service.open(settings, log: log, waitMilliseconds: 5_000)
    return LocalAPI(socketPath: nil, service: service, key: service.key)
  }

  func send(_ method: HTTPMethod, _ target: String, fields: [Field] = [], body: [UInt8] = []) async throws -> Response {
    let fields = fields + [Field("Authorization", "Bearer \(key)")]
    if let socketPath { return try exchange(socketPath, method, target, fields, body) }
    guard let api = service?.api else { preconditionFailure("a local API has a socket or a service") }
    var head = try RequestHead.make(method, target, fields: fields)
    switch api.admit(head, requestID: "local") {
    case .refuse(let response): return response
    case .accept(let maximum, let mark):
      head.mark = mark
      if body.count > maximum { return api.refusal(.contentTooLarge(maximum: maximum), requestID: "local") }
      return await api.answer(Request(head: head, body: body, requestID: "local"))
    }
  }

  func close() async { await service?.store.close() }

  /// As `close`, when what it was opened for was refused, or stored nothing: a database that was made for it goes again.
  func undo() async { await service?.undo() }

  private func exchange(
    _ path: String, _ method: HTTPMethod, _ target: String, _ fields: [Field], _ body: [UInt8]
  ) throws -> Response {
    let socket = try StreamSocket.connect(to: .unix(path: path))
    var head = "\(method.name) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    for field in fields { head += "\(field.name): \(field.value)\r\n" }
    if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
    let request = Array((head + "\r\n").utf8) + body
    var sent = 0
    while sent < request.count {
      // The server may refuse before it has read all; its answer is read below.
      guard case .bytes(let count) = socket.send(request, from: sent) else { break }
      sent += count
    }
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case .bytes(let count) = socket.receive(into: &buffer) { received += buffer[..<count] }
    guard let response = Self.parse(received) else { throw SettingsError("the server at \(path) gave no whole answer") }
    return response
  }

  /// Reads a response of our own server: a status line, fields, and a body of the announced length.
  private static func parse(_ bytes: [UInt8]) -> Response? {
    let mark = Array("\r\n\r\n".utf8)
    guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return nil }
    let lines = bytes[..<end].split(separator: 0x0A).map { line in
      String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    guard let first = lines.first, let status = Int(first.dropFirst(9).prefix(3)) else { return nil }
    let fields = lines.dropFirst().compactMap { line -> Field? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return Field(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    let body = Array(bytes[(end + mark.count)...])
    let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    guard status == 204 || length == body.count else { return nil }
    return Response(status: status, fields: fields, body: body)
  }
}
