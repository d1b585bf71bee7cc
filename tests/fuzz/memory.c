/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory: what libraries write to variables of ours, for builds with a memory sanitizer, which does not see into libraries.  All memory
 * of the heap is taken for written, except what src/base/mem.c marks.
 */
#include "config.h"

#if defined __has_feature
#if __has_feature(memory_sanitizer)
#include <curses.h>
#include <dlfcn.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <sanitizer/msan_interface.h>
#include <zlib.h>

#define REAL(name, ...) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		real = (__typeof__(&name))dlsym(RTLD_NEXT, #__VA_ARGS__)

const char	*__msan_default_options(void);

const char *
__msan_default_options(void)
{
	return "poison_in_malloc=0:poison_in_free=0:intercept_strlen=0:intercept_memcmp=0";
}

int
inflate(z_streamp z, int flush)
{
	Bytef *to = z->next_out;
	uInt room = z->avail_out;
	int rc;
	REAL(inflate, inflate);

	rc = real(z, flush);
	__msan_unpoison(z, sizeof *z);
	__msan_unpoison(to, room - z->avail_out);
	return rc;
}

void
sha256_digest(struct sha256_ctx *context, size_t n, uint8_t *digest)
{
	REAL(sha256_digest, nettle_sha256_digest);
	real(context, n, digest);
	__msan_unpoison(digest, n);
}

void
hmac_sha256_digest(struct hmac_sha256_ctx *context, size_t n, uint8_t *digest)
{
	REAL(hmac_sha256_digest, nettle_hmac_sha256_digest);
	real(context, n, digest);
	__msan_unpoison(digest, n);
}

int
win_wch(WINDOW *window, cchar_t *cell)
{
	REAL(win_wch, win_wch);
	__msan_unpoison(cell, sizeof *cell);
	return real(window, cell);
}

int
getcchar(const cchar_t *cell, wchar_t *text, attr_t *attributes, short *pair, void *none)
{
	REAL(getcchar, getcchar);
	if (text != NULL)
		__msan_unpoison(text, (CCHARW_MAX + 1) * sizeof *text);
	__msan_unpoison(attributes, sizeof *attributes);
	__msan_unpoison(pair, sizeof *pair);
	return real(cell, text, attributes, pair, none);
}
#endif
#endif
