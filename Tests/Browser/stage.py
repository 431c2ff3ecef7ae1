# What the browser tests share: a service with kits, a proxy before it, browsers, and steps in a form.

import json
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(os.path.dirname(HERE), "EndToEnd"))

from middle import Proxy  # noqa: E402
from service import ROOT, Server, require  # noqa: E402
from webdriver import Driver  # noqa: E402

SAMPLES = os.path.join(ROOT, "Examples/kits")
TYPES = {"json": "application/json", "md": "text/markdown", "csv": "text/csv"}
# Where screenshots go; git ignores it.
SHOTS = os.path.join(ROOT, ".build/screenshots")
OPEN = "return window.interviewKitPage?.view?.list && document.querySelectorAll('.row').length"
SAVED = "return window.interviewKitPage.book.unsaved.length === 0"


class Stage:
    """A service of its own with a proxy before it, and a driver that starts browsers."""

    def __init__(self, delay=lambda method, path: 0):
        self.folder = tempfile.TemporaryDirectory(prefix="interviewkit-browser-")
        self.server = Server()
        self.proxy = Proxy(self.server.port, delay, folder=os.environ.get("INTERVIEWKIT_PAGES"))
        self.driver = Driver(self.folder.name)
        self.windows = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for window in self.windows:
            try:
                window.close()
            except RuntimeError:
                pass
        self.driver.__exit__()
        self.proxy.close()
        self.server.__exit__()
        self.folder.cleanup()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.proxy.port}/"

    def request(self, method, path, body=None, headers=None):
        return self.server.request(method, path, body, headers)

    def window(self, page=None, **options):
        window = self.driver.window(**options)
        self.windows.append(window)
        if page is not None:
            self.go(window, page)
        return window

    def go(self, window, page, ready=OPEN):
        """Opens a page anew, such as `evaluations/e`."""
        window.open("about:blank")
        window.open(f"{self.address}#/{page}")
        if ready:
            window.wait(ready)

    def kit(self, kit_id, questions, **more):
        """A kit of one section, in English unless it says otherwise."""
        document = {"title": kit_id, "language": "en", "sections": [{"id": "s", "title": "Section", "questions": questions}]}
        require(self.request("PUT", f"/v1/kits/{kit_id}", {**document, **more}), 201)

    def evaluation(self, evaluation_id, kit_id):
        body = {"kitId": kit_id, "candidate": {"id": "c-1", "name": "Ada Byron"}}
        require(self.request("PUT", f"/v1/evaluations/{evaluation_id}", body), 201)

    def samples(self):
        """The sample kits under their own IDs, each with an evaluation of the same ID."""
        found = []
        for name in sorted(os.listdir(SAMPLES)):
            with open(os.path.join(SAMPLES, name), "rb") as file:
                document = file.read()
            ending = name.rsplit(".", 1)[1]
            kit_id = json.loads(document)["id"] if ending == "json" else name.split(".")[0]
            require(self.request("PUT", f"/v1/kits/{kit_id}", document, {"Content-Type": TYPES[ending]}), 201)
            self.evaluation(kit_id, kit_id)
            found.append(kit_id)
        return found

    def value(self, evaluation_id, item_id):
        return require(self.request("GET", f"/v1/evaluations/{evaluation_id}/answers/{item_id}"), 200).json["value"]

    def write(self, evaluation_id, item_id, value):
        """An answer of somebody else's, over whatever is there."""
        path = f"/v1/evaluations/{evaluation_id}/answers/{item_id}"
        reply = self.request("PUT", path, {"value": value}, {"If-Match": "*"})
        if reply.status not in (200, 201):
            raise RuntimeError(f"{path} answered {reply!r}")


def focus(window, item_id):
    """Puts the caret at the end of an answer's field."""
    window.run(
        "const row = document.querySelector(`[data-id='${arguments[0]}']`);"
        "const field = row.querySelector('textarea, input'); field.focus();"
        "field.setSelectionRange?.(field.value.length, field.value.length)",
        item_id,
    )


def field(window, item_id):
    """What stands in an answer's field."""
    return window.run(
        "return document.querySelector(`[data-id='${arguments[0]}']`).querySelector('textarea, input').value", item_id
    )


def caret(window):
    """The row that holds the focus, and where the caret is in it."""
    return window.run(
        "const field = document.activeElement;"
        "return [field.closest('[data-id]')?.dataset.id ?? null, field.selectionStart ?? null]"
    )


MEASURE = """
(async () => {
  const { naturalHeight } = await import("/assets/row.js");
  const { list, heights } = interviewKitPage.view;
  const seen = new Map();
  for (let y = 0; seen.size < heights.count; y += 600) {
    scrollTo(0, y);
    list.update();
    for (const [id, row] of list.drawn) {
      if (!seen.has(id)) seen.set(id, [id, row.className, heights.height(id), naturalHeight(row), row.getBoundingClientRect().height]);
    }
    if (y > document.documentElement.scrollHeight) break;
  }
  scrollTo(0, 0);
  done([...seen.values()]);
})().catch((error) => done(String(error)));
"""


def measured(window):
    """Each row: ID, class, the service's height, the height that its content asks for here, the height it has here."""
    return window.run_async(MEASURE)


def differing(window, tolerance=0.5):
    """The rows whose content is not as high here as the service says, or that are drawn otherwise; all that were seen."""
    rows = measured(window)
    if isinstance(rows, str):
        raise RuntimeError(rows)
    wrong = [row for row in rows if abs(row[2] - row[3]) > tolerance or abs(row[2] - row[4]) > 0.01 or row[3] <= 0]
    return wrong, rows
