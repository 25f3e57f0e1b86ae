"""A Chromium without a window, driven through its own pipe (Chrome DevTools Protocol): nothing but the standard library."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Enter": 13}


class Browser:
    def __init__(self, binary, seconds=60):
        self.folder = tempfile.mkdtemp(prefix="heddle-browser-")
        self.deadline = time.monotonic() + seconds
        to_browser, self.out = os.pipe()
        self.into, from_browser = os.pipe()

        def connect():  # Chromium reads from 3 and writes to 4
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen([binary, *FLAGS, "--user-data-dir=" + self.folder, "about:blank"], preexec_fn=connect,
                                        close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.errors = []
        self.requests = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self):
        while b"\0" not in self.buffer:
            left = self.deadline - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self.into, 1 << 20)
            if not chunk:
                raise EOFError("the browser has ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def hear(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(values["exceptionDetails"]))
        if method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.errors.append(values["entry"]["text"])
        if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "assert"):
            self.errors.append(json.dumps(values["args"]))
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def call(self, method, **values):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values}
        if not method.startswith("Target."):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.hear(answer)
                continue
            if "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            return answer["result"]

    def size(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def colours(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def open(self, address):
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        while self.value("location.href") == "about:blank" or self.value("document.readyState") != "complete":
            time.sleep(0.02)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def settle(self):
        """Until what was asked for has been drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def press(self, key):
        code = KEYS.get(key, 0)
        text = {} if len(key) > 1 else {"text": key}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)
        self.settle()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.settle()

    def click(self, selector):
        place = self.value(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: 'center'}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
        self.settle()

    def picture(self, path, whole=False):
        import base64
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
