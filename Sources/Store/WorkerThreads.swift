// Threads for reads that wait for a database over the network: Swift's own pool has one a core, and everybody needs it.
import Locks
import SQLDatabase

/// Runs what is given to it on threads that may block.
public final class WorkerThreads: TaskExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var next = 0
    var isClosed = false
  }

  private let queue = Lock(Queue())
  private let signal = Signal()
  private let count: Int

  init(count: Int) {
    self.count = count
    for _ in 0..<count { DedicatedThread.start { [self] in run() } }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isClosed = queue.withLock { queue in
      if !queue.isClosed { queue.jobs.append(job) }
      return queue.isClosed
    }
    // What was begun before the end goes to its own end.
    if isClosed {
      DedicatedThread.start { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    } else {
      signal.send()
    }
  }

  /// Ends the threads when all that was given is done.
  func close() {
    queue.withLock { $0.isClosed = true }
    for _ in 0..<count { signal.send() }
  }

  private func run() {
    while true {
      let (job, isClosed) = queue.withLock { queue -> (UnownedJob?, Bool) in
        guard queue.next < queue.jobs.count else { return (nil, queue.isClosed) }
        let job = queue.jobs[queue.next]
        queue.next += 1
        if queue.next == queue.jobs.count { (queue.jobs, queue.next) = ([], 0) }
        return (job, false)
      }
      if let job {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      } else if isClosed {
        return
      } else {
        signal.wait()
      }
    }
  }
}
