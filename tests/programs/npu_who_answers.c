/* npu_who_answers.c - NAME WHEN ours|theirs: whose function dlsym answers for a name of CANN's, before a call has started ranktrace and after. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = { "aclCreateTensor", "aclDestroyTensorList", "SetPTAHashKey", "PTAFindExecCache", "aclnnAdd" };

static void tell(const char *when, void *library)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		void *function = dlsym(library, names[i]);
		Dl_info where;

		if (function && dladdr(function, &where))
			printf("%s %s %s\n", names[i], when, strstr(where.dli_fname, "libranktrace") ? "ours" : "theirs");
	}
}

int main(void)
{
	void *runtime = dlopen("libascendcl.so", RTLD_NOW | RTLD_GLOBAL), *operators = dlopen("libopapi.so", RTLD_NOW | RTLD_GLOBAL);
	int (*set_device)(int) = runtime ? (int (*)(int))dlsym(runtime, "aclrtSetDevice") : NULL;
	int (*synchronize)(void) = runtime ? (int (*)(void))dlsym(runtime, "aclrtSynchronizeDevice") : NULL;

	if (!operators || !set_device || !synchronize)
		return 2;
	tell("before", operators);
	if (set_device(0) || synchronize())
		return 3;
	tell("after", operators);
	return 0;
}
