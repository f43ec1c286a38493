"""What whole training jobs notice: the demo's and tinygrad's step times without ranktrace, dormant and recording.

Two ways. Processes in alternation see everything, but two runs of one program differ by more than the bar for reasons
that nobody controls (where its memory came to lie, what the compiler's threads did). So the same is
asked inside one process as well, a block of steps with and a block without: dormant, by a switch in front of
ranktrace that leads the calls past it (switch.c); recording, by windows of as many steps. Each block is compared
with a neighbour. The interval that the median lies in with 95 % confidence decides: all above the bar is a failure, all within
it (to both sides of nothing) a pass, and anything wider tells nothing. Then the count still can: calls a step
times what a call costs."""
import functools, os, statistics, subprocess
import harness as h
from sections import calls

ALTERNATIONS = h.pick(20, 4)
BLOCK, WARM = 10, 20
CONTROL = "control: ranktrace in no block of a process"
STEPS_OUT, SWITCH = h.DIR + "/steps", h.DIR + "/switch.so"
FOREVER = "1000000"


class Program:
    """steps: of a process in the alternation; long_steps: of one in which blocks alternate. switch: preloaded, or it times itself."""
    block = BLOCK
    fewest = 1	# of the steps of a window such a part has events

    def __init__(self, name, command, steps, long_steps, source, switch):
        self.name, self.command, self.source, self.switch = name, command, source, switch
        self.steps, self.long_steps = steps, long_steps

    def settings(self, steps, contents="cpu"):
        return dict({"STEPS": steps, "CONTENTS": contents}, **({"STEP_SOURCE": self.source} if self.source else {}))

    def environment(self, agent, block):
        return h.environment(SWITCH if self.switch else None, agent, SWITCH_OUT=STEPS_OUT, SWITCH_BLOCK=block, DEV="CL")

    def run(self, steps, agent=None, block="0"):
        """(wall, CPU) ns of every step; leaves the trace in OUT, and what the program said in self.said."""
        h.shutil.rmtree(h.OUT, ignore_errors=True)
        p = subprocess.run(self.command(steps), env=self.environment(agent, block), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True, timeout=300)
        if p.returncode:
            raise RuntimeError("%s ended with %d: %s" % (self.name, p.returncode, p.stderr[-300:]))
        self.said = p.stdout
        return [tuple(map(int, line.split())) for line in open(STEPS_OUT)]


@functools.lru_cache
def demo():
    path = h.BUILD + "/tests/trainers/lm_train"
    if not os.path.exists(path):
        h.note("the demo's trainer is not built (make test-programs): its rows are left out")
        return None
    why = h.compile_c(SWITCH, ["switch.c"], "-shared", "-fPIC", "-fvisibility=hidden", "-ldl")
    if why:
        h.note("switch.c, which times the demo, is not for this machine: its rows are left out")
        return None
    return Program("demo", lambda n: [path, "--quiet", "--steps", str(n)], h.pick(120, 60), h.pick(2000, 400), None, True)


@functools.lru_cache
def tinygrad():
    venv = os.environ.get("RANKTRACE_VENV") or h.BUILD + "/venv"
    p = subprocess.run(["sh", h.TOP + "/tests/helpers/python/venv.sh", venv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if p.returncode:
        h.note("no tinygrad here: %s; its rows are left out" % (p.stdout.strip().splitlines() or ["?"])[-1][:80])
        return None
    script = h.HERE + "/tinygrad_steps.py"
    return Program("tinygrad", lambda n: [venv + "/bin/python", script, str(n)], h.pick(80, 50), h.pick(1000, 200), "kernel:^E_4_4n4$", False)


def added(ratios):
    """Percent: median, low and high end of its interval."""
    return tuple(100 * (r - 1) for r in h.interval(ratios))


def middle(steps, which):
    return statistics.median(s[which] for s in steps)


def alternate(program):
    v = {
        "without": lambda: program.run(program.steps),
        "dormant": lambda: program.run(program.steps, program.settings(FOREVER)),
        "recording cpu": lambda: program.run(program.steps, program.settings("all")),
    }
    m = h.rotate(ALTERNATIONS, program.name, v)
    middles = {n: [[middle(steps[WARM:], which) for steps in runs] for which in (0, 1)] for n, runs in m.items()}
    ms = {n: statistics.median(x[0]) / 1e6 for n, x in middles.items()}
    return ms, {n: [added([a / b for a, b in zip(middles[n][which], middles["without"][which])]) for which in (0, 1)]
                for n in v if n != "without"}


def in_blocks(program, what, settings, block):
    """Step n of the list is step n + 1 of the program, counted from 0. Blocks with ranktrace come first."""
    h.progress("%s: %s in blocks" % (program.name, what))
    steps = program.run(program.long_steps, settings, block)
    recorded = sum(len(r["steps"]) for r in h.report()) if os.path.isdir(h.OUT) else 0
    h.shutil.rmtree(h.OUT, ignore_errors=True)
    wanted = program.long_steps // 2 if block == "0" else 0
    if not program.fewest * wanted <= recorded <= wanted:
        raise RuntimeError("%s: %d of %d steps were recorded" % (program.name, recorded, program.long_steps))
    return [added(with_and_without(steps, which, program.block)) for which in (0, 1)]


def with_and_without(steps, which, n):
    """Blocks come in pairs, in turn with ranktrace first and without first: a drift adds to as many ratios as it takes from. No block is in
    two of them, and none is compared with a mean, which lies higher than its parts' medians do. The first pair is left out."""
    pairs = [[middle(steps[i + j * n - 1:i + j * n + n - 1], which) for j in (0, 1)] for i in range(2 * n, len(steps) + 2 - 2 * n, 2 * n)]
    return [a / b if k % 2 else b / a for k, (a, b) in enumerate(pairs)]


def windows(program):
    """The blocks with ranktrace: the first, and then two of four."""
    n = program.block
    return ",".join("%d-%d" % (i * n + 1, i * n + n) for i in range(program.long_steps // n) if i % 4 in (0, 3))


def calls_a_step(program):
    """Of the entry points that ranktrace has: those that the level records, by step, and all launches and copies."""
    agent = dict(program.settings("%d-%d" % (WARM, WARM + 9)), LEVEL="level1")
    program.run(WARM + 20, agent)
    events = sum(s["events"] for r in h.report() for s in r["steps"])
    h.shutil.rmtree(h.OUT, ignore_errors=True)
    return events / 10


def call_costs():
    """Added ns of a dormant call with a kernel: clock armed, and of a recorded one."""
    names = ("bare", "armed", "cpu")
    m = h.rotate(3, "programs, cost of a call", {n: calls.variant(n, "fake0", "launch") for n in names})
    return calls.added(m, "armed"), calls.added(m, "cpu")


def text_of(x):
    return "%+.2f (%+.2f %+.2f)" % x


def verdict(text, x, limit):
    middle_, low, high = x
    word = "FAIL" if low > limit else "PASS" if -limit <= low and high <= limit else "CANNOT TELL"
    h.verdict(word, text, middle_, "%+.2f to %+.2f; at most %g" % (low, high, limit), 2)


def measure(program, costs):
    program.run(WARM + 10)	# compiles what is cached from then on
    ms, rows = alternate(program)
    # The same blocks with nothing to switch: what lies beside 0 here is the method's, not ranktrace's.
    blocks = {CONTROL: in_blocks(program, "control", None, str(BLOCK))}
    if program.switch:
        blocks["dormant"] = in_blocks(program, "dormant", program.settings(FOREVER), str(BLOCK))
    for contents in ("cpu", "cpu,npu,memory"):
        what = "recording " + contents
        blocks[what] = in_blocks(program, what, program.settings(windows(program), contents), "0")
    n = calls_a_step(program)
    h.say()
    h.table(["%s: %.2f ms, %.0f recordable calls a step" % (program.name, ms["without"], n), "wall: added %", "CPU: added %"],
            [["%s / without, %d processes each" % (k, ALTERNATIONS), text_of(x[0]), text_of(x[1])] for k, x in rows.items()] +
            [[k if k == CONTROL else "%s / not, blocks in a process" % k, text_of(x[0]), text_of(x[1])] for k, x in blocks.items()])
    h.say()
    for k, limit, cost in (("dormant", 0.2, costs[0]), ("recording cpu", 1, costs[1])):
        verdict("%s, %s: added %%, processes" % (program.name, k), rows[k][0], limit)
        if k in blocks:
            verdict("%s, %s: added %%, blocks" % (program.name, k), blocks[k][0], limit)
            verdict("%s, %s: added %% of CPU, blocks" % (program.name, k), blocks[k][1], limit)
        h.bar("%s, %s: added %%, by count" % (program.name, k), 100 * n * max(cost, 0) / (ms["without"] * 1e6), limit, 4,
              "; %.0f calls of %.1f ns" % (n, cost))


def run():
    h.title("Whole programs: added % of a step's median time, with the 95 % interval of its median")
    programs = [p for p in (demo(), tinygrad()) if p]
    costs = call_costs() if programs else None
    for program in programs:
        measure(program, costs)
