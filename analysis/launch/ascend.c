/* ascend.c - what Ascend knows of a command before it runs: CANN's environment, and which torch_npu it would load. */
#include "analysis/launch/vendor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/launch/torch_npu.h"

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* With ASCEND_HOME_PATH torch_npu wants all that set_env.sh sets and the folders that it means. */
static const char *environment(char *const *command)
{
	const char *home = variable("ASCEND_HOME_PATH");
	char path[4096];

	(void)command;
	if (!home)
		return "";
	if (access(home, F_OK))
		return "no-home";
	if (!variable("ASCEND_OPP_PATH"))
		return "no-opp-path";
	snprintf(path, sizeof(path), "%s/runtime", home);
	return access(path, F_OK) ? "no-runtime" : "";
}

static const char *preload(void)
{
	const char *text = variable("LD_PRELOAD"), *us = text ? strstr(text, "/libranktrace.so") : NULL;
	const char *mspti = text ? strstr(text, "/libmspti.so") : NULL;

	return us && mspti && mspti < us ? "mspti-before" : "";
}

static void before_start(struct config *c, char *const *command)
{
	if (c->torch_npu_markers == TORCH_NPU_AUTO)
		c->torch_npu_markers = (int)torch_npu_gate(c, command);
}

/* ---- the names that open gates of torch_npu ---- */

static bool wants_markers(const struct config *c)
{
	return c->torch_npu_markers == TORCH_NPU_MARKERS || c->torch_npu_markers == TORCH_NPU_BOTH;
}

static bool wants_allocator(const struct config *c)
{
	return c->torch_npu_markers == TORCH_NPU_ALLOCATOR || c->torch_npu_markers == TORCH_NPU_BOTH;
}

static const struct launch_preload preloads[] = {
	{ "libmspti", wants_markers, "the markers of torch_npu will not be recorded" },
	{ "libascend_kernel_hook", wants_allocator, "the allocator memory of torch_npu will not be recorded" },
	{ NULL, NULL, NULL },
};

static const struct launch_note notes[] = {
	{ "no-home", "ASCEND_HOME_PATH names a folder that is not there, so torch_npu does not start: source the set_env.sh of CANN" },
	{ "no-opp-path", "ASCEND_HOME_PATH is set and ASCEND_OPP_PATH is not, so torch_npu does not start: source the set_env.sh of CANN" },
	{ "no-runtime",
	  "ASCEND_HOME_PATH has no folder runtime, so torch_npu does not start: source the set_env.sh of CANN" },
	{ "mspti-before",
	  "LD_PRELOAD names libmspti.so before libranktrace.so, so ranktrace does not see its calls: put libranktrace.so "
	  "first, as ranktrace-run does" },
	{ "mspti-first",
	  "libmspti.so is preloaded before libranktrace.so, so ranktrace does not see its calls: put libranktrace.so first, "
	  "as ranktrace-run does" },
	{ "preload-lost",
	  "something removed entries from LD_PRELOAD, where torch_npu looks before it sets markers: keep the entries that "
	  "ranktrace-run adds (ranktrace-run --print-env shows them)" },
	{ "gate-unasked",
	  "torch_npu set no markers, because it does not ask whether they are wanted: it is older than 2.7.1.post8, or "
	  "ASCEND_HOME_PATH has no lib64/libmspti.so: give --torch-npu-markers markers" },
	{ NULL, NULL },
};

const struct launch_vendor ascend_launch = {
	.environment = environment,
	.preload = preload,
	.before_start = before_start,
	.preloads = preloads,
	.notes = notes,
};
