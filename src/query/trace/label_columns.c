/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * label_columns: labels of samples and threads as columns.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/columns_labels.h"
#include "icecore/labels.h"
#include "trace.h"

bool
label_columns_all(struct item_rows *s, uint64_t set, struct buf *b)
{
	labels_show(s->st, set, b);
	return set != 0;
}

static bool
label_columns_value_cell(struct item_rows *s, uint64_t set, struct buf *b)
{
	uint32_t place = labels_value(s->st, set, item_show(s));

	buf_str(b, labels_text(s->st, place));
	return place != 0;
}

int
label_columns_find(struct rows *r, struct str name, column_id by)
{
	struct item_rows *s = (struct item_rows *)r;
	struct trace_own *t = TRACE(s);
	struct column_set *set = &t->set;
	struct label_column *made;
	struct str key = name;
	int col = rows_column(r, name);
	uint32_t number;

	if (col >= 0 || set->n == COLUMN_SET_MAX || !str_take(&key, STR(COLUMN_LABEL)))
		return col;
	number = labels_key(s->st, key);
	/* In the store of no file anything can be a label. */
	if ((number == 0 && !store_is_blank(s->st)) ||
	    (!MEM_ROOM(t->labels, t->labels_cap, t->nlabels) && !fail_memory(&r->err, "query")) ||
	    ((made = t->labels[t->nlabels] = mem_array(1, sizeof *made)) == NULL && !fail_memory(&r->err, "query")))
		return -1;
	t->nlabels++;
	*made = (struct label_column){ mem_copy(name), { .show = number, .by = by, .text = label_columns_value_cell } };
	if (made->name == NULL && !fail_memory(&r->err, "query"))
		return -1;
	s->by[set->n] = by == COL_NONE ? NULL : store_column(s->st, by);
	return column_set_add(r, set, (struct coldef){ made->name, CELL_TEXT, "value of the label", MORE,
	    .origin = &made->origin });
}

void
label_columns_free(struct trace_own *t)
{
	for (size_t i = 0; i < t->nlabels; i++) {
		free(t->labels[i]->name);
		free(t->labels[i]);
	}
	free(t->labels);
}

bool
label_columns_known(struct rows *r, uint64_t i, struct str *name)
{
	struct item_rows *s = (struct item_rows *)r;
	struct buf *b = cell_begin(s);

	if (i >= column_rows(store_column(s->st, COL_LABEL_NAME)))
		return false;
	buf_str(b, STR(COLUMN_LABEL));
	text_fit_buf(b, labels_key_name(s->st, i + 1));
	*name = buf_view(b);
	return true;
}
