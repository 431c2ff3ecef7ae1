# The long commands on a terminal: a bar that fills up, and what Control-C leaves behind.

import os
import pty
import re
import signal
import subprocess
import tempfile

from backups import fill
from patient import prepare
from service import BINARY, ROOT, Server, command, database_path, require

INTERRUPTED = 128 + signal.SIGINT


def on_terminal(words, interrupting=False):
    """Runs a command whose standard error is a terminal; with `interrupting`, Control-C comes with the first step of its bar."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65_536):
            shown += piece
            if interrupting and b"%" in shown:
                interrupting = False
                process.send_signal(signal.SIGINT)
    except OSError:  # nobody has the terminal's other end any more
        pass
    os.close(ours)
    return process.wait(timeout=60), shown.decode().replace("\r\n", "\n")


def check_bar(tally, name, words, title):
    code, shown = on_terminal(words)
    steps = [int(number) for number in re.findall(rf"\r{title} \[[#.]{{40}}\] (\d+) %", shown)]
    tally.check(f"{name} fills a bar", code == 0 and len(steps) > 1 and steps == sorted(steps) and steps[-1] == 100, shown[-300:])
    tally.check(f"{name} ends its line", "100 %\n" in shown, shown[-200:])


def check_interruption(tally, name, words, says):
    code, shown = on_terminal(words, interrupting=True)
    tally.check(f"{name}, interrupted, says so on a line of its own", code == INTERRUPTED and f"%\ninterviewkit: interrupted: {says}" in shown, f"{code} {shown[-300:]}")


def left(folder, *known):
    return sorted(set(os.listdir(folder)) - set(known))


def run(tally):
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        data, copies = f"{folder}/data", f"{folder}/copies"
        os.makedirs(data)
        os.makedirs(copies)
        with Server(data) as server:
            prepare(server, 3)
            fill(server)
            require(server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "kept"}), 201)
            server.process.send_signal(signal.SIGTERM)
            server.process.wait(timeout=20)
        copy, export = f"{copies}/copy.sqlite", f"{copies}/all.jsonl"

        backup = ("backup", "--data", data, "--to", copy)
        check_interruption(tally, "backup", backup, "no backup was made")
        tally.equal("and leaves nothing", left(copies), [])
        check_bar(tally, "backup", backup, "copying")

        verify = ("verify", "--data", data)
        check_interruption(tally, "verify", verify, "not everything was checked")
        check_bar(tally, "verify", verify, "checking")

        everything = ("export", "--all", "--data", data, "--to", export)
        check_interruption(tally, "export", everything, "nothing was exported")
        tally.equal("and leaves no file either", left(copies, "copy.sqlite"), [])
        check_bar(tally, "export", everything, "exporting")

        target = f"{folder}/target"
        take = ("import", "--all", "--data", target, export)
        check_interruption(tally, "import", take, "the same command goes on")
        check_bar(tally, "import, which goes on,", take, "importing")
        tally.equal("and is whole", command("verify", "--data", target).stdout, "the database is clean\n")

        restored = f"{folder}/restored"
        os.makedirs(restored)
        put = ("restore", "--data", restored, "--from", copy)
        check_interruption(tally, "restore", put, "the database is what it was")
        tally.equal("and leaves no database", [name for name in os.listdir(restored) if "sqlite" in name and not name.endswith(".lock")], [])
        check_bar(tally, "restore", put, "copying")
        with Server(restored) as server:
            tally.equal("and the database is there", server.request("GET", "/v1/evaluations/e0/answers/q0").json["value"], "kept")
        tally.check("where nobody watches, nothing is shown", command("verify", "--data", data).stderr == "")
        tally.check("the database was never touched", os.path.exists(database_path(data)))
