"""report_tables.py TOOL TABLE PATH...: are the figures of a report's table, as JSON and as text, what the lines of dump come to?"""
import csv
import json
import math
import os
import re
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../lib"))
import traces

EXACT = 512  # calls of a row; of more a percentile may be off
OFF = 1 / 128

tool, table, *paths = sys.argv[1:]
events = [e for e in (json.loads(line) for line in traces.run(tool, "dump", "--format", "jsonl", *paths).splitlines()) if e["kind"] != "dropped"]
ranks = json.loads(traces.run(tool, "report", "--format", "json", *paths))["ranks"]
text = traces.run(tool, "report", "--top", "1000", *paths)


def of_rank(rank):
    return [e for e in events if (e["rank"], e["pid"]) == (rank["rank"], rank["pid"])]


def groups(of, key):
    found = {}
    for e in of:
        found.setdefault(key(e), []).append(e)
    return found


def section(title):
    """The lines of a table, without its head, and what is said below it."""
    lines = text.split("\n" + title, 1)[1].split("\n\n")[0].splitlines()[2:]
    return [line for line in lines if not line.startswith(("incomplete: ", "DEVICE -: "))]


def median(times):
    return int(statistics.median(times))


def p99(times):
    return sorted(times)[math.ceil(len(times) * 99 / 100) - 1]


def near(got, wanted, count, where):
    assert abs(got - wanted) <= (wanted * OFF if count > EXACT else 0), f"{where}: {got} in place of {wanted}"


def check_percentiles(row, times, where):
    near(row["median_ns"], median(times), len(times), f"median of {where}")
    near(row["p99_ns"], p99(times), len(times), f"p99 of {where}")


def lost_calls(rank, step):
    return any((d["first_step"] is None or step is not None and d["first_step"] <= step) and d["last_step"] is not None and step is not None
               and step <= d["last_step"] for d in rank["dropped_in"])


def host_times():
    kinds = {"sync": 0, "module": 1}
    for rank in ranks:
        calls = groups(of_rank(rank), lambda e: e["name"])
        rows = rank["host_times"]
        assert {r["name"]: r["calls"] for r in rows} == {name: len(of) for name, of in calls.items()} == rank["entry_points"], rows
        assert [r["name"] for r in rows] == [r["name"] for r in sorted(rows, key=lambda r: (kinds.get(r["kind"], 2), -r["total_ns"], r["name"]))]
        for row in rows:
            of = calls[row["name"]]
            times = [e["duration_ns"] for e in of]
            assert (row["kind"], row["total_ns"], row["worst_ns"]) == (of[0]["kind"], sum(times), max(times)), row
            assert row["worst_step"] in [e["step"] for e in of if e["duration_ns"] == row["worst_ns"]], row
            assert row["worst_step_lost_calls"] or not lost_calls(rank, row["worst_step"]), row
            check_percentiles(row, times, row["name"])
    calls = groups(events, lambda e: e["name"])
    lines = section("Host time by entry point")
    assert len(lines) == len(calls), lines
    for line in lines:
        words = line.split()
        of = [e["duration_ns"] for e in calls[words[10]]]
        assert (words[0], words[9]) == (str(len(of)), calls[words[10]][0]["kind"]), line
        assert " ".join(words[1:3]) == traces.shown(sum(of)) and " ".join(words[7:9]) == traces.shown(max(of)), line
        if len(of) <= EXACT:
            assert " ".join(words[3:7]) == f"{traces.shown(median(of))} {traces.shown(p99(of))}", line
        longest = max(of)
        places = ["  " + ("outside of steps" if e["step"] is None else f"step {e['step']}") + (f" of rank {e['rank']}" if len(ranks) > 1 else "")
                  for e in calls[words[10]] if e["duration_ns"] == longest]
        assert any(line.endswith((place, place + ", which lost calls")) for place in places), (line, places)


def is_work(e):
    return e["kind"] in ("launch", "operator") and not (e["result"] or e.get("nested") or e.get("captured"))


def kernel_of(e):
    return e.get("kernel", e["name"]), e["kind"]


def share_of(of, kind, calls):
    """Of all device time of its kind, or of all host time; None: it has none."""
    of_kind = [e for e in calls if e["kind"] == kind]
    key = "device_duration_ns" if any(e.get("device_duration_ns") for e in of_kind) else "duration_ns"
    return sum(e.get(key, 0) for e in of) / sum(e[key] for e in of_kind if key in e) if any(key in e for e in of) else None


def times_of(of):
    return [e["device_duration_ns"] for e in of if "device_duration_ns" in e] or [e["duration_ns"] for e in of]


def kernels():
    for rank in ranks:
        calls = list(filter(is_work, of_rank(rank)))
        found = groups(calls, kernel_of)
        assert {(k["name"], k["kind"]) for k in rank["kernels"]} == set(found) and len(found) == rank["kernel_names"], rank["kernels"]
        for k in rank["kernels"]:
            of = found[k["name"], k["kind"]]
            sums = sums_of(of)
            assert {key: k[key] for key in sums} == sums, (k, sums)
            check_percentiles(k, times_of(of), k["name"])
            share = share_of(of, k["kind"], calls)
            assert k.get("share") == share or abs(k["share"] - share) < 1e-6, (k, share)
    calls = list(filter(is_work, events))
    found = groups(calls, kernel_of)
    tables = {kind: section("Top " + title) for kind, title in (("operator", "operators"), ("launch", "kernels"))
              if any(k == kind for _, k in found)}
    lines = [line for table in tables.values() for line in table]
    assert len(lines) == len(found), lines
    assert all(f" {kind} " in line for kind, table in tables.items() for line in table), lines
    partly = partly_timed(map(sums_of, found.values()))
    for (name, kind), of in found.items():
        line = next(line for line in lines if f" {kind} " in line and line.rstrip().endswith(" " + name))
        share = share_of(of, kind, calls)
        sums = columns_of(sums_of(of), partly)
        assert " ".join(line.split()).startswith(sums + " "), (line, sums)
        assert ("%.1f %%" % (100 * share) if share is not None else "-  " + kind) in line, (line, share)
        if len(times_of(of)) <= EXACT:
            assert line.split(kind)[0].split()[-6:-2] == f"{traces.shown(median(times_of(of)))} {traces.shown(p99(times_of(of)))}".split() or share is None, line


def rate_of(of):
    """GB/s, and by which clock; None: of some bytes no time is known."""
    timed = [e for e in of if "device_duration_ns" in e]
    untimed = [e for e in of if "device_duration_ns" not in e]
    if any("stream" in e for e in untimed):
        return None
    key, by, counted = ("device_duration_ns", "device", timed) if timed else ("duration_ns", "host", untimed)
    ns = sum(e[key] for e in counted)
    return (sum(e["bytes"] for e in counted) / ns, by) if ns else None


def is_copy(e):
    return e["kind"] in ("copy", "fill") and not (e["result"] or e.get("nested") or e.get("captured"))


def direction_of(e):
    return "fill" if e["kind"] == "fill" else e.get("direction") or "unknown"


def bytes_of(of):
    return sum(e.get("bytes", 0) for e in of)


def copies():
    for rank in ranks:
        found = groups(filter(is_copy, of_rank(rank)), direction_of)
        rows = {**rank["copies"], **({"fill": rank["fills"]} if rank["fills"]["count"] else {})}
        assert set(rows) == set(found), rows
        for name, row in rows.items():
            rate, sums = rate_of(found[name]), {**sums_of(found[name]), "bytes": bytes_of(found[name])}
            assert {key: row[key] for key in sums} == sums, (row, sums)
            assert row.get("gb_per_s_by") == (rate and rate[1]), (row, rate)
            assert not rate or abs(row["gb_per_s"] - rate[0]) < 1e-6, (row, rate)
    lines = {line.split()[0].replace("?", "unknown"): line for line in section("Copies")}
    found = groups(filter(is_copy, events), direction_of)
    assert set(lines) == set(found), lines
    partly = partly_timed(map(sums_of, found.values()))
    for name, of in found.items():
        rate, (count, times) = rate_of(of), columns_of(sums_of(of), partly).split(" ", 1)
        assert " ".join(lines[name].split()[1:]).startswith(f"{count} {size(bytes_of(of))} {times} "), (lines[name], times)
        assert lines[name].endswith(" %.3f%s" % (rate[0], " in the calls" if rate[1] == "host" else "") if rate else " -"), (lines[name], rate)


def launch_to_start():
    lines = section("From launch to start")
    for rank in ranks:
        found = groups([e for e in of_rank(rank) if e["kind"] == "launch" and "device_begin_ns" in e], lambda e: e.get("stream", 0))
        assert {row["stream"]: row["launches"] for row in rank["launch_to_start"]} == {stream: len(of) for stream, of in found.items()}
        for row in rank["launch_to_start"]:
            delays = [max(0, e["device_begin_ns"] - e["begin_ns"]) for e in found[row["stream"]]]
            assert row["longest_ns"] == max(delays), row
            check_percentiles(row, delays, f"stream {row['stream']}")
            words = [rank["rank"], row["stream"], len(delays), *(traces.shown(row[key]) for key in ("median_ns", "p99_ns", "longest_ns"))]
            assert " ".join(map(str, words)) in [" ".join(line.split()) for line in lines], (words, lines)
    assert len(lines) == sum(len(rank["launch_to_start"]) for rank in ranks), lines


def busy_of(of):
    """[begin, end, its call] of each work in time"""
    found = [(e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"], e) for e in of
             if "device_begin_ns" in e and e["kind"] in ("launch", "copy", "fill", "map", "collective")]
    found += [(e["begin_ns"], e["begin_ns"] + e["duration_ns"], e) for e in of if e["kind"] in ("copy", "fill") and "stream" not in e and is_copy(e)]
    return sorted((w for w in found if w[1] > w[0]), key=lambda w: w[:2])


def holes(begin, end, works):
    """(begin, end, the work behind it or None) of what none of them covers"""
    for work in works:
        if work[0] > begin and begin < end:
            yield begin, min(work[0], end), work
        begin = max(begin, work[1])
    if begin < end:
        yield begin, end, None


def outermost(calls):
    kept = []
    for e in sorted(calls, key=lambda e: (e["begin_ns"], -e["duration_ns"])):
        if not kept or e["begin_ns"] >= kept[-1]["begin_ns"] + kept[-1]["duration_ns"]:
            kept.append(e)
    return kept


def pieces(begin, end, covered):
    """(begin, end, what of those covers it or None), those of no length left out"""
    for b, e, what in covered:
        if max(b, begin) < min(e, end):
            if b > begin:
                yield begin, b, None
            yield max(b, begin), min(e, end), what
            begin = min(e, end)
    if begin < end:
        yield begin, end, None


def gap_pieces(step, calls, others):
    """(during, name, ns) of the gaps of a step: what is between its works, without what works of others cover, by the host's thread"""
    works, thread = busy_of([e for e in calls if e["step"] == step["step"]]), None
    for begin, end, work in holes(step["begin_ns"], step["begin_ns"] + step["duration_ns"], works):
        given = end
        if work:
            thread = outermost([e for e in calls if e["tid"] == work[2]["tid"] and e["kind"] not in ("pool_alloc", "pool_free")])
            given = next(e["begin_ns"] + e["duration_ns"] for e in thread if e["begin_ns"] + e["duration_ns"] >= work[2]["begin_ns"] + work[2]["duration_ns"])
        for b, e, other in pieces(begin, end, others):
            if other:
                yield "other_step", None, e - b
                continue
            host = [(c["begin_ns"], c["begin_ns"] + c["duration_ns"], c) for c in thread or []]
            for x, y, call in pieces(b, max(b, min(e, given)), host):
                yield ("call", call["name"], y - x) if call else ("between_calls", None, y - x)
            if max(b, given) < e:
                yield "given", None, e - max(b, given)


def device_gaps():
    everything = []
    for rank in ranks:
        calls, found, idle = of_rank(rank), {}, 0
        for step in (s for s in rank["steps"] if s["times"] == "device"):
            idle += step["idle_ns"]
            before = busy_of([e for e in calls if e["step"] is None or e["step"] < step["step"]])
            others = [(b, e, "other") for b, e, _ in holes(0, 2**64, sorted((b, e) for b, e, _ in holes(0, 2**64, before)))] if before else []
            for during, name, ns in gap_pieces(step, calls, others):
                found.setdefault((during, name), []).append((ns, step["step"]))
        rows = {(row["during"], row["name"]): row for row in rank["device_gaps"]}
        assert set(rows) == set(found), (sorted(map(str, rows)), sorted(map(str, found)))
        for key, gaps in found.items():
            row, longest = rows[key], max(ns for ns, _ in gaps)
            assert (row["count"], row["total_ns"], row["longest_ns"]) == (len(gaps), sum(ns for ns, _ in gaps), longest), (row, gaps)
            assert (longest, row["longest_step"]) in gaps, (row, gaps)
        assert sum(row["total_ns"] for row in rows.values()) == rank["device_gaps_idle_ns"] + rank["device_gaps_ran_outside_ns"], rows
        assert rank["device_gaps_idle_ns"] == idle, rank["device_gaps_idle_ns"]
        everything += rows.values()
    lines = section("Gaps on the device")
    assert lines.pop().startswith("idle of "), lines
    assert sorted(line.split()[0] for line in lines) == sorted(str(sum(row["count"] for row in rows)) for rows in groups(
        everything, lambda row: (row["during"], row["name"])).values()), lines


def in_time(calls, kinds):
    """Allocations when they are there, frees when they begin."""
    of = [e for e in calls if e["kind"] in kinds and e.get("address") and not e["result"] and not e.get("nested")]
    return sorted(of, key=lambda e: e["begin_ns"] + (0 if e["kind"] == kinds[1] else e["duration_ns"]))


def size(n):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(n) < 1024:
            return f"{n:.2f} {unit}" if unit != "B" else f"{n} B"
        n /= 1024


def held(calls, kinds, rank):
    """The sums of what was handed out, and what is left of it by entry point."""
    live, steps, left = {}, {s["step"]: 0 for s in rank["steps"] if not s.get("lost_calls")}, {}
    sums = dict.fromkeys(("allocations", "frees", "bytes", "peak_bytes"), 0)
    for e in in_time(calls, kinds):
        change = -live.pop(e["address"], e)["bytes"] if e["address"] in live else 0
        if e["kind"] == kinds[0]:
            live[e["address"]] = e
            change += e["bytes"]
            sums["allocations"] += 1
            sums["bytes"] += e["bytes"]
        else:
            sums["frees"] += 1
        sums["peak_bytes"] = max(sums["peak_bytes"], sum(kept["bytes"] for kept in live.values()))
        if e["step"] in steps:
            steps[e["step"]] += change
    for e in live.values():
        left.setdefault(e["name"], []).append(e["bytes"])
    sums.update(unfreed=len(live), unfreed_bytes=sum(e["bytes"] for e in live.values()))
    if steps:
        most = max(steps.values())
        sums.update(step_adds_median_bytes=median(steps.values()), step_adds_most_bytes=most, step_adds_most_step=min(s for s in steps if steps[s] == most))
    return sums, left


def is_stock(e):
    return e.get("domain") is None


def memory():
    lines = text.split("\n")
    for rank in ranks:
        calls = of_rank(rank)
        sums, left = held(calls, ("alloc", "free"), rank)
        assert {key: rank["memory"][key] for key in sums} == sums == {key: rank["memory"]["device"][key] for key in sums}, (rank["memory"], sums)
        never = {(name, "entry_point"): (len(of), sum(of)) for name, of in left.items()}
        pools = groups([e for e in calls if e["kind"] in ("pool_alloc", "pool_free")], lambda e: (e.get("domain") or "-", e["device"]))
        assert [(p["name"], p["device"]) for p in rank["pools"]] == sorted(pools), rank["pools"]
        for pool in rank["pools"]:
            of = pools[pool["name"], pool["device"]]
            sums, left = held([e for e in of if not is_stock(e)], ("pool_alloc", "pool_free"), rank)
            sums["held_bytes"] = max([e["bytes"] for e in of if is_stock(e) and e["kind"] == "pool_alloc"] + [e.get("reserved", 0) for e in of])
            assert {key: pool[key] for key in sums} == sums, (pool, sums)
            if sums["unfreed"]:
                never[pool["name"], "pool"] = sums["unfreed"], sums["unfreed_bytes"]
        assert {(row["name"], row["by"]): (row["count"], row["bytes"]) for row in rank["never_freed"]} == never, (rank["never_freed"], never)
        for sums in [rank["memory"]["device"], *rank["pools"]]:
            line = f"{sums['unfreed']} {size(sums['unfreed_bytes'])} " + (f"{size(sums['held_bytes']) if sums['held_bytes'] else '-'} " if "name" in sums else "")
            line += f"{size(sums['step_adds_median_bytes'])} {size(sums['step_adds_most_bytes'])}, {sums['step_adds_most_step']}" + (f" {sums['name']}" if "name" in sums else "")
            assert not (sums["allocations"] or sums["frees"] or "name" in sums) or any(" ".join(said.split()).endswith(line) for said in lines), line
        for (name, _), (count, of) in never.items():
            assert f"{rank['rank']} {count} {size(of)} {name}" in [" ".join(said.split()) for said in section("Never freed")], name


def did_work(e):
    return not (e["result"] or e.get("nested") or e.get("captured"))


def sums_of(of):
    timed = [e["device_duration_ns"] for e in of if "device_duration_ns" in e]
    return {"count": len(of), "host_ns": sum(e["duration_ns"] for e in of), "device_ns": sum(timed), "timed": len(timed)}


def check_rows(title, rows, wanted, keys, of_text):
    """rows of all ranks and what they ought to be, by keys; of_text: a row's first words and its last ones, by what is the same over all ranks."""
    got = {tuple(row.get(key) for key in keys): row for row in rows}
    assert len(got) == len(rows) and set(got) == set(wanted), (title, rows, wanted)
    for key, sums in wanted.items():
        assert {name: got[key][name] for name in sums} == sums, (title, got[key], sums)
    lines = [" ".join(line.split()) for line in section(title)] if rows else []
    for first, last in of_text:
        assert any(line.startswith(first) and line.endswith(last) for line in lines), (title, first, last, lines)
    return lines


def columns_of(sums, partly):
    return f"{sums['count']} " + (f"{sums['timed']} " if partly else "") + (traces.shown(sums["device_ns"]) if sums["timed"] else "-") + " " + traces.shown(sums["host_ns"])


def partly_timed(all_sums):
    return any(0 < sums["timed"] < sums["count"] for sums in all_sums)


def shapes_of(e):
    tensors = ["%s[%s]%s" % (t["type"], ",".join(map(str, t["dims"])), "" if t["format"] == "ND" else ":" + t["format"]) for t in e["shapes"]]
    return ";".join(tensors + ([f"+{e['tensors_left_out']}"] if e.get("tensors_left_out") else []))


def operator_shapes():
    def key(e):
        return e["kernel"], shapes_of(e)

    operators = [e for e in events if e["kind"] == "operator" and did_work(e) and "shapes" in e]
    for rank in ranks:
        for row in rank["operators"]:
            row["shapes"] = re.sub(r",\+\d+\]", "]", row["shapes"])  # more dimensions, which dump's lists do not have
    by_all = {k: sums_of(of) for k, of in groups(operators, key).items()}
    for rank in ranks:
        lines = check_rows("Operators by shapes", rank["operators"], {k: sums_of(of) for k, of in groups([e for e in of_rank(rank) if e in operators], key).items()},
                           ("name", "shapes"), [])
    partly = partly_timed(by_all.values())
    assert len(lines) == len(by_all), lines
    for (name, shapes), sums in by_all.items():
        wanted = f"{columns_of(sums, partly)} {name} {shapes}"
        assert any(re.sub(r",\+\d+\]", "]", line) == wanted for line in lines), (wanted, lines)


def graphs():
    def key(e):
        return e["nodes"], tuple((k["name"], k["nodes"]) for k in e["kernels"]), e.get("kernels_left_out", 0)

    for rank in ranks:
        calls = of_rank(rank)
        found = groups([e for e in calls if did_work(e) and "nodes" in e], key)
        rows = {(row["nodes"], tuple((k["name"], k["nodes"]) for k in row["names"]), row["names_left_out"]): row for row in rank["graphs"]}
        assert set(rows) == set(found) and len(rows) == len(rank["graphs"]), rank["graphs"]
        for (nodes, kernels, others), of in found.items():
            row, sums = rows[nodes, kernels, others], sums_of(of)
            assert {name: row[name] for name in sums} == sums and row["kernels"] == sum(n for _, n in kernels) + others, row
            assert any(" ".join(line.split()).startswith(f"{columns_of(sums, partly_timed([sums]))} {nodes} {row['kernels']}") for line in section("Graphs")), row
        assert rank["captured"] == sum(1 for e in calls if e.get("captured")), rank["captured"]


def collectives():
    keys = ("name", "communicator", "communicator_group", "communicator_rank", "communicator_size")
    of_all = {}
    for rank in ranks:
        found = groups([e for e in of_rank(rank) if e["kind"] == "collective" and did_work(e)], lambda e: tuple(e.get(key) for key in keys))
        wanted = {key: {**sums_of(of), "bytes": bytes_of(of)} for key, of in found.items()}
        lines = check_rows("Collectives by group", rank["collectives"], wanted, keys, [])
        for key, sums in wanted.items():
            of_all.setdefault((key[0], key[1], key[2]), []).append(sums)
    assert len(lines) == len(of_all), lines
    summed = {key: {name: sum(sums[name] for sums in of) for name in of[0]} for key, of in of_all.items()}
    for (name, communicator, _), sums in summed.items():
        columns = columns_of(sums, partly_timed(summed.values())).split(" ", 1)[1]
        assert any(line.startswith(f"{sums['count']} ") and line.endswith(f"{size(sums['bytes'])} {columns} {name} {communicator or '-'}") for line in lines), (sums, lines)


def ranges():
    for rank in ranks:
        of = [e for e in of_rank(rank) if e["kind"] == "marker" and not e.get("nested") and not e["result"]]
        ends = {(e["range"], e["name"][:6]): e for e in of if e["name"].endswith("RangeEnd")}
        found = groups([e for e in of if "RangeStart" in e["name"]], lambda e: (e.get("domain"), e["message"]))
        rows = {(row["domain"], row["name"]): row for row in rank["ranges"]}
        assert set(rows) == set(found) and rank["range_names"] == len(found), rank["ranges"]
        for key, begun in found.items():
            lengths = [ends[e["range"], e["name"][:6]]["begin_ns"] - e["begin_ns"] for e in begun if (e["range"], e["name"][:6]) in ends]
            assert (rows[key]["count"], rows[key]["not_ended"], rows[key]["total_ns"]) == (len(begun), len(begun) - len(lengths), sum(lengths)), rows[key]
            assert any(line.split()[0] == str(sum(row["count"] for r in ranks for row in r["ranges"] if row["name"] == key[1])) and key[1] in line
                       for line in section("Ranges")), key
        marks = groups([e for e in of if "Mark" in e["name"]], lambda e: (e.get("domain"), e["message"]))
        assert {(m["domain"], m["name"]): m["count"] for m in rank["marks"]} == {key: len(of) for key, of in marks.items()}, rank["marks"]


WORKS = {"launch": "compute_ns", "collective": "communication_ns", "copy": "copy_ns", "fill": "copy_ns", "map": "copy_ns"}


def covered(spans):
    total = end = 0
    for b, e in sorted(spans):
        total += max(0, e - max(b, end))
        end = max(end, e)
    return total


def user_line(e):
    """The innermost frame of the job's own code, or else the outermost of all, as (file, line, function)."""
    frames = [(f["file"], f["line"], f["function"]) for f in e.get("stack", []) if "function" in f and f["function"] is not None]
    own = [f for f in frames if not re.search(r"/(site|dist)-packages/|/lib(64)?/python\d|^<frozen ", f[0])]
    return ([f for f in own if f[0][:1] != "<" or re.match("<stdin>$|<ipython-input", f[0])] or own or frames[-1:] or [None])[0]


def own_times(calls):
    """Of each call its time without that of those inside it, on its thread."""
    own, around = {}, []
    for e in sorted(calls, key=lambda e: (e["tid"], e["begin_ns"], -e["duration_ns"])):
        while around and (around[-1]["tid"] != e["tid"] or around[-1]["begin_ns"] + around[-1]["duration_ns"] < e["begin_ns"] + e["duration_ns"]):
            around.pop()
        own[id(e)] = e["duration_ns"]
        if around:
            own[id(around[-1])] -= e["duration_ns"]
        around.append(e)
    return own


def lines():
    """By line of the job's own code; an operator's device time is that of its launches, as in steps."""
    by_line = []
    for rank in ranks:
        with_stack = [e for e in of_rank(rank) if {"stack", "stack_of", "stack_lost"} & set(e) and not e.get("nested")]
        own, of = own_times(with_stack), [e for e in with_stack if user_line(e)]
        wanted = {}
        for e in of:
            row = wanted.setdefault(user_line(e), [0, 0, 0, 0])
            timed = "device_duration_ns" in e and e["kind"] in ("launch", "collective", "copy", "fill", "map")
            for i, n in enumerate((1, own[id(e)], e["device_duration_ns"] if timed else 0, timed)):
                row[i] += n
        got = {(r["file"], r["line"], r["function"]): [r["count"], r["host_ns"], r["device_ns"], r["timed"]] for r in rank["lines"]}
        assert got == wanted, (got, wanted)
        order = [(not r["timed"], -r["device_ns"] if r["timed"] else -r["host_ns"]) for r in rank["lines"]]
        assert order == sorted(order), rank["lines"]
        assert rank["stacks"]["python"] == sum(any("function" in f for f in e.get("stack", [])) for e in of_rank(rank)), rank["stacks"]
        by_line += wanted.items()
    told = {line.split("  ")[-1]: line.split() for line in section("By line")}
    for (file, number, function), _ in by_line:
        same = [row for line, row in by_line if line == (file, number, function)]
        words = told[f"{file}:{number or 0} {function}"]
        assert int(words[0]) == sum(row[0] for row in same), words


def spans_of(calls, by_device):
    """[begin, end] by what it counts as: a launch inside of a collective is communication"""
    found = {key: [] for key in WORKS.values()}
    around = [(e["tid"], e["begin_ns"], e["begin_ns"] + e["duration_ns"]) for e in calls if e["kind"] == "collective"]
    for e in (e for e in calls if e["kind"] in WORKS and not e["result"] and not e.get("captured")):
        work = WORKS[e["kind"]]
        if by_device and e["kind"] == "launch" and any(tid == e["tid"] and b <= e["begin_ns"] < end for tid, b, end in around):
            work = "communication_ns"
        if by_device and "device_begin_ns" in e:
            found[work].append((e["device_begin_ns"], e["device_begin_ns"] + e["device_duration_ns"]))
        elif not by_device or (e["kind"] in ("copy", "fill") and "stream" not in e and not e.get("nested")):
            found[work].append((e["begin_ns"], e["begin_ns"] + e["duration_ns"]))
    return found


def check_step(row, of, title, rank, last):
    """A row of steps or stages, by its own calls."""
    spans = spans_of(of, row["times"] == "device")
    sums = {work: covered(s) for work, s in spans.items()}
    working = covered(spans["compute_ns"] + spans["communication_ns"])
    busy = covered(sum(spans.values(), []))
    sums.update(events=len(of), communication_not_overlapped_ns=working - sums["compute_ns"], idle_ns=max(0, row["e2e_ns"] - busy),
                free_ns=max(0, row["e2e_ns"] - working), e2e_ns=row["duration_ns"] - row.get("unrecorded_ns", 0))
    assert {key: row[key] for key in sums} == sums, (row, sums)
    who, number = ("-" if n is None else n for n in (rank["rank"], row["step"]))
    first = f"{who} {number} {traces.shown(row['e2e_ns'])} {len(of)} {traces.shown(sums['compute_ns'])} {traces.shown(sums['copy_ns'])}"
    assert any(" ".join(line.split()).startswith(first) and last in line for line in section(title)), first


def steps():
    for rank in ranks:
        calls = groups(of_rank(rank), lambda e: e["step"])
        for row in rank["steps"] + ([rank["outside_steps"]] if rank["outside_steps"] else []):
            check_step(row, calls.pop(row["step"], []), "Steps", rank, row["times"])
            if row["step"] is not None and sum(d["calls"] for d in rank["dropped_in"]) == rank["events"]["dropped"]:
                assert bool(row.get("lost_calls")) == lost_calls(rank, row["step"]), row
        assert not calls, calls.keys()


def stages():
    for rank in ranks:
        calls = groups([e for e in of_rank(rank) if e.get("role")], lambda e: (e["step"], e["role"], e["occurrence"]))
        assert len(rank["stages"]) == len({(row["step"], row["role"], row["occurrence"]) for row in rank["stages"]}), rank["stages"]
        for row in rank["stages"]:
            check_step(row, calls.pop((row["step"], row["role"], row["occurrence"]), []), "Stages", rank, f"{row['role']}.{row['occurrence']}")
        assert not calls, calls.keys()


PRODUCTS = {"aclnnMatmul": (0, 1, 2), "aclnnAddmm": (1, 2, 3), "cublasSgemm_v2": (0, 1, 2)}


def flop_of(e):
    """Of two matrices; None: their shapes do not fit."""
    left, right, result = (e["shapes"][place]["dims"] for place in PRODUCTS[e["name"]])
    (m, k), (l, n) = left, right
    return 2 * m * n * k if k == l and result == [m, n] else None


def matrix_products():
    for rank in ranks:
        found = groups([e for e in of_rank(rank) if is_work(e) and e["name"] in PRODUCTS],
                       lambda e: (e["name"], e["shapes"][PRODUCTS[e["name"]][0]]["type"]))
        assert {(row["name"], row["type"]) for row in rank["matrix_products"]} == set(found), rank["matrix_products"]
        for row in rank["matrix_products"]:
            of = found[row["name"], row["type"]]
            counted = [e for e in of if flop_of(e)]
            timed = [e for e in counted if "device_duration_ns" in e]
            ns = sum(e["device_duration_ns"] for e in timed)
            assert (row["calls"], row["counted"], row["timed"], row["device_ns"]) == (len(of), len(counted), len(timed), ns), row
            assert row["flop"] == sum(map(flop_of, counted)) and row.get("tflop_per_s") == (
                round(sum(map(flop_of, timed)) / ns / 1000, 6) if ns else None), row
    lines = section("Matrix products")
    assert len(lines) == len({(row["name"], row["type"]) for rank in ranks for row in rank["matrix_products"]}), lines
    for line in lines:
        words = line.split()
        rows = [row for rank in ranks for row in rank["matrix_products"] if row["name"] == words[-1] and (row["type"] or "-") == words[-2]]
        assert words[:3] == [str(sum(row[key] for row in rows)) for key in ("calls", "counted", "timed")], line


def failures():
    for rank in ranks:
        found = groups([e for e in of_rank(rank) if e["result"]], lambda e: (e["name"], e["result"]))
        assert rank["failed"] == sum(map(len, found.values())) and {(row["name"], row["result"]) for row in rank["failures"]} == set(found), rank["failures"]
        assert [row["count"] for row in rank["failures"]] == sorted((len(of) for of in found.values()), reverse=True), rank["failures"]
        for row in rank["failures"]:
            of = found[row["name"], row["result"]]
            first = min(of, key=lambda e: e["begin_ns"])
            assert (row["count"], row["first_ns"], row["first_step"]) == (len(of), first["begin_ns"], first["step"]), (row, first)
            who, step = ("-" if n is None else n for n in (rank["rank"], first["step"]))
            line = f"{len(of)} {who} {step} {row['result']} {row['name']} {row['meaning'] or '-'}"
            assert line in [" ".join(said.split()) for said in section("Failed calls")], line


MEMBERS = {"entry_points": ["host_times"], "operator_shapes": ["operators"], "allocators": ["pools"], "steps": ["steps", "outside_steps"],
           "copies": ["copies", "fills"], "ranges": ["ranges", "marks"], "losses": ["lost", "dropped_in"],
           **dict.fromkeys(("processes", "files", "time_sources", "unrecorded", "facts"), None)}


def cells(value, name=""):
    """{column: text} of a row, what is inside of it by names with dots, lists in one cell"""
    if isinstance(value, dict):
        found = {}
        for key, inside in value.items():
            found.update(cells(inside, f"{name}.{key}" if name else key))
        return found
    if isinstance(value, list):
        found = {}
        for inside in value:
            for key, cell in cells(inside, name).items():
                found[key] = f"{found[key]};{cell}" if key in found else cell
        return found
    cell = "" if value is None else str(value).lower() if isinstance(value, bool) else f"{value:.6f}" if isinstance(value, float) else str(value)
    return {name or "value": cell}


def rows_of(member):
    if isinstance(member, list):
        return [cells(row) for row in member]
    if member and all(isinstance(row, dict) for row in member.values()):
        return [{"name": name, **cells(row)} for name, row in member.items()]
    return [cells(member)] if member else []


def as_csv():
    """Every section's rows have the numbers of its JSON."""
    whole = traces.run(tool, "report", "--all", "--format", "csv", *paths)
    everything = json.loads(traces.run(tool, "report", "--all", "--format", "json", *paths))["ranks"]
    for part in whole.split("\n\n"):
        name, table = part[2:].split("\n", 1)
        assert table.rstrip("\n") + "\n" == traces.run(tool, "report", "--all", "--format", "csv", "--only", name, *paths), name
        got = list(csv.DictReader(table.splitlines()))
        of_section = json.loads(traces.run(tool, "report", "--all", "--format", "json", "--only", name, *paths))["ranks"]
        wanted = []
        for rank, said in zip(everything, of_section):
            who = {**cells(rank["rank"], "rank"), **cells(rank["worker_group"], "worker_group"), **cells(rank["pid"], "pid")}
            members = MEMBERS.get(name, [name])
            for member in members or []:
                wanted += [{**who, **({"table": member} if len(members) > 1 else {}), **row} for row in rows_of(said[member])]
            if members is None and any(said[member] != {} for member in said if member != "rank"):
                wanted.append({**cells(said), **who})
        empty = dict.fromkeys(key for row in wanted for key in row)
        assert got == [{**dict.fromkeys(empty, ""), **row} for row in wanted], (name, got, wanted)
        assert not got or list(got[0])[:3] == ["rank", "worker_group", "pid"], got[0]


tables = (as_csv, collectives, copies, device_gaps, failures, graphs, host_times, kernels, launch_to_start, lines, matrix_products, memory, operator_shapes, ranges, stages, steps)
{function.__name__: function for function in tables}[table]()
