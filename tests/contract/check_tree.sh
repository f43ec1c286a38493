#!/bin/sh
# What is tracked holds on any machine: no link leads out of the tree or nowhere, and no file names a place of one machine.
. "$(dirname "$0")/../lib/lib.sh"

need git
need python3
cd "$tmp" || exit 1
cat >look.py <<'P'
"""look.py links | places: what is wrong in the tracked files of the working directory, a line each."""
import os, re, subprocess, sys

tracked = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")[:-1]
tracked = [path for path in tracked if os.path.lexists(path)]
top = os.path.realpath(".")

# Inputs and traces of a moment, which may look like anything; and what is planted below.
LEFT_OUT = re.compile(r"tests/golden/\d|tests/fuzz/corpus/|tests/contract/check_tree\.sh$")
# A path begins where no word, variable or other path ends, as behind "$tmp" or <tree>.
BEGINS = r"(?:(?<![\w./$})*%~@-])(?<![\w})][\"'])(?<![a-z]>)|(?<=-[ILB]))"
# Folders that every system has at its top, those of the tree (behind a variable in quotes), and names that tests and documents
# make up. What else stands at a top is somebody's, and so is a folder in /tmp; those that somebody made with mktemp end in X.
SYSTEM = "bin boot dev etc lib lib32 lib64 media mnt opt proc run sbin srv sys tmp usr var".split()
MADE_UP = "9 a does elsewhere fake0 fake50 job nowhere old path ranktrace save src timed x y ..".split()
KNOWN = "|".join(map(re.escape, SYSTEM + MADE_UP + sorted({path.split("/")[0] for path in tracked})))
PLACE = re.compile(BEGINS + rf"/(?:(?!(?:{KNOWN})/)[\w.-]+|tmp/[\w.-]*[\w-](?<!X{{3}})(?![\w.$%{{]))/[\w.@+-]")
ALLOWED = {"/tmp/cann/": "tests/torch_npu/README.md"}


def links():
    for path in filter(os.path.islink, tracked):
        to = os.readlink(path)
        end = os.path.realpath(path)
        if os.path.isabs(to) or os.path.commonpath([top, end]) != top:
            yield f"{path}: leads out of the tree, to {to}"
        elif not os.path.exists(path):
            yield f"{path}: leads to {to}, which is not there"


def places():
    for path in tracked:
        if os.path.islink(path) or LEFT_OUT.match(path):
            continue
        for number, line in enumerate(open(path, "rb").read().decode(errors="replace").splitlines(), 1):
            found = [m[0] for m in PLACE.finditer(line) if not any(m[0].startswith(place) and path == where for place, where in ALLOWED.items())]
            if top + "/" in line and top != "/":
                found = [top]
            yield from (f"{path}:{number}: {place}" for place in found)


faults = list({"links": links, "places": places}[sys.argv[1]]())
print("\n".join(faults))
sys.exit(bool(faults))
P
look() { (cd "$1" && python3 "$tmp/look.py" "$2"); }
git -C "$here" ls-files --error-unmatch Makefile >/dev/null 2>&1 || { echo "skip: no clone of git's"; exit 77; }
holds no_tracked_link_leads_out_of_the_tree_or_nowhere look "$here" links
holds no_tracked_file_names_a_place_of_one_machine look "$here" places

# ---- that the check can say no ----

mkdir -p planted/tests/golden planted/tests/torch_npu && cd planted || exit 1
git init -q
ln -s ../outside out && ln -s /usr/bin/env absolute && ln -s nowhere dangling && ln -s kept good
echo kept >kept
cat >places <<'P'
path = "/home/someone/ranktrace/build"
cd /disk7/checkout
-I/checkouts/include
see /tmp/t1/Makefile, and (/nodes/x)
P
printf '%s\n' 'cp "$tmp"/disk7/file $here/disk7/x ${a}/disk7/x' 'mktemp /tmp/ranktrace.XXXXXX' '/tmp/x.$$ /tmp/one /tmp/y.XXXXXX/z' 'https://example.org/home/page/x a/disk7/b' '<root>/x' >good_places
echo '/home/someone/x' >tests/golden/2.0-some.dump
echo '/tmp/cann/lib64' >tests/torch_npu/README.md
echo "cat $PWD/kept" >own_place
git add .
equal links_out_of_the_tree_and_into_nowhere_are_told "$(look . links)" 'absolute: leads out of the tree, to /usr/bin/env
dangling: leads to nowhere, which is not there
out: leads out of the tree, to ../outside'
equal places_of_one_machine_are_told_and_no_others "$(look . places | grep -v ^own_place)" 'places:1: /home/s
places:2: /disk7/c
places:3: /checkouts/i
places:4: /tmp/t1/M
places:4: /nodes/x'
equal and_so_is_the_place_of_the_tree_itself "$(look . places | grep -c '^own_place:1')" 1

# Each end-to-end test of a vendor, the engine and the steps runs on aarch64, too, or tests/aarch64/README.md says why not.
sed -n 's/^each_emulated [a-z]* //p' "$here"/tests/aarch64/*.sh | tr ' ' '\n' >known
grep -o '`[a-z_0-9]*`' "$here/tests/aarch64/README.md" | tr -d '`' >>known
sed -n 's/^scripts="\(.*\)"$/\1/p' "$here/tests/contract/check_cross.sh" | tr ' ' '\n' | sed 's/^e2e_//; s/\.sh$//' >>known
(cd "$here/tests/e2e" && for test in ascend/* cuda/* hip/* opencl/* engine/* steps/*; do basename "${test%.sh}"; done) | sed 's/^e2e_//' | sort >tests_there
equal each_test_runs_on_aarch64_or_it_is_said_why_not "$(sort -u known | comm -13 - tests_there | paste -sd' ')" ''
finish
