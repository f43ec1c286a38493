"""What readers of PyTorch's profiles make of `export --to chrome`, against the report and the dump: pytorch_readers.py TOOL TRACE FOLDER.

HTA, and the parser of TensorBoard's plugin, each read the folder's files as they would PyTorch's. Where HTA cuts times to whole
microseconds, a figure may be off by one for each slice that it is made of; else by 100 ns, by which slices that would cross are moved.
"""
import collections
import glob
import json
import logging
import os
import re
import subprocess
import sys
import tempfile

logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis  # noqa: E402
from torch_tb_profiler.profiler.data import RunProfileData  # noqa: E402
from torch_tb_profiler.profiler.run_generator import RunGenerator  # noqa: E402

tool, trace, folder = sys.argv[1:]
OFF = 0.1 if os.environ.get("HTA_DISABLE_NS_ROUNDING") == "1" else 1  # us a slice
COPIES = {"h2d": "Memcpy HtoD", "d2h": "Memcpy DtoH", "d2d": "Memcpy DtoD", "h2h": "Memcpy HtoH"}


def run(*words):
    """Where something is missing the status is 1."""
    return subprocess.run([tool, *words, trace], stdout=subprocess.PIPE, text=True).stdout


def near(what, got, wanted_ns, slices, off=OFF):
    if abs(float(got) - wanted_ns / 1000) > slices * off:
        sys.exit(f"{what}: {got} us instead of {wanted_ns} ns, of {slices} slices")


def plain_names(events):
    """Kernels have their source's names in an export, those that linkers know in a dump."""
    mangled = sorted({e["kernel"] for es in events.values() for e in es if e.get("kernel", "").startswith("_Z")})
    plain = subprocess.run(["c++filt"], input="\n".join(mangled), check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n") if mangled else []
    names = dict(zip(mangled, plain))
    for e in (e for es in events.values() for e in es if "kernel" in e):
        e["kernel"] = names.get(e["kernel"], e["kernel"])


def union(spans):
    total = end = 0
    for a, b in sorted(spans):
        total += max(b - max(a, end), 0)
        end = max(end, b)
    return total


def told_in(e, call):
    return e["tid"] == call["tid"] and call["begin_ns"] <= e["begin_ns"] < call["begin_ns"] + call["duration_ns"]


class Rank:
    """What the dump says of a rank's device: spans by type, sums by name."""

    def __init__(self, events):
        collectives = [e for e in events if e["kind"] == "collective"]
        self.spans, self.sums, self.operators = collections.defaultdict(list), collections.Counter(), collections.Counter()
        self.streams = collections.defaultdict(list)
        self.rates, self.collectives = [], collections.Counter()  # GB/s of copies and fills; device times by name
        # Those have no time of the device, and report counts their calls.
        self.blocking = dict(copy_ns=union([(e["begin_ns"], e["begin_ns"] + e["duration_ns"]) for e in events
                                            if e["kind"] == "copy" and "stream" not in e and not e.get("nested")]))
        for c in collectives:
            self.collectives["ncclKernel_" + c["name"]] += c.get("device_duration_ns", 0)
        for e in events:
            self.operators[e["name"]] += e["kind"] == "operator"
            if "device_duration_ns" not in e or e["kind"] in ("operator", "marker"):  # a span over its kernels
                continue
            around = [c for c in collectives if c is not e and told_in(e, c)]
            kind, name = self.told(e, around)
            if kind == "COMMUNICATION" and any("device_duration_ns" in c for c in around):  # counted with the collective
                continue
            self.spans[kind].append((e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"]))
            self.streams[e.get("stream")].append(self.spans[kind][-1])
            self.sums[name] += e["device_duration_ns"]
            if kind == "MEMORY" and e.get("bytes") and e["device_duration_ns"]:
                self.rates.append(e["bytes"] / e["device_duration_ns"])

    @staticmethod
    def told(e, in_collective):
        name = e.get("kernel", e["name"])
        if e["kind"] in ("copy", "map"):
            return "MEMORY", COPIES.get(e["direction"], "Memcpy")
        if e["kind"] == "fill":
            return "MEMORY", "Memset"
        return ("COMMUNICATION", "ncclKernel_" + name) if in_collective or e["kind"] == "collective" else ("COMPUTATION", name)

    def all(self):
        return [span for spans in self.spans.values() for span in spans]

    def at_once(self):
        """How long streams had begun something before what came before it was done. Of two that begin at once HTA takes either as the first."""
        pairs = [pair for spans in self.streams.values() for row in [sorted(spans)] for pair in zip(row, row[1:])]
        return sum(max((b if a[0] == b[0] else a)[1] - b[0], 0) for a, b in pairs)

    def overlap(self, a, b):
        return union(self.spans[a]) + union(self.spans[b]) - union(self.spans[a] + self.spans[b])


events = collections.defaultdict(list)
for line in run("dump", "--format", "jsonl").splitlines():
    e = json.loads(line)
    events[e["rank"]].append(e)
plain_names(events)
ranks = {rank: Rank(es) for rank, es in events.items()}
reports = {r["rank"]: r for r in json.loads(run("report", "--format", "json"))["ranks"]}
slices = {rank: len(r.all()) for rank, r in ranks.items()}
assert sorted(ranks) == [0, 1] and all(slices.values()), slices

# ---- HTA ----

hta = TraceAnalysis(trace_dir=folder, include_last_profiler_step=True)
assert sorted(hta.t.traces) == [0, 1], "HTA knows ranks %s" % sorted(hta.t.traces)


def of_steps(rank, key):
    steps = reports[rank]["steps"]
    assert steps and all(s["times"] == "device" for s in steps), steps
    return sum(s[key] for s in steps)


times = {row["rank"]: row for _, row in hta.get_temporal_breakdown(visualize=False).iterrows()}
for rank, r in ranks.items():
    near("compute", times[rank]["compute_time(us)"], of_steps(rank, "compute_ns"), slices[rank])
    whole = max(b for _, b in r.all()) - min(a for a, _ in r.all())
    near("from the first to the last", times[rank]["kernel_time(us)"], whole, 2)
    near("idle", times[rank]["idle_time(us)"], whole - union(r.all()), slices[rank])

by_type, by_kernel = hta.get_gpu_kernel_breakdown(visualize=False, include_memory_kernels=True, num_kernels=1000)
for word, key in (("COMPUTATION", "compute_ns"), ("COMMUNICATION", "communication_ns"), ("MEMORY", "copy_ns")):
    got = sum(row["sum"] for _, row in by_type.iterrows() if word in row["kernel_type"])
    near(word, got, sum(of_steps(rank, key) - ranks[rank].blocking.get(key, 0) for rank in ranks), sum(slices.values()), 1)  # cut in any case
got = {(row["rank"], row["name"]): row["sum (us)"] for _, row in by_kernel.iterrows()}
assert set(got) == {(rank, name) for rank, r in ranks.items() for name in r.sums}, (set(got), [r.sums for r in ranks.values()])
for (rank, name), us in got.items():
    near(f"{name} of rank {rank}", us, ranks[rank].sums[name], slices[rank])
for rank, r in ranks.items():
    for name, ns in (+r.collectives).items():
        near(f"{name} of rank {rank}, all that the kernel table has", got[rank, name], ns, slices[rank])



def crossing(rank, stream):
    """What HTA sees on a stream that begins before what came before it is done, or with it."""
    rows = hta.t.get_trace(rank)
    rows = rows[rows["stream"] == stream].sort_values(["ts", "dur"])
    rows = list(zip(rows["s_name"] if "s_name" in rows else rows["name"], rows["ts"], rows["dur"]))
    return [(a, b) for a, b in zip(rows, rows[1:]) if b[1] < a[1] + max(a[2], b[2])]


idle, _ = hta.get_idle_time_breakdown(ranks=[0, 1], visualize=False)
assert len(idle), idle
for _, row in idle.iterrows():
    at_once = ranks[row["rank"]].at_once() / 1000  # HTA has a gap below zero for each
    if row["idle_time"] < -at_once - OFF * slices[row["rank"]]:
        sys.exit(f"HTA is idle for less than {at_once} us at once, of {slices} slices: {dict(row)}: {crossing(row['rank'], row['stream'])}")
assert len(hta.get_memory_bw_summary(ranks=[0, 1])), "no bandwidths"
for rank, r in ranks.items():
    told = hta.t.get_trace(rank)["memory_bw_gbps"]
    got, wanted = sorted(told[told > 0]), sorted(r.rates)
    assert wanted and len(got) == len(wanted), (rank, len(got), len(wanted))
    assert all(abs(a - b) <= b / 1e6 for a, b in zip(got, wanted)), (rank, got, wanted)

# What HTA joins by names of CUDA's calls: launches, and copies and fills beside them.
LAUNCHES = {"cudaLaunchKernel", "__cudaLaunchKernel"}
if LAUNCHES & {e["name"] for es in events.values() for e in es}:
    for rank, stats in hta.get_cuda_kernel_launch_stats(ranks=[0, 1], visualize=False).items():
        wanted = [e["device_duration_ns"] / 1000 for e in events[rank] if "device_duration_ns" in e and re.match("(__)?cuda", e["name"])
                  and not any(told_in(e, c) and "device_duration_ns" in c for c in events[rank] if c["kind"] == "collective")]
        got = sorted(stats["gpu_duration"])
        assert wanted and len(got) == len(wanted) and all(abs(a - b) <= OFF for a, b in zip(got, sorted(wanted))), (rank, got, wanted)
    lengths = hta.get_queue_length_summary(ranks=[0, 1])
    assert {rank for rank, _ in lengths.index} == {0, 1}, lengths

if any(r.spans["COMMUNICATION"] for r in ranks.values()):
    for _, row in hta.get_comm_comp_overlap(visualize=False).iterrows():
        r, n = ranks[row["rank"]], slices[row["rank"]]
        communication = union(r.spans["COMMUNICATION"])
        wanted = 100 * r.overlap("COMPUTATION", "COMMUNICATION") / communication
        assert abs(row["comp_comm_overlap_pctg"] - wanted) <= 200 * n * 1000 / communication, (row, wanted)

# ---- TensorBoard's plugin ----

for path in sorted(glob.glob(folder + "/*.pt.trace.json*")):
    with tempfile.TemporaryDirectory() as cache:
        profile = RunProfileData.parse("worker", "1", path, cache)
    rank = profile.distributed_info["rank"]
    views = [view.display_name for view in RunGenerator("worker", "1", profile).generate_run_profile().views]
    operators = +ranks[rank].operators
    assert views == ["Overview", "Operator", "Kernel", "Trace"], views
    assert {o.name: o.calls for o in profile.op_list_groupby_name or []} == operators, operators
    assert profile.steps_names == [str(s["step"]) for s in reports[rank]["steps"]], profile.steps_names
    told = sum(profile.kernel_stat["count"])
    wanted = len(ranks[rank].spans["COMPUTATION"]) + len(ranks[rank].spans["COMMUNICATION"])
    assert told == wanted, f"{told} kernels of {wanted}"
print(dict(slices))
