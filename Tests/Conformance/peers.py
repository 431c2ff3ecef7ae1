# The servers that the cases are run against: ours, and equivalent small services on nginx, Node and Go.

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../EndToEnd"))

from cases import HEALTH, KIT
from wire import Connection, Failure

TICK = os.sysconf("SC_CLK_TCK")
# What a case may need. "reads": the service reads bodies; "methods": it answers for each method of each path; "types",
# "negotiation", "tags", "match", "put", "paths", "escapes": the application does this; "dateless": its resources have
# no Last-Modified; "hosts": it is told which hosts it serves; "ours": the limits and forms that we promise.
EVERYTHING = frozenset("reads methods types negotiation tags match put paths escapes dateless hosts ours".split())


class Peer:
    name, version, can, reads_bodies = "", "", frozenset(), True

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="interviewkit-conformance-")
        self.port = self.process = None

    def __enter__(self):
        self.start()
        for _ in range(400):
            try:
                with Connection(self.port) as connection:
                    connection.send(HEALTH)
                    self.health = connection.reply().body
                return self
            except (OSError, Failure):
                time.sleep(0.025)
        raise RuntimeError(f"{self.name} did not start")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def free_port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def run(self, *command):
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def processes(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [self.process.pid, *map(int, file.read().split())]

    def descriptors(self):
        return sum(len(os.listdir(f"/proc/{process}/fd")) for process in self.processes())

    def cpu_seconds(self):
        total = 0
        for process in self.processes():
            with open(f"/proc/{process}/stat") as file:
                total += sum(map(int, file.read().rpartition(")")[2].split()[11:13]))
        return total / TICK

    def anonymous_kilobytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("RssAnon"))


class Ours(Peer):
    name, version, can = "InterviewKit", "", EVERYTHING

    def start(self):
        import service

        self.server = service.Server(arguments=("--log-level", "error"))
        self.process, self.port = self.server.process, self.server.port
        kit = {"id": "k", "title": "Kit", "language": "en", "sections": []}
        service.require(self.server.request("POST", "/v1/kits", kit), 201)
        self.version = self.server.request("GET", "/version").json["version"]

    def __exit__(self, *details):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.server.__exit__(*details)


class Nginx(Peer):
    """Answers from files; a POST is answered by `return`, so bodies are thrown away unread by any application."""

    name, can, reads_bodies = "nginx", frozenset("tags match escapes".split()), False

    def start(self):
        found = subprocess.run(["nginx", "-v"], capture_output=True, text=True, check=True).stderr
        self.version = found.strip().rpartition("/")[2]
        self.port = self.free_port()
        os.makedirs(f"{self.folder}/root/v1/kits")
        # nginx's workers are another user's.
        os.chmod(self.folder, 0o755)
        for path, text in {"/healthz": '{"status":"ok"}', KIT: '{"id":"k","title":"Kit"}'}.items():
            with open(f"{self.folder}/root{path}", "w") as file:
                file.write(text)
        temporary = "".join(
            f"{name}_temp_path {self.folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        with open(f"{self.folder}/nginx.conf", "w") as file:
            file.write(f"""daemon off; worker_processes 2; pid {self.folder}/pid; error_log /dev/null;
worker_rlimit_nofile 8192;
events {{ worker_connections 2048; }}
http {{ access_log off; server_tokens off; default_type application/json; {temporary}
client_header_timeout 10s; client_body_timeout 15s; keepalive_timeout 20s; client_max_body_size 1m; merge_slashes off;
client_header_buffer_size 16k; large_client_header_buffers 4 16k; keepalive_requests 10000;
server {{ listen 127.0.0.1:{self.port} backlog=1024; root {self.folder}/root;
location = /v1/measure {{ return 200 '{{}}'; }} }} }}""")
        self.run("nginx", "-c", f"{self.folder}/nginx.conf", "-e", "/dev/null")


class Node(Peer):
    name, can = "Node http", EVERYTHING - {"hosts", "ours"}

    def start(self):
        self.version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip(
            "v\n"
        )
        self.port = self.free_port()
        self.run("node", os.path.join(HERE, "peers/server.js"), str(self.port))


class Go(Peer):
    name, can = "Go net/http", EVERYTHING - {"hosts", "ours"}

    def start(self):
        self.version = (
            subprocess.run(["go", "version"], capture_output=True, text=True, check=True)
            .stdout.split()[2]
            .removeprefix("go")
        )
        environment = dict(os.environ, GOCACHE=f"{self.folder}/cache", GOFLAGS="-mod=mod", GO111MODULE="off")
        subprocess.run(
            ["go", "build", "-o", f"{self.folder}/server", os.path.join(HERE, "peers/server.go")],
            check=True,
            env=environment,
        )
        self.port = self.free_port()
        self.run(f"{self.folder}/server", str(self.port))
