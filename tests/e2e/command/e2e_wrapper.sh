#!/bin/sh
# ranktrace-run and its supervisor: options in, environment out, and the command none the wiser.
set -eu
export LC_ALL=C
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp"
export RANKTRACE_SESSION_ROOT="$tmp/sessions"
unset SLURM_JOB_ID RANKTRACE_CONFIG LD_PRELOAD
sessions=$tmp/sessions-$(id -u)
cc=${CC:-cc}
$cc -std=gnu11 -I "$here" -o fake "$here/tests/fakes/fake_session.c"

tests=0

# is NAME GOT WANT
is() {
	tests=$((tests + 1))
	[ "$2" = "$3" ] && echo "ok $1" && return
	printf 'FAIL %s\n got: %s\nwant: %s\n' "$1" "$2" "$3"
	failures=$((failures + 1))
}

# status COMMAND...: how it ended; stderr is kept.
status() {
	code=0
	"$@" 2>stderr || code=$?
	printf '%s' "$code"
}

traced() {
	"$run" --save-path "$tmp/out" --steps 1 "$@"
}

# variable NAME OPTIONS...: what a shell makes of what --print-env says.
variable() {
	name=$1
	shift
	env -i sh -c 'eval "$1"; eval "printf %s \"\$$2\""' sh "$("$run" "$@" --print-env 2>stderr)" "$name"
}

# ---- the command is none the wiser ----

is an_exit_status_is_kept "$(status traced -- sh -c 'exit 3')" 3
is a_signal_is_kept "$(status sh -c "'$run' --save-path out --steps 1 -- sh -c 'kill -9 \$\$'")" 137
is a_term_is_kept "$(status sh -c "ulimit -c 0; '$run' --save-path out --steps 1 -- sh -c 'kill -TERM \$\$'")" 143
is a_missing_command_is_127 "$(status traced -- ./nowhere)" 127
is a_missing_command_is_127_is_told "$(cat stderr)" 'ranktrace: cannot run ./nowhere: No such file or directory'
"$run" --save-path never --steps 1 -- ./nowhere 2>stderr || :
is a_missing_command_leaves_no_run "$(ls never)" ''
echo data >data
is a_command_without_x_is_126 "$(status traced -- ./data)" 126
is a_command_without_x_is_126_is_told "$(cat stderr)" 'ranktrace: cannot run ./data: Permission denied'
is stdin_and_stdout_pass "$(echo hello | traced -- cat 2>stderr)" hello
is words_pass_unchanged "$(traced -- printf '%s|' a 'b c' '' "d'e" 2>/dev/null)" "a|b c||d'e|"
is the_two_dashes_may_be_left_out "$(traced echo --steps 2>/dev/null)" --steps
# shellcheck disable=SC2016
is the_command_sees_the_library "$(traced -- sh -c 'echo ${LD_PRELOAD##*:}' 2>/dev/null)" "$BUILD/libranktrace.so"
is the_command_sees_no_inner_variable "$(traced -- env 2>/dev/null | grep -c 'RANKTRACE_PRELOAD\|^ranktrace_' || :)" 0
# shellcheck disable=SC2016
is the_process_group_is_kept "$(traced -- sh -c 'cut -d" " -f5 /proc/$$/stat /proc/$PPID/stat' 2>/dev/null | uniq | wc -l)" 1
is ignored_signals_stay_ignored "$(sh -c "trap '' HUP; '$run' --save-path out --steps 1 -- sh -c 'kill -HUP \$\$; echo alive'" 2>/dev/null)" alive

# ---- signals ----

cat >catcher.sh <<'END'
sleep 1000 &
trap 'echo term >>caught; kill $!; exit 7' TERM
echo ready
wait
END
mkfifo said
"$run" --save-path out --steps 1 -- sh catcher.sh >said 2>/dev/null &
pid=$!
read -r ready <said && [ "$ready" = ready ]
kill -TERM "$pid"
code=0
wait "$pid" || code=$?
is a_signal_to_us_reaches_the_command "$code" 7
is and_reaches_it_once "$(cat caught)" term

if command -v python3 >/dev/null; then
	cat >terminal.py <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
text = b""
while b"ready" not in text:
    text += os.read(fd, 1024)
os.write(fd, b"\x03")
try:
    while True:
        piece = os.read(fd, 1024)
        if not piece:
            break
        text += piece
except OSError:
    pass
print(text.count(b"caught"), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
	cat >interrupted.py <<'END'
import signal, sys, time
count = 0
def handler(*ignored):
    global count
    count += 1
    print("caught", flush=True)
signal.signal(signal.SIGINT, handler)
print("ready", flush=True)
while not count:
    signal.pause()
# A second copy would be pending by now: it is sent before the first one's handler can have run.
signal.sigtimedwait([signal.SIGINT], 0)
sys.exit(9)
END
	is a_terminal_interrupt_arrives_once "$(python3 terminal.py "$run" --save-path "$tmp/out" --steps 1 -- python3 interrupted.py)" '1 9'
fi

# ---- options, environment, YAML ----

printf '%s\n' LD_PRELOAD NVTX_INJECTION64_PATH >preload_word
is nothing_selected_is_everything "$(variable RANKTRACE_STEPS)" all
"$run" -- true 2>stderr
is and_it_says_so "$(head -1 stderr)" 'ranktrace: no steps given: recording all steps of all ranks (to select: --steps 2,4 --ranks 0)'
is ranks_follow_steps "$(variable RANKTRACE_RANKS --steps 2)" all
is step_range_is_folded "$(variable RANKTRACE_STEPS --step-start 5 --step-end 9)" 5-8
printf 'steps: [1]\nlevel: level1\nlog: 2\n' >profile.yaml
is a_tilde_is_the_home "$(HOME=$PWD/home variable RANKTRACE_SAVE_PATH --save-path '~/traces')" "$PWD/home/traces"
for none in '-u HOME' HOME=; do
	# shellcheck disable=SC2086
	is "a_tilde_where_nobody_has_a_home_is_refused_$(echo "$none" | tr -dc '=-')" "$(status env $none "$run" --save-path '~/traces' --steps 1 -- true) $(cat stderr) $(ls -d '~' 2>&1)" \
		"2 ranktrace: --save-path: '~/traces' is in the home folder, and HOME is not set: write an absolute path ls: cannot access '~': No such file or directory"
done
is a_save_path_that_leaves_no_room_for_names_is_refused "$(status "$run" --save-path "/$(printf '%0767d' 1)" --steps 1 -- true) $(cat stderr)" \
	'2 ranktrace: --save-path: longer than 767 bytes: write a shorter one'
is a_list_may_have_its_brackets "$(variable RANKTRACE_STEPS --steps '[2, 4]')" 2,4
printf 'steps: null\n' >none.yaml
is no_steps_are_none_as_in_trainers_files "$(variable RANKTRACE_STEPS --config none.yaml) $(cat stderr)" ' '
cat >job.sh <<'END'
settings=$("$run" --print-env --steps "$1") || exit
set -a; eval "$settings"
echo "runs on with steps $RANKTRACE_STEPS"
END
export run
is a_job_script_has_its_settings "$(sh job.sh 2,4 2>stderr)" 'runs on with steps 2,4'
is a_job_script_ends_at_a_mistake "$(sh job.sh two 2>stderr || echo "status $?")" 'status 2'
mkfifo piped
(cat profile.yaml >piped) &
is yaml_is_read_from_a_pipe_too "$(variable RANKTRACE_LEVEL --config piped)" level1
is yaml_is_read "$(variable RANKTRACE_LEVEL --config profile.yaml)" level1
is yaml_by_variable "$(RANKTRACE_CONFIG=profile.yaml variable RANKTRACE_LEVEL)" level1
is environment_beats_yaml "$(RANKTRACE_LEVEL=level2 variable RANKTRACE_LEVEL --config profile.yaml)" level2
is options_beat_environment "$(RANKTRACE_LEVEL=level2 variable RANKTRACE_LEVEL --level level0)" level0
is a_range_replaces_a_list_of_an_earlier_layer "$(RANKTRACE_STEPS=2 variable RANKTRACE_STEPS --step-start 3)" 3-
is save_path_is_absolute "$(variable RANKTRACE_SAVE_PATH --save-path 'a b')" "$tmp/a b"
is quotes_survive "$(variable RANKTRACE_STEP_SOURCE --step-source "kernel:it's \$x \`y\`")" "kernel:it's \$x \`y\`"
is the_job_comes_from_slurm "$(SLURM_JOB_ID=77 variable RANKTRACE_JOB)" 77
is the_job_is_the_time_otherwise "$(variable RANKTRACE_JOB | sed 's/[0-9]/9/g; s/[a-f]/9/g')" 99999999-999999-9999
# shellcheck disable=SC2016
is the_command_reads_no_file_again "$(RANKTRACE_CONFIG=profile.yaml traced -- sh -c 'echo $RANKTRACE_RESOLVED' 2>/dev/null)" 1
is print_env_prints_settings_that_are_documented_the_preload_and_who_hears_nvtx_alone \
	"$("$run" --print-env --steps 2 | cut -d= -f1 | sort | tr '\n' ' ')" \
	"$("$tool" env --options-markdown | grep -o 'RANKTRACE_[A-Z_]*` | `--' | cut -d'`' -f1 | cat - "$tmp/preload_word" | sort | tr '\n' ' ')"

is an_unknown_option "$(status "$run" --step 3 -- true)" 2
is an_unknown_option_is_told "$(cat stderr)" "ranktrace: unknown option '--step': write --steps"
is an_option_without_value "$(status "$run" --steps)" 2
is an_option_without_value_is_told "$(cat stderr)" 'ranktrace: --steps needs a value'
is an_option_that_eats_the_two_dashes "$(status "$run" --steps -- true)" 2
is an_option_that_eats_the_two_dashes_is_told "$(cat stderr)" 'ranktrace: --steps needs a value'
is an_option_that_eats_the_next_one "$(status "$run" --steps --ranks 0 -- true)" 2
is an_option_that_eats_the_next_one_is_told "$(cat stderr)" 'ranktrace: --steps needs a value'
zero='ranktrace: step 0 exists only if the trainer calls ranktrace_step(0); counted steps start at 1: write --steps 1 for the first'
"$run" --steps 0 -- true 2>stderr
is step_0_says_how_steps_are_numbered "$(head -1 stderr)" "$zero"
"$run" --steps 0 --step-source api -- true 2>stderr
is step_0_of_the_trainers_own_numbers_says_nothing "$(grep -c 'step 0' stderr || :)" 0
is an_option_of_two_words_that_eats_the_dashes_is_told_them "$(status "$run" --analysis -- true) $(cat stderr)" '2 ranktrace: --analysis needs a value: write true or false'
is an_option_that_is_denied_is_told_how "$(status "$run" --no-analysis -- true) $(cat stderr)" "2 ranktrace: unknown option '--no-analysis': write --analysis false"
is a_word_with_a_name_in_front_is_told "$(status "$run" --export-type their-db -- true) $(cat stderr)" "2 ranktrace: --export-type: 'their-db' is unknown: write db"
is two_words_are_told_to_be_one "$(status "$run" --export-type text,db -- true) $(cat stderr)" "2 ranktrace: --export-type: 'text,db' is more than one word: write one of text, db, chrome or perfetto"
is what_analysis_alone_wants_is_told "$(status "$run" --save-path out --steps 1 --export-type db --no-wait -- true) $(grep -F effect stderr)" \
	"0 ranktrace: --export-type has no effect without --analysis true
ranktrace: --no-wait has no effect without --analysis true"
is and_with_analysis_nothing_is "$(status "$run" --save-path out --steps 1 --analysis true --export-type db --no-wait -- true) $(grep -cF effect stderr)" '0 0'
is what_device_times_alone_want_is_told "$(status "$run" --save-path out --steps 1 --contents cpu --device-every 3 -- true) $(grep -F effect stderr)" \
	'0 ranktrace: --device-every has no effect without device among the --contents'
is not_where_a_role_has_them "$(status "$run" --save-path out --steps 1 --contents cpu --roles 'a{contents=cpu device}' --device-every 3 -- true) $(grep -cF effect stderr)" '0 0'
is stacks_that_a_level_has_none_of_are_told "$(status "$run" --save-path out --steps 1 --level level_none --contents module -- true) $(grep -F level_none stderr)" \
	'0 ranktrace: module and stack have no effect at level_none: give --level level0, or a role level=level0'
is and_of_a_trainer_that_wants_them "$("$run" --print-env -- python3 -m siirl.client.main_dag profiler.enable=True profiler.level=level_none profiler.with_stack=True 2>&1 >out.env |
	grep -c 'no effect at level_none') $(grep -c '^RANKTRACE_CONTENTS=cpu,device,stack$' out.env)" '1 1'
is plain_values_have_no_quotes "$("$run" --print-env --steps 2,4 --job j.1 | grep -c "'" || :)" 0
"$run" --print-env=plain --steps 2 --step-source "kernel:it's \$x \`y\`" --job j >plain.env
is without_quotes_for_who_takes_them_for_letters "$(xargs -d '\n' -a plain.env env -i | sed -n 's/^RANKTRACE_STEP_SOURCE=//p')" "kernel:it's \$x \`y\`"
"$run" --print-env --steps 2 --step-source api --job j >shell.env
"$run" --print-env=plain --steps 2 --step-source api --job j >plain.env
is and_where_none_are_needed_it_is_the_same "$(cat plain.env)" "$(cat shell.env)"
is a_reader_that_is_not_known "$(status "$run" --print-env=docker) $(cat stderr)" \
	'2 ranktrace: unknown --print-env=docker: use --print-env (for a shell) or --print-env=plain (for docker --env-file)'
# shellcheck disable=SC2016
is a_job_script_takes_them_over "$(env -i sh -c 'set -a; eval "$1"; sh -c "echo \$RANKTRACE_STEPS \$RANKTRACE_JOB"' sh "$("$run" --print-env --steps 2,4 --job j)")" '2,4 j'
is supervise_has_a_help "$("$tool" supervise --help | head -1)" 'Usage: ranktrace supervise [--] COMMAND [ARGUMENT]...'

# said NAME LINE COMMAND...: its first line on stderr, with status 2
said() {
	name=$1 line=$2
	shift 2
	is "$name" "$(status "$tool" "$@") $(head -1 stderr)" "2 ranktrace: $line"
}
said a_format_of_dump_that_is_not_known "unknown --format 'json': use text or jsonl" dump --format json x
said a_format_of_report_that_is_not_known "unknown --format 'xml': use text, json or csv" report --format xml x
said a_number_of_rows_that_is_none "unknown --top 'x': use a number from 1 on" report --top x x
words=$(sed -n 's/^EXPORTER(\([a-z_0-9]*\), .*/\1/p' "$here/analysis/export/exporters.def" | tr _ -)
is the_list_of_exporters_begins_with_chrome "$(echo "$words" | head -n 1)" chrome
"$tool" export --to nothing x >/dev/null 2>stderr || :
is a_format_of_export_that_is_not_known_is_told_all_that_are "$(echo "$words" | while read -r one; do grep -cw -- "$one" stderr; done | sort -u)" 1
"$tool" export x 2>&1 >/dev/null | head -n 1 >stderr || :
is and_so_is_an_export_without_a_format "$(echo "$words" | while read -r one; do grep -cw -- "$one" stderr; done | sort -u)" 1
said nothing_to_read 'no PATH given: name a trace file or a folder with trace files' dump

# shellcheck disable=SC2046 # as many words
is sixty_five_options_are_refused_in_words "$(status "$run" $(seq -f '--ranks=%g' 65) -- true) $(cat stderr)" '2 ranktrace: more than 64 options'
is a_bad_value "$(status "$run" --steps 9-5 -- true)" 2
is a_bad_value_is_told "$(cat stderr)" "ranktrace: --steps: the range '9-5' runs backwards: write 5-9"
is a_bad_variable "$(RANKTRACE_RANKS=x status "$run" -- true)" 2
is a_bad_variable_is_told "$(cat stderr)" "ranktrace: RANKTRACE_RANKS: 'x' is not a number from 0 to 2^53: write numbers, ranges like 5-9, or all"
printf '\nstep: 3\n' >bad.yaml
is a_bad_file "$(status "$run" --config bad.yaml -- true)" 2
is a_bad_file_is_told "$(cat stderr)" "ranktrace: bad.yaml:2: unknown key 'step': write 'steps'"
printf 'stesp: 2-9\n' >slip.yaml
is a_slip_is_answered_by_a_setting "$(status "$run" --config slip.yaml -- true) $(cat stderr)" "2 ranktrace: slip.yaml:1: unknown key 'stesp': write 'steps'"
printf 'model:\n  layers: 2\ntraining:\n  lr: [1\n  profile: true\n' >torn.yaml
traced --config torn.yaml --print-env -- true >torn.env 2>stderr || :
is of_a_trainers_file_that_is_none_it_is_said_why "$(cat stderr)" "ranktrace: torn.yaml:5: this is not YAML (did not find expected ',' or ']'): write lines like steps: [2, 4]"
traced --preset mindspeed-llm-fsdp2 --print-env -- python3 train_fsdp2.py bad.yaml/x.yaml >torn.env 2>stderr || :
is a_trainers_file_that_cannot_be_read_is_no_missing_one "$(grep -o 'its file .* not seen' stderr)" 'its file cannot be read (Not a directory), and its settings are not seen'
is a_shm_size_that_holds_no_buffer "$(status "$run" --shm-size 1 -- true) $(cat stderr)" \
	"2 ranktrace: --shm-size: '1' is too small for buffers: write 4M or more"
printf 'steps: [1]\nshm_size: 64K\n' >bad.yaml
is nor_one_in_a_file "$(status "$run" --config bad.yaml -- true) $(cat stderr)" \
	"2 ranktrace: bad.yaml:2: shm_size: '64K' is too small for buffers: write 4M or more"
is no_command "$(status "$run" --steps 2)" 2
is no_command_is_told "$(cat stderr)" 'ranktrace: no command: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...'
is help_is_help "$("$run" --help | head -1)" 'Usage: ranktrace-run [OPTION]... [--] COMMAND [ARGUMENT]...'
is help_may_be_asked_for_by_a_letter "$("$run" -h)" "$("$run" --help)"
is two_unknown_letters "$(status "$run" --steps 1 -xy -- true) $(cat stderr)" "2 ranktrace: unknown option '-xy': see ranktrace-run --help"
is env_looks_at_no_command_and_says_what_does "$("$tool" env --steps 2 -- torchrun train.py 2>&1 || echo $?)" 'ranktrace: torchrun: no command is looked at here: ranktrace-run --print-env -- COMMAND reads its words
2'
is env_has_a_help_of_its_own "$("$tool" env --help | head -1)" 'Usage: ranktrace env [OPTION]...'
is help_names_every_option "$("$run" --help | grep -c '^  --')" \
	"$(($(cat "$here"/config/options.def "$here"/config/vendors/*.def | grep -c '^OPTION') - 3 + 6))"
if [ -e "$here/docs/options.md" ]; then
	is the_options_page_is_fresh "$("$tool" env --options-markdown | cksum)" "$(cksum <"$here/docs/options.md")"
fi

# ---- LD_PRELOAD ----

# A stand-in: the built library may be a sanitized one, which brings its sanitizer along.
mkdir stand && cp "$tool" stand/
echo 'int stand_in;' >stand_in.c && $cc -shared -fPIC -o stand/libranktrace.so stand_in.c
export RANKTRACE_BUILD="$tmp/stand"
lib=$tmp/stand/libranktrace.so
is a_preload_of_odd_letters_is_plain_where_quotes_are_letters "$(LD_PRELOAD="/nowhere/it's\$x.so" "$run" --print-env=plain --steps 1 2>/dev/null | sed -n 's/^LD_PRELOAD=//p')" "$lib:/nowhere/it's\$x.so"
is a_preload_of_odd_letters_is_quoted "$(LD_PRELOAD="/nowhere/it's\$x.so" "$run" --print-env --steps 1 2>/dev/null | sed -n 's/^LD_PRELOAD=//p')" "'$lib:/nowhere/it'\\''s\$x.so'"
is ranktrace_comes_first "$(LD_PRELOAD='/x/libjemalloc.so.2 /x/libmspti.so' variable LD_PRELOAD 2>/dev/null)" "$lib:/x/libjemalloc.so.2:/x/libmspti.so"
is but_a_sanitizer_before "$(LD_PRELOAD='/x/libmspti.so:/y/libasan.so.8' variable LD_PRELOAD 2>/dev/null)" "/y/libasan.so.8:$lib:/x/libmspti.so"
is and_never_twice "$(LD_PRELOAD='/old/libranktrace.so:a.so' variable LD_PRELOAD 2>/dev/null)" "$lib:a.so"
echo 'int main(void) { return 0; }' >plain.c
if $cc -fsanitize=address -o sanitized plain.c 2>/dev/null && readelf -d sanitized | grep -q libasan; then
	asan=$(readelf -d sanitized | sed -n 's/.*\[\(libasan[^]]*\)\].*/\1/p')
	is the_command_names_its_sanitizer "$("$run" --steps 1 --print-env -- ./sanitized | sed -n 's/^LD_PRELOAD=//p')" "$asan:$lib"
	is a_sanitized_command_runs "$(status traced -- ./sanitized)" 0
fi

mkdir -p 'sp ace' && cp "$lib" "$tool" 'sp ace/'
# LD_PRELOAD cannot name it; a link that goes with the job can.
# shellcheck disable=SC2016
RANKTRACE_BUILD='sp ace' traced -- sh -c 'echo "$LD_PRELOAD" >preload; readlink "${LD_PRELOAD%/*}" >reached; stat -c %a "${LD_PRELOAD%/*/*}" >mode; env | grep -c RANKTRACE_LINKED >inner' 2>stderr || :
is a_space_in_the_path_is_met_by_a_link "$(sed "s/link\.[0-9a-f]\{16\}/link.N/" preload) $(cat reached inner | tr '\n' ' ')" "$sessions/link.N/libranktrace.so $tmp/sp ace 0 "
is the_link_goes_with_the_job_and_the_empty_folder_around_it "$(cat mode) $(find "$sessions" 2>/dev/null)" '700 '
is a_space_in_the_path_without_a_job_is_told "$(RANKTRACE_BUILD='sp ace' status "$run" --steps 1 --print-env) $(cat stderr)" "2 ranktrace: LD_PRELOAD cannot contain the path '$tmp/sp ace/libranktrace.so': install ranktrace below a path without blanks and colons"
is a_space_in_the_sessions_path_is_told "$(RANKTRACE_BUILD='sp ace' RANKTRACE_SESSION_ROOT="$tmp/s s" status traced -- true) $(cat stderr)" "2 ranktrace: LD_PRELOAD cannot contain the path '$tmp/sp ace/libranktrace.so': install ranktrace below a path without blanks and colons"
is no_place_for_a_link_is_told "$(RANKTRACE_BUILD='sp ace' RANKTRACE_SESSION_ROOT="$tmp/nowhere/s" status traced -- touch began) $(sed -n '$p' stderr) $(ls began 2>/dev/null)" "2 ranktrace: LD_PRELOAD cannot contain the path '$tmp/sp ace', and $tmp/nowhere/s-$(id -u) can have no link to it (No such file or directory): install ranktrace below a path without blanks and colons "

mkdir -p prefix/bin prefix/lib/ranktrace bin
cp "$run" "$tool" prefix/bin/
cp "$lib" prefix/lib/ranktrace/
ln -s "$tmp/prefix/bin/ranktrace-run" bin/rr
is an_installed_wrapper_finds_its_library "$(unset RANKTRACE_BUILD; bin/rr --print-env --steps 1 | sed -n 's/^LD_PRELOAD=//p')" "$tmp/prefix/lib/ranktrace/libranktrace.so"
is and_runs "$(unset RANKTRACE_BUILD; status bin/rr --save-path out --steps 1 -- true)" 0
printf '\026\000' | dd of=prefix/lib/ranktrace/libranktrace.so bs=1 seek=18 conv=notrunc 2>/dev/null
is a_foreign_library_is_refused "$(unset RANKTRACE_BUILD; status bin/rr --steps 1 -- true)" 2
is a_foreign_library_is_refused_is_told "$(cat stderr)" "ranktrace: $tmp/prefix/lib/ranktrace/libranktrace.so was built for another architecture than $(uname -m): rebuild it on this machine"

export RANKTRACE_BUILD="$BUILD"

# ---- what is left behind ----

rm -rf out
traced --job a -- sh -c './fake rank=1 rank_source=RANK kept=2 entered=2 files=1 bytes=9 libraries=/a/libOpenCL.so.1; ./fake rank=0 kept=1 entered=1' 2>stderr
is the_summary "$(cat stderr)" "ranktrace: 2 ranks, 3 events, 0 lost in ./out/a
ranktrace: next: $tool report ./out/a"
"$run" --save-path "it's out" --job a --steps 1 -- ./fake rank=0 kept=1 entered=1 2>stderr
is the_next_command_is_quoted_for_a_shell "$(sed -n 's/^ranktrace: next: .* report //p' stderr)" "'./it'\''s out/a'"
is run_json_is_private "$(stat -c %a out out/a out/a/run.json | tr '\n' ' ')" '700 700 600 '
is run_json_lists_processes "$(grep -o '"rank":[0-9]*' out/a/run.json | tr '\n' ' ')" '"rank":0 "rank":1 '
is sessions_are_gone "$(find "$sessions" -mindepth 1 | wc -l)" 0
if command -v python3 >/dev/null; then
	is run_json_is_json "$(python3 -c 'import json; r = json.load(open("out/a/run.json")); p = r["processes"][1]; print(p["rank_source"], p["libraries"], p["last_step"], r["asked"]["steps"], r["exit_status"])')" "RANK ['/a/libOpenCL.so.1'] None 1 0"
fi
traced --job a -- ./fake rank=2 kept=4 entered=4 2>/dev/null
is a_second_launcher_overwrites_nothing "$(find out/a -name 'run*.json' | wc -l)" 2
is both_are_checked "$("$tool" check out)" 'recorded 7 events of ranks 0-2'

traced --job k -- ./fake rank=0 state=killed 2>/dev/null
is a_killed_rank_is_recovered "$(grep -o '"state":"[a-z]*"' out/k/run.json) $(find "$sessions" -mindepth 1 | wc -l)" '"state":"killed" 0'

# A Python that says nothing is waited for once, and leaves nobody behind.
mkdir silent
cat >silent/python3 <<END
#!/bin/sh
exec 9>>"$tmp/alive"
flock -s 9
echo asked >>"$tmp/asked"
sleep 600 &
exec sleep 600
END
chmod +x silent/python3
PATH=$tmp/silent:$PATH "$run" --preset trl --steps 1 --save-path out --print-env -- python3 -m verl.trainer.main_ppo trainer.nnodes=1 >env 2>stderr
is a_python_that_says_nothing_is_asked_once "$(cat asked) $(grep -c ' does not answer in 5 s and is asked no more' stderr) $(grep -c 'the version of .* could not be told' stderr)" 'asked 1 2'
is nobody_of_it_is_left_behind "$(flock -w 10 alive echo gone)" gone

# Someone else's sessions: left alone while that launcher lives, cleared away after it.
mkdir -p "$sessions" && chmod 700 "$sessions"
RANKTRACE_LAUNCH=abcd ./fake rank=0
touch "$sessions/said.abcd.disk"
flock "$sessions/launch.abcd" "$run" --save-path out --steps 1 -- true 2>/dev/null
is another_launchers_sessions_stay "$(find "$sessions" -name status.0 | wc -l)" 1
traced -- true 2>/dev/null
is a_dead_launchers_sessions_go "$(find "$sessions" -mindepth 1 | wc -l)" 0

# An orphan that goes on recording is said, not waited for.
mkfifo hold up
exec 8<>hold
# shellcheck disable=SC2016
traced --job o -- sh -c './fake rank=0 state=recording wait <hold >up & read -r x <up' 2>stderr 8>&-
is an_orphan_is_not_waited_for "$(grep -c 'is still running and traced: see ranktrace check --pid' stderr)" 1
exec 8>&-

# Through a link, which stays where it may start others.
exec 8<>hold
# shellcheck disable=SC2016
RANKTRACE_BUILD='sp ace' traced --job o -- sh -c './fake rank=0 state=recording wait <hold >up & read -r x <up; echo $! >orphan' 2>stderr 8>&-
is an_orphan_keeps_its_link "$(cat "$sessions"/link.*/libranktrace.so | cmp - "$lib" && ls "$sessions" | grep -c ^link)" 1
exec 8>&-
timeout 10 tail -f --pid="$(cat orphan)" /dev/null
traced -- true 2>/dev/null
is the_next_run_takes_it_away "$(find "$sessions" -mindepth 1)" ''

mkdir locked && chmod 500 locked
if [ "$(id -u)" != 0 ]; then
	is an_unwritable_save_path_does_not_stop_the_command "$(status "$run" --save-path locked/x --steps 1 -- sh -c 'exit 4')" 4
fi
is a_save_path_that_is_a_file "$(status "$run" --save-path data/x --job j --steps 1 -- sh -c 'exit 4')" 4
is a_save_path_that_is_a_file_is_told "$(grep 'cannot be written' stderr)" "ranktrace: $tmp/data/x cannot be written (Not a directory), nothing will be recorded: give another --save-path"
is hooks_are_found_in_any_case "$("$tool" hooks ndrange)" "$("$tool" hooks NDRange)"
is and_there_is_one "$("$tool" hooks ndrange | grep -c "^clEnqueueNDRangeKernel ")" 1
for list in 2,,4 2,4, ,2 ,; do
	is "a_stray_comma_is_refused_in_$list" "$(status "$run" --steps "$list" -- true) $(cat stderr)" \
		"2 ranktrace: --steps: '$list' has a comma without a number beside it: write it like 2,4"
done
is blanks_may_separate_steps "$(variable RANKTRACE_STEPS --steps ' 2 4, 6 ')" 2,4,6

if [ "$failures" != 0 ]; then
	echo "e2e_wrapper: $failures of $tests failed"
	exit 1
fi
echo "e2e_wrapper: $tests checks"
