#!/bin/sh
# What a verl command's words come to is what Hydra itself makes of them and of verl's files, in each release; verl's flat files are read
# without a complaint.
# takes: 50 s
. "$(dirname "$0")/../lib/lib.sh"
need python3
cd "$tmp" || exit
cache=${XDG_CACHE_HOME:-$HOME/.cache}/ranktrace
venv=$cache/hydra-1.3.2
"$venv/bin/python" -c 'import hydra' 2>/dev/null || {
	sh "$here/tests/helpers/python/install.sh" "$venv" pip==26.3 hydra-core==1.3.2 || {
		echo "skip: hydra-core could not be had" && exit 77
	}
} >"$tmp/venv" 2>&1
[ -x "$venv/bin/python" ] || { echo "skip: no venv: $(tail -1 "$tmp/venv")" && exit 77; }
reader=$BUILD/tests/programs/verl_settings
compare() {
	PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$here/tests/names/verl_settings.py" "$@" 2>"$tmp/err"
}

compare "$reader" >said
grep -q 'pip.*download' "$tmp/err" && echo "skip: the packages could not be had" && exit 77
equal each_value_is_as_hydra_has_it "$(tail -5 said; tail -1 "$tmp/err")" "$(sed -n '/^[1-9][0-9]* values, 0 differ$/p' said)"

# A reader that takes every release for the newest.
cat >newest <<END
#!/bin/sh
shift
exec $reader 0.9.1 "\$@"
END
chmod +x newest
compare "$PWD/newest" 0.6.1 >said
equal a_value_that_differs_is_told "$(grep -c "actor.profiler.tool_config.npu.level is 'level1', here level0" said) $(grep -c ' 0 differ' said)" '11 0'

for wheel in "$cache"/names/verl-0.[6-9].*.whl; do
	python3 - "$wheel" <<END
import sys, zipfile
for name in zipfile.ZipFile(sys.argv[1]).namelist():
    if "trainer/config/_generated_ppo" in name:
        open(name.split("/")[-1], "wb").write(zipfile.ZipFile(sys.argv[1]).read(name))
END
	for file in _generated_ppo*.yaml; do
		"$tool" env --config "$file" >env 2>err
		equal "read_$(basename "$wheel" -py3-none-any.whl | tr .- __)_$file" "$? $(grep -v 'no steps, so nothing' err) $(sed -n 's/^RANKTRACE_STEPS=//p' env)" '0  '
		rm "$file"
	done
done
finish
