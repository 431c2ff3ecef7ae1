// A body that the handler produces piece by piece, as fast as the client takes it.

/// Why a piece was not taken: the connection has ended.
public struct StreamEnded: Error, Sendable {
  public init() {}
}

/// The producer's end of a body.
public struct BodyWriter: Sendable {
  private let take: @Sendable ([UInt8]) async throws(StreamEnded) -> Void

  /// - Parameter take: hands a piece on, and returns when there is room for more.
  public init(_ take: @escaping @Sendable ([UInt8]) async throws(StreamEnded) -> Void) { self.take = take }

  /// Sends a piece; returns as soon as there is room for another one. An empty piece sends nothing.
  ///
  /// - Throws: when the connection has ended: there is nobody left to write for.
  public func write(_ bytes: [UInt8]) async throws(StreamEnded) { try await take(bytes) }
}

/// A body of any length. Where its length is not known it is sent in chunks (RFC 9112, section 7.1), and to HTTP/1.0 until
/// the connection's end.
public final class BodyStream: Sendable {
  /// The length in bytes, where it is known beforehand.
  public let length: Int?
  /// Whether the producer is cancelled when the server shuts down; it may still write a farewell and return. Others are
  /// given the grace time.
  public let endsOnShutdown: Bool
  /// Writes the body; returns at its end. An error, or less or more than `length`, breaks the connection off, so that no
  /// client takes half a body for a whole one.
  public let produce: @Sendable (BodyWriter) async throws -> Void

  public init(
    length: Int? = nil, endsOnShutdown: Bool = false, _ produce: @escaping @Sendable (BodyWriter) async throws -> Void
  ) {
    precondition(length.map { $0 >= 0 } ?? true, "a length is not negative")
    self.length = length
    self.endsOnShutdown = endsOnShutdown
    self.produce = produce
  }
}

extension BodyStream: Hashable {
  /// One stream is the same as itself alone.
  public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
