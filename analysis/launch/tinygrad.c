/* tinygrad.c - of tinygrad's drivers two go past every vendor's library, to the device's files themselves: which one would it take? */
#include "analysis/launch/vendor.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "agent/base/text.h"
#include "analysis/launch/python_ask.h"

/* Of `env -u AMD DEV=NV python3 ...` the words before the program count. */
static const char *variable(char *const *command, const char *name)
{
	const char *value = getenv(name);
	size_t length = strlen(name);

	if (!command || !*command || strcmp(text_basename(*command), "env"))
		return value ? value : "";
	while (*++command && (strchr(*command, '=') || **command == '-')) {
		if (!strcmp(*command, "-i") || !strcmp(*command, "--ignore-environment"))
			value = NULL;
		else if (!strcmp(*command, "-u") && command[1] && !strcmp(*++command, name))
			value = NULL;
		else if (!strncmp(*command, name, length) && (*command)[length] == '=')
			value = *command + length + 1;
	}
	return value ? value : "";
}

/* DEV is a driver, maybe with an interface before it and a compiler behind it: PCI+AMD:LLVM. */
static bool is_driver(const char *dev, const char *driver)
{
	const char *plus = strchr(dev, '+'), *name = plus ? plus + 1 : dev;
	size_t length = strlen(driver);

	return !strncasecmp(name, driver, length) && !isalnum((unsigned char)name[length]);
}

/* Releases up to 0.12 are told by NV=1, too. */
static bool takes(char *const *command, const char *driver)
{
	const char *dev = variable(command, "DEV");

	return *dev ? is_driver(dev, driver) : !strcmp(variable(command, driver), "1");
}

static const char *environment(char *const *command)
{
	return takes(command, "NV") ? "tinygrad-nv" : takes(command, "AMD") ? "tinygrad-amd"
									    : "";
}

/* Where nobody says which, AMD and NV are tried before all that are seen. */
static bool is_chosen(char *const *command)
{
	static const char *const drivers[] = { "CUDA", "HIP", "CL", "GPU", "CPU", "CLANG", "LLVM", "PYTHON" };

	for (size_t i = 0; i < sizeof(drivers) / sizeof(*drivers); i++)
		if (takes(command, drivers[i]))
			return true;
	return *variable(command, "DEV");
}

static const char question[] = PYTHON_QUESTION "if importlib.util.find_spec('tinygrad'): answer('yes')\n";

static const char *packages(char *const *command)
{
	char told[8];

	if (*environment(command) || is_chosen(command) || !python_is_in(command))
		return "";
	return python_ask(command, question, told, sizeof(told)) ? "tinygrad-there" : "";
}

static const struct launch_note notes[] = {
	{ "tinygrad-nv", "DEV=NV (or NV=1) has tinygrad drive the GPU itself, past libcuda, where nothing is seen of it: set DEV=CUDA" },
	{ "tinygrad-amd",
	  "DEV=AMD (or AMD=1) has tinygrad drive the GPU itself, past libamdhip64, where nothing is seen of it: set DEV=HIP" },
	{ "tinygrad-there",
	  "this Python has tinygrad, which drives a GPU itself unless it is told otherwise, past libcuda and libamdhip64, where "
	  "nothing is seen of it: set DEV=CUDA or DEV=HIP if the program uses it" },
	{ NULL, NULL },
};

const struct launch_vendor tinygrad_launch = { .environment = environment, .packages = packages, .notes = notes };
