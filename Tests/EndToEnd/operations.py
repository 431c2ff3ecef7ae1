# What operators do to a running service: read the settings again, hand it sockets, put a proxy before it, end it twice.

import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from service import BINARY, ROOT, Client, Server, command, wait_until


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
            tally.check("and the reading is logged, also the first", waiting and wait_until(lambda: len(events(server, "settings.read")) == 2, 5))
            if waiting:
                restart = events(server, "settings.read")[0]["needRestart"]
                tally.equal("what needs a restart is named", restart, ["cacheMegabytes"])
            configure(path, logLevel="error", cacheMegabytes=30)
            server.process.send_signal(signal.SIGHUP)
            tally.check("at whatever level", wait_until(lambda: len(events(server, "settings.read")) == 3, 5))
            with open(path, "w") as file:
                file.write('{"logLevel": "loud"}')
            server.process.send_signal(signal.SIGHUP)
            refused = wait_until(lambda: events(server, "settings.refused"), 5)
            tally.check("settings that are wrong are refused, and it goes on", refused and server.is_alive())
            tally.equal("as it was", server.request("GET", "/healthz").status, 200)
            server.process.send_signal(signal.SIGTERM)
            tally.equal("and ends with 0", server.process.wait(timeout=20), 0)


def tells_where_tokens_go(tally):
    """A folder that was misspelt is told, and who locked himself out is told the way back, in the same account."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/data"
        none = command("token", "list", "--data", data)
        tally.check("no database", none.returncode == 78 and "--data, or INTERVIEWKIT_DATA" in none.stderr, none.stderr)
        made = command("token", "create", "--role", "admin", "--name", "boss", "--data", data)
        tally.check("a new database is told", made.returncode == 0 and f"a new database was made: {data}/interviewkit.sqlite\n" in made.stderr, made.stderr)
        again = command("token", "create", "--role", "author", "--name", "art", "--data", data)
        tally.check("another token is not", again.returncode == 0 and "new database" not in again.stderr, again.stderr)
        first = command("token", "create", "--role", "observer", "--name", "x", "--account", "acme", "--data", data)
        tally.check("the first of another account is an admin's", first.returncode == 1 and first.stdout == "", first.stderr)
        both = command("token", "create", "--role", "admin", "--member", "boss", "--name", "x", "--data", data)
        tally.check("a role or a member", both.returncode == 64 and "not both" in both.stderr, both.stderr)
        command("token", "create", "--role", "admin", "--name", "ann", "--account", "acme", "--data", data)
        token = json.loads(command("token", "list", "--account", "acme", "--data", data).stdout)["id"]
        ended = command("token", "revoke", token, "--account", "acme", "--data", data)
        line = f"interviewkit token create --role admin --name NAME --account acme --data {data}\n"
        tally.check("the way back has the account and the folder", ended.returncode == 0 and ended.stderr.endswith(line), ended.stderr)


def tells_of_namesakes(tally):
    """A role beside a name makes another member where the one that is there has another role: both IDs are told."""
    with tempfile.TemporaryDirectory() as folder:
        data = f"{folder}/data"
        made = [command("token", "create", "--role", role, "--name", "ann", "--data", data) for role in ("admin", "author", "author")]
        members = [re.search(r" of member (\S+);", one.stderr).group(1) for one in made]
        tally.check("a role makes a member beside a namesake, once", members[0] != members[1] == members[2], members)
        said = f"this token is of {members[1]}; another member has the same name: {members[0]}, of the role admin\n"
        tally.check("and both are told", said in made[1].stderr and said in made[2].stderr, made[1].stderr)
        tally.check("where there was none, none is", "another" not in made[0].stderr, made[0].stderr)
        named = command("token", "create", "--member", members[0], "--name", "second", "--data", data)
        tally.check("nor where the member was named", named.returncode == 0 and "another" not in named.stderr, named.stderr)


def leaves_nothing(tally):
    """A command that is refused leaves no file and no folder that was not there."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as taken:
        bad, copy, parent = f"{folder}/bad.json", f"{folder}/copy.sqlite", f"{folder}/new"
        with open(bad, "w") as file:
            file.write('{"title": 5}')
        with open(copy, "wb") as file:
            file.write(b"SQLite format 3\0" + b"x" * 9000)
        kit = f"{ROOT}/Examples/kits/backend-engineer.en.json"
        cases = [
            (1, "token create --role author --name ann"), (64, "token create --role admin --member x --name ann"),
            (64, "token create --member nobody --name ann"), (78, "token list"), (1, f"import {bad}"), (0, f"import --dry-run {kit}"), (1, f"import --all {kit}"),
            (1, f"restore --from {copy}"), (78, "serve --host 0.0.0.0 --port 0"), (78, f"serve --port {taken.getsockname()[1]}"),
            (78, f"serve --port 0 --bootstrap-token-file {bad}"), (78, f"serve --port 0 --fonts {bad}"), (78, "verify"),
        ]
        for code, words in cases:
            done = command(*words.split(), "--data", f"{parent}/data")
            tally.check(f"{words}: {code}", done.returncode == code and (code == 0 or done.stderr), (done.returncode, done.stderr))
            tally.check(f"{words}: nothing is left", not os.path.exists(parent), list(os.walk(parent)))
        os.makedirs(f"{parent}/data")
        for code, words in cases:
            tally.equal(f"{words}: {code}, in a folder", command(*words.split(), "--data", f"{parent}/data").returncode, code)
            tally.equal(f"{words}: the folder is there and empty", os.listdir(f"{parent}/data"), [])
        for _ in range(3):
            roles = {role: ["--role", role, "--name", role, "--data", f"{parent}/race"] for role in ("author", "admin")}
            started = {
                role: subprocess.Popen([BINARY, "token", "create", *words], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for role, words in roles.items()
            }
            codes = {role: process.wait(timeout=60) for role, process in started.items()}
            listed = command("token", "list", "--data", f"{parent}/race").stdout.splitlines()
            there = sorted(json.loads(line)["role"] for line in listed)
            tally.equal("a refusal takes nothing of another command's", there, sorted(role for role in codes if codes[role] == 0))
            tally.equal("which was not refused", codes["admin"], 0)
            shutil.rmtree(f"{parent}/race", ignore_errors=True)


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


def restarts_unnoticed(tally):
    """With a socket that outlives the server, clients that connect while it restarts wait, and none is refused."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        script = f"exec 3<&{listener.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec {BINARY} serve --data {folder}/data"

        def start():
            process = subprocess.Popen(
                ["sh", "-c", script], cwd=ROOT, pass_fds=[listener.fileno()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                env=dict(os.environ, INTERVIEWKIT_RATE_LIMIT="off"))
            process.stdout.readline()
            return process

        written, failed, ended = [], [], threading.Event()

        def write(name):
            while not ended.is_set():
                try:
                    client = Client(listener.getsockname()[1])
                    reply = client.request("PUT", f"/v1/kits/{name}-{len(written)}", {"title": "K"})
                    client.close()
                    (written if reply.status in (200, 201, 428) else failed).append(reply.status)
                except OSError as error:
                    failed.append(error)

        process = start()
        writers = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c", "d")]
        for writer in writers:
            writer.start()
        for _ in range(3):
            count = len(written)
            wait_until(lambda: len(written) > count + 20 or failed, 20)
            process.terminate()
            process.wait(timeout=20)
            process.stdout.close()
            process = start()
        ended.set()
        for writer in writers:
            writer.join()
        tally.check("writers do not notice three restarts", len(written) > 60 and not failed, (len(written), failed[:5]))
        process.terminate()
        process.wait(timeout=20)
        process.stdout.close()


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
    tally.check("a range that is none stops the start", wrong.returncode == 64 and "10.0.0.1/8" in wrong.stderr)


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


def sample(line):
    """One line of metrics: name, labels, value."""
    found = re.fullmatch(r'([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (\S+)', line)
    if not found:
        return None
    labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', found[2] or ""))
    return found[1], labels, float(found[3].replace("+Inf", "inf"))


def metric_faults(text):
    """What is wrong with a text of metrics, by the exposition format 0.0.4 and Prometheus' rules for names."""
    faults, kinds, helps, seen, histograms = [], {}, set(), set(), {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ")[2]
            faults += [f"{name} has two helps"] * (name in helps)
            helps.add(name)
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            faults += [f"{name} has two types"] * (name in kinds) + [f"{name} has no help"] * (name not in helps)
            kinds[name] = kind
        else:
            read = sample(line)
            if not read:
                faults.append(f"no sample: {line}")
                continue
            name, labels, value = read
            family = re.sub("_(bucket|sum|count)$", "", name)
            family = family if kinds.get(family) == "histogram" else name
            kind = kinds.get(family)
            key = (name, tuple(sorted(labels.items())))
            faults += [f"{name} comes twice: {labels}"] * (key in seen) + [f"{name} has no type"] * (kind is None)
            faults += [f"{name} is a counter without _total"] * (kind == "counter" and not name.endswith("_total"))
            faults += [f"{name} is {value}"] * (math.isnan(value) or (kind != "gauge" and value < 0))
            seen.add(key)
            if kind == "histogram":
                of = tuple(sorted(one for one in labels.items() if one[0] != "le"))
                histograms.setdefault((family, of), {})[name.removeprefix(family), labels.get("le")] = value
    for (family, labels), values in histograms.items():
        buckets = [(float(le.replace("+Inf", "inf")), count) for (suffix, le), count in values.items() if suffix == "_bucket"]
        rising = buckets == sorted(buckets) and [count for _, count in buckets] == sorted(count for _, count in buckets)
        whole = buckets and buckets[-1] == (math.inf, values.get(("_count", None))) and ("_sum", None) in values
        faults += [f"{family} {labels} is no histogram: {values}"] * (not rising or not whole)
    return faults


def tells_figures(tally):
    with Server() as server:
        for path in ("/v1/kits", "/v1/kits/none", "/v1/profiles/ios", "/no%22where"):
            server.request("GET", path)
        server.request("POST", "/v1/kits", {"id": "k", "title": "K"})
        text = server.request("GET", "/metrics").body.decode()
        tally.equal("/metrics keeps the format", metric_faults(text), [])
        tally.check("and its faults would be seen", all(metric_faults(text + more) for more in (
            "a 1\n", "# TYPE b counter\n", "# HELP c C\n# TYPE c counter\nc 1\n", 'interviewkit_connections_open 1\n', "{} 1\n")))
        found = {name: value for name, labels, value in map(sample, filter(lambda line: line[0] != "#", text.splitlines())) if not labels}
        descriptors = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        tally.check("open descriptors are counted", abs(found["process_open_fds"] - descriptors) <= 3, (found["process_open_fds"], descriptors))
        tally.check("the start is told", 0 <= time.time() - found["process_start_time_seconds"] < 60, found["process_start_time_seconds"])
        tally.check("every alert of docs/operators.md asks for what there is", alerts_know(text), alerts_know(text))


def alerts_know(text):
    with open(f"{ROOT}/docs/operators.md") as file:
        names = set(re.findall(r"\b(?:interviewkit|process)_[a-z_]+[a-z]\b", file.read()))
    known = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)) | {"process_max_fds"}
    known |= {name + suffix for name in known for suffix in ("_bucket", "_sum", "_count")}
    return bool(names) and names <= known


def logs_requests(tally):
    with Server() as server:
        ids = [server.request("GET", path).headers["x-request-id"] for path in ("/healthz", "/v1/kits", "/nowhere")]
        wait_until(lambda: len(events(server, "request")) >= 3, 5)
        with open(server.log.name) as file:
            lines = [json.loads(line) for line in file]
        tally.check("every line of the log is JSON with its time, level and event",
                    all(re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z", line["at"]) and line["level"] in
                        ("debug", "info", "warning", "error") and line["event"] for line in lines), lines)
        logged = [line["requestId"] for line in lines if line["event"] == "request"]
        # Each event loop writes its own lines: the order is that of connections, not of requests.
        tally.equal("requests are logged under the IDs that were answered", sorted(logged[:3]), sorted(ids))


def run(tally):
    tells_figures(tally)
    logs_requests(tally)
    reads_settings_again(tally)
    tells_where_tokens_go(tally)
    tells_of_namesakes(tally)
    leaves_nothing(tally)
    takes_inherited_sockets(tally)
    restarts_unnoticed(tally)
    believes_trusted_proxies(tally)
    ends_at_the_second_signal(tally)
