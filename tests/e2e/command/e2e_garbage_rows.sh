#!/bin/sh
# Each row of every vendor but OpenCL (e2e_arguments.sh has those), called with 0 and with a wild address in every place, on libraries that refuse all
# calls: nobody looks at anything, and each call is recorded once, with that answer. Rows that have no status to refuse with are left out.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit 1
find "$here/hooks" -name '*.def' -exec sed -n 's/^HOOK_[A-Z_]*VOID(\([A-Za-z0-9_]*\),.*/\1/p; s/^HOOK_[A-Z_]*PTR0*([^,]*, *\([A-Za-z0-9_]*\),.*/\1/p; s/^HOOK_QUIET(\([A-Za-z0-9_]*\),.*/\1/p; s/^HOOK(void, *\([A-Za-z0-9_]*\),.*/\1/p' {} + >void
# Of a large structure that is given as such aarch64 gets the address, which only a compiler makes.
large=none
[ -z "${EMULATED-}" ] || large='^(aclmdlRIAddCondTask|aclrtIpcOpenEventHandle|cu(da)?IpcOpenMemHandle|hipIpcOpenMemHandle|(cuda|hip)(Malloc3D|MallocMipmapped|Memset3D)|ncclCommInitRank)'
"$tool" hooks | awk -v large="$large" 'NR == FNR { left_out[$1]; next } $1 ~ /^[A-Za-z0-9_]+$/ && !($1 in left_out) && $1 !~ large && $NF ~ /^lib/ &&
	$NF !~ /OpenCL|ms_tools_ext|roctx|c10|nnopbase/ { print $NF, $1, $3, $2 }' void - >rows
for library in $(cut -d' ' -f1 rows | sort -u); do
	{ echo 'extern long refused_calls;' && awk -v library="$library" '$1 == library && !($2 in had) { had[$2]; print "long " $2 "(void) { refused_calls++; return 999; }" }' rows; } |
		${CC:-gcc} -O1 -w -shared -fPIC -x c -Wl,-soname,"$library" -o "$library" - || exit 1
done
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -rdynamic -o garbage "$here/tests/programs/garbage_rows.c" -Wl,--no-as-needed lib*.so* -ldl -Wl,-rpath,"$tmp" || exit 1
awk '{ print $2 }' rows | sort -u >names
calls=$((2 * $(grep -c . names)))
equal each_row_is_called_without_us "$(./garbage <names)" "$calls calls"
RANKTRACE_STEPS=100 RANKTRACE_STEP_SOURCE=api "$run" --save-path dormant -- ./garbage <names >said 2>log
equal dormant_they_answer_the_same "$? $(sed '$d' said)" '0 ' # some calls more are ours
"$run" --save-path recorded --steps all --level level1 --contents cpu,memory,device,shapes -- ./garbage <names >said 2>log
equal recorded_they_answer_the_same "$? $(sed '$d' said)" '0 '
"$tool" dump --format jsonl recorded | sed -n 's/.*"name":"\([^"]*\)".*"result":999.*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }' >got
awk '$3 != "never" && $3 != "shapes" { print $2, 2 }' rows | sort -u >wanted
equal each_call_is_recorded_once_with_its_answer "$(diff wanted got | head -n 5) $(test "$(grep -c . got)" -gt 1300; echo $?)" ' 0'
finish
