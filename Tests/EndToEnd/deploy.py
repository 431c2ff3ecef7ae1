# The unit, the compose files and the Dockerfile agree with the program: what they set exists, and what they name is there.

import json
import os
import re
import signal
import socket
import subprocess
import tempfile

import yaml

from service import BINARY, ROOT, Server

DEPLOY = os.path.join(ROOT, "Examples/deploy")
# What `systemd-analyze security` may find at most, of 10; a service without any of it has 9.6.
EXPOSURE = 2.0


def text(path):
    with open(os.path.join(ROOT, path)) as file:
        return file.read()


def variables():
    """The environment variables that the reference has."""
    return set(re.findall(r"^\| `\w+` \| `--[\w-]+` \| `(INTERVIEWKIT_\w+)`", text("docs/configuration.md"), re.MULTILINE))


def accepted(environment):
    """Whether the program takes these settings; what it says when it does not."""
    ours = {name: str(value) for name, value in environment.items() if name.startswith("INTERVIEWKIT_")}
    done = subprocess.run(
        [BINARY, "fonts"], cwd=ROOT, env=dict(os.environ, **ours), capture_output=True, text=True, timeout=30)
    return done.returncode in (0, 1), done.stderr


def unit(tally):
    found = re.findall(r"INTERVIEWKIT_\w+", text("Examples/deploy/interviewkit.service"))
    tally.check("the unit sets only what there is", found and set(found) <= variables(), found)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("interviewkit.service", "interviewkit.socket"):
            with open(f"{folder}/{name}", "w") as file:
                # The program is not installed here; all else is as it is.
                file.write(text(f"Examples/deploy/{name}").replace("/opt/interviewkit/bin/interviewkit", BINARY))
        units = [f"{folder}/interviewkit.service", f"{folder}/interviewkit.socket"]
        done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, timeout=60)
        told = [line for line in done.stderr.splitlines() if "interviewkit" in line]
        tally.equal("systemd-analyze verify has nothing to say", (done.returncode, told), (0, []))
        command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={int(EXPOSURE * 10)}", units[0]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        tally.equal(f"its exposure is at most {EXPOSURE}", done.returncode, 0)


def notifies(tally):
    """The server tells a service manager what Type=notify waits for."""
    for name in ("a path", "an abstract name"):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.settimeout(20)
            address = f"{folder}/notify" if name == "a path" else f"@interviewkit-test-{os.getpid()}"
            manager.bind(address.replace("@", "\0", 1) if address.startswith("@") else address)
            with Server(environment={"NOTIFY_SOCKET": address}) as server:
                heard = [manager.recv(4096).decode()]
                tally.equal(f"{name}: it says that it is ready, and where", heard[0],
                            f"READY=1\nSTATUS=listening on http://127.0.0.1:{server.port}")
                server.process.send_signal(signal.SIGHUP)
                heard = [manager.recv(4096).decode(), manager.recv(4096).decode()]
                tally.check(f"{name}: it says that it reads its settings, and has",
                            re.fullmatch(r"RELOADING=1\nMONOTONIC_USEC=\d+", heard[0]) and heard[1].startswith("READY=1\n"), heard)
                server.process.send_signal(signal.SIGTERM)
                tally.check(f"{name}: it says that it stops", manager.recv(4096).decode().startswith("STOPPING=1\n"))
                tally.equal(f"{name}: and does", server.process.wait(timeout=20), 0)


def names(entries):
    """What a list of volumes or secrets names, files of the host aside."""
    found = [entry.split(":")[0] for entry in entries or [] if isinstance(entry, str)]
    return {name for name in found if not name.startswith((".", "/"))}


def check_services(tally, title, services, document):
    for name, service in services.items():
        tally.check(f"{title}: the volumes of {name} are declared", names(service.get("volumes")) <= set(document["volumes"]))
        tally.check(f"{title}: the secrets of {name} are declared", names(service.get("secrets")) <= set(document["secrets"]))
        tally.check(f"{title}: {name} waits for services that there are", set(service.get("depends_on", {})) <= set(services))
        environment = service.get("environment", {})
        tally.check(f"{title}: {name} sets only what there is",
                    {one for one in environment if one.startswith("INTERVIEWKIT_")} <= variables(), environment)
        for variable, value in environment.items():
            if str(value).startswith("/run/secrets/"):
                tally.check(f"{title}: {variable} names a secret of {name}", value.split("/")[-1] in service["secrets"])
    tally.equal(f"{title}: the program takes these settings", accepted(services["interviewkit"]["environment"])[0], True)
    # The proxy's upstreams, as Caddy itself reads them, are services, at the port that they listen on.
    environment = os.environ | {name: str(value) for name, value in services["caddy"]["environment"].items()} | {"SITE": "localhost"}
    done = subprocess.run(["caddy", "adapt", "--config", f"{DEPLOY}/Caddyfile"], env=environment, capture_output=True, text=True, timeout=30)
    dials = re.findall(r'"dial":"([^"]+)"', done.stdout)
    ours = sorted(name for name in services if name.startswith("interviewkit"))
    port = services["interviewkit"]["environment"]["INTERVIEWKIT_PORT"]
    tally.equal(f"{title}: Caddy asks every server", sorted(dials), sorted(f"{name}:{port}" for name in ours))


def compose(tally):
    base = yaml.safe_load(text("Examples/deploy/compose.yaml"))
    service = base["services"]["interviewkit"]
    environment = service["environment"]
    check_services(tally, "compose.yaml", base["services"], base)
    tally.equal("compose.yaml: the port is the one that is exposed", [environment["INTERVIEWKIT_PORT"]], service["expose"])
    subnets = [one["subnet"] for one in base["networks"]["inside"]["ipam"]["config"]]
    tally.equal("compose.yaml: the proxy's network is trusted", [environment["INTERVIEWKIT_TRUSTED_PROXIES"]], subnets)
    dockerfile = text("Dockerfile")
    data = environment["INTERVIEWKIT_DATA"]
    tally.check("compose.yaml: its data is the image's volume", f"VOLUME {data}" in dockerfile and f"data:{data}" in service["volumes"])
    tally.check("compose.yaml: its port is the image's", f"EXPOSE {environment['INTERVIEWKIT_PORT']}" in dockerfile)
    tally.check("compose.yaml: the image has a health check to wait for", "HEALTHCHECK" in dockerfile)
    tally.check("compose.yaml: its user is the image's", "uid 10001" in text("Examples/deploy/compose.yaml") and "--uid 10001" in dockerfile)
    tally.check("compose.yaml: it builds this", os.path.samefile(os.path.join(DEPLOY, service["build"]), ROOT))
    found = set(re.findall(r"INTERVIEWKIT_\w+", dockerfile))
    tally.check("the Dockerfile sets only what there is", found and found <= variables(), found)

    more = yaml.safe_load(text("Examples/deploy/compose.postgresql.yaml"))
    merged = {"volumes": {**base["volumes"], **more["volumes"]}, "secrets": {**base["secrets"], **more["secrets"]}}
    services = {name: dict(one) for name, one in base["services"].items()}
    for name, one in more["services"].items():
        under = services.get(name, {})
        if "extends" in one:
            tally.equal(f"{name} extends a service that there is", one["extends"], {"file": "compose.yaml", "service": "interviewkit"})
            under = base["services"]["interviewkit"]
        services[name] = {**under, **one, "environment": {**under.get("environment", {}), **one.get("environment", {})}}
    check_services(tally, "compose.postgresql.yaml", services, merged)
    database = services["interviewkit"]["environment"]["INTERVIEWKIT_DATABASE"]
    words = dict(word.split("=", 1) for word in database.split())
    postgres = services["postgres"]["environment"]
    tally.equal("it asks the PostgreSQL that there is", (words["host"] in services, words["user"], words["dbname"]),
                (True, postgres["POSTGRES_USER"], postgres["POSTGRES_DB"]))


def misspelt(tally):
    """A slip in a file of an operator stops the start and says what was meant."""
    done = accepted({"INTERVIEWKIT_" + "TRUSTED_PROXYS": "10.0.0.0/8"})
    tally.check("a variable with a slip is refused", not done[0] and "INTERVIEWKIT_TRUSTED_PROXIES" in done[1], done)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/c.json", "w") as file:
            json.dump({"trustedProxy": "unix"}, file)
        done = subprocess.run([BINARY, "serve", "--config", f"{folder}/c.json"], capture_output=True, text=True, timeout=20)
        tally.check("and so is one in the file", done.returncode == 78 and "trustedProxies" in done.stderr, done.stderr)


def run(tally):
    unit(tally)
    notifies(tally)
    compose(tally)
    misspelt(tally)
