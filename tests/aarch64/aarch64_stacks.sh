#!/bin/sh
# End-to-end tests of stacks as they are, with agent and programs for aarch64 under qemu-user. README.md has those that are not here, and why.
# takes: 50 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated steps frame_pointers stacks stacks_hard
finish
