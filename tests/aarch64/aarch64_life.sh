#!/bin/sh
# The ways processes and threads begin, change and end, as they are, with agent and programs for aarch64 under qemu-user. README.md has
# what is not here, and why.
# takes: 90 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated engine life life_jobs
finish
