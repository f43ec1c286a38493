# fetch.sh - sourced by scripts that fetch packages into a folder.
# shellcheck shell=sh

# fetched DIR PACKAGES COMMAND...: DIR has what COMMAND puts there for these PACKAGES: now, unless it has been put there before. Says nothing
# unless that fails; one at a time (DIR.lock).
fetched() {
	dir=$1 packages=$2
	shift 2
	mkdir -p "$(dirname "$dir")"
	exec 9>"$dir.lock" && flock 9
	[ "$(cat "$dir/complete" 2>/dev/null)" != "$packages" ] || return 0
	rm -rf "$dir"
	"$@" >"$dir.log" 2>&1 || {
		cat "$dir.log" >&2
		echo "${0##*/}: $dir could not be filled" >&2
		return 1
	}
	echo "$packages" >"$dir/complete"
}
