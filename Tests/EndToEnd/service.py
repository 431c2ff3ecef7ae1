# A server of the tests' own, a plain client for it, and the tally that counts what held.

import http.client
import importlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ.get("INTERVIEWKIT_BINARY") or os.path.join(ROOT, ".build/debug/interviewkit")
VIEWPORT = "profile=ios&width=375&scale=3"


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def tag(self):
        return self.headers.get("etag")

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    """One process of the service; `data` may be the folder of one that ended."""

    def __init__(self, data=None, arguments=(), environment=None):
        self.folder = None if data else tempfile.TemporaryDirectory(prefix="interviewkit-")
        self.data = data or os.path.join(self.folder.name, "data")
        self.log = open((self.folder.name if self.folder else data) + "/log.txt", "ab")
        command = [BINARY, "serve", "--host", "127.0.0.1", "--port", "0", "--data", self.data, *arguments]
        environment = dict(os.environ, INTERVIEWKIT_RATE_LIMIT="off", **(environment or {}))
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline().decode()
        if not line.startswith("interviewkit listening on http://127.0.0.1:"):
            self.kill()
            raise RuntimeError(f"the server did not start: {line!r}; log: {self.log.name}")
        self.port = int(line.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        if self.folder:
            self.folder.cleanup()

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def is_alive(self):
        return self.process.poll() is None

    def client(self):
        return Client(self.port)

    def request(self, method, path, body=None, headers=None):
        client = Client(self.port)
        try:
            return client.request(method, path, body, headers)
        finally:
            client.close()

    def raw(self, data, timeout=5, finish=False):
        """Sends bytes as they are and returns all that comes back until the server closes or falls silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                connection.sendall(data)
                if finish:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            received = b""
            try:
                while piece := connection.recv(65536):
                    received += piece
            except OSError:
                pass
            return received


class Client:
    """One kept-alive connection. A `dict` or `list` is sent as JSON, bytes as they are."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def close(self):
        self.connection.close()

    def request(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        if body is not None and not any(name.lower() == "content-type" for name in headers):
            headers["Content-Type"] = "application/json"
        headers = {name: value for name, value in headers.items() if value is not None}
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        fields = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, fields, response.read())


class Tally:
    """Counts checks; says which failed, and nothing of those that held."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED  {name}" + (f": {detail}" if detail != "" else ""), flush=True)
        return bool(holds)

    def equal(self, name, found, wanted):
        return self.check(name, found == wanted, f"{found!r}, wanted {wanted!r}")


def run_suites(names, others=None):
    """Runs each suite's `run`, or what `others` has for its name; gives the exit code. The last line counts: N passed, N failed."""
    tally = Tally()
    for name in names:
        start, before = time.monotonic(), (tally.passed, tally.failed)
        try:
            run = (others or {}).get(name) or importlib.import_module(name).run
            run(tally)
        except Exception:
            tally.check(f"the suite {name} ran to its end", False, "\n" + traceback.format_exc())
        passed, failed = tally.passed - before[0], tally.failed - before[1]
        print(f"{name}: {passed} passed, {failed} failed, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 0 if tally.failed == 0 else 1


def bearer(token, scheme="Bearer"):
    return {"Authorization": f"{scheme} {token}"}


def answer_history(client, evaluation, item):
    """Every value that an answer has had, by revision."""
    history, cursor = {}, ""
    while cursor is not None:
        path = f"/v1/evaluations/{evaluation}/answers/{item}/history?limit=200{cursor}"
        page = require(client.request("GET", path), 200).json
        history.update({entry["revision"]: entry["value"] for entry in page["items"]})
        cursor = f"&cursor={page['nextCursor']}" if page.get("nextCursor") else None
    return history


def history_faults(client, evaluation, item, acknowledged):
    """In which revisions an answer's history is not what was acknowledged."""
    history = answer_history(client, evaluation, item)
    wrong = [key for key in set(history) | set(acknowledged) if history.get(key) != acknowledged.get(key)]
    return [f"the history of {item} differs in revisions {sorted(wrong)[:5]}"] if wrong else []


def database_path(data):
    return os.path.join(data, "interviewkit.sqlite")


def database_faults(data):
    """What SQLite finds wrong with a database whose server is gone: a list, empty when clean."""
    with sqlite3.connect(database_path(data), timeout=10) as database:
        faults = [row[0] for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
        faults += [f"foreign key {row}" for row in database.execute("PRAGMA foreign_key_check")]
    database.close()
    return faults


def row_counts(data):
    """How many rows each table has, read beside the running server."""
    database = sqlite3.connect(f"file:{database_path(data)}?mode=ro", uri=True, timeout=10)
    try:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in sorted(names)}
    finally:
        database.close()


def command(*words, **options):
    """Runs the program to its end; gives what it printed and its exit code."""
    options = {"capture_output": True, "text": True, "timeout": 120, "cwd": ROOT} | options
    return subprocess.run([BINARY, *words], **options)


def wait_until(condition, seconds):
    """True as soon as the condition holds, False when it does not within the time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.01)
    return False


def require(reply, status):
    """A step that a test builds on: anything but this status ends the suite."""
    if reply.status != status:
        print(f"a step that must work answered {reply!r}, wanted {status}", file=sys.stderr)
        raise RuntimeError(f"{reply.status}, wanted {status}")
    return reply
