#!/bin/sh
# Recording is started and stopped while processes run as fast as they can: no call is lost, none is there twice, and a kill changes
# nothing of that. usage: e2e_ctl_load.sh [STARTS [SEED]]
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/asked.sh"
starts=${1:-40} seed=${2:-16}

cat >scenario.py <<'END'
from job import *
import random
starts, seed, kill = map(int, os.environ["LOAD"].split())
random.seed(seed)
job = Job(3)
job.to(1)
job.free()
opened = 0
for i in range(starts):
    if i % 10 == 9: # processes of a job wait for each other now and then
        job.halt()
        job.free()
    ctl(*random.choice([("start",), ("start", "--steps", "1"), ("start", "--steps", "2"), ("start", "--steps", "%d" % random.randint(3, 200)),
                        ("start", "--align", "7")]))
    if kill and i == starts // 2:
        ctl("start")
        until(lambda: recording() == 3)
        job.kill(1)
    elif random.random() < .5:
        ctl("start")
        until(lambda: recording() == 3 - (kill and i > starts // 2))
        opened += 1
    if random.random() < .7:
        ctl("stop")
job.halt()
print(job.end(), file=sys.stderr)
print(opened)
END
# whole_windows RANKS [KILLED]: `whole`, where each rank has as many windows at least as were waited for
whole_windows() {
	whole "$@" | /usr/bin/python3 -c 'import json, sys
opened, ranks = int(open("said").read()), json.load(sys.stdin)
print(opened > 4 and all(windows >= opened / (1 + (rank == 1 and len(sys.argv) > 2)) for rank, (windows, steps) in enumerate(ranks)))' "$@"
}
LOAD="$starts $seed 0" job --on-demand true
equal no_call_is_lost_or_there_twice "$(whole_windows 3)" True
equal and_none_is_missing "$("$tool" check out | grep -v '^recorded'; grep -c '^\[0, 0, 0\]$' err)" 1
LOAD="$((starts / 4)) $((seed + 1)) 1" job --on-demand true
equal beside_a_kill_either "$(whole_windows 3 1)" True
equal and_the_others_run_on "$(grep -c '^\[0, -9, 0\]$' err)" 1
finish
