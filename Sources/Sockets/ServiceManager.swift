// What a service tells the manager that started it: systemd's notification protocol (sd_notify).
internal import CLinux
internal import Glibc

/// The service manager's socket; says nothing where nobody asked to be told.
public struct ServiceManager: Sendable {
  /// A path, or the name of an abstract socket behind `@`.
  private let address: [UInt8]

  /// Takes the socket that `NOTIFY_SOCKET` names. The variable is removed, so that no other program speaks for this one.
  public static func take() -> ServiceManager {
    defer { unsafe unsetenv("NOTIFY_SOCKET") }
    guard let value = unsafe getenv("NOTIFY_SOCKET") else { return ServiceManager(address: []) }
    return ServiceManager(address: Array(unsafe String(cString: value).utf8))
  }

  /// It answers now; `status` is a line for people.
  public func ready(status: String) { send("READY=1\nSTATUS=\(status)") }

  /// It reads its settings again; `ready` ends that. `MONOTONIC_USEC` is asked for since version 253 (`Type=notify-reload`).
  public func reloading() {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    send("RELOADING=1\nMONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
  }

  /// It finishes what is in flight, and ends.
  public func stopping() { send("STOPPING=1\nSTATUS=finishing requests") }

  /// One datagram. A manager that does not take it is not waited for: it has its own timeout.
  private func send(_ text: String) {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var bytes = address
    guard let first = bytes.first, bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let handle = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard handle >= 0 else { return }
    defer { close(handle) }
    // An abstract name ends where the address does.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (first == UInt8(ascii: "@") ? 0 : 1))
    let message = Array(text.utf8)
    _ = unsafe withUnsafePointer(to: name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe sendto(handle, message, message.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
      }
    }
  }
}
