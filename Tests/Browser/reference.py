# The API reference at /docs: everything is there, is found, opens by keys, and its curl lines do what they say.

import os
import subprocess

from pages import FAULTS, SIZES
from stage import SHOTS, Stage, require

from openapi_examples import STORY  # noqa: E402  (stage.py puts Tests/EndToEnd on the path)

READY = "return window.interviewKitReference && document.querySelectorAll('.docs-operation').length"
SHOWN = "return [...document.querySelectorAll('.docs-operation')].filter((one) => !one.hidden).map((one) => one.id)"
SEARCH = "const field = document.querySelector('.docs-search'); field.value = arguments[0]; field.dispatchEvent(new Event('input'))"
# Opens everything that opens, over and over, since insides are made when they are opened.
OPEN_ALL = """
for (let round = 0; round < 3; round += 1) {
  for (const one of document.querySelectorAll(arguments[0])) one.open = true;
  await new Promise((after) => setTimeout(after, 60));
}
"""
CURL = """
const lines = {};
for (const one of document.querySelectorAll(".docs-operation")) lines[one.id] = one.querySelector(".docs-pre").textContent;
done(lines);
"""


def run(tally):
    os.makedirs(SHOTS, exist_ok=True)
    with Stage() as stage:
        document = require(stage.request("GET", "/openapi.json"), 200).json
        names = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
        window = stage.window()
        show(stage, window)
        tally.equal("every operation is there, once", sorted(window.run(SHOWN)), sorted(names))
        searched(tally, window, document)
        keys(tally, window)
        inside(tally, window, document)
        copied(tally, window)
        pictures(tally, stage, window)
        asked = {path.partition("?")[0] for _, _, path, _ in stage.proxy.requests}
        tally.check("nothing but the page, its assets and the description is asked for", asked <= expected(asked), asked)
        curled(tally, stage, window)
    guarded(tally)


def show(stage, window, name=""):
    window.open("about:blank")
    window.open(f"{stage.address}docs{name}")
    window.wait(READY)


def expected(asked):
    return {"/docs", "/openapi.json", "/favicon.ico"} | {path for path in asked if path.startswith(("/assets/", "/v1/fonts"))}


def searched(tally, window, document):
    """Search finds by path, by what a problem is called, and by several words at once; and says when there is nothing."""
    for text, wanted in (
        ("kitArchived", {"createEvaluation", "putEvaluation"}), ("delete answers", {"clearAnswer"}), ("GET /healthz", {"readHealth"}),
        ("no such word", set()),
    ):
        window.run(SEARCH, text)
        tally.equal(f"{text!r} finds", set(window.run(SHOWN)), wanted)
        tally.equal(f"{text!r} is counted", window.run("return document.querySelector('.docs-count').textContent").split(" ")[0], str(len(wanted) or "Nothing"))
    window.run(SEARCH, "")
    tally.equal("and all are there again", len(window.run(SHOWN)), sum(len(path) for path in document["paths"].values()))


def keys(tally, window):
    """By keys alone: the slash begins a search, Enter opens what it found, Escape ends it."""
    window.run("document.activeElement.blur()")
    window.key("/")
    window.type("putanswer ")
    tally.equal("typing searches", window.run(SHOWN), ["putAnswer"])
    window.key("\n")
    tally.check("Enter opens what was found", window.run("return document.getElementById('putAnswer').open"))
    tally.equal("and goes there", window.run("return document.activeElement.closest('details').id"), "putAnswer")
    window.key("/")
    window.key("Escape")
    tally.check("Escape shows all again", len(window.run(SHOWN)) > 50)
    window.run("location.hash = '#readKitDiff'")
    window.wait("return document.getElementById('readKitDiff').open")
    tally.equal("an address leads to an operation", window.run("return document.activeElement.closest('details').id"), "readKitDiff")


def inside(tally, window, document):
    """What is described is shown: parameters, statuses, codes, and members of schemas where they are opened."""
    window.run_async(f"(async () => {{ {OPEN_ALL} done(1); }})()", ".docs-operation, .docs-answer, .docs-schema")
    texts = window.run("return Object.fromEntries([...document.querySelectorAll('.docs-operation')].map((one) => [one.id, one.textContent]))")
    for path in document["paths"].values():
        for operation in path.values():
            text = texts[operation["operationId"]]
            names = [parameter["name"] for parameter in operation["parameters"]]
            statuses = [status for status in operation["responses"] if status != "default"]
            missing = [word for word in [*names, *statuses, operation["summary"]] if word not in text]
            tally.equal(f"{operation['operationId']}: what is described is shown", missing, [])
    for word in ("preconditionFailed", "AnswerContent", "notAssessed", "itemId", "Idempotency-Key", "curl -s -X PUT"):
        tally.check(f"putAnswer tells of {word}", word in texts["putAnswer"])


def copied(tally, window):
    """The button copies the curl line."""
    window.run("window.copies = []; navigator.clipboard.writeText = async (text) => { copies.push(text) }")
    window.run("document.querySelector('#readKit .docs-copy').click()")
    window.wait("return copies.length")
    line = window.run("return copies[0]")
    tally.check("a curl line is copied", line.startswith("curl -s 'http://127.0.0.1:") and line.endswith("/v1/kits/backend'"), line)
    tally.equal("and the button says so", window.run("return document.querySelector('#readKit .docs-copy').textContent"), "Copied")


def pictures(tally, stage, window):
    """On a phone and on a desk, light and dark: names, contrast, width; opened and closed."""
    for scheme in ("light", "dark"):
        window.media(prefers_color_scheme=scheme)
        for size, (width, height, scale) in SIZES.items():
            window.resize(width, height, scale, mobile=size == "phone")
            for name, address in (("docs", ""), ("docs-operation", "#putAnswer")):
                show(stage, window, address)
                window.run_async("document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
                if address:
                    window.run_async(f"(async () => {{ {OPEN_ALL} done(1); }})()", "#putAnswer .docs-answer, #putAnswer .docs-schema")
                window.screenshot(os.path.join(SHOTS, f"{name}-{size}-{scheme}.png"))
                faults = window.run(FAULTS)
                tally.check(f"{name}-{size}-{scheme}: everything has a name and a place", not faults, faults[:4])
                bad = [line for line in window.console() if line.startswith("SEVERE")]
                tally.check(f"{name}-{size}-{scheme}: no error, and nothing was asked of anybody else", not bad, bad[:3])


def curled(tally, stage, window):
    """Every curl line, in the order of the story, as it would be pasted into a shell."""
    show(stage, window)
    window.run_async(f"(async () => {{ {OPEN_ALL} done(1); }})()", ".docs-operation")
    lines = window.run_async(CURL)
    names = list(dict.fromkeys(step if isinstance(step, str) else step[0] for step in STORY))
    tally.equal("the story has every line", sorted(names), sorted(lines))
    # Making the first token closes the service, and no token has the example's ID.
    last = ["createToken", "revokeToken"]
    again = ["clearAnswer", "putAnswer again"]
    for name in [name for name in names if name not in last] + last:
        for one in again if name == "clearAnswer" else [name]:
            line = lines[one.split(" ")[0]] + (" -H 'If-Match: *'" if " " in one else "")
            command = f"{line} -o /dev/null -w '%{{http_code}}'"
            status = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=20).stdout
            wanted = "401" if name == "revokeToken" else "2"
            tally.check(f"the curl line of {one} works", status.startswith(wanted), f"{status}: {line}")


def guarded(tally):
    """Where a token is needed, the page asks for it, and its curl lines name it."""
    with Stage() as stage:
        token = require(stage.request("POST", "/v1/tokens", {"name": "boss", "role": "admin"}), 201).json["token"]
        window = stage.window()
        window.open(f"{stage.address}docs")
        window.wait("return document.querySelector('dialog input')")
        window.run("document.querySelector('dialog input').value = arguments[0]; document.querySelector('dialog form').requestSubmit()", token)
        window.wait(READY)
        window.run("document.getElementById('readKit').open = true")
        line = window.wait("return document.querySelector('#readKit .docs-pre')?.textContent")
        tally.check("a curl line names the token, and does not show it", '-H "Authorization: Bearer $TOKEN"' in line and token not in line, line)
        window.run("document.getElementById('readHealth').open = true")
        line = window.wait("return document.querySelector('#readHealth .docs-pre')?.textContent")
        tally.check("but where everybody may ask", "Authorization" not in line, line)
