# Runs the end-to-end suites, or those named, and ends with one line: N passed, N failed.

import os
import subprocess
import sys
import time

from service import BINARY, ROOT, run_suites

SUITES = ["scripts", "readme", "shutdown", "operations", "sockets", "addresses", "rules", "answers", "heights", "fonts", "profiles", "imports", "access", "confidence", "openapi", "openapi_examples", "generated_client", "fuzzed", "bad_input", "two_writers", "lifecycle", "retries", "revisions", "changes", "proxy", "proxies", "deploy", "guides", "kill", "postgres_faults", "postgres_paths", "faults", "backups", "terminal"]


def run_scripts(tally):
    """The scripts that people run, each against a server of its own."""
    environment = dict(os.environ, INTERVIEWKIT_BINARY=BINARY)
    environment.pop("INTERVIEWKIT_URL", None)
    commands = {
        "scripts/smoke": ["scripts/smoke"],
        "Examples/requests.sh": ["scripts/with-server", "Examples/requests.sh"],
    }
    for name, command in commands.items():
        start = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
        seconds = time.monotonic() - start
        tally.check(name, done.returncode == 0, "\n" + done.stdout[-3000:] + done.stderr[-3000:])
        if name == "scripts/smoke":
            tally.check("scripts/smoke takes less than five seconds", seconds < 5, f"{seconds:.1f} s")


if __name__ == "__main__":
    sys.exit(run_suites(sys.argv[1:] or SUITES, {"scripts": run_scripts}))
