/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "columns": what the values of each column of a table are, how many are empty, how many are different.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/pass.h"
#include "icecore/table.h"

#define TICK 64u

/* State of one column. */
struct column_sum {
	struct sheet_guess guess;
	uint64_t	 last;		/* key of the value before: most columns repeat it */
	uint64_t	 distinct;
};

struct columns_pass {
	struct store	*st;
	struct sheet	 sheet;
	struct sheet_reader r;
	struct scratch	 sum;		/* struct column_sum */
	struct idmap	 seen;		/* hashes of values, of all columns */
	uint64_t	 seed;
};

/* Distinct values are counted by a 64-bit hash. */
static bool
sheet_add_value(struct columns_pass *p, uint32_t column, struct str text, struct err *err)
{
	struct column_sum *c = &SCRATCH(p->sum, struct column_sum)[column];
	uint64_t key = hash_bytes(text.s, text.n, p->seed + column);

	if (c->distinct > 0 && key == c->last) {
		c->guess.empty += sheet_trim(text).n == 0;
		return true;
	}
	sheet_guess_add(&c->guess, text);
	c->last = key;
	if (idmap_get(&p->seen, key) != 0)
		return true;
	c->distinct++;
	return idmap_put(&p->seen, key, 1, err);
}

static bool
sheet_read_records(struct columns_pass *p, struct work *w, struct err *err)
{
	work_start(w, "columns", (uint64_t)(p->sheet.end - p->sheet.data));
	for (uint64_t n = 0; sheet_next(&p->r, err); n++) {
		if (n % TICK == 0 && !work_go(w, (uint64_t)(p->r.record - p->sheet.data), err))
			return false;
		for (uint32_t i = 0; i < p->sheet.names.n; i++)
			if (!sheet_add_value(p, i, sheet_text(&p->r, i), err))
				return false;
	}
	return err->kind == E_NONE;
}

static bool
sheet_put_columns(struct columns_pass *p, struct err *err)
{
	const struct column_sum *c = SCRATCH(p->sum, struct column_sum);
	uint64_t n = p->sheet.names.n;
	uint8_t *kind = store_make(p->st, COL_TABLE_KIND, COL_U8, n, err);
	uint8_t *comma = kind == NULL ? NULL : store_make(p->st, COL_TABLE_COMMA, COL_U8, n, err);
	uint8_t *order = comma == NULL ? NULL : store_make(p->st, COL_TABLE_DATES, COL_U8, n, err);
	uint64_t *empty = order == NULL ? NULL : store_make(p->st, COL_TABLE_EMPTY, COL_U64, n, err);
	uint64_t *distinct = empty == NULL ? NULL : store_make(p->st, COL_TABLE_DISTINCT, COL_U64, n, err);

	if (distinct == NULL)
		return false;
	for (uint64_t i = 0; i < n; i++) {
		kind[i] = (uint8_t)sheet_guess_kind(&c[i].guess);
		comma[i] = sheet_mark(&c[i].guess.votes) == ',';
		order[i] = (uint8_t)sheet_date_order(&c[i].guess.votes);
		empty[i] = c[i].guess.empty;
		distinct[i] = c[i].distinct;
	}
	return true;
}

static bool
sheet_run(struct store *st, struct work *w, struct err *err)
{
	struct columns_pass p = { .st = st, .seed = idmap_hash(1) };
	bool ok;

	if (!sheet_open(&p.sheet, st, err))
		return false;
	ok = scratch_array(&p.sum, p.sheet.names.n + 1ull, sizeof(struct column_sum), err) &&
	    sheet_reader_open(&p.r, &p.sheet, p.sheet.first, p.sheet.line, err) && sheet_read_records(&p, w, err) && sheet_put_columns(&p, err);
	idmap_free(&p.seen);
	scratch_free(&p.sum);
	sheet_reader_close(&p.r);
	sheet_close(&p.sheet);
	return ok;
}

const struct pass pass_columns = {
	.name = "columns", .what = "kinds and different values of the columns of a table", .when = COL_TABLE_NAME, .run = sheet_run,
	.needs = PASS_COLUMNS(COL_TABLE_NAME, COL_TABLE_TEXT),
	.makes = PASS_COLUMNS(COL_TABLE_KIND, COL_TABLE_COMMA, COL_TABLE_DATES, COL_TABLE_EMPTY, COL_TABLE_DISTINCT)
};
