#!/bin/sh
# PyTorch's caching allocator: what it tells of a GPU's memory is recorded, with its totals, and reaches PyTorch's own profiler as without us;
# what is told of other devices is passed on and no more, and starts nothing.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
need g++
cd "$tmp" || exit 1
cxx="g++ -std=c++17 -O1 -g -Wall"
source=$here/tests/fakes/cuda/torch_allocator.cc
$cxx -fPIC -shared -DC10 -Wl,-soname,libc10.so -o libc10.so "$source" || exit 1
for library in libc10_cuda:1 libtorch_cpu:0 libtorch_npu:20; do
	$cxx -fPIC -shared -DALLOCATOR -DDEVICE=${library#*:} -Wl,-soname,${library%:*}.so -o ${library%:*}.so "$source" ./libc10.so -Wl,-rpath,"$tmp" || exit 1
done
$cxx -rdynamic -o program "$source" -ldl || exit 1
all="./libc10_cuda.so ./libtorch_cpu.so ./libtorch_npu.so"
# shellcheck disable=SC2086 # a list of words
bare=$(./program steps $all)
equal the_profiler_is_told_without_us "$bare" 'told 315 5557800960 2311784448 220650'

# traced NAME OPTION...: of all three; what the program says is in $said
traced() {
	out=$1
	shift
	# shellcheck disable=SC2086
	said=$("$run" --save-path "$out" --step-source api "$@" -- ./program steps $all 2>log)
}
cat >pieces.py <<'P'
"""pieces.py: what an allocator of 2 MiB segments tells in steps 2 to 4, as the dump has it."""
import json, sys
size = lambda n: (n + 511) // 512 * 512
wanted, allocated, reserved = [], 0, 0
def piece(step, address, n, device):
    global allocated, reserved
    bytes = size(abs(n))
    allocated += bytes if n > 0 else -bytes
    while reserved < allocated: reserved += 2 << 20
    wanted.append((step, "pool_alloc" if n > 0 else "pool_free", "0x%x" % address, bytes, device, allocated, reserved))
for step in range(1, 6):
    for sign in (1, -1):
        for n in range(10): piece(step, (step * 1000 + n + 1) << 12, sign * 1000 * (n + 1), n % 2)
    piece(step, step << 40, 700000, 0)
got = [json.loads(line) for line in sys.stdin]
assert {e["domain"] for e in got} == {"PyTorch"} and {e["name"] for e in got} == {"_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE"}, got[:1]
assert [tuple(e[k] for k in ("step", "kind", "address", "bytes", "device", "allocated", "reserved")) for e in got] == [w for w in wanted if 2 <= w[0] <= 4], got[:2]
print(len(got), max(e["allocated"] for e in got), max(e["reserved"] for e in got))
P
traced memory --steps 2-4 --contents cpu,memory
equal the_profiler_is_told_as_without_us "$said" "$bare"
equal each_piece_of_the_gpu_s_is_recorded "$("$tool" dump --format jsonl memory | python3 pieces.py)" '63 2801664 4194304'
report and_summed_up memory '[(p["name"], p["device"], p["allocations"], p["frees"], p["held_bytes"], p["told_peak_bytes"]) for p in ranks[0]["pools"]] == [("PyTorch", 0, 18, 15, 4194304, 2801664), ("PyTorch", 1, 15, 15, 4194304, 2157568)]'
traced all --steps all --level level2 --contents cpu,memory
equal at_every_level "$said" "$bare"
report what_other_devices_have_is_not_recorded all 'len(e) == 105 and all(x["kind"].startswith("pool") for x in e)'
traced without --steps 2-4 --contents cpu
equal without_memory_the_profiler_is_told_too "$said" "$bare"
report and_what_is_left_out_is_counted without 'ranks[0]["unrecorded"] == {"_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE": 63}'
traced dormant --steps 1000000 --contents cpu,memory
equal dormant_it_is_told_too "$said" "$bare"
equal and_nothing_is_recorded "$(find dormant -name '*.rtrace*')" ''

# A process that never makes another call, as those of Python's data loaders.
# shellcheck disable=SC2086 # a list of words
equal before_the_first_call_it_is_told_too "$("$run" --save-path alone --steps all --contents cpu,memory -- ./program quiet $all 2>log)" "$(./program quiet $all)"
equal and_that_starts_nothing "$(find alone -name '*.rtrace*'; grep -c '"pid"' alone/*/run.json)" 0
nm -D --undefined-only "$BUILD/libranktrace.so" >undefined
equal nothing_of_it_is_undefined "$? $(grep -c ' U dl_iterate_phdr' undefined) $(grep -c c10 undefined)" '0 1 0'

# ---- the real PyTorch: memory of the CPU, in its own profiler ----

if world=$(python3 "$here/tests/torch_npu/world.py" 2.14.0 2>log); then
	cat >profiled.py <<'P'
import ctypes, torch
us = ctypes.CDLL(None)
if hasattr(us, "ranktrace_step"): us.ranktrace_step(ctypes.c_int64(1))
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as p:
    kept = [torch.ones(1000 * n) for n in range(1, 20)]
    del kept[::2]
rows = {e.key: e.self_cpu_memory_usage for e in p.key_averages() if e.self_cpu_memory_usage}
print(sorted(rows.items()))
P
	export PYTHONPATH="$world/torch/site" LD_LIBRARY_PATH="$world/torch/cuda"
	bare=$("$world/venv/bin/python" profiled.py 2>bare.log)
	equal real_pytorch_profiles_memory "$(echo "$bare" | grep -c "('aten::[a-z]*', [0-9]\\{6,\\})")" 1
	equal and_so_it_does_with_us "$("$run" --save-path real --steps all --step-source api --contents cpu,memory -- "$world/venv/bin/python" profiled.py 2>log)" "$bare"
	"$tool" dump --format jsonl real >real.dump 2>real.log
	equal and_none_of_it_is_recorded "$? $(find real -name '*.rtrace' | wc -l) $(wc -l <real.dump) $(cat real.log)" \
		'1 1 0 ranktrace: these files hold no event: `ranktrace check` of their folder says why'
else
	echo 'skip: no PyTorch could be had'
	exit 77
fi
finish
