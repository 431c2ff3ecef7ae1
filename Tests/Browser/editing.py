# The kit editor beside an open form: reorder by pointer and by keys, add, change, delete, import, while somebody types.

import time

from service import wait_until
from stage import SAVED, Stage, caret, differing, field, focus, require

QUESTIONS = [{"id": f"q{n}", "type": "longText", "text": f"Question {n}?"} for n in range(1, 7)]
WORDS = "While the others were moved about, this one was typed without a pause. "
ORDER = "return interviewKitPage.view.heights.ids.filter((id) => id.startsWith('q'))"


def run(tally):
    with Stage() as stage:
        stage.kit("k", QUESTIONS)
        stage.evaluation("e", "k")
        reorder_while_typing(tally, stage)
        keys(tally, stage)
        forms(tally, stage)
        two_editors(tally, stage)
        retired(tally, stage)
        dropped_file(tally, stage)


def order(stage):
    kit = require(stage.request("GET", "/v1/kits/k"), 200).json
    return [question["id"] for section in kit["sections"] for question in section["questions"]]


def drag(window, item, target, below=True):
    """Drags a row by its grip to just below (or above) another one."""
    window.run("document.querySelector(`[data-grip='${arguments[0]}']`).scrollIntoView({ block: 'center' })", item)
    start = window.run(
        "const box = document.querySelector(`[data-grip='${arguments[0]}']`).getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2]",
        item,
    )
    box = window.run(
        "const own = document.querySelector(`[data-id='${arguments[0]}']`).getBoundingClientRect();"
        "const box = document.querySelector(`[data-id='${arguments[1]}']`).getBoundingClientRect();"
        "return [own.top, own.height, box.top, box.bottom]",
        item,
        target,
    )
    end = start[1] + (box[3] if below else box[2]) - box[0] - min(box[1], 60) / 2
    window.mouse("mousePressed", *start, clickCount=1)
    for step in range(1, 9):
        window.mouse("mouseMoved", start[0], start[1] + (end - start[1]) * step / 8, buttons=1)
        time.sleep(0.02)
    window.mouse("mouseReleased", start[0], end, clickCount=1)


def reorder_while_typing(tally, stage):
    form = stage.window("evaluations/e", width=390, height=844)
    editor = stage.window("kits/k")
    focus(form, "q2")
    for place, character in enumerate(WORDS):
        form.key(character)
        time.sleep(0.04)
        if place == 20:
            drag(editor, "q6", "s")
        if place == 40:
            tally.check("a dragged question is stored", wait_until(lambda: order(stage)[0] == "q6", 10), order(stage))
            require(stage.request("PUT", "/v1/evaluations/e/kitRevision", {"kitRevision": 2}, {"If-Match": "*"}), 200)
    tally.equal("moving one question moves one", order(stage), ["q6", "q1", "q2", "q3", "q4", "q5"])
    form.wait("return interviewKitPage.view.heights.id(1) === 'q6'")
    form.wait(SAVED)
    tally.equal("what was typed meanwhile is in its row", field(form, "q2"), WORDS)
    tally.equal("and stored with its question", stage.value("e", "q2"), WORDS)
    tally.equal("its caret is where it was", caret(form), ["q2", len(WORDS)])
    others = [stage.value("e", f"q{n}") for n in (1, 3, 4, 5, 6)]
    tally.equal("no other row has any of it", others, [None] * 5)
    wrong, _ = differing(form)
    tally.check("the rows stand in their new order, each at its height", not wrong, wrong)
    drag(editor, "q3", "q1", below=False)
    tally.check("a question is dragged upwards", wait_until(lambda: order(stage)[1] == "q3", 10), order(stage))
    form.close()
    editor.close()


def keys(tally, stage):
    window = stage.window("kits/k")
    before = order(stage)
    window.run("document.querySelector(`[data-grip='${arguments[0]}']`).focus()", before[0])
    window.key(" ")
    window.key("ArrowDown")
    window.key("ArrowDown")
    window.key("Escape")
    time.sleep(0.2)
    tally.equal("Escape puts a lifted question back", order(stage), before)
    window.key(" ")
    window.key("ArrowDown")
    window.key("ArrowDown")
    window.key(" ")
    wanted = [before[1], before[2], before[0], *before[3:]]
    tally.check("keys move a question", wait_until(lambda: order(stage) == wanted, 10), (order(stage), wanted))
    window.wait("return interviewKitPage.view.heights.ids[3] === arguments[0]", before[0])
    held = window.run("return document.activeElement.dataset.grip")
    tally.equal("the grip keeps the focus", held, before[0])
    window.wait("return document.querySelector('[role=status]').textContent.includes(' of ')")
    wrong, _ = differing(window)
    tally.check("every row of the editor is right", not wrong, wrong)
    window.close()


def press(window, text, within="document"):
    window.run(
        f"[...{within}.querySelectorAll('button')].filter((one) => one.textContent.trim() === arguments[0]).at(-1).click()", text
    )


def forms(tally, stage):
    window = stage.window("kits/k")
    press(window, "Add a question")
    window.wait("return document.querySelector('dialog textarea')")
    window.run(
        "const dialog = document.querySelector('dialog'); const kind = dialog.querySelector('select');"
        "kind.value = 'singleSelect'; kind.dispatchEvent(new Event('change')); dialog.querySelector('textarea').focus()"
    )
    window.type("Which one?")
    window.run("document.querySelector('dialog .choice-line input').focus()")
    window.type("Left\nRight")
    press(window, "Add", "document.querySelector('dialog .actions')")
    window.wait("return !document.querySelector('dialog') && interviewKitPage.view.kit.sections[0].questions.length === 7")
    kit = require(stage.request("GET", "/v1/kits/k"), 200).json
    made = kit["sections"][0]["questions"][-1]
    tally.equal("a question is added", [made["text"], made["type"], [one["text"] for one in made["options"]]], ["Which one?", "singleSelect", ["Left", "Right"]])
    window.wait("return interviewKitPage.view.list.element(arguments[0])", made["id"])
    window.run("document.querySelector(`[data-id='${arguments[0]}'] .tools button:last-child`).click()", made["id"])
    press(window, "Change…")
    window.wait("return document.querySelectorAll('dialog .choice-line').length === 2")
    window.run("const field = document.querySelector('dialog .choice-line input'); field.focus(); field.select()")
    window.type("Far left")
    press(window, "Save")
    renamed = [[made["options"][0]["id"], "Far left"], [made["options"][1]["id"], "Right"]]
    options = lambda: [[one["id"], one["text"]] for one in question(stage, made["id"])["options"]]
    tally.check("a choice is reworded under its ID", wait_until(lambda: options() == renamed, 10), (options(), renamed))
    open_menu = "document.querySelector(`[data-id='${arguments[0]}'] .tools button:last-child`).click()"
    window.run(open_menu, "q4")
    press(window, "Change…")
    window.wait("return document.querySelector('dialog textarea')")
    window.run("const area = document.querySelector('dialog textarea'); area.focus(); area.select()")
    window.type("Reworded?")
    press(window, "Save")
    tally.check("a question is reworded", wait_until(lambda: question(stage, "q4")["text"] == "Reworded?", 10))
    window.run(open_menu, "q5")
    press(window, "Delete")
    window.wait("return document.querySelector('dialog .bad')")
    press(window, "Delete", "document.querySelector('dialog')")
    tally.check("a question is deleted", wait_until(lambda: "q5" not in order(stage), 10))
    window.wait("return !interviewKitPage.view.heights.has('q5')")
    wrong, _ = differing(window)
    tally.check("every row is right after it", not wrong, wrong)
    window.close()


def question(stage, item):
    return require(stage.request("GET", f"/v1/kits/k/questions/{item}"), 200).json


def two_editors(tally, stage):
    first = stage.window("kits/k")
    tag = require(stage.request("GET", "/v1/kits/k/questions/q1"), 200).tag
    require(stage.request("PATCH", "/v1/kits/k/questions/q1", {"text": "Changed elsewhere?"}, {"If-Match": tag, "Content-Type": "application/merge-patch+json"}), 200)
    first.wait("return document.querySelector(`[data-id='q1']`).textContent.includes('Changed elsewhere?')")
    tally.check("an editor follows what is changed elsewhere", True)
    first.close()


def dropped_file(tally, stage):
    window = stage.window()
    stage.go(window, "", "return document.querySelector('.card')")
    before = len(require(stage.request("GET", "/v1/kits"), 200).json["items"])
    text = "# Dropped kit\n\n## Part\n\n- What is new?\n- What is old?\n- [Contents](https://example.org)\n"
    window.run(
        "const data = new DataTransfer(); data.items.add(new File([arguments[0]], 'dropped.md', { type: 'text/markdown' }));"
        "for (const kind of ['dragover', 'drop']) dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))",
        text,
    )
    window.wait("return document.querySelector('dialog')?.textContent.includes('line 7')")
    said = window.run("return document.querySelector('dialog').innerText")
    tally.check("a dropped file is tried first, and says what it leaves out", "2 questions" in said and "One line is left out" in said, said)
    kits = require(stage.request("GET", "/v1/kits"), 200).json["items"]
    tally.equal("nothing is made by that", len(kits), before)
    press(window, "Make this kit")
    window.wait("return window.interviewKitPage?.view?.kit?.title === 'Dropped kit'")
    kits = require(stage.request("GET", "/v1/kits"), 200).json["items"]
    tally.equal("then it is made", len(kits), before + 1)
    window.close()


def retired(tally, stage):
    """An answer whose question is gone from the kit is shown, in the form and side by side."""
    stage.kit("r", QUESTIONS[:2])
    stage.evaluation("r", "r")
    stage.write("r", "q1", "This one stays.")
    tag = require(stage.request("GET", "/v1/kits/r/questions/q1"), 200).tag
    require(stage.request("DELETE", "/v1/kits/r/questions/q1", headers={"If-Match": tag}), 204)
    require(stage.request("PUT", "/v1/evaluations/r/kitRevision", {"kitRevision": 2}, {"If-Match": "*"}), 200)
    window = stage.window("evaluations/r")
    shown = window.wait("return document.querySelector('.retired-answer')?.innerText")
    tally.check("a retired answer is shown with its question", "Question 1?" in shown and "This one stays." in shown, shown)
    require(stage.request("POST", "/v1/evaluations/r/submit"), 200)
    stage.go(window, "reading/r/c-1", "return document.querySelector('.reading-table')")
    shown = window.run("return document.querySelector('.reading-table').innerText")
    tally.check("it is read side by side, too", "Question 1?" in shown and "This one stays." in shown, shown)
    window.close()
