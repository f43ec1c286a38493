"""browser.py - Chromium without a window, driven over the DevTools protocol through two pipes: no port, no package."""
import json, os, select, shutil, subprocess, tempfile, time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, width=1300, height=900):
        self.profile = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()

        def pipes():
            """3 and 4 are its ends; they may be those numbers already, or each other's."""
            ends = os.dup(to_read), os.dup(from_write)
            high = [fd if fd > 4 else os.dup2(fd, 50 + i) for i, fd in enumerate(ends)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        arguments = [find(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--user-data-dir=" + self.profile,
                     "--disable-features=IsolateSandboxedIframes", "--window-size=%d,%d" % (width, height), "--no-first-run", "about:blank"]
        self.process = subprocess.Popen(arguments, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.number, self.text, self.errors, self.contexts, self.session = 0, b"", [], [], None
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(domain + ".enable")

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]

    def message(self, limit=60):
        end = time.monotonic() + limit
        while b"\0" not in self.text:
            if not select.select([self.come], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError("the browser says nothing")
            more = os.read(self.come, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.text += more
        text, self.text = self.text.split(b"\0", 1)
        message = json.loads(text)
        self.note(message)
        return message

    def note(self, message):
        method, said = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.errors.append(str([a.get("value") for a in said["args"]]))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.errors.append(said["entry"]["text"] + " " + said["entry"].get("url", ""))
        elif method == "Runtime.executionContextsCleared":
            self.contexts = []
        elif method == "Runtime.executionContextCreated":
            self.contexts.append(said["context"]["id"])

    def open(self, url):
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && (location.href !== 'about:blank')")

    def value(self, expression, context=None):
        more = {"contextId": context} if context else {}
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, **more)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + str(result["exceptionDetails"].get("exception", {}).get("description")))
        return result["result"].get("value")

    def until(self, expression, limit=30):
        end = time.monotonic() + limit
        while not self.value(expression):
            if time.monotonic() > end:
                raise RuntimeError("it did not come to this: " + expression)
            self.frame()

    def frame(self):
        """Two frames: what an event asked for is drawn."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def key(self, key, shift=False):
        code = {"Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "Escape": 27}.get(key)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        more = {"windowsVirtualKeyCode": code} if code else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, text=text, modifiers=8 * shift, **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **more)
        self.frame()

    def mouse(self, kind, x, y, **more):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)
        self.frame()

    def drag(self, x, y, to_x, to_y, shift=False):
        self.mouse("mousePressed", x, y, button="left", clickCount=1, modifiers=8 * shift)
        for part in (0.5, 1):
            self.mouse("mouseMoved", x + (to_x - x) * part, y + (to_y - y) * part, button="left", buttons=1, modifiers=8 * shift)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1, modifiers=8 * shift)
        self.frame()

    def close(self):
        try:
            self.session = None
            self.ask("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)
