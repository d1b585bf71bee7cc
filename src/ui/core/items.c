/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * items: lines of an overlay: names and their descriptions.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/sums.h"
#include "core.h"
#include "ui/term/term.h"

struct remark *
items_add(struct items *items, struct str left, struct str text, const char *note)
{
	struct remark	*item;

	if (!MEM_ROOM(items->at, items->cap, items->n))
		return NULL;
	item = &items->at[items->n++];
	memset(item, 0, sizeof *item);
	screen_fit(&item->left, left);
	screen_fit(&item->text, text);
	screen_fit(&item->note, str_of(note));
	return item;
}

void
items_sample(struct items *items, const char *sample, enum role role, const char *what)
{
	struct remark	*item = items_add(items, str_of(sample), str_of(what), "");

	if (item != NULL)
		item->role = role;
}

void
bars_legend(struct items *items)
{
	struct buf	 low = BUF_INIT, high = BUF_INIT;

	for (unsigned step = 1; step <= USE_STEPS; step++)
		buf_str(step < USE_BUSY ? &low : &high, str_of(screen_bar(step)));
	if (!low.bad && !high.bad) {
		items_sample(items, low.s, screen_bar_role(1),
		    "CPU use; full bar: 100%, lowest bar: light use");
		items_sample(items, high.s, screen_bar_role(USE_BUSY), "CPU use of 70% or more");
	}
	buf_free(&low);
	buf_free(&high);
}

void
items_head(struct items *items, const char *name)
{
	struct remark	*item = items_add(items, str_of(name), STR(""), "");

	if (item != NULL)
		item->head = true;
}

/* Append one line for each item: name and text, without the note. */
void
items_text(const struct items *items, struct buf *b)
{
	const struct remark *item;

	for (size_t i = 0; i < items->n; i++) {
		item = &items->at[i];
		buf_str(b, buf_view(&item->left));
		if (item->left.n > 0 && item->text.n > 0)
			buf_str(b, STR(": "));
		buf_str(b, buf_view(&item->text));
		buf_chr(b, '\n');
	}
}

void
items_drop(struct items *items)
{
	struct remark	*item = &items->at[--items->n];

	buf_free(&item->left);
	buf_free(&item->text);
	buf_free(&item->note);
}

void
items_free(struct items *items)
{
	while (items->n > 0)
		items_drop(items);
	free(items->at);
	*items = (struct items){ NULL, 0, 0 };
}
