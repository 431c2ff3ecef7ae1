# A proxy between browser and service that is slow, or away, when a test wants it to be.

import http.client
import http.server
import os
import threading
import time

HOP = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection"}


class Proxy:
    """`delay(method, path)` gives seconds to wait before a request goes on; while `is_away`, connections are cut."""

    def __init__(self, port, delay=lambda method, path: 0, folder=None):
        self.target, self.delay, self.is_away, self.folder = port, delay, False, folder
        # Where it is set, requests below /v1 need it.
        self.token = None
        self.requests = []
        self._open = set()
        self._lock = threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def __getattr__(self, name):
                if name.startswith("do_"):
                    return lambda: proxy._forward(self)
                raise AttributeError(name)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.go_away()
        self.server.shutdown()
        self.server.server_close()

    def go_away(self):
        """Cuts every connection, as a network does that is gone."""
        self.is_away = True
        with self._lock:
            for upstream in list(self._open):
                if upstream.sock:
                    try:
                        upstream.sock.shutdown(2)
                    except OSError:
                        pass

    def come_back(self):
        self.is_away = False

    def _forward(self, handler):
        length = int(handler.headers.get("Content-Length") or 0)
        body = handler.rfile.read(length) if length else None
        self.requests.append((time.monotonic(), handler.command, handler.path, body))
        if self.is_away:
            handler.close_connection = True
            return
        if self.folder and self._serve_file(handler):
            return
        if self.token and handler.path.startswith("/v1/") and handler.headers.get("Authorization") != f"Bearer {self.token}":
            return self._refuse(handler)
        time.sleep(self.delay(handler.command, handler.path))
        upstream = http.client.HTTPConnection("127.0.0.1", self.target, timeout=60)
        with self._lock:
            self._open.add(upstream)
        try:
            self._relay(handler, upstream, body)
        except (OSError, http.client.HTTPException):
            handler.close_connection = True
        finally:
            with self._lock:
                self._open.discard(upstream)
            upstream.close()

    @staticmethod
    def _refuse(handler):
        body = b'{"status":401,"code":"tokenNeeded","detail":"A token is needed."}'
        handler.send_response_only(401)
        handler.send_header("Content-Type", "application/problem+json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def _relay(self, handler, upstream, body):
        headers = {name: value for name, value in handler.headers.items() if name.lower() not in HOP}
        upstream.request(handler.command, handler.path, body, headers)
        response = upstream.getresponse()
        if self.is_away:
            handler.close_connection = True
            return
        handler.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in HOP:
                handler.send_header(name, value)
        is_open_ended = response.getheader("Content-Length") is None and response.status not in (204, 304)
        if is_open_ended:
            handler.send_header("Connection", "close")
            handler.close_connection = True
        handler.end_headers()
        while piece := response.read1(65536):
            handler.wfile.write(piece)
            handler.wfile.flush()

    def _serve_file(self, handler):
        """Development: the pages from a folder instead of the program."""
        path = handler.path.split("?")[0]
        name = "index.html" if path == "/" else path.removeprefix("/assets/")
        file = os.path.join(self.folder, name)
        if "/" in name or not os.path.isfile(file):
            return False
        with open(file, "rb") as opened:
            content = opened.read()
        kinds = {"html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
        handler.send_response(200)
        handler.send_header("Content-Type", kinds[name.rsplit(".", 1)[1]])
        handler.send_header("Content-Length", str(len(content)))
        handler.send_header("Cache-Control", "no-store")
        handler.send_header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
        )
        handler.end_headers()
        handler.wfile.write(content)
        return True
