#!/bin/sh
# End-to-end tests of Ascend as they are, with agent and programs for aarch64 under qemu-user. README.md has those that are
# not here, and why.
# takes: 190 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated ascend ascend ascend_check ascend_devices ascend_groups ascend_names ascend_time collective_steps first_phases marker_steps markers markers_default shapes
finish
