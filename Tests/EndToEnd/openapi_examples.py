# Sends every request of /openapi.json as its examples write it, in the order of one story, and holds the replies to the examples.

import json
import re
import subprocess
from urllib.parse import quote

from described import Described
from service import Server, require

# The whole API once: each step an operation, and what is asked of it besides its examples.
STORY = [
    "createKit", ("createKit", {"type": "text/markdown"}), ("createKit", {"type": "text/csv"}), "putKit", "patchKit",
    "readKit", ("readKit", {"accept": "text/markdown"}), ("readKit", {"accept": "text/csv"}), "listKits", "copyKit",
    "createSection", "putSection", "readSection", "patchSection", "moveSection", "listSections",
    "createQuestion", "putQuestion", "readQuestion", "patchQuestion", "moveQuestion", "copyQuestion", "listQuestions",
    "deleteQuestion", ("listQuestions", {"query": {"deleted": "true"}}), "restoreQuestion",
    "deleteSection", ("listSections", {"query": {"deleted": "true"}}), "restoreSection",
    "readKitRevision", ("readKitRevision", {"accept": "text/markdown"}), ("readKitRevision", {"accept": "text/csv"}),
    "readKitDiff", "readKitLayout",
    "createEvaluation", "putEvaluation", "patchEvaluation", "putAnswer", "readAnswer", "patchAnswer", "clearAnswer",
    "readAnswerHistory", ("putAnswer", {"name": "again", "headers": {"If-Match": "*"}}), "patchAnswers", "readAnswers", "readEvaluationLayout",
    "measureUnsaved", ("putKitRevision", {"query": {"dryRun": "true"}}), "putKitRevision",
    "submitEvaluation", "readEvaluation", ("readEvaluation", {"accept": "text/markdown"}),
    ("readEvaluation", {"accept": "text/csv"}), "listEvaluations", "exportEvaluations",
    ("exportEvaluations", {"accept": "text/markdown"}), ("exportEvaluations", {"accept": "text/csv"}),
    "reopenEvaluation", "withdrawEvaluation", "readEvaluationHistory", "readChanges", "readCandidate",
    "measure", "putProfile", "listProfiles", "readProfile", "readFonts",
    "createMember", "readMember", "patchMember", "listMembers", "createToken", "readMe", "listTokens", "createTicket",
    "revokeToken", "listAudit", "eraseCandidate", "deleteKit", "restoreKit",
    "readHealth", "readReadiness", "readVersion", "readMetrics", "readOpenAPI",
]  # fmt: skip
# What differs from one run to the next: only its form is compared.
FORMS = [
    re.compile(form)
    for form in (
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", r"[0-9a-f]{16,}",
        r"[a-z0-9]+-\d+", r"ikt?_[A-Za-z0-9_-]+", r"/assets/fonts/[0-9a-f]+/\d+", r"\d+\.\d+\.\d+(-[a-z0-9]+)?",
    )
]  # fmt: skip
# Members whose numbers depend on the fonts, on the engine's version or on how long the service runs.
MEASURED = {"y", "height", "exactHeight", "heightDelta", "contentHeight", "width", "lines", "schema", "engine", "sequence"}


def differences(example, real, where=""):
    """Where a reply is not as its example: members and items may be left out of an example, nothing else."""
    if isinstance(example, dict) and isinstance(real, dict):
        found = [f"{where}/{name} is not in the reply" for name in example.keys() - real.keys()]
        for name in example.keys() & real.keys():
            if name not in MEASURED or not isinstance(example[name], (int, float)) or not isinstance(real[name], (int, float)):
                found += differences(example[name], real[name], f"{where}/{name}")
        return found
    if isinstance(example, list) and isinstance(real, list):
        if len(example) > len(real):
            return [f"{where} has {len(real)} items"]
        return [fault for place, item in enumerate(example) for fault in differences(item, real[place], f"{where}/{place}")]
    if isinstance(example, str) and isinstance(real, str) and any(f.fullmatch(example) and f.fullmatch(real) for f in FORMS):
        return []
    same = example == real and isinstance(example, bool) == isinstance(real, bool)
    return [] if same else [f"{where} is {json.dumps(real)[:80]}, not {json.dumps(example)[:80]}"]


def blank(text):
    """A text with whatever differs from one run to the next taken out."""
    return re.sub("|".join(f"\\b{form.pattern}" for form in FORMS[:4]), "…", text).replace("\r\n", "\n").strip()


class Examples:
    """The examples of a description, as requests and as expectations."""

    def __init__(self, document):
        self.described = Described(document)
        self.named = {
            operation["operationId"]: (method, path, operation)
            for (method, path), operation in self.described.operations.items()
        }

    def all(self, content):
        """The values of a media type's examples, by name."""
        return {name: self.described.resolve(one)["value"] for name, one in content.get("examples", {}).items()}

    def request(self, name, step):
        """Method, target, body and headers as the examples write them."""
        method, path, operation = self.named[name]
        query, headers = dict(step.get("query", {})), dict(step.get("headers", {}))
        for parameter in operation["parameters"]:
            if "example" not in parameter:
                continue
            value = parameter["example"]
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            if parameter["in"] == "path":
                path = path.replace("{%s}" % parameter["name"], quote(text))
            elif parameter["in"] == "query":
                query.setdefault(parameter["name"], text)
            else:
                headers[parameter["name"]] = text
        body = None
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]
            kind = step.get("type") or next(iter(content))
            body = next(iter(self.all(content[kind]).values()))
            headers["Content-Type"] = kind
        if "accept" in step:
            headers["Accept"] = step["accept"]
        target = path + ("?" + "&".join(f"{key}={quote(str(value), safe=',')}" for key, value in query.items()) if query else "")
        return method, target, body.encode() if isinstance(body, str) else body, headers

    def nearest(self, name, reply):
        """The example that a reply is most like, and where it differs; nothing where there is no body."""
        content = self.described.resolve(self.named[name][2]["responses"][str(reply.status)]).get("content", {})
        if not content:
            return None, []
        kind = reply.headers["content-type"].split(";")[0]
        described = next(part for key, part in content.items() if key.split(";")[0] == kind)
        found = {key: self.unlike(value, reply) for key, value in self.all(described).items()}
        return min(found.items(), key=lambda one: len(one[1]), default=(kind, [f"{kind} has no example"]))

    def unlike(self, example, reply):
        if isinstance(example, str):
            text = blank(reply.body.decode())
            return [] if text.startswith(blank(example)) else [f"{text[:200]!r} does not begin with {blank(example)[:200]!r}"]
        return differences(example, reply.json)


def schemas(tally, examples):
    """Every example, of requests, of replies and of problems, is as its schema says."""
    for name, (_, _, operation) in examples.named.items():
        bodies = [("request", operation["requestBody"])] if "requestBody" in operation else []
        bodies += [(status, examples.described.resolve(reply)) for status, reply in operation["responses"].items()]
        for place, body in bodies:
            for kind, content in body.get("content", {}).items():
                values = examples.all(content)
                tally.check(f"{name} {place} {kind} has an example", values)
                for example, value in values.items():
                    faults = examples.described.faults(content["schema"], value)
                    tally.check(f"{name} {place} {kind}: the example {example} is as described", not faults, faults[:3])
                    if place not in ("request", "default") and int(place) >= 400:
                        tally.equal(f"{name} {place}: the example {example} has its status and code", (str(value["status"]), value["code"]), (place, example))


def told(tally, examples, send):
    """The story: each request succeeds as written, each reply is as described, and each example is what some reply said."""
    steps = [(step, {}) if isinstance(step, str) else step for step in STORY]
    tally.equal("the story asks every operation", sorted({name for name, _ in steps}), sorted(examples.named))
    token, said, differing = None, set(), {}
    for name, step in steps:
        method, target, body, headers = examples.request(name, step)
        if name == "revokeToken":
            target = f"/v1/tokens/{spare(send, token)}"
        if token:
            headers["Authorization"] = f"Bearer {token}"
        reply = send(method, target, body, headers)
        what = f"{name} {step or ''}"
        if not tally.check(f"{what} succeeds as its example writes it", reply.status < 300, f"{method} {target}: {reply}"):
            continue
        faults = examples.described.reply_faults(method, target, reply)
        tally.check(f"{what} answers as described", not faults, faults[:4])
        example, faults = examples.nearest(name, reply)
        said |= {example} if example and not faults else set()
        if faults and len(faults) < len(differing.get(example, faults + [""])):
            differing[example] = [name, *faults]
        if name == "createToken":
            token = reply.json["token"]
    for example in sorted(replied(examples) - {"Changes.event-stream"}):
        tally.check(f"a reply was as the example {example} says", example in said, differing.get(example, "no reply was near it")[:5])


def replied(examples):
    """The names of all examples of replies that succeed."""
    return {
        name
        for _, _, operation in examples.named.values()
        for status, reply in operation["responses"].items() if status.startswith("2")
        for content in examples.described.resolve(reply).get("content", {}).values()
        for name in examples.all(content)
    }  # fmt: skip


def spare(send, token):
    """The ID of a token that may go."""
    made = require(send("POST", "/v1/tokens", {"name": "spare", "memberId": "lee"}, {"Authorization": f"Bearer {token}"}), 201)
    return made.json["id"]


def streamed(tally, examples, server):
    """The example of the event stream, beside what a stream sends."""
    content = examples.named["readChanges"][2]["responses"]["200"]["content"]["text/event-stream"]
    position = require(server.request("GET", "/v1/changes?limit=1"), 200).json["nextCursor"]
    command = ["curl", "-sN", "-H", "Accept: text/event-stream", f"http://127.0.0.1:{server.port}/v1/changes?since={position}"]
    example = next(iter(examples.all(content).values()))
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines = len(example.splitlines())
    sent = "".join(process.stdout.readline() for _ in range(lines))
    process.kill()
    process.wait()
    process.stdout.close()
    tally.equal("a stream begins as its example does", blank(sent), blank(example))


def run(tally):
    with Server() as server:
        client = server.client()
        document = require(client.request("GET", "/openapi.json"), 200).json
        examples = Examples(document)
        schemas(tally, examples)
        told(tally, examples, client.request)
        client.close()
    with Server() as server:
        for kit in ("a", "01a22c1a-4bd6-7d79-940d-1daf544a3852"):
            require(server.request("PUT", f"/v1/kits/{kit}", {"title": "T"}), 201)
        streamed(tally, examples, server)
