# sim.sh - what the tests of the simulated training programs share: `. tests/lib/sim.sh`, in $tmp; vendor: whose (ascend). shellcheck shell=sh
need python3
sim=$here/tests/sims/${vendor:-ascend}
accounts=$here/tests/sims/cuda/accounts.py # HIP's, too
export SIM_CLOCK=0 # times are to be the same each time
cd "$tmp" || exit 1

# build_layouts LAYOUT...: libraries and program, each layout in a folder of its name; FOLDER:LAYOUT: no program
build_layouts() {
	for layout; do
		{ "$sim/build.sh" "${layout%:*}" "${layout#*:}" && { [ "${layout%:*}" != "$layout" ] || "$sim/train/build.sh" "$layout"; }; } >build.log 2>&1 || {
			fail the_simulated_libraries_are_built "$(grep -E 'error|ld:' build.log | head -n 3)"
			finish
		}
	done
}
