#include <string.h>
#include "agent/os/elf.h"

/* Among pieces with these rights. *any: there are some. */
BARE static bool has_text(const struct elf_object *o, const char *text, uint32_t rights, bool *any)
{
	for (unsigned int i = 0; i < o->header_count; i++) {
		const ElfW(Phdr) *p = &o->headers[i];

		if (p->p_type != PT_LOAD || p->p_flags != rights)
			continue;
		*any = true;
		if (memmem((const void *)(o->base + p->p_vaddr), p->p_filesz, text, strlen(text)))
			return true;
	}
	return false;
}

/* What is only read stands among the code where a linker was told to save pages. */
bool elf_has_text(const struct elf_object *o, const char *text)
{
	bool any = false;

	return has_text(o, text, PF_R, &any) || (!any && has_text(o, text, PF_R | PF_X, &any));
}
