/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_print: what icecore compare prints: a table, or the means with error bars as SVG or as a page.
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/bars.h"
#include "compare.h"

#define LEAD "Bars: means, from zero. Lines: 95 % intervals, of Student above, of the bootstrap below. Texts: mean, " \
    "interval, ratio to the first, files."
enum { COL_GROUP, COL_STRATUM, COL_N, COL_OMITTED, COL_NUMBERS, COL_VERDICT = COL_NUMBERS + COMPARE_NUMBERS,
    COMPARE_COLS };

/* Columns of numbers without a type have the unit of the values. */
static const struct coldef columns[COMPARE_COLS] = {
	[COL_GROUP] = { "build", CELL_TEXT, "what is compared" },
	[COL_STRATUM] = { "stratum", CELL_TEXT, "one stratum, or all" },
	[COL_N] = { "n", CELL_COUNT, "files with a value" },
	[COL_OMITTED] = { "omitted", CELL_COUNT, "files that were omitted" },
	[COL_NUMBERS + NUMBER_MEAN] = { "mean", CELL_NONE, "mean" },
	[COL_NUMBERS + NUMBER_LOW] = { "low", CELL_NONE, "low end of its 95 % interval of Student" },
	[COL_NUMBERS + NUMBER_HIGH] = { "high", CELL_NONE, "high end" },
	[COL_NUMBERS + NUMBER_BOOT_LOW] = { "boot_low", CELL_NONE,
	    "low end of its 95 % interval of the bootstrap" },
	[COL_NUMBERS + NUMBER_BOOT_HIGH] = { "boot_high", CELL_NONE, "high end" },
	[COL_NUMBERS + NUMBER_MEDIAN] = { "median", CELL_NONE, "median" },
	[COL_NUMBERS + NUMBER_SD] = { "sd", CELL_NONE, "standard deviation", .more = true },
	[COL_NUMBERS + NUMBER_RATIO] = { "ratio", CELL_REAL, "mean, relative to that of the first row" },
	[COL_NUMBERS + NUMBER_CHANGE] = { "change", CELL_PERCENT,
	    "difference from the first mean, in percent of it" },
	[COL_NUMBERS + NUMBER_CHANGE_LOW] = { "change_low", CELL_PERCENT,
	    "low end of its 95 % interval of Welch" },
	[COL_NUMBERS + NUMBER_CHANGE_HIGH] = { "change_high", CELL_PERCENT, "high end" },
	[COL_NUMBERS + NUMBER_DIFF] = { "diff", CELL_REAL, "difference from the first mean", .more = true },
	[COL_NUMBERS + NUMBER_DIFF_LOW] = { "diff_low", CELL_REAL, "low end of its 95 % interval of Welch",
	    .more = true },
	[COL_NUMBERS + NUMBER_DIFF_HIGH] = { "diff_high", CELL_REAL, "high end", .more = true },
	[COL_NUMBERS + NUMBER_DIFF_BOOT_LOW] = { "diff_boot_low", CELL_REAL,
	    "low end of its 95 % interval of the bootstrap", .more = true },
	[COL_NUMBERS + NUMBER_DIFF_BOOT_HIGH] = { "diff_boot_high", CELL_REAL, "high end", .more = true },
	[COL_VERDICT] = { "verdict", CELL_TEXT,
	"slower, faster, or same: the interval contains 0; for other units more or less" },
};

/* Sizes and times are whole numbers; the low end of an interval may be below zero. */
static void
compare_number_cell(struct cell *c, enum cell_type type, double value)
{
	bool whole = (type == CELL_TIME || type == CELL_BYTES) && fabs(value) < 9e18;

	c->type = isnan(value) ? CELL_NONE : !whole ? (type == CELL_PERCENT ? type : CELL_REAL) :
	    value < 0 ? CELL_INT : type;
	if (c->type == CELL_INT)
		c->i = llround(value);
	else if (whole)
		c->u = (uint64_t)llround(value);
	else
		c->f = value;
}

/* ---- the table ---------------------------------------------------------------------------------- */

struct compare_rows {
	struct rows		 rows;
	const struct comparison	*c;
	struct coldef		 cols[COMPARE_COLS];
};

static uint64_t
compare_reach(struct rows *rows, uint64_t n)
{
	const struct comparison *c = ((struct compare_rows *)rows)->c;

	return n < c->nrows ? n : c->nrows;
}

static void
compare_cell(struct rows *rows, uint64_t at, size_t col, struct cell *c)
{
	const struct comparison *of = ((struct compare_rows *)rows)->c;
	const struct compare_row *row = &of->row[at];
	enum cell_type type = rows->cols[col].type;

	assert(at < of->nrows);
	if (type == CELL_TEXT) {
		*c = (struct cell){ .type = CELL_TEXT, .text = str_of(col == COL_GROUP ? row->group :
		    col == COL_VERDICT ? row->verdict : row->stratum[0] != '\0' ? row->stratum : "all") };
		return;
	}
	if (col >= COL_NUMBERS) {
		compare_number_cell(c, type, row->number[col - COL_NUMBERS]);
		return;
	}
	c->type = CELL_COUNT;
	c->u = col == COL_N ? row->n : row->omitted;
}

/* ---- the picture -------------------------------------------------------------------------------- */

/* "1.10 main" */
static bool
compare_bar_name(const struct compare_row *row, struct mean_bar *bar)
{
	struct buf b = BUF_INIT;

	buf_str(&b, str_of(row->group));
	if (row->stratum[0] != '\0') {
		buf_chr(&b, ' ');
		buf_str(&b, str_of(row->stratum));
	}
	bar->name = buf_view(&b);
	return !b.bad;
}

/* "207.2 ms (199.9 ms, 214.6 ms), 1.12, n 15" */
static bool
compare_bar_tell(const struct comparison *c, const struct compare_row *row, struct mean_bar *bar)
{
	static const enum compare_number shown[] = { NUMBER_MEAN, NUMBER_LOW, NUMBER_HIGH };
	static const char *const before[] = { "", " (", ", " };
	struct buf b = BUF_INIT;
	struct cell cell;

	for (size_t i = 0; i < NELEM(shown) && !isnan(row->number[shown[i]]); i++) {
		buf_str(&b, str_of(before[i]));
		compare_number_cell(&cell, c->unit, row->number[shown[i]]);
		cell_show(&cell, &b);
	}
	if (!isnan(row->number[NUMBER_HIGH]))
		buf_chr(&b, ')');
	if (!isnan(row->number[NUMBER_RATIO]))
		buf_printf(&b, ", %.3g", row->number[NUMBER_RATIO]);
	buf_printf(&b, "%sn %llu", b.n > 0 ? ", " : "", (unsigned long long)row->n);
	bar->told = buf_view(&b);
	return !b.bad;
}

/* Print a picture, or a page with the table. */
static bool
compare_picture(const struct comparison *c, struct rows *table, enum format format, struct err *err)
{
	static const enum compare_number at[BAR_NUMBERS] = { [BAR_VALUE] = NUMBER_MEAN,
	    [BAR_LOW] = NUMBER_LOW, [BAR_HIGH] = NUMBER_HIGH,
	    [BAR_OTHER_LOW] = NUMBER_BOOT_LOW, [BAR_OTHER_HIGH] = NUMBER_BOOT_HIGH };
	struct mean_bar *bar = mem_array(c->nrows, sizeof *bar);
	struct buf title = BUF_INIT, text = BUF_INIT;
	bool ok = bar != NULL;

	for (size_t i = 0; ok && i < c->nrows; i++) {
		for (size_t k = 0; k < BAR_NUMBERS; k++)
			bar[i].at[k] = c->row[i].number[at[k]];
		ok = compare_bar_name(&c->row[i], &bar[i]) && compare_bar_tell(c, &c->row[i], &bar[i]);
	}
	compare_title(c, &title);
	ok = (ok && !title.bad) || fail(err, E_SYSTEM, "out of memory (picture)");
	ok = ok && draw_error_bars(&(struct mean_bars){ bar, c->nrows, buf_view(&title), STR(LEAD) }, table,
	    format, &text, err);
	if (ok)
		(void)fwrite(text.s, 1, text.n, stdout);
	for (size_t i = 0; bar != NULL && i < c->nrows; i++) {
		free((char *)(uintptr_t)bar[i].name.s);
		free((char *)(uintptr_t)bar[i].told.s);
	}
	free(bar);
	buf_free(&title);
	buf_free(&text);
	return ok;
}

void
compare_title(const struct comparison *c, struct buf *b)
{
	text_fit_buf(b, str_of(c->o->of));
	buf_printf(b, " by %s", pattern_parts[c->o->part]);
	if (c->clock != NULL)
		buf_printf(b, ", %s clock", c->clock);
}

bool
compare_print(const struct comparison *c, struct err *err)
{
	static const struct rows_ops ops = { .reach = compare_reach, .cell = compare_cell };
	struct session session = { .nstores = 0 };
	struct compare_rows *r = rows_new(sizeof *r, &ops, &session, NULL, err);
	uint64_t n = 0;
	enum format format = output_format(c->o->format);
	bool ok;

	if (r == NULL)
		return false;
	r->c = c;
	memcpy(r->cols, columns, sizeof columns);
	r->cols[COL_GROUP].name = pattern_parts[c->o->part];
	r->cols[COL_STRATUM].more = c->o->strata == 0;
	for (size_t i = COL_NUMBERS; i < COMPARE_COLS; i++)
		if (r->cols[i].type == CELL_NONE)
			r->cols[i].type = c->unit == CELL_NONE || c->unit == CELL_COUNT ? CELL_REAL : c->unit;
	r->rows.cols = r->cols;
	r->rows.ncols = COMPARE_COLS;
	ok = format == FORMAT_SVG || format == FORMAT_HTML ? compare_picture(c, &r->rows, format, err) :
	    rows_print(&r->rows, format, output_width(), stdout, &n, err);
	rows_close(&r->rows);
	return ok;
}
