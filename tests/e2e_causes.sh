#!/bin/sh
# Causes of an empty or short trace, each provoked with the real agent on a real program, and the line
# that `ranktrace check` says about it. (tests/e2e_check.sh has the rest, with made-up status records.)
. "$(dirname "$0")/lib.sh"

# says NAME WANTED [OPTIONS...] -- COMMAND...: the lines of check, with P for process numbers
says() {
	name=$1 wanted=$2
	shift 2
	rm -rf "$tmp/out"
	"$run" --save-path "$tmp/out" "$@" >/dev/null 2>"$tmp/err"
	equal "$name: check" "$("$tool" check "$tmp/out" 2>&1 | sed "s/process [0-9]*/process P/; s|$tmp|TMP|g")" "$wanted"
}

export RANK=0
says "a rank that is not selected" 'rank 0: not among the selected ranks 3: give --ranks with this rank, or all' \
	--steps 2 --ranks 3 -- "$lm" --quiet --steps 3
says "a step that is never reached" 'rank 0: steps 9 were selected, the last step seen was 4 (counted by kernel:(well-known optimizers)): run longer, or select steps up to 4' \
	--steps 9 -- "$lm" --quiet --steps 4
says "no step source" "rank 0: steps 2 were selected, but --step-source kernel:^no_such_kernel never fired: compare it with the names in \`ranktrace report\` of a run with --steps all, or call ranktrace_step(n)" \
	--steps 2 --step-source kernel:^no_such_kernel -- "$lm" --quiet --steps 4
says "no steps" 'rank 0: no steps are selected: give --steps 2,4 or --steps all' \
	--steps '' --ranks 0 -- "$lm" --quiet --steps 3
says "max_size" 'rank 0: max_size 1024 bytes was reached: 126 of 126 calls are lost: give --max-size more, or select fewer steps' \
	--steps all --max-size 1K -- "$lm" --quiet --steps 3
unset RANK
says "a rank that is unknown" 'process P: the rank is unknown and ranks 0 are selected: set RANKTRACE_RANK in each process, or give --ranks all' \
	--steps 2 --ranks 0 -- "$lm" --quiet --steps 3
printf 'int main(void) { return 0; }\n' | ${CC:-gcc} -x c -static -o "$tmp/static" -
says "a static program" "TMP/static is linked statically, so no library can be preloaded into it: link it dynamically" \
	--steps 2 -- "$tmp/static"
says "no hooked call" 'libranktrace.so was loaded, but no hooked function was called: ranktrace hooks lists them; does the program use an accelerator at all? Libraries opened with RTLD_DEEPBIND are seen with --undo-deepbind true, or by OPENCL_LAYERS naming libranktrace.so' \
	--steps 2 -- true

export RANK=0
if unshare -m true 2>/dev/null; then
	cat >"$tmp/full" <<-EOF
	mkdir -p $tmp/disk && mount -t tmpfs -o size=16k none $tmp/disk || exit 99
	head -c 12K /dev/zero >$tmp/disk/filler
	$run --save-path $tmp/disk/out --job j --steps all -- $lm --quiet --steps 400 >$tmp/full.out 2>$tmp/full.err
	echo \$? >$tmp/full.status
	rm $tmp/disk/filler
	$tool check $tmp/disk/out >$tmp/full.check 2>&1
	EOF
	unshare -m sh "$tmp/full" 2>"$tmp/full.log"
	equal "a full disk: the job runs on" "$(cat "$tmp/full.status")" 0
	holds "a full disk: said once, with the remedy" grep -Eq 'disk|space' "$tmp/full.err"
fi
finish
