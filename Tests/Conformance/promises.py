# What we promise besides the RFCs: limits with their answers, every refusal a whole document, and the ends of resources.

import json
import resource
import time

from abuse import eventually
from cases import HOST, KIT, MEASURE, Area, Want, is_healthy, post, request
from wire import Connection, Failure

promises = Area("promises")
KELVIN = b"\xe2\x84\xaa"


def is_problem(reply):
    """A problem document whose ID is the reply's."""
    if reply.get("content-type") != "application/problem+json":
        return False
    problem = json.loads(reply.body)
    return problem["status"] == reply.status and problem["requestId"] == reply.get("x-request-id") and problem["detail"]


REFUSALS = {
    400: request(host=""),
    404: request("GET", "/nothing"),
    405: request("DELETE", "/healthz"),
    406: request("GET", KIT, "Accept: image/png"),
    413: post("Content-Length: 99999999"),
    414: request("GET", "/" + "a" * 20_000),
    415: request("POST", MEASURE, "Content-Type: text/x", "Content-Length: 2", body=b"{}"),
    417: request("GET", "/healthz", "Expect: more"),
    421: request(host="Host: example.org\r\n"),
    431: request("GET", "/healthz", "X: " + "a" * 20_000),
    501: request("FETCH", "/healthz"),
    505: request(version="HTTP/2.0"),
}
for status, sent in REFUSALS.items():
    wanted = Want(status, has={"date": None, "content-length": None}, check=is_problem)
    promises.case(f"{status} is a problem document with the reply's ID", "9457 3", "OURS", sent, wanted, needs=["ours"])

promises.case(
    "415 to a POST names what is taken",
    "9110 15.5.16",
    "OURS",
    REFUSALS[415],
    Want(415, has={"accept-post": "application/json", "accept": "application/json"}),
    needs=["ours"],
)
promises.case(
    "415 to a PATCH names what is taken",
    "5789 2.2",
    "OURS",
    request("PATCH", KIT, "Content-Type: text/x", "Content-Length: 2", body=b"{}"),
    Want(415, has={"accept-patch": "application/merge-patch+json, application/json"}),
    needs=["ours"],
)
promises.case(
    "the Kelvin sign is no k in a token",
    "9110 5.6.2",
    "OURS",
    b"GET /healthz HTTP/1.0\r\n%sConnection: %seep-alive\r\n\r\n" % (HOST.encode(), KELVIN),
    Want(200, has={"connection": "close"}),
    end="closed",
    needs=["ours"],
)
promises.refused(
    "the Kelvin sign is no k in a name",
    "9110 5.1",
    "OURS",
    b"GET /healthz HTTP/1.1\r\n%s%sey: a\r\n\r\n" % (HOST.encode(), KELVIN),
    needs=["ours"],
)
promises.case(
    "an encoded slash stays in its segment", "3986 2.2", "OURS", request("GET", "/v1%2Fkits/k"), 404, needs=["ours"]
)
for depth in (65, 100_000):
    nested = b"[" * depth + b"]" * depth
    promises.case(
        f"JSON {depth:,} deep is refused",
        "8259 9",
        "OURS",
        post(f"Content-Length: {len(nested)}", body=nested),
        Want(400, check=is_problem),
        end="open",
        needs=["ours"],
    )


@promises.scenario("a connection ends after 10,000 requests, announced", "9112 9.6", "OURS", needs=["ours"])
def last_request(peer):
    with Connection(peer.port) as connection:
        for _ in range(100):
            connection.send(request() * 100)
            replies = [connection.reply() for _ in range(100)]
            closing = [index for index, reply in enumerate(replies) if reply.closes]
            if closing:
                break
        if _ != 99 or closing != [99]:
            raise Failure(f"closes after {_ * 100 + closing[0] + 1 if closing else 'more'}")
        connection.expect_closed()


def own_server(*arguments):
    import service

    return service.Server(arguments=("--log-level", "error", *arguments))


@promises.scenario("one connection too many gets 503 and a time", "9110 15.6.4", "OURS", needs=["ours"])
def connection_limit(_):
    with own_server("--maximum-connections", "20") as server:
        held = [Connection(server.port) for _ in range(20)]
        for connection in held:
            connection.send(request())
            connection.reply()
        with Connection(server.port) as late:
            Want(503, has={"retry-after": None, "connection": "close"}, check=is_problem).judge(late.reply())
            late.expect_closed()
        held.pop().socket.close()
        if not eventually(lambda: is_healthy(server) is None):
            raise Failure("no room after one had gone")
        for connection in held:
            connection.socket.close()


@promises.scenario("without descriptors it neither spins nor ends", "9112 9.5", "OURS", needs=["ours"])
def no_descriptors(_):
    with own_server() as server:
        pid = server.process.pid

        def seconds():
            with open(f"/proc/{pid}/stat") as file:
                return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / 100

        with Connection(server.port) as connection:
            connection.send(request())
            connection.reply()
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (64, 64))
        held = []
        for _ in range(100):
            try:
                held.append(Connection(server.port))
            except OSError:
                break
        before = seconds()
        time.sleep(1)
        used = seconds() - before
        for connection in held:
            connection.socket.close()
        if used > 0.2:
            raise Failure(f"{used:.2f} s of processor time in one second without descriptors")
        if not eventually(lambda: is_healthy(server) is None):
            raise Failure("does not serve after descriptors have come back")
