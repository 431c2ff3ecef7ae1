# Chromium through its driver's HTTP protocol (W3C WebDriver, and DevTools commands where that has none).

import base64
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--font-render-hinting=none",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
]


class Driver:
    """The driver's process; it starts browsers."""

    def __init__(self, folder, environment=None):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["chromedriver", f"--port={port}"],
            env=dict(os.environ, HOME=folder, **(environment or {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.address = f"http://127.0.0.1:{port}"
        for line in self.process.stdout:
            if "started successfully" in line:
                break

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    def send(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + path,
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=900) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from error

    def window(self, url=None, width=1280, height=800, scale=1, arguments=()):
        return Window(self, url, width, height, scale, arguments)


class Window:
    """One browser with one page."""

    def __init__(self, driver, url, width, height, scale, arguments):
        self.driver = driver
        options = {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": [*ARGUMENTS, *arguments], "binary": "/usr/bin/chromium"},
            "timeouts": {"script": 600_000},
        }
        session = driver.send("POST", "/session", {"capabilities": {"alwaysMatch": options}})
        self.session = f"/session/{session['sessionId']}"
        self.version = session["capabilities"]["browserVersion"]
        # With scale 0 the window is as the arguments say.
        if scale:
            self.resize(width, height, scale)
        # A page in a window behind another one has the focus all the same.
        self.cdp("Emulation.setFocusEmulationEnabled", enabled=True)
        if url:
            self.open(url)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.driver.send("DELETE", self.session)

    def send(self, method, path, body=None):
        return self.driver.send(method, self.session + path, body)

    def cdp(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height, scale=1, mobile=False):
        self.cdp(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile
        )

    def media(self, **features):
        """CSS media features, such as `prefers_color_scheme="dark"`."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.cdp("Emulation.setEmulatedMedia", features=listed)

    def open(self, url):
        self.send("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """A script that calls `done(value)`."""
        script = f"const done = arguments[arguments.length - 1];\n{script}"
        return self.send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=20):
        """Waits until the script's value is true, and returns it; else raises with what the page shows."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = self.run(script, *arguments)
            if value:
                return value
            time.sleep(0.03)
        text = self.run("return document.body.innerText")[:600]
        raise TimeoutError(f"not within {seconds} s: {script[:200]}; page: {text!r}; console: {self.console()[-5:]}")

    def type(self, text):
        """Presses the keys of a text where the focus is."""
        for character in text:
            self.key(character)

    def key(self, character, **more):
        known = {"\n": ("Enter", "\r", 13), "\t": ("Tab", "", 9), "\b": ("Backspace", "", 8), " ": (" ", " ", 32)}
        names = {"Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "ArrowLeft": 37, "ArrowRight": 39, "End": 35, "Home": 36}
        if character in names:
            key, text, code = character, "", names[character]
        else:
            key, text, code = known.get(character, (character, character, 0))
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key, "windowsVirtualKeyCode": code, **more}
        if text:
            down["text"] = text
        self.cdp("Input.dispatchKeyEvent", **down)
        self.cdp("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, **more)

    def mouse(self, kind, x, y, **more):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", **more)

    def click(self, selector):
        """A click of the mouse in the middle of the first element that the selector finds."""
        place = self.run(
            "const element = document.querySelector(arguments[0]); element.scrollIntoView({ block: 'center' });"
            "const box = element.getBoundingClientRect();"
            "return [box.left + box.width / 2, box.top + box.height / 2]",
            selector,
        )
        self.mouse("mousePressed", *place, clickCount=1)
        self.mouse("mouseReleased", *place, clickCount=1)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("GET", "/screenshot")))

    def console(self):
        """What the page wrote to its console since it was last asked, as `level: message`."""
        return [f"{entry['level']}: {entry['message']}" for entry in self.send("POST", "/se/log", {"type": "browser"})]
