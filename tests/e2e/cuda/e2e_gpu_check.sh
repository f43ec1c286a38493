#!/bin/sh
# scripts/gpu-check, which is for a machine with a GPU: without one it says so, and the simulated CUDA stands for one where that may be.
. "$(dirname "$0")/../../lib/lib.sh"

need python3
check=$here/scripts/gpu-check
unset LD_PRELOAD RANKTRACE_CONFIG RANK
export SIM_CLOCK=0 # times are to be those of the work alone
cd "$tmp" || exit 1
mkdir left
export TMPDIR="$tmp/left"

# checked ARGUMENT...: what it says to said, with what status
checked() {
	"$check" "$@" >said 2>err
	status=$?
}

# No machine of ours has a GPU; one that has would be checked in earnest.
mkdir none
echo 'no library' >none/libcuda.so.1
LD_LIBRARY_PATH=$tmp/none checked
equal without_a_gpu_it_says_so "$status $(cat said)" '77 no GPU here: libcuda.so.1 is not there, or has no device'
checked --wrong
equal a_wrong_option_is_told "$status $(cat err)" '2 gpu-check: there is no option --wrong: --help lists them'
RANKTRACE_BUILD=$tmp/none checked
equal nor_does_it_run_without_a_build "$status $(cat err)" '2 gpu-check: ranktrace is not built: make'

# ---- the simulated CUDA stands for a GPU ----

"$here/tests/sims/cuda/build.sh" sim >log 2>&1 || {
	fail the_simulated_libraries_are_built "$(tail -n 3 log)"
	finish
}
ln -s libcudart_sim.a sim/libcudart_static.a
export LD_LIBRARY_PATH="$tmp/sim:$tmp/sim/libcupti"
# The others, which do the same on another road or want more than a driver, are left to a real one.
checked --keep kept --write page.md 'driver-dlsym-*' driver-resolver-counts runtime13-counts runtime-pointers resolver-pointers captures nvcc-static cupti
cat >wanted <<'END'
1 x simulated device, CUDA 13.0
ok driver-dlsym-counts: 112 calls of 31 functions in 3 steps, 42 kernels
ok driver-dlsym-results: d5b9884a8674a325, of a simulated device, whose kernels compute nothing
ok driver-dlsym-times: by events 50.0 in 50.0 us, 50.0 in 50.0 us, 50.0 in 50.0 us; by CUPTI 50.0 in 50.0 us, 50.0 in 50.0 us, 50.0 in 50.0 us
ok driver-resolver-counts: 156 calls of 32 functions in 3 steps, 42 kernels
ok runtime13-counts: 110 calls of 26 functions in 3 steps, 42 kernels
END
equal what_programs_count_is_recorded "$(head -n 6 said | diff - wanted)" ''
equal and_so_are_launches_of_a_static_runtime "$(grep -c '^ok runtime-pointers: all 42 kernels' said)" 1
equal captures_are_what_they_are_taken_for "$(grep -c '^ok captures: 16 answers' said)" 1
equal what_is_compared_with_nothing_is_no_ok "$(grep -c '^seen resolver-pointers: equal ' said)" 1
equal what_is_not_here_is_named "$(grep '^not here' said | grep -c 'simulated driver\|no nvcc\|no libcupti')" 2
equal it_ends_well "$status $(cat err)" '0 '
equal the_page_has_each_line "$(grep -c '| ok |' page.md) $(grep -c "^| command | .scripts/gpu-check --keep kept" page.md) $(grep '^| device' page.md)" \
	"7 1 | device | 1 x simulated device |"
holds what_was_made_is_kept test -x kept/driver-dlsym

# ---- a miscount is told, and a time that cannot be: each dump has a line less and a kernel that takes too long ----

mkdir build
for file in "$BUILD"/libranktrace*.so; do ln -s "$file" build/; done
cat >build/ranktrace <<END
#!/bin/sh
case \$1 in dump) "$BUILD/ranktrace" "\$@" | sed '/"step":2,.*"cuMemcpyDtoDAsync_v2"/d; s/"device_duration_ns":10000\\b/"device_duration_ns":90000/' ;; *) exec "$BUILD/ranktrace" "\$@" ;; esac
END
chmod +x build/ranktrace
RANKTRACE_BUILD=$tmp/build checked driver-dlsym-counts driver-dlsym-times
equal a_call_that_is_not_recorded_is_told "$status $(sed -n 2p said)" \
	'1 differs driver-dlsym-counts: 2 cuMemcpyDtoDAsync_v2: 1 called, 0 recorded'
equal and_so_is_a_time_that_cannot_be "$(sed -n 3p said)" \
	'differs driver-dlsym-times: events: step 1: 5 kernels of 450000 ns, in 50000 ns between events'

# ---- so is what a program does not say: one without the lines of its kernels and of its events ----

cat >cc <<'END'
#!/bin/sh
$REAL_CC "$@"
for program; do [ "${before-}" = -o ] && break; before=$program; done
mv "$program" "$program.all"
printf '#!/bin/sh\n"%s" | grep -v "^kernels\|^events"\n' "$program.all" >"$program"
chmod +x "$program"
END
chmod +x cc
export REAL_CC="${CC:-gcc}"
CC=$tmp/cc checked driver-dlsym-counts driver-dlsym-times
equal kernels_that_a_program_does_not_say_are_not_taken_for_none "$status $(sed -n 2p said)" \
	'1 differs driver-dlsym-counts: add: 0 ran, 27 recorded; spin: 0 ran, 15 recorded'
equal nor_are_times_compared_with_nothing "$(sed -n 3p said)" 'differs driver-dlsym-times: nothing was timed'
equal nothing_is_left_of_it "$(find "$tmp/left" -mindepth 1)" ''
finish
