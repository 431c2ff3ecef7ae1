// The two clocks that a server reads: one that only moves on, one that tells the date.
internal import Glibc

public enum SystemClock {
  /// Nanoseconds since some start, never going back.
  public static var monotonicNanoseconds: Int { read(CLOCK_MONOTONIC) }

  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public static var wallNanoseconds: Int { read(CLOCK_REALTIME) }

  /// Halts this thread, of which nobody waits for anything.
  public static func pause(milliseconds: Int) {
    usleep(UInt32(clamping: milliseconds * 1_000))
  }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

public enum ProcessorCount {
  /// How many processors this process may run on.
  public static var online: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
