#!/bin/sh
# analysis: the launcher exports when the job has ended. The job's status stays the job's, whatever becomes of that; check says what did.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages
words='step:1 2 step:2 5'

# job OPTION... -- COMMAND...: its status, and what the launcher says of the export
job() {
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --job a --steps 1,2 --level level1 --step-source api "$@" 2>err
	echo $?
	grep '^ranktrace: analysis' err
}

# shellcheck disable=SC2086 # a list of words
{
	equal the_traces_are_exported_when_the_job_has_ended "$(job --analysis true -- ./stages $words)" '0
ranktrace: analysis: exports to ./out/a/ascend-text
ranktrace: analysis: done'
	"$tool" export --to ascend-text -o by_hand out/a 2>by_hand.err
	equal as_by_hand "$(cd out/a/ascend-text && find . -type f | sort | xargs sha256sum)" "$(cd by_hand && find . -type f | sort | xargs sha256sum)"
	equal its_words_are_in_the_log "$(sed '$d; s#/.*/out/a/ascend-text#by_hand#' out/a/analysis.log)" "$(cat by_hand.err)"
	equal and_how_it_ended "$(tail -n 1 out/a/analysis.log)" 'ranktrace: ended with status 0'
	equal which_is_nothing_to_check "$("$tool" check out/a; echo $?)" "$("$tool" check out/a | grep '^recorded')
0"
	equal of_chrome_a_file_a_rank "$(job --analysis true --export-type chrome -- ./stages $words | sed -n 2p; find out/a/chrome -type f | wc -l)" \
		'ranktrace: analysis: exports to ./out/a/chrome/
1'
	printf 'steps: [1, 2]\nstep: {sources: [api]}\nanalysis: true\nexport_type: perfetto\ndata_simplification: false\n' >profile.yaml
	equal by_a_file "$(job --config profile.yaml -- ./stages $words | sed -n 2p)" 'ranktrace: analysis: exports to ./out/a/perfetto/'
	sed -i 's/perfetto/db/' profile.yaml
	equal to_databases_too "$(job --config profile.yaml -- ./stages $words | sed -n 2p; find out/a/ascend-db -name '*.db' | sed 's,.*/,,' | sort)" \
		'ranktrace: analysis: exports to ./out/a/ascend-db
analysis.db
ascend_pytorch_profiler_0.db'
	equal a_job_that_fails_is_exported_and_fails "$(job --analysis true -- sh -c './stages "$@"; exit 7' sh $words)" '7
ranktrace: analysis: exports to ./out/a/ascend-text
ranktrace: analysis: done'
	equal where_nothing_was_recorded_nothing_is_exported "$(job --analysis true --steps 9 -- ./stages $words; ls out/a)" '0
run.json'
	equal it_is_off_unless_asked_for "$(job -- ./stages $words; ls out/a)" '0
ranks-0-255
run.json'
	equal one_role_may_want_it "$(job --roles 'actor{analysis=true}' -- ./stages step:1 begin:actor_update 2 end | sed -n 2p)" \
		'ranktrace: analysis: exports to ./out/a/ascend-text'
	equal unless_all_are_said_not_to "$(job --roles 'actor{analysis=false}' -- ./stages step:1 begin:actor_update 2 end)" 0
	equal of_stages_it_is_each_window "$(job --analysis true --discrete true -- ./stages step:1 begin:rollout 2 end begin:ref 3 end >/dev/null; find out/a/ascend-text -name '*_ascend_pt' | wc -l)" 2
}

# Several launchers of one job: each exports what its own processes wrote.
# shellcheck disable=SC2086 # a list of words
{
	rm -rf out
	for rank in 0 1; do
		RANKTRACE_RANK=$rank "$run" --save-path out --job a --steps 1 --level level1 --step-source api --analysis true -- ./stages $words 2>err || fail a_launcher_of_two "$(cat err)"
	done
	equal launchers_of_one_job_have_a_log_each "$(find out/a -maxdepth 1 -name 'analysis*.log' | wc -l)" 2
	equal and_one_folder "$(find out/a/ascend-text -name 'profiler_info_*.json' | sed 's,.*/,,' | sort)" 'profiler_info_0.json
profiler_info_1.json'
}

# A failure is told, and not the job's.
# shellcheck disable=SC2086 # a list of words
{
	equal a_failure_is_told "$(job --analysis true -- sh -c './stages "$@"; mkdir -p out/a && : >out/a/ascend-text' sh $words)" '0
ranktrace: analysis: exports to ./out/a/ascend-text
ranktrace: analysis: the export ended with status 1: ./out/a/analysis.log says why'
	equal by_check_too "$("$tool" check out/a; echo $?)" "$("$tool" check out/a | grep '^recorded')
analysis: the export ended with status 1: out/a/analysis.log says why
1"
	sed -i '$d' out/a/analysis.log
	equal one_that_was_cut_too "$("$tool" check out/a | tail -n 1)" 'analysis: the export was killed: out/a/analysis.log'
	# Who starts no launcher starts no export.
	rm -rf out
	RANKTRACE_RANK=0 RANKTRACE_SAVE_PATH=$tmp/out RANKTRACE_STEPS=1 RANKTRACE_LEVEL=level1 RANKTRACE_STEP_SOURCE=api RANKTRACE_ANALYSIS=true RANKTRACE_EXPORT_TYPE=chrome \
		LD_PRELOAD=$SANITIZER${SANITIZER:+:}$BUILD/libranktrace.so ./stages $words
	equal without_the_launcher_check_has_the_command "$("$tool" check out | tail -n 1)" \
		"analysis: nobody has started the export (ranktrace-run does, at a job's end); to do so: $tool export --to chrome ./out -o ./out/chrome/"
}

# A launcher that is not to wait ends before its export, and whoever waits for its output with it.
# shellcheck disable=SC2086 # a list of words
{
	rm -rf out
	said=$(RANKTRACE_RANK=0 "$run" --save-path out --job a --steps 1 --level level1 --step-source api --analysis true --no-wait -- ./stages step:1 3000000 2>&1; echo $?)
	equal nobody_waits_who_does_not_want_to "$(echo "$said" | grep -v 'ranktrace: 1 rank\|ranktrace: next')" 'ranktrace: analysis: exports to ./out/a/ascend-text, and is not waited for
0'
	"$tool" check out/a >checked
	equal meanwhile_it_goes_on_or_is_done "$? $(grep -v '^recorded\|goes on: out/a/analysis.log$' checked)" '0 '
	until [ "$(tail -n 1 out/a/analysis.log)" = 'ranktrace: ended with status 0' ] || ! "$tool" check out/a >checked; do :; done
	equal it_ends_all_the_same "$(tail -n 1 out/a/analysis.log) $(find out/a/ascend-text -name profiler_info_0.json | wc -l)" 'ranktrace: ended with status 0 1'
}

# What ends the launcher ends its export, of which nothing is left; the job had ended before. It leaves much to export.
{
	rm -rf out
	"$BUILD/tests/bench/stream" -s 3000 long >/dev/null
	mv "$(find long -name '*.rtrace')" long.rtrace
	RANKTRACE_RANK=0 "$run" --save-path out --job a --steps 1 --level level1 --step-source api --analysis true -- \
		sh -c './stages step:1 2; name=$(find out/a -name "*.rtrace"); mv long.rtrace "${name%/*}/step-2.${name##*/step-1.}"' 2>err &
	until [ -n "$(find out/a/ascend-text -name '*.??????' -size +0 2>/dev/null)" ] || ! kill -0 "$!"; do :; done
	niced=$(ps -o ni= --ppid "$!" | sort -n | tail -n 1)
	kill "$!"
	wait "$!"
	equal an_export_is_niced "$((niced))" "$(($(nice) > 10 ? $(nice) : 10))"
	equal a_signal_ends_the_export "$? $(tail -n 1 out/a/analysis.log) $(find out/a/ascend-text* -type f | wc -l)" '0 ranktrace: ended with status 143 0'
}

# Who is told to end has no time for an export.
{
	rm -rf out
	RANKTRACE_RANK=0 "$run" --save-path out --job a --steps 1 --level level1 --step-source api --analysis true -- \
		sh -c './stages step:1 3; : >ran; exec sleep 1000' 2>err &
	until [ -e ran ]; do :; done
	kill "$!"
	wait "$!"
	equal who_is_told_to_end_starts_none "$? $(grep '^ranktrace: analysis' err)" "143 ranktrace: analysis: not started, as ranktrace-run was told to end; later: $tool export --to ascend-text ./out/a -o ./out/a/ascend-text"
}
finish
