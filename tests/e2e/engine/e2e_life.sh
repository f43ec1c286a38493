#!/bin/sh
# The ways a process or a thread may begin, change and end: see tests/lib/life.sh. Each case is one place in
# tests/helpers/life/*.c.
# usage: e2e_life.sh [CASE...]
. "$(dirname "$0")/../../lib/life.sh"
build_life
wanted=" $* "

# left_out OPTIONS: is the case not for here, or not to be had under this sanitizer, or under qemu-user?
left_out() {
	for option in $1; do
		case $option in
		elsewhere) return 0 ;;
		not=*) case ",${SAN-},${EMULATED:+qemu}," in *,"${option#not=}",*) return 0 ;; esac ;;
		esac
	done
	return 1
}

./life >cases
while read -r word sentence options; do
	[ $# -eq 0 ] || case $wanted in *" $word "*) ;; *) continue ;; esac
	tried=yes
	left_out "$options" || live "$sentence" "$word" "$options" ./life "$word"
done <cases
[ -n "${tried-}" ] || fail there_is_such_a_case "no case of these: $*"
finish
