#include "analysis/util/packer.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "analysis/util/alloc.h"

#define FAST 1 /* level: exports are as fast as the disk */

struct packer {
	enum packing packing;
	bool open; /* the piece has begun */
	ZSTD_CCtx *zstd;
#ifdef HAVE_ZLIB
	z_stream gz;
#endif
	char room[1u << 16];
};

static const char *const words[] = { [PACKING_NONE] = "", [PACKING_GZ] = "gz", [PACKING_ZST] = "zst" };
static const char *const suffixes[] = { [PACKING_NONE] = "", [PACKING_GZ] = ".gz", [PACKING_ZST] = ".zst" };

enum packing packing_of_word(const char *word)
{
	enum packing packing = PACKING_ZST;

	while (packing && strcmp(word, words[packing]))
		packing--;
	return packing;
}

enum packing packing_of_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? packing_of_word(dot + 1) : PACKING_NONE;
}

const char *packing_suffix(enum packing packing)
{
	return suffixes[packing];
}

bool packing_is_there(enum packing packing)
{
#ifndef HAVE_ZLIB
	if (packing == PACKING_GZ) {
		fputs("ranktrace: this build writes no .gz, as zlib was not there (Debian: zlib1g-dev); write .zst, or none\n", stderr);
		return false;
	}
#endif
	(void)packing;
	return true;
}

struct packer *packer_new(enum packing packing)
{
	struct packer *p = alloc_zero(1, sizeof(*p));

	p->packing = packing;
	if (packing == PACKING_ZST && (p->zstd = ZSTD_createCCtx()))
		ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, FAST);
	return p;
}

void packer_free(struct packer *p)
{
	if (!p)
		return;
	ZSTD_freeCCtx(p->zstd);
#ifdef HAVE_ZLIB
	if (p->open && p->packing == PACKING_GZ)
		deflateEnd(&p->gz);
#endif
	free(p);
}

static int put_zst(struct packer *p, const char *data, size_t size, bool last, int (*put)(void *, const char *, size_t), void *context)
{
	ZSTD_inBuffer in = { data, size, 0 };
	size_t rest = 1;
	int rc = 0;

	while (!rc && (in.pos < size || (last && rest))) {
		ZSTD_outBuffer out = { p->room, sizeof(p->room), 0 };

		rest = p->zstd ? ZSTD_compressStream2(p->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue) : 0;
		if (!p->zstd || ZSTD_isError(rest))
			return ENOMEM;
		rc = put(context, p->room, out.pos);
	}
	return rc;
}

#ifdef HAVE_ZLIB
static int put_gz(struct packer *p, const char *data, size_t size, bool last, int (*put)(void *, const char *, size_t), void *context)
{
	int rc = 0;

	/* 16: with gzip's head. */
	if (!p->open && deflateInit2(&p->gz, FAST, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return ENOMEM;
	p->gz.next_in = (Bytef *)(uintptr_t)data;
	p->gz.avail_in = (uInt)size;
	do {
		p->gz.next_out = (Bytef *)p->room;
		p->gz.avail_out = sizeof(p->room);
		deflate(&p->gz, last ? Z_FINISH : Z_NO_FLUSH);
		rc = put(context, p->room, sizeof(p->room) - p->gz.avail_out);
	} while (!rc && !p->gz.avail_out);
	if (last)
		deflateEnd(&p->gz);
	return rc;
}
#else
static int put_gz(struct packer *p, const char *data, size_t size, bool last, int (*put)(void *, const char *, size_t), void *context)
{
	(void)p, (void)data, (void)size, (void)last, (void)put, (void)context;
	return ENOSYS;
}
#endif

int packer_put(struct packer *p, const char *data, size_t size, bool last, int (*put)(void *, const char *, size_t), void *context)
{
	int rc;

	if (!size && !p->open)
		return 0;
	rc = (p->packing == PACKING_GZ ? put_gz : put_zst)(p, data, size, last, put, context);
	p->open = !last;
	return rc;
}
