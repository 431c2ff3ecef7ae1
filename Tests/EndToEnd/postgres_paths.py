# The ways to a PostgreSQL: over TLS, whose certificate is checked, and through a pooler, which must keep sessions.

import os
import subprocess
import tempfile
import time

from patient import prepare
from postgres import Cluster, Pooler
from postgres_faults import QUIET, is_ready, play_writers, verify, verify_feed
from service import Server, command, require, wait_until

WRITERS = 6


class Certificates:
    """An authority of the test's own, and a server's certificate from it for `localhost`."""

    def __init__(self, folder):
        self.folder = folder
        self.authority("authority")
        self.authority("stranger")
        self.issue("server", "localhost")
        self.issue("elsewhere", "elsewhere.invalid")

    def run(self, *words):
        done = subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"openssl {words[0]} failed: {done.stderr[-2000:]}")

    def authority(self, name):
        self.run("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                 "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")

    def issue(self, name, host):
        with open(f"{self.folder}/{name}.ext", "w") as file:
            file.write(f"subjectAltName=DNS:{host}\n")
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={host}",
                 "-keyout", f"{name}.key", "-out", f"{name}.csr")
        self.run("x509", "-req", "-in", f"{name}.csr", "-CA", "authority.crt", "-CAkey", "authority.key", "-days", "2",
                 "-extfile", f"{name}.ext", "-out", f"{name}.crt")

    def path(self, name):
        return f"{self.folder}/{name}"


def refused(tally, name, url, *words):
    """A start that fails in time, and says why."""
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as data:
        begin = time.monotonic()
        done = command("serve", "--port", "0", "--data", data, "--database", url, timeout=30)
        holds = done.returncode == 78 and all(word in done.stderr for word in words) and time.monotonic() - begin < 15
        tally.check(name, holds, f"{done.returncode} {done.stderr[-500:]}")


def use_certificate(cluster, certificates, name):
    for kind in ("crt", "key"):
        target = f"{cluster.data}/server.{kind}"
        with open(certificates.path(f"{name}.{kind}"), "rb") as source, open(target, "wb") as file:
            file.write(source.read())
        cluster.own(target)


def over_tls(tally, folder):
    certificates = Certificates(folder)
    cluster = Cluster({"ssl": "on"})
    try:
        use_certificate(cluster, certificates, "server")
        # Over the network only with TLS and a password.
        cluster.rules("local all all trust", "hostssl all all 127.0.0.1/32 scram-sha-256")
        cluster.start()
        cluster.sql("CREATE DATABASE test")
        cluster.sql("CREATE ROLE secured LOGIN PASSWORD 'a secret'")
        cluster.sql("CREATE SCHEMA AUTHORIZATION secured", "test")
        passwords = f"{folder}/passwords"
        with open(passwords, "w") as file:
            file.write("*:*:*:secured:a secret\n")
        os.chmod(passwords, 0o600)

        def url(authority="authority", mode="verify-full", password=passwords):
            return (f"postgresql://secured@localhost:{cluster.port}/test?hostaddr=127.0.0.1&passfile={password}"
                    f"&sslmode={mode}&sslrootcert={certificates.path(authority)}.crt")

        with Server(arguments=("--database", url(), *QUIET)) as one, Server(arguments=("--database", url(), *QUIET)) as other:
            prepare(one, WRITERS)
            writers = play_writers([one, other], WRITERS, 1)
            for server in (one, other):
                for writer in writers:
                    verify(server, writer, tally, "over TLS")
            found = cluster.sql(
                "SELECT count(*), count(*) FILTER (WHERE ssl AND version >= 'TLSv1.2') FROM pg_stat_ssl"
                " JOIN pg_stat_activity USING (pid) WHERE application_name = 'interviewkit'").strip().split("|")
            tally.check("every connection is encrypted", found[0] == found[1] and int(found[0]) >= 4, found)
        refused(tally, "a certificate of another authority is refused", url("stranger"), "certificate verify failed")
        refused(tally, "the server refuses who comes without TLS", url(mode="disable"), "no encryption")
        refused(tally, "and who has no password", url(password="/dev/null"), "password")
        use_certificate(cluster, certificates, "elsewhere")
        cluster.sql("SELECT pg_reload_conf()")
        refused(tally, "a certificate for another host is refused", url(), "elsewhere.invalid", "localhost")
    finally:
        cluster.close()


def pooled_by_session(tally, cluster):
    """A pooler of sessions is not noticed, also when it is killed under load."""
    cluster.sql("CREATE DATABASE sessions")
    with Pooler(cluster, "session") as pooler:
        url = pooler.url("sessions")
        with Server(arguments=("--database", url, *QUIET)) as one, Server(arguments=("--database", url, *QUIET)) as other:
            prepare(one, WRITERS)

            def crash():
                pooler.stop()
                pooler.start()

            writers = play_writers([one, other], WRITERS, 1, crash)
            servers = (one, other)
            tally.check("ready behind a pooler that was killed", wait_until(lambda: all(map(is_ready, servers)), 10))
            for server in servers:
                for writer in writers:
                    verify(server, writer, tally, "sessions pooled")
            feeds = [verify_feed(server, tally, "sessions pooled") for server in servers]
            tally.equal("both servers tell the same feed", feeds[0], feeds[1])



def pooled_by_transaction(tally, cluster):
    """A pooler that lends sessions is refused at the start and while running, with its reason, and nothing is written."""
    cluster.sql("CREATE DATABASE transactions")
    with Pooler(cluster, "transaction") as pooler:
        refused(tally, "a pooler of transactions is refused at the start", pooler.url("transactions"), "let it pool sessions")
    with Pooler(cluster, "statement") as pooler:
        refused(tally, "so is one of statements", pooler.url("transactions"))
    with Pooler(cluster, "session") as pooler:
        with Server(arguments=("--database", pooler.url("transactions"), "--log-level", "warning")) as server:
            prepare(server, 1)
            pooler.stop()
            pooler.mode = "transaction"
            pooler.start()
            told = set()

            def says_why():
                reply = server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "never"}, {"If-Match": "*"})
                told.add((reply.status, reply.json.get("code")))
                with open(server.log.name) as log:
                    return "let it pool sessions" in log.read()

            tally.check("one that changes to transactions is found while running, and the log says so", wait_until(says_why, 10))
            tally.equal("no write is taken then", told, {(503, "databaseUnavailable")})
            pooler.stop()
            pooler.mode = "session"
            pooler.start()
            tally.check("back with sessions it goes on", wait_until(lambda: is_ready(server), 10))
            answer = require(server.request("GET", "/v1/evaluations/e0/answers/q0"), 200).json
            tally.equal("and nothing was written", answer["revision"], 0)
            require(server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "now"}), 201)


def run(tally):
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        over_tls(tally, folder)
    with Cluster() as cluster:
        pooled_by_session(tally, cluster)
        pooled_by_transaction(tally, cluster)
