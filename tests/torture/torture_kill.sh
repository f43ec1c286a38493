#!/bin/sh
# 1,000 kills, with short steps and with long ones. usage: torture_kill.sh [KILLS [SEED]]
root=$(cd "$(dirname "$0")/../.." && pwd)
exec "$root/tests/e2e/engine/e2e_kill.sh" "${BUILD:-$root/build}" "${1:-1000}" "${2:-$(date +%s)}" 100,1500,100,100
