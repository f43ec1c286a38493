#!/bin/sh
# End-to-end tests of the engine as they are, with agent and programs for aarch64 under qemu-user: files, memory, hangs, kills, and what
# vendors' functions are called with. README.md has those that are not here, and why.
# takes: 130 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated engine adversary definitions descriptors full_rings hang kill paths sessions stderr storage window_times
each_emulated command garbage_rows no_launcher
finish
