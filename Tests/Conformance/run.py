# Runs the cases and says which failed.
#
#   run.py [--fast] [WORD …]    against our server: every case, or those whose area or name holds a word
#   run.py --compare            against the peers too, and writes the table in docs/http.md

import importlib
import sys
import threading
import time

from cases import CASES
from peers import Go, Nginx, Node, Ours
from report import write

# Importing a table registers its cases.
for table in "request_lines fields framing chunks connections semantics negotiation abuse".split():
    importlib.import_module(table)


def run_on(peer, cases):
    """The failures of a peer by case; the slow cases run beside all others."""
    failures, threads = {}, []
    chosen = [case for case in cases if case.applies_to(peer)]

    def run(case):
        if fault := case.failure(peer):
            failures[case] = fault

    for case in chosen:
        if case.is_slow:
            threads.append(threading.Thread(target=run, args=[case], daemon=True))
            threads[-1].start()
    # Counting descriptors needs a server that nobody else talks to: after the slow cases.
    counting = [case for case in chosen if not case.is_slow and "descriptor" in case.name]
    for case in chosen:
        if not case.is_slow and case not in counting:
            run(case)
        if peer.process.poll() is not None:
            failures[case] = f"the server has ended: {peer.process.returncode}"
            return failures, chosen
    for thread in threads:
        thread.join()
    for case in counting:
        run(case)
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
        with kind() as peer:
            failures, chosen = run_on(peer, cases)
        results.append((peer, failures, chosen))
        tell(peer, failures, chosen, time.monotonic() - start)
    if "--compare" in sys.argv and not words:
        write(results)
    return 1 if results[0][1] else 0


if __name__ == "__main__":
    sys.exit(main())
