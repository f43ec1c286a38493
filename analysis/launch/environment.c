#include "analysis/launch/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* With ASCEND_HOME_PATH torch_npu wants all that set_env.sh sets and the folders that it means. */
const char *environment_of_ascend(void)
{
	const char *home = variable("ASCEND_HOME_PATH");
	char path[4096];

	if (!home)
		return "";
	if (access(home, F_OK))
		return "no-home";
	if (!variable("ASCEND_OPP_PATH"))
		return "no-opp-path";
	snprintf(path, sizeof(path), "%s/runtime", home);
	return access(path, F_OK) ? "no-runtime" : "";
}

const char *environment_of_preload(void)
{
	const char *preload = variable("LD_PRELOAD"), *us = preload ? strstr(preload, "/libranktrace.so") : NULL;
	const char *mspti = preload ? strstr(preload, "/libmspti.so") : NULL;

	return us && mspti && mspti < us ? "mspti-first" : "";
}
