# schemathesis makes requests from /openapi.json, right ones and wrong ones, and holds every reply to it.

import json
import os
import re
import subprocess
import tempfile

from openapi_examples import STORY, Examples
from service import ROOT, Server, require

TOOLS = os.path.join(ROOT, ".build/test-tools/bin")
# More of them, and another seed, for a longer run by hand.
CASES = os.environ.get("INTERVIEWKIT_FUZZ_CASES", "4")
SEED = os.environ.get("INTERVIEWKIT_FUZZ_SEED", "1")
# A request that fits the schema may still be refused: a cursor is none of this list's, two members don't fit each other.
EXCLUDED = "positive_data_acceptance"
CONFIG = """
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 422, 428, 429]
"""
# What is there before: the story's kit and evaluation.
FIRST = STORY[: STORY.index("patchKit")] + ["createSection", "createQuestion", "createEvaluation", "putAnswer", "createMember"]
# Who asks; in the phases; with what left out, since it would end who asks.
RUNS = [
    (None, "examples,coverage,fuzzing", ["createToken"]),
    ("admin", "examples,fuzzing,stateful", ["revokeToken"]),
    ("interviewer", "examples,fuzzing", []),
]  # fmt: skip


def prepared(server, document, role):
    """The token of a member in that role, beside what the story begins with."""
    examples = Examples(document)
    for step in FIRST:
        name, more = (step, {}) if isinstance(step, str) else step
        reply = server.request(*examples.request(name, more))
        if reply.status >= 300:
            raise RuntimeError(f"{name} answered {reply}")
    if role is None:
        return None
    boss = require(server.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201).json["token"]
    headers = {"Authorization": f"Bearer {boss}"}
    # Another admin stays, whatever becomes of the member that asks.
    return require(server.request("POST", "/v1/tokens", {"name": "asker", "role": role}, headers), 201).json["token"]


def strict(document):
    """The description without what stands for any other status: what is met has to be named."""
    for path in document["paths"].values():
        for operation in path.values():
            del operation["responses"]["default"]
    return document


def fuzz(tally, role, phases, left_out):
    name = f"schemathesis, {role or 'nobody'} asks"
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        document = require(server.request("GET", "/openapi.json"), 200).json
        token = prepared(server, document, role)
        with open(f"{folder}/openapi.json", "w", encoding="utf-8") as file:
            json.dump(strict(document), file)
        with open(f"{folder}/schemathesis.toml", "w", encoding="utf-8") as file:
            file.write(CONFIG)
        command = [
            f"{TOOLS}/schemathesis", "--config-file", f"{folder}/schemathesis.toml", "run", f"{folder}/openapi.json",
            "--url", f"http://127.0.0.1:{server.port}", "--phases", phases, "--exclude-checks", EXCLUDED,
            "--max-examples", CASES, "--seed", SEED, "--generation-database", "none", "--no-shrink", "--continue-on-failure",
            "--warnings", "off", "--no-color",
        ]  # fmt: skip
        for one in left_out:
            command += ["--exclude-operation-id", one]
        if token:
            command += ["-H", f"Authorization: Bearer {token}"]
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1800 if "INTERVIEWKIT_FUZZ_CASES" in os.environ else 240)
        cases = re.search(r"(\d+) generated", done.stdout)
        tally.check(f"{name}: everything is as described", done.returncode == 0, "\n" + done.stdout[-12000:] + done.stderr[-2000:])
        tally.check(f"{name}: requests were made", cases and int(cases[1]) > 300, done.stdout[-400:])
        tally.check(f"{name}: the server is alive", server.is_alive())


def run(tally):
    for role, phases, left_out in RUNS:
        fuzz(tally, role, phases, left_out)
