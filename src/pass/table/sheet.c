/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pass "columns": what the values of each column of a table are, how many are empty, how many are different,
 * and which they are.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_table.h"
#include "icecore/make.h"
#include "icecore/pass.h"
#include "sheet_values.h"

#define TICK 64u

/* State of one column. */
struct column_sum {
	struct sheet_guess guess;
	uint64_t	 last;		/* key of the value before: most columns repeat it */
	uint64_t	 records;	/* that were counted */
};

struct columns_pass {
	struct store	*st;
	struct sheet	 sheet;
	struct sheet_reader r;
	ARRAY(struct column_sum)	sum;
	struct sheet_values	 values;
	uint64_t	 seed;
};

/* A 64-bit hash identifies a value. */
static bool
sheet_add_value(struct columns_pass *p, uint32_t column, struct err *err)
{
	const struct sheet_field *f = sheet_field(&p->r, column);
	struct str text = sheet_field_text(&p->r, f);
	struct column_sum *c = &p->sum.at[column];
	uint64_t key = hash_bytes(text.s, text.n, p->seed + column);

	if (c->guess.values + c->guess.empty > 0 && key == c->last) {
		c->guess.empty += sheet_trim(text).n == 0;
	} else {
		sheet_guess_add(&c->guess, text);
		c->last = key;
	}
	c->records++;
	return sheet_values_add(&p->values, &p->r, column, f, text, key, 1, err);
}

/* Count the records up to number n that lack the column, behind the last one that was counted. */
static bool
sheet_add_lacking(struct columns_pass *p, uint32_t column, uint64_t n, struct err *err)
{
	struct column_sum *c = &p->sum.at[column];
	uint64_t lack = n - c->records;

	if (lack == 0)
		return true;
	c->records = n;
	c->guess.empty += lack;
	c->last = hash_bytes("", 0, p->seed + column);
	return sheet_values_add(&p->values, &p->r, column, NULL, STR(""), c->last, lack, err);
}

/* No record looks at all columns: there may be as many as records. */
static bool
sheet_add_record(struct columns_pass *p, uint64_t n, struct err *err)
{
	bool json = p->sheet.json;
	uint64_t most = p->sheet.names.n, fields = json ? p->r.ngiven : p->r.n < most ? p->r.n : most;
	uint32_t column;

	for (uint64_t i = 0; i < fields; i++) {
		column = json ? SCRATCH(p->r.given, uint32_t)[i] : (uint32_t)i;
		if (!sheet_add_lacking(p, column, n, err) || !sheet_add_value(p, column, err))
			return false;
	}
	return true;
}

static bool
sheet_read_records(struct columns_pass *p, struct work *w, struct err *err)
{
	uint64_t n;

	work_start(w, "columns", (uint64_t)(p->sheet.end - p->sheet.data));
	for (n = 0; sheet_next(&p->r, err); n++)
		if ((n % TICK == 0 && !work_go(w, (uint64_t)(p->r.record - p->sheet.data), err)) ||
		    !sheet_add_record(p, n, err))
			return false;
	for (uint32_t i = 0; err->kind == E_NONE && i < p->sheet.names.n; i++)
		if (!sheet_add_lacking(p, i, n, err))
			return false;
	return err->kind == E_NONE;
}

/* Numbers with words among them are read as numbers if the records show them so. */
static struct stats_of
sheet_kind_of(const struct columns_pass *p, uint64_t column)
{
	const struct sheet_guess *g = &p->sum.at[column].guess;
	enum sheet_kind kind = sheet_guess_kind(g);
	uint64_t likely = column_get(store_column(p->st, COL_TABLE_LIKELY), column) & SHEET_KIND_MASK;

	return (struct stats_of){ .kind = kind, .comma = sheet_mark(&g->votes) == ',',
		.numbers = kind == SHEET_NUMBER || (kind == SHEET_TEXT && likely == SHEET_NUMBER),
		.month_first = sheet_month_first(&g->votes), .places = sheet_guess_places(g) };
}

static bool
sheet_put_stats(struct columns_pass *p, struct work *w, struct err *err)
{
	static const column_id columns[STATS] = { [STAT_MIN] = COL_TABLE_MIN,
	    [STAT_MEDIAN] = COL_TABLE_MEDIAN, [STAT_MAX] = COL_TABLE_MAX, [STAT_BARS] = COL_TABLE_BARS,
	    [STAT_TOP] = COL_TABLE_TOP };
	uint64_t n = p->sheet.names.n;
	uint8_t *amounts = store_make(p->st, COL_TABLE_AMOUNTS, COL_U8, n, err),
	    *sampled = amounts == NULL ? NULL : store_make(p->st, COL_TABLE_SAMPLED, COL_U8, n, err);
	uint32_t *to[STATS], stat[STATS];
	struct stats s = { .words = BUF_INIT };
	struct stats_of of;
	bool ok = sampled != NULL && stats_open(&s, &p->values, &p->r, err);

	for (int i = 0; ok && i < STATS; i++)
		ok = (to[i] = store_make(p->st, columns[i], COL_U32, n, err)) != NULL;
	work_start(w, "values of columns", n);
	for (uint64_t i = 0; ok && i < n; i++) {
		of = sheet_kind_of(p, i);
		amounts[i] = of.numbers;
		sampled[i] = p->values.column.at[i].zeros > 0;
		ok = work_go(w, i, err) && stats_column(&s, (uint32_t)i, &of, stat, err);
		for (int k = 0; ok && k < STATS; k++)
			to[k][i] = stat[k];
	}
	ok = ok && make_copy(p->st, COL_TABLE_WORDS, COL_BYTES, s.words.n > 0 ? s.words.s : "", s.words.n,
	    err);
	stats_close(&s);
	return ok;
}

static bool
sheet_put_columns(struct columns_pass *p, struct err *err)
{
	const struct column_sum *c = p->sum.at;
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
		distinct[i] = sheet_values_distinct(&p->values, (uint32_t)i);
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
	ok = array_grow(&p.sum, p.sheet.names.n + 1ull, err) &&
	    sheet_values_open(&p.values, p.sheet.names.n, VALUES_MOST, err) &&
	    sheet_reader_open(&p.r, &p.sheet, p.sheet.first, p.sheet.line, err) &&
	    sheet_read_records(&p, w, err) && sheet_put_columns(&p, err) && sheet_put_stats(&p, w, err);
	sheet_values_close(&p.values);
	array_free(&p.sum);
	sheet_reader_close(&p.r);
	sheet_close(&p.sheet);
	return ok;
}

const struct pass pass_columns = {
	.name = "columns", .what = "kinds and different values of the columns of a table",
	    .when = COL_TABLE_NAME, .run = sheet_run,
	.needs = PASS_COLUMNS(COL_TABLE_NAME, COL_TABLE_TEXT, COL_TABLE_LIKELY),
	.makes = PASS_COLUMNS(COL_TABLE_KIND, COL_TABLE_COMMA, COL_TABLE_DATES, COL_TABLE_EMPTY,
	    COL_TABLE_DISTINCT, COL_TABLE_AMOUNTS, COL_TABLE_SAMPLED, COL_TABLE_MIN, COL_TABLE_MEDIAN,
	    COL_TABLE_MAX, COL_TABLE_BARS, COL_TABLE_TOP, COL_TABLE_WORDS)
};
