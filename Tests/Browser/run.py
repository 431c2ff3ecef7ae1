# Runs the browser tests, or the suites named, and ends with one line: N passed, N failed.

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "EndToEnd"))

from service import run_suites  # noqa: E402

SUITES = ["rows", "writing", "editing", "pages", "reference"]

if __name__ == "__main__":
    sys.exit(run_suites(sys.argv[1:] or SUITES))
