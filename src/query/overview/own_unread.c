/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_unread: the line of what the file holds and icecore does not show, several kinds in each item.
 */
#include "config.h"

#include "icecore/unread.h"
#include "overview.h"
#include "query/trace/trace.h"

enum { UNREAD_ITEMS = 3, UNREAD_WIDE = 58 };	/* columns of the words on a screen of 80 */

bool
own_unread(struct answering *a, struct err *err)
{
	const struct store *st = session_store(a->session);
	struct overview_item *to = NULL;
	struct buf one = BUF_INIT;
	struct str kind;
	const char *last = NULL, *phrase;	/* the noun is said once in a row of kinds with the same */
	uint64_t kinds = 0, things = 0;
	size_t items = 0;
	struct cell n;
	struct fact f;

	for (size_t i = 0; i < store_nfacts(st); i++) {
		if (!store_fact_at(st, i, &f) || f.value == 0 || !str_has_prefix(str_of(f.name), UNREAD_PREFIX))
			continue;
		n = (struct cell){ .type = CELL_COUNT, .u = f.value };
		buf_clear(&one);
		cell_show(&n, &one);
		buf_chr(&one, ' ');
		phrase = unread_phrase(str_of(f.name), &kind);
		if (to != NULL && phrase != NULL && phrase == last)
			buf_str(&one, kind);
		else
			info_meaning(str_of(f.name), load_shapes(st), &n, &one);
		last = phrase;
		if (to == NULL || (to->words.n > 0 && to->words.n + one.n > UNREAD_WIDE)) {
			to = items < UNREAD_ITEMS ? answering_add(a) : NULL;
			items++;
		}
		if (to == NULL) {
			kinds++;
			things = num_add(things, f.value);
			continue;
		}
		if (to->words.n > 0)
			buf_str(&to->words, STR(", "));
		buf_str(&to->words, buf_view(&one));
	}
	if (kinds > 0 && (to = answering_add(a)) != NULL) {
		n = (struct cell){ .type = CELL_COUNT, .u = things };
		cell_show(&n, &to->words);
		buf_printf(&to->words, " of %llu more %s", (unsigned long long)kinds, kinds == 1 ? "kind" : "kinds");
	}
	buf_free(&one);
	return !one.bad || fail(err, E_SYSTEM, "out of memory (overview)");
}
