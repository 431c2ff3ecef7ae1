# The change stream through a real proxy: nginx as Debian ships it, with its own defaults for buffering and its timeout.

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from changes import STAR, opened, sequences
from service import Server, require, wait_until

# The proxy cuts what is silent for so long, and the service says so often that it is there.
CUT_SECONDS = 3
BEAT_SECONDS = 1
GONE_READERS = 200

SITE = """
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_pass http://127.0.0.1:{upstream}; proxy_read_timeout {cut}s; {more} }}
    }}"""
GZIP = "gzip on; gzip_types *;"
# What nginx needs to run from a folder of its own; `inside` is what it serves.
CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {inside}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """nginx before servers, one port for each: `sites` are upstream ports and more directives."""

    def __init__(self, sites):
        self.folder = tempfile.TemporaryDirectory(prefix="interviewkit-proxy-")
        self.ports = [free_port() for _ in sites]
        text = "".join(
            SITE.format(port=port, upstream=upstream, cut=CUT_SECONDS, more=more)
            for port, (upstream, more) in zip(self.ports, sites))
        path = os.path.join(self.folder.name, "nginx.conf")
        with open(path, "w") as file:
            file.write(CONFIGURATION.format(folder=self.folder.name, inside=GZIP + text))
        environment = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/sbin")
        error = os.path.join(self.folder.name, "error.log")
        command = ["nginx", "-e", error, "-c", path]
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        if not wait_until(lambda: all(self.answers(port) for port in self.ports), 10):
            self.stop()
            raise RuntimeError("nginx did not start")

    def answers(self, port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return True
        except OSError:
            return False

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.folder.cleanup()


class Through:
    """A server as its clients see it behind a proxy."""

    def __init__(self, port):
        self.port = port


def make(server):
    kit = {"id": "k", "title": "K", "sections": [
        {"id": "s", "title": "S", "questions": [{"id": "q", "type": "longText", "text": "Q?"}]}]}
    require(server.request("POST", "/v1/kits", kit), 201)
    require(server.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c"}}), 201)


def write(server, value):
    reply = server.request("PUT", "/v1/evaluations/e/answers/q", {"value": value}, STAR)
    if reply.status not in (200, 201):
        raise RuntimeError(f"{reply!r}")


def delay(server, stream, value):
    """The seconds until a reader hears of a write; nil when it does not."""
    count, start = len(stream.events), time.monotonic()
    write(server, value)
    stream.wait(count + 1, 5)
    return time.monotonic() - start if len(stream.events) > count else None


def run(tally):
    beats = ("--heartbeat-seconds", str(BEAT_SECONDS))
    with Server(arguments=beats) as server, Server(arguments=("--heartbeat-seconds", "3600")) as mute:
        for one in (server, mute):
            make(one)
        newer = "proxy_http_version 1.1; proxy_set_header Connection ''; proxy_set_header Accept-Encoding gzip;"
        proxy = Proxy([(server.port, ""), (server.port, newer), (mute.port, "")])
        try:
            behind = [Through(port) for port in proxy.ports]
            plain, newer = (opened(one, "/v1/changes") for one in behind[:2])
            streams = {"with its defaults": plain, "speaking HTTP/1.1 with gzip": newer}
            for name, stream in streams.items():
                tally.check(f"a proxy {name} passes a stream on", "text/event-stream" in stream.head, stream.head)
                tally.check(f"a proxy {name} passes Cache-Control on", "Cache-Control: no-cache" in stream.head, stream.head)
                took = delay(server, stream, f"first {name}")
                tally.check(f"a proxy {name} holds no event back", took is not None and took < BEAT_SECONDS * 0.8, took)
            silent = opened(behind[2], "/v1/changes")
            idle(tally, server, streams, silent, mute, behind[2])
            gone(tally, server)
        finally:
            proxy.stop()


def idle(tally, server, streams, silent, mute, before_mute):
    """Nothing happens for longer than the proxy waits."""
    start = time.monotonic()
    tally.check("the proxy cuts a stream that says nothing", wait_until(lambda: silent.ended, CUT_SECONDS * 3))
    wait_until(lambda: False, start + CUT_SECONDS * 2.2 - time.monotonic())
    for name, stream in streams.items():
        tally.check(f"through a proxy {name} an idle stream stays", not stream.ended)
        # One beat may fall on either edge, and one may be late on a busy machine.
        heard = stream.comments
        tally.check(f"through a proxy {name} the beats arrive", heard >= CUT_SECONDS * 2.2 / BEAT_SECONDS - 2, heard)
        took = delay(server, stream, f"later {name}")
        tally.check(f"through a proxy {name} an event after the silence arrives", took is not None, took)
    seen = [sequences(stream.events) for stream in streams.values()]
    tally.check("each event came once, in order", all(one == list(range(one[0], one[0] + len(one))) for one in seen), seen)
    write(mute, "first")
    heard = opened(before_mute, "/v1/changes")
    write(mute, "second")
    last = heard.wait(1) and heard.last
    heard.close()
    for value in ("third", "fourth"):
        write(mute, value)
    again = opened(before_mute, "/v1/changes", last)
    tally.equal("after a cut the proxy's clients resume", sequences(again.wait(2)), [5, 6])
    for stream in (again, *streams.values()):
        stream.close()


READERS = """
import socket, sys, time
streams = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
for stream in streams:
    stream.sendall(b"GET /v1/changes HTTP/1.1\\r\\nHost: localhost\\r\\nAccept: text/event-stream\\r\\n\\r\\n")
for stream in streams:
    stream.recv(65536)
print("open", flush=True)
time.sleep(600)
"""


def gone(tally, server):
    """Readers whose process is killed are let go within two beats."""
    descriptors = lambda: len(os.listdir(f"/proc/{server.process.pid}/fd"))
    before = descriptors()
    command = [sys.executable, "-c", READERS, str(server.port), str(GONE_READERS)]
    readers = subprocess.Popen(command, stdout=subprocess.PIPE)
    readers.stdout.readline()
    tally.check("the readers are there", descriptors() >= before + GONE_READERS, descriptors())
    readers.kill()
    readers.wait()
    readers.stdout.close()
    held = wait_until(lambda: descriptors() <= before + 2, 2 * BEAT_SECONDS + 1)
    tally.check(f"{GONE_READERS} killed readers are let go within two beats", held, descriptors() - before)
