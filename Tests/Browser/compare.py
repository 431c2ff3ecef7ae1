# Compares our lines and heights with Chromium's on the same font files, and lists every disagreement.
#
#   scripts/compare-chromium [--folder FOLDER] [--output FILE] [--quick] [--record]
#
# FOLDER (or INTERVIEWKIT_TEXTS) has more texts: *.jsonl with `lang` and `text`. Both sides lay out at 64 times the size
# and width, so that the browser's 1/64 px grid and whole-pixel ascents vanish; its emoji font has no bitmap strikes.

import argparse
import collections
import glob
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "EndToEnd"))

from browser import Browser  # noqa: E402
from browser_fonts import PRIMARIES, Fonts  # noqa: E402
from pairs import ASCII, browser_pairs, differing_pairs  # noqa: E402
from service import ROOT, Server  # noqa: E402

ZOOM = 64
SIZES = [12, 14, 16, 17, 20, 24, 28]
WIDTHS = [200, 240, 271.5, 300, 333, 375, 400]
# Disagreement of heights in px a line that counts as none.
TOLERANCE = 0.05


def read_texts(folder):
    paths = [os.path.join(HERE, "texts.jsonl")]
    if folder:
        found = sorted(glob.glob(os.path.join(folder, "*.jsonl")))
        if not found:
            sys.exit(f"no *.jsonl in {folder}")
        paths += found
    texts = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row, line in enumerate(file, 1):
                entry = json.loads(line)
                lang = entry["lang"] if entry["lang"] not in ("mix", "emoji") else "en"
                name = f"{os.path.basename(path)}:{row}"
                texts.append({"name": name, "lang": lang, "text": entry["text"]})
    return [text for text in texts if text["text"]]


class Ours:
    """The service's measure endpoint, at 64 times the size too."""

    def __init__(self, server):
        self.client = server.client()

    def measure(self, texts, profile, primary, size, width, fonts, is_area=False):
        results = []
        for start in range(0, len(texts), 500):
            part = texts[start:start + 500]
            body = {
                "profile": profile, "mode": "textView" if is_area else "label", "width": width * ZOOM, "scale": 1,
                "font": {"family": primary, "size": size * ZOOM},
                "options": {"lineStarts": True, "bitmapAdvance": "font", "insets": 0},
                "texts": [{"id": str(index), "text": text["text"], "locale": text["lang"],
                           "font": {"fallbacks": fonts.chain(primary, text["lang"])[1:]}}
                          for index, text in enumerate(part)]}
            reply = self.client.request("POST", "/v1/measure", body)
            if reply.status != 200:
                raise RuntimeError(repr(reply))
            results += reply.json["results"]
        return results


class Score:
    """Counts one profile's agreement, and keeps the disagreements by text."""

    def __init__(self, name):
        self.name, self.cases, self.lines, self.starts = name, 0, 0, 0
        self.counts_wrong, self.starts_wrong, self.heights_wrong = 0, 0, 0
        self.faults = collections.defaultdict(list)

    def add(self, text, setting, theirs, ours):
        self.cases += 1
        expected = theirs.get("starts")
        height = theirs["height"] / ZOOM
        if expected is not None:
            self.starts += len(expected)
            if len(expected) != ours["lines"]:
                self.counts_wrong += 1
                self.faults[text["name"]].append((setting, "count", expected, ours["lineStarts"]))
            wrong = len(set(expected) ^ set(ours["lineStarts"]))
            if wrong:
                self.starts_wrong += len(set(expected) - set(ours["lineStarts"]))
                if len(expected) == ours["lines"]:
                    self.faults[text["name"]].append((setting, "starts", expected, ours["lineStarts"]))
            if len(expected) != ours["lines"]:
                return
        difference = abs(height - ours["exactHeight"] / ZOOM) / max(1, ours["lines"])
        if difference > TOLERANCE:
            self.heights_wrong += 1
            self.faults[text["name"]].append((setting, "height", height, ours["exactHeight"] / ZOOM))

    def summary(self):
        def share(wrong, total):
            return f"{100 * (total - wrong) / total:.3f} % ({total - wrong} of {total})" if total else "none"
        heights = f"heights {share(self.heights_wrong, self.cases)}"
        if not self.starts:
            return f"{self.name}: {heights}"
        return (f"{self.name}: line counts {share(self.counts_wrong, self.cases)},"
                f" line starts {share(self.starts_wrong, self.starts)}, {heights}")


def excerpt(text, expected, found):
    """The text with | where only the browser starts a line and ¦ where only we do, near the first of them."""
    marks = {unit: "|" for unit in set(expected) - set(found)} | {unit: "¦" for unit in set(found) - set(expected)}
    units = text.encode("utf-16-le")
    first = min(marks, default=0)
    shown = ""
    for unit in range(max(0, first - 20), min(len(units) // 2, first + 25)):
        shown += marks.get(unit, "") + units[2 * unit:2 * unit + 2].decode("utf-16-le", "replace")
    return repr(shown)


class BrowserOnly:
    """Rules that only the browser has: its ASCII pairs, breaks after every space, hanging U+3000, its own dictionaries."""

    def __init__(self, pairs):
        self.pairs = pairs
        self.classes = line_break_classes()

    def plays(self, text):
        """Whether such a rule decides about a place in the text."""
        # U+3000; Lao and Khmer, whose dictionaries differ; controls, for which the browser searches all fonts.
        if re.search("[\u3000\u0e80-\u0eff\u1780-\u17ff\u0001-\u0008\u000e-\u001f]", text):
            return True
        if any((first, second) in self.pairs for first, second in zip(text, text[1:])):
            return True
        if re.search(r"[\u05d0-\u05ea]-[!-~]", text):
            return True
        # UAX #14 keeps some signs with their neighbours across spaces; the browser breaks after every space.
        for match in re.finditer(r"(?s)(?=(.) +(.))", text):
            before, after = (self.classes.get(character) for character in match.groups())
            if before in ("OP", "QU") or after in ("CL", "CP", "EX", "IS", "SY", "QU", "NS"):
                return True
        return False


def line_break_classes():
    classes = {}
    with open("/usr/share/unicode/LineBreak.txt", encoding="utf-8") as file:
        for line in file:
            fields = line.split("#")[0].split(";")
            if len(fields) == 2:
                first, _, last = fields[0].strip().partition("..")
                for code in range(int(first, 16), int(last or first, 16) + 1):
                    classes[chr(code)] = fields[1].strip()
    return classes


def run(arguments):
    texts = read_texts(arguments.folder)
    with tempfile.TemporaryDirectory(prefix="compare-chromium-") as folder:
        os.mkdir(os.path.join(folder, "fonts"))
        fonts = Fonts(os.path.join(ROOT, "Config/fonts.json"), os.path.join(folder, "fonts"))
        with Browser(fonts, folder) as browser, Server() as server:
            print(f"Chromium {browser.version}, {len(texts)} texts", flush=True)
            ours = Ours(server)
            pairs = differing_pairs(browser, ours, fonts)
            print(f"{len(pairs)} of {len(ASCII) ** 2} ASCII pairs break in one and not in the other", flush=True)
            if arguments.record:
                return record(browser, fonts, [text for text in texts if text["name"].startswith("texts.")], pairs)
            scores = compare(browser, ours, fonts, texts, pairs, arguments.quick)
    names = {text["name"]: text["text"] for text in texts}
    with open(arguments.output, "w", encoding="utf-8") as output:
        for score in scores:
            print(score.summary())
            print(score.summary(), file=output)
            for name, faults in score.faults.items():
                for setting, kind, expected, found in faults:
                    shown = excerpt(names[name], expected, found) if kind != "height" else f"{expected} {found}"
                    print(f"  {name} {setting} {kind} {shown}", file=output)
    print(f"disagreements: {arguments.output}")


def compare(browser, ours, fonts, texts, pairs, is_quick):
    plain = Score("plain, texts without browser-only rules")
    web = Score("web, all texts")
    areas = Score("web, text areas")
    plain_all = Score("plain, all texts")
    own = BrowserOnly(pairs)
    quiet = [not own.plays(text["text"]) for text in texts]
    print(f"{sum(quiet)} texts without browser-only rules", flush=True)
    for primary in PRIMARIES:
        shown = [dict(text, families=fonts.browser_chain(primary, text["lang"])) for text in texts]
        for number, size in enumerate(SIZES[::3] if is_quick else SIZES):
            # Each size meets other widths, so that all of both are tried.
            for width in [WIDTHS[(number + step) % len(WIDTHS)] for step in ([0] if is_quick else [0, 2, 5])]:
                setting = f"{primary} {size} at {width}"
                options = {"size": size * ZOOM, "width": width * ZOOM, "overflowWrap": "anywhere", "isArea": False}
                strict = browser.blocks(shown, lineBreak="strict", **options)
                theirs = browser.blocks(shown, lineBreak="auto", **options)
                found = ours.measure(texts, "plain", primary, size, width, fonts)
                for text, isQuiet, one, other in zip(texts, quiet, strict, found):
                    if isQuiet:
                        plain.add(text, setting, one, other)
                    plain_all.add(text, setting, one, other)
                for text, one, other in zip(texts, theirs, ours.measure(texts, "web", primary, size, width, fonts)):
                    web.add(text, setting, one, other)
            area = browser.blocks(shown, lineBreak="auto", **dict(options, isArea=True))
            for text, one, other in zip(texts, area, ours.measure(texts, "web", primary, size, width, fonts, True)):
                areas.add(text, setting, one, other)
    return [plain, plain_all, web, areas]


def record(browser, fonts, texts, pairs):
    """Writes what the browser does with our own texts for the tests that run without it."""
    own = BrowserOnly(pairs)
    path = os.path.join(ROOT, "Tests/Browser/recorded.jsonl")
    with open(path, "w", encoding="utf-8") as output:
        for primary, size, width in [("Inter", 16, 240), ("Roboto", 20, 333)]:
            shown = [dict(text, families=fonts.browser_chain(primary, text["lang"])) for text in texts]
            options = {"size": size * ZOOM, "width": width * ZOOM, "overflowWrap": "anywhere", "isArea": False}
            found = zip(texts, browser.blocks(shown, lineBreak="auto", **options),
                        browser.blocks(shown, lineBreak="strict", **options))
            for text, web, strict in found:
                row = {"family": primary, "size": size * ZOOM, "width": width * ZOOM, "locale": text["lang"],
                       "text": text["text"], "web": web["starts"], "height": web["height"]}
                if not own.plays(text["text"]):
                    row["plain"] = strict["starts"]
                output.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"recorded Chromium {browser.version} in {path}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/compare-chromium", description="Compares lines and heights.")
    parser.add_argument("--folder", default=os.environ.get("INTERVIEWKIT_TEXTS"), help="more texts: *.jsonl")
    parser.add_argument("--output", default="compare-chromium.txt", help="where the disagreements are listed")
    parser.add_argument("--quick", action="store_true", help="a few sizes and widths only")
    parser.add_argument("--record", action="store_true", help="write what the tests compare with, and compare nothing")
    run(parser.parse_args())
