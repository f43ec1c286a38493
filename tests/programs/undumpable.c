/* undumpable.c - preloaded: nobody of the program's user may look into it, as after sudo or in a setuid program. */
#include <sys/prctl.h>

static __attribute__((constructor)) void hide(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}
