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
finish
