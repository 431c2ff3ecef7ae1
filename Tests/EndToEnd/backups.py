# Backups, restores and moves of a whole database, beside a server under load, and what is left when they are interrupted.

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile

from patient import Patients, prepare
from service import BINARY, ROOT, Server, command, database_path, require, wait_until

WRITERS = 20


def fill(server, kits=60):
    """Kits enough that a copy takes a moment."""
    for number in range(kits):
        questions = [{"id": f"q{n}", "type": "longText", "text": f"Question {n} " + "x" * 1500} for n in range(60)]
        kit = {"id": f"filler{number}", "title": f"Filler {number}", "sections": [{"id": "s", "title": "S", "questions": questions}]}
        require(server.request("POST", "/v1/kits", kit), 201)


def stored(server, evaluation):
    answers = require(server.request("GET", f"/v1/evaluations/{evaluation}"), 200).json["answers"]
    return {item: (answer["revision"], answer["value"]) for item, answer in answers.items()}


def feed_position(server):
    return require(server.request("GET", "/v1/evaluations/e0"), 200).json["sequence"]


def backup_under_load(tally, folder):
    """B043: everything confirmed before the begin is in the copy, which is whole; restored elsewhere it is served."""
    with Server() as server:
        prepare(server, WRITERS)
        fill(server)
        patients = Patients(server, WRITERS)
        patients.grows(200)
        before = {patient.evaluation: {item: dict(values) for item, values in patient.acknowledged.items()} for patient in patients.all}
        copy = f"{folder}/copy.sqlite"
        done = command("backup", "--data", server.data, "--to", copy)
        tally.check("a backup under load", done.returncode == 0 and done.stderr == "", done.stderr)
        tally.check("writes went on meanwhile", patients.grows())
        cursor = feed_position(server)
        again = command("backup", "--data", server.data, "--to", copy)
        tally.check("a file that is there is not replaced", again.returncode == 1 and "--force" in again.stderr, again.stderr)
        forced = command("backup", "--data", server.data, "--to", copy, "--force")
        tally.equal("unless that is said", forced.returncode, 0)
        tally.equal("only its owner reads it", os.stat(copy).st_mode & 0o777, 0o600)
        interrupted_backup(tally, server, folder)
        taken = command("restore", "--data", server.data, "--from", copy, timeout=20)
        tally.check("no restore while the server runs", taken.returncode == 78 and "in use" in taken.stderr, taken.stderr)
        patients.stop()
        patients.check(server, tally, "backup under load")
    restored = f"{folder}/elsewhere"
    done = command("restore", "--data", restored, "--from", copy)
    tally.check("a backup is restored elsewhere", done.returncode == 0, done.stderr)
    tally.equal("it is clean", command("verify", "--data", restored).stdout, "the database is clean\n")
    with Server(restored) as server:
        missing = []
        for evaluation, items in before.items():
            for item, values in items.items():
                path = f"/v1/evaluations/{evaluation}/answers/{item}/history?limit=200"
                found = {entry["revision"]: entry["value"] for entry in server.request("GET", path).json["items"]}
                missing += [(evaluation, item, revision) for revision in values if found.get(revision) != values[revision]]
        tally.equal("it holds what was confirmed before the backup began", missing, [])
        page = server.request("GET", f"/v1/changes?since={cursor}")
        tally.equal("readers of the feed are told to begin afresh", page.json.get("reset"), True)


def interrupted_backup(tally, server, folder):
    path = f"{folder}/stopped.sqlite"
    process = subprocess.Popen([BINARY, "backup", "--data", server.data, "--to", path], cwd=ROOT, stderr=subprocess.DEVNULL)
    wait_until(lambda: os.path.exists(path + ".partial") or process.poll() is not None, 20)
    process.kill()
    killed = process.wait(timeout=20) == -signal.SIGKILL
    tally.check("a stopped backup leaves nothing that looks finished", not killed or not os.path.exists(path))
    done = command("backup", "--data", server.data, "--to", path, "--force")
    tally.check("and the next one is whole", done.returncode == 0 and not os.path.exists(path + ".partial"), done.stderr)


def restore_keeps_what_was_there(tally, folder):
    data = f"{folder}/kept"
    os.makedirs(data)
    with Server(data) as server:
        prepare(server, 1)
        copy = f"{folder}/first.sqlite"
        require(server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "in the backup"}), 201)
        tally.equal("a backup beside the server", command("backup", "--data", data, "--to", copy).returncode, 0)
        reply = require(server.request("PUT", "/v1/evaluations/e0/answers/q0", {"value": "after it"}, {"If-Match": '"1"'}), 200)
        tally.equal("the server goes on", reply.json["revision"], 2)
        server.kill()
    tally.equal("a backup without a server, which was killed", command("backup", "--data", data, "--to", f"{folder}/second.sqlite").returncode, 0)
    with open(copy, "rb") as file:
        original = file.read()
    broken = f"{folder}/broken.sqlite"
    for name, content in {"cut off": original[: len(original) // 2], "no database": b"kits\n" * 2000, "empty": b""}.items():
        with open(broken, "wb") as file:
            file.write(content)
        done = command("restore", "--data", data, "--from", broken)
        tally.check(f"a backup that is {name} is refused", done.returncode == 1 and "nothing was changed" in done.stderr, done.stderr)
    shutil.copy(copy, broken)
    with sqlite3.connect(broken) as database:
        database.execute("UPDATE evaluation SET answered = 7")
    database.close()
    done = command("restore", "--data", data, "--from", broken)
    tally.check("so is one whose rows break a rule", done.returncode == 1 and "7 answered" in done.stderr, done.stderr)
    done = command("restore", "--data", data, "--from", copy)
    kept = [line.split(" kept as ")[1] for line in done.stdout.splitlines() if " kept as " in line]
    tally.check("a restore says where the old database is", done.returncode == 0 and len(kept) == 1, done.stdout + done.stderr)
    with Server(data) as server:
        tally.equal("the backup is served", stored(server, "e0")["q0"], (1, "in the backup"))
    with sqlite3.connect(kept[0]) as database:
        rows = database.execute("SELECT revision FROM answer WHERE item_id = 'q0'").fetchall()
    database.close()
    tally.equal("and the old database holds what came after it", rows, [(2,)])
    left = [name for name in os.listdir(data) if "restoring" in name or "partial" in name]
    tally.equal("nothing half is left", left, [])


def erased_stay_erased(tally, folder):
    """An older backup, restored elsewhere: whom the list beside it names is erased anew, and without one that is said."""
    data, shelf = f"{folder}/erased", f"{folder}/shelf"
    os.makedirs(data)
    os.makedirs(shelf)
    with Server(data) as server:
        prepare(server, 1)
        candidate = require(server.request("GET", "/v1/evaluations/e0"), 200).json["candidate"]["id"]
        copy, export = f"{shelf}/b.sqlite", f"{shelf}/all.jsonl"
        tally.equal("a backup", command("backup", "--data", data, "--to", copy).returncode, 0)
        tally.equal("and an export", command("export", "--all", "--to", export, "--data", data).returncode, 0)
        require(server.request("POST", f"/v1/candidates/{candidate}/erase"), 200)
    done = command("verify", "--database", f"sqlite:{copy}")
    tally.check("a backup is verified", done.returncode == 0, done.stdout + done.stderr)
    tally.equal("and nothing is left beside it", sorted(os.listdir(shelf)), ["all.jsonl", "b.sqlite"])
    done = command("restore", "--data", f"{folder}/bare", "--from", copy)
    tally.check("without a list that is said", done.returncode == 0 and "no list of erasures" in done.stderr, done.stderr)
    done = command("import", "--all", "--data", f"{folder}/bare-import", export)
    said = "no list of erasures" in done.stderr and f"token create --role admin --name NAME --data {folder}/bare-import" in done.stderr
    tally.check("so it is of an import, and that no token came along", done.returncode == 0 and said, done.stderr)
    shutil.copy(f"{data}/interviewkit.sqlite.erasures", shelf)
    for words in (["restore", "--from", copy], ["import", "--all", export]):
        target = f"{folder}/with-list-{words[0]}"
        done = command(*words, "--data", target)
        tally.check(f"{words[0]} counts them", done.returncode == 0 and "1 candidate was erased anew" in done.stdout, done.stdout + done.stderr)
        tally.check("the list goes along", os.path.exists(f"{target}/interviewkit.sqlite.erasures"))
        with Server(target) as server:
            tally.equal("who was erased stays so", server.request("GET", "/v1/evaluations/e0").status, 410)
    open(f"{copy}-wal", "w").close()
    done = command("restore", "--data", f"{folder}/empty-log", "--from", copy)
    tally.equal("an empty log beside a backup is none", done.returncode, 0)
    with open(f"{copy}-wal", "w") as file:
        file.write("log")
    done = command("restore", "--data", f"{folder}/log", "--from", copy)
    refused = done.returncode == 1 and "write-ahead log" in done.stderr and done.stderr.count(copy) == 1
    tally.check("one that holds something is refused, by one name", refused, done.stderr)


def faulty_backup(tally, folder):
    data = f"{folder}/faulty"
    os.makedirs(data)
    with Server(data) as server:
        prepare(server, 1)
    with sqlite3.connect(database_path(data)) as database:
        database.execute("DELETE FROM kit_revision")
    database.close()
    found = command("verify", "--data", data)
    tally.check("verify says where and what", found.returncode == 1 and "kit default/k: " in found.stdout, found.stdout)
    copy = f"{folder}/faulty.sqlite"
    done = command("backup", "--data", data, "--to", copy)
    tally.check("a copy that breaks a rule does not get its name", done.returncode == 1 and not os.path.exists(copy), done.stderr)
    tally.check("and is kept as what it is", os.path.exists(copy + ".faulty"))


def moves_everything(tally, folder):
    source, target, export = f"{folder}/source", f"{folder}/target", f"{folder}/all.jsonl"
    os.makedirs(source)
    with Server(source) as server:
        prepare(server, 3)
        fill(server)
        patients = Patients(server, 3)
        patients.grows(100)
        during = command("export", "--all", "--data", source)
        tally.check("an export beside a running server", during.returncode == 0 and during.stdout.endswith("}\n"), during.stderr)
        patients.stop()
        require(server.request("DELETE", "/v1/kits/filler3", headers={"If-Match": "*"}), 204)
        done = command("export", "--all", "--to", export, "--data", source)
        tally.equal("into a file", done.returncode, 0)
        cursor = feed_position(server)
    with open(export, "rb") as file:
        exported = file.read()
    lines = [json.loads(line) for line in exported.splitlines()]
    tally.check("it is JSON lines with an end", lines[0]["interviewkit"] == "export" and lines[-1]["end"] is True)
    interrupted_import(tally, target, export)
    again = command("export", "--all", "--data", target)
    tally.check("what was imported is exported to the same bytes", again.stdout.encode() == exported)
    unchanged = command("import", "--all", "--data", target, export)
    tally.check("imported again it changes nothing", unchanged.returncode == 0 and "already" in unchanged.stdout, unchanged.stderr)
    with Server(target) as server:
        patients.check(server, tally, "moved")
        trash = server.request("GET", "/v1/kits?deleted=true").json["items"]
        tally.equal("the trash came along", [kit["id"] for kit in trash], ["filler3"])
        page = server.request("GET", f"/v1/changes?since={cursor}").json
        tally.check("a reader of the feed goes on where it stood", not page.get("reset"), page)
        refused = command("import", "--all", "--data", target, export, timeout=20)
        tally.check("no import beside a server", refused.returncode == 78 and "in use" in refused.stderr, refused.stderr)
        require(server.request("POST", "/v1/kits", {"title": "More"}), 201)
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=20)
    other = command("import", "--all", "--data", target, export)
    tally.check("nor into a database with other data", other.returncode == 1 and "other data" in other.stderr, other.stderr)


def lines_imported(target):
    """How far an import has come, as the database says; 0 when none is under way."""
    try:
        with sqlite3.connect(f"file:{database_path(target)}?mode=ro", uri=True) as database:
            return database.execute("SELECT lines FROM import_progress").fetchone()[0]
    except sqlite3.Error:
        return 0


def interrupted_import(tally, target, export):
    """Kills an import three times, each time further on; the last run goes on to the end."""
    reached = 0
    for _ in range(3):
        words = [BINARY, "import", "--all", "--data", target, export]
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL)
        wait_until(lambda: lines_imported(target) > reached or process.poll() is not None, 30)
        process.kill()
        process.wait(timeout=20)
        before, reached = reached, lines_imported(target)
        tally.check("an interrupted import keeps what it has taken", reached > before, reached)
    start = command("serve", "--port", "0", "--data", target, timeout=20)
    tally.check("no server starts on half an import", start.returncode == 78 and "interrupted" in start.stderr, start.stderr)
    done = command("import", "--all", "--data", target, export)
    tally.check("an import goes on where it was interrupted", done.returncode == 0, done.stdout + done.stderr)
    tally.check("and was checked", "the database is clean" in done.stdout or "already" in done.stdout, done.stdout)


def names_the_place(tally, folder):
    """What can't be written is told under the name that was given, whoever writes."""
    data = f"{folder}/named"
    command("token", "create", "--role", "admin", "--name", "boss", "--data", data)
    taken, busy = f"{folder}/a-folder", f"{folder}/busy"
    os.makedirs(taken)
    os.makedirs(busy + ".partial")
    for words in (["backup"], ["export", "--all"]):
        def to(path, *more):
            return command(*words, "--data", data, "--to", path, *more)

        for more in ([], ["--force"]):
            done = to(taken, *more)
            tally.equal(f"{words} to a folder {more}", (done.returncode, done.stderr), (1, f"interviewkit: {taken} is a folder, not a file\n"))
        tally.equal("which stays as it was", os.listdir(taken), [])
        done = to(f"{folder}/none/x")
        said = done.returncode == 1 and f"{folder}/none/x: there is no folder {folder}/none/\n" in done.stderr and ".partial" not in done.stderr
        tally.check(f"{words} where no folder is", said, done.stderr)
        done = to(busy)
        tally.check(f"{words} where its own name is taken", done.returncode == 1 and f"{busy}.partial" in done.stderr, done.stderr)
        path = f"{folder}/{words[0]}"
        codes = [to(path, *more).returncode for more in ([], [], ["--force"])]
        tally.equal(f"{words} replaces what is there only when it is told to", codes, [0, 1, 0])


def run(tally):
    with tempfile.TemporaryDirectory(prefix="interviewkit-") as folder:
        backup_under_load(tally, folder)
        names_the_place(tally, folder)
        restore_keeps_what_was_there(tally, folder)
        erased_stay_erased(tally, folder)
        faulty_backup(tally, folder)
        moves_everything(tally, folder)
