/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of stack dumps.
 */
#include "config.h"

#include "icecore/columns_dumps.h"
#include "q_dumps.h"

const column_id wait_needs[] = { COL_DUMPED_DUMP, COL_NONE };
const column_id alike_needs[] = { COL_DUMPED_IDLE, COL_NONE };
const column_id own_needs[] = { COL_EXACT_OWN, COL_NONE };
const column_id move_needs[] = { COL_DUMPED_SAME, COL_NONE };

const char *
dump_state_word(unsigned state)
{
	return state < DUMP_STATES ? dump_state_words[state] : NULL;
}

bool
dumped_state_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	const char *word = dump_state_word((unsigned)store_cell(s->st, COL_DUMPED_STATE, n));

	if (n != 0 && word != NULL)
		buf_str(b, str_of(word));
	return n != 0;
}

void
latest_cell(struct item_rows *s, uint64_t n, struct cell *c)
{
	c->u = n == dumps_shown(s->st);
}

void
of_dumps_text(const struct store *st, uint64_t dumps, uint64_t dump, const char *otherwise, struct buf *b)
{
	uint64_t all = store_cell(st, COL_TDUMP_SERIES, dump);

	if (all > 1 && dumps > 0)
		buf_printf(b, "in %ju of %ju dumps%s", (uintmax_t)dumps, (uintmax_t)all,
		    dump == dumps_shown(st) ? "" : otherwise);
}

void
known_time(struct item_rows *s, uint64_t n, struct cell *c)
{
	(void)s;
	c->type = n == UINT64_MAX ? CELL_NONE : CELL_TIME;
	c->u = n;
}

/* Append a text of the store; false: it is empty. */
static bool
dump_text_of(struct item_rows *s, column_id ref, column_id own, uint64_t n, struct buf *b)
{
	struct str text = dump_text(s->st, ref, own, n);

	buf_str(b, text);
	return text.n > 0;
}

bool
dumped_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	dumped_label(s->st, n, b);
	return n != 0;
}

bool
runtime_id_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	return dump_text_of(s, COL_DUMPED_ID, COL_DUMPED_ID_OWN, n, b);
}

bool
raw_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	return dump_text_of(s, COL_DUMPED_RAW, COL_DUMPED_RAW_OWN, n, b);
}

bool
held_by_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	uint64_t holder = store_cell(s->st, COL_DUMPED_HOLDER, n);

	if (store_cell(s->st, COL_DUMPED_HOW, n) == HOW_NONE)
		return false;
	if (holder == 0)
		buf_chr(b, '?');
	dumped_label(s->st, holder, b);
	return true;
}

bool
lock_key_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	if (n != 0 && !dump_text_of(s, COL_LOCK_KEY, COL_LOCK_KEY_OWN, n, b))
		buf_chr(b, '?');
	return n != 0;
}

bool
lock_class_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	return dump_text_of(s, COL_LOCK_CLASS, COL_LOCK_CLASS_OWN, n, b);
}

bool
top_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	exact_show(s->st, n, b);
	return n != 0;
}

bool
exact_own_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	return top_text(s, store_cell(s->st, COL_EXACT_OWN, n), b);
}

bool
doing_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	n = store_cell(s->st, COL_EXACT_OWN, n);
	method_name(s->st, (uint32_t)store_cell(s->st, COL_EXACT_METHOD, n), b);
	return n != 0;
}

bool
pool_text(struct item_rows *s, uint64_t n, struct buf *b)
{
	size_t from = b->n;

	dumped_label(s->st, n, b);
	name_pool(b, from);
	return n != 0;
}
