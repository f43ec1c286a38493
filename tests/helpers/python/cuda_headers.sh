#!/bin/sh
# Headers of CUDA's runtime and driver, of both majors, and the runtimes themselves, from PyPI: cuda_headers.sh DIR. DIR/12 and DIR/13 are
# folders of includes, DIR/lib has libcudart.so.12 and .13. Says nothing unless it fails; one at a time (DIR.lock).
set -eu
. "$(dirname "$0")/fetch.sh"

# What runtimes of 12 include of the compiler's (crt/), 13 has, too.
unpack() {
	python3 - "$dir" <<-'P'
	import pathlib, sys, zipfile
	top = pathlib.Path(sys.argv[1])
	def put(path, content):
	    path.parent.mkdir(parents=True, exist_ok=True)
	    path.write_bytes(content)
	for wheel in sorted(top.glob("*.whl")):
	    majors = ["12"] if "_cu12" in wheel.name else ["12", "13"] if "_crt" in wheel.name else ["13"]
	    with zipfile.ZipFile(wheel) as archive:
	        for name in archive.namelist():
	            if "/include/" in name and not name.endswith("/"):
	                for major in majors:
	                    put(top / major / name.split("/include/", 1)[1], archive.read(name))
	            elif "/lib/libcudart.so." in name:
	                put(top / "lib" / name.rsplit("/", 1)[1], archive.read(name))
	    wheel.unlink()
	P
}
wheels="nvidia-cuda-runtime==13.5.37 nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-crt==13.5.37"
# shellcheck disable=SC2086,SC2154 # a list of words
headers() {
	python3 -m venv "$dir/venv" && "$dir/venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$dir" $wheels &&
		unpack && rm -rf "$dir/venv"
}
fetched "$1" "$wheels lib" headers
