# Two servers on a PostgreSQL that is restarted, killed, cut off and replaced by its standby under load: nothing acknowledged
# is lost, and a write without an answer is settled by sending it again.
#
# INTERVIEWKIT_FAULT_ROUNDS=20 runs each fault 20 times instead of once.

import http.client
import os
import random
import signal
import shutil
import time

import figures
from patient import prepare
from postgres import Cluster
from postgres_clients import Follower, Writer
from service import Server, history_faults, require, wait_until

ROUNDS = int(os.environ.get("INTERVIEWKIT_FAULT_ROUNDS", "1"))
WRITERS = 8
# What the servers may take to answer while the database is away, and to be ready when it is back.
AWAY_SECONDS, BACK_SECONDS = 15, 10
QUIET = ("--log-level", "error")


class Setting:
    """A primary with a standby, and two servers that know both."""

    def __init__(self, synchronous=True):
        self.synchronous = synchronous
        self.primary = Cluster({"wal_keep_size": "256MB"})
        self.standby = None

    def __enter__(self):
        self.primary.__enter__()
        self.standby = Cluster({"wal_keep_size": "256MB"}, source=self.primary).start()
        if self.synchronous:
            self.synchronise()
        url = self.primary.network_url(self.standby)
        self.servers = []
        for _ in range(2):
            self.servers.append(Server(arguments=("--database", url, *QUIET)))
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.__exit__()
        for cluster in (self.primary, self.standby):
            cluster.close()

    def synchronise(self):
        self.primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.primary.sql("SELECT pg_reload_conf()")
        if not wait_until(
            lambda: self.primary.sql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'").strip() == "1", 20
        ):
            raise RuntimeError("the standby is not synchronous")

    def cut_off_standby(self):
        """Lets an asynchronous standby get what was written so far, and nothing more."""
        position = self.primary.sql("SELECT pg_current_wal_flush_lsn()").strip()
        if not wait_until(lambda: self.standby.sql(f"SELECT pg_last_wal_replay_lsn() >= '{position}'").strip() == "t", 20):
            raise RuntimeError("the standby does not follow")
        self.standby.sql("ALTER SYSTEM SET primary_conninfo = ''")
        self.standby.sql("SELECT pg_reload_conf()")
        if not wait_until(lambda: self.primary.sql("SELECT count(*) FROM pg_stat_replication").strip() == "0", 20):
            raise RuntimeError("the standby still follows")

    # Faults

    def restart(self):
        self.primary.stop(signal.SIGINT)
        time.sleep(0.5)
        self.primary.start()

    def kill_backend(self):
        """PostgreSQL ends all connections then, and recovers."""
        while True:
            try:
                return os.kill(random.choice(self.primary.backends()), signal.SIGKILL)
            except ProcessLookupError:  # the server has closed that connection meanwhile
                continue

    def kill_postmaster(self):
        self.primary.stop(signal.SIGKILL)
        for attempt in range(50):
            try:
                return self.primary.start()
            except RuntimeError:
                # The killed one's children hold its memory until they notice.
                if attempt == 49:
                    raise
                time.sleep(0.1)

    def cut_connections(self):
        for _ in range(20):
            self.primary.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'interviewkit'"
            )
            time.sleep(0.05)

    def cut_mid_transaction(self):
        """Ends whoever is within a transaction, as often as one is found there."""
        for _ in range(60):
            self.primary.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'interviewkit' AND xact_start IS NOT NULL"
            )

    def fail_over(self):
        self.primary.stop(signal.SIGKILL)
        self.standby.run("pg_ctl", "promote", "-w", "-D", self.standby.data)
        # Alone for now: the old primary comes back as the standby of the new one.
        self.standby.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.standby.sql("SELECT pg_reload_conf()")
        self.primary, self.standby = self.standby, self.primary

    def rebuild_standby(self):
        shutil.rmtree(self.standby.data)
        self.standby.copy(self.primary)
        self.standby.start()
        self.synchronise()


def is_ready(server):
    try:
        return server.request("GET", "/readyz").status == 200
    except (OSError, http.client.HTTPException):
        return False


def verify(server, writer, tally, name):
    """The history is what was acknowledged, no more and no less."""
    client, faults = server.client(), []
    for item, acknowledged in writer.acknowledged.items():
        faults += history_faults(client, writer.evaluation, item, acknowledged)
    client.close()
    tally.check(f"{name}: answers of {writer.evaluation}", not faults, faults[:3])


def verify_feed(server, tally, name):
    """Sequences rise by one."""
    client, cursor, sequences = server.client(), "0", []
    while cursor:
        page = require(client.request("GET", f"/v1/changes?limit=200&since={cursor}"), 200).json
        sequences += [change["sequence"] for change in page["items"]]
        cursor = page.get("nextCursor")
    client.close()
    tally.check(f"{name}: the feed has no gap", sequences == list(range(1, len(sequences) + 1)), len(sequences))
    return len(sequences)


def play(setting, fault, name, writers, tally):
    """One round: load, the fault, load again, and then everything is compared."""
    writers = [writer.again() for writer in writers]
    before = sum(writer.count for writer in writers)
    for writer in writers:
        writer.start()
    time.sleep(0.7)
    fault()
    begin = time.monotonic()
    ready = wait_until(lambda: all(is_ready(server) for server in setting.servers), 60)
    seconds = time.monotonic() - begin
    tally.check(f"{name}: both servers are ready again in time", ready and seconds < BACK_SECONDS, f"{seconds:.1f} s")
    time.sleep(0.7)
    for writer in writers:
        writer.ends.set()
    for writer in writers:
        writer.join(timeout=60)
    tally.check(f"{name}: the servers are alive", all(server.is_alive() for server in setting.servers))
    for writer in writers:
        for _ in range(200):
            if not writer.under_way or writer.fault:
                break
            writer.send()
        tally.check(f"{name}: writes of {writer.evaluation}", not writer.fault and not writer.under_way, writer.fault)
    tally.check(f"{name}: there was load", sum(writer.count for writer in writers) - before >= 2 * WRITERS)
    for server in setting.servers:
        for writer in writers:
            verify(server, writer, tally, name)
    changes = [verify_feed(server, tally, name) for server in setting.servers]
    tally.equal(f"{name}: both servers tell the same feed", changes[0], changes[1])
    return writers, changes[0]


def play_writers(servers, count, seconds, fault=None):
    """Load of new writers for some seconds, a fault in its middle; every write is settled in the end."""
    writers = [Writer(number, [server.port for server in servers]) for number in range(count)]
    for writer in writers:
        writer.start()
    time.sleep(seconds)
    if fault:
        fault()
        time.sleep(seconds)
    for writer in writers:
        writer.ends.set()
    for writer in writers:
        writer.join(timeout=60)
        for _ in range(300):
            if not writer.under_way or writer.fault:
                break
            writer.send()
        if writer.fault or writer.under_way:
            raise RuntimeError(f"{writer.evaluation}: {writer.fault or 'a write was never settled'}")
    return writers


def agree(setting, tally):
    """What one server has changed, the other shows at once, also where it has the bytes of the old reply."""
    clients, tag, wrong = [server.client() for server in setting.servers], None, []
    kept = {"Accept": "application/json"}
    for number in range(60):
        one, other = clients[number % 2], clients[1 - number % 2]
        require(other.request("GET", "/v1/kits/k", None, kept), 200)
        require(one.request("PATCH", "/v1/kits/k", {"title": f"Title {number}"}, {"If-Match": "*"}), 200)
        reply = other.request("GET", "/v1/kits/k", None, {**kept, "If-None-Match": tag})
        if reply.status != 200 or reply.json["title"] != f"Title {number}":
            wrong.append(repr(reply))
        tag = reply.tag
        if other.request("GET", "/v1/kits/k", None, {**kept, "If-None-Match": tag}).status != 304:
            wrong.append(f"no 304 to {tag}")
        first = other.request("GET", "/v1/kits?limit=1").json["items"][0]["title"]
        if first != f"Title {number}":
            wrong.append(f"a list shows {first}")
    for client in clients:
        client.close()
    tally.check("a kit changed through one server is read from the other at once", not wrong, wrong[:3])


def back_up(setting, writers, tally):
    """Both ways that the documentation names, under load: what was acknowledged before is in the copy."""
    writers = [writer.again() for writer in writers]
    for writer in writers:
        writer.start()
    time.sleep(0.3)
    before = [{item: dict(values) for item, values in writer.acknowledged.items()} for writer in writers]
    copy = Cluster(source=setting.primary, follows=False)
    dump = f"{copy.folder}/dump"
    copy.run("pg_dump", "--format=custom", f"--file={dump}", "-d", setting.primary.url())
    for writer in writers:
        writer.ends.set()
    for writer in writers:
        writer.join(timeout=60)
    copy.settings["synchronous_standby_names"] = ""
    copy.start()
    try:
        copy.sql("CREATE DATABASE restored")
        copy.run("pg_restore", "--exit-on-error", "-d", copy.url("restored"), dump)
        for name in ("test", "restored"):
            with Server(arguments=("--database", copy.url(name), *QUIET)) as server:
                client, missing = server.client(), 0
                for writer, acknowledged in zip(writers, before):
                    for item, values in acknowledged.items():
                        path = f"/v1/evaluations/{writer.evaluation}/answers/{item}/history?limit=200"
                        history = require(client.request("GET", path), 200).json["items"]
                        found = {entry["revision"]: entry["value"] for entry in history}
                        newest = sorted(values)[-150:]
                        missing += sum(found.get(revision) != values[revision] for revision in newest)
                client.close()
                tally.equal(f"the copy {name} holds what was acknowledged before it", missing, 0)
    finally:
        copy.close()
    return writers


def away(setting, tally):
    """While the database is down: refused in time, not ready, alive; afterwards ready without a restart (B044)."""
    setting.primary.stop(signal.SIGINT)
    for server in setting.servers:
        for number in range(20):
            begin = time.monotonic()
            path = ("/readyz", "/v1/kits/k", "/v1/evaluations/e0", "/v1/kits")[number % 4]
            reply = server.request("GET", path)
            seconds = time.monotonic() - begin
            tally.check(
                f"{path} is refused while the database is away",
                reply.status == 503 and "retry-after" in reply.headers and seconds < AWAY_SECONDS,
                f"{reply!r} after {seconds:.1f} s",
            )
        answer = server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "x"}, {"If-Match": "*"})
        tally.equal("a write is refused while the database is away", answer.status, 503)
        tally.equal("the server is alive while the database is away", server.request("GET", "/healthz").status, 200)
    setting.primary.start()
    for server in setting.servers:
        tally.check("ready without a restart", wait_until(lambda: is_ready(server), BACK_SECONDS))
        replies = [server.request("GET", "/v1/kits/k").status for _ in range(20)]
        tally.equal("reads are answered again", replies, [200] * 20)


def asynchronous(tally):
    """A standby that lags takes over: what it had not got is gone, and nobody goes on as if it were there."""
    with Setting(synchronous=False) as setting:
        wrote_last, wrote_lost = setting.servers
        for server in (wrote_lost, wrote_last):  # the newest life of the feed is that of the server that will see no loss
            if server is wrote_lost:
                prepare(server, WRITERS)
            require(server.request("PUT", f"/v1/evaluations/e{setting.servers.index(server)}/answers/q0", {"value": "kept"}), 201)
        require(wrote_lost.request("GET", "/v1/evaluations/e0"), 200)
        setting.cut_off_standby()
        wrote_last.process.send_signal(signal.SIGSTOP)
        lost = wrote_lost.client()
        for number in range(6):
            body = {"value": f"lost {number}"}
            require(lost.request("PUT", "/v1/evaluations/e2/answers/q1", body, {"If-Match": "*", "Idempotency-Key": f"lost-{number}"}), 200 if number else 201)
        require(lost.request("POST", "/v1/kits", {"id": "lost", "title": "Lost", "sections": []}), 201)
        cursor = require(lost.request("GET", "/v1/evaluations/e2"), 200).json["sequence"]
        lost.close()
        setting.fail_over()
        wrote_last.process.send_signal(signal.SIGCONT)
        tally.check("lagging standby: ready again", wait_until(lambda: all(map(is_ready, setting.servers)), BACK_SECONDS))
        for server in setting.servers:
            name = f"lagging standby, server {setting.servers.index(server)}"
            tally.equal(f"{name}: what it had is there", server.request("GET", "/v1/evaluations/e0/answers/q0").json["value"], "kept")
            tally.equal(f"{name}: a lost answer is shown by nobody", server.request("GET", "/v1/evaluations/e2/answers/q1").json["revision"], 0)
            tally.equal(f"{name}: nor a lost kit", server.request("GET", "/v1/kits/lost").status, 404)
            tally.equal(f"{name}: who saw more begins afresh", server.request("GET", f"/v1/changes?since={cursor}").json.get("reset"), True)
        again = wrote_last.request("PUT", "/v1/evaluations/e2/answers/q1", {"value": "lost 5"}, {"If-Match": "*", "Idempotency-Key": "lost-5"})
        tally.equal("lagging standby: sent again under its name, a lost write is stored", (again.status, again.json["revision"]), (201, 1))
        # The feed comes again where the lost changes stood.
        for number in range(12):
            server = setting.servers[number // 8]
            require(server.request("PUT", "/v1/evaluations/e3/answers/q2", {"value": f"later {number}"}, {"If-Match": "*"}), 200 if number else 201)
        for server in setting.servers:
            name = f"lagging standby, server {setting.servers.index(server)}"
            tally.equal(f"{name}: who saw more still begins afresh", server.request("GET", f"/v1/changes?since={cursor}").json.get("reset"), True)
            heard = server.raw(
                f"GET /v1/changes HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nLast-Event-ID: {cursor}\r\n\r\n".encode(), timeout=1)
            tally.check(f"{name}: so does who follows", b"event: reset" in heard, heard[-300:])
            verify_feed(server, tally, name)


def run(tally):
    random.seed(20261130)
    asynchronous(tally)
    with Setting() as setting:
        prepare(setting.servers[0], WRITERS + 2)
        agree(setting, tally)
        lock = "SELECT pg_advisory_xact_lock(x'496E7476'::int, hashtext('public'))"
        figures.check(
            tally, "PostgreSQL", setting.servers[0], setting.primary.holding(lock),
            setting.primary.holding("LOCK TABLE answer_history IN ACCESS EXCLUSIVE MODE"), (f"e{WRITERS}", f"e{WRITERS + 1}"))
        writers = [Writer(number, [server.port for server in setting.servers]) for number in range(WRITERS)]
        followers = [Follower(server.port) for server in setting.servers]
        for follower in followers:
            follower.start()
        faults = {
            "restart": setting.restart, "kill -9 of a backend": setting.kill_backend,
            "kill -9 of the postmaster": setting.kill_postmaster, "connections cut": setting.cut_connections,
            "cut within transactions": setting.cut_mid_transaction, "failover": setting.fail_over,
        }
        for fault, action in faults.items():
            before = sum(len(values) for writer in writers for values in writer.acknowledged.values())
            unanswered, begin = sum(writer.unanswered for writer in writers), time.monotonic()
            for number in range(1, ROUNDS + 1):
                writers, last = play(setting, action, f"{fault}, round {number}", writers, tally)
                if fault == "failover":
                    setting.rebuild_standby()
            after = sum(len(values) for writer in writers for values in writer.acknowledged.values())
            print(
                f"        {fault}: {ROUNDS} rounds, {after - before} writes acknowledged and there,"
                f" {sum(writer.unanswered for writer in writers) - unanswered} refused or unanswered and sent again,"
                f" {time.monotonic() - begin:.0f} s", flush=True,
            )
        for number, follower in enumerate(followers):
            caught_up = wait_until(lambda: follower.sequence >= last or follower.fault, 10)
            follower.ends.set()
            tally.check(f"the stream of server {number} told every change once", caught_up and not follower.fault, follower.fault)
        tally.check("reads through the other server saw the writes", sum(writer.read_back for writer in writers) > 100)
        back_up(setting, writers, tally)
        away(setting, tally)
