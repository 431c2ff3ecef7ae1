# Measures PostgreSQL beside SQLite, two servers beside one, and what docs/scaling.md reckons with.

import os
import resource
import socket
import sqlite3
import statistics
import tempfile
import time

from measuring import QUIET, ROUNDS, WRITES, cpu_seconds, kit, row, together, wrk


def durable_writes(bench, cluster):
    for number in range(1, 37):
        cluster.sql(f"CREATE SCHEMA b{number}", "test")
    os.environ["INTERVIEWKIT_BENCH_POSTGRES"] = cluster.url()
    found = bench("databases")
    for name, value in found.items():
        row(name, value, "writes/s")
    for database in ("SQLite", "PostgreSQL"):
        for writers in (1, 16, 64, 256):
            grouped, each = (found[f"{database}, {writers} writers, {way}"] for way in ("grouped", "one transaction each"))
            wanted = 4 if writers >= 64 else 0
            row(f"{database}, {writers} writers: ratio", grouped / each, "", "at least 4" if wanted else "", grouped / each >= wanted)
    for writers in (1, 16, 64, 256):
        postgres, sqlite = (found[f"{database}, {writers} writers, grouped"] for database in ("PostgreSQL", "SQLite"))
        row(f"PostgreSQL against SQLite, {writers} writers", postgres / sqlite, "")
        both, one = (found[f"PostgreSQL, {writers} writers, {way}"] for way in ("two servers", "grouped"))
        row(f"two servers against one, {writers} writers", both / one, "")


def cached_reads(embedded, shared, cluster):
    """What has been read before, on both databases; and how often the second one is asked for it."""
    def asked():
        return int(cluster.sql("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE '%change_counter%'"))

    for path in ("/v1/kits/k", "/v1/evaluations/e0"):
        for connections in (1, 64):
            rates = {"SQLite": [], "PostgreSQL": []}
            looks = []
            for _ in range(ROUNDS):
                for name, server in (("SQLite", embedded), ("PostgreSQL", shared)):
                    before = asked()
                    count, rate = wrk(f"http://127.0.0.1:{server.port}{path}", connections, 2)
                    rates[name].append(rate)
                    if server is shared:
                        looks.append((asked() - before) / count)
            ours = {name: statistics.median(found) for name, found in rates.items()}
            for name, rate in ours.items():
                row(f"GET {path}, {connections} connections, {name}", rate, "reads/s")
            row(f"GET {path}, {connections} connections: SQLite to PostgreSQL", ours["SQLite"] / ours["PostgreSQL"], "")
            look = statistics.median(looks)
            row(f"GET {path}, {connections} connections: looks at the database", look, "a read", "at most 1", look <= 1.01)
    spent = cluster.sql("SELECT sum(total_exec_time) / sum(calls) * 1000 FROM pg_stat_statements WHERE query LIKE '%change_counter%'")
    row("a look, within PostgreSQL", float(spent), "us")


WIDTHS = """
local count, share = 0, 0
init = function(words) share = tonumber(words[1]) end
request = function()
  count = count + 1
  return wrk.format("GET", string.format("/v1/kits/k/layout?profile=ios&width=%d.%d", 300 + count % 100, (math.floor(count / 100) * 2 + share) % 10000))
end
"""


def servers_on_one_database(servers, folder):
    """One server and two on the same PostgreSQL and the same cores: whether a second one costs anything."""
    addresses = [f"http://127.0.0.1:{server.port}" for server in servers]
    scripts = {}
    for name, text in (("writes", WRITES), ("layouts", WIDTHS)):
        scripts[name] = f"{folder}/{name}.lua"
        with open(scripts[name], "w") as file:
            file.write(text)
    kinds = (("cached reads of a kit", "/v1/kits/k", None, False), ("cached reads of an evaluation", "/v1/evaluations/e0", None, False),
             ("layouts in new widths", "/", scripts["layouts"], True), ("writes, evaluations of its own", "/", scripts["writes"], True),
             ("writes, the same evaluations", "/", scripts["writes"], False))
    for name, path, script, own in kinds:
        rates = {1: [], 2: []}
        for _ in range(ROUNDS):
            for count in (1, 2):
                urls = [address + path for address in (addresses[:1] * 2 if count == 1 else addresses)]
                rates[count].append(together(urls, 64, 2, script, own))
        one, two = (statistics.median(rates[count]) for count in (1, 2))
        row(f"{name}, 64 connections, one server", one, "a second")
        row(f"{name}, 64 connections, two servers", two, "a second")
        row(f"{name}: two servers against one", two / one, "")


def databases(service, bench):
    """Writes and cached reads on PostgreSQL beside those on SQLite, and two servers beside one."""
    from postgres import Cluster

    with Cluster({"shared_preload_libraries": "pg_stat_statements"}) as cluster, tempfile.TemporaryDirectory() as folder:
        cluster.sql("CREATE EXTENSION pg_stat_statements")
        durable_writes(bench, cluster)
        cluster.sql("CREATE DATABASE reads")
        url = ("--database", cluster.url("reads"), *QUIET)
        with service.Server(arguments=QUIET) as embedded, service.Server(arguments=url) as shared, service.Server(arguments=url) as second:
            for server in (embedded, shared):
                service.require(server.request("POST", "/v1/kits", kit("k", 100, "What of topic {}? " + "x" * 20)), 201)
                for number in range(64):
                    body = {"id": f"e{number}", "kitId": "k", "candidate": {"id": f"c{number}", "name": "C"}}
                    service.require(server.request("POST", "/v1/evaluations", body), 201)
            cached_reads(embedded, shared, cluster)
            servers_on_one_database([shared, second], folder)


def interviews(service, server, count, saves):
    """People who fill in evaluations of thirty answers of 300 letters each, every one saved while it is typed, and submit."""
    from concurrent.futures import ThreadPoolExecutor

    def fill(number):
        client, evaluation, writes = server.client(), f"e{saves}-{number}", 0
        body = {"id": evaluation, "kitId": "k", "candidate": {"id": f"c{number % 200}", "name": "A candidate"}}
        service.require(client.request("POST", "/v1/evaluations", body), 201)
        for question in range(30):
            text = " ".join(f"word{(number * 31 + question * 7 + place) % 997}" for place in range(43))[:300]
            for step in range(1, saves + 1):
                value = {"value": text[: len(text) * step // saves]}
                seen = {"If-Match": f'"{step - 1}"', "Idempotency-Key": f"{evaluation}-{question}-{step}"}
                service.require(client.request("PUT", f"/v1/evaluations/{evaluation}/answers/q{question}", value, seen), 201 if step == 1 else 200)
                writes += 1
        service.require(client.request("POST", f"/v1/evaluations/{evaluation}/submit"), 200)
        client.close()
        return writes + 2

    with ThreadPoolExecutor(16) as people:
        return sum(people.map(fill, range(count)))


def bystanders(service):
    """Streams of an evaluation that nobody writes, beside writers of others: what each group of writes costs for each of them."""
    import figures

    streams = 1_000
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 8_192), most))
    with service.Server(arguments=QUIET) as server, tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(WRITES)
        script.flush()
        service.require(server.request("POST", "/v1/kits", kit("k", 100, "Question {}?")), 201)
        for number in range(65):
            body = {"id": f"e{number}", "kitId": "k", "candidate": {"id": f"c{number}", "name": "C"}}
            service.require(server.request("POST", "/v1/evaluations", body), 201)

        def load():
            groups, spent = figures.figures(server)["commit_seconds_count"], cpu_seconds(server.process.pid)
            count, rate = wrk(f"http://127.0.0.1:{server.port}/", 64, 3, script.name)
            return count, rate, figures.figures(server)["commit_seconds_count"] - groups, cpu_seconds(server.process.pid) - spent

        load()
        alone = load()
        sockets = []
        for _ in range(streams):
            sockets.append(socket.create_connection(("127.0.0.1", server.port)))
            sockets[-1].sendall(b"GET /v1/changes?evaluation=e64 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
            sockets[-1].recv(4_096)
        count, rate, groups, spent = load()
        for connection in sockets:
            connection.close()
    added = spent - alone[3] / alone[0] * count
    row(f"writes a second beside {streams} streams of an evaluation that nobody writes", rate, "writes/s")
    row("the same without them", alone[1], "writes/s")
    row("processor time of such a stream for each group of writes", added / groups / streams * 1e9, "ns")


def sizes(service, _):
    """What docs/scaling.md reckons with: how much an evaluation writes and leaves, and what the disk takes to synchronise."""
    from postgres import Cluster

    with tempfile.NamedTemporaryFile() as file:
        times = []
        for _ in range(300):
            file.write(bytes(4_096))
            file.flush()
            begin = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begin) * 1_000)
        row("fdatasync of a file that has grown by 4 KiB, median", statistics.median(times), "ms")
        row("the same, 99th of a hundred", sorted(times)[int(len(times) * 0.99)], "ms")
    bystanders(service)
    count = 60
    with Cluster() as cluster:
        cluster.sql("CREATE DATABASE sizes")

        def sqlite_bytes(server):
            path = service.database_path(server.data)
            outsider = sqlite3.connect(path, timeout=10)
            outsider.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            outsider.close()
            return os.path.getsize(path)

        def tables(server):
            outsider = sqlite3.connect(service.database_path(server.data), timeout=10)
            found = dict(outsider.execute("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name"))
            outsider.close()
            return found

        def postgres_bytes(_):
            cluster.sql("CHECKPOINT")
            return int(cluster.sql("SELECT pg_database_size('sizes')"))

        for name, arguments, measure in (("SQLite", (), sqlite_bytes), ("PostgreSQL", ("--database", cluster.url("sizes")), postgres_bytes)):
            with service.Server(arguments=(*arguments, *QUIET)) as server:
                service.require(server.request("POST", "/v1/kits", kit("k", 30, "What of topic {}? " + "x" * 60)), 201)
                for saves in (1, 6):
                    before, parts = measure(server), tables(server) if name == "SQLite" else {}
                    spent, begin = cpu_seconds(server.process.pid), time.perf_counter()
                    writes = interviews(service, server, count, saves)
                    seconds = time.perf_counter() - begin
                    spent = cpu_seconds(server.process.pid) - spent
                    row(f"{name}, an evaluation whose answers are saved {saves} times each: writes", writes / count, "")
                    row(f"{name}, the same: bytes that it leaves", (measure(server) - before) / count / 1_024, "KiB")
                    if parts and saves > 1:
                        grown = {table: size - parts.get(table, 0) for table, size in tables(server).items()}
                        for table, size in sorted(grown.items(), key=lambda entry: -entry[1])[:6]:
                            row(f"{name}, of it in {table}", size / count / 1_024, "KiB")
                    row(f"{name}, the same: time of a processor", spent / count * 1_000, "ms")
                    row(f"{name}, the same: processor time of a write", spent / writes * 1_000_000, "us")
                    row(f"{name}, the same: writes a second of 16 people at once", writes / seconds, "writes/s")
