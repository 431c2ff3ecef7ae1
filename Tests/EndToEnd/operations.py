# What operators do to a running service: read the settings again, hand it sockets, put a proxy before it, end it twice.

import json
import signal
import socket
import subprocess
import tempfile

from service import BINARY, ROOT, Server, wait_until


def log_lines(server):
    with open(server.log.name) as file:
        return [json.loads(line) for line in file if line.startswith("{")]


def events(server, name):
    return [line for line in log_lines(server) if line["event"] == name]


def configure(path, **settings):
    fixed = {"fonts": f"{ROOT}/Config/fonts.json", "profiles": f"{ROOT}/Config/profiles"}
    with open(path, "w") as file:
        json.dump(fixed | settings, file)


def reads_settings_again(tally):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/interviewkit.json"
        configure(path, logLevel="warning")
        with Server(arguments=("--config", path)) as server:
            server.request("GET", "/healthz")
            configure(path, logLevel="info", cacheMegabytes=30)
            server.process.send_signal(signal.SIGHUP)
            logged = wait_until(lambda: server.request("GET", "/version") and events(server, "request"), 5)
            tally.check("SIGHUP changes the log level", logged)
            targets = {line["target"] for line in events(server, "request")}
            tally.equal("requests before it are not logged", targets, {"/version"})
            server.process.send_signal(signal.SIGHUP)
            waiting = wait_until(lambda: events(server, "settings.read"), 5)
            tally.check("and the reading is logged", waiting)
            if waiting:
                restart = events(server, "settings.read")[0]["needRestart"]
                tally.equal("what needs a restart is named", restart, ["cacheMegabytes"])
            with open(path, "w") as file:
                file.write('{"logLevel": "loud"}')
            server.process.send_signal(signal.SIGHUP)
            refused = wait_until(lambda: events(server, "settings.refused"), 5)
            tally.check("settings that are wrong are refused, and it goes on", refused and server.is_alive())
            tally.equal("as it was", server.request("GET", "/healthz").status, 200)
            server.process.send_signal(signal.SIGTERM)
            tally.equal("and ends with 0", server.process.wait(timeout=20), 0)


def takes_inherited_sockets(tally):
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        port = listener.getsockname()[1]
        waiting = socket.create_connection(("127.0.0.1", port), timeout=10)
        waiting.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        # The descriptor must be 3 and the variable must name the process: a shell arranges both.
        script = f"exec 3<&{listener.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec {BINARY} serve --data {folder}/data"
        command = ["sh", "-c", script]
        process = subprocess.Popen(
            command, cwd=ROOT, pass_fds=[listener.fileno()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            line = process.stdout.readline().decode()
            tally.check("it serves the socket that it was given", line.strip().endswith(f":{port}"), line)
            tally.check("who connected before is answered", waiting.recv(100).startswith(b"HTTP/1.1 200"))
            process.terminate()
            tally.equal("and it ends with 0", process.wait(timeout=20), 0)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
            waiting.close()


def believes_trusted_proxies(tally):
    def peer(arguments):
        with Server(arguments=arguments) as server:
            server.request("GET", "/healthz", headers={"X-Forwarded-For": "6.6.6.6, 203.0.113.7"})
            wait_until(lambda: events(server, "request"), 5)
            return events(server, "request")[-1]["peer"]

    tally.equal("nobody is believed unless named", peer(()), "127.0.0.1")
    tally.equal("a named proxy is", peer(("--trusted-proxies", "10.0.0.0/8, 127.0.0.1")), "203.0.113.7")
    wrong = subprocess.run(
        [BINARY, "serve", "--trusted-proxies", "10.0.0.1/8"], cwd=ROOT, capture_output=True, text=True, timeout=20
    )
    tally.check("a range that is none stops the start", wrong.returncode == 78 and "10.0.0.1/8" in wrong.stderr)


def ends_at_the_second_signal(tally):
    with Server(arguments=("--shutdown-grace-seconds", "60")) as server:
        server.request("GET", "/healthz")
        with socket.create_connection(("127.0.0.1", server.port)) as held:
            held.sendall(b"POST /v1/kits HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n")
            held.sendall(b"Content-Length: 100\r\n\r\n{")
            server.request("GET", "/healthz")
            server.process.send_signal(signal.SIGTERM)
            tally.check("it drains", wait_until(lambda: events(server, "server.stopping"), 5) and server.is_alive())
            server.process.send_signal(signal.SIGHUP)
            server.process.send_signal(signal.SIGTERM)
            tally.equal("the second signal ends it at once", server.process.wait(timeout=5), 128 + signal.SIGTERM)


def run(tally):
    reads_settings_again(tally)
    takes_inherited_sockets(tally)
    believes_trusted_proxies(tally)
    ends_at_the_second_signal(tally)
