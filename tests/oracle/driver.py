# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""A browser, driven over WebDriver on a port of this machine: Chromium by its own driver."""
import base64
import http.client
import json
import re
import subprocess

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Backspace": "\ue003", "Tab": "\ue004", "Home": "\ue011", "Left": "\ue012",
        "Up": "\ue013", "Right": "\ue014", "Down": "\ue015"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Driver:
    """chromedriver; ends with the block."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            port = re.search(r"started successfully on port (\d+)", line)
            if port:
                self.port = int(port.group(1))
                return
        raise RuntimeError("chromedriver does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)

    def call(self, method, path, body=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        link.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        value = json.loads(link.getresponse().read())["value"]
        link.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError("%s: %s" % (value["error"], value.get("message", "").split("\n")[0]))
        return value


class Browser:
    """One window; no host can be reached from it, except this one if local."""

    def __init__(self, driver, scripts=True, local=False):
        options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                            "--window-size=1200,900", "--host-resolver-rules=MAP * ~NOTFOUND" + (", EXCLUDE 127.0.0.1" if local else "")]}
        if not scripts:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        self.driver = driver
        self.session = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.call("DELETE", "/session/" + self.session)

    def call(self, method, path, body=None):
        return self.driver.call(method, "/session/%s/%s" % (self.session, path), body)

    def open(self, url):
        # The same file with another fragment would not be loaded again.
        self.call("POST", "url", {"url": "about:blank"})
        self.call("POST", "url", {"url": url})

    def run(self, script, *args):
        return self.call("POST", "execute/sync", {"script": script, "args": list(args)})

    def element(self, selector):
        return self.call("POST", "element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, x, y):
        self.call("POST", "actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}]})

    def keys(self, *names, held=None):
        """Presses keys, by name or as characters, one after the other."""
        actions = [{"type": "keyDown", "value": held}] if held else []
        for name in names:
            for key in ([KEYS[name]] if name in KEYS else name):
                actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        actions += [{"type": "keyUp", "value": held}] if held else []
        self.call("POST", "actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def log(self):
        return self.call("POST", "se/log", {"type": "browser"})

    def command(self, name, **params):
        return self.call("POST", "goog/cdp/execute", {"cmd": name, "params": params})

    def screenshot(self):
        return base64.b64decode(self.call("GET", "screenshot"))
