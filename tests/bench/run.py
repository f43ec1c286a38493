#!/usr/bin/env python3
"""run.py [--write FILE] - measures the shipped library beside its peers and prints a table of figures with the bars they are to hold.

BUILD=dir: what is measured. QUICK=1: a pass of about 3 minutes instead of 15. SECTION=calls,cold,...: only these.
--write FILE: the output goes between the marks of that Markdown file, with machine, date and command.
All variants of a row run once a round, in rotation, so that noise hits each alike: read ratios, from the best round."""
import importlib, os, platform, signal, sys, time, traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import harness as h
import peers

SECTIONS = ("calls", "operators", "cold", "lookups", "handles", "boundaries", "marks", "periods", "watched", "threads", "bytes", "flush", "burst", "readers", "why", "ranks", "exports", "programs", "cuda", "torch_npu", "torch_cuda", "process")
BEGIN, END = "<!-- made by make bench: begin -->", "<!-- made by make bench: end -->"


def first_line(path, key):
    for line in open(path):
        if line.startswith(key):
            return line.split(":", 1)[1].strip() if ":" in line else line.split("=", 1)[1].strip().strip('"')
    return "?"


def machine():
    libc = os.confstr("CS_GNU_LIBC_VERSION")
    cc = os.popen("%s -dumpfullversion" % h.CC[0]).read().strip()
    memory = int(first_line("/proc/meminfo", "MemTotal").split()[0]) >> 20
    return ["%s, %d CPUs, %d GiB; Linux %s; %s, %s %s" % (first_line("/proc/cpuinfo", "model name"), os.cpu_count(), memory + 1,
            platform.release().split("-")[0], libc, os.path.basename(h.CC[0]), cc), "peers: " + (", ".join(peers.versions()) or "none")]


def command():
    words = ["%s=%s" % (k, os.environ[k]) for k in ("QUICK", "SECTION", "CC") if os.environ.get(k)]
    return " ".join(words + ["make bench"])


def write(path):
    """Puts the run between the marks; what people wrote around them stays."""
    text = open(path).read()
    if BEGIN not in text or END not in text:
        sys.exit("bench: no marks in %s: %s" % (path, BEGIN))
    head, tail = text.split(BEGIN)[0], text.split(END)[1]
    block = "\n".join(["", "Date: %s. Command: `%s`.\n" % (time.strftime("%F"), command()), "```text"] + h.lines + ["```", ""])
    with open(path, "w") as f:
        f.write(head + BEGIN + block + END + tail)


def chosen():
    names = [s for s in os.environ.get("SECTION", "").split(",") if s] or SECTIONS
    for n in names:
        if n not in SECTIONS:
            sys.exit("bench: no section '%s': there are %s" % (n, " ".join(SECTIONS)))
    return names


def stop(signum, frame):
    raise KeyboardInterrupt


def reason(e):
    """In one line, with no folder of this machine in it."""
    if isinstance(e, h.subprocess.CalledProcessError):
        return "%s %s ended with status %d" % (os.path.basename(e.cmd[0]), e.cmd[1], e.returncode)
    return str(e).replace(h.TOP + "/", "").replace(h.DIR + "/", "")[:70]


def section(name):
    """One that breaks is a failure, and the others go on."""
    try:
        importlib.import_module("sections." + name).run()
    except Exception as e:
        traceback.print_exc()
        h.verdicts["FAIL"] += 1
        h.say("FAIL        section %s broke off: %s" % (name, reason(e)))


def main():
    names = chosen()
    for s in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(s, stop)
    try:
        h.build()
        h.say("ranktrace %s; %s; load %s" % (open(h.TOP + "/VERSION").read().strip(), time.strftime("%F %T"),
                                             open("/proc/loadavg").read().split()[0]))
        for line in machine():
            h.say(line)
        peers.begin()
        for name in names:
            section(name)
        h.say()
        h.say("%d PASS, %d FAIL, %d CANNOT TELL; load at the end %s; %d s" % (h.verdicts["PASS"], h.verdicts["FAIL"], h.verdicts["CANNOT TELL"],
              open("/proc/loadavg").read().split()[0], time.monotonic() - h.started))
        if len(sys.argv) == 3 and sys.argv[1] == "--write":
            write(sys.argv[2])
    except KeyboardInterrupt:
        sys.exit("bench: interrupted; cleaned up")
    finally:
        peers.end()
        h.clean()


main()
