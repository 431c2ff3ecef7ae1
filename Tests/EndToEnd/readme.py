# The README's requests, run as they are printed, must give what is printed under them.

import os
import re
import subprocess

from service import ROOT, Server, require

# What differs from run to run: times, made IDs, places in the feed, and fingerprints, which name the font files.
CHANGING = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID"),
    (r'"sequence":"[0-9a-z-]+"', "SEQUENCE"),
    (r'"fingerprint":"[0-9a-f]+"', "FINGERPRINT"),
]


def examples():
    """Each command with the lines that follow it."""
    with open(os.path.join(ROOT, "README.md")) as file:
        block = file.read().split("```console\n")[1].split("```")[0]
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = example.partition("\n")
        yield command, output


def plain(text):
    for pattern, word in CHANGING:
        text = re.sub(pattern, word, text)
    return text.strip()


def run(tally):
    with Server() as server:
        with open(os.path.join(ROOT, "Examples/kits/backend-engineer.en.json"), "rb") as file:
            require(server.request("POST", "/v1/kits", file.read()), 201)
        found = list(examples())
        tally.equal("the README has five requests", len(found), 5)
        for command, output in found:
            here = command.replace("localhost:8080", f"localhost:{server.port}")
            done = subprocess.run(["bash", "-c", here], cwd=ROOT, capture_output=True, text=True, timeout=20)
            tally.equal(f"README: {command[:60]}…", plain(done.stdout), plain(output))
