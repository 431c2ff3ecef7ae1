# Writes the table of results into docs/http.md, between its two marks.

import os

from cases import CASES, LEVELS

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/http.md")
BEGIN, END = "<!-- results: written by scripts/compare-http -->", "<!-- end of results -->"


def table(results):
    common = [case for case in CASES if "ours" not in case.needs]
    rows = [["", *(f"{peer.name} {peer.version}".strip() for peer, *_ in results)], ["---", *["---:"] * len(results)]]

    def row(name, chosen):
        cells = []
        for _, failures, ran in results:
            here = [case for case in chosen if case in ran]
            cells.append(f"{sum(case in failures for case in here)} of {len(here)}" if here else "–")
        rows.append([name, *cells])

    for level in LEVELS[:3]:
        row(level, [case for case in common if case.level == level])
    row("**all**", common)
    for area in dict.fromkeys(case.area for case in common):
        row(area, [case for case in common if case.area == area])
    lines = ["| " + " | ".join(cells) + " |" for cells in rows]
    text = "Failed cases of those that apply to a server:\n\n" + "\n".join(lines) + "\n"
    for peer, failures, chosen in results:
        musts = [case for case in chosen if case in failures and case.level == "MUST" and case in common]
        text += (
            f"\n{peer.name} fails these MUSTs: "
            + ("; ".join(f"{case.area}: {case.name} ({case.source})" for case in musts) or "none")
            + ".\n"
        )
    extra = len(CASES) - len(common)
    return (
        text + f"\n{len(CASES)} cases in all; {extra} hold our own limits and forms, and are run against ours alone.\n"
    )


def write(results):
    with open(DOCUMENT) as file:
        before, _, rest = file.read().partition(BEGIN)
    after = rest.partition(END)[2]
    with open(DOCUMENT, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{table(results)}\n{END}{after}")
