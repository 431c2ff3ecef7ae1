# What a disk, another process and damage do to a running service: nothing acknowledged is lost, and nobody is told otherwise.

import contextlib
import errno
import os
import random
import re
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time

import disk as disks
import figures
from disk import Disk
from patient import Patients, prepare
from service import Server, command, database_path, require, wait_until

WRITERS = 12
# How many rounds of each kind; more by INTERVIEWKIT_ROUNDS, for the figures in docs/durability.md.
ROUNDS = int(os.environ.get("INTERVIEWKIT_ROUNDS", "0"))


def readiness(server):
    reply = server.request("GET", "/readyz")
    return reply.status, reply.json.get("code", reply.json.get("database"))


def report(name, rounds, patients):
    """A line that docs/durability.md takes its figures from."""
    refused = sum(sum(patient.refusals.values()) for patient in patients.all)
    print(f"        {name}: {rounds} rounds, {patients.total} acknowledged, {refused} not", flush=True)


def settle(server, patients, tally, name):
    """Ends the load and the server, and looks at all that is stored with a server on a sound disk."""
    patients.stop()
    server.kill()
    clean = command("verify", "--data", server.data)
    tally.check(f"{name}: the database is clean", clean.returncode == 0, clean.stdout + clean.stderr)
    with Server(server.data) as sound:
        patients.check(sound, tally, name)


def disk_fails(tally, name, mode, files, rounds, letters=1000):
    """Rounds in which the disk fails for a moment: nothing is acknowledged meanwhile, and it goes on by itself."""
    disk = Disk()
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        server = Server(f"{folder}", environment=disk.environment)
        prepare(server, WRITERS)
        patients = Patients(server, WRITERS, letters)
        for number in range(rounds):
            tally.check(f"{name}: round {number}: there was load", patients.grows())
            before = disk.strikes
            disk.set(mode, files)
            tally.check(f"{name}: round {number}: the disk failed", wait_until(lambda: disk.strikes > before, 60))
            failing = wait_until(lambda: readiness(server) == (503, "databaseFailing"), 10)
            tally.check(f"{name}: round {number}: /readyz tells", failing, readiness(server))
            time.sleep(0.1)  # what was acknowledged before is on its way
            total = patients.total
            tally.equal(f"{name}: round {number}: reads go on", server.request("GET", "/v1/kits/k").status, 200)
            tally.equal(f"{name}: round {number}: so do reads of the database", server.request("GET", "/v1/evaluations?limit=7").status, 200)
            if number % 4 == 0:
                time.sleep(1.2)  # long enough that it has tried to open the database anew, and failed
            tally.equal(f"{name}: round {number}: nothing is acknowledged meanwhile", patients.total, total)
            disk.set(disks.SOUND)
            sound = wait_until(lambda: readiness(server) == (200, "sound"), 10)
            tally.check(f"{name}: round {number}: it goes on without a restart", sound and patients.grows())
        tally.check(f"{name}: writes were told databaseFailing", patients.refused("503 databaseFailing") > 0)
        settle(server, patients, tally, name)
        report(name, rounds, patients)


def goes_out(tally, name, rounds, strike):
    """Rounds in which the server ends at once under load; all that was acknowledged over them is looked at in the end."""
    disk, randomness = Disk(), random.Random(41)
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        server = Server(folder, environment=disk.environment)
        prepare(server, WRITERS)
        patients = Patients(server, WRITERS, letters=3000)
        for number in range(rounds):
            tally.check(f"{name}: round {number}: there was load", patients.grows(count=randomness.randrange(5, 60)))
            strike(server, disk, randomness)
            ended = wait_until(lambda: not server.is_alive(), 30)
            tally.check(f"{name}: round {number}: it struck", ended and server.process.returncode == -signal.SIGKILL)
            server.kill()
            disk.set(disks.SOUND)
            server = Server(folder, environment=disk.environment)
            patients.moves_to(server)
        settle(server, patients, tally, name)
        report(name, rounds, patients)


def kill(server, disk, randomness):
    time.sleep(randomness.uniform(0, 0.1))
    server.process.send_signal(signal.SIGKILL)


def cut_power(server, disk, randomness):
    """The machine goes out: what was not synchronised is there in part, torn, or not at all."""
    disk.set(disks.POWER_CUT, countdown=randomness.randrange(1, 200), seed=randomness.randrange(1, 1 << 60))


class SmallDisk:
    """A file system of a few megabytes: a real one where it may be mounted, else a disk that says that it is full."""

    def __init__(self, folder):
        self.folder, self.disk = folder, None
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m", "tmpfs", folder], capture_output=True)
        self.is_mounted = mounted.returncode == 0
        if not self.is_mounted:
            self.disk = Disk()

    @property
    def environment(self):
        return self.disk.environment if self.disk else {}

    def fill(self):
        if self.disk:
            self.disk.set(disks.FULL)
            return
        ballast = os.open(f"{self.folder}/ballast", os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            while True:
                os.write(ballast, bytes(1 << 16))
        except OSError as error:
            assert error.errno == errno.ENOSPC, error
        finally:
            os.close(ballast)

    def free(self):
        if self.disk:
            self.disk.set(disks.SOUND)
        else:
            os.unlink(f"{self.folder}/ballast")

    def close(self):
        if self.is_mounted:
            subprocess.run(["umount", "-l", self.folder], check=True)


def disk_is_full(tally, rounds):
    """B042. Three rounds at most on one file system: what is written between them stays, and fills it, too."""
    name = "full disk"
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        small = SmallDisk(folder)
        try:
            server = Server(folder, environment=small.environment)
            prepare(server, 4)
            patients = Patients(server, 4, letters=2000)
            for number in range(rounds):
                tally.check(f"{name}: round {number}: there was load", patients.grows())
                small.fill()
                before = patients.refused("507 diskFull")
                full = wait_until(lambda: patients.refused("507 diskFull") >= before + 10, 30)
                tally.check(f"{name}: round {number}: writes are told 507 diskFull", full)
                tally.equal(f"{name}: round {number}: it is ready for reads", readiness(server), (200, "full"))
                for path in ("/v1/kits/k", "/v1/evaluations/e0", "/v1/evaluations?limit=3", "/v1/evaluations/e1/answers/q0/history"):
                    tally.equal(f"{name}: round {number}: {path}", server.request("GET", path).status, 200)
                small.free()
                tally.check(f"{name}: round {number}: with room again it goes on without a restart", patients.grows())
                sound = wait_until(lambda: readiness(server) == (200, "sound"), 5)
                tally.check(f"{name}: round {number}: and says so", sound, readiness(server))
            tally.equal(f"{name}: no other refusal", sum(len(p.refusals) for p in patients.all if set(p.refusals) - {"507 diskFull"}), 0)
            settle(server, patients, tally, name + (" (mounted)" if small.is_mounted else ""))
            report(name, rounds, patients)
        finally:
            small.close()


def lock_is_held(tally):
    """Another program holds the database's lock: a write waits for the stated time, then it is told to come again."""
    with Server() as server:
        prepare(server, 2)
        outsider = sqlite3.connect(database_path(server.data), isolation_level=None, timeout=1)
        outsider.execute("BEGIN IMMEDIATE")
        path = "/v1/evaluations/e0/answers/q0"
        start = time.monotonic()
        busy = server.request("PUT", path, {"value": "waits"})
        waited = time.monotonic() - start
        tally.equal("a held lock is 503 busy", (busy.status, busy.json["code"]), (503, "busy"))
        tally.check("with Retry-After", busy.headers.get("retry-after") == "1")
        tally.check("after the stated five seconds", 2 <= waited < 7, f"{waited:.1f} s")
        tally.equal("reads go on", server.request("GET", "/v1/evaluations/e0").status, 200)
        replies = []
        writer = threading.Thread(target=lambda: replies.append(server.request("PUT", path, {"value": "in time"})))
        writer.start()
        time.sleep(0.5)
        outsider.execute("ROLLBACK")
        outsider.close()
        writer.join(timeout=20)
        tally.equal("a lock that is given back in time is waited for", [reply.status for reply in replies], [201])


def many_at_once(tally, seconds=6):
    """B041: many save, some export all, and another program holds the lock for three seconds."""
    with Server() as server:
        prepare(server, 50)
        patients, is_over, exports = Patients(server, 50, letters=600), threading.Event(), []

        def export():
            client = server.client()
            while not is_over.is_set():
                exports.append(client.request("GET", "/v1/kits/k/evaluations", headers={"Accept": "text/csv"}).status)
            client.close()

        exporters = [threading.Thread(target=export, daemon=True) for _ in range(5)]
        for thread in exporters:
            thread.start()
        time.sleep(seconds / 2)
        outsider = sqlite3.connect(database_path(server.data), isolation_level=None, timeout=5)
        outsider.execute("BEGIN IMMEDIATE")
        time.sleep(3)
        outsider.execute("ROLLBACK")
        outsider.close()
        tally.check("many at once: it goes on after the lock", patients.grows(200))
        time.sleep(seconds / 2)
        is_over.set()
        for thread in exporters:
            thread.join(timeout=30)
        patients.stop()
        told = {what for patient in patients.all for what in patient.refusals}
        tally.check("many at once: nobody was told anything but busy", told <= {"503 busy"}, told)
        longest = max(patient.longest for patient in patients.all)
        tally.check("many at once: nobody waited longer than stated", longest < 7, f"{longest:.1f} s")
        tally.equal("many at once: every export is whole", set(exports), {200})
        small = wait_until(lambda: os.path.getsize(database_path(server.data) + "-wal") < 64 << 20, 10)
        tally.check("many at once: the log is below 64 MiB", small)
        patients.check(server, tally, "many at once")
        print(f"        many at once: {seconds} s, {patients.total} acknowledged, {len(exports)} exports, longest wait {longest:.1f} s", flush=True)
        metrics_tell(server, tally, patients)


def metrics_tell(server, tally, patients):
    """What was written is counted, and what is said of the database moves."""
    found = figures.figures(server)
    tally.check("metrics: every write was in a group", found["write_group_size_sum"] >= patients.total)
    groups = found["write_group_size_count"]
    tally.check("metrics: writes were grouped", 0 < groups < patients.total, groups)
    tally.equal("metrics: each group was committed", found["commit_seconds_count"], groups)
    tally.equal("metrics: the database is sound", found["database_state"], 0)
    tally.check("metrics: the log has a length", found["database_log_bytes"] > 0)
    figures.check(tally, "SQLite", server, held_lock(server))


@contextlib.contextmanager
def held_lock(server):
    outsider = sqlite3.connect(database_path(server.data), isolation_level=None, timeout=5)
    outsider.execute("BEGIN IMMEDIATE")
    yield
    outsider.execute("ROLLBACK")
    outsider.close()


def two_servers(tally):
    with Server() as server, tempfile.TemporaryDirectory(prefix="interviewkit-") as other:
        second = command("serve", "--port", "0", "--data", server.data, timeout=20)
        tally.check("a second server of the folder is refused", second.returncode == 78 and "in use" in second.stderr, second.stderr)
        file = f"sqlite:{database_path(server.data)}"
        second = command("serve", "--port", "0", "--data", other, "--database", file, timeout=20)
        tally.check("so is one of the file in another folder", second.returncode == 78 and "in use" in second.stderr, second.stderr)
        tally.equal("and the first goes on", server.request("GET", "/readyz").status, 200)


def damage(path, number, size=4096):
    with open(path, "r+b") as file:
        file.seek((number - 1) * size)
        file.write(b"\xaa" * 2000)


def page_is_damaged(tally):
    """A damaged page: `verify` and the start say which, what is readable is read, and no write is taken."""
    with Server() as server:
        prepare(server, 2)
        sections = [{"id": f"s{n}", "title": f"Part {n}", "questions": [
            {"id": f"s{n}q{m}", "type": "note", "text": "x" * 300} for m in range(40)]} for n in range(20)]
        require(server.request("POST", "/v1/kits", {"id": "big", "title": "Big", "sections": sections}), 201)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=20)
        path = database_path(server.data)
        tally.check("a server that ends leaves one whole file", not os.path.exists(path + "-wal"))
        with sqlite3.connect(path) as database:
            pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.close()
        # The tree of the questions fills most of the file.
        number = pages // 2
        with open(path, "rb") as file:
            original = file.read()
        damage(path, number)
        found = command("verify", "--data", server.data)
        tally.check("verify names the page", found.returncode == 1 and re.search(rf"\b{number}\b", found.stdout), found.stdout)
        copy = command("backup", "--data", server.data, "--to", server.data + "/copy")
        tally.check("a damaged database is not backed up", copy.returncode == 1 and not os.path.exists(server.data + "/copy"), copy.stderr)
        with Server(server.data) as damaged:
            tally.equal("the start goes on for reading", damaged.request("GET", "/v1/kits/k").status, 200)
            # The pages are looked at with the first write, or soon after the start.
            wait_until(lambda: damaged.request("GET", "/readyz").status == 503, 5)
            ready = damaged.request("GET", "/readyz")
            places = " ".join(issue["message"] for issue in ready.json.get("errors", []))
            tally.equal("/readyz tells", (ready.status, ready.json["code"]), (503, "databaseDamaged"))
            tally.check("and names the page", re.search(rf"\b{number}\b", places), places)
            write = damaged.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "never"})
            tally.equal("a write is refused", (write.status, write.json["code"]), (503, "databaseDamaged"))
            tally.equal("nothing was written", damaged.request("GET", "/v1/evaluations/e0").json["answers"], {})
        with open(path, "wb") as file:
            file.write(b"\xaa" * 100 + original[100:])
        start = command("serve", "--port", "0", "--data", server.data, timeout=20)
        tally.check("a file that is no database stops the start", start.returncode == 78 and "damaged" in start.stderr, start.stderr)
        tally.equal("and verify says so", command("verify", "--data", server.data).returncode, 1)
        with open(path, "wb") as file:
            file.write(original)
        tally.equal("as it was, it is clean", command("verify", "--data", server.data).returncode, 0)


def log_stays_bounded(tally):
    """A long read holds the log while much is written; ten seconds after it ended the log is below 64 MiB."""
    with Server() as server:
        prepare(server, WRITERS)
        log = database_path(server.data) + "-wal"
        reader = sqlite3.connect(f"file:{database_path(server.data)}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM answer").fetchone()
        patients = Patients(server, WRITERS, letters=19_000 // 2)
        grown = wait_until(lambda: os.path.getsize(log) > 80 << 20, 120)
        tally.check("a long read lets the log grow", grown, os.path.getsize(log) >> 20)
        reader.execute("ROLLBACK")
        reader.close()
        cut = wait_until(lambda: os.path.getsize(log) < 64 << 20, 10)
        tally.check("after it, under load, the log is below 64 MiB within ten seconds", cut, f"{os.path.getsize(log) >> 20} MiB")
        patients.stop()
        time.sleep(0.1)
        tally.check("and stays so", os.path.getsize(log) < 64 << 20)
        tally.equal("nothing was refused", sum(len(patient.refusals) for patient in patients.all), 0)
        patients.check(server, tally, "long read")


def run(tally):
    two_servers(tally)
    page_is_damaged(tally)
    lock_is_held(tally)
    many_at_once(tally, 300 if ROUNDS else 6)
    for first in range(0, ROUNDS or 3, 3):
        disk_is_full(tally, min(3, (ROUNDS or 3) - first))
    both = disks.DATABASE | disks.LOG
    disk_fails(tally, "failed fsync of the log", disks.SYNC_FAILS, disks.LOG, ROUNDS or 4)
    disk_fails(tally, "failed fsync that loses the log's pages", disks.SYNC_LOSES, disks.LOG, ROUNDS or 4)
    disk_fails(tally, "failed fsync that loses the database's pages", disks.SYNC_LOSES, disks.DATABASE, ROUNDS or 2, 12_000)
    disk_fails(tally, "failed write", disks.WRITE_FAILS, both, ROUNDS or 4)
    goes_out(tally, "power cut", ROUNDS or 20, cut_power)
    if ROUNDS:  # the suite "kill" has the rounds of every day, and looks at everything after each
        goes_out(tally, "kill -9", ROUNDS, kill)
    log_stays_bounded(tally)
