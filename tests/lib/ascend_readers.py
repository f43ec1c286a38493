"""ascend_readers.py WHAT ...: what msprof-analyze made of an export, and the export's own files, against report and dump of the trace. Says what
differs and ends with 1; with 0, and nothing to say, if all is as it should be."""
import collections, csv, glob, json, os, re, subprocess, sys

TOOL = os.environ["RANKTRACE_TOOL"]


def report(trace):
    text = subprocess.run([TOOL, "report", "--format", "json", trace], capture_output=True, text=True).stdout
    return {r["rank"]: r for r in json.loads(text)["ranks"]}


def dump(trace):
    text = subprocess.run([TOOL, "dump", "--format", "jsonl", trace], capture_output=True, text=True).stdout
    return [e for e in map(json.loads, text.splitlines()) if e["kind"] != "dropped"]


def folders(export):
    """By rank."""
    found = glob.glob(export + "/*_ascend_pt/profiler_info_*.json")
    return {int(re.search(r"_(\d+)\.json$", f)[1]): os.path.dirname(f) for f in found}


def table(folder, name):
    with open(f"{folder}/ASCEND_PROFILER_OUTPUT/{name}.csv", newline="") as f:
        return list(csv.DictReader(f))


def near(what, a, b, by):
    assert abs(a - b) <= by, (what, a, b)


def kernels(events):
    """Launches that the device ran, but for those of a collective: its own time holds them."""
    inside = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "collective":
            inside[e["pid"], e["tid"]].append((e["begin_ns"], e["begin_ns"] + e["duration_ns"]))
    return [e for e in events if e["kind"] == "launch" and "device_begin_ns" in e
            and not any(a <= e["begin_ns"] < b for a, b in inside[e["pid"], e["tid"]])]


def sums(pairs):
    result = collections.defaultdict(lambda: [0, 0])
    for name, ns in pairs:
        result[name][0] += 1
        result[name][1] += ns
    return dict(result)


def merged(spans):
    result = []
    for begin, end in sorted(s for s in spans if s[1] > s[0]):
        if result and begin <= result[-1][1]:
            result[-1][1] = max(end, result[-1][1])
        else:
            result.append([begin, end])
    return result


def length(spans, begin=0, end=2 ** 63):
    return sum(max(0, min(b, end) - max(a, begin)) for a, b in merged(spans))


def work(events):
    """When the device computed, and when it communicated."""
    span = lambda e: (e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"])
    return ([span(e) for e in kernels(events)],
            [span(e) for e in events if e["kind"] == "collective" and "device_begin_ns" in e and not e.get("nested")])


def by_time(events, r):
    """The figures of steps as files have them. Where all work ends in the step that it was given in, the report has the same."""
    computing, communication = work(events)
    result = {}
    for s in r["steps"]:
        begin, end = s["begin_ns"], s["begin_ns"] + s["duration_ns"]
        compute, busy = length(computing, begin, end), length(computing + communication, begin, end)
        result[s["step"]] = dict(compute_ns=compute, communication_ns=length(communication, begin, end), communication_not_overlapped_ns=busy - compute,
                                 free_ns=end - begin - busy, e2e_ns=end - begin)
    inside = all(s["begin_ns"] <= e["device_begin_ns"] and e["device_begin_ns"] + e["device_duration_ns"] <= s["begin_ns"] + s["duration_ns"]
                 for e in events if "device_begin_ns" in e for s in r["steps"] if s["step"] == e["step"])
    if inside:
        assert result == {s["step"]: {k: s[k] for k in result[s["step"]]} for s in r["steps"]}, (result, r["steps"])
    return result


def all_of(events, r):
    """What compare says of a rank, in ns: computing, communication alone, from the first bar to the last."""
    computing, communication = work(events)
    ends = [t for span in computing + communication for t in span]
    ends += [s["begin_ns"] for s in r["steps"]] + [s["begin_ns"] + s["duration_ns"] for s in r["steps"]]
    return length(computing), length(computing + communication) - length(computing), max(ends) - min(ends)


def ns(us):
    whole, _, part = us.partition(".")
    return int(whole) * 1000 + int(part or 0)


def text(export, trace):
    """The files of ascend-text."""
    ranks, events = report(trace), dump(trace)
    assert sorted(folders(export)) == sorted(ranks), folders(export)
    for rank, folder in folders(export).items():
        mine = [e for e in events if e["rank"] == rank]
        launched = kernels(mine)
        rows = table(folder, "kernel_details")
        assert sums((r["Name"], ns(r["Duration(us)"])) for r in rows) == sums((e.get("kernel", e["name"]), e["device_duration_ns"]) for e in launched)
        assert sorted(ns(r["Start Time(us)"]) for r in rows) == sorted(e["device_begin_ns"] for e in launched)
        assert {r["Accelerator Core"] for r in rows} == {"N/A"}, "nobody can know it"
        shaped = {e["name"]: ";".join(",".join(map(str, t["dims"])) for t in e["shapes"]) for e in mine if e["kind"] == "operator" and "shapes" in e}
        assert shaped and set(shaped.values()) <= {r["Input Shapes"] for r in rows}, shaped
        calls = sums((e["name"], e["duration_ns"]) for e in mine if e["kind"] != "marker")
        assert {r["API Name"]: [int(r["Count"]), ns(r["Time(us)"])] for r in table(folder, "api_statistic")} == calls
        kinds = table(folder, "op_statistic")
        assert sum(int(r["Count"]) for r in kinds) == len(launched) and sum(ns(r["Total Time(us)"]) for r in kinds) == sum(e["device_duration_ns"] for e in launched)
        steps(folder, mine, ranks[rank])
        memory(folder, mine)
        communication(folder, mine, ranks[rank])
        time_line(folder, mine, launched, ranks[rank])


def steps(folder, events, r):
    wanted = by_time(events, r)
    rows = table(folder, "step_trace_time")
    assert [int(row["Step"]) for row in rows] == list(wanted), rows
    for row in rows:
        for column, key in (("Computing", "compute_ns"), ("Communication", "communication_ns"), ("Free", "free_ns"),
                            ("Communication(Not Overlapped)", "communication_not_overlapped_ns"), ("Stage", "e2e_ns")):
            assert ns(row[column]) == wanted[int(row["Step"])][key], (row, column, wanted)


def demo(export, trace):
    """The files of a program without operators and collectives."""
    ranks, events = report(trace), dump(trace)
    assert sorted(folders(export)) == sorted(ranks) and ranks, folders(export)
    for rank, folder in folders(export).items():
        mine = [e for e in events if e["rank"] == rank]
        steps(folder, mine, ranks[rank])
        launched = kernels(mine)
        assert sums((r["Name"], ns(r["Duration(us)"])) for r in table(folder, "kernel_details")) == sums((e["kernel"], e["device_duration_ns"]) for e in launched)
        assert not os.path.exists(folder + "/ASCEND_PROFILER_OUTPUT/" + "communication.json")


def same_kernels(text_, db):
    import sqlite3
    (name,) = glob.glob(db + "/*/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db")
    rows = sqlite3.connect(name).execute("select startNs, endNs from TASK order by 1, 2").fetchall()
    (folder,) = folders(text_).values()
    wanted = sorted((ns(r["Start Time(us)"]), ns(r["Start Time(us)"]) + ns(r["Duration(us)"])) for r in table(folder, "kernel_details"))
    assert rows == wanted and rows, (len(rows), len(wanted))


def sheet(folder, *names):
    book = sheets(folder)
    assert all(len(book.get(n, [])) > 3 for n in names), book.keys()


def allocations(events):
    """But for what a framework's allocator says of the memory that it has in stock."""
    return [e for e in events if e["kind"] in ("alloc", "pool_alloc") and e["name"] != "mstxMemHeapRegister" and not e.get("nested") and not e["result"]
            and "address" in e]


def memory(folder, events):
    rows = table(folder, "operator_memory")
    assert sorted((r["Name"], round(float(r["Size(KB)"]), 6)) for r in rows) == sorted((e["name"], round(e["bytes"] / 1024, 6)) for e in allocations(events))


def communication(folder, events, r):
    with open(f"{folder}/ASCEND_PROFILER_OUTPUT/" + "communication.json") as f:
        steps = json.load(f)
    wanted = collections.defaultdict(list)
    for e in events:
        if e["kind"] == "collective" and "device_begin_ns" in e and not e.get("nested"):
            at = [s["step"] for s in r["steps"] if s["begin_ns"] <= e["device_begin_ns"] < s["begin_ns"] + s["duration_ns"]]
            wanted[f"step{at[0]}" if at else "step"].append((round(e["device_begin_ns"] / 1000, 3), round(e["device_duration_ns"] / 1e6, 6)))
    found = {step: sorted((i["Communication Time Info"]["Start Timestamp(us)"], i["Communication Time Info"]["Elapse Time(ms)"])
                          for kind in s.values() for name, i in kind.items() if not name.startswith("Total")) for step, s in steps.items()}
    assert found == {k: sorted(v) for k, v in wanted.items()}, (found, wanted)
    for s in steps.values():
        total = sum(i["Communication Time Info"]["Elapse Time(ms)"] for n, i in s["collective"].items() if not n.startswith("Total"))
        near("total", total, s["collective"]["Total Op Info"]["Communication Time Info"]["Elapse Time(ms)"], 1e-5)


LANES = ("CANN", "Ascend Hardware", "Communication", "Python", "Overlap Analysis")  # what remains is the program's own: markers


def time_line(folder, events, launched, r):
    with open(f"{folder}/ASCEND_PROFILER_OUTPUT/trace_view.json") as f:
        view = json.load(f)
    names = {e["pid"]: e["args"]["name"] for e in view if e["ph"] == "M" and e["name"] == "process_name"}
    slices = [e for e in view if e["ph"] == "X"]
    lane = collections.Counter(names[e["pid"]] for e in slices)
    assert lane["CANN"] == sum(e["kind"] not in ("marker", "operator") for e in events), lane
    timed = [e for e in events if "device_begin_ns" in e and e["kind"] in ("launch", "copy", "fill", "map", "collective")]
    assert lane["Ascend Hardware"] + lane["Communication"] == len(timed), lane
    assert lane["Python"] == sum(e["kind"] == "operator" for e in events) + len(r["steps"]), lane
    marks = sum(e["kind"] == "marker" and not e.get("nested") and not re.match("mstx(Domain)?(RangeEnd|RangePop|Create)", e["name"]) for e in events)
    assert sum(lane.values()) - sum(lane[n] for n in LANES) == marks, (lane, marks)
    flows = collections.Counter((e["cat"], e["id"], e["ph"]) for e in view if e["ph"] in "sf")
    assert set(flows.values()) == {1}, "an arrow's number comes twice"
    assert sum(k[0] == "HostToDevice" and k[2] == "f" for k in flows) == len(timed)
    assert all((c, i, "s") in flows for c, i, ph in flows), "an arrow from nowhere"
    at = {(e["pid"], e["tid"], e["ts"]) for e in slices}
    assert all((e["pid"], e["tid"], e["ts"]) in at for e in view if e["ph"] in "sf"), "an arrow beside its slice"


def sheets(folder):
    import openpyxl
    (name,) = glob.glob(folder + "/performance_comparison_result_*.xlsx")
    return {s.title: [list(r) for r in s.iter_rows(values_only=True)] for s in openpyxl.load_workbook(name)}


def overall(book):
    """What is indented but once, in ms: of the base, and of what is compared with it."""
    return {r[0].strip(): (r[1], r[4]) for r in book["OverallMetrics"][3:] if r[0] and r[1] is not None and isinstance(r[1], (int, float))}


SHEETS = ("OverallMetrics", "CommunicationCompare", "OperatorCompareStatistic", "OperatorCompare", "ApiCompare", "KernelCompare",
          "MemoryCompareStatistic", "MemoryCompare")


def rows_of(book, name):
    return [r for r in book.get(name, [])[3:] if isinstance(r[0], int)]


def type_of(e):
    """As Type of kernel_details: the operator's, else the kernel's name."""
    return e["operator"].removeprefix("aclnn") if "operator" in e else e.get("kernel", e["name"])


def same_sums(what, found, wanted, by):
    """Of both by name how many, and ns: these may differ by so much."""
    assert {name: count for name, (count, _) in found.items()} == {name: count for name, (count, _) in wanted.items()}, (what, found, wanted)
    for name, (_, ns_) in wanted.items():
        near((what, name), found[name][1], ns_, by)


def by_kernel(book, place, events, kind):
    """It has hundredths of a microsecond, in a row for each shape; of a database it has no such sheet."""
    if kind != "text":
        return
    rows = [(r[1], r[3 + 5 * place], r[7 + 5 * place]) for r in rows_of(book, "KernelCompare")]
    found = collections.defaultdict(lambda: [0, 0])
    for name, us, count in rows:
        if count:
            found[name][0] += count
            found[name][1] += us * 1000
    same_sums("kernel", found, sums((type_of(e), e["device_duration_ns"]) for e in kernels(events)), 10 * (len(rows) + 1))


def by_operator(book, place, events, kind):
    """What the kernels of each operator took. In text the reader knows work by its stream and begin: of two that begin at once, as a callback of
    the host that takes no time does, it takes the last for both."""
    wanted = collections.defaultdict(lambda: [0, 0])
    for e in events:
        if e["kind"] == "operator":
            wanted[e.get("kernel", e["name"])][0] += 1
    place_of = lambda e: (e.get("stream"), e["device_begin_ns"])
    at = collections.Counter(place_of(e) for e in kernels(events))
    for e in kernels(events):
        if "operator" in e and (kind == "db" or at[place_of(e)] == 1):
            wanted[e["operator"]][1] += e["device_duration_ns"]
    rows = {r[1]: [r[3 + 2 * place], r[2 + 2 * place] * 1e6] for r in rows_of(book, "OperatorCompareStatistic") if r[3 + 2 * place]}
    same_sums("operator", rows, wanted, 1)


def collectives_of(r):
    """The report's, by what readers call them."""
    found = collections.defaultdict(lambda: [0, 0])
    for c in r["collectives"]:
        if c["timed"]:
            found[c["name"].removeprefix("Hccl").lower()][0] += c["timed"]
            found[c["name"].removeprefix("Hccl").lower()][1] += c["device_ns"]
    return dict(found)


def by_collective(book, place, events, r):
    rows = {row[1 + 7 * place]: [row[3 + 7 * place], row[4 + 7 * place] * 1000] for row in rows_of(book, "CommunicationCompare")
            if row[2 + 7 * place] is None and row[1 + 7 * place] not in (None, "|")}
    same_sums("collective", rows, collectives_of(r), 1)


def compared(folder, trace, base, other, of_base="text", of_other="text"):
    """compare's book: its sheets, and its figures of either rank."""
    book, ranks, events = sheets(folder), report(trace), dump(trace)
    if any(e["kind"] == "operator" for e in events):
        assert set(SHEETS) <= set(book), set(SHEETS) - set(book)
    said = overall(book)
    for place, rank, kind in ((0, int(base), of_base), (1, int(other), of_other)):
        mine = [e for e in events if e["rank"] == rank]
        computing, uncovered, end_to_end = all_of(mine, ranks[rank])
        near("computing", said["Computing Time"][place] * 1e6, computing, 100)
        near("uncovered", said.get("Uncovered Communication Time", (0, 0))[place] * 1e6, uncovered, 100)
        if kind == "text":
            near("free", said["Free Time"][place] * 1e6, end_to_end - computing - uncovered, 1000)
            near("end to end", said["E2E Time"][place] * 1e6, end_to_end, 1000)
        by_kernel(book, place, mine, kind)
        by_operator(book, place, mine, kind)
        by_collective(book, place, mine, ranks[rank])
    operators = lambda rank: sum(e["kind"] == "operator" for e in events if e["rank"] == int(rank))
    rows = [r for r in book.get("OperatorCompareStatistic", [])[3:] if isinstance(r[0], int)]
    assert sum(r[3] for r in rows) == operators(base) and sum(r[5] for r in rows) == operators(other), (rows, operators(base))


def largest_differences(folder, base, other):
    """Of kernels of equally many steps the ten largest differences, in order: those that ranktrace compare names."""
    rows = [(r[1], r[8] - r[3]) for r in rows_of(sheets(folder), "KernelCompare")]
    text = subprocess.run([TOOL, "compare", "--format", "json", base, other], capture_output=True, text=True).stdout
    mine = [(c["name"], c["change_ns"]) for c in json.loads(text)["changes"] if c["kind"] == "kernel_time"][:10]
    theirs = sorted(rows, key=lambda r: -abs(r[1]))[:10]
    assert [name for name, _ in mine] == [name for name, _ in theirs] and len(mine) == 10, (mine, theirs)
    of_step = mine[0][1] / theirs[0][1]
    for (name, ns_), (_, us) in zip(mine, theirs):
        near(name, ns_, us * of_step, 10)


def against_gpu(folder, trace, rank):
    """compare with a rank's Chrome export, which it takes for one of a GPU: the rank's operators, and its time."""
    mine = [e for e in dump(trace) if e["rank"] == int(rank)]
    by_operator = sums((e["operator"], e["device_duration_ns"]) for e in kernels(mine) if "operator" in e)
    rows = rows_against(folder)
    assert by_operator and {name: rows.get(name) for name in by_operator} == by_operator, (rows, by_operator)
    times_against(folder, trace, rank, mine)


def against_torch(folder, trace, rank):
    """The same of PyTorch's. To compare launches by the driver, as those of cuBLAS's own runtime, are no part of an operator."""
    mine = [e for e in dump(trace) if e["rank"] == int(rank)]
    wanted = {name: [count, 0] for name, (count, _) in sums((e["name"], 0) for e in mine if e["kind"] == "operator").items()}
    wanted["cudaLaunchKernel"] = sums((e["name"], e["device_duration_ns"]) for e in kernels(mine))["__cudaLaunchKernel"]
    rows = rows_against(folder)
    assert len(wanted) > 2 and {name: rows.get(name) for name in wanted} == wanted, (rows, wanted)
    times_against(folder, trace, rank, mine)


def rows_against(folder):
    """By operator how many, and ns."""
    return {row[1]: [row[5], round(row[4] * 1e6)] for row in sheets(folder)["OperatorCompareStatistic"][3:] if isinstance(row[0], int) and row[5]}


def times_against(folder, trace, rank, mine):
    computing, uncovered, _ = all_of(mine, report(trace)[int(rank)])
    said = overall(sheets(folder))
    assert computing and not any(t % 1000 for t in (computing, uncovered)), "it knows whole microseconds alone"
    near("computing", said["Computing Time"][1] * 1e6, computing, 1)
    near("uncovered", said["Uncovered Communication Time"][1] * 1e6, uncovered, 1)


def database(export, trace):
    """The databases of ascend-db."""
    import sqlite3
    ranks, events = report(trace), dump(trace)
    assert sorted(folders(export)) == sorted(ranks), folders(export)
    for rank, folder in folders(export).items():
        mine = [e for e in events if e["rank"] == rank]
        db = sqlite3.connect(f"file:{folder}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db?mode=ro", uri=True)
        ask = lambda sql: db.execute(sql).fetchall()
        named = lambda pairs: {name: [count, ns] for name, count, ns in pairs}
        launched = kernels(mine)
        assert named(ask("select s.value, count(*), sum(t.endNs - t.startNs) from COMPUTE_TASK_INFO c join TASK t using (globalTaskId) "
                         "join STRING_IDS s on s.id = c.name group by 1")) == sums((e.get("kernel", e["name"]), e["device_duration_ns"]) for e in launched)
        assert named(ask("select s.value, count(*), sum(a.endNs - a.startNs) from CANN_API a join STRING_IDS s on s.id = a.name group by 1")) == \
            sums((e["name"], e["duration_ns"]) for e in mine if e["kind"] not in ("marker", "operator"))
        operators = [e for e in mine if e["kind"] == "operator"]
        assert named(ask("select s.value, count(*), sum(cast(p.endNs as integer) - cast(p.startNs as integer)) from PYTORCH_API p "
                         "join STRING_IDS s on s.id = p.name group by 1")) == sums((e.get("kernel", e["name"]), e["duration_ns"]) for e in operators)
        assert named(ask("select s.value, count(*), sum(t.endNs - t.startNs) from PYTORCH_API p join CONNECTION_IDS c on c.id = p.connectionId "
                         "join TASK t on t.connectionId = c.connectionId join STRING_IDS s on s.id = p.name group by 1")) == \
            sums((e["operator"], e["device_duration_ns"]) for e in launched if "operator" in e)
        collectives = [e for e in mine if e["kind"] == "collective" and "device_begin_ns" in e and not e.get("nested")]
        assert ask("select startNs, endNs from COMMUNICATION_OP order by 1") == \
            sorted((e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"]) for e in collectives)
        assert ask("select count(*) from COMMUNICATION_OP o join CANN_API a using (connectionId)") == [(len(collectives),)]
        copies = [e for e in mine if e["kind"] == "copy" and "device_begin_ns" in e]
        assert sorted(ask("select size, memcpyOperation from MEMCPY_INFO")) == \
            sorted((e["bytes"], {"h2d": 1, "d2h": 2, "d2d": 3, "h2h": 0}.get(e.get("direction"), 65535)) for e in copies)
        steps_ = ranks[rank]["steps"]
        assert ask("select id, endNs - startNs from STEP_TIME order by id") == [(s["step"], s["e2e_ns"]) for s in steps_]
        bars = dict(ask("select e.name, sum(endNs - startNs) from OVERLAP_ANALYSIS o join ENUM_OVERLAP_ANALYSIS_TYPE e on e.id = o.type group by 1"))
        computing, uncovered, _ = all_of(mine, ranks[rank])
        assert (bars["COMPUTE"], bars["COMM_NOT_OVERLAP_COMP"]) == (computing, uncovered), bars
        wanted = by_time(mine, ranks[rank])
        assert bars["FREE"] == sum(s["free_ns"] for s in wanted.values()), (bars, wanted)
        assert ask("select count(*) from TASK where taskId is not null or modelId is not null") == [(0,)], "nobody can know them"
        assert sorted(ask("select size from OP_MEMORY")) == sorted((e["bytes"],) for e in allocations(mine))
        assert ask("select rankId from RANK_DEVICE_MAP") == [(rank,)] and ask("select count(*) from HOST_INFO") == [(1,)]
        more = sqlite3.connect(f"file:{folder}/ASCEND_PROFILER_OUTPUT/analysis.db?mode=ro", uri=True)
        assert more.execute("select count(*), round(sum(elapse_time), 3) from CommAnalyzerTime").fetchone() == \
            (len(collectives), round(sum(e["device_duration_ns"] for e in collectives) / 1e6, 3))
        assert [r[0] for r in more.execute("select step from StepTraceTime order by cast(step as integer)")] == [str(s["step"]) for s in steps_]


def simulated(text_, db, pid, begin, end):
    """What the simulation told of a process until step `begin` ended (tests/torch_npu/train.py) and until `end` did: what lies between is what each
    rank has in its files, as all do the same."""
    import sqlite3
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../sims/lib")
    import counts
    given, called = collections.Counter(), collections.Counter()
    for step, sign in ((end, 1), (begin, -1)):
        with open(f"tasks.{pid}.{step}") as f:
            for line in f:
                given[line.split()[4]] += sign
        for _, path, calls in counts.entries(f"counts.{pid}.{step}", "program"):
            if len(path) == 1 and re.match("aclnn|Hccl(All|Br|Re|Send)|aclrtMemcpy", path[0]):
                called[path[0]] += sign * calls
    given, called = +given, +called
    communication = {n: given.pop(n) for n in list(given) if n.startswith("hccl_")}
    copies = given.pop("memcpy")
    assert given and communication and copies and called, (given, communication, copies, called)
    for rank, folder in folders(text_).items():
        assert collections.Counter(r["Name"] for r in table(folder, "kernel_details")) == given, (rank, given)
        api = {r["API Name"]: int(r["Count"]) for r in table(folder, "api_statistic")}
        assert {n: api.get(n) for n in called} == called, (rank, called, api)
        tables = sqlite3.connect(f"file:{folders(db)[rank]}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db?mode=ro", uri=True)
        rows = lambda name: tables.execute(f"select count(*) from {name}").fetchone()[0]
        assert rows("COMMUNICATION_OP") == rows("COMMUNICATION_TASK_INFO") == sum(communication.values()), communication
        assert rows("COMPUTE_TASK_INFO") == sum(given.values()) and rows("MEMCPY_INFO") == copies, (given, copies)


def cluster_tables(folder):
    import sqlite3
    (name,) = glob.glob(folder + "/" + "cluster_analysis_output/cluster_analysis.db")
    return sqlite3.connect(f"file:{name}?mode=ro", uri=True)


def communication_times(folder, trace):
    """communication_time_sum: each collective of each rank, in its step."""
    wanted = []
    for rank, r in report(trace).items():
        for e in dump(trace):
            if e["rank"] == rank and e["kind"] == "collective" and "device_begin_ns" in e and not e.get("nested"):
                (step,) = [s["step"] for s in r["steps"] if s["begin_ns"] <= e["device_begin_ns"] < s["begin_ns"] + s["duration_ns"]]
                wanted.append((f"step{step}", rank, e["device_duration_ns"]))
    rows = cluster_tables(folder).execute("select step, rank_id, elapsed_time, wait_time, transit_time, hccl_op_name from ClusterCommunicationTime").fetchall()
    totals = [row for row in rows if row[5].startswith("Total")]
    rows = [row for row in rows if row not in totals]
    assert wanted and sorted((step, rank, round(ms * 1e6)) for step, rank, ms, *_ in rows) == sorted(wanted), (rows, wanted)
    assert {row[3:5] for row in rows} == {(None, None)}, "nobody can know them"
    sums_ = collections.Counter()
    for step, rank, took in wanted:
        sums_[step, rank] += took
    assert {(step, rank): round(ms * 1e6) for step, rank, ms, *_ in totals} == sums_, (totals, sums_)


def masking(folder, trace):
    """computational_op_masking, which does not say of which rank a row is: by step communication, and what of it no computing hides."""
    wanted, events = [], dump(trace)
    for rank, r in report(trace).items():
        for step, figures in by_time([e for e in events if e["rank"] == rank], r).items():
            share = figures["communication_ns"] / figures["e2e_ns"]
            uncovered = figures["communication_not_overlapped_ns"]
            wanted.append((step, figures["e2e_ns"], figures["communication_ns"], uncovered, round(share, 9), round(uncovered / figures["e2e_ns"], 5)))
    rows = cluster_tables(folder).execute(
        "select stepId, stepEndTime - stepStartTime, totalCommunicationOperatorTime, totalTimeWithoutCommunicationBlackout,"
        " round(timeRatioOfStepCommunicationOperator, 9), ratioOfUnmaskedCommunication from ComputationalOperatorMaskingLinearity").fetchall()
    assert any(w[2] for w in wanted) and sorted(rows) == sorted(wanted), (sorted(rows), sorted(wanted))


def read(folder, columns, table_):
    return cluster_tables(folder).execute(f"select {columns} from {table_}").fetchall()


def summed(rows):
    """(rank, name, how many, ns), in several rows for one name."""
    found = collections.defaultdict(lambda: [0, 0])
    for rank, name, count, ns_ in rows:
        found[rank, name][0] += count
        found[rank, name][1] += ns_
    return dict(found)


def of_ranks(trace, pairs):
    """pairs(a rank's events): (name, ns)"""
    events = dump(trace)
    return {(rank, name): one for rank in report(trace) for name, one in sums(pairs([e for e in events if e["rank"] == rank])).items()}


def api_sums(folder, trace):
    """cann_api_sum: each call of each rank."""
    wanted = of_ranks(trace, lambda mine: ((e["name"], e["duration_ns"]) for e in mine if e["kind"] not in ("marker", "operator")))
    found = summed(read(folder, "rank, name, totalCount, totalTimeNs", "CannApiSumRank"))
    assert wanted and found == wanted, (found, wanted)
    (rows,) = read(folder, "count(*), sum(totalCount)", "CannApiSum")
    assert rows == (len({name for _, name in wanted}), sum(count for count, _ in wanted.values())), rows


def kernel_sums(folder, trace):
    """compute_op_sum: each kernel of each rank, by name and by type."""
    by_name = of_ranks(trace, lambda mine: ((e.get("kernel", e["name"]), e["device_duration_ns"]) for e in kernels(mine)))
    by_type = of_ranks(trace, lambda mine: ((type_of(e), e["device_duration_ns"]) for e in kernels(mine)))
    for column, table_, wanted in (("OpName", "ComputeOpPerRankStatsByOpName", by_name), ("OpType", "ComputeOpPerRankStatsByOpType", by_type)):
        found = summed(read(folder, f"Rank, {column}, Count, SumNs", table_))
        assert wanted and found == wanted, (found, wanted)
    (rows,) = read(folder, "count(*), sum(Count), sum(SumNs)", "ComputeOpAllRankStats")
    assert rows == (len({name for _, name in by_type}), *map(sum, zip(*by_type.values()))), rows


def collective_sums(folder, trace):
    """hccl_sum: the report's collectives of each rank."""
    wanted = {(rank, name): one for rank, r in report(trace).items() for name, one in collectives_of(r).items()}
    found = summed((rank, kind.removeprefix("hcom_").rstrip("_").lower(), count, ns_)
                   for rank, kind, count, ns_ in read(folder, "Rank, OpType, Count, SumNs", "HcclPerRankStats"))
    assert wanted and found == wanted, (found, wanted)


def step_times(folder, trace):
    """cluster_time_summary: of each step of each rank what the files have; of it free is without copies."""
    events = dump(trace)
    wanted = {(rank, step): [f["e2e_ns"], f["compute_ns"], f["communication_not_overlapped_ns"], f["communication_ns"], f["free_ns"]]
              for rank, r in report(trace).items() for step, f in by_time([e for e in events if e["rank"] == rank], r).items()}
    rows = read(folder, "rank, step, stepTime, computation, communicationNotOverlapComputation, communication,"
                        " free + memoryNotOverlapComputationCommunication", "ClusterTimeSummary")
    assert wanted and {row[:2]: [round(us * 1000) for us in row[2:]] for row in rows} == wanted, (rows, wanted)


def no_difference(folder, trace):
    """cluster_time_compare_summary of a run with itself."""
    steps_ = sum(len(r["steps"]) for r in report(trace).values())
    columns = ("stepTime", "computation", "communication", "free", "memory")
    rows = read(folder, ", ".join(f"{c}, {c}Base, {c}Diff" for c in columns), "ClusterTimeCompareSummary")
    assert len(rows) == steps_ > 0 and all(row[i] == row[i + 1] and row[i + 2] == 0 for row in rows for i in range(0, len(row), 3)), rows


def summary_files(folder, trace):
    """export_summary, which writes into the folders that it reads: all kernels are in its table."""
    for rank, of in folders(folder).items():
        mine = [e for e in dump(trace) if e["rank"] == rank]
        found = sums((r["op_name"], round(float(r["task_duration"]) * 1000)) for r in table(of, "kernel_details"))
        wanted = sums((e.get("kernel", e["name"]), e["device_duration_ns"]) for e in kernels(mine))
        assert wanted and found == wanted, (found, wanted)
        assert table(of, "api_statistic")


def range_sums(folder, *wanted):
    """mstx_sum of one rank: NAME=NS on the device."""
    found = sorted((name, round(ns_)) for name, ns_ in read(folder, "Name, DeviceDurationNs", "MSTXMarkStats"))
    assert found == sorted((name, int(ns_)) for name, ns_ in (word.split("=") for word in wanted)), found


def modules(folder, trace):
    """module_statistic: the kernels of operators that were called in a range of the domain Module, by rank."""
    wanted = collections.defaultdict(lambda: [0, 0])
    events = dump(trace)
    ends = {(e["rank"], e["range"]): e["begin_ns"] + e["duration_ns"] for e in events if e["name"] == "mstxDomainRangeEnd"}
    for e in events:
        if e["name"] != "mstxDomainRangeStartA" or e.get("domain") != "Module":
            continue
        for k in kernels([k for k in events if k["rank"] == e["rank"]]):
            if "operator" in k and e["begin_ns"] <= k["begin_ns"] < ends[e["rank"], e["range"]]:
                wanted[e["rank"], (e["message"], k["operator"], k["kernel"])][0] += 1
                wanted[e["rank"], (e["message"], k["operator"], k["kernel"])][1] += k["device_duration_ns"]
    found = summed((rank, tuple(names), count, ns_) for *names, count, ns_, rank in
                   read(folder, 'module, opName, kernelList, opCount, "totalKernelDuration(ns)", rankID', "ModuleStatistic"))
    assert wanted and found == wanted, (found, wanted)


def chart(folder, trace, name, message):
    """pp_chart, which writes into the databases that it reads: when a range was on the device."""
    import sqlite3
    for rank, of in folders(folder).items():
        rows = sqlite3.connect(f"{of}/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_{rank}.db").execute("select name, startNs, endNs from StepTaskInfo")
        wanted = [(name, e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"]) for e in dump(trace)
                  if e["rank"] == rank and e.get("message") == message and "device_begin_ns" in e]
        assert wanted and sorted(rows) == sorted(wanted), wanted


def recipe(folder, *wanted):
    """wanted: TABLE=ROWS, or TABLE: any but none."""
    db = cluster_tables(folder)
    for word in wanted:
        table_, _, rows = word.partition("=")
        (found,) = db.execute(f"select count(*) from {table_}").fetchone()
        assert found == int(rows) if rows else found, (table_, found, rows)


def no_errors(log, *allowed):
    with open(log, errors="replace") as f:
        lines = [l for l in f if "[ERROR]" in l or "Traceback" in l]
    assert not [l for l in lines if not any(a in l for a in allowed)], lines


def cluster_steps(folder, trace):
    ranks, events = report(trace), dump(trace)
    (name,) = glob.glob(folder + "/" + "cluster_analysis_output/cluster_step_trace_time.csv")
    with open(name, newline="") as f:
        rows = [r for r in csv.DictReader(f) if r["Type"] == "rank"]
    assert sorted((int(r["Index"]), int(r["Step"])) for r in rows) == sorted((k, s["step"]) for k, r in ranks.items() for s in r["steps"]), rows
    timed = {rank: by_time([e for e in events if e["rank"] == rank], r) for rank, r in ranks.items()}
    for row in rows:
        step = timed[int(row["Index"])][int(row["Step"])]
        near("computing", float(row["Computing"]) * 1000, step["compute_ns"], 1)
        near("communication", float(row["Communication"]) * 1000, step["communication_ns"], 1)
    return ranks, events


def clustered(folder, trace):
    ranks, events = cluster_steps(folder, trace)
    with open(folder + "/" + "cluster_analysis_output/cluster_communication.json") as f:
        said = json.load(f)
    operations = collections.defaultdict(list)  # by name: a rank may be in the next step already
    for group in said.values():
        for step in group.values():
            for name, by_rank in step.items():
                operations[name] += [] if name.startswith("Total") else by_rank
    operations = {name: by_rank for name, by_rank in operations.items() if by_rank}
    timed = [e for e in events if e["kind"] == "collective" and "device_begin_ns" in e and not e.get("nested")]
    assert sum(map(len, operations.values())) == len(timed), operations
    assert all(sorted(r) == sorted(map(str, ranks)) for r in operations.values()), operations
    with open(folder + "/" + "cluster_analysis_output/cluster_communication_matrix.json") as f:
        assert json.load(f)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
