"""Bytes an event on disk: a made-up training run, the demo's trace and tinygrad's, beside LTTng's CTF and Chrome JSON of the same.

The made-up run comes twice: stream.c hands its calls to the flush path by a clock of its own, the same bytes every
time; replay.c makes the same calls in real time, where LTTng sees them too."""
import glob, os, subprocess, zlib
import harness as h
import peers
from sections import programs


def contents_of(path):
    if os.path.isfile(path):
        return open(path, "rb").read()
    return b"".join(open(f, "rb").read() for f in sorted(glob.glob(path + "/**", recursive=True)) if os.path.isfile(f))


def gzip1(data):
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return len(packer.compress(data) + packer.flush())


def zstd1(data):
    return len(subprocess.run([peers.zstd, "-1", "-q", "-c"], input=data, stdout=subprocess.PIPE).stdout) if peers.zstd else 0


def sizes(path, events):
    """Bytes an event: as it lies there, through gzip -1, through zstd -1."""
    data = contents_of(path)
    return [n / events for n in (len(data), gzip1(data), zstd1(data))]


class Case:
    """A program's run: traced(agent settings) and its LTTng twin, whose number of calls is asked of the CTF itself."""
    def __init__(self, text, command, settings, lttng_command, fake=None, layer=False):
        self.text, self.command, self.settings, self.lttng_command = text, command, settings, lttng_command
        self.fake, self.layer = fake, layer

    def environment(self, preload=None, agent=None):
        return h.environment(preload, agent, self.fake, DEV="CL", SWITCH_OUT=os.devnull)

    def ours(self):
        self.launch(self.command, self.environment(agent=self.settings) if self.settings else dict(h.ENV))
        totals = h.what_was_written()
        own = totals["bytes"] / totals["kept"]
        json = h.DIR + "/chrome.json"
        subprocess.run([h.TOOL, "export", "--to", "chrome", "-o", json, h.OUT], env=h.ENV, stdout=subprocess.DEVNULL, check=True)
        result = dict(events=totals["kept"], lost=totals["lost"], own=own, json=sizes(json, totals["kept"]))
        h.shutil.rmtree(h.OUT)
        os.unlink(json)
        return result

    def launch(self, words, env):
        p = subprocess.run(words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300)
        if p.returncode:
            raise RuntimeError("%s ended with %d: %s" % (words, p.returncode, p.stderr[-300:]))

    def theirs(self):
        if not self.lttng_command or not peers.lttng or not peers.babeltrace or self.layer and not os.path.exists(peers.LAYER):
            return None
        env = self.environment(None if self.layer else peers.WRAP)
        if self.layer:
            env["OPENCL_LAYERS"] = peers.LAYER
        peers.lttng.start()
        try:
            self.launch(self.lttng_command, env)
        finally:
            peers.lttng.stop()
        text = subprocess.run([peers.babeltrace, peers.lttng.out], env=h.ENV, stdout=subprocess.PIPE, text=True).stdout
        calls = text.count("ranktrace_bench:exit:")
        result = sizes(peers.lttng.out, calls) if calls else None
        peers.lttng.forget()
        return result


def cases():
    replay = lambda n: [h.DIR + "/replay", str(n)]
    memory = dict(STEPS="all", CONTENTS="cpu,memory", STEP_SOURCE="api")
    stream = lambda text, *words: Case(text, [h.STREAM, *words, h.OUT], None, None)
    found = [stream("made-up run, 1 step", "-s", "1"), stream("made-up run, 100 steps", "-s", "100"),
             stream("the same, its clock ticks every 10 ns", "-s", "100", "-t", "10"),
             stream("the same, device times too", "-s", "100", "-d"),
             Case("in real time, 1 step", replay(1), memory, replay(1), "timed"),
             Case("in real time, 100 steps", replay(100), memory, replay(100), "timed")]
    demo, tinygrad = programs.demo(), programs.tinygrad()
    for program, layer in ((demo, False), (tinygrad, True)):
        if program:
            found.append(Case(program.name + ", 2 steps, cpu,npu,memory", program.command(8), program.settings("2,4", "cpu,npu,memory"),
                              program.command(2), layer=layer))
            found.append(Case(program.name + ", 100 steps, cpu", program.command(100), program.settings("all"), program.command(100),
                              layer=layer))
    return found


def cell(values, i):
    return "%.2f" % values[i] if values and values[i] else None


def run():
    h.title("Bytes an event on disk, definitions and all")
    h.say("CTF: LTTng's, by call: an event at entry, one at exit, metadata, index. JSON: our Chrome export of the same events.")
    rows, results = [], {}
    for case in cases():
        h.progress("bytes: " + case.text)
        ours, theirs = case.ours(), case.theirs()
        results[case.text] = ours, theirs
        rows.append([case.text, "%d" % ours["events"], "%.2f" % ours["own"]] + [cell(theirs, i) for i in range(3)] +
                    [cell(ours["json"], i) for i in range(3)])
    h.table(["", "events", "file", "CTF", "gzip -1", "zstd -1", "JSON", "gzip -1", "zstd -1"], rows, wide=38)
    bars(results)


def bars(results):
    one, many = results["made-up run, 1 step"][0], results["made-up run, 100 steps"][0]
    real, ctf = results["in real time, 100 steps"]
    h.say()
    h.bar("file: bytes an event, 1 step with its definitions", one["own"], 10, 2)
    h.bar("file: bytes an event, 100 steps", many["own"], 6, 2)
    h.bar("file: bytes an event, 100 steps in real time", real["own"], 6, 2)
    if ctf:
        h.bar("file / LTTng's CTF, 100 steps in real time", real["own"] / ctf[0], 0.12)
    h.bar("file / Chrome JSON, 100 steps", many["own"] / many["json"][0], 0.03)
    h.bar("events lost", sum(ours["lost"] for ours, _ in results.values()), 0, 0)
