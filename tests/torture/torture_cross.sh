#!/bin/sh
# check_cross.sh with every way to reach a library, C++ exceptions through the probes, symbol: sources, the command and all unit tests.
QEMU_ALL=1 exec "$(dirname "$0")/../contract/check_cross.sh"
