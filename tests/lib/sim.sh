# sim.sh - what the tests of the simulated training program share: `. tests/lib/sim.sh`, in $tmp. shellcheck shell=sh
need python3
sim=$here/tests/sims/ascend
export SIM_CLOCK=0 # times are to be the same each time
cd "$tmp" || exit 1

# build_layouts LAYOUT...: libraries and program, each layout in a folder of its name; FOLDER:LAYOUT: no program
build_layouts() {
	for layout; do
		{ "$sim/build.sh" "${layout%:*}" "${layout#*:}" && { [ "${layout%:*}" != "$layout" ] || "$sim/train/build.sh" "$layout"; }; } >build.log 2>&1 || {
			fail the_simulated_libraries_are_built "$(tail -n 3 build.log)"
			finish
		}
	done
}
