#!/bin/sh
# NVIDIA's cuBLAS, cuDNN and NCCL, with the runtime that they need, from PyPI (1 GB): cuda_libraries.sh DIR. DIR/lib has the libraries,
# DIR/include their headers. Says nothing unless it fails; one at a time (DIR.lock).
set -eu
. "$(dirname "$0")/fetch.sh"

wheels="nvidia-cublas==13.10.0.20 nvidia-cudnn-cu13==9.28.1.4 nvidia-nccl-cu13==2.32.3 nvidia-cuda-runtime==13.5.37 nvidia-cuda-nvrtc==13.2.78"
# shellcheck disable=SC2086,SC2154 # a list of words
libraries() {
	python3 -m venv "$dir/venv" && "$dir/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$dir" $wheels &&
		mkdir -p "$dir/lib" "$dir/include" && for wheel in "$dir"/*.whl; do python3 -m zipfile -e "$wheel" "$dir/unpacked" && rm "$wheel" || return 1; done &&
		find "$dir/unpacked" -name 'lib*.so*' -exec mv -t "$dir/lib" {} + &&
		find "$dir/unpacked" -path '*/include/*' -type f -exec sh -c 'for file; do to=$0/${file##*/include/}; mkdir -p "${to%/*}" && mv "$file" "$to"; done' \
			"$dir/include" {} + && rm -rf "$dir/venv" "$dir/unpacked"
}
fetched "$1" "$wheels include" libraries
