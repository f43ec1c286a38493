#!/bin/sh
# End-to-end tests of steps as they are, with agent and programs for aarch64 under qemu-user. README.md has those that are not here, and why.
# takes: 190 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated steps discrete heard roles rounds schedule selection sources stages time_steps
finish
