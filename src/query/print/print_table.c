/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print_table: rows in aligned columns that fit the terminal.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/name.h"
#include "print.h"

#define MEASURED 1000		/* rows that decide how wide columns are */
#define TOGETHER 64		/* rows whose function names stay distinguishable */
#define NARROWEST 8		/* minimum width of texts that had to be shortened */
#define GAP 2

/* Function names of adjacent rows, which are shortened together. */
struct functions {
	struct buf		whole[TOGETHER];
	struct name_shown	shown[TOGETHER];
};

/* Build the text of a cell in p->cell. */
struct str
table_show(struct printer *p, uint64_t row, size_t col)
{
	struct cell c;

	buf_clear(&p->cell);
	rows_cell(p->rows, row, col, &c);
	cell_show_in(&p->rows->cols[col], &c, &p->cell);
	print_ascii(p, &p->cell);
	return buf_view(&p->cell);
}

/* ---- widths ---------------------------------------------------------------------- */

bool
table_columns(struct printer *p)
{
	const struct coldef *def;
	bool ok;

	p->fit = mem_array(p->rows->ncols, sizeof *p->fit);
	ok = p->fit != NULL;
	for (size_t i = 0; ok && i < p->rows->ncols; i++) {
		def = &p->rows->cols[i];
		if (def->more)
			continue;
		p->fit[p->nfit++] = (struct column_fit){ .col = i,
		    .width = text_width(str_of(def->name)),
		    .whole = def->type != CELL_TEXT && def->type != CELL_NONE };
		p->fit[p->nfit - 1].right = p->fit[p->nfit - 1].whole ||
		    (def->type == CELL_NONE && def->mostly == MOSTLY_NUMBERS);
		if (def->function && p->width != 0)
			ok = (p->fit[p->nfit - 1].names = mem_array(1, sizeof(struct functions))) != NULL;
	}
	print_unless(p, ok || fail(p->err, E_SYSTEM, "out of memory (table)"));
	return ok;
}

void
table_free(struct printer *p)
{
	for (size_t i = 0; i < p->nfit; i++)
		for (size_t k = 0; p->fit[i].names != NULL && k < TOGETHER; k++) {
			buf_free(&p->fit[i].names->whole[k]);
			buf_free(&p->fit[i].names->shown[k].text);
		}
	for (size_t i = 0; i < p->nfit; i++)
		free(p->fit[i].names);
	free(p->fit);
}

/* Measure the columns; false: there are more rows than were measured. */
static bool
print_table_measure(struct printer *p)
{
	uint64_t n = rows_reach(p->rows, MEASURED + 1);
	size_t width;

	for (uint64_t row = 0; row < n && row < MEASURED; row++)
		for (size_t i = 0; i < p->nfit; i++) {
			width = text_width(table_show(p, row, p->fit[i].col));
			if (width > p->fit[i].width)
				p->fit[i].width = width;
		}
	return n <= MEASURED;
}

/* Return the width of the table if no text is wider than most. */
static size_t
table_width(const struct printer *p, size_t most)
{
	size_t sum = 0;

	for (size_t i = 0; i < p->nfit; i++)
		sum += (i > 0 ? GAP : 0) + (p->fit[i].whole ||
		    p->fit[i].width < most ? p->fit[i].width : most);
	return sum;
}

/* Shrink the widest text columns, all to the same width. */
static void
print_table_shrink(struct printer *p)
{
	size_t low = NARROWEST, high = p->width, middle;

	while (low + 1 < high) {
		middle = low + (high - low) / 2;
		if (table_width(p, middle) <= p->width)
			low = middle;
		else
			high = middle;
	}
	for (size_t i = 0; i < p->nfit; i++)
		if (!p->fit[i].whole && p->fit[i].width > low)
			p->fit[i].width = low;
}

/* Widen text columns: rows that were not measured may have wider texts. */
static void
print_table_widen(struct printer *p)
{
	size_t room = p->width - table_width(p, SIZE_MAX), texts = 0;

	for (size_t i = 0; i < p->nfit; i++)
		texts += !p->fit[i].right;
	for (size_t i = 0; i < p->nfit; i++)
		if (!p->fit[i].right)
			p->fit[i].width += room / texts;
}

/* ---- lines ----------------------------------------------------------------------- */

static void
print_table_pad(struct printer *p, size_t from, size_t to)
{
	for (; from < to; from++)
		buf_chr(&p->line, ' ');
}

/* Shorten the names of that row and the following ones. */
static void
shorten_names(struct printer *p, uint64_t row, const struct column_fit *fit)
{
	struct functions *names = fit->names;
	uint64_t n = rows_reach(p->rows, row + TOGETHER) - row;

	n = n < TOGETHER ? n : TOGETHER;
	for (uint64_t k = 0; k < n; k++) {
		buf_clear(&names->whole[k]);
		buf_str(&names->whole[k], table_show(p, row + k, fit->col));
		names->shown[k].whole = buf_view(&names->whole[k]);
		names->shown[k].width = fit->width;
	}
	names_short(names->shown, (size_t)n, print_mark(p));
}

static struct str
table_cell(struct printer *p, uint64_t row, const struct column_fit *fit)
{
	if (fit->names == NULL)
		return table_show(p, row, fit->col);
	if (row % TOGETHER == 0)
		shorten_names(p, row, fit);
	return buf_view(&fit->names->shown[row % TOGETHER].text);
}

static void
print_table_add_column(struct printer *p, size_t i, struct str s)
{
	const struct column_fit *fit = &p->fit[i];
	size_t used;

	if (i > 0)
		print_table_pad(p, 0, GAP);
	if (fit->whole || (fit->right && (p->width == 0 || text_width(s) <= fit->width))) {
		print_table_pad(p, text_width(s), fit->width);
		buf_str(&p->line, s);
		return;
	}
	used = print_shortened(p, s, p->width == 0 ? SIZE_MAX : fit->width);
	if (i + 1 < p->nfit)
		print_table_pad(p, used, fit->width);
}

void
table_head(struct printer *p)
{
	bool all;

	if (!table_columns(p))
		return;
	all = print_table_measure(p);
	if (p->width != 0 && table_width(p, SIZE_MAX) > p->width)
		print_table_shrink(p);
	else if (p->width != 0 && !all)
		print_table_widen(p);
	for (size_t i = 0; i < p->nfit; i++)
		print_table_add_column(p, i, str_of(p->rows->cols[p->fit[i].col].name));
	print_end(p);
}

void
table_row(struct printer *p, uint64_t row)
{
	for (size_t i = 0; i < p->nfit; i++)
		print_table_add_column(p, i, table_cell(p, row, &p->fit[i]));
	print_end(p);
}
