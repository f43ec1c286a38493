"""A headless Chromium, driven by the DevTools protocol over a pair of pipes: one page, its size,
scripts, mouse and picture. Needs nothing but Python's own library."""
import base64
import json
import os
import select
import shutil
import signal
import time

# Chromium speaks to nobody but this machine; a sandbox is not to be had for root.
FLAGS = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
         "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
         "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
REPLY = 60  # seconds until a command is given up
STILL = 3   # pictures in a row that have to be the same


class Error(Exception):
    """Chromium did not start, broke off, or a page did not come to what was waited for."""


class Page:
    """`with Page(folder) as page`: what Chromium keeps goes into that folder."""

    def __init__(self, folder):
        program = shutil.which("chromium")
        if not program:
            raise Error("chromium is not installed")
        flags = FLAGS + ["--user-data-dir=" + folder] + ["--no-sandbox"] * (os.geteuid() == 0)
        its_input, self.output = os.pipe()
        self.input, its_output = os.pipe()
        # Chromium reads commands from 3 and writes answers to 4. its_output is above 3, so the
        # first of the two does not replace it.
        self.pid = os.posix_spawn(
            program, [program, *flags, "about:blank"], os.environ | {"HOME": folder},
            file_actions=[(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                          (os.POSIX_SPAWN_DUP2, its_input, 3),
                          (os.POSIX_SPAWN_DUP2, its_output, 4)])
        os.close(its_input)
        os.close(its_output)
        self.count, self.rest, self.session = 0, b"", {}

    def __enter__(self):
        try:
            target = self.ask("Target.createTarget", url="about:blank")["targetId"]
            attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
            self.session = {"sessionId": attached["sessionId"]}
            self.ask("Page.enable")
        except Error:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """The end of its input ends Chromium, or else we do."""
        os.close(self.output)
        deadline = time.monotonic() + REPLY
        while not os.waitpid(self.pid, os.WNOHANG)[0]:
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.05)
        os.close(self.input)

    def message(self, deadline):
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Error(f"chromium gave no answer in {REPLY} s")
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise Error("chromium has ended")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **params):
        """The result of one command; events that come in between are nobody's business."""
        self.count += 1
        command = {"id": self.count, "method": method, "params": params} | self.session
        try:
            os.write(self.output, json.dumps(command).encode() + b"\0")
        except BrokenPipeError:
            raise Error("chromium has ended") from None
        deadline = time.monotonic() + REPLY
        while (answer := self.message(deadline)).get("id") != self.count:
            pass
        if "error" in answer:
            raise Error(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, url, width, height, scale):
        self.size(width, height, scale)
        failed = self.ask("Page.navigate", url=url).get("errorText")
        if failed:
            raise Error(f"{url}: {failed}")

    def size(self, width, height, scale):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=scale, mobile=False)

    def before_scripts(self, source):
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=source)

    def value(self, expression):
        """What an expression is in the page; None where it cannot be told yet."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    def wait_for(self, what, expression):
        deadline = time.monotonic() + REPLY
        while not (value := self.value(expression)):
            if time.monotonic() > deadline:
                raise Error(f"{what} did not show in {REPLY} s")
            time.sleep(0.1)
        return value

    def point_at(self, x, y):
        """Two moves: what is below the mouse is looked up when it moves there from elsewhere."""
        for dx in (4, 0):
            self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x + dx, y=y)

    def picture(self, before=lambda: None):
        """PNG of the page, once it has stopped changing. Taking one takes the mouse off the page;
        `before` is done in front of each, and may put it there again."""
        deadline = time.monotonic() + REPLY
        same, last = 0, None
        while same < STILL:
            if time.monotonic() > deadline:
                raise Error(f"the page did not come to rest in {REPLY} s")
            before()
            time.sleep(0.3)
            now = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
            same, last = (same + 1 if now == last else 1), now
        return last
