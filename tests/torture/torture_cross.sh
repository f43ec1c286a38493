#!/bin/sh
# check_cross.sh with every way to reach a library, and C++ exceptions through the probes.
QEMU_ALL=1 exec "$(dirname "$0")/../contract/check_cross.sh"
