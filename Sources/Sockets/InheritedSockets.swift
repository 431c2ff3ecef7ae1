// Sockets that the process was started with: the protocol of systemd's socket activation (sd_listen_fds).
internal import Glibc

public enum InheritedSockets {
  /// The first inherited descriptor.
  private static let first: Int32 = 3
  /// More than anybody means.
  private static let maximum: Int32 = 64

  /// Takes over the listening sockets that are meant for this process; none when it was started otherwise. The variables
  /// that name them are removed, so that they are taken once.
  ///
  /// - Throws: when one of them does not listen.
  public static func take() throws(SocketError) -> [Listener] {
    let process = variable("LISTEN_PID")
    let count = variable("LISTEN_FDS")
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    guard let process, process == getpid(), let count, (1...maximum).contains(count) else { return [] }
    var listeners: [Listener] = []
    for number in first..<first + count { listeners.append(try Listener(adopting: Descriptor(owning: number))) }
    return listeners
  }

  private static func variable(_ name: String) -> Int32? {
    guard let value = unsafe getenv(name) else { return nil }
    return Int32(unsafe String(cString: value))
  }
}
