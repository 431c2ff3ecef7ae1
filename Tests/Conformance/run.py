# Runs the cases and says which failed.
#
#   run.py [--fast] [WORD …]    against our server: every case, or those whose area or name holds a word
#   run.py --compare            against the peers too, and writes the table in docs/http.md

import importlib
import sys
import threading
import time

from cases import CASES, KIT, post, request
from peers import Go, Nginx, Node, Ours
from report import write
from wire import Connection

# Importing a table registers its cases.
for table in "request_lines fields framing chunks connections semantics negotiation abuse promises".split():
    importlib.import_module(table)


class Steadiness:
    """Whether a server holds after a case what it held before all of them: its descriptors exactly, its memory nearly."""

    SECONDS = 5
    # Caches fill up to their bounds, and what is freed is not all given back.
    TOLERANCE_KILOBYTES = 16 * 1_024

    def __init__(self, peer):
        self.peer = peer
        for warm in (request("GET", KIT), post("Content-Length: 2", body=b"{}")):
            with Connection(peer.port) as connection:
                connection.send(warm)
                connection.reply()
        self.descriptors, self.kilobytes = peer.descriptors(), peer.anonymous_kilobytes()
        self.most = 0

    def descriptor_fault(self):
        deadline = time.monotonic() + self.SECONDS
        while (now := self.peer.descriptors()) > self.descriptors:
            if time.monotonic() > deadline:
                return f"{now} descriptors are open, {self.descriptors} were before all cases"
            time.sleep(0.005)
        return None

    def memory_fault(self):
        grown = self.peer.anonymous_kilobytes() - self.kilobytes
        self.most = max(self.most, grown)
        return f"{grown} KB more memory than before all cases" if grown > self.TOLERANCE_KILOBYTES else None


def run_on(peer, slow_peer, cases):
    """The failures of a peer by case; the slow cases run beside all others, on a server of their own."""
    failures, threads = {}, []
    chosen = [case for case in cases if case.applies_to(peer)]

    def run(case, peer):
        if fault := case.failure(peer):
            failures[case] = fault

    for case in chosen:
        if case.is_slow:
            threads.append(threading.Thread(target=run, args=[case, slow_peer], daemon=True))
            threads[-1].start()
    steadiness = Steadiness(peer) if "ours" in peer.can else None
    fast = [case for case in chosen if not case.is_slow]
    for number, case in enumerate(fast):
        run(case, peer)
        if peer.process.poll() is not None:
            failures[case] = f"the server has ended: {peer.process.returncode}"
            return failures, chosen
        if steadiness and (fault := steadiness.descriptor_fault()):
            failures.setdefault(case, fault)
        ends_area = number + 1 == len(fast) or fast[number + 1].area != case.area
        if steadiness and ends_area and (fault := steadiness.memory_fault()):
            failures.setdefault(case, fault)
    for thread in threads:
        thread.join()
    if steadiness:
        print(f"descriptors after each case as before, memory after each area at most {steadiness.most} KB more")
    return failures, chosen


def tell(peer, failures, chosen, seconds):
    for case in chosen:
        if case in failures:
            place = f"{peer.name} · {case.level} · {case.area}: {case.name} ({case.source})"
            print(f"FAILED  {place}: {failures[case]}", flush=True)
    passed = len(chosen) - len(failures)
    print(f"{peer.name} {peer.version}: {passed} passed, {len(failures)} failed, {seconds:.0f} s", flush=True)


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    cases = [case for case in CASES if not words or any(word in f"{case.area}: {case.name}" for word in words)]
    if "--fast" in sys.argv:
        cases = [case for case in cases if not case.is_slow]
    kinds = [Ours, Nginx, Node, Go] if "--compare" in sys.argv else [Ours]
    results = []
    for kind in kinds:
        start = time.monotonic()
        with kind() as peer, kind() as slow_peer:
            failures, chosen = run_on(peer, slow_peer, cases)
        results.append((peer, failures, chosen))
        tell(peer, failures, chosen, time.monotonic() - start)
    if "--compare" in sys.argv and not words:
        write(results)
    return 1 if results[0][1] else 0


if __name__ == "__main__":
    sys.exit(main())
