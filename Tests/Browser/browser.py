# A browser with a page and fonts served from this process and no others in reach.

import http.server
import os
import threading

from webdriver import Driver

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = """<!doctype html><meta charset="utf-8"><title>texts</title><style>
%s
body { margin: 0 }
.block, .area { white-space: pre-wrap; text-rendering: geometricPrecision; font-synthesis: none; line-height: normal;
  unicode-bidi: plaintext; hyphens: manual; tab-size: 8; word-break: normal; text-spacing-trim: space-all;
  text-autospace: no-autospace }
.area { display: block; box-sizing: content-box; margin: 0; border: 0; padding: 0; height: 0; overflow: hidden; resize: none }
</style><body><script src="/page.js"></script>"""
FONTCONFIG = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>"""


class Browser:
    """One headless Chromium on a page that knows the given fonts."""

    def __init__(self, fonts, folder):
        self._serve(fonts)
        with open(os.path.join(folder, "fonts.conf"), "w", encoding="utf-8") as file:
            file.write(FONTCONFIG % (fonts.folder, os.path.join(folder, "fontcache")))
        self.driver = Driver(folder, {"FONTCONFIG_FILE": file.name})
        self.window = self.driver.window(
            scale=0, arguments=["--force-device-scale-factor=1", "--hide-scrollbars"])
        self.version = self.window.version
        self.window.open(f"http://127.0.0.1:{self.server.server_port}/")
        faces = self.run("return measurer.loadFonts()")
        missing = [family for family, status in faces if status != "loaded"]
        if missing:
            raise RuntimeError(f"the browser refuses {missing}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.window.close()
        finally:
            self.driver.__exit__()
            self.server.shutdown()

    def _serve(self, fonts):
        page = (PAGE % fonts.css()).encode()
        files = {f"/fonts/{os.path.basename(path)}": path for path in fonts.files.values()}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/":
                    kind, body = "text/html", page
                elif self.path == "/page.js":
                    kind, body = "text/javascript", open(os.path.join(HERE, "page.js"), "rb").read()
                elif self.path in files:
                    kind, body = "font/otf", open(files[self.path], "rb").read()
                else:
                    return self.send_error(404)
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def run(self, script, *arguments):
        return self.window.run(script, *arguments)

    def blocks(self, texts, **options):
        """Height and line starts of each text: `texts` have `text`, `lang` and `families`."""
        found = []
        for start in range(0, len(texts), 250):
            found += self.run("return measurer.blocks(arguments[0], arguments[1])", texts[start:start + 250], options)
        return found
