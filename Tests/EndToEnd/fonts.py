# Font files that are not there: named at the start, and told with each height that they matter to.

import json
import os
import subprocess
import tempfile

from operations import events
from service import BINARY, ROOT, Server, command, require

TEXT = {"id": "t", "text": "한국어 문장 and more", "font": {"family": "Inter", "size": 16, "weight": 700}}
MEASURE = {"profile": "web", "width": 200, "texts": [TEXT]}


def configuration(folder, present):
    """Writes the shipped configuration with absolute paths; files for which `present` does not hold are looked for elsewhere."""
    with open(f"{ROOT}/Config/fonts.json") as file:
        shipped = json.load(file)
    for family in shipped["families"]:
        for face in family["faces"]:
            path = os.path.normpath(os.path.join(f"{ROOT}/Config", face["file"]))
            face["file"] = path if present(family["name"], face) else f"{folder}/absent/{os.path.basename(path)}"
    with open(f"{folder}/fonts.json", "w") as file:
        json.dump(shipped, file)
    return shipped["families"], file.name


def measured(server):
    return require(server.request("POST", "/v1/measure", MEASURE), 200).json


def families_missing(tally, complete):
    gone = {"Noto Sans CJK KR", "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans"}
    with tempfile.TemporaryDirectory() as folder:
        families, path = configuration(folder, lambda family, _: family not in gone)
        with Server(arguments=("--fonts", path)) as server:
            named = {line["family"]: line for line in events(server, "font.missing")}
            tally.check("each family without files is named at the start", gone <= named.keys(), str(named.keys()))
            wanted = {face["file"] for family in families if family["name"] in gone for face in family["faces"]}
            told = {file for family in gone for file in named.get(family, {}).get("files", [])}
            tally.equal("with all of its files", told, wanted)
            tally.check("as a warning", all(named[family]["level"] == "warning" for family in gone & named.keys()))
            listed = set(require(server.request("GET", "/v1/fonts"), 200).json["missing"])
            tally.check("they are listed as missing", wanted <= listed, str(wanted - listed))
            result = measured(server)
            tally.equal("what no font has is told", result["results"][0].get("missingGlyphs"), True)
            tally.check("the height is not called exact", result["fidelity"] != "exact", result["fidelity"])
            tally.check("and the fingerprint is another one", result["fingerprint"] != complete["fingerprint"])


def no_font(tally):
    """A file that is there and is no font is told as that, and a family that is none with where they are listed."""
    with tempfile.TemporaryDirectory() as folder:
        families, path = configuration(folder, lambda *_: True)
        text = f"{folder}/text.otf"
        with open(text, "w") as file:
            file.write("not a font at all")
        inter = next(family for family in families if family["name"] == "Inter")
        inter["faces"][0]["file"] = text
        with open(path, "w") as file:
            json.dump({"families": families, "fallbacks": ["Noto Sans"]}, file)
        listed = command("fonts", "--fonts", path)
        faces = next(family for family in json.loads(listed.stdout)["families"] if family["name"] == "Inter")["faces"]
        tally.equal("listed", ([face.get("absence") for face in faces][:2], listed.returncode), (["noFont", None], 1))
        with Server(arguments=("--fonts", path)) as server:
            line = next(line for line in events(server, "font.missing") if line["family"] == "Inter")
            tally.equal("and logged", (line["files"], line["absences"]), ([text], ["noFont"]))
        data = f"{folder}/data"
        os.mkdir(data)
        with Server(data):
            for more in ((), ("--data", data)):
                wrong = command("measure", "--profile", "ios", "--width", "300", "--family", "Intr", *more, "x")
                said = "interviewkit: --family: There is no font family \"Intr\"; interviewkit fonts lists them; did you mean 'Inter'?\n"
                tally.equal("a family that is none", (wrong.returncode, wrong.stderr), (64, said))


def one_weight_missing(tally, complete):
    bold = lambda family, face: family == "Inter" and face["weight"] >= 600
    with tempfile.TemporaryDirectory() as folder:
        families, path = configuration(folder, lambda family, face: not bold(family, face))
        with Server(arguments=("--fonts", path)) as server:
            named = [line for line in events(server, "font.missing") if line["family"] == "Inter"]
            inter = next(family for family in families if family["name"] == "Inter")
            wanted = [face["file"] for face in inter["faces"] if bold("Inter", face)]
            tally.equal("a family that lacks a weight is named with the files it lacks", [line["files"] for line in named], [wanted])
            fidelity = measured(server)["fidelity"]
            tally.check("another weight's height is not called exact", fidelity != "exact", fidelity)


def no_font_at_all(tally):
    with tempfile.TemporaryDirectory() as folder:
        _, path = configuration(folder, lambda *_: False)
        command = [BINARY, "serve", "--port", "0", "--data", f"{folder}/data", "--fonts", path]
        ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30)
        lines = [line for line in ended.stderr.splitlines() if not line.startswith("{")]
        tally.check("without a single font file it does not start", ended.returncode == 78 and len(lines) == 1, ended.stderr)
        tally.check("and says which file names them", path in ended.stderr, ended.stderr)


def run(tally):
    with Server() as server:
        complete = measured(server)
    tally.equal("with all fonts the height is exact", complete["fidelity"], "exact")
    families_missing(tally, complete)
    no_font(tally)
    one_weight_missing(tally, complete)
    no_font_at_all(tally)
