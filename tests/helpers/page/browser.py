"""browser.py - the Chromium of scripts/dev/chromium.py with hands: keys, clicks and drags; and what its console said."""
import pathlib, shutil, sys, time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts/dev"))
import chromium

CODES = {"Enter": 13, "ArrowLeft": 37, "ArrowRight": 39, "Escape": 27}
chromium.FLAGS.append("--disable-features=IsolateSandboxedIframes") # a frame's scripts are asked here, too


def is_here():
    return shutil.which("chromium")


class Browser(chromium.Page):
    """`with Browser(folder) as b`, as chromium.Page."""

    def __init__(self, folder):
        super().__init__(folder)
        self.errors, self.contexts = [], []

    def visit(self, url, width=1300, height=900):
        if not self.contexts:
            self.ask("Runtime.enable")
            self.ask("Log.enable")
        self.open(url, width, height, 1)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def message(self, deadline):
        message = super().message(deadline)
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
        return message

    def value(self, expression, context=None):
        more = {"contextId": context} if context else {}
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, **more)
        if "exceptionDetails" in result:
            raise chromium.Error(expression + ": " + str(result["exceptionDetails"].get("exception", {}).get("description")))
        return result["result"].get("value")

    def until(self, expression):
        end = time.monotonic() + chromium.REPLY
        while not self.value(expression):
            if time.monotonic() > end:
                raise chromium.Error("it did not come to this: " + expression)
            self.frame()

    def frame(self):
        """Two frames: what an event asked for is drawn."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def key(self, key, shift=False):
        more = {"windowsVirtualKeyCode": CODES[key]} if key in CODES else {}
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
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
