# A PostgreSQL of a test's own: in a temporary folder, as a user that is not root, on a Unix socket and a free loopback port.
#
#   python3 Tests/EndToEnd/postgres.py       prints its connection string, and stops it when standard input ends

import contextlib
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

USER = "interviewkit"
# What a test waits for nothing less: a start, a stop, a promotion.
SECONDS = 30


def programs():
    """The folder of the newest PostgreSQL's programs, where Debian's package puts them."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    found = [folder for folder in folders if os.path.exists(f"{folder}/initdb")]
    if not found:
        raise SystemExit("PostgreSQL is not installed: run scripts/setup test")
    return max(found, key=lambda folder: int(re.search(r"/(\d+)/bin$", folder)[1]))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """One PostgreSQL server. Its default collation is not that of bytes, so that a test sees who relies on it."""

    def __init__(self, settings=(), source=None, follows=True):
        """With a source: a copy of it, made with pg_basebackup and checked; its standby, or a cluster of its own."""
        self.bin = programs()
        self.folder = tempfile.mkdtemp(prefix="interviewkit-postgres-")
        self.data, self.port, self.process = f"{self.folder}/data", free_port(), None
        self.settings = {
            "listen_addresses": "127.0.0.1", "unix_socket_directories": self.folder, "port": self.port,
            "shared_buffers": "64MB", "max_connections": 100, "log_min_messages": "fatal", **dict(settings),
        }
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        if source is None:
            self.run(
                "initdb", "-D", self.data, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8",
                "--locale-provider=icu", "--icu-locale=en-US",
            )
        else:
            self.copy(source, follows)

    def command(self, program, *arguments):
        prefix = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        return [*prefix, f"{self.bin}/{program}", *map(str, arguments)]

    def run(self, program, *arguments):
        done = subprocess.run(self.command(program, *arguments), cwd="/", capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def copy(self, source, follows=True):
        self.run("pg_basebackup", "-D", self.data, "-c", "fast", "--no-sync", *(["-R"] if follows else []), "-d", source.url("postgres"))
        self.run("pg_verifybackup", "-q", self.data)

    def start(self):
        settings = [word for name, value in self.settings.items() for word in ("-c", f"{name}={value}")]
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                self.command("postgres", "-D", self.data, *settings), cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        self.wait()
        return self

    def wait(self):
        end = time.monotonic() + SECONDS
        while subprocess.run(self.command("pg_isready", "-q", "-h", self.folder, "-p", self.port), cwd="/").returncode:
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"PostgreSQL did not start:\n{open(f'{self.folder}/log').read()[-2000:]}")
            time.sleep(0.05)

    def postmaster(self):
        with open(f"{self.data}/postmaster.pid") as file:
            return int(file.readline())

    def backends(self):
        """The processes that serve the program's connections."""
        return [int(line) for line in self.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'interviewkit'").split()]

    def rules(self, *lines):
        """Says who may connect, and how (pg_hba.conf); before the start."""
        with open(f"{self.data}/pg_hba.conf", "w") as file:
            file.write("\n".join(lines) + "\n")

    def own(self, path):
        """Gives a file to the user that PostgreSQL runs as, who alone may read it."""
        os.chmod(path, 0o600)
        if os.getuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(path, account.pw_uid, account.pw_gid)

    def sql(self, text, database="postgres"):
        return self.run("psql", "-d", self.url(database), "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", text)

    @contextlib.contextmanager
    def holding(self, text, database="test"):
        """A transaction of somebody else, which stays open meanwhile with all that it has locked."""
        command = self.command("psql", "-d", self.url(database), "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1")
        psql = subprocess.Popen(command, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            psql.stdin.write(f"BEGIN;\n{text};\n\\echo held\n")
            psql.stdin.flush()
            while (line := psql.stdout.readline()) and line.strip() != "held":
                pass
            if not line:
                raise RuntimeError(f"not held: {text}")
            yield
        finally:
            psql.communicate("COMMIT;\n")

    def url(self, database="test"):
        return f"postgresql:///{database}?host={self.folder}&port={self.port}&user={USER}"

    def network_url(self, *others, database="test"):
        """Over loopback TCP; with others, whichever of them takes writes."""
        hosts = ",".join(f"127.0.0.1:{cluster.port}" for cluster in (self, *others))
        return f"postgresql://{USER}@{hosts}/{database}?target_session_attrs=read-write"

    def stop(self, number=signal.SIGINT):
        """SIGINT stops it at once and cleanly, SIGKILL as a crash does; the children of a killed one end by themselves."""
        if self.process is None:
            return
        if self.process.poll() is None:
            os.kill(self.postmaster(), number)
        self.process.wait(SECONDS)
        self.process = None

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        self.start()
        self.sql("CREATE DATABASE test")
        return self

    def __exit__(self, *_):
        self.close()


class Pooler:
    """A pgbouncer before a cluster."""

    def __init__(self, cluster, mode):
        self.cluster, self.mode, self.port, self.process = cluster, mode, free_port(), None
        self.folder = tempfile.mkdtemp(prefix="interviewkit-pgbouncer-")

    def start(self):
        path = f"{self.folder}/pgbouncer.ini"
        with open(f"{self.folder}/users", "w") as file:
            file.write(f'"{USER}" ""\n')
        with open(path, "w") as file:
            file.write(
                f"""[databases]
* = host={self.cluster.folder} port={self.cluster.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = trust
auth_file = {self.folder}/users
pool_mode = {self.mode}
default_pool_size = 40
server_login_retry = 0.2
"""
            )
        prefix = []
        if os.getuid() == 0:
            subprocess.run(["chown", "-R", "postgres", self.folder], check=True)
            prefix = ["runuser", "-u", "postgres", "--"]
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen([*prefix, program, path], cwd="/", stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + SECONDS
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError(f"pgbouncer did not start:\n{open(f'{self.folder}/log').read()[-2000:]}")
                time.sleep(0.05)

    def url(self, database="test"):
        return f"postgresql://{USER}@127.0.0.1:{self.port}/{database}"

    def stop(self):
        """As a crash does."""
        if self.process and self.process.poll() is None:
            # Its parent, which changed the user, ends with it.
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
                children = [int(word) for word in file.read().split()]
            for process in children or [self.process.pid]:
                os.kill(process, signal.SIGKILL)
            self.process.wait(SECONDS)
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    # A crash of the machine is not among what unit tests try.
    with Cluster({"fsync": "off", "full_page_writes": "off"}) as cluster:
        print(cluster.url(), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
