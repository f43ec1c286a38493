#!/bin/sh
# Each page of docs/howto is carried out as it stands, in a copy of the tree: one more vendor, entry point, step source,
# exporter, report section ... is built, run and seen, and no more files are touched than were promised.
# --update writes the table of edits in docs/design.md.
# takes: 50 s
. "$(dirname "$0")/../lib/lib.sh"

need python3
need clang-format
[ -z "${SAN-}" ] || { echo 'skip: the pages are carried out without a sanitizer'; exit 77; }
python3 "$here/tests/contract/newcomers.py" "$here" "$BUILD" "$tmp" "$@"
