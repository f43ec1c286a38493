# keep.sh - sourced by build.sh of a simulation, in the empty folder that it builds into: with BUILD set, what was built of the same
# before is copied and all is done; else a copy is kept when the build has ended well.
# shellcheck shell=sh

# keep NAME FOLDER...: what it is built of, beside the compiler, its flags and SIM_NAMES
keep() {
	[ -n "${BUILD-}" ] || return 0
	name=$1
	shift
	kept=$BUILD/sims/$name-$({
		echo "${CC-}" "${CFLAGS-}" "${SIM_WITHOUT-}"
		cat "${SIM_NAMES:-/dev/null}"
		find "$@" -type f -exec sha256sum {} + | sort
	} | sha256sum | cut -c1-20)
	if [ -d "$kept" ]; then
		cp -a "$kept/." .
		exit
	fi
	trap '[ $? -ne 0 ] || keep_this' EXIT
}

# Two may build the same at once: one of them is kept. What is older than a day goes.
keep_this() {
	mkdir -p "$kept.$$"
	cp -a lib* rows "$kept.$$/"
	mv -T "$kept.$$" "$kept" 2>/dev/null || rm -rf "$kept.$$"
	find "$BUILD/sims" -mindepth 1 -maxdepth 1 -mmin +1440 -exec rm -rf {} +
}
