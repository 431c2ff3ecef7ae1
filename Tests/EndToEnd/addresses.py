# The limit of connections an address, over the wire. Loopback is exempt, so this runs in a network of its own with others.

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile

from service import BINARY, ROOT, command, wait_until

HERE, CROWD, OTHER, PROXY = "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"
LIMIT = 256
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
SET_FLAGS, SET_ADDRESS, UP = 0x8914, 0x8916, 1


def give_addresses():
    """Makes all of 10.0.0.0/8 addresses of this network's loopback."""
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))
        address = struct.pack("HH4s", socket.AF_INET, 0, socket.inet_aton(HERE))
        fcntl.ioctl(any_socket, SET_ADDRESS, struct.pack("16s16s", b"lo:1", address))


class Service:
    def __init__(self, data, transfer):
        command("token", "create", "--role", "admin", "--name", "a", "--data", data)
        self.process = subprocess.Popen(
            [BINARY, "serve", "--host", HERE, "--port", "0", "--data", data, "--transfer", transfer,
             "--trusted-proxies", PROXY, "--log-level", "error"], cwd=ROOT, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline().decode().rsplit(":", 1)[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def connect(self, source):
        return socket.create_connection((HERE, self.port), timeout=10, source_address=(source, 0))

    def stop(self):
        self.process.terminate()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code


def answer(connection, sent=REQUEST):
    """The status and the head of the next answer; nothing of it where the connection is lost."""
    try:
        connection.sendall(sent)
        data = b""
        while b"\r\n\r\n" not in data or b"}" not in data:
            piece = connection.recv(65536)
            if not piece:
                break
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head.split()[1]), head.lower(), body
    except (OSError, IndexError):
        return None, b"", b""


def is_polite(connection, sent):
    """Refused with a document that says for how long, and closed."""
    status, head, body = answer(connection, sent)
    says = b"\r\nretry-after: " in head and b"\r\nconnection: close" in head and b'"tooManyConnections"' in body
    try:
        return status == 503 and says and connection.recv(65536) == b""
    except OSError:
        return False


def admitted(service, source, count):
    """Connections that have each been answered."""
    held = [service.connect(source) for _ in range(count)]
    return [connection for connection in held if answer(connection)[0] == 200]


def crowd(transfer):
    """What was found, by name."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        service = Service(f"{folder}/data", transfer)
        answer(service.connect(OTHER))
        before = service.descriptors()
        held = admitted(service, CROWD, LIMIT)
        found["as many as the limit are answered"] = len(held), LIMIT
        # Those that say nothing are told as well.
        refused = [(service.connect(CROWD), REQUEST if number % 2 else b"") for number in range(10)]
        found["those beyond it are refused politely"] = sum(is_polite(*one) for one in refused), 10
        found["another address is served meanwhile"] = len(admitted(service, OTHER, 20)), 20
        found["and so are those that are held"] = sum(answer(one)[0] == 200 for one in held), LIMIT
        proxied = admitted(service, PROXY, LIMIT + 20)
        found["a trusted proxy is exempt"] = len(proxied), LIMIT + 20
        for one in proxied + held[:10] + [one for one, _ in refused]:
            one.close()
        held = held[10:]
        wait_until(lambda: service.descriptors() <= before + len(held), 5)
        held += admitted(service, CROWD, 10)
        found["whoever closes makes room"] = len(held), LIMIT
        found["for as many as have closed"] = is_polite(service.connect(CROWD), REQUEST), True
        for one in held:
            one.close()
        wait_until(lambda: service.descriptors() <= before, 5)
        found["no descriptor is left"] = service.descriptors() <= before, True
        found["it ends with 0"] = service.stop(), 0
    return found


def run(tally):
    within = ["unshare", "--map-root-user", "--net", sys.executable, "-B", __file__]
    if subprocess.run([*within[:3], "true"], capture_output=True).returncode != 0:
        print("        the limit of connections an address is not checked: the kernel permits no network of one's own")
        return
    done = subprocess.run(within, capture_output=True, text=True, timeout=120)
    if not tally.equal("the limit of connections an address is checked", done.returncode, 0):
        return print(done.stderr[-3000:])
    for transfer, found in json.loads(done.stdout).items():
        for name, (value, wanted) in found.items():
            tally.equal(f"with {transfer}, {name}", value, wanted)


if __name__ == "__main__":
    give_addresses()
    print(json.dumps({transfer: crowd(transfer) for transfer in ("auto", "epoll")}))
