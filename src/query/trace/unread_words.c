/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unread_words: what the file holds and icecore does not show, in a few lines with several kinds each, the most
 * frequent first.
 */
#include "config.h"

#include "icecore/unread.h"
#include "trace.h"

#define MAJOR (UINT64_C(1) << 63)

enum { UNREAD_LINES = 2, UNREAD_WIDE = 58 };	/* columns on a screen of 80 */

struct unread_words {
	struct buf	 line, kind;
	const char	*noun;		/* noun of the kind before: a row of kinds says it once */
	size_t		 lines;
	void		(*add)(void *, struct str);
	void		*arg;
};

/* Add a kind, unless all lines are full. */
static bool
add_kind(struct unread_words *w, const struct fact *f, unsigned shapes)
{
	struct cell n = { .type = CELL_COUNT, .u = f->value };
	struct str name;
	const char *noun = unread_phrase(str_of(f->name), &name);

	buf_clear(&w->kind);
	cell_show(&n, &w->kind);
	buf_chr(&w->kind, ' ');
	if (noun != NULL && noun == w->noun)
		buf_str(&w->kind, name);
	else
		info_meaning(str_of(f->name), shapes, &n, &w->kind);
	w->noun = noun;
	if (w->line.n > 0 && w->line.n + w->kind.n > UNREAD_WIDE) {
		w->add(w->arg, buf_view(&w->line));
		buf_clear(&w->line);
		w->lines++;
	}
	if (w->lines == UNREAD_LINES)
		return false;
	buf_text(&w->line, w->line.n > 0 ? ", " : "");
	buf_str(&w->line, buf_view(&w->kind));
	return true;
}

/* A kind, and its place: by weight, then as in the file. */
struct placed {
	struct fact	fact;
	uint64_t	weight;
	size_t		at;
};

/* Minor kinds weigh less than all others. */
static bool
is_kind(const struct store *st, size_t at, struct placed *to)
{
	to->at = at;
	if (!store_fact_at(st, at, &to->fact) || to->fact.value == 0 ||
	    !str_has_prefix(str_of(to->fact.name), UNREAD_PREFIX))
		return false;
	to->weight = to->fact.value < MAJOR ? to->fact.value : MAJOR - 1;
	to->weight += unread_minor(str_of(to->fact.name)) ? 0 : MAJOR;
	return true;
}

/* Find the kind after this one.  Return how many there are from it on, and their sum in *things. */
static uint64_t
next_kind(const struct store *st, struct placed *kind, uint64_t *things)
{
	struct placed last = *kind, p;
	uint64_t kinds = 0;

	*things = 0;
	for (size_t i = 0; i < store_nfacts(st); i++) {
		if (!is_kind(st, i, &p) || p.weight > last.weight || (p.weight == last.weight && i <= last.at))
			continue;
		if (kinds == 0 || p.weight > kind->weight)
			*kind = p;
		kinds++;
		*things = num_add(*things, p.fact.value);
	}
	return kinds;
}

bool
info_unread(const struct store *st, void (*add)(void *, struct str), void *arg)
{
	struct unread_words w = { .line = BUF_INIT, .kind = BUF_INIT, .add = add, .arg = arg };
	struct placed kind = { .weight = UINT64_MAX };
	uint64_t kinds, things;
	bool ok;

	while ((kinds = next_kind(st, &kind, &things)) > 0 && add_kind(&w, &kind.fact, load_shapes(st)))
		;
	if (kinds > 0) {
		struct cell n = { .type = CELL_COUNT, .u = things };

		buf_printf(&w.line, "%llu more %s, ", (unsigned long long)kinds, kinds == 1 ? "kind" : "kinds");
		cell_show(&n, &w.line);
		buf_text(&w.line, " in all");
	}
	if (w.line.n > 0)
		add(arg, buf_view(&w.line));
	ok = !w.line.bad && !w.kind.bad;
	buf_free(&w.line);
	buf_free(&w.kind);
	return ok;
}
