/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strings: text in the source.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/columns_forms.h"
#include "inside.h"

#define SOME 4096u		/* bytes of a column looked at at a time */
#define LENGTH_BITS 24
#define OFFSET_MAX ((1ull << 40) - 1)
/* Offsets from here on are of own text: no source is as large, and all own text fits. */
#define OWN_FROM ((1ull << 40) - (1ull << 34))

uint64_t
ref_make(uint64_t offset, uint64_t length)
{
	if (offset > OFFSET_MAX || length == 0)
		return 0;
	if (length > REF_MAX)
		length = REF_MAX;
	return offset << LENGTH_BITS | length;
}

/* The text of a store over a file is a column. */
static struct str
own_of(const struct store *st)
{
	const struct column *text = st->below == NULL ? store_column(st, COL_HEAP_TEXT) : NULL;

	return text == NULL || text->type != COL_BYTES ? st->own : (struct str){ column_all(text), (size_t)text->rows };
}

uint64_t
store_own_at(const struct store *st)
{
	uint64_t at = OWN_FROM;

	for (st = st->below; st != NULL; st = st->below)
		at += own_of(st).n;
	return at;
}

void
store_own_text(struct store *st, struct str text)
{
	st->own = text;
}

void
store_own_map(struct store *st, struct map *m)
{
	assert(st->below != NULL);
	map_close(&st->raw);
	st->raw = *m;
	st->own = (struct str){ (const char *)m->data, (size_t)m->size };
	*m = (struct map){ .slot = -1 };
}

struct str
store_own(const struct store *st)
{
	return st->own;
}

static struct str
own_text(const struct store *st, uint64_t offset, uint64_t length)
{
	struct str own;
	uint64_t at;

	for (; st != NULL; st = st->below) {
		own = own_of(st);
		at = offset - store_own_at(st);
		if (own.n > 0 && at < own.n && length <= own.n - at)
			return (struct str){ own.s + at, (size_t)length };
	}
	return STR("");
}

struct str
store_text(const struct store *st, uint64_t ref)
{
	const struct map *source = store_source(st);
	uint64_t offset = ref >> LENGTH_BITS, length = ref & REF_MAX;

	if (offset >= OWN_FROM)
		return own_text(st, offset, length);
	if (length == 0 || offset > source->size ||
	    length > source->size - offset)
		return STR("");
	return (struct str){
		(const char *)source->data + offset, (size_t)length
	};
}

struct str
column_text(const struct column *c, uint64_t place)
{
	struct str s = STR("");
	uint64_t end;

	if (c == NULL || c->type != COL_BYTES || place == 0 || place > c->rows)
		return s;
	/* Texts are short, the column may be large. */
	for (end = place - 1; end < c->rows; end += SOME) {
		s.s = column_span(c, end, SOME);
		s.n = (size_t)(c->rows - end < SOME ? c->rows - end : SOME);
		if (memchr(s.s, '\0', s.n) != NULL)
			break;
	}
	s.s = (const char *)c->values + place - 1;
	s.n = strnlen(s.s, (size_t)(c->rows - place + 1));
	return s;
}
