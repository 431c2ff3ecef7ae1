// Threads of their own, and the signal that they and others wait for.

import Glibc
import Locks
import Testing

@Suite struct DedicatedThreadTests {
  @Test func `a thread runs beside its starter, takes no Unix signals, and leaves the starter's mask as it was`() {
    @Sendable func takes(_ signal: Int32) -> Bool {
      var mask = sigset_t()
      unsafe pthread_sigmask(SIG_BLOCK, nil, &mask)
      return unsafe sigismember(&mask, signal) == 0
    }
    // Threads of the pool take none either.
    var one = sigset_t()
    var before = sigset_t()
    unsafe sigaddset(&one, SIGUSR2)
    unsafe pthread_sigmask(SIG_UNBLOCK, &one, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let taken = Lock<[Bool]>([])
    let done = Signal()
    DedicatedThread.start {
      taken.withLock { $0 = [SIGTERM, SIGINT, SIGUSR2].map(takes) }
      done.send()
    }
    #expect(done.wait(milliseconds: 8_000))
    #expect(taken.withLock { $0 } == [false, false, false])
    #expect(takes(SIGUSR2))
  }

  @Test func `a signal counts what was sent before anybody waited, and a wait for more ends with its time`() {
    let signal = Signal()
    signal.send()
    signal.send()
    signal.wait()
    #expect(signal.wait(milliseconds: 0))
    #expect(!signal.wait(milliseconds: 10))
  }
}
