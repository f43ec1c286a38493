#!/bin/sh
# The blocks of settings that users of MindSpeed-LLM, MindSpeed-RL and siiRL write for the profiler of their trainer select here what they
# select there, on stand-ins with the trainers' names: as files, and as flags and words of the command.
. "$(dirname "$0")/../../lib/lib.sh"
. "$here/tests/lib/told_steps.sh"
told_program stages # for the library beside it
shape=$here/tests/helpers/python/mindspeed_shape
export LIBRARY_OF_TEST="$tmp/libOpenCL.so.1" PYTHONDONTWRITEBYTECODE=1
python=/usr/bin/python3

# traced OPTION... -- COMMAND...: windows, as a line
traced() {
	rm -rf out
	RANK=${rank-0} "$run" --save-path out "$@" >said 2>err
	windows_in out | paste -sd,
}

# ---- files ----

# Eight updates, of a run that begins, or of one that goes on behind a checkpoint of update 5: nine calls each.
block() {
	cat <<END
training:
  profile: true
  profile_step_start: $1
  profile_step_end: $2
  profile_ranks: [0]
  profile_level: level1
  profile_export_type: text
  profile_data_simplification: false
  profile_with_cpu: true
  profile_with_stack: false
  profile_with_memory: true
  profile_record_shapes: true
END
}
block 5 6 >5-6.yaml
block 5 -1 >5-.yaml
equal the_sixth_update_is_recorded "$(traced --config 5-6.yaml -- $python "$shape/train.py" fsdp2 0 8)" 'step-5 9'
equal also_behind_a_checkpoint_it_is_the_sixth_of_the_process "$(traced --config 5-6.yaml -- $python "$shape/train.py" fsdp2 5 8)" 'step-10 9'
equal an_end_of_minus_1_is_all_from_there_on "$(traced --config 5-.yaml -- $python "$shape/train.py" fsdp2 5 8)" 'steps-10-end 27'
equal another_rank_is_not_recorded "$(rank=1 traced --config 5-6.yaml -- $python "$shape/train.py" fsdp2 0 8)" ''
equal an_option_goes_before_the_file "$(traced --steps 7 --config 5-6.yaml -- $python "$shape/train.py" fsdp2 0 8)" 'step-7 9'

cat >rl.yaml <<'END'
profiler_config:
  integrated:
    profile: true
    mstx: false
    stage: all
    profile_export_type: text
    profile_step_start: 1
    profile_step_end: 2
    profile_level: level1
    profile_with_memory: false
    profile_record_shapes: false
    profile_with_cpu: true
    profile_with_npu: true
    profile_with_module: false
    profile_analysis: false
    profile_ranks: all
END
sed 's/stage: all/stage: actor_update/' rl.yaml >stage.yaml
equal the_first_iteration "$(traced --config rl.yaml -- $python "$shape/train.py" integrated)" 'step-1 40'
equal its_update_alone "$(traced --config stage.yaml -- $python "$shape/train.py" integrated)" 'step-1.actor_update.0 17'

# Each complaint is a line, whatever its words are.
printf 'training:\n  profile: true\n  "profile_x\\ny": 1\nsteps: [3]\n' >two.yaml
sed '/^steps/d' two.yaml >odd.yaml
"$run" --config two.yaml --save-path out -- $python -m verl.trainer.main_ppo 'global_profiler.steps=[1]' 2>err
equal two_languages_in_a_file_are_one_line "$? $(cat err)" "2 ranktrace: two.yaml:4: steps is ranktrace's, and training (line 1) is MindSpeed-LLM's FSDP2's: keep one of them in a file"
"$tool" env --script --config odd.yaml -- true >/dev/null 2>err
equal and_so_is_a_key_over_two_lines "$(head -n 1 err) $(grep -vc '^ranktrace: ' err)" \
	"ranktrace: odd.yaml:3: training.profile_x?y is unknown to MindSpeed-LLM's FSDP2 and left out: did you mean profile? 0"

# ---- commands ----

# program NAME TEXT: a program whose file says whose it is, and which is KIND of the stand-in
program() {
	mkdir -p "$(dirname "$1")"
	cat >"$1" <<END
"""$2"""
import os, runpy, sys
print(*sys.argv[1:])
sys.argv = ["train.py"] + os.environ["KIND"].split()
sys.path.insert(0, os.environ["SHAPE"])
runpy.run_path(sys.path[0] + "/train.py", run_name="__main__")
END
}
# version PACKAGE VERSION: is installed
version() {
	folder=site/$(echo "$1" | tr - _)-$2.dist-info
	mkdir -p "$folder"
	printf 'Metadata-Version: 2.1\nName: %s\nVersion: %s\n' "$1" "$2" >"$folder/METADATA"
}
# setting NAMES OPTION... -- COMMAND...: those that are set
setting() {
	names=$1
	shift
	"$tool" env --script "$@" 2>err | sed -n "s/^RANKTRACE_\\($names\\)=\\(.\\)/\\2/p" | paste -sd' '
}
export PYTHONPATH="$tmp/site" SHAPE="$shape"
program pretrain_gpt.py 'from mindspeed_llm import megatron_adaptor'
program megatron_gpt.py 'from megatron.training import pretrain'
program plain_gpt.py 'import mindspeed.megatron_adaptor, megatron.training'
program train_fsdp2.py 'from mindspeed_llm.fsdp2.train.trainer import Trainer'
program cli/train_grpo.py 'from mindspeed_rl.workers import IntegratedWorker'
program train.py 'whose it is'
pair='--profile --profile-step-start 5 --profile-step-end 6'
# shellcheck disable=SC2086 # lists of words
{
	export KIND='megatron 0 8'
	equal mindspeed_llm_counts_from_1_so_that_it_is_the_fifth "$(traced --level level1 -- $python pretrain_gpt.py $pair)" 'step-5 11'
	equal the_command_is_as_it_was "$(cat said)" "$pair"
	equal the_report_calls_it_so "$("$tool" report --format json out | grep -c '"step":5,')" 1
	equal and_so_does_an_option "$(traced --level level1 --steps 5 --preset mindspeed-llm -- $python pretrain_gpt.py)" 'step-5 11'
	equal a_run_of_five_has_it "$(KIND='megatron 0 5' traced --level level1 -- $python pretrain_gpt.py $pair)" 'step-5 11'
	equal a_run_of_four_has_not "$(KIND='megatron 0 4' traced --level level1 -- $python pretrain_gpt.py $pair)" ''
	equal minus_1_is_one_step_there "$(traced --level level1 -- $python pretrain_gpt.py --profile --profile-step-start 5 --profile-step-end -1)" 'step-5 11'
	equal its_version_says_which_ranks "$(rank=1 traced -- $python pretrain_gpt.py $pair)" ''
	version mindspeed_llm 2.3.0
	equal older_ones_take_all "$(rank=1 traced --level level1 -- $python pretrain_gpt.py $pair)" 'step-5 11'
	rm -rf site
	version mindspeed_llm 2.1.0
	equal and_those_before_the_seventh "$(traced --level level1 -- $python pretrain_gpt.py $pair)" 'step-7 11'
	rm -rf site
	export KIND='fsdp2 0 8'
	equal flags_of_fsdp2_say_the_sixth "$(traced --level level1 -- $python train_fsdp2.py --training.profile --training.profile_step_start 5 --training.profile_step_end=6)" 'step-5 9'
	equal its_file_is_read "$(traced -- $python train_fsdp2.py 5-6.yaml)" 'step-5 9'
	equal flags_go_before_its_file "$(traced -- $python train_fsdp2.py 5-6.yaml --training.profile_step_end 7)" 'steps-5-6 18'
	export KIND=integrated
	mkdir -p configs && cp rl.yaml configs/grpo.yaml
	equal of_rl_too "$(traced -- $python cli/train_grpo.py --config-name grpo)" 'step-1 40'
	equal with_words_before_it "$(traced -- $python cli/train_grpo.py --config-name grpo profiler_config.integrated.stage=actor_update)" 'step-1.actor_update.0 17'
	equal taking_over_adds_a_word "$(traced --take-over -- $python cli/train_grpo.py --config-name grpo; cat said)" 'step-1 40
--config-name grpo ++profiler_config.integrated.profile=false'
	equal of_two_profilers_is_told "$(traced -- $python cli/train_grpo.py --config-name grpo >windows; grep -c 'MindSpeed-RL: its own profiler runs .*--take-over' err)" 1

	sed 's/step_start: 1/step_start: 2/; s/step_end: 2/step_end: 3/' rl.yaml >configs/second.yaml
	equal of_two_names_the_last_one_counts "$(traced -- $python cli/train_grpo.py --config-name second -cn grpo) $(traced -- $python cli/train_grpo.py \
		--config-name=grpo --config-name=second | cut -d' ' -f1)" 'step-1 40 step-2'

	# Whose they are
	equal megatron_s_own "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python megatron_gpt.py $pair)" '5 all'
	version megatron-core 0.16.1
	equal to_0_16_only_of_rank_0 "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python megatron_gpt.py $pair)" '5 0'
	equal its_torch_s_profiler_begins_one_earlier "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python megatron_gpt.py --use-pytorch-profiler $pair)" \
		'all 0 skip_first=4,active=1,repeat=1,relative=1'
	equal beside_mindspeed "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python plain_gpt.py $pair)" 'all all skip_first=5,active=1,repeat=1,relative=1'
	equal by_what_is_installed "$(setting 'STEPS\|RANKS' -- $python train.py $pair)" '5 0'
	# A file of its own stands in the place of all its flags.
	printf 'lr: 1.0\nlanguage_model: {num_layers: 2}\nprofile: True\nprofile_step_start: 5\nprofile_step_end: 6\nprofile_ranks: [0, 3]\n' >gpt.yaml
	sed 's/^lr.*/use_pytorch_profiler: True/; s/\[0, 3\]/[]/' gpt.yaml >torch.yaml
	sed 's/True/False/' gpt.yaml >off.yaml
	equal its_own_file_is_read "$(setting 'STEPS\|RANKS' -- $python megatron_gpt.py --yaml-cfg gpt.yaml --profile-step-end 9)" '5 0,3'
	equal its_file_may_name_torch_s_profiler "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python megatron_gpt.py --yaml-cfg=torch.yaml)" \
		'all skip_first=4,active=1,repeat=1,relative=1'
	equal to_0_16_no_rank_there_is_nobody "$(grep -c 'profile_ranks: no ranks, so nothing is recorded' err)" 1
	setting STEPS -- $python megatron_gpt.py --yaml-cfg off.yaml >steps
	equal it_may_be_off_there "$(cat steps) $(head -n 1 err)" \
		" ranktrace: off.yaml:3: profile is off, so nothing is recorded (to record: switch it on, or give --steps)"
	setting STEPS -- $python megatron_gpt.py --yaml-cfg away.yaml >steps
	equal one_that_is_not_there_is_told "$(cat steps) $(head -n 1 err)" \
		'all ranktrace: --yaml-cfg away.yaml: its file is not found, and its settings are not seen: give --steps and --ranks'
	setting STEPS --take-over -- $python megatron_gpt.py --yaml-cfg torch.yaml >steps
	equal no_word_switches_its_profiler_off "$(head -n 1 err)" \
		"ranktrace: --take-over: none of the trainer's words counts beside --yaml-cfg: write profile: false in its file, and here --steps"
	rm -rf site
	equal its_file_of_0_19 "$(setting 'STEPS\|RANKS\|SCHEDULE' -- $python megatron_gpt.py --yaml-cfg torch.yaml)" 'all all skip_first=4,active=1,repeat=1,relative=1'
	equal by_the_preset_that_is_named "$(setting 'STEPS\|RANKS' --preset mindspeed-llm -- $python train.py $pair) $(setting 'STEPS\|RANKS' --preset megatron -- $python train.py $pair)" '5 0 5 all'
	traced -- env KIND='megatron 0 3' $python train.py $pair >windows
	equal else_it_is_asked_for_and_the_job_runs "$(cat said; head -n 1 err)" "$pair
ranktrace: --profile-step-start: whose it is cannot be told of train.py: name it, --preset mindspeed-llm or --preset megatron; without --steps nothing is recorded, the job runs on"
	refused='the settings were refused: --profile-step-start: whose it is cannot be told of train.py: name it, --preset mindspeed-llm or --preset megatron'
	said_at_the_end() {
		echo "$(sed -n 's/^ranktrace: nothing was recorded: //p' err) $("$tool" check out)"
	}
	equal the_end_and_check_say_it_again "$(said_at_the_end)" "rank 0: $refused rank 0: $refused"
	: >nothing.py
	traced --enable true -- $python nothing.py $pair >windows
	equal also_of_a_job_without_a_call "$(said_at_the_end | sed 's/nothing.py/train.py/g')" "$refused $refused"
	mkdir -p mindspeed_llm
	equal or_by_the_folder_beside_it "$(setting STEPS -- $python train.py $pair)" 5
	rmdir mindspeed_llm
	equal a_flag_of_somebody_else_is_left_alone "$(setting STEPS -- $python train.py --profile --lr 1)" all

	# Of which release: by its package, else by what is checked out beside the program, or on the path
	told='^ranktrace: \(the version of\|m[a-z_-]* [0-9.]*:\)'
	flags() {
		echo "$(setting 'STEPS\|RANKS\|SCHEDULE' "$@") $(grep "$told" err | sed 's/^ranktrace: //')"
	}
	untold_llm='the version of mindspeed_llm could not be told: preset mindspeed-llm-26.0, the newest, and the trainer'\''s settings mean what they do there
 (another: --preset mindspeed-llm-2.0 or --preset mindspeed-llm-2.2)'
	untold_llm=$(echo "$untold_llm" | paste -sd'\0')
	version mindspeed_llm 2.1.0
	equal its_package_tells_its_release "$(flags -- $python pretrain_gpt.py $pair)" 'all all skip_first=6,active=1,repeat=1,relative=1 mindspeed_llm 2.1.0: preset mindspeed-llm-2.0'
	rm -rf site
	version mindspeed_llm 0.0.1
	equal a_number_of_several_releases_tells_nothing "$(flags -- $python pretrain_gpt.py $pair)" "5 0 $untold_llm"
	equal who_names_one_is_told_nothing "$(flags --preset mindspeed-llm-2.0 -- $python pretrain_gpt.py $pair)$(flags --preset mindspeed-llm-2.2 -- $python pretrain_gpt.py $pair)" \
		'all all skip_first=6,active=1,repeat=1,relative=1 5 all '
	# A package that is there is told by, whatever its version; of a folder that a line goes to no version is.
	equal it_is_there_all_the_same "$(flags -- $python train.py $pair)" "5 0 $untold_llm"
	equal also_where_a_line_goes_elsewhere "$(flags -- sh -c "cd / && $python train.py $pair")" "5 0 $untold_llm"
	program tree/pretrain_gpt.py 'from mindspeed_llm import megatron_adaptor'
	mkdir -p tree/mindspeed_llm/training
	touch tree/mindspeed_llm/__init__.py
	echo 'skip_first = args.profile_step_start' >tree/mindspeed_llm/training/training.py
	equal its_source_tells_it_then "$(flags -- $python tree/pretrain_gpt.py $pair)" 'all all skip_first=6,active=1,repeat=1,relative=1 mindspeed_llm 2.0: preset mindspeed-llm-2.0'
	echo 'skip_first = args.profile_step_start - args.iteration - 2' >tree/mindspeed_llm/training/training.py
	equal and_the_one_from_2_2_on "$(flags -- $python tree/pretrain_gpt.py $pair)" '5 all mindspeed_llm 2.2: preset mindspeed-llm-2.2'
	mkdir tree/mindspeed_llm/fsdp2
	touch tree/mindspeed_llm/fsdp2/__init__.py
	equal and_from_26_on_also_of_a_module "$(cd tree && flags -- torchrun -m pretrain_gpt $pair --profile-level level1 --preset mindspeed-llm)" \
		'5 0 mindspeed_llm 26.0: preset mindspeed-llm-26.0'
	program cli/train_dpo.py 'from mindspeed_rl.workers import x'
	equal dpo_is_of_that_release_too "$(flags --preset mindspeed-llm-2.0 -- $python cli/train_dpo.py profiler_config.integrated.profile=true)" \
		'all all skip_first=2,active=1,repeat=1,relative=1 '
	equal and_of_the_newest "$(flags -- $python cli/train_dpo.py profiler_config.integrated.profile=true)" "1 all $untold_llm"
	rm -rf site tree/mindspeed_llm
	equal nobody_s_flags_need_no_release "$(flags -- $python pretrain_gpt.py --lr 1)" 'all all '
	program tree/megatron_gpt.py 'from megatron.training import pretrain'
	mkdir -p tree/megatron/core
	printf 'MAJOR = 0\nMINOR = 16\nPATCH = 1\nPRE_RELEASE = ""\n' >tree/megatron/core/package_info.py
	equal a_checkout_tells_megatron_s "$(flags -- $python tree/megatron_gpt.py $pair)" '5 0 megatron-core 0.16.1: preset megatron-0.16'
	equal also_on_the_path "$(PYTHONPATH="$tmp/tree" flags -- $python megatron_gpt.py $pair)" '5 0 megatron-core 0.16.1: preset megatron-0.16'
	ln -s tree/megatron_gpt.py linked.py
	equal also_where_a_link_leads "$(flags -- $python linked.py $pair)" '5 0 megatron-core 0.16.1: preset megatron-0.16'
	equal not_where_the_line_goes_elsewhere "$(flags -- sh -c "cd /elsewhere && $python tree/megatron_gpt.py $pair" | grep -c '^5 all the version of megatron-core could not be told')" 1
	sed -i 's/^MAJOR/MAJOR: int/' tree/megatron/core/package_info.py
	equal nor_by_a_part_of_a_number "$(flags -- $python tree/megatron_gpt.py $pair | grep -c '^5 all the version of megatron-core could not be told')" 1
	sed -i 's/^MAJOR: int/MAJOR/' tree/megatron/core/package_info.py
	equal else_the_newest_is_said "$(flags -- $python megatron_gpt.py $pair)" "5 all the version of megatron-core could not be told: preset megatron-0.17, the newest, \
and the trainer's settings mean what they do there (another: --preset megatron-0.11 or --preset megatron-0.16)"
	equal unless_one_is_named "$(flags --preset megatron-0.16 -- $python megatron_gpt.py $pair)" '5 0 '
	equal of_a_preset_alone_too "$(flags --preset megatron --steps 2 -- $python train.py)" \
		'2 all the version of megatron-core could not be told: preset megatron-0.17, the newest (another: --preset megatron-0.11 or --preset megatron-0.16)'
	equal beside_another_s_preset_the_settings_are "$(flags --preset pytorch -- $python megatron_gpt.py $pair)" "5 all the version of megatron-core could not be told: \
its settings mean what they do from 0.17 on, the newest (another: --preset megatron-0.11 or --preset megatron-0.16)"
	equal of_which_it_is_not "$(flags --preset vllm -- $python megatron_gpt.py $pair | grep -c "vllm.*settings mean")" 0
	equal a_release_between_is_told_its_preset "$(setting STEPS --preset megatron-0.13 -- $python train.py | tr -d "\n"; cat err)" \
		"ranktrace: --preset: 'megatron-0.13' is no preset: write megatron-0.11, which is for 0.11 to 0.15"
	equal and_one_that_has_a_preset_of_its_own "$(setting STEPS --preset megatron-0.16.1 -- $python train.py | tr -d "\n"; cat err)" \
		"ranktrace: --preset: 'megatron-0.16.1' is no preset: write megatron-0.16, which is for 0.16"
	equal the_page_says_which_release_each_covers "$(sed -n 's/^PRESET("\(\(siirl\|megatron\|mindspeed-llm\)-[0-9.]*\)", "[a-z_-]*", "\(.*\)", "\(.*\)", .*/\1 \3 \4/p' "$here/config/presets.def")" \
		"$(sed -n 's/^| `\([a-z-]*[0-9.]*\)` | \([0-9.]*\) | \([0-9.]*\) |$/\1 \2 \3/p' "$here/docs/trainers.md")"
	# What they come to is said, where nobody has said other steps.
	meant() {
		setting STEPS "$@" >steps
		sed -n 's/^ranktrace: \(\(flags\|settings\) of \)/\1/p' err
	}
	equal one_of_rank_0 "$(meant --preset megatron-0.16 -- $python train.py $pair)" 'flags of Megatron-LM: step 5 of rank 0 (the first step is 0)'
	equal several "$(meant --preset mindspeed-llm-2.2 -- $python train.py $pair --profile-step-end 8 --profile-ranks 0 3)" \
		'flags of MindSpeed-LLM: steps 5-7 of ranks 0,3 (the first step is 1)'
	equal those_since_the_process_began "$(meant --preset mindspeed-llm-2.0 -- $python train.py $pair
		meant --ranks 2 --preset mindspeed-llm-2.0 -- $python train.py $pair --profile-step-start 10 --profile-step-end 21
		meant -- $python train_fsdp2.py 5-.yaml)" "flags of MindSpeed-LLM: the 7th step since the process began, of all ranks
flags of MindSpeed-LLM: the 12th to 22nd step since the process began, of the ranks that are given
settings of MindSpeed-LLM's FSDP2: the 6th step since the process began and all behind it, of rank 0"
	equal stages_too "$(meant --config stage.yaml -- true)" 'settings of MindSpeed-RL: step 1 of all ranks, stages actor_update (the first step is 1)'
	equal but_nothing_that_does_not_count "$(meant --steps 3 --preset megatron-0.16 -- $python train.py $pair; meant --preset megatron-0.16 -- $python train.py --lr 1
		meant --preset megatron-0.16 -- $python train.py; meant --enable false --preset megatron-0.16 -- $python train.py $pair
		meant -- $python -m siirl.main_dag profiler.enable=False)" ''
	# Without the launcher nobody asks.
	said_alone() {
		KIND='megatron 0 1' RANK=0 RANKTRACE_STEPS=2 RANKTRACE_SAVE_PATH="$tmp/alone" LD_PRELOAD="$SANITIZER${SANITIZER:+ }$BUILD/libranktrace.so" RANKTRACE_PRESET=$1 \
			$python train.py 2>&1 | grep -o 'preset .*'
	}
	equal without_the_launcher_it_is_said_too "$(said_alone megatron; said_alone megatron-0.17)" \
		'preset megatron is taken for megatron-0.17, the newest, as no version stands behind it (another: RANKTRACE_PRESET=megatron-0.11 or RANKTRACE_PRESET=megatron-0.16)'

	# Wherever they stand
	equal behind_torchrun "$(setting STEPS -- torchrun --nproc_per_node 8 pretrain_gpt.py $pair)" 5
	equal behind_srun_and_a_launching_module "$(setting STEPS -- srun -m block python3 -u -m torch.distributed.run --nnodes 2 pretrain_gpt.py $pair)" 5
	equal in_a_shell_line "$(setting STEPS -- srun bash -lc "cd x && torchrun 'pretrain_gpt.py' $pair | tee log")" 5
	equal and_verl_s_words "$(setting STEPS -- bash -c 'python3 -m verl.trainer.main_ppo "global_profiler.steps=[2, 4]" # global_profiler.steps=[3]')" 2,4
	equal a_program_that_prepares_says_nothing_of_it "$(setting STEPS -- bash -c "$python megatron_gpt.py --input x && torchrun pretrain_gpt.py $pair") $(grep -c 'of several' err)" '5 0'
	equal of_two_trainers_the_first_counts "$(setting STEPS -- bash -c "torchrun pretrain_gpt.py $pair; python3 -m siirl.main_dag profiler.enable=True") \
$(grep -c "of several trainers in the shell's line the first that says what to profile counts for all" err)" '5 1'
	"$run" --take-over --save-path out -- bash -c "$python pretrain_gpt.py $pair" 2>err
	equal but_none_is_added_there "$? $(cat err)" '2 ranktrace: --take-over: the trainer is in a line of a shell'\''s: add --profile-ranks 1000000000 to its words there'
	"$run" --take-over --print-env --save-path out -- $python pretrain_gpt.py $pair >variables 2>err
	equal who_starts_it_himself_is_told_what_to_add "$(grep -c '^RANKTRACE_STEPS=5$' variables) $(grep take-over err)" \
		"1 ranktrace: --take-over: --print-env changes no command: add --profile-ranks 1000000000 to yours, or the trainer's own profiler runs in these steps, too"
	setting STEPS --take-over -- $python pretrain_gpt.py $pair >steps
	equal who_does_not_is_not "$(grep -c take-over err)" 0
	setting STEPS -- bash -c "$python pretrain_gpt.py --profile --profile-step-start \$FROM" >steps
	equal a_variable_is_not_looked_into "$(cat steps) $(head -n 1 err)" " ranktrace: --profile-step-start: a variable of the shell's is not looked into: \
write its value, or give --steps; without --steps nothing is recorded, the job runs on"
	printf 'torchrun $ARGS pretrain_gpt.py --profile --profile-step-start 5\n' >run.sh
	setting STEPS -- bash run.sh >steps
	equal nor_a_script "$(cat steps) $(head -n 1 err)" "all ranktrace: no trainer of Megatron-LM's is in the command, so the settings of its own profiler are not seen: \
put ranktrace-run before python, or give --steps and --ranks"
	unread=' is not looked into, nor are a trainer'\''s settings in it: write ranktrace-run before torchrun or python there, or --steps and --ranks, or --config FILE here'
	unread() {
		setting STEPS "$@" >steps
		grep -o '^ranktrace: .* is not looked into.*' err
	}
	printf '#!/bin/sh\ntorchrun pretrain_gpt.py $ARGS\n' >pre.sh
	cp pre.sh pre && chmod +x pre
	equal a_script_that_names_no_trainer_is_told_too "$(unread -- bash -euo pipefail pre.sh)" "ranktrace: the script pre.sh$unread"
	equal with_a_preset "$(unread --preset megatron-0.16 -- srun bash pre.sh --profile)" "ranktrace: the script pre.sh$unread"
	equal also_called_by_its_path "$(unread -- ./pre)" "ranktrace: the script ./pre$unread"
	equal and_in_a_line "$(unread -- bash -lc 'source env.sh && bash pre.sh')" "ranktrace: the script pre.sh$unread"
	equal variables_of_a_line_are "$(unread -- bash -c 'torchrun pretrain_gpt.py $GPT_ARGS')" "ranktrace: what \$ stands for in the shell's line$unread"
	equal not_where_steps_are_given_or_nothing_looks_like_a_trainer "$(unread --steps 3 -- bash pre.sh; RANKTRACE_STEPS=3 unread -- bash pre.sh
		unread -- sh -c './store $x'; unread -- sh -c '"$@"' sh ./store; unread -- bash -c "source env.sh && torchrun pretrain_gpt.py $pair"
		unread -- $python -c 'print("$ python")'; unread -- $python megatron_gpt.py --hook pre.sh)" ''
	equal nor_are_words_of_a_module "$(unread -- $python -um pip --hook pre.sh; unread -- bash -c "cd . && $python -m pip --hook pre.sh"; unread -- $python -m pip 'bash pre.sh')" ''
	equal but_those_of_a_launching_one "$(unread -- $python -m torch.distributed.run --no-python bash pre.sh)" "ranktrace: the script pre.sh$unread"
	echo 'steps: [3]' >ours.yaml
	equal a_file_of_ours_goes_before_words_that_are_wrong "$(setting STEPS --config ours.yaml -- $python pretrain_gpt.py --profile --profile-step-start five) \
$(grep -c "this is no number: write one from 1: what the command's words say is left out" err)" '3 1'
	setting STEPS -- $python cli/train_grpo.py --config-name yours >steps
	equal a_file_that_is_not_found_is_asked_for "$(cat steps) $(head -n 1 err)" "all ranktrace: --config-name yours: its file is not found, and its settings are not seen: name it, --config FILE"
}

# ---- pipes: their words are the program's ----

mkfifo script.py words.yaml
# shellcheck disable=SC2086
equal a_script_that_is_a_pipe_is_not_waited_for "$(echo 'print("it ran")' >script.py & timeout 20 "$run" --save-path piped -- $python script.py 2>err)" 'it ran'
# shellcheck disable=SC2086
equal nor_is_a_file_of_settings "$(timeout 20 "$tool" env --script -- $python train_fsdp2.py words.yaml >env.out 2>err; echo $?)" 0

# ---- siiRL ----

# shellcheck disable=SC2086 # lists of words
{
	equal siirl_s_words "$(setting 'STEPS\|RANKS\|LEVEL' -- $python -m siirl.main_dag profiler.enable=True profiler.profile_steps=[2,4] trainer.x=1)" '2,4 0 level1'
	equal a_switch_that_is_off_records_nothing "$(setting STEPS -- $python -m siirl.main_dag profiler.enable=False) $(head -n 1 err)" \
		' ranktrace: profiler.enable is off, so nothing is recorded (to record: switch it on, or give --steps)'
	equal no_steps_are_told_and_no_second_profiler "$(setting STEPS -- $python -m siirl.main_dag profiler.enable=True profiler.profile_steps=null) $(grep -v ': preset\|version of' err)" \
		' ranktrace: profiler.profile_steps: no steps, so nothing is recorded (to record: [2])'
	equal an_option_records_all_the_same "$(setting 'STEPS\|RANKS' --steps 3 -- $python -m siirl.main_dag profiler.enable=False)" '3 all'
}
finish
