#include "analysis/launch/torch_npu.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/launch/python_ask.h"
#include "config/option.h"

/* Nothing is imported that Python has not anyway. */
static const char question[] = PYTHON_QUESTION
	"spec = importlib.util.find_spec('torch_npu')\n"
	"for place in spec and spec.submodule_search_locations or ():\n"
	"    answer(place)\n";

static bool file_has(const char *path, const char *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat st;
	bool has;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return false;
	has = memmem(bytes, (size_t)st.st_size, text, strlen(text));
	munmap(bytes, (size_t)st.st_size);
	return has;
}

static bool asks(char *const *command)
{
	char folder[4096], library[4096 + 32];

	if (!python_ask(command, question, folder, sizeof(folder)))
		return false;
	snprintf(library, sizeof(library), "%s/lib/libtorch_npu.so", folder);
	return file_has(library, "msptiActivityIsEnabled");
}

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* Without that file it does not ask, whatever it is. */
static bool mspti_is_there(void)
{
	const char *home = variable("ASCEND_HOME_PATH");
	char path[4096];

	snprintf(path, sizeof(path), "%s/lib64/libmspti.so", home ? home : "");
	return home && !access(path, F_OK);
}

enum option_word torch_npu_gate(const struct config *c, char *const *command)
{
	bool wanted = c->enable && (c->steps.all || c->steps.count);

	if (!variable("ASCEND_HOME_PATH") && !variable("ASCEND_TOOLKIT_HOME") && !variable("ASCEND_OPP_PATH"))
		return TORCH_NPU_AUTO;
	return wanted && mspti_is_there() && asks(command) ? TORCH_NPU_ASK : TORCH_NPU_MARKERS;
}
