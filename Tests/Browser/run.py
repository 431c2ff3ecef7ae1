# Runs the browser tests, or the suites named, and ends with one line: N passed, N failed.

import importlib
import os
import sys
import time
import traceback

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "EndToEnd"))

from service import Tally  # noqa: E402

SUITES = ["rows", "writing", "editing", "pages", "reference"]


def main():
    tally = Tally()
    for name in sys.argv[1:] or SUITES:
        start, before = time.monotonic(), (tally.passed, tally.failed)
        try:
            importlib.import_module(name).run(tally)
        except Exception:
            tally.check(f"the suite {name} ran to its end", False, "\n" + traceback.format_exc())
        passed, failed = tally.passed - before[0], tally.failed - before[1]
        print(f"{name}: {passed} passed, {failed} failed, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
