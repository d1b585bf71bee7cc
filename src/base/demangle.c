/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * demangle: names of C++ and Rust functions that a compiler wrote as symbols, by libiberty.
 *
 * A file may contain any symbols.  A short one can stand for a name that is longer than memory, so libiberty hands over the name piece
 * by piece, and a jump ends it when there are too many.  The stack that it needs grows with the square of the length of the symbol.
 */
#include "config.h"

#include "icecore/name.h"

#ifdef USE_LIBIBERTY

#include <setjmp.h>
#include <string.h>

#include <libiberty/demangle.h>

enum { SYMBOL_MOST = 700, NAME_MOST = 4096 };

struct demangling {
	struct buf	*b;
	size_t		 from;
	jmp_buf		 too_long;
};

static void
demangle_piece(const char *s, size_t n, void *arg)
{
	struct demangling *d = arg;

	if (n > NAME_MOST - (d->b->n - d->from) || d->b->bad)
		longjmp(d->too_long, 1);
	buf_str(d->b, (struct str){ s, n });
}

/* Rust's symbols of old are those of C++ with a hash at the end. */
static bool
demangle_try(const char *symbol, struct demangling *d)
{
	if (setjmp(d->too_long) != 0)
		return false;
	if (rust_demangle_callback(symbol, DMGL_NO_OPTS, demangle_piece, d))
		return true;
	d->b->n = d->from;
	return cplus_demangle_v3_callback(symbol, DMGL_NO_OPTS, demangle_piece, d) != 0;
}

bool
name_demangle(struct str symbol, struct buf *b)
{
	struct demangling d = { .b = b, .from = b->n };
	char text[SYMBOL_MOST + 1];
	size_t skip = str_has_prefix(symbol, STR("__Z"));	/* macOS puts an underscore in front of symbols */

	symbol = str_behind(symbol, skip);
	if ((!str_has_prefix(symbol, STR("_Z")) && !str_has_prefix(symbol, STR("_R"))) || symbol.n > SYMBOL_MOST ||
	    memchr(symbol.s, '\0', symbol.n) != NULL)
		return false;
	memcpy(text, symbol.s, symbol.n);
	text[symbol.n] = '\0';
	if (demangle_try(text, &d) && b->n > d.from)
		return true;
	b->n = d.from;
	return false;
}

#else

bool
name_demangle(struct str symbol, struct buf *b)
{
	(void)symbol;
	(void)b;
	return false;
}

#endif
