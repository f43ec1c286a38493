#!/bin/sh
# End-to-end tests of OpenCL (the real PoCL) as they are, with agent and programs for aarch64 under qemu-user. README.md has those
# that are not here, and why.
# takes: 150 s
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/aarch64.sh"
prepared
each_emulated opencl arguments extensions launches layer limits_opencl missing unwind
finish
