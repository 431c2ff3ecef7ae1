# The guides in docs/ do what they say: the Swift code of the iOS guide is compiled and run, each curl command is run.

import glob
import os
import re
import subprocess
import tempfile

from service import BINARY, ROOT, Server, require

KIT = {
    "title": "Guide", "language": "en", "sections": [{"id": "s", "title": "All", "questions": [
        {"id": "why", "type": "longText", "text": "Why?"},
        {"id": "more", "type": "longText", "text": "And what more?", "visibleWhen": {"questionId": "sure", "equals": True}},
        {"id": "sure", "type": "yesNo", "text": "Sure?"}]}]}

# What differs from run to run.
CHANGING = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+Z", "TIME"),
    (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ID"),
    (r'"sequence":"[0-9a-z-]+"', "SEQUENCE"),
    (r"^id: .*$", "id: SEQUENCE"),
    (r'"fingerprint":"[0-9a-f]+"', "FINGERPRINT"),
]


def blocks(guide, language):
    """The code of a guide, block by block."""
    with open(os.path.join(ROOT, "docs", guide)) as file:
        return re.findall(rf"^```{language}\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)


def compile_ios(folder):
    """The guide's code, the stand-in for UIKit and the driver: one program."""
    built = os.path.dirname(BINARY)
    with open(os.path.join(folder, "Guide.swift"), "w") as file:
        file.write("\n".join(blocks("ios.md", "swift")))
    guides = os.path.join(ROOT, "Tests/Guides")
    view = ["swiftc", "-swift-version", "6", "-wmo", "-parse-as-library", "-module-name", "UIKit", "-emit-module",
            "-emit-object", "-o", f"{folder}/UIKit.o", f"{guides}/UIKit.swift"]
    program = ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", folder, "-I", f"{built}/Modules", "-o",
               f"{folder}/guide", f"{guides}/main.swift", f"{folder}/Guide.swift", f"{folder}/UIKit.o",
               *sorted(glob.glob(f"{built}/InterviewKitClient.build/*.o"))]
    for command in (view, program):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            return done.stdout[-3000:] + done.stderr[-3000:]
    return None


def ios(tally):
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        failure = compile_ios(folder)
        if not tally.check("the code of docs/ios.md compiles", failure is None, failure):
            return
        require(server.request("PUT", "/v1/kits/k", KIT), 201)
        require(server.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c"}}), 201)
        command = [f"{folder}/guide", f"http://127.0.0.1:{server.port}", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        tally.equal("and does what it says", (done.stdout.strip(), done.returncode), ("as the guide says", 0))


def web(tally):
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        with open(f"{folder}/guide.mjs", "w") as file:
            file.write("\n".join(blocks("web.md", "js")))
        require(server.request("PUT", "/v1/kits/k", KIT), 201)
        require(server.request("POST", "/v1/evaluations", {"id": "e", "kitId": "k", "candidate": {"id": "c"}}), 201)
        command = ["node", os.path.join(ROOT, "Tests/Guides/web.mjs"), f"{folder}/guide.mjs", f"http://127.0.0.1:{server.port}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        tally.equal("the code of docs/web.md does what it says", (done.stdout.strip(), done.returncode), ("as the guide says", 0))
        if done.returncode != 0:
            print(done.stderr[-2000:])


def plain(text):
    for pattern, word in CHANGING:
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return text.strip()


def commands(tally, guide, least):
    """Each command of a guide, in order, on one server; what is printed under it must be what it prints."""
    steps = [step for block in blocks(guide, "console") for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    tally.check(f"docs/{guide} has its commands", len(steps) >= least, len(steps))
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        os.symlink(os.path.join(ROOT, "Examples"), os.path.join(folder, "Examples"))
        for step in steps:
            # A command may go on over lines that end in a backslash or that a quote leaves open.
            lines = step.split("\n")
            count = next(count for count in range(1, len(lines) + 1) if is_whole("\n".join(lines[:count])))
            command, output = "\n".join(lines[:count]), "\n".join(lines[count:])
            here = command.replace("localhost:8080", f"localhost:{server.port}")
            done = subprocess.run(["bash", "-c", here], cwd=folder, capture_output=True, text=True, timeout=20)
            name = f"docs/{guide}: {command.splitlines()[0][:70]}"
            tally.equal(name, plain((done.stdout + done.stderr).replace("\r", "")), plain(output))


def kinds(tally):
    """docs/kits.md has a line for each type of question and each member, and its kit has each type."""
    with open(os.path.join(ROOT, "docs/kits.md")) as file:
        text = file.read()
    with Server() as server:
        schemas = require(server.request("GET", "/openapi.json"), 200).json["components"]["schemas"]
    for kind in schemas["QuestionType"]["enum"]:
        tally.check(f"docs/kits.md says how a {kind} is answered, and sends one", f"| `{kind}` |" in text and f'"type": "{kind}"' in text)
    for schema in ("Kit", "QuestionInKit"):
        members = set(schemas[schema]["properties"]) - {"id", "revision", "createdAt", "updatedAt"}
        tally.equal(f"docs/kits.md names each member of {schema}", [one for one in sorted(members) if f"`{one}`" not in text], [])


def is_whole(command):
    return not command.endswith("\\") and subprocess.run(["bash", "-n", "-c", command], capture_output=True).returncode == 0


def links(tally):
    """Every file that a document links to is there."""
    documents = sorted(glob.glob(f"{ROOT}/*.md") + glob.glob(f"{ROOT}/docs/*.md"))
    missing = []
    for document in documents:
        with open(document) as file:
            found = re.findall(r"\]\(([^)#\s]+)[^)]*\)", file.read())
        here = os.path.dirname(document)
        missing += [(document, link) for link in found if ":" not in link and not os.path.exists(os.path.join(here, link))]
    tally.equal("documents link to what there is", missing, [])


def run(tally):
    links(tally)
    commands(tally, "curl.md", 20)
    commands(tally, "kits.md", 8)
    kinds(tally)
    web(tally)
    ios(tally)
