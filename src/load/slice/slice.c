/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice: cuts a file as its loader does.
 */
#include "config.h"

#include "icecore/facts.h"
#include "load/decode.h"
#include "slice.h"

bool
slice_can(const struct store *st, struct err *err)
{
	const struct loader *l = load_loader(st);
	struct buf b = BUF_INIT;

	if (l != NULL && l->slice != NULL)
		return true;
	for (const struct loader *const *other = loaders; *other != NULL; other++)
		if ((*other)->slice != NULL)
			buf_printf(&b, "%s%s", b.n > 0 ? ", " : "", (*other)->name);
	fail(err, E_UNREADABLE, "format %s cannot be cut by time (%s can); limit queries with 'range'",
	    l != NULL ? l->name : "unknown", b.bad || b.n == 0 ? "none" : b.s);
	buf_free(&b);
	return false;
}

bool
slice_put(const struct slicing *s, struct str bytes, struct err *err)
{
	s->counts->written += bytes.n;
	return bytes.n == 0 || s->put(s->arg, bytes, err);
}

struct str
slice_text(const struct slicing *s)
{
	const struct map *m = store_source(s->st);
	uint64_t tail = fact_value(s->st, FACT_LOSS_TAIL_BYTES);

	s->counts->tail = tail < m->size ? tail : m->size;
	return (struct str){ (const char *)m->data, (size_t)(m->size - s->counts->tail) };
}

bool
slice_make(const struct slicing *s, struct err *err)
{
	*s->counts = (struct sliced){ .unit = "event", .size = store_source(s->st)->size };
	s->counts->cut = decode_is_cut(s->st);
	return slice_can(s->st, err) && load_loader(s->st)->slice(s, err);
}
