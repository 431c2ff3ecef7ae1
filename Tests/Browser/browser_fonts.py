# The same font files for the browser: faces out of their collections, and the emoji font without its bitmap strikes.

import json
import os

from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._g_l_y_f import Glyph

PRIMARIES = ["Inter", "Roboto"]
# The emoji font once more, for characters with emoji presentation: it goes before all other fallbacks.
PRESENTATION = "Emoji presentation"
# What sequences are made of besides: joiner, selector, tags, and the signs that are text when they stand alone.
SEQUENCE_PARTS = ["200D", "FE0F", "E0020-E007F", "2620", "2640", "2642", "2764", "1F3F3"]
EMOJI_DATA = "/usr/share/unicode/emoji/emoji-data.txt"


class Fonts:
    """The regular faces of a font configuration, as files in `folder`; families in the order in which a locale tries them."""

    def __init__(self, configuration, folder):
        self.folder = folder
        self.base = os.path.dirname(os.path.abspath(configuration))
        with open(configuration, encoding="utf-8") as file:
            document = json.load(file)
        self.families = {family["name"]: family for family in document["families"]}
        self.fallbacks = document["fallbacks"]
        self.files = {}
        for name in dict.fromkeys(PRIMARIES + self.fallbacks):
            self._prepare(name)

    def _prepare(self, name):
        face = min(self.families[name]["faces"], key=lambda face: abs(face.get("weight", 400) - 400))
        path = os.path.join(self.base, face["file"])
        target = os.path.join(self.folder, f"{len(self.files)}{os.path.splitext(path)[1].replace('ttc', 'otf')}")
        is_emoji = self.families[name].get("emoji", False)
        if is_emoji or path.endswith(".ttc"):
            font = TTFont(path, fontNumber=face.get("index", 0), lazy=True)
            if is_emoji:
                self._strip_strikes(font)
            font.save(target)
        else:
            os.symlink(path, target)
        self.files[name] = target

    @staticmethod
    def _strip_strikes(font):
        """Empty outlines, still in colour, instead of bitmaps: what is left to measure is `hmtx`."""
        for tag in ["CBDT", "CBLC"]:
            if tag in font:
                del font[tag]
        glyphs = newTable("glyf")
        glyphs.glyphs = {name: Glyph() for name in font.getGlyphOrder()}
        glyphs.glyphOrder = font.getGlyphOrder()
        font["glyf"] = glyphs
        font["loca"] = newTable("loca")
        font["maxp"].tableVersion = 0x00010000
        for field in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
                      "maxStackElements", "maxSizeOfInstructions", "maxComponentElements"):
            setattr(font["maxp"], field, 1 if field == "maxZones" else 0)

        first = font.getGlyphOrder()[0]
        font["COLR"] = buildCOLR({name: [(first, 0)] for name in font.getGlyphOrder()}, version=0)
        font["CPAL"] = buildCPAL([[(0, 0, 0, 1)]])

    def css(self):
        faces = [f'@font-face {{ font-family: "{name}"; src: url("/fonts/{os.path.basename(path)}"); }}'
                 for name, path in self.files.items()]
        emoji = next(path for name, path in self.files.items() if self.families[name].get("emoji"))
        faces.append(f'@font-face {{ font-family: "{PRESENTATION}"; src: url("/fonts/{os.path.basename(emoji)}");'
                     f' unicode-range: {self._presentation_range()}; }}')
        return "\n".join(faces)

    @staticmethod
    def _presentation_range():
        with open(EMOJI_DATA, encoding="utf-8") as file:
            rows = [line.split("#")[0].split(";") for line in file if ";" in line.split("#")[0]]
        found = [row[0].strip().replace("..", "-") for row in rows if row[1].strip() == "Emoji_Presentation"]
        return ", ".join("U+" + one for one in found + SEQUENCE_PARTS)

    def browser_chain(self, primary, locale):
        chain = self.chain(primary, locale)
        return chain[:1] + [PRESENTATION] + chain[1:]

    def chain(self, primary, locale):
        """The primary and all fallbacks, those of the locale first, as the engine orders them."""
        def is_local(name):
            tags = self.families[name].get("locales", [])
            return any((locale.lower() + "-").startswith(tag.lower() + "-") for tag in tags)
        fallbacks = [name for name in self.fallbacks if is_local(name)]
        fallbacks += [name for name in self.fallbacks if not is_local(name)]
        return [primary] + [name for name in fallbacks if name != primary]
