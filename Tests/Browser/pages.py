# Each page on a phone and on a desk, light and dark, from left to right and from right to left: shown, and kept as pictures.

import os

from stage import OPEN, SHOTS, Stage, require

SIZES = {"phone": (390, 844, 2), "desk": (1280, 800, 1)}
NAMES = {"e1": "Grace Hopper", "e2": "김지우", "e3": "Barbara Liskov"}
PAGES = {
    "kits": ("", "return document.querySelector('.card')"),
    "form": ("evaluations/backend-engineer", OPEN),
    "form-ar": ("evaluations/branch-manager-ar", OPEN),
    "form-ja": ("evaluations/product-designer-ja", OPEN),
    "editor": ("kits/customer-support-ko", OPEN),
    "editor-ar": ("kits/branch-manager-ar", OPEN),
    "reading": ("reading/phone-screen/c-9", "return document.querySelector('.reading-table')"),
    "inspector": ("inspector/backend-engineer", "return document.querySelector('.plot-point')"),
}
# Names without a name, text that is wider than the page, fields without a label, rows out of order for a screen reader.
FAULTS = """
const faults = [];
for (const one of document.querySelectorAll("button, a, input, select, textarea")) {
  if (one.closest("[inert], [hidden]")) continue;
  const label = one.getAttribute("aria-label") || one.labels?.[0]?.textContent || one.textContent
    || (one.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("");
  if (!label.trim()) faults.push(`no name: ${one.outerHTML.slice(0, 120)}`);
}
if (document.documentElement.scrollWidth > innerWidth + 1) faults.push(`wider than the page: ${document.documentElement.scrollWidth}`);
// Text that is hard to read against what is behind it (WCAG 2.2, 1.4.3).
const parts = (color) => {
  const numbers = color.match(/[\\d.]+(e-?\\d+)?/g).map(Number);
  return color.startsWith("color(") ? [...numbers.slice(0, 3).map((one) => one * 255), numbers[3] ?? 1] : [...numbers.slice(0, 3), numbers[3] ?? 1];
};
const light = ([r, g, b]) => [r, g, b].map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
  .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);
const behind = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = parts(getComputedStyle(one).backgroundColor);
    if (color[3] > 0.8) return color;
  }
  return parts(getComputedStyle(document.documentElement).backgroundColor);
};
for (const one of document.querySelectorAll("body *")) {
  if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || one.closest("[disabled], [inert], option")) continue;
  const box = one.getBoundingClientRect();
  if (box.width < 2 || box.bottom < 0 || box.top > innerHeight) continue;
  const [a, b] = [light(parts(getComputedStyle(one).color)), light(behind(one))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${one.className} ${one.textContent.slice(0, 40)}`);
}
const rows = [...document.querySelectorAll("[aria-posinset]")].map((one) => Number(one.getAttribute("aria-posinset")));
if (rows.some((place, index) => index > 0 && place <= rows[index - 1])) faults.push(`order of rows: ${rows}`);
return faults;
"""


def run(tally):
    os.makedirs(SHOTS, exist_ok=True)
    with Stage() as stage:
        stage.samples()
        prepare(stage)
        window = stage.window()
        for scheme in ("light", "dark"):
            window.media(prefers_color_scheme=scheme)
            for size, (width, height, scale) in SIZES.items():
                window.resize(width, height, scale, mobile=size == "phone")
                for name, (page, ready) in PAGES.items():
                    show(tally, stage, window, f"{name}-{size}-{scheme}", page, ready)
        evaluations(tally, stage)
        access(tally, stage)
        inspector(tally, stage)


def prepare(stage):
    """Some answers, so that pages are not empty."""
    stage.write("backend-engineer", "backend-system", "A ledger that four teams post to. She would split reading from writing today.\nWhat taught her: a migration on a Friday.")
    stage.write("branch-manager-ar", "branch-ar-hard", "غيّرنا جدول المناوبات رغم اعتراض نصف الفريق، ثم عدنا إليه بعد شهر.")
    kit = require(stage.request("GET", "/v1/kits/phone-screen"), 200).json
    for evaluation, name in NAMES.items():
        body = {"kitId": "phone-screen", "candidate": {"id": "c-9", "name": "Ada Byron"}, "interviewer": {"id": evaluation, "name": name}}
        require(stage.request("PUT", f"/v1/evaluations/{evaluation}", body), 201)
        operations = [
            {"itemId": question["id"], "value": "She told it without once blaming anybody. " * (1 + place % 3)}
            for section in kit["sections"]
            for place, question in enumerate(section["questions"])
            if question["type"] == "longText"
        ]
        require(stage.request("PATCH", f"/v1/evaluations/{evaluation}/answers", {"operations": operations}), 200)
        require(stage.request("POST", f"/v1/evaluations/{evaluation}/submit"), 200)


def show(tally, stage, window, name, page, ready):
    stage.go(window, page, ready)
    window.run_async("document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    window.screenshot(os.path.join(SHOTS, f"{name}.png"))
    faults = window.run(FAULTS)
    tally.check(f"{name}: everything has a name and a place", not faults, faults[:4])
    bad = [line for line in window.console() if line.startswith("SEVERE")]
    tally.check(f"{name}: no error, and nothing was asked of anybody else", not bad, bad[:3])


def evaluations(tally, stage):
    """Evaluations of the same candidate are told apart by who evaluates."""
    window = stage.window(width=1280, height=900)
    stage.go(window, "", "return document.querySelector('.line-main')")
    lines = window.run("return [...document.querySelectorAll('.line-main')].map((one) => one.textContent)")
    for name in NAMES.values():
        tally.check(f"the list says which evaluation is {name}'s", sum(name in line for line in lines) == 1, lines)
    window.close()


def access(tally, stage):
    """From right to left: rows begin at the right, and what stands beside them is at their left."""
    window = stage.window("evaluations/branch-manager-ar", width=390, height=844)
    right, left = window.run(
        "const row = document.querySelector('.row:has(.tools)').getBoundingClientRect();"
        "const tools = document.querySelector('.row .tools').getBoundingClientRect();"
        "return [getComputedStyle(document.querySelector('.rows')).direction, tools.left >= 0 && tools.right <= row.left + 1]"
    )
    tally.equal("Arabic rows run from right to left", [right, left], ["rtl", True])
    window.close()


def inspector(tally, stage):
    """The same rows with a ruler: within half a pixel where the profile is the browser's, other where it is not."""
    window = stage.window("inspector/customer-support-ko", width=1280, height=900)
    whole = "return interviewKitPage.measured?.size === interviewKitPage.layout?.rows.length && document.querySelectorAll('.plot-point').length"
    worst = "return Math.max(...[...interviewKitPage.measured.values()].map(({ row, here }) => Math.abs(here - row.height)))"
    points = window.wait(whole)
    tally.equal("the plot has a point for every row", points, window.run("return interviewKitPage.layout.rows.length"))
    tally.check("the browser's own profile: every row within 0.5 px", window.run(worst) <= 0.5, window.run(worst))
    for width in (240, 520):
        window.run(
            "const slider = document.querySelectorAll('.slider')[0]; slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))", width
        )
        window.wait(f"return interviewKitPage.layout.viewport.width === {width} && ({whole.removeprefix('return ')})")
        tally.check(f"at {width} px too", window.run(worst) <= 0.5, window.run(worst))
    window.run(
        "const profile = document.querySelectorAll('.inspector select')[1]; profile.value = 'ios'; profile.dispatchEvent(new Event('change'))"
    )
    window.wait(f"return interviewKitPage.layout.viewport.profile.startsWith('ios') && ({whole.removeprefix('return ')})")
    window.screenshot(os.path.join(SHOTS, "inspector-ios.png"))
    tones = window.run("return [...document.querySelectorAll('.ruler')].map((one) => one.dataset.tone)")
    tally.check("differences are coloured", set(tones) & {"warn", "bad", "good"}, tones)
    names = window.run("return [...document.querySelectorAll('.inspector select')[1].options].map((one) => one.value)")
    for name in names:
        window.run(
            "const profile = document.querySelectorAll('.inspector select')[1]; profile.value = arguments[0]; profile.dispatchEvent(new Event('change'))", name
        )
        window.wait(f"return interviewKitPage.layout.viewport.profile.startsWith('{name}@') && ({whole.removeprefix('return ')})")
        rows = window.run("return [...interviewKitPage.measured.values()].every(({ row, here }) => here > 0 && row.height > 0)")
        tally.check(f"the inspector shows {name}", rows)
    labels = window.run("return [...document.querySelectorAll('.ruler-height')].every((one) => Number(one.textContent) > 0)")
    tally.check("each row shows the service's height", labels)
    window.close()
