// A file descriptor with one owner, closed in one place.
internal import Glibc

/// Owns a descriptor; it is closed when the value ends.
public struct Descriptor: ~Copyable, Sendable {
  public let number: Int32

  /// Takes over an open descriptor.
  public init(owning number: Int32) {
    precondition(number >= 0, "a descriptor is not negative")
    self.number = number
  }

  deinit { close(number) }

  /// Opens `/dev/null`: a descriptor held in reserve for the time when there are none left.
  public static func reserve() -> Descriptor? {
    let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number >= 0 ? Descriptor(owning: number) : nil
  }

  /// The soft limit on open descriptors of this process.
  public static var softLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
  }
}

/// Settings of the whole process that a server needs.
public enum ProcessSignals {
  /// Makes writing to a connection that its peer closed an error, not the end of the process.
  public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
