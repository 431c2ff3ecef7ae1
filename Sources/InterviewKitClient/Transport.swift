// How requests reach the service: through URLSession, or through what a test puts in its place.

public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request to the service, before it is one of URLSession's.
public struct ServiceRequest: Sendable, Hashable {
  public var method: String
  /// Percent-encoded, with its query, from the service's own address on.
  public var target: String
  public var fields: [String: String]
  public var body: Data?
}

public struct ServiceReply: Sendable, Hashable {
  public var status: Int
  /// By lower-case name.
  public var fields: [String: String]
  public var body: Data

  public init(status: Int, fields: [String: String] = [:], body: Data = Data()) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }
}

/// Sends requests. Throws when no whole reply came.
public protocol Transport: Sendable {
  func send(_ request: ServiceRequest) async throws -> ServiceReply
  /// A reply without end, piece by piece: its head first, with an empty body; then its bytes.
  func stream(_ request: ServiceRequest) -> AsyncThrowingStream<ServiceReply, any Error>
}

/// Over HTTP with URLSession.
public struct HTTPTransport: Transport {
  private let baseURL: URL
  private let session: URLSession

  /// - Parameter baseURL: where the service is, such as `http://127.0.0.1:8080`.
  public init(baseURL: URL, session: URLSession = .shared) { (self.baseURL, self.session) = (baseURL, session) }

  public func send(_ request: ServiceRequest) async throws -> ServiceReply {
    let (data, response) = try await session.data(for: try urlRequest(request))
    return try ServiceReply(response, body: data)
  }

  public func stream(_ request: ServiceRequest) -> AsyncThrowingStream<ServiceReply, any Error> {
    AsyncThrowingStream { continuation in
      do {
        var url = try urlRequest(request)
        // Heartbeats come every 15 seconds; a stream without any for a minute is dead.
        url.timeoutInterval = 60
        let configuration = URLSessionConfiguration.ephemeral
        let session = URLSession(
          configuration: configuration, delegate: StreamDelegate(continuation), delegateQueue: nil)
        let task = session.dataTask(with: url)
        continuation.onTermination = { _ in session.invalidateAndCancel() }
        task.resume()
      } catch { continuation.finish(throwing: error) }
    }
  }

  private func urlRequest(_ request: ServiceRequest) throws -> URLRequest {
    var base = baseURL.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    guard let url = URL(string: base + request.target) else { throw URLError(.badURL) }
    var result = URLRequest(url: url)
    result.httpMethod = request.method
    result.httpBody = request.body
    result.cachePolicy = .reloadIgnoringLocalCacheData
    for (name, value) in request.fields { result.setValue(value, forHTTPHeaderField: name) }
    return result
  }
}

extension ServiceReply {
  fileprivate init(_ response: URLResponse, body: Data) throws {
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    var fields: [String: String] = [:]
    for (name, value) in response.allHeaderFields { fields["\(name)".lowercased()] = "\(value)" }
    self.init(status: response.statusCode, fields: fields, body: body)
  }
}

/// Hands a reply's pieces on as they come.
private final class StreamDelegate: NSObject, URLSessionDataDelegate {
  private let continuation: AsyncThrowingStream<ServiceReply, any Error>.Continuation

  init(_ continuation: AsyncThrowingStream<ServiceReply, any Error>.Continuation) { self.continuation = continuation }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    do { continuation.yield(try ServiceReply(response, body: Data())) } catch { continuation.finish(throwing: error) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    continuation.yield(ServiceReply(status: 200, body: data))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish(throwing: error)
    session.finishTasksAndInvalidate()
  }
}
