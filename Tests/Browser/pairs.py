# Where a line may end between two printable ASCII characters: in the browser, and by our plain rules.

ASCII = [chr(code) for code in range(0x21, 0x7F)]
# What stands before and after the pair: a letter. A hyphen before a digit looks at the character before it, too.
BEFORE, AFTER = "x", "x"


def _texts(fonts, before=BEFORE):
    chain = fonts.chain("Inter", "en")
    return [{"text": f"{before}{first}{second}{AFTER}", "lang": "en", "families": chain}
            for first in ASCII for second in ASCII]


def browser_pairs(browser, fonts, before=BEFORE):
    """The pairs between which the browser breaks when there is no room at all."""
    found = browser.blocks(_texts(fonts, before), size=20, width=0, lineBreak="auto", overflowWrap="normal", isArea=False)
    pairs = [(first, second) for first in ASCII for second in ASCII]
    return {pair for pair, block in zip(pairs, found) if len(before) + 1 in block["starts"]}


def our_pairs(ours, fonts, profile="plain"):
    """Ours: a break is an opportunity when a word before it does not make the piece start a line of its own."""
    texts = _texts(fonts)
    heads = [dict(text, text="x " + text["text"][:2]) for text in texts]
    wholes = [dict(text, text="x " + text["text"]) for text in texts]
    widths = [result["width"] for result in ours.measure(heads, profile, "Inter", 20, 1_000, fonts)]
    pairs = set()
    by_width = {}
    for index, width in enumerate(widths):
        by_width.setdefault(width, []).append(index)
    for width, indices in by_width.items():
        part = [wholes[index] for index in indices]
        for index, result in zip(indices, ours.measure(part, profile, "Inter", 20, width / 64 + 0.001, fonts)):
            if 4 in result["lineStarts"]:
                pairs.add((texts[index]["text"][1], texts[index]["text"][2]))
    return pairs


def differing_pairs(browser, ours, fonts):
    return browser_pairs(browser, fonts) ^ our_pairs(ours, fonts)
