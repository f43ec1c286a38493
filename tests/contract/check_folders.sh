#!/bin/sh
# Folders include and call in one direction (scripts/dev/folder-order), and the check of it can say no.
. "$(dirname "$0")/../lib/lib.sh"

need python3
check=$here/scripts/dev/check-includes
holds folders_include_and_call_in_one_direction "$check" "$BUILD"

# planted NAME FILE LINE: in a copy of the tree with this line in it, the file is told
mkdir "$tmp/tree" "$tmp/build"
cp -r "$here/agent" "$here/config" "$here/hooks" "$here/analysis" "$here/scripts" "$tmp/tree"
check=$tmp/tree/scripts/dev/check-includes
planted() {
	kept=$(cat "$tmp/tree/$2" 2>/dev/null && echo .)
	echo "$3" >>"$tmp/tree/$2"
	equal "$1" "$("$check" "$tmp/build" 2>&1)" "$4"
	[ "$kept" ] && printf '%s' "${kept%.}" >"$tmp/tree/$2"
}
equal the_copy_is_in_order "$("$check" "$tmp/build" 2>&1)" ''
planted an_include_of_a_folder_above_is_told agent/base/text.h '#include "agent/steps/steps.h"' \
	'agent/base/text.h: includes agent/steps/steps.h'
planted an_include_of_a_neighbour_is_told hooks/opencl/tracking.c '#include "hooks/ascend/tracking/tracking.h"' \
	'hooks/opencl/tracking.c: includes hooks/ascend/tracking/tracking.h'
planted a_bare_name_is_told agent/os/clock.c '#include "clock.h"' \
	"agent/os/clock.c:$(($(wc -l <"$here/agent/os/clock.c") + 1)): \"clock.h\" is no path from the root"
planted a_vendors_header_is_told hooks/opencl/size.c '#include <CL/cl.h>' \
	"hooks/opencl/size.c:$(($(wc -l <"$here/hooks/opencl/size.c") + 1)): a vendor's own header"

# A call without an include.
cd "$tmp" || exit 1
mkdir -p build/so/agent/os build/so/agent/steps
echo 'int steps_said(void); int clock_asks(void); int clock_asks(void) { return steps_said(); }' >clock.c
echo 'int steps_said(void); int steps_said(void) { return 1; }' >steps.c
${CC:-gcc} -c -o build/so/agent/os/clock.c.o clock.c && ${CC:-gcc} -c -o build/so/agent/steps/steps.c.o steps.c || exit 1
equal a_call_without_an_include_is_told "$("$check" build 2>&1)" 'agent/os/clock.c: uses steps_said() of agent/steps/steps.c'
rm -r build/so

mkdir tree/agent/attic
echo >tree/agent/attic/box.c
equal a_folder_that_nobody_listed_is_told "$("$check" build 2>&1)" \
	'agent/attic/box.c: its folder stands in no line of scripts/dev/folder-order'
finish
