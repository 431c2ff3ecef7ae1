# Typing: nothing is lost, no caret moves, no reply replaces what is newer; away and back; two who write the same.

import time

from service import wait_until
from stage import OPEN, SAVED, Stage, caret, differing, field, focus, require

QUESTIONS = [
    {"id": "a", "type": "longText", "text": "What did you build?", "required": True},
    {"id": "b", "type": "longText", "text": "What went wrong?"},
    {"id": "c", "type": "shortText", "text": "In one line?"},
    {"id": "gate", "type": "yesNo", "text": "Is there more?"},
    {"id": "more", "type": "longText", "text": "What more?", "visibleWhen": {"questionId": "gate", "equals": True}},
    {"id": "count", "type": "number", "text": "How many?"},
    {"id": "many", "type": "multiSelect", "text": "Which?", "options": [{"id": "x", "text": "X"}, {"id": "y", "text": "Y"}]},
    {"id": "verdict", "type": "rating", "text": "Again?", "scale": "fourPoint", "required": True},
]
SENTENCE = "She rewrote the importer that nobody dared to touch, and it has run since. "


def run(tally):
    with Stage() as stage:
        stage.kit("k", QUESTIONS)
        for name in ("typing", "waiting", "away", "conflict", "followed", "steps", "kinds", "composed", "left", "token"):
            stage.evaluation(name, "k")
        typing(tally, stage)
        waiting(tally, stage)
        away(tally, stage)
        left_behind(tally, stage)
        conflict(tally, stage)
        followed(tally, stage)
        steps(tally, stage)
        kinds(tally, stage)
        composed(tally, stage)
        token(tally, stage)


def slow(method, path):
    return 0.2 if "/answers" in path else 0


def typing(tally, stage):
    """Ten keys a second for thirty seconds, 200 ms to every save, and a second window with its caret elsewhere."""
    stage.proxy.delay = slow
    first = stage.window("evaluations/typing", width=390, height=844)
    second = stage.window("evaluations/typing", width=390, height=844)
    focus(second, "b")
    second.type("mine")
    second.wait(SAVED)
    focus(first, "a")
    text = (SENTENCE * 5)[:300]
    start = time.monotonic()
    carets, lost = set(), []
    for place, character in enumerate(text):
        first.key(character)
        if place % 25 == 0:
            carets.add(tuple(caret(second)))
            if field(first, "a") != text[: place + 1] or caret(first) != ["a", place + 1]:
                lost.append((place, field(first, "a"), caret(first)))
        time.sleep(max(0, start + (place + 1) / 10 - time.monotonic()))
    tally.check("typing: what is typed is there at once, and the caret behind it", not lost, lost[:2])
    first.wait(SAVED)
    tally.equal("typing: all of it is stored", stage.value("typing", "a"), text)
    tally.equal("typing: no other window's caret moves", carets, {("b", 4)})
    second.wait("return interviewKitPage.book.content('a').value === arguments[0]", text)
    tally.equal("typing: the other window shows it", field(second, "a"), text)
    tally.equal("typing: the other row keeps its text", field(second, "b"), "mine")
    for name, window in (("the first", first), ("the other", second)):
        window.run("document.activeElement.blur()")
        time.sleep(0.2)
        wrong, _ = differing(window)
        tally.check(f"typing: in {name} window every row is as high as the service says", not wrong, wrong)
    saves = [one for one in stage.proxy.requests if one[1] == "PUT" and "/typing/answers/a" in one[2]]
    tally.check("typing: it is saved while it is typed, not at each key", 5 <= len(saves) <= 80, len(saves))
    first.close()
    second.close()


def waiting(tally, stage):
    """B021: what is typed during a save is newer than its reply; saving one does not undo another."""
    stage.proxy.delay = lambda method, path: 2 if method == "PUT" and path.split("?")[0].endswith("/answers/a") else 0
    window = stage.window("evaluations/waiting")
    focus(window, "a")
    window.type("abc")
    window.wait("return interviewKitPage.book.entry('a').isSending")
    focus(window, "b")
    window.type("xyz")
    window.wait("return interviewKitPage.book.state('b') === 'clean'")
    focus(window, "a")
    window.type("def")
    window.wait(SAVED)
    tally.equal("B021: typed during a save: shown", [field(window, "a"), field(window, "b")], ["abcdef", "xyz"])
    tally.equal("B021: both stored", [stage.value("waiting", "a"), stage.value("waiting", "b")], ["abcdef", "xyz"])
    tally.equal("B021: the caret stays", caret(window), ["a", 6])
    stage.proxy.delay = lambda method, path: 0
    window.close()


def away(tally, stage):
    """Offline: typing goes on, is kept, and drains on return; a save whose reply was lost has its effect once."""
    window = stage.window("evaluations/away")
    focus(window, "a")
    window.type("before ")
    window.wait(SAVED)
    stage.proxy.go_away()
    window.type("during ")
    window.wait("return interviewKitPage.book.state('a') === 'offline'")
    focus(window, "b")
    window.type("also")
    window.wait("return interviewKitPage.book.state('b') === 'offline'")
    said = window.run("return document.querySelector('.save-state').textContent")
    tally.equal("offline: the page says so", said, "Offline, kept here")
    tally.equal("offline: nothing is stored yet", stage.value("away", "a"), "before ")
    kept = window.run("return Object.keys(localStorage).filter((key) => key.startsWith('interviewkit.outbox.')).length")
    tally.equal("offline: it is kept in the browser", kept, 2)
    stage.proxy.come_back()
    window.run("dispatchEvent(new Event('online'))")
    window.wait(SAVED)
    tally.equal("back: all is stored", [stage.value("away", "a"), stage.value("away", "b")], ["before during ", "also"])
    kept = window.run("return Object.keys(localStorage).filter((key) => key.startsWith('interviewkit.outbox.')).length")
    tally.equal("back: the outbox is empty", kept, 0)
    # The request arrives, its reply does not: the same again must not meet its own write as a conflict.
    relay, cut = stage.proxy._relay, []

    def lose(handler, upstream, body):
        if handler.command != "PUT" or cut:
            return relay(handler, upstream, body)
        cut.append(handler.path)
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in ("connection",)}
        upstream.request(handler.command, handler.path, body, headers)
        upstream.getresponse().read()
        handler.close_connection = True

    stage.proxy._relay = lose
    focus(window, "b")
    window.type("!")
    # The browser itself, or the page, sends it again under its name.
    wait_until(lambda: cut, 10)
    window.wait(SAVED)
    stage.proxy._relay = relay
    tally.equal("a lost reply: stored once, without a conflict", [stage.value("away", "b"), len(cut)], ["also!", 1])
    window.close()


def left_behind(tally, stage):
    """What a page could not save before it was closed is there when it is opened again, in a row that is high enough."""
    window = stage.window("evaluations/left", width=390, height=844)
    focus(window, "a")
    stage.proxy.go_away()
    window.type(SENTENCE * 2)
    window.wait("return interviewKitPage.book.state('a') === 'offline'")
    window.open("about:blank")
    stage.proxy.come_back()
    stage.proxy.delay = lambda method, path: 1 if method == "PUT" else 0
    stage.go(window, "evaluations/left")
    window.wait("return interviewKitPage.book.content('a').value")
    tally.equal("opened again: the text is back", field(window, "a"), SENTENCE * 2)
    window.wait(SAVED)
    stage.proxy.delay = lambda method, path: 0
    tally.equal("opened again: it is stored", stage.value("left", "a"), SENTENCE * 2)
    wrong, _ = differing(window)
    tally.check("opened again: every row is right", not wrong, wrong)
    window.close()


def conflict(tally, stage):
    """Two wrote the same: both values and a choice; nothing is decided by itself."""
    window = stage.window("evaluations/conflict")
    cards = "return [...document.querySelectorAll('.notice blockquote')].map((one) => one.textContent)"
    press = "[...document.querySelectorAll('.notice button')].find((one) => one.textContent === arguments[0]).click()"

    def collide(theirs, mine):
        stage.proxy.go_away()
        focus(window, "a")
        window.type(mine)
        window.wait("return interviewKitPage.book.state('a') === 'offline'")
        stage.write("conflict", "a", theirs)
        stage.proxy.come_back()
        window.run("dispatchEvent(new Event('online'))")
        window.wait("return interviewKitPage.book.state('a') === 'conflict'")

    collide("theirs", "mine")
    tally.equal("a conflict shows both values", window.run(cards), ["mine", "theirs"])
    tally.equal("nothing is written meanwhile", stage.value("conflict", "a"), "theirs")
    tally.equal("the field keeps what was typed", field(window, "a"), "mine")
    window.run(press, "Keep mine")
    window.wait(SAVED)
    tally.equal("mine is written over what was seen", stage.value("conflict", "a"), "mine")
    collide("theirs again", " more")
    window.run(press, "Take theirs")
    window.wait(SAVED)
    tally.equal("theirs is taken", [field(window, "a"), stage.value("conflict", "a")], ["theirs again", "theirs again"])
    tally.equal("the card is gone", window.run(cards), [])
    window.close()


def followed(tally, stage):
    """Another device writes over what was saved here, in the field that has the caret: what is typed next is where it was meant."""
    window = stage.window("evaluations/followed")
    focus(window, "a")
    window.type("Mine.")
    window.wait(SAVED)
    put = "document.activeElement.setSelectionRange(arguments[0], arguments[0])"
    # The text before, where the caret is, what another device makes of it, what is typed, and what comes of it.
    scenes = [
        ("Mine.", 5, "Theirs, better.", " More.", "Theirs, better. More."),
        ("Theirs, better. More.", 6, "So: Theirs, better. More.", " far", "So: Theirs far, better. More."),
        ("So: Theirs far, better. More.", 4, "So: Theirs far, better.", "all ", "So: all Theirs far, better."),
        ("So: all Theirs far, better.", 12, "So: it is better.", " much", "So: it is much better."),
    ]
    for before, caret_at, theirs, typed, after in scenes:
        window.run(put, caret_at)
        stage.write("followed", "a", theirs)
        window.wait("return document.activeElement.value === arguments[0]", theirs)
        window.type(typed)
        window.wait(SAVED)
        found = [field(window, "a"), stage.value("followed", "a"), caret(window)]
        place = after.index(typed) + len(typed)
        tally.equal(f"typed on at {caret_at} of “{before}”, which became “{theirs}”", found, [after, after, ["a", place]])
    window.close()


def steps(tally, stage):
    """Submit lists what is missing and leads there; after it, typing elsewhere is kept and said to be."""
    window = stage.window("evaluations/steps", width=390, height=844)
    other = stage.window("evaluations/steps")
    window.click(".bar .primary")
    window.wait("return document.querySelectorAll('.jumps button').length === 2")
    tally.equal("submit leads to the first that is missing", caret(window)[0], "a")
    covered = window.run(
        "const row = document.activeElement.closest('.row').getBoundingClientRect();"
        "const panel = document.querySelector('.notices').getBoundingClientRect();"
        "return row.bottom > panel.top && row.right > panel.left"
    )
    tally.check("the list of what is missing does not cover it", not covered)
    window.type("Something.")
    window.run("document.querySelectorAll('.jumps button')[1].click()")
    tally.equal("each line leads to its row", caret(window)[0], "verdict")
    window.key(" ")
    window.wait(SAVED)
    # The other window is away when the evaluation is submitted.
    other.wait("return interviewKitPage.book.content('verdict').value !== null")
    stage.proxy.go_away()
    focus(other, "b")
    other.type("too late")
    other.wait("return interviewKitPage.book.state('b') === 'offline'")
    require(stage.request("POST", "/v1/evaluations/steps/submit"), 200)
    stage.proxy.come_back()
    other.run("dispatchEvent(new Event('online'))")
    other.wait("return interviewKitPage.book.state('b') === 'held'")
    shown = other.run("return document.querySelector('.notices').innerText")
    tally.check("after submit the text is kept, and the page says so", "too late" in shown and "Kept here" in shown, shown)
    window.wait("return interviewKitPage.evaluation.status === 'submitted'")
    locked = "return document.querySelector(`[data-id='a'] textarea`).readOnly"
    window.wait(locked)
    tally.check("a submitted form can't be typed into", window.run(locked))
    other.wait("return interviewKitPage.evaluation.status === 'submitted'")
    require(stage.request("POST", "/v1/evaluations/steps/reopen", {"reason": "One more thing."}), 200)
    other.wait(SAVED)
    tally.equal("once it is open again, what was held is saved", stage.value("steps", "b"), "too late")
    window.close()
    other.close()


def kinds(tally, stage):
    """Every kind of answer by keyboard and mouse, and a row that another answer brings."""
    window = stage.window("evaluations/kinds")
    tally.check("a hidden row is not there", not window.run("return interviewKitPage.view.heights.has('more')"))
    window.click("[data-id='gate'] .part-option")
    window.wait("return interviewKitPage.view.heights.has('more') && document.querySelector(`[data-id='more']`)")
    focus(window, "count")
    window.type("two")
    tally.equal("what is no number is not sent", window.run("return interviewKitPage.book.state('count')"), "invalid")
    window.type("\b\b\b2,500")
    tally.equal("what can be read in two ways is not sent", window.run("return interviewKitPage.book.state('count')"), "invalid")
    window.type("\b\b\b\b\b٢٫٥")
    window.click("[data-id='many'] .part-option:nth-of-type(2)")
    window.run("document.querySelector(`[data-id='verdict'] input`).focus()")
    window.key("ArrowDown")
    window.run("interviewKitPage.edit('b', { notAssessed: true })")
    window.wait("return document.querySelector(`[data-id='b'] .part-notAssessed`)")
    focus(window, "b")
    window.type("Now it is.")
    tally.check("what is answered is assessed", not window.run("return document.querySelector(`[data-id='b'] .part-notAssessed`) !== null"))
    focus(window, "c")
    window.type("one\nline")
    window.wait(SAVED)
    found = {item: stage.value("kinds", item) for item in ("gate", "count", "many", "b", "c")}
    wanted = {"gate": True, "count": 2.5, "many": ["y"], "b": "Now it is.", "c": "oneline"}
    tally.equal("each kind is stored as its value", found, wanted)
    tally.check("a rating is chosen with the arrow keys", stage.value("kinds", "verdict"))
    window.click("[data-id='b'] .tools button")
    window.key("ArrowDown")
    tally.equal("the menu is a menu", window.run("return document.activeElement.getAttribute('role')"), "menuitem")
    window.key("Escape")
    wrong, _ = differing(window)
    tally.check("every row is right", not wrong, wrong)
    names = window.run(
        "return [...document.querySelectorAll('.rows textarea, .rows input, .rows select')]"
        ".filter((one) => !one.labels?.length && !document.getElementById(one.getAttribute('aria-labelledby')?.split(' ')[0])).length"
    )
    tally.equal("every field has a name", names, 0)
    window.close()


def composed(tally, stage):
    """A composition (Korean here) is not ended by a save that comes in between."""
    window = stage.window("evaluations/composed")
    focus(window, "a")
    for text in ("ㅎ", "하", "한"):
        window.cdp("Input.imeSetComposition", text=text, selectionStart=len(text), selectionEnd=len(text))
        time.sleep(0.5)
    tally.check("a save came in between", wait_until(lambda: stage.value("composed", "a") == "한", 5))
    window.cdp("Input.imeSetComposition", text="한그", selectionStart=2, selectionEnd=2)
    window.cdp("Input.insertText", text="한글")
    window.wait(SAVED)
    tally.equal("the composition goes on", [field(window, "a"), stage.value("composed", "a")], ["한글", "한글"])
    # Somebody else writes in between: not under the composition, and nothing is written over what nobody saw.
    window.cdp("Input.imeSetComposition", text="도", selectionStart=1, selectionEnd=1)
    window.wait(SAVED)
    stage.write("composed", "a", "theirs")
    window.wait("return interviewKitPage.book.entry('a').missed > interviewKitPage.book.entry('a').revision")
    window.cdp("Input.insertText", text="도요")
    window.wait("return interviewKitPage.book.state('a') === 'conflict'")
    tally.equal("what is written in between is a conflict", [field(window, "a"), stage.value("composed", "a")], ["한글도요", "theirs"])
    window.close()


def token(tally, stage):
    """Where a token is needed the page asks for it, and sends it in a header, never in an address."""
    stage.proxy.token = "t-0123456789"
    window = stage.window()
    window.open(f"{stage.address}#/evaluations/token")
    give = "document.querySelector('dialog input').value = arguments[0]; document.querySelector('dialog form').requestSubmit()"
    window.wait("return document.querySelector('dialog input[type=password]')")
    window.run(give, "wrong")
    window.wait("return document.querySelector('dialog input[type=password]')?.value === ''")
    window.run(give, stage.proxy.token)
    window.wait(OPEN)
    focus(window, "a")
    window.type("said")
    window.wait(SAVED)
    tally.equal("with a token: typing is stored", stage.value("token", "a"), "said")
    stage.write("token", "b", "heard")
    window.wait("return interviewKitPage.book.content('b').value === 'heard'")
    addresses = [path for _, _, path, _ in stage.proxy.requests if stage.proxy.token in path]
    tally.equal("with a token: it is in no address", addresses, [])
    tally.equal("with a token: one dialog was enough", window.run("return document.querySelectorAll('dialog').length"), 0)
    # It is taken back while somebody types: nothing is lost meanwhile.
    stage.proxy.token = "t-another"
    focus(window, "a")
    window.type(" more")
    window.wait("return document.querySelector('dialog input[type=password]')")
    window.run(give, stage.proxy.token)
    window.wait(SAVED)
    tally.equal("with another token: what was typed is stored", stage.value("token", "a"), "said more")
    stage.proxy.token = None
    window.close()
