# Lists come in from files of all kinds, over HTTP and by the command; exports come back without a change.

import json
import os
import subprocess

from service import BINARY, ROOT, Server, require, row_counts

KITS = os.path.join(ROOT, "Examples/kits")
TYPES = {".json": "application/json", ".md": "text/markdown", ".csv": "text/csv"}
STAR = {"If-Match": "*"}
TABLE = 'section,question,type,options\r\nOne,"Say ""hello"", then\r\nwait",longText,\r\nOne,"Pick; or, not",singleSelect,A|B\r\n'


def samples():
    for name in sorted(os.listdir(KITS)):
        with open(os.path.join(KITS, name), "rb") as file:
            yield name, TYPES[os.path.splitext(name)[1]], file.read()


def round_trips(server, tally):
    for name, media_type, body in samples():
        report = require(server.request("POST", "/v1/kits?dryRun=true", body, {"Content-Type": media_type}), 200).json[
            "importReport"
        ]
        made = require(server.request("POST", "/v1/kits", body, {"Content-Type": media_type}), 201).json
        tally.equal(f"{name}: a dry run reports what the import does", report, made["importReport"])
        path = f"/v1/kits/{made['id']}"
        before = server.request("GET", path).json
        for back in TYPES.values():
            exported = require(server.request("GET", path, headers={"Accept": back}), 200)
            tally.check(
                f"{name}: an export says what it is",
                exported.headers["content-type"].startswith(back),
                exported.headers,
            )
            again = server.request("PUT", path, exported.body, {**STAR, "Content-Type": back})
            tally.equal(
                f"{name}: export as {back}, import: no revision",
                (again.status, again.json.get("revision")),
                (200, before["revision"]),
            )
            tally.equal(f"{name}: and no change", server.request("GET", path).json, before)
            require(server.request("DELETE", path, headers=STAR), 204)
            require(server.request("POST", f"{path}/restore"), 200)
            before = server.request("GET", path).json
        tally.equal(
            f"{name}: JSON still reads after Markdown was read",
            server.request("GET", path).headers["content-type"],
            "application/json",
        )


def content(kit):
    """What a list says, whatever its IDs."""
    return [
        (
            section["title"],
            [
                (item["type"], item["text"], [option["text"] for option in item.get("options", [])])
                for item in section["questions"]
            ],
        )
        for section in kit["sections"]
    ]


def tables(server, tally):
    wanted = [("One", [("longText", 'Say "hello", then\r\nwait', []), ("singleSelect", "Pick; or, not", ["A", "B"])])]
    variants = {
        "UTF-8": TABLE.encode(),
        "a byte order mark": b"\xef\xbb\xbf" + TABLE.encode(),
        "UTF-16": TABLE.encode("utf-16"),
        "big-endian UTF-16": b"\xfe\xff" + TABLE.encode("utf-16-be"),
        "no line break at the end": TABLE.encode().removesuffix(b"\r\n"),
        "semicolons": TABLE.replace("n,q", "n;q")
        .replace("n,t", "n;t")
        .replace("e,o", "e;o")
        .replace('One,"', 'One;"')
        .replace('",longText,', '";longText;')
        .replace('",singleSelect,', '";singleSelect;')
        .encode(),
    }
    variants["tabs"] = (
        variants["semicolons"]
        .replace(b"n;q", b"n\tq")
        .replace(b"n;t", b"n\tt")
        .replace(b"e;o", b"e\to")
        .replace(b'One;"', b'One\t"')
        .replace(b'";longText;', b'"\tlongText\t')
        .replace(b'";singleSelect;', b'"\tsingleSelect\t')
    )
    for name, body in variants.items():
        made = server.request("POST", "/v1/kits", body, {"Content-Type": "text/csv"})
        tally.equal(f"CSV with {name}", made.status == 201 and content(made.json), wanted)


def refusals(server, tally):
    before = row_counts(server.data)
    cases = [
        ("an unknown type", TABLE.replace("longText", "essay"), 2, 1),
        ("a select without options", TABLE.replace("A|B", ""), 4, 2),
        ("no column for questions", "a,b\r\n1,2\r\n", 1, None),
        ("nothing", "", None, None),
    ]
    for name, body, line, record in cases:
        reply = server.request("POST", "/v1/kits", body.encode(), {"Content-Type": "text/csv"})
        errors = reply.json.get("errors", [])
        tally.check(f"CSV with {name} is refused", reply.status == 422 and errors, reply)
        if line and errors:
            tally.equal(f"CSV with {name}: the line is named", errors[0].get("line"), line)
    tally.equal("a refused import stores nothing", row_counts(server.data), before)
    require(server.request("POST", "/v1/kits?dryRun=true", TABLE.encode(), {"Content-Type": "text/csv"}), 200)
    tally.equal("a dry run stores nothing", row_counts(server.data), before)


def command(*arguments, data, text=None):
    return subprocess.run([BINARY, *arguments, "--data", data], cwd=ROOT, input=text, capture_output=True, timeout=30)


def commands(server, tally):
    """The command works beside a running server and without one, and both see the same kits."""
    listed, file = (os.path.join(KITS, name) for name in ("phone-screen.en.md", "backend-engineer.en.json"))
    done = command("import", listed, "--id", "by-command", data=server.data)
    tally.check("import goes through the running server", done.returncode == 0, done.stderr)
    read = server.request("GET", "/v1/kits/by-command")
    tally.equal("which has the kit at once", read.status, 200)
    for form in ("json", "markdown", "csv"):
        exported = command("export", "--format", form, "by-command", data=server.data)
        media_type = {"json": "application/json", "markdown": "text/markdown", "csv": "text/csv"}[form]
        served = server.request("GET", "/v1/kits/by-command", headers={"Accept": media_type}).body
        tally.equal(f"export as {form} is what the server sends", exported.stdout.strip(), served.strip())
    again = command("import", "-", "--format", "json", data=server.data, text=read.body)
    said = b"the kit 'by-command' of - exists already; --id by-command replaces it"
    tally.check("a kit that is there is named", again.returncode == 1 and said in again.stderr, again.stderr)
    bad = command("import", "-", "--format", "json", data=server.data, text=b'{"title":5}')
    tally.check(
        "a bad file exits with 1 and says why",
        bad.returncode == 1 and b"/title" in bad.stderr,
        (bad.returncode, bad.stderr[:300]),
    )
    tally.equal("a wrong flag exits with 64", command("import", "--bogus", "1", file, data=server.data).returncode, 64)
    tally.equal("an unknown kit exits with 1", command("export", "nobody", data=server.data).returncode, 1)
    measured = command("measure", "--profile", "ios", "--width", "343", "One line", data=server.data)
    tally.check(
        "measure prints a height", measured.returncode == 0 and b'"height"' in measured.stdout, measured.stderr[:300]
    )
    profile = {"extends": "ios@1", "rows": {"longText": {"minimumHeight": 500}}}
    require(server.request("PUT", "/v1/profiles/our-app", profile), 201)
    ours = command("measure", "--profile", "our-app", "--width", "343", "One line", data=server.data)
    tally.check("and knows the profiles that were sent", ours.returncode == 0 and b'"height"' in ours.stdout, ours.stderr[:300])
    bare = subprocess.run([BINARY, "measure", "--profile", "our-ap", "--width", "343", "x"], cwd=ROOT, capture_output=True, timeout=30)
    tally.check("without a database it knows the shipped ones", bare.returncode == 64 and b"our-ap" in bare.stderr, bare.stderr)
    tally.check("and says where others are found", b"are found with --data" in bare.stderr, bare.stderr)
    for words in (["ios", "--mode", "textview"], ["iso"]):
        slip = subprocess.run([BINARY, "measure", "--width", "9", "x", "--profile", *words], cwd=ROOT, capture_output=True, timeout=30)
        tally.equal(f"{words}: what may have been meant is told once", (slip.returncode, slip.stderr.count(b"did you mean")), (64, 1))
    table = command("import", os.path.join(KITS, "shift-lead.en.csv"), data=server.data)
    made = json.loads(table.stdout or b"{}")
    tally.equal("a file's name is its title and language", (made.get("title"), made.get("language")), ("shift-lead", "en"))
    fonts = command("fonts", data=server.data)
    tally.check(
        "fonts lists what is loaded and missing",
        fonts.returncode in (0, 1) and b"missing" in fonts.stdout and b"Inter" in fonts.stdout,
        fonts.stderr[:300],
    )
    data = server.data + "-offline"
    offline = command("import", file, data=data)
    tally.check("import without a server opens the database itself", offline.returncode == 0, offline.stderr)
    exported = command("export", "backend-engineer", data=data)
    tally.check(
        "and export reads it",
        exported.returncode == 0 and json.loads(exported.stdout)["id"] == "backend-engineer",
        exported.stderr,
    )
    for name in ("serve", "import", "export", "measure", "fonts"):
        tally.equal(
            f"{name} --help exits with 0",
            subprocess.run([BINARY, name, "--help"], capture_output=True, timeout=10).returncode,
            0,
        )


def run(tally):
    with Server() as server:
        round_trips(server, tally)
        tables(server, tally)
        refusals(server, tally)
        commands(server, tally)
