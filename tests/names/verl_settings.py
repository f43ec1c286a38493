"""verl_settings.py READER [RELEASE...]: what Hydra makes of verl's files and a command's words, against what READER makes of the words alone.

Of each release the wheel's own files are composed by hydra-core with each set of words. READER VERSION WORD... prints a line for each value
that it knows; Hydra must have the same. Prints what differs, and how many values were looked at.
"""
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import yaml

yaml.SafeLoader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same, sooner; before OmegaConf derives its own from it

from hydra import compose, initialize_config_dir
from omegaconf import ListConfig, OmegaConf

import names

RELEASES = ["0.6.1", "0.7.0", "0.7.1", "0.8.0", "0.9.0", "0.9.1"]
ACTOR = "actor_rollout_ref.actor.profiler"
NPU = ACTOR + ".tool_config.npu"
ROLLOUT = "actor_rollout_ref.rollout.profiler"

# Words, and the first release that has what they set.
SETS = [
    ("0.6", []),
    ("0.6", ["global_profiler.tool=npu", "global_profiler.steps=[2,4]", ACTOR + ".enable=True", ACTOR + ".ranks=[0]",
             NPU + ".contents=['npu','cpu']"]),
    ("0.6", ["global_profiler.steps=null", "global_profiler.profile_continuous_steps=true", "global_profiler.save_path='/tmp/a b'"]),
    ("0.6", [ACTOR + ".all_ranks=True", NPU + ".discrete=True", NPU + ".level=level2", "actor_rollout_ref.ref.profiler.enable=False"]),
    ("0.6", ["++" + NPU + ".contents=[]", "~critic.profiler.tool_config.npu.analysis", "+" + ACTOR + ".note=\"a,b\""]),
    ("0.6", [NPU + ".contents=null", ACTOR + ".ranks=null", "critic.profiler.ranks=[ 1 , 2 ]"]),
    ("0.6", ["global_profiler.global_tool_config.nsys.discrete=True", "global_profiler.tool=nsys"]),
    ("0.6", [ACTOR + ".tool=torch", "critic.profiler.enable=${" + ACTOR + ".enable}", "critic.profiler.all_ranks=${.enable}"]),
    ("0.6", [NPU + "={level:level1,contents:[npu,memory]}", "critic.profiler={enable:true}"]),
    ("0.6", ["critic.profiler.save_path='${oc.select:trainer.nowhere,${oc.select:global_profiler.save_path,null}}'"]),
    ("0.6", ["global_profiler.save_path='${oc.env:HOME}/of ${global_profiler.tool}'", "global_profiler.tool='${oc.env:RANKTRACE_NOT,torch}'"]),
    ("0.6", [ACTOR + ".ranks=[${oc.select:trainer.nowhere,3},5]", "global_profiler.steps=[]"]),
    ("0.7.1", [ROLLOUT + ".enable=True", ROLLOUT + ".tool_config.npu.discrete=True", NPU + ".level=level1"]),
    ("0.9", [ROLLOUT + ".tool_config.npu.profile_token_start=30", ROLLOUT + ".tool_config.npu.profile_token_end=60",
             ACTOR + ".tool_config.torch.schedule={wait:1,warmup:1,active:2}"]),
    ("0.9.1", ["global_profiler.relocate_results=True"]),
]


def numbers(release):
    return [int(n) for n in release.split(".")]


def files(words):
    """All files have the same profilers' trees, so one set of words is enough for the second."""
    return ["ppo_trainer", "ppo_megatron_trainer"] if words == SETS[1][1] else ["ppo_trainer"]


def value(text):
    """A printed value as Python has it."""
    if text.startswith("["):
        return [value(item) for item in text[1:-1].split(",")] if text != "[]" else []
    words = {"null": None, "true": True, "false": False}
    return words[text.lower()] if text.lower() in words else int(text) if text.isdigit() else text


def plain(node):
    return [plain(item) for item in node] if isinstance(node, (ListConfig, list)) else node


def differences(reader, folder, release, file, words):
    """(values looked at, lines of what differs)"""
    with initialize_config_dir(config_dir=str(folder), version_base=None):
        config = compose(config_name=file, overrides=words)
    said = subprocess.run([reader, release, *words], capture_output=True, text=True, check=True).stdout.splitlines()
    wrong = []
    for line in said:
        path, ours = line.split("=", 1)
        theirs = plain(OmegaConf.select(config, path))
        if theirs != value(ours):
            wrong.append(f"{release} {file} {words}: {path} is {theirs!r}, here {ours}")
    return len(said), wrong


def main():
    looked_at, wrong = 0, []
    for release in sys.argv[2:] or RELEASES:
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(names.wheel("verl==" + release)).extractall(folder)
            config = pathlib.Path(folder, "verl/trainer/config")
            for since, words in SETS:
                for file in files(words) if numbers(since) <= numbers(release) else ():
                    count, more = differences(sys.argv[1], config, release, file, words)
                    looked_at += count
                    wrong += more
    print("\n".join(wrong + [f"{looked_at} values, {len(wrong)} differ"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
