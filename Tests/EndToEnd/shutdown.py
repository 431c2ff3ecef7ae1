# Starting and stopping: the ready line, a taken port, SIGTERM under way, and what a restart finds.

import os
import signal
import socket
import subprocess
import tempfile
import threading
import time

from service import BINARY, ROOT, Client, Server, database_faults, require, wait_until

KIT = {
    "id": "k",
    "title": "Restarted",
    "sections": [{"id": "s", "title": "One", "questions": [{"id": "q", "type": "longText", "text": "What stays?"}]}],
}


def stops_cleanly(tally):
    with Server() as server:
        require(server.request("POST", "/v1/kits", KIT), 201)
        idle = socket.create_connection(("127.0.0.1", server.port))
        server.process.send_signal(signal.SIGTERM)
        tally.equal("SIGTERM ends it with 0", server.process.wait(timeout=20), 0)
        idle.close()
        tally.equal("the database is clean after SIGTERM", database_faults(server.data), [])


def finishes_what_is_under_way(tally):
    """A request whose body is still coming when SIGTERM arrives gets its answer, and the write is kept."""
    with Server() as server:
        require(server.request("POST", "/v1/kits", KIT), 201)
        body = b'{"title":"Sent slowly"}'
        head = (
            f"PATCH /v1/kits/k HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nIf-Match: *\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
            connection.sendall(head + body[:5])
            require(server.request("GET", "/v1/kits/k"), 200)
            server.process.send_signal(signal.SIGTERM)
            refused = wait_until(lambda: not accepts(server.port), 5)
            tally.check("no new connection is taken while it drains", refused)
            connection.sendall(body[5:])
            reply = b""
            while piece := connection.recv(65536):
                reply += piece
        tally.check("the request under way is answered", reply.startswith(b"HTTP/1.1 200"), reply[:200])
        tally.check("its answer announces the close", b"connection: close" in reply.lower(), reply[:300])
        tally.equal("the drained server exits with 0", server.process.wait(timeout=20), 0)
        with Server(server.data) as again:
            tally.equal("the drained write is kept", again.request("GET", "/v1/kits/k").json["title"], "Sent slowly")


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def drains_under_load(tally):
    """Every write that was acknowledged before and during the drain is there after a restart."""
    with Server() as server:
        require(server.request("POST", "/v1/kits", KIT), 201)
        require(
            server.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c", "name": "C"}}),
            201,
        )
        acknowledged = []

        def write():
            client, seen = Client(server.port), 0
            try:
                while True:
                    body = {"value": f"value {seen + 1}"}
                    reply = client.request("PUT", "/v1/evaluations/e/answers/q", body, {"If-Match": f'"{seen}"'})
                    if reply.status not in (200, 201):
                        return
                    seen += 1
                    acknowledged.append(seen)
            except Exception:
                return

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        wait_until(lambda: len(acknowledged) > 20, 10)
        server.process.send_signal(signal.SIGTERM)
        tally.equal("SIGTERM under load ends it with 0", server.process.wait(timeout=20), 0)
        writer.join(timeout=20)
        with Server(server.data) as again:
            answer = again.request("GET", "/v1/evaluations/e/answers/q").json
        last = acknowledged[-1]
        tally.check("nothing acknowledged is lost by SIGTERM", answer["revision"] in (last, last + 1), (answer, last))


def refuses_a_taken_port(tally):
    with Server() as server:
        command = [BINARY, "serve", "--port", str(server.port), "--data", server.data + "-other"]
        second = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=20)
        tally.check(
            "a second server on the same port fails", second.returncode not in (0, None) and second.returncode > 0
        )
        tally.check("and says why, on standard error", str(server.port).encode() in second.stderr, second.stderr[:300])
        tally.equal("and is silent on standard output", second.stdout, b"")
        tally.equal("while the first goes on", server.request("GET", "/healthz").status, 200)


def survives_rude_peers(tally):
    """Clients that reset, leave half a request, or leave without reading do not end the server."""
    with Server() as server:
        for data in (b"", b"GET /v1/ki", b"GET /v1/kits HTTP/1.1\r\nHost: x\r\n\r\n" * 50):
            for _ in range(20):
                connection = socket.create_connection(("127.0.0.1", server.port))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
                connection.sendall(data)
                connection.close()
        tally.check(
            "clients that reset do not end it", server.is_alive() and server.request("GET", "/healthz").status == 200
        )


def answers_what_arrived_before(tally):
    """Requests that were sent whole before SIGTERM are answered, over however many connections, by either method."""
    request = b"GET /v1/kits HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for transfer in ("auto", "epoll"):
        with Server(arguments=["--transfer", transfer]) as server:
            connections = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(900)]
            for connection in connections:
                connection.sendall(request)
                if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
                    raise RuntimeError("an answer is missing before the signal")
            for connection in connections:
                connection.sendall(request)
            server.process.send_signal(signal.SIGTERM)
            answered = 0
            for connection in connections:
                try:
                    answered += connection.recv(65536).startswith(b"HTTP/1.1 200")
                except OSError:
                    pass
                connection.close()
            tally.equal(f"with {transfer}, every request sent before SIGTERM is answered", answered, len(connections))
            tally.equal(f"with {transfer}, it ends with 0", server.process.wait(timeout=20), 0)


def started(standard_error, *arguments):
    """A server whose standard error is ours, its port, and its data."""
    folder = tempfile.TemporaryDirectory(prefix="interviewkit-")
    command = [BINARY, "serve", "--port", "0", "--data", folder.name + "/data", *arguments]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=standard_error)
    return folder, process, int(process.stdout.readline().rsplit(b":", 1)[1])


def fill(pipe):
    """Until it takes nothing more."""
    os.set_blocking(pipe, False)
    try:
        while True:
            os.write(pipe, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(pipe, True)


def stops_while_nobody_reads_the_log(tally):
    for transfer in ("auto", "epoll"):
        reader, writer = os.pipe()
        folder, process, port = started(writer, "--shutdown-grace-seconds", "2", "--transfer", transfer)
        try:
            fill(writer)
            client = Client(port)
            replies = [client.request("GET", "/v1/kits").status for _ in range(20)]
            tally.equal(f"with {transfer}, a full log holds up no request", replies, [200] * 20)
            process.send_signal(signal.SIGTERM)
            tally.check(f"with {transfer}, nor the end of accepting", wait_until(lambda: not accepts(port), 2))
            begun = time.monotonic()
            try:
                code = process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                code = None
            tally.equal(f"with {transfer}, nor the end", code, 0)
            tally.check(f"with {transfer}, which comes within the grace", time.monotonic() - begun < 4)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            os.close(reader)
            os.close(writer)
            folder.cleanup()


def counts_what_is_not_logged(tally):
    """A full disk, and a pipe without a reader."""
    reader, writer = os.pipe()
    for name, standard_error in (("/dev/full", os.open("/dev/full", os.O_WRONLY)), ("a pipe nobody has", writer)):
        folder, process, port = started(standard_error)
        try:
            if standard_error == writer:
                os.close(reader)
            client = Client(port)
            for _ in range(20):
                require(client.request("GET", "/v1/kits"), 200)

            def dropped():
                lines = client.request("GET", "/metrics").body.decode().splitlines()
                return int(next(line for line in lines if line.startswith("interviewkit_log_dropped_total")).split()[1])

            tally.check(f"{name}: lines that can't be written are counted", wait_until(lambda: dropped() >= 20, 10))
            process.send_signal(signal.SIGTERM)
            tally.equal(f"{name}: and it ends with 0", process.wait(timeout=20), 0)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            os.close(standard_error)
            folder.cleanup()


def names_the_limit_of_open_files(tally):
    """With too few descriptors the start stops and says which limit is too low."""
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        for limit in (18, 22, 79):
            command = [BINARY, "serve", "--port", "0", "--data", folder]
            done = subprocess.run(
                ["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh", *command], cwd=ROOT, capture_output=True, timeout=20
            )
            tally.equal(f"{limit} open files are too few", done.returncode, 78)
            tally.check(
                "the limit is named, in one line",
                done.stderr.count(b"\n") == 1 and b"limit of open files is %d" % limit in done.stderr,
                done.stderr[:300],
            )


def run(tally):
    stops_cleanly(tally)
    finishes_what_is_under_way(tally)
    answers_what_arrived_before(tally)
    stops_while_nobody_reads_the_log(tally)
    counts_what_is_not_logged(tally)
    names_the_limit_of_open_files(tally)
    drains_under_load(tally)
    refuses_a_taken_port(tally)
    survives_rude_peers(tally)
