# hosts.sh - two hosts on one machine, node0 and node1: a network, a name, processes and a /dev/shm each, the files shared.
# `. tests/helpers/launchers/hosts.sh` behind lib.sh, in $tmp. Needs root. shellcheck shell=sh disable=SC2154

# on N COMMAND...
on() {
	n=$1
	shift
	nsenter -t "$(cat "$tmp/host.$n")" --net --uts --mount --pid --wd="$PWD" -- "$@"
}

# Its first process ends all others with it.
begin_host() {
	mkfifo "$tmp/up.$1"
	unshare --net --uts --mount --pid --fork --mount-proc sh -c 'hostname "node$0" && mount -t tmpfs none /dev/shm &&
		mount --bind hosts /etc/hosts && ip link set lo up && echo up >"up.$0"; exec sleep infinity' "$1" &
	[ "$(timeout 10 cat "$tmp/up.$1")" = up ] && tr -d ' ' <"/proc/$!/task/$!/children" >"$tmp/host.$1"
}

end_hosts() {
	for n in 0 1; do
		[ -s "$tmp/host.$n" ] && kill -KILL "$(cat "$tmp/host.$n")"
	done
}

# 0: they can reach each other
begin_hosts() {
	printf '127.0.0.1 localhost\n10.99.0.1 node0\n10.99.0.2 node1\n' >"$tmp/hosts"
	begin_host 0 && begin_host 1 || return 1
	ip link add eth0 netns "$(cat host.0)" type veth peer name eth0 netns "$(cat host.1)" || return 1
	for n in 0 1; do
		on $n ip addr add "10.99.0.$((n + 1))/24" dev eth0 && on $n ip link set eth0 up || return 1
	done
}
