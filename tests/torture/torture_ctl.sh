#!/bin/sh
# 1,000 starts and stops of recording under load. usage: torture_ctl.sh [STARTS [SEED]]
root=$(cd "$(dirname "$0")/../.." && pwd)
exec "$root/tests/e2e/steps/e2e_ctl_load.sh" "${1:-1000}" "${2:-$(date +%s)}"
