#!/bin/sh
# check_cross.sh with every way to reach a library, and C++ exceptions through the probes.
QEMU_PROGRAMS='' exec "$(dirname "$0")/check_cross.sh"
