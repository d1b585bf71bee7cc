/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unread_words: what the file holds and icecore does not show, in a few lines with several kinds each, the most
 * frequent first.
 */
#include "config.h"

#include "icecore/unread.h"
#include "trace.h"

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

/*
 * Find the most frequent kind after the last one; kinds as frequent are in their order in the file.  Return how
 * many kinds there are from it on, and their sum in *things.
 */
static uint64_t
next_kind(const struct store *st, uint64_t last, size_t last_at, struct fact *next, size_t *at, uint64_t *things)
{
	uint64_t kinds = 0;
	struct fact f;

	*things = 0;
	for (size_t i = 0; i < store_nfacts(st); i++)
		if (store_fact_at(st, i, &f) && f.value > 0 && str_has_prefix(str_of(f.name), UNREAD_PREFIX) &&
		    (f.value < last || (f.value == last && i > last_at))) {
			if (kinds == 0 || f.value > next->value) {
				*next = f;
				*at = i;
			}
			kinds++;
			*things = num_add(*things, f.value);
		}
	return kinds;
}

bool
info_unread(const struct store *st, void (*add)(void *, struct str), void *arg)
{
	struct unread_words w = { .line = BUF_INIT, .kind = BUF_INIT, .add = add, .arg = arg };
	struct fact f = { .value = UINT64_MAX };
	uint64_t kinds, things;
	size_t at = 0;
	bool ok;

	while ((kinds = next_kind(st, f.value, at, &f, &at, &things)) > 0 && add_kind(&w, &f, load_shapes(st)))
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
