"""Bytes an event on disk: a transformer's steps, the demo's trace and tinygrad's, beside LTTng's CTF and Chrome's JSON of the same."""
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
    def __init__(self, text, command, settings, lttng_command, fake=None, layer=False, clock=None):
        self.text, self.command, self.settings, self.lttng_command = text, command, settings, lttng_command
        self.fake, self.layer, self.clock = fake, layer, clock

    def environment(self, preload=None, agent=None):
        return h.environment(preload, agent, self.fake, DEV="CL", SWITCH_OUT=os.devnull)

    def ours(self):
        self.launch(self.command, self.environment(agent=self.settings))
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
        if not peers.lttng or not peers.babeltrace or self.layer and not os.path.exists(peers.LAYER):
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
    found = [Case("transformer's steps, 1 step", replay(1), memory, replay(1), "timed"),
             Case("transformer's steps, 100 steps", replay(100), memory, replay(100), "timed")]
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
    h.table(["", "events", "file", "CTF", "gzip -1", "zstd -1", "JSON", "gzip -1", "zstd -1"], rows, wide=34)
    bars(results)


def bars(results):
    one, (many, ctf) = results["transformer's steps, 1 step"][0], results["transformer's steps, 100 steps"]
    h.say()
    h.bar("file: bytes an event, 1 step with its definitions", one["own"], 10, 2)
    h.bar("file: bytes an event, 100 steps", many["own"], 6, 2)
    if ctf:
        h.bar("file / LTTng's CTF, 100 steps", many["own"] / ctf[0], 0.12)
    h.bar("file / Chrome JSON, 100 steps", many["own"] / many["json"][0], 0.03)
    h.bar("transformer's steps: events lost", one["lost"] + many["lost"], 0, 0)
