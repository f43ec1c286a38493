#!/bin/sh
# The wheel for x86-64, installed from its file as people install: a training job is traced from there, with exact counts and the
# same report each time, and what is uninstalled leaves nothing.
. "$(dirname "$0")/../lib/lib.sh"
. "$here/tests/lib/packages.sh"
. "$here/tests/lib/pythons.sh"

need_wheels "$x86"
need unshare
get_tools
export RANK=0
"$lm" --quiet --steps 3 >/dev/null	# PoCL keeps its kernels: later it needs no linker
RANKTRACE_BUILD=$BUILD "$run" --save-path out --steps 2 -- "$lm" --quiet --steps 3 >/dev/null 2>&1
same "$tool" >wanted
equal the_tree_records_what_is_to_be_recorded "$(grep -c "'called': 31, 'kept': 31," wanted)" 1

# traces NAME COMMAND...: with these words for ranktrace (with `run` behind them, or -run at their end, for ranktrace-run)
traces() {
	who=$1 launcher=$2 reader=$3
	rm -rf out
	$launcher --save-path "$tmp/out" --steps 2 -- "$lm" --quiet --steps 3 >printed 2>said
	equal "${who}_a_job_ends_well" "$?$(cat printed)$(grep -v -e ' 31 events, 0 lost' -e '^ranktrace: next: ' said)" 0
	$reader report --format json "$tmp/out" 2>unread | /usr/bin/python3 "$helpers/same_report.py" >got
	holds "${who}_the_report_is_the_same" cmp wanted got
}

# all_below FOLDER: its files and folders but for caches of bytecode
all_below() { find "$1" -name __pycache__ -prune -o -print | sort; }

for each in $(pythons); do
	python=${each#*:} with=python_${each%%:*}
	"$python" -m venv venv || { fail "${with}_has_venv" "no venv"; continue; }
	all_below venv >before
	holds "${with}_pip_installs" venv/bin/pip install --no-index "$x86"
	traces "$with" venv/bin/ranktrace-run venv/bin/ranktrace
	traces "${with}_by_module" "venv/bin/python -m ranktrace run" "venv/bin/python -m ranktrace"
	fake_opencl gcc .
	LD_LIBRARY_PATH=$tmp venv/bin/ranktrace-run --save-path "$tmp/steps" --steps 2,3 -- venv/bin/python "$helpers/steps.py" >printed 2>said
	venv/bin/python "$helpers/module.py" steps "$(realpath venv)/$(cd venv && echo lib/python3*)/site-packages/ranktrace/lib/ranktrace/libranktrace.so" >module 2>&1
	equal "${with}_the_module_reads_the_steps_that_it_told" "$? $(cat printed) $(grep -v ^ok module)" '0 15 [0] '
	holds "${with}_pip_uninstalls" venv/bin/pip uninstall -y ranktrace
	all_below venv >after
	holds "${with}_leaves_nothing" cmp before after
	rm -rf venv steps libOpenCL.so.1
done

# ---- other installers ----

export UV_TOOL_DIR="$tmp/uv" UV_TOOL_BIN_DIR="$tmp/uv-bin" UV_CACHE_DIR="$tmp/uv-cache" UV_OFFLINE=1
holds uv_tool_installs "$tools/bin/uv" tool install --python /usr/bin/python3 "$x86"
traces uv uv-bin/ranktrace-run uv-bin/ranktrace
holds uv_tool_uninstalls "$tools/bin/uv" tool uninstall ranktrace
equal uv_tool_leaves_nothing "$(find uv uv-bin -name '*ranktrace*')" ''
export PIPX_HOME="$tmp/pipx" PIPX_BIN_DIR="$tmp/pipx-bin" PIPX_MAN_DIR="$tmp/pipx-man" PIPX_DEFAULT_PYTHON=/usr/bin/python3
holds pipx_installs "$tools/bin/pipx" install --backend pip "$x86"
traces pipx pipx-bin/ranktrace-run pipx-bin/ranktrace
holds pipx_uninstalls "$tools/bin/pipx" uninstall ranktrace
equal pipx_leaves_nothing "$(find pipx pipx-bin pipx-man -name '*ranktrace*' ! -path '*/logs/*' ! -name '.*.lock' 2>/dev/null)" ''

# ---- odd places ----

/usr/bin/python3 -m venv venv && venv/bin/pip install -q --no-index "$x86"
mkdir path
for program in sh $(dpkg -L coreutils | sed -n 's|^\(/usr\)\{0,1\}/bin/||p'); do ln -s "$(command -v "$program")" path/; done
traces with_a_shell_and_coreutils_alone "env PATH=$tmp/path $tmp/venv/bin/ranktrace-run" "env PATH=$tmp/path $tmp/venv/bin/ranktrace"

# Not even a superuser writes there.
cat >read-only <<'T'
#!/bin/sh
exec unshare -rm sh -c 'mount --bind venv venv && mount -o remount,ro,bind venv && ! touch venv/here 2>/dev/null && exec "$@"' sh "$@"
T
chmod +x read-only
traces from_where_nobody_may_write "./read-only venv/bin/ranktrace-run" "./read-only venv/bin/ranktrace"

mkdir 'a blank' && /usr/bin/python3 -m venv 'a blank/venv' && 'a blank/venv/bin/pip' install -q --no-index "$x86"
cat >blank <<'T'
#!/bin/sh
exec "./a blank/venv/bin/ranktrace-run" "$@"
T
chmod +x blank
traces below_a_path_with_a_blank ./blank venv/bin/ranktrace
venv/bin/pip install -q --no-index --target 'co:lon' "$x86"
cat >colon <<'T'
#!/bin/sh
cd co:lon && exec ../venv/bin/python -m ranktrace run "$@"
T
chmod +x colon
traces below_a_path_with_a_colon ./colon venv/bin/ranktrace
equal no_link_is_left "$(find "$RANKTRACE_SESSION_ROOT"-* -mindepth 1)" ''

# ---- an upgrade under a running job ----

gcc -std=gnu11 -D_GNU_SOURCE -I"$here" -w -fPIC -shared -Wl,-soname,libOpenCL.so.1 -o libOpenCL.so.1 "$here/tests/helpers/kill/fake_opencl_kill.c" &&
	gcc -std=gnu11 -D_GNU_SOURCE -I"$here" -o waiter "$here/tests/helpers/systems/waiter.c" ./libOpenCL.so.1 -Wl,-rpath,"$tmp" -pthread
# meanwhile NAME COMMAND...: it comes between two halves of a job's calls
meanwhile() {
	what=$1
	shift
	rm -rf out counts up down
	truncate -s 4096 counts
	mkfifo up down
	(
		FAKE_COUNTS=counts venv/bin/ranktrace-run --save-path out --steps all --contents cpu -- ./waiter <down >up 2>said
		echo $? >status
	) &
	exec 8>down 9<up
	read -r line <&9
	holds "$what" "$@"
	echo go >&8
	read -r line <&9
	exec 8>&- 9<&-
	wait
	equal "${what}_the_job_ends_well" "$line $(cat status)" 'done 0'
	holds "${what}_every_call_is_recorded" /usr/bin/python3 "$here/tests/helpers/python/called.py" "$tool" out counts
}
meanwhile an_upgrade_under_a_running_job venv/bin/pip install --no-index --force-reinstall "$x86"
meanwhile an_uninstall_under_a_running_job venv/bin/pip uninstall -y ranktrace
finish
