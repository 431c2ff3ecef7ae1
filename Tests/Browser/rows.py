# Rows: as high here as the service says, in every language; nothing measured, nothing that jumps, bounded in number.

import time

from stage import OPEN, SAVED, Stage, differing, focus, require

SCRIPTS = [
    "Great 🙂 teamwork 👩‍💻, flags 🇰🇷, signs ☎️ ☎ 1️⃣ ❤️", "การสัมภาษณ์งานครั้งแรกเป็นไปด้วยดี", "שלום, ספר לי על פרויקט שנכשל",
    "面试官记录：候选人很冷静，回答准确。", "Ελληνικά и русский, tiếng Việt", "ⅷ ☃ ♥ → ∑ ∞ ½", "mixed 한국어 العربية 🙂 text",
]
LONG = "Once there was a service that knew how high its rows were, and the list that drew them never jumped. "

# Milliseconds from the data to the first rows.
DRAWN = """
const [data, drawn] = ["data", "drawn"].map((name) => performance.getEntriesByName(`interviewkit-${name}`)[0].startTime);
return drawn - data;
"""
# A screen a frame, then jumps through the whole list: the longest task, and the most rows in the page.
SCROLL = """
let worst = 0;
const observer = new PerformanceObserver((list) => { for (const entry of list.getEntries()) worst = Math.max(worst, entry.duration); });
observer.observe({ type: "longtask" });
const height = document.documentElement.scrollHeight;
let [n, most] = [0, 0];
const step = () => {
  most = Math.max(most, document.querySelectorAll(".row").length);
  if (++n > 240) { setTimeout(() => done([worst, most]), 300); return; }
  if (n <= 160) scrollBy(0, 700); else scrollTo(0, (height * ((n * 37) % 80)) / 80);
  requestAnimationFrame(step);
};
step();
"""


def run(tally):
    with Stage() as stage:
        kits = stage.samples()
        for kit in kits:
            answer_all(stage, kit)
        samples(tally, stage, kits)
        fresh_heights(tally, stage)
        no_estimates(tally, stage)
        markup(tally, stage)
        many_scripts(tally, stage)
        nothing_there(tally, stage)
        late_fonts(tally, stage)
    with Stage() as stage:
        large(tally, stage)
        large_editor(tally, stage)


def answer_all(stage, kit_id):
    """Long texts, comments, and some that are not assessed."""
    kit = require(stage.request("GET", f"/v1/kits/{kit_id}"), 200).json
    texts = [question["text"] for section in kit["sections"] for question in section["questions"]]
    operations = []
    for place, question in enumerate(question for section in kit["sections"] for question in section["questions"]):
        if question["type"] == "longText":
            operations.append({"itemId": question["id"], "value": "\n".join(texts[: 1 + place % 4]), "comment": texts[0]})
        elif question["type"] == "shortText":
            operations.append({"itemId": question["id"], "value": texts[place]})
        elif question["type"] in ("yesNo", "number", "date"):
            operations.append({"itemId": question["id"], "notAssessed": True, "comment": texts[place]})
        operations += [{"itemId": item["id"], "comment": texts[0]} for item in question.get("criteria") or []]
    done = require(stage.request("PATCH", f"/v1/evaluations/{kit_id}/answers", {"operations": operations}), 200).json
    bad = [result for result in done["results"] if result["status"] != 201]
    if bad:
        raise RuntimeError(f"answers were refused: {bad[:2]}")


def samples(tally, stage, kits):
    """Every row of every sample, on coarse and on fine screens of several widths."""
    for scale, width in ((1, 1280), (2, 800), (3, 500)):
        arguments = [f"--force-device-scale-factor={scale}", f"--window-size={width},900"]
        window = stage.window(width=width, height=900, scale=0, arguments=arguments)
        for kit in kits:
            stage.go(window, f"evaluations/{kit}")
            wrong, rows = differing(window)
            tally.check(f"{kit} at scale {scale}: every row is within 0.5 px of the service's height", not wrong, wrong[:3])
            tally.check(f"{kit} at scale {scale}: rows were seen", len(rows) > 8, len(rows))
        window.close()


def row_heights(window):
    return window.run("const { heights } = interviewKitPage.view; return heights.ids.map((id) => [id, heights.height(id)])")


def fresh_heights(tally, stage):
    """B013: no height outlives a rotation, another text size or an edit."""
    window = stage.window("evaluations/backend-engineer", width=390, height=844)
    first = row_heights(window)

    def turn(width, height, size=None):
        before = window.run("return interviewKitPage.view.fingerprint")
        window.resize(width, height)
        if size:
            window.run("localStorage.setItem('interviewkit.textSize', arguments[0]); dispatchEvent(new Event('interviewkit-textsize'))", str(size))
        window.wait("return interviewKitPage.view.fingerprint !== arguments[0]", before)
        wrong, _ = differing(window)
        tally.check(f"B013: at {width} px, text size {size}, every row is right", not wrong, wrong[:3])
        return row_heights(window)

    wide = turn(844, 390)
    large = turn(390, 844, 2)
    again = turn(390, 844, 1)
    tally.equal("B013: the first width again has the first heights", again, first)
    tally.check("B013: another width and another size have others", wide != first and large != first)
    stage.write("backend-engineer", "backend-concerns", LONG * 6)
    window.wait("return interviewKitPage.view.heights.height('backend-concerns') !== arguments[0]", dict(first)["backend-concerns"])
    edited = row_heights(window)
    tally.equal("B013: an edit changes its own row alone", [a[0] for a, b in zip(first, edited) if a != b], ["backend-concerns"])
    window.close()


def no_estimates(tally, stage):
    """B014: exact heights before anything is drawn; the others keep theirs when one goes."""
    questions = [{"id": f"q{n}", "type": "note", "text": LONG * (12 if n % 2 else 1)} for n in range(200)]
    stage.kit("estimates", questions)
    stage.evaluation("estimates", "estimates")
    window = stage.window("evaluations/estimates", width=390, height=844)
    total = window.run("return document.querySelector('.rows').getBoundingClientRect().height")
    heights = row_heights(window)
    tally.check("B014: the list is as high as its rows from the start", abs(total - sum(height for _, height in heights)) < 0.5)
    moved = window.run_async(
        """
        let worst = 0;
        const { list, heights } = interviewKitPage.view;
        const step = (n) => {
          if (n === 60) { done(worst); return; }
          scrollTo(0, document.documentElement.scrollHeight * (1 - n / 60));
          requestAnimationFrame(() => requestAnimationFrame(() => {
            for (const [id, row] of list.drawn) {
              worst = Math.max(worst, Math.abs(row.getBoundingClientRect().top - list.top - heights.offset(id)));
            }
            step(n + 1);
          }));
        };
        step(0);
        """
    )
    tally.check("B014: scrolling up moves no row", moved < 0.5, moved)
    after = window.run("return document.querySelector('.rows').getBoundingClientRect().height")
    tally.check("B014: the list's height is the same after scrolling", total == after, (total, after))
    tag = require(stage.request("GET", "/v1/kits/estimates/questions/q3"), 200).tag
    require(stage.request("DELETE", "/v1/kits/estimates/questions/q3", headers={"If-Match": tag}), 204)
    require(stage.request("PUT", "/v1/evaluations/estimates/kitRevision", {"kitRevision": 2}, {"If-Match": "*"}), 200)
    window.wait("return !interviewKitPage.view.heights.has('q3')")
    tally.equal("B014: the other rows keep their heights", row_heights(window), [row for row in heights if row[0] != "q3"])
    window.close()


def markup(tally, stage):
    """B018: text stays text."""
    bad = ["<img src=q onerror=alert(7)>", "</script><b>x"]
    questions = [{"id": f"m{n}", "type": "longText", "text": text, "help": text} for n, text in enumerate(bad)]
    stage.kit("markup", questions, title=bad[0], instructions=bad[1])
    stage.evaluation("markup", "markup")
    window = stage.window("evaluations/markup")
    shown = window.run("return [...document.querySelectorAll('.part-text')].map((one) => one.textContent)")
    tally.equal("B018: markup is shown as letters", shown, bad)
    stage.go(window, "", "return document.querySelector('.card')")
    titles = window.run("return [...document.querySelectorAll('.card h3')].map((one) => one.textContent)")
    tally.check("B018: a title of markup is letters too", bad[0] in titles, titles)
    tally.check("B018: nothing is made of it", window.run("return document.querySelectorAll('main img, main b').length") == 0)
    asked = [path for _, _, path, _ in stage.proxy.requests if path.rstrip("?").endswith("/q")]
    tally.check("B018: no request for q", not asked, asked)
    policy = stage.request("GET", "/").headers.get("content-security-policy", "")
    tally.check("B018: the policy forbids scripts in the page", "script-src 'self'" in policy and "unsafe" not in policy, policy)
    tally.check("the page asks nothing but its own service", not [line for line in window.console() if "SEVERE" in line])
    window.close()


def late_fonts(tally, stage):
    """B017: fonts three seconds late, a hidden page, a scroll bar, another width."""
    stage.proxy.delay = lambda method, path: 3 if path.startswith("/assets/fonts/") else 0
    window = stage.window(width=1100, height=700)
    window.cdp("Network.enable")
    window.cdp("Network.setCacheDisabled", cacheDisabled=True)
    stage.go(window, "evaluations/customer-support-ko")
    late, last, drawn = window.run(
        "const fonts = performance.getEntriesByType('resource').filter((one) => one.name.includes('/assets/fonts/'));"
        "return [Math.min(...fonts.map((one) => one.duration)), Math.max(...fonts.map((one) => one.responseEnd)),"
        " performance.getEntriesByName('interviewkit-drawn')[0].startTime]"
    )
    tally.check("B017: fonts are late", late > 2_900, late)
    tally.check("B017: nothing is drawn before its fonts are there", last <= drawn, (last, drawn))
    wrong, _ = differing(window)
    tally.check("B017: with fonts that come late every row is right", not wrong, wrong[:3])
    stage.proxy.delay = lambda method, path: 0
    page_width = "const rows = document.querySelector('.rows'); return [rows.getBoundingClientRect().width, interviewKitPage.viewport.width]"
    drawn, asked = window.run(page_width)
    tally.equal("B017: rows are as wide as was asked, beside the scroll bar", drawn, asked)
    window.resize(700, 700)
    window.wait("return document.querySelector('.rows').getBoundingClientRect().width < 690")
    wrong, _ = differing(window)
    tally.check("B017: after a resize every row is right", not wrong, wrong[:3])
    window.cdp("Emulation.setFocusEmulationEnabled", enabled=False)
    window.send("POST", "/window/minimize", {})
    stage.go(window, "evaluations/product-designer-ja")
    tally.equal("B017: the page is hidden", window.run("return document.visibilityState"), "hidden")
    wrong, _ = differing(window)
    tally.check("B017: what is drawn while the page is hidden is right", not wrong, wrong[:3])
    window.close()


def large(tally, stage):
    """5,000 rows: drawn within two frames of the data, few elements at a time, no long task while they scroll by."""
    stage.kit("large", [{"id": f"q{n}", "type": "longText", "text": f"{n}. " + LONG * (1 + n % 3)} for n in range(5_000)])
    stage.evaluation("large", "large")
    window = stage.window("evaluations/large", width=1280, height=800)
    # The machine may be busy with something else: of five times, once is enough.
    waits = []
    while len(waits) < 5 and min(waits, default=1e9) > 33:
        window.send("POST", "/refresh", {})
        window.wait(OPEN)
        waits.append(window.run(DRAWN))
    tally.check("5,000 rows: the first are drawn within two frames of the data", min(waits) <= 33, waits)
    passes = []
    while len(passes) < 5 and min((worst for worst, _ in passes), default=1e9) > 50:
        passes.append(window.run_async(SCROLL))
    worst, most = min(passes)
    tally.check("5,000 rows: no task over 50 ms while scrolling", worst <= 50, passes)
    tally.check("5,000 rows: few are in the page at a time", most < 60, most)
    window.run("scrollTo(0, document.documentElement.scrollHeight)")
    window.wait("return document.querySelector(`[data-id='q4999']`)")
    last = window.run(
        "const row = document.querySelector(`[data-id='q4999']`);"
        "return [row.getAttribute('aria-posinset'), row.getAttribute('aria-setsize'), row.getAttribute('role')]"
    )
    tally.equal("5,000 rows: a screen reader knows where each stands", last, ["5001", "5001", "listitem"])
    anchored(tally, window)
    typed_among_many(tally, window)
    focus(window, "q4999")
    window.run("scrollTo(0, 0)")
    time.sleep(0.3)
    kept = window.run("return document.activeElement.closest('[data-id]')?.dataset.id")
    tally.equal("5,000 rows: the row in focus stays while others are in sight", kept, "q4999")
    walked(tally, window)
    window.close()


def anchored(tally, window):
    """Another width in the middle of the list: the row that was read stays where it was on the screen."""
    window.run("scrollTo(0, document.documentElement.scrollHeight / 2)")
    where = "const { list } = interviewKitPage.view; return list.top + list.heights.offset(arguments[0])"
    row = window.run("return interviewKitPage.view.list.anchor().id")
    before, width = window.run(where, row), window.run("return interviewKitPage.viewport.width")
    window.resize(500, 800)
    window.wait("return interviewKitPage.view.heights.viewport.width < arguments[0]", width)
    after = window.run(where, row)
    tally.check("5,000 rows: another width moves nothing that is read", abs(after - before) <= 1, (row, before, after))
    window.resize(1280, 800)
    window.wait("return interviewKitPage.view.heights.viewport.width === arguments[0]", width)


def typed_among_many(tally, window):
    """A key is worth little work, however many rows there are."""
    window.run("scrollTo(0, document.documentElement.scrollHeight)")
    window.wait("return document.querySelector(`[data-id='q4999']`)")
    focus(window, "q4998")
    window.run(
        "window.longest = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
        " longest = Math.max(longest, entry.duration); }).observe({ type: 'longtask' })"
    )
    longest = []
    while len(longest) < 5 and min(longest, default=1e9) > 50:
        window.run("window.longest = 0")
        window.type(LONG[:60])
        window.wait("return interviewKitPage.book.unsaved.length === 0")
        longest.append(window.run("return window.longest"))
    tally.check("5,000 rows: no task over 50 ms while typing", min(longest) <= 50, longest)


def walked(tally, window):
    """The Tab key goes on through rows that were not drawn when it was first pressed."""
    window.run("scrollTo(0, 0)")
    window.wait("return document.querySelector(`[data-id='q0']`)")
    focus(window, "q0")
    seen = [0]
    for _ in range(60):
        window.key("\t")
        time.sleep(0.02)
        place = window.run("const row = document.activeElement.closest('[data-id]'); return row ? Number(row.dataset.id.slice(1)) : null")
        if place is not None and place != seen[-1]:
            seen.append(place)
    tally.equal("5,000 rows: Tab goes from each to the next", seen, list(range(len(seen))))
    tally.check("5,000 rows: Tab comes far", len(seen) > 25, len(seen))


def nothing_there(tally, stage):
    """A kit without a question opens, and grows."""
    stage.kit("empty", [])
    stage.evaluation("empty", "empty")
    window = stage.window("evaluations/empty", width=390, height=844)
    tally.equal("a kit without questions shows its section", window.run("return document.querySelector('.part-title').textContent"), "Section")
    window.close()


def large_editor(tally, stage):
    """5,000 questions in the editor: one is lifted, moved over a few rows by keys, and stored."""
    window = stage.window("kits/large", width=1280, height=800)
    window.run("document.querySelector(`[data-grip='q0']`).focus()")
    lifting = window.run(
        "const start = performance.now();"
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));"
        "return performance.now() - start"
    )
    tally.check("5,000 rows: a row is lifted at once", lifting < 100, f"{lifting:.0f} ms")
    for _ in range(3):
        window.key("ArrowDown")
    window.key(" ")
    window.wait("return interviewKitPage.view.heights.place('q0') === 4")
    order = require(stage.request("GET", "/v1/kits/large/questions?limit=5"), 200).json["items"]
    tally.equal("5,000 rows: a row is moved by keys", [one["id"] for one in order], ["q1", "q2", "q3", "q0", "q4"])
    window.close()


def many_scripts(tally, stage):
    """Each text gets the fonts that it needs before it is drawn, and no others: they are large."""
    stage.kit("scripts", [{"id": f"q{n}", "type": "longText", "text": text, "help": text} for n, text in enumerate(SCRIPTS)])
    stage.evaluation("scripts", "scripts")
    for n, text in enumerate(SCRIPTS):
        stage.write("scripts", f"q{n}", (text + " ") * 3)
    window = stage.window("evaluations/scripts", width=500, height=900)
    faces = "return [...document.fonts].map((face) => face.status)"
    tally.equal("many scripts: every font is there when rows are drawn", set(window.run(faces)), {"loaded"})
    wrong, rows = differing(window)
    tally.check("many scripts: every row is right", not wrong and len(rows) == 8, wrong)
    tally.check("many scripts: no font that nobody needs", len(window.run(faces)) <= 16, len(window.run(faces)))
    focus(window, "q4")
    window.cdp("Input.insertText", text="ಕನ್ನಡ ภาษาไทย")
    window.wait("return [...document.fonts].some((face) => face.family.includes('Kannada') && face.status === 'loaded')")
    window.wait(SAVED)
    window.run("document.activeElement.blur()")
    time.sleep(0.2)
    wrong, _ = differing(window, tolerance=1.01)
    tally.check("many scripts: what is typed gets its font", not wrong, wrong)
    window.close()
