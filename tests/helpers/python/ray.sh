#!/bin/sh
# Makes a virtual environment with Ray and Hydra: ray.sh DIR. Says nothing unless it fails; one at a time (DIR.lock).
set -eu
. "$(dirname "$0")/fetch.sh"

# shellcheck disable=SC2086,SC2154 # a list of words
install() { sh "$(dirname "$0")/install.sh" "$dir" $packages; }
fetched "$1" "ray==2.40.0 hydra-core==1.3.2" install
