// A failed system call: its name, errno and message.
internal import Glibc

/// What a system call reported.
public struct SocketError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The call, such as `bind`.
  public let call: String
  /// The value of errno.
  public let code: Int32
  /// What the call was about, such as an address; empty when there is nothing to say.
  public let subject: String

  public init(call: String, code: Int32, subject: String = "") {
    self.call = call
    self.code = code
    self.subject = subject
  }

  /// The error of a call that has just failed on this thread.
  static func last(_ call: String, _ subject: String = "") -> SocketError {
    SocketError(call: call, code: errno, subject: subject)
  }

  public static let addressInUse = EADDRINUSE

  /// Whether this process, or the system, has no descriptor left.
  public var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }

  public var description: String {
    let message = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return subject.isEmpty ? "\(call): \(message)" : "\(call) \(subject): \(message)"
  }
}
