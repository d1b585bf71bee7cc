/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * windows: fields of some columns of a table in many records at once.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_table.h"
#include "windows.h"

#define WINDOW 1024u		/* records */
#define WINDOWS_ALONE 8u	/* windows kept with one processor; a batch spans at most five */
#define TEXTS_MOST (16u << 20)	/* bytes of the values of a column */

_Static_assert(WINDOW % SHEET_BLOCK == 0, "a window begins where a block does");
_Static_assert(WINDOW * (WINDOWS_ALONE - 1) > BATCH, "the windows of a batch are there at once");

bool
windows_open(struct windows *w, const struct sheet *sheet, const struct store *store, struct err *err)
{
	w->block = store_column(store, COL_TABLE_BLOCK);
	w->ahead = 1;
	w->slots = pool_size() > 1 ? WINDOWS_MOST : WINDOWS_ALONE;
	return sheet_reader_open(&w->reader, sheet, sheet->first, sheet->line, err);
}

void
windows_close(struct windows *w)
{
	for (unsigned i = 0; i < w->n; i++) {
		free(w->column[i].field);
		texts_free(&w->column[i].texts);
	}
	sheet_reader_close(&w->reader);
}

static struct window_column *
windows_find(const struct windows *w, uint32_t column)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->column[i].column == column)
			return (struct window_column *)(uintptr_t)&w->column[i];
	return NULL;
}

/* Find a column, or add it if there is room; NULL: there is no room. */
static struct window_column *
windows_need(struct windows *w, uint32_t column)
{
	struct window_column *c = windows_find(w, column);

	if (c != NULL || w->n == WINDOWS_COLUMNS)
		return c;
	c = &w->column[w->n];
	*c = (struct window_column){ .column = column, .field = mem_array(w->slots * WINDOW,
	    sizeof *c->field) };
	if (c->field == NULL)
		return NULL;
	w->n++;
	memset(w->there, 0, sizeof w->there);
	return c;
}

static struct sheet_field *
windows_field(const struct windows *w, const struct window_column *c, uint64_t record)
{
	return &c->field[record % (w->slots * WINDOW)];
}

/* ---- reading ----------------------------------------------------------------------- */

struct window_run {
	struct windows	*windows;
	uint64_t	 first;		/* window */
};

static void
keep_fields(const struct windows *w, const struct sheet_reader *r, uint64_t record)
{
	const struct sheet_field *from;
	struct sheet_field *to;

	for (unsigned i = 0; i < w->n; i++) {
		from = sheet_field(r, w->column[i].column);
		to = windows_field(w, &w->column[i], record);
		if (from != NULL)
			*to = *from;
		else
			to->end = to->from = r->record;
	}
}

static bool
read_window(void *arg, uint64_t part, struct work *work, struct err *err)
{
	const struct window_run *run = arg;
	struct windows *w = run->windows;
	const struct sheet *s = w->reader.sheet;
	uint64_t window = run->first + part, record = window * WINDOW, left = s->records - record;
	struct sheet_reader r;
	bool ok;

	w->there[window % w->slots] = 0;
	if (!sheet_reader_open(&r, s, column_get(w->block, record / SHEET_BLOCK), 0, err))
		return false;
	r.keep = 1;
	for (unsigned i = 0; i < w->n; i++)
		r.keep = w->column[i].column < r.keep ? r.keep : w->column[i].column + 1;
	ok = true;
	for (uint64_t n = left < WINDOW ? left : WINDOW; ok && n > 0; n--, record++)
		if ((ok = (n % SHEET_BLOCK != 0 || work_go(work, record, err)) && sheet_next(&r, err)))
			keep_fields(w, &r, record);
	sheet_reader_close(&r);
	w->there[window % w->slots] = ok ? window + 1 : 0;
	return ok;
}

/* Read a window.  If the window before it was read last, read the following ones, too. */
static bool
read_windows(struct windows *w, uint64_t window, struct work *work)
{
	struct window_run run = { w, window };
	const struct sheet *s = w->reader.sheet;
	uint64_t all = s->records / WINDOW + (s->records % WINDOW != 0),
	    most = pool_size() > 1 ? w->slots / 2 : 1;
	struct err err;

	w->ahead = window != w->next ? 1 : w->ahead * 2 < most ? w->ahead * 2 : most;
	w->ahead = w->ahead < all - window ? w->ahead : all - window;
	w->next = window + w->ahead;
	for (uint64_t i = window; i < w->next; i++)
		if (i * (WINDOW / SHEET_BLOCK) >= column_rows(w->block) ||
		    column_get(w->block, i * (WINDOW / SHEET_BLOCK)) > (uint64_t)(s->end - s->data))
			return false;
	return pool_run(work, w->ahead, read_window, &run, &err);
}

struct window_column *
windows_read(struct windows *w, uint32_t column, uint64_t first, size_t n, struct work *work)
{
	struct window_column *c = windows_need(w, column);

	assert(n <= BATCH && n <= w->reader.sheet->records && first <= w->reader.sheet->records - n);
	for (uint64_t i = first / WINDOW; c != NULL && i * WINDOW < first + n; i++)
		if (w->there[i % w->slots] != i + 1 && !read_windows(w, i, work))
			return NULL;
	return c;
}

/* ---- what was read ----------------------------------------------------------------- */

const struct window_column *
windows_have(const struct windows *w, uint32_t column, uint64_t record)
{
	uint64_t window = record / WINDOW;

	return w->slots > 0 && w->there[window % w->slots] == window + 1 ? windows_find(w, column) : NULL;
}

struct str
windows_text(struct windows *w, const struct window_column *c, uint64_t record)
{
	return sheet_field_text(&w->reader, windows_field(w, c, record));
}

struct str
windows_value(const struct windows *w, uint32_t column, uint64_t value)
{
	return texts_get(&windows_find(w, column)->texts, (uint32_t)value + 1);
}

bool
windows_values(struct windows *w, struct window_column *c, uint64_t first, size_t n, struct batch *b)
{
	uint32_t number;
	struct str text;

	b->values = WINDOWS_VALUES;
	b->type = CELL_NONE;
	b->empty = false;
	for (size_t i = 0; i < n && !c->many; i++) {
		text = windows_text(w, c, first + i);
		b->none[i] = text.n == 0;
		b->u[i] = 0;
		if (text.n == 0) {
			b->empty = true;
			continue;
		}
		c->many = c->texts.size > TEXTS_MOST || text.n > TEXTS_MOST - c->texts.size ||
		    !texts_number(&c->texts, text, &number, NULL) || number > WINDOWS_VALUES;
		b->u[i] = number - 1;
	}
	return !c->many;
}
