"""What a training loop of the real torch_npu notices, unmodified, on the simulated CANN (tests/torch_npu, tests/sims/ascend).

As in `programs`, blocks of steps in one process, in turn with and without: dormant, by a switch in front of ranktrace that leads
the calls past it (switch_npu.c; the hooks of ranktrace in PyTorch's optimizers are taken out meanwhile); recording, by windows.
The model is so small that a step is little more than PyTorch's own work and calls; a real device's would be longer."""
import glob, os, subprocess
import harness as h
from sections import calls, programs

VERSION = os.environ.get("TORCH_NPU") or "2.14.0"
SIM, HERE = h.TOP + "/tests/sims/ascend", h.TOP + "/tests/torch_npu"
SWITCH, CANN, SLOTS = h.DIR + "/switch_npu.so", h.DIR + "/cann", 4096
CACHE = (os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) + "/ranktrace/torch_npu"

NPU, MODULE, STACK, POINTERS = "cpu,npu", "cpu,module", "cpu,stack", "cpu,stack by fp"


class Wheel(programs.Program):
    block = 40
    fewest = .9	# torch_npu's queue may make all calls of a step behind its end

    def __init__(self, world):
        script = ["python3", HERE + "/pace.py"]
        super().__init__("torch_npu " + VERSION, lambda n: [HERE + "/run", world, CANN] + script + [str(n)],
                         0, h.pick(6000, 800), None, False)

    def environment(self, agent, block):
        env = h.environment(None, agent, SWITCH_OUT=programs.STEPS_OUT, SWITCH_BLOCK=block, SWITCH_AGENT=h.AGENT,
                            HOME=os.path.expanduser("~"), SIM_COPY_NS="0", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
        if agent is not None and block != "0":
            env["LD_PRELOAD"] = SWITCH + ":" + env["LD_PRELOAD"]
        return env


class InVerl(Wheel):
    """A step is a micro-batch under the names of verl, whose preset's sources are armed; more steps, as the bar is narrow."""

    def __init__(self, world):
        super().__init__(world)
        self.long_steps = h.pick(60000, 800)

    def environment(self, agent, block):
        return dict(super().environment(agent, block), PACE_VERL="1", **({"RANKTRACE_PRESET": "verl-0.8"} if agent is not None else {}))


def world():
    """Where the wheel lies ready for use; None if it would have to be downloaded."""
    if not glob.glob("%s/*/torch_npu-%s/names" % (CACHE, VERSION)):
        h.note("torch_npu %s is not in %s (tests/e2e/ascend/e2e_torch_npu.sh puts it there): left out" % (VERSION, CACHE))
        return None
    p = subprocess.run(["python3", HERE + "/world.py", VERSION], stdout=subprocess.PIPE, text=True)
    return p.stdout.strip() if not p.returncode else h.note("torch_npu %s cannot be used here: left out" % VERSION)


def exported(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}


def names():
    """(name, library) of what ranktrace has and a library of CANN, too; operators are looked up, all of them."""
    ours = {name for name in exported(h.AGENT) if not name.startswith("aclnn")}
    theirs = {name: os.path.basename(path) for path in sorted(glob.glob(CANN + "/lib64/*.so")) for name in exported(path) & ours}
    return sorted(theirs.items())


def assembly(both):
    """x86-64: a way in for each name, then those without a name; dlsym(), which asks us of libraries only."""
    yield '.section .note.GNU-stack,"",@progbits\n.text\n.balign 16\n.globl switch_ways\n.hidden switch_ways\nswitch_ways:\n'
    for i, (name, _) in enumerate(both):
        yield '.globl %s\n.type %s, @function\n%s: jmp *switch_to+%d(%%rip)\n.balign 16\n' % (name, name, name, 8 * i)
    yield ".set i, %d\n.rept %d\njmp *switch_to+8*i(%%rip)\n.balign 16\n.set i, i + 1\n.endr\n" % (len(both), SLOTS - len(both))
    yield ".globl dlsym\n.type dlsym, @function\ndlsym: lea 1(%rdi), %rax\ncmp $1, %rax\njbe 1f\njmp switch_dlsym\n1: jmp *switch_next_dlsym(%rip)\n"
    yield '.section .rodata\n'
    for i, pair in enumerate(both):
        yield '1%06d: .asciz "%s"\n2%06d: .asciz "%s"\n' % (i, pair[0], i, pair[1])
    yield ".balign 8\n.globl switch_named, switch_slots\nswitch_named: .long %d\nswitch_slots: .long %d\n" % (len(both), SLOTS)
    yield '.section .data.rel.ro, "aw"\n.balign 8\n.globl switch_names\n.hidden switch_names\nswitch_names:\n'
    for i in range(len(both)):
        yield ".quad 1%06db, 2%06db\n" % (i, i)
    yield ".bss\n.balign 64\n.globl switch_to\n.hidden switch_to\nswitch_to: .zero %d\n" % (8 * SLOTS)


def build(path):
    """"" or why not."""
    if os.uname().machine != "x86_64":
        return "the switch is for x86-64"
    p = subprocess.run([SIM + "/build.sh", CANN + "/lib64", "split"], env=dict(h.ENV, SIM_NAMES=path + "/names"),
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with open(h.DIR + "/switch_names.s", "w") as f:
        f.writelines(assembly(names()))
    why = h.compile_c(SWITCH, ["switch_npu.c", h.DIR + "/switch_names.s"], "-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-ldl")
    return p.stdout[-300:] if p.returncode else why


def is_switched(program):
    """Half of the steps lead past ranktrace: what it records then is half of everything."""
    n = 12 * program.block
    def kernels(block):
        program.run(n, dict(program.settings("all"), LEVEL="level0"), block)
        found = sum(k["count"] for r in h.report() for k in r["kernels"])
        h.shutil.rmtree(h.OUT, ignore_errors=True)
        return found
    all_, half = kernels("0"), kernels(str(program.block))
    if not .45 < half / all_ < .6:
        raise RuntimeError("of %d launches %d are recorded while half of the steps lead past us" % (all_, half))


def measure(program):
    is_switched(program)
    forever = program.settings(programs.FOREVER, "cpu,npu")
    rows = {programs.CONTROL: programs.in_blocks(program, "control", None, str(program.block)),
            "dormant": programs.in_blocks(program, "dormant", forever, str(program.block))}
    told_ns = h.figures(program.said)["told"]
    for what, contents, every in (("cpu", "cpu", "1"), (NPU, "cpu,npu", "1"), ("cpu,npu, every 10th step", "cpu,npu", "10"), (MODULE, MODULE, "1")):
        settings = dict(program.settings(programs.windows(program), contents), DEVICE_EVERY=every)
        rows["recording " + what] = programs.in_blocks(program, "recording " + what, settings, "0")
    return rows, told_ns


def a_stack():
    """ns that a call's stack of 20 functions of Python adds to what is recorded of it; and with native ones around them, by libunwind and by frame pointers."""
    library = os.path.join(h.DIR, "asked", "libascendcl.so")
    h.must_compile(library, ["fake_acl.c"], "-shared", "-fPIC", "-Wl,-soname,libascendcl.so")

    def copies(contents):
        h.shutil.rmtree(h.OUT, ignore_errors=True)
        settings = dict(h.recording(STACK), STACK_BY="fp") if contents == POINTERS else h.recording(contents)
        return h.measured(["python3", h.HERE + "/stacks.py", library, str(h.pick(60, 20))], h.environment(agent=settings))
    m = h.rotate(3, "torch_npu, cost of a stack", {contents: lambda contents=contents: copies(contents) for contents in ("cpu", MODULE, STACK, POINTERS)})
    h.shutil.rmtree(h.OUT, ignore_errors=True)
    bare = h.best(m["cpu"], "best")
    return [h.best(m[contents], "best") - bare for contents in (MODULE, STACK, POINTERS)]


def written(program):
    """Bytes an event, and events a step, with stacks and without."""
    n, found = 20 * program.block, {}
    for contents in ("cpu", MODULE):
        program.run(n, program.settings("all", contents))
        totals = h.what_was_written()
        found[contents] = totals["bytes"] / totals["kept"], totals["kept"] / n
        h.shutil.rmtree(h.OUT, ignore_errors=True)
    return found


def show_stacks(program, ms, row):
    found, (ns, both, by_pointers) = written(program), a_stack()
    size, events = found[MODULE]
    programs.verdict("torch_npu, recording %s: added %%, blocks" % MODULE, row, 3)
    h.bar("torch_npu, stacks: added %, by count", 100 * events * max(ns, 0) / (ms * 1e6), 3, 4, "; %.0f calls of %.0f ns" % (events, ns))
    h.bar("a stack of 20 functions of Python: ns", ns, 200)
    h.bar("and with native ones: ns more", both - ns, 700)
    h.say("            and by frame pointers, where there are any: %.1f ns more" % (by_pointers - ns))
    h.bar("torch_npu, recording %s: bytes an event" % MODULE, size, 12, 4, "; %.1f without" % found["cpu"][0])


def in_verl(path):
    """verl's sources armed: what blocks of steps tell, the control's too; ns a step of what is told."""
    verl = InVerl(path)
    rows = {programs.CONTROL: programs.in_blocks(verl, "control", None, str(verl.block)),
            "dormant, preset verl": programs.in_blocks(verl, "dormant", verl.settings(programs.FOREVER, "cpu,npu"), str(verl.block))}
    return rows, h.figures(verl.said)["told"]


def show_verl(rows, n, ms, told_ns, cost):
    h.say()
    h.table(["steps as micro-batches of verl's, --preset verl-0.8", "wall: added %", "CPU: added %"],
            [[k if k == programs.CONTROL else "%s / not, blocks in a process" % k] + [programs.text_of(x) for x in xs]
             for k, xs in rows.items()])
    h.say()
    programs.verdict("torch_npu, dormant, preset verl: added %, blocks", rows["dormant, preset verl"][0], 0.2)
    h.bar("torch_npu, dormant, preset verl: added %, by count", 100 * (n * max(cost, 0) + told_ns) / (ms * 1e6), 0.2, 4,
          "; %.0f calls of %.1f ns, told %.0f ns" % (n, cost, told_ns))


def show(program, rows, n, ms, told_ns, costs):
    h.say()
    h.table(["%s: %.2f ms of CPU, %.0f recordable calls a step" % (program.name, ms, n), "wall: added %", "CPU: added %"],
            [[k if k == programs.CONTROL else "%s / not, blocks in a process" % k] + [programs.text_of(x) for x in xs]
             for k, xs in rows.items()])
    h.say()
    for k, limit, cost in (("dormant", 0.2, costs[0]), ("recording cpu", 1, costs[1])):
        programs.verdict("torch_npu, %s: added %%, blocks" % k, rows[k][0], limit)
        programs.verdict("torch_npu, %s: added %% of CPU, blocks" % k, rows[k][1], limit)
        h.bar("torch_npu, %s: added %%, by count" % k, 100 * (n * max(cost, 0) + told_ns) / (ms * 1e6), limit, 4,
              "; %.0f calls of %.1f ns, hooks %.0f ns" % (n, cost, told_ns))
    programs.verdict("torch_npu, recording %s: added %%, blocks" % NPU, rows["recording " + NPU][0], 3)
    h.bar("torch_npu, dormant: ns a step of the two hooks in PyTorch's optimizers", told_ns, 1000, 0)


def run():
    h.title("A training loop of torch_npu: added % of a step's median time, with the 95 % interval of its median")
    path = world()
    why = path and build(path)
    if why or not path:
        h.note(why or "nothing to measure")
        return
    program = Wheel(path)
    m = h.rotate(3, "torch_npu, cost of a call", {n: calls.variant(n, "fake0", "operator") for n in ("bare", "dormant", "cpu")})
    rows, told_ns = measure(program)
    ms = programs.middle(program.run(10 * programs.WARM)[programs.WARM:], 1) / 1e6
    n = programs.calls_a_step(program)
    show(program, rows, n, ms, told_ns, [calls.added(m, "dormant"), calls.added(m, "cpu")])
    show_stacks(program, ms, rows["recording " + MODULE][0])
    verl, told_ns = in_verl(path)
    show_verl(verl, n, ms, told_ns, calls.added(m, "dormant"))
