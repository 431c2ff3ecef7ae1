# What /metrics says of the database, and that it moves when something happens: the same on both databases.

import threading

from service import require, wait_until

PREFIX = "interviewkit_"


def figures(server):
    """Every sample by its name and labels, without the prefix."""
    lines = require(server.request("GET", "/metrics"), 200).body.decode().splitlines()
    samples = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name.removeprefix(PREFIX): float(value) for name, value in samples}


def at_once(server, requests):
    """Sends requests at the same time, each on a connection of its own."""
    replies = []

    def send(request):
        replies.append(server.request(*request))

    threads = [threading.Thread(target=send, args=(request,)) for request in requests]
    for thread in threads:
        thread.start()
    return threads, replies


def check(tally, name, server, write_lock, read_lock=None, evaluations=("e0", "e1")):
    """Of a server with two evaluations of long texts, which it writes to. The locks are held while their contexts last: one that every
    write waits for, and one that every read of a history does."""
    def write(number):
        return "PUT", f"/v1/evaluations/{evaluations[number % 2]}/answers/q{number % 4}", {"value": f"text {number}"}, {"If-Match": "*"}

    before = figures(server)
    threads, replies = at_once(server, [write(number) for number in range(12)])
    for thread in threads:
        thread.join()
    tally.check(f"{name}: metrics: the writes were taken", {reply.status for reply in replies} <= {200, 201})
    for _ in range(3):
        require(server.request("GET", f"/v1/evaluations/{evaluations[0]}"), 200)
    after = figures(server)

    def rose(sample, least=1):
        tally.check(f"{name}: metrics: {sample} moves", after[sample] - before[sample] >= least, f"{before[sample]} to {after[sample]}")

    rose("write_group_size_sum", 12)
    rose("write_group_size_count")
    rose("commit_seconds_count")
    rose("commit_seconds_sum", 1e-6)
    rose('cache_hits_total{cache="evaluations"}')
    tally.check(f"{name}: metrics: reads have connections", after["read_connections"] >= 1)
    tally.equal(f"{name}: metrics: nothing waits", after["write_queue_depth"], 0)

    with write_lock:
        threads, replies = at_once(server, [write(number) for number in range(6)])
        waiting = wait_until(lambda: figures(server)["write_queue_depth"] >= 1, 2)
    tally.check(f"{name}: metrics: writes that wait are counted", waiting)
    for thread in threads:
        thread.join()
    tally.equal(f"{name}: metrics: and then are not", figures(server)["write_queue_depth"], 0)

    if read_lock is None:
        # Reads of a file run on as many threads as there are cores, which all have connections.
        tally.check(f"{name}: metrics: waits for a connection are told", after["read_waits_total"] == 0 and after["read_refusals_total"] == 0)
        return
    before = figures(server)
    with read_lock:
        history = ("GET", f"/v1/evaluations/{evaluations[0]}/answers/q0/history", None, None)
        threads, replies = at_once(server, [history] * 16)
        refused = wait_until(lambda: figures(server)["read_refusals_total"] > before["read_refusals_total"], 10)
    for thread in threads:
        thread.join()
    after = figures(server)
    rose("read_waits_total")
    told = sorted({(reply.status, reply.json.get("code"), reply.headers.get("retry-after")) for reply in replies if reply.status != 200}, key=str)
    tally.check(f"{name}: metrics: a read that waits too long is told so, and counted", refused and told == [(503, "busy", "1")], told)
