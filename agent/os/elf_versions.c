/* elf_versions.c - versions of names: which an object defines, and which it wants of others. */
#include "agent/base/text.h"
#include "agent/os/elf.h"

static ElfW(Addr) dynamic_value(const struct elf_object *o, ElfW(Sxword) tag)
{
	for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++)
		if (d->d_tag == tag)
			return d->d_un.d_val;
	return 0;
}

/* NULL: it has none. */
static const char *table(const struct elf_object *o, ElfW(Sxword) tag)
{
	ElfW(Addr) at = dynamic_value(o, tag);

	return at ? elf_pointer(o->base, at) : NULL;
}

const char *elf_version_of(const struct elf_object *o, const char *name)
{
	uint32_t symbol = o->versions ? elf_symbol(o, name) : 0;
	ElfW(Addr) left = dynamic_value(o, DT_VERDEFNUM);
	const char *at = table(o, DT_VERDEF);

	for (; symbol && at && left; left--) {
		const ElfW(Verdef) *v = (const void *)at;

		if (v->vd_ndx == (o->versions[symbol] & 0x7fff) && !(v->vd_flags & VER_FLG_BASE))
			return o->strings + ((const ElfW(Verdaux) *)(const void *)(at + v->vd_aux))->vda_name;
		at = v->vd_next ? at + v->vd_next : NULL;
	}
	return NULL;
}

static bool wants_of_file(const struct elf_object *o, const ElfW(Verneed) * need, const char *version)
{
	const char *at = (const char *)need + need->vn_aux;

	for (unsigned int left = need->vn_cnt; left; left--) {
		const ElfW(Vernaux) *v = (const void *)at;

		if (text_equal(o->strings + v->vna_name, version))
			return true;
		at += v->vna_next;
	}
	return false;
}

bool elf_wants_version(const struct elf_object *o, const char *version)
{
	ElfW(Addr) left = dynamic_value(o, DT_VERNEEDNUM);
	const char *at = table(o, DT_VERNEED);

	for (; at && left; left--) {
		const ElfW(Verneed) *v = (const void *)at;

		if (wants_of_file(o, v, version))
			return true;
		at = v->vn_next ? at + v->vn_next : NULL;
	}
	return false;
}
