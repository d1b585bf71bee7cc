/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unread_words: what the file holds and icecore does not show, in a few lines with several kinds each.
 */
#include "config.h"

#include "icecore/unread.h"
#include "trace.h"

enum { UNREAD_LINES = 2, UNREAD_WIDE = 58 };	/* columns on a screen of 80 */

struct unread_words {
	struct buf	 line, kind;
	const char	*noun;		/* noun of the kind before: a row of kinds says it once */
	size_t		 lines;
	uint64_t	 kinds, things;	/* for which there was no line */
	void		(*add)(void *, struct str);
	void		*arg;
};

static void
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
	if (w->lines == UNREAD_LINES) {
		w->kinds++;
		w->things = num_add(w->things, f->value);
		return;
	}
	buf_text(&w->line, w->line.n > 0 ? ", " : "");
	buf_str(&w->line, buf_view(&w->kind));
}

bool
info_unread(const struct store *st, void (*add)(void *, struct str), void *arg)
{
	struct unread_words w = { .line = BUF_INIT, .kind = BUF_INIT, .add = add, .arg = arg };
	struct fact f;
	bool ok;

	for (size_t i = 0; i < store_nfacts(st); i++)
		if (store_fact_at(st, i, &f) && f.value > 0 && str_has_prefix(str_of(f.name), UNREAD_PREFIX))
			add_kind(&w, &f, load_shapes(st));
	if (w.kinds > 0) {
		struct cell n = { .type = CELL_COUNT, .u = w.things };

		buf_printf(&w.line, "%llu more %s, ", (unsigned long long)w.kinds, w.kinds == 1 ? "kind" : "kinds");
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
