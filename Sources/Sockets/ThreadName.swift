// The name under which top and perf show a thread.
internal import CLinux
internal import Glibc

public enum ThreadName {
  /// Names this thread; the system takes at most 15 bytes.
  public static func set(_ name: String) { unsafe pthread_setname_np(pthread_self(), name) }
}
