# A client that a generator of others makes from /openapi.json tells the whole story against a running server.

import json
import os
import subprocess
import tempfile

from fuzzed import TOOLS
from service import Server, require

STORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "generated_story.py")
# The generator knows two types of text as bytes alone.
CONFIG = """
content_type_overrides:
  text/markdown: application/octet-stream
  text/csv: application/octet-stream
"""


def generated(tally, document, folder):
    """Makes the package interviewkit_generated; everything that the generator leaves out is a fault."""
    for name, text in (("openapi.json", document), ("config.yaml", CONFIG.encode())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)
    command = [
        f"{TOOLS}/openapi-python-client", "generate", "--path", "openapi.json", "--config", "config.yaml", "--meta", "none",
        "--output-path", "interviewkit_generated",
    ]  # fmt: skip
    # It tidies what it made with ruff, which it looks for by name.
    environment = dict(os.environ, PATH=f"{TOOLS}:{os.environ['PATH']}")
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    said = done.stdout + done.stderr
    tally.check("a client is generated", done.returncode == 0, said[-3000:])
    tally.check("nothing is left out of it", "WARNING" not in said and "Error" not in said, said[-3000:])


def run(tally):
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        generated(tally, require(server.request("GET", "/openapi.json"), 200).body, folder)
        environment = dict(os.environ, PYTHONPATH=folder, PYTHONDONTWRITEBYTECODE="1")
        command = [f"{TOOLS}/python", STORY, f"http://127.0.0.1:{server.port}"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        tally.check("the story is told to its end", done.returncode == 0, done.stdout[-500:] + done.stderr[-3000:])
        for line in done.stdout.splitlines():
            name, found, wanted = json.loads(line)
            tally.equal(f"the generated client: {name}", found, wanted)
