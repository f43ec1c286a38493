"""The peers in the same rotation: LTTng-UST, uftrace, babeltrace2. Who is not installed has no rows."""
import glob, os, re, shutil, subprocess, time
from harness import DIR, ENV, compile_c, environment, figures, measured, note, progress, size_of

WRAP, LAYER = DIR + "/wrap_lttng.so", DIR + "/layer_lttng.so"
lttng = None	# the session daemon's client, or None
uftrace = babeltrace = zstd = None	# where the command lies


def command(*words):
    return subprocess.run(words, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


class Lttng:
    """A session daemon of our own for the whole run, a session for each measured process."""
    def __init__(self):
        self.count, self.left = 0, set(glob.glob("/dev/shm/lttng-*"))
        command("lttng-sessiond", "--daemonize", "--no-kernel", "--pidfile=%s/sessiond.pid" % DIR)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not self.pid():
            time.sleep(0.05)
        command("lttng", "list")

    @staticmethod
    def pid():
        try:
            return int(open(DIR + "/sessiond.pid").read())
        except (OSError, ValueError):
            return 0

    def start(self, subbuf="1M", count="16"):
        self.count += 1
        self.name, self.out = "bench%d" % self.count, "%s/lttng%d" % (DIR, self.count)
        command("lttng", "create", self.name, "--output=" + self.out)
        command("lttng", "enable-channel", "-u", "-s", self.name, "--subbuf-size=" + subbuf, "--num-subbuf=" + count, "ch")
        command("lttng", "enable-event", "-u", "-s", self.name, "-c", "ch", "ranktrace_bench:*")
        command("lttng", "start", self.name)
        self.cpu = self.consumer()

    def stop(self):
        """Leaves the trace in self.out."""
        command("lttng", "stop", self.name)
        cpu = self.consumer() - self.cpu
        lost = sum(map(int, re.findall(r"Discarded events: (\d+)", command("lttng", "list", self.name))))
        command("lttng", "destroy", self.name)
        return dict(lost=lost, bytes=size_of(self.out), flush_ns=cpu)

    def forget(self):
        shutil.rmtree(self.out, ignore_errors=True)

    def consumer(self):
        """CPU ns of our consumer daemons so far."""
        total = 0
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if open("/proc/%s/comm" % pid).read().startswith("lttng-consumerd") and \
                   DIR in open("/proc/%s/environ" % pid).read():
                    for t in os.listdir("/proc/%s/task" % pid):
                        total += int(open("/proc/%s/task/%s/schedstat" % (pid, t)).read().split()[0])
            except OSError:
                pass
        return total

    def end(self):
        pid = self.pid()
        command("lttng", "destroy", "--all")
        if pid:
            try:
                os.kill(pid, 15)
                for _ in range(100):
                    os.kill(pid, 0)
                    time.sleep(0.05)
            except OSError:
                pass
        for path in set(glob.glob("/dev/shm/lttng-*")) - self.left:
            os.unlink(path)


def running(name):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if open("/proc/%s/comm" % pid).read().startswith(name):
                return True
        except OSError:
            pass
    return False


def why_no_lttng():
    if not shutil.which("lttng") or not shutil.which("lttng-sessiond"):
        return "no lttng-tools here"
    if running("lttng-sessiond"):
        return "another lttng-sessiond runs here, whose sessions are not ours"
    flags = ("-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,now", "-llttng-ust", "-ldl")
    if compile_c(WRAP, ["wrap_lttng.c"], *flags):
        return "no liblttng-ust-dev here"
    compile_c(LAYER, ["wrap_lttng.c"], "-DLAYER", *flags)	# where OpenCL's headers are
    return ""


def begin():
    """Finds who is there, and says who is not."""
    global lttng, uftrace, babeltrace, zstd
    uftrace, babeltrace, zstd = map(shutil.which, ("uftrace", "babeltrace2", "zstd"))
    why = why_no_lttng()
    if why:
        note("LTTng-UST: %s; its rows and the bars against it are left out" % why)
    else:
        lttng = Lttng()
    for name, path in (("uftrace", uftrace), ("babeltrace2", babeltrace), ("zstd", zstd)):
        if not path:
            note("%s is not installed; its rows are left out" % name)


def end():
    if lttng:
        lttng.end()


def versions():
    found = []
    for name in ("lttng", "uftrace", "babeltrace2", "zstd"):
        if shutil.which(name):
            m = re.search(r"\d+\.\d+(\.\d+)*", command(name, "--version"))
            found.append("%s %s" % (name, m.group(0) if m else "?"))
    return found


def run_lttng(words, active=True, fake="fake0", keep=False, env=None):
    """One process under the wrapper; active: with a session that writes to disk."""
    env = env or environment(WRAP, fake=fake)
    if not active:
        return measured(words, env)
    lttng.start()
    try:
        result = measured(words, env)
    finally:
        totals = lttng.stop()
    if not keep:
        lttng.forget()
    return dict(result, **totals)


def run_uftrace(words, fake="fake0"):
    """Calls through the PLT only: what uftrace sees of a program that was not built for it."""
    data = DIR + "/uftrace"
    shutil.rmtree(data, ignore_errors=True)
    p = subprocess.run([uftrace, "record", "--force", "--no-pager", "--no-event", "-d", data] + words, env=environment(fake=fake),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    result = figures(p.stdout)
    if "calls" not in result:
        progress("! uftrace: " + p.stdout[-300:])
        raise RuntimeError("uftrace ended with %d" % p.returncode)
    if os.path.isdir(data):
        result["bytes"] = sum(os.path.getsize(f) for f in glob.glob(data + "/*.dat"))
    shutil.rmtree(data, ignore_errors=True)
    return result
