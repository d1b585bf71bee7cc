/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * items: rows that are declared by tables.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/view.h"
#include "items.h"

/* ---- cells -------------------------------------------------------------------------- */

static const struct item_run *
run_of(const struct item_rows *s, uint64_t row)
{
	const struct item_run *run = SCRATCH(s->list, struct item_run);

	return &run[num_last(&run->row, sizeof *run, s->nruns, row)];
}

static size_t
item_size(const struct source *from)
{
	return from->item == 0 ? sizeof(uint32_t) : from->item;
}

const void *
item_rows_item(struct item_rows *s, uint64_t row)
{
	const struct source *from = s->source;
	const struct item_run *run;

	if (s->nruns > 0) {
		run = run_of(s, row);
		s->number = (uint32_t)(run->first + (row - run->row));
		return &s->number;
	}
	if (from->item_at != NULL)
		return from->item_at(s, row);
	if (from->item == 0)
		s->number = SCRATCH(s->list, uint32_t)[row];
	return s->list.data + row * item_size(from);
}

static inline uint64_t
number_in(const uint8_t *item, const struct origin *o)
{
	switch (o->bytes) {
	case 1:
		return item[o->at];
	case 8:
		return *(const uint64_t *)(const void *)(item + o->at);
	default:
		assert(o->bytes == 0 || o->bytes == sizeof(uint32_t));
		return *(const uint32_t *)(const void *)(item + o->at);
	}
}

static void
show_cell(struct item_rows *s, uint64_t n, unsigned show, struct cell *c)
{
	switch (show) {
	case SHOW_SOME:
	case SHOW_KNOWN:
		if (n == (show == SHOW_SOME ? 0 : UINT32_MAX))
			c->type = CELL_NONE;
		/* fallthrough */
	case SHOW_NUMBER:
		c->u = n;
		break;
	case SHOW_TRUE:
		c->u = n != 0;
		break;
	case SHOW_REF:
		c->text = store_text(s->st, n);
		break;
	case SHOW_WORD:
		cell_word(c, (const char *)(uintptr_t)n);
		break;
	default:
		s->source->domain->cell(s, n, show, c);
		break;
	}
}

static void
number_cell(struct item_rows *s, const struct origin *o, uint64_t n, struct cell *c)
{
	if (o->cell != NULL)
		o->cell(s, n, c);
	else if (o->text != NULL && !o->text(s, n, cell_begin(s)))
		c->type = CELL_NONE;
	else if (o->text != NULL)
		cell_text(&s->rows, c, &s->text);
	else if (o->words != NULL || o->word != NULL)
		cell_word(c, o->words != NULL ? o->words[n] : o->word((unsigned)n));
	else
		show_cell(s, n, o->show, c);
}

void
item_rows_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct item_rows *s = (struct item_rows *)r;
	const struct origin *o = r->cols[col].origin;
	uint64_t n;

	c->type = r->cols[col].type;
	s->item = item_rows_item(s, row);
	s->at = row;
	s->made = col;
	n = number_in(s->item, o);
	if (o->number != NULL && !o->number(s, &n)) {
		c->type = CELL_NONE;
		return;
	}
	if (o->by != COL_NONE)
		n = column_get(s->by[col], n - 1);
	if (o->then != COL_NONE)
		n = column_get(s->then[col], n - 1);
	number_cell(s, o, n, c);
}

/* Look up the numbers of n rows, given by runs, in a column. */
static void
look_up_runs(const struct item_rows *s, uint64_t first, size_t n, const struct column *column,
    uint64_t *number)
{
	const struct item_run *run = run_of(s, first);
	uint64_t some;

	for (; n > 0; run++, first += some, number += some, n -= (size_t)some) {
		some = run->row + run->n - first;
		some = some < n ? some : n;
		column_copy(column, run->first + (first - run->row) - 1, number, (size_t)some);
	}
}

/*
 * Return the item of a row.  *n becomes how many of n items follow each other in memory from there, *size
 * bytes each.
 */
static const uint8_t *
items_from(struct item_rows *s, uint64_t row, size_t *n, size_t *size)
{
	const struct source *from = s->source;
	const uint8_t *item = item_rows_item(s, row);
	uint64_t some = s->nruns == 0 && from->item_at == NULL ? *n : 1;

	if (s->nruns == 0 && from->together != NULL)
		some = from->together(s, row);
	assert(some > 0);
	*n = some < *n ? (size_t)some : *n;
	*size = item_size(from);
	return item;
}

/* Read the numbers of n items. */
static void
read_items(struct item_rows *s, uint64_t first, size_t n, const struct origin *o, struct batch *b)
{
	bool (*number)(struct item_rows *, uint64_t *) = o->number;
	const struct origin from = *o;
	const uint8_t *item;
	size_t size;

	for (size_t i = 0, end; i < n;) {
		end = n - i;
		item = items_from(s, first + i, &end, &size);
		for (end += i; i < end; i++, item += size) {
			s->item = item;
			b->u[i] = number_in(item, &from);
			if (number != NULL)
				b->empty |= b->none[i] = !number(s, &b->u[i]);
		}
	}
}

/*
 * Read the numbers of rows, then look up the columns of the origin.  True: the numbers rise by one, and only
 * the first was read.
 */
static bool
read_numbers(struct item_rows *s, uint64_t first, size_t n, size_t col, struct batch *b)
{
	const struct origin *o = s->rows.cols[col].origin;
	const struct item_run *run = s->nruns == 0 ? NULL : run_of(s, first);
	bool rise = run != NULL && o->by == COL_NONE && first + n - run->row <= run->n;

	assert((o->by != COL_NONE || o->then == COL_NONE) &&
	    (o->number == NULL || (run == NULL && o->show != SHOW_SOME)));
	if (run != NULL && o->by != COL_NONE)
		look_up_runs(s, first, n, s->by[col], b->u);
	else
		read_items(s, first, rise ? 1 : n, o, b);
	if (run == NULL && o->by != COL_NONE)
		column_look_up(s->by[col], b->u, n);
	if (o->then != COL_NONE)
		column_look_up(s->then[col], b->u, n);
	assert(o->other == COL_NONE || run != NULL);
	if (o->other != COL_NONE)
		look_up_runs(s, first, n, s->other[col], b->spare);
	return rise;
}

bool
item_rows_batch(struct rows *r, uint64_t first, size_t n, size_t col, struct batch *b)
{
	struct item_rows *s = (struct item_rows *)r;
	const struct origin *o = r->cols[col].origin;
	const struct domain *domain = s->source->domain;
	enum cell_type type = r->cols[col].type;
	bool run;

	if (o->quick)
		return batch_of_cells(r, first, n, col, b);
	if (o->cell != NULL || o->text != NULL || o->words != NULL || o->word != NULL ||
	    (o->show >= SHOW_OWN ? domain->batch == NULL : o->show > SHOW_SOME))
		return false;
	b->empty = false;
	run = read_numbers(s, first, n, col, b);
	if (o->show >= SHOW_OWN)
		return domain->batch(s, b, n, run, o->show, type);
	for (size_t i = 1; run && i < n; i++)
		b->u[i] = b->u[0] + i;
	b->values = 0;
	if (o->show == SHOW_SOME && !run)
		batch_some(b, n, type);
	b->type = type;
	return true;
}

void
item_rows_value(struct rows *r, size_t col, uint64_t value, struct cell *c)
{
	struct item_rows *s = (struct item_rows *)r;

	s->source->domain->value(s, value, r->cols[col].origin->show, c);
}

/* ---- rows ------------------------------------------------------------------------ */

uint64_t
item_rows_least(const struct item_rows *s)
{
	const struct rows_bar *bar = s->rows.bar;

	return rows_skip(&s->rows) && bar->set && bar->down ? ~bar->above : 0;
}

uint64_t
item_rows_columns(const struct item_rows *s, size_t at)
{
	uint64_t columns = 0;

	for (size_t i = 0; i < s->rows.ncols; i++)
		columns |= s->rows.cols[i].origin->at == at ? COLUMN_BIT(i) : 0;
	return columns;
}

bool
item_rows_add(struct item_rows *s, const void *item)
{
	return scratch_add(&s->list, &s->n, item, s->source->item, &s->rows.err);
}

bool
item_rows_add_number(struct item_rows *s, uint32_t number)
{
	return scratch_add(&s->list, &s->n, &number, sizeof number, &s->rows.err);
}

bool
item_rows_run(struct item_rows *s, uint32_t first, uint64_t n)
{
	struct item_run *last = SCRATCH(s->list, struct item_run), run = { s->n, n, first };

	s->ended = true;
	s->n += n;
	if (s->nruns == 0 || last[s->nruns - 1].first + last[s->nruns - 1].n != first)
		return n == 0 || scratch_add(&s->list, &s->nruns, &run, sizeof run, &s->rows.err);
	last[s->nruns - 1].n += n;
	return true;
}

static const struct column *
column_of(const struct item_rows *s, column_id col)
{
	const struct domain *domain = s->source->domain;

	return col == COL_NONE ? NULL : domain->column != NULL ? domain->column(s, col) :
	    store_column(s->st, col);
}

bool
item_rows_each(struct item_rows *s, column_id col, bool moments)
{
	const struct column *c = column_of(s, col);
	uint64_t from, to, first = 0, end = column_rows(c);

	if (moments && view_range(s->st, &from, &to)) {
		first = column_place(c, from);
		end = column_place(c, to);
	}
	/* Two ranges without common time give an end before the start. */
	return item_rows_run(s, (uint32_t)first + 1, end > first ? end - first : 0);
}

uint64_t
item_rows_reach(struct rows *r, uint64_t n)
{
	struct item_rows *s = (struct item_rows *)r;
	const struct source *from = s->source;
	unsigned left = 0;

	s->wanted = n;
	for (; s->n < n && !s->ended && r->err.kind == E_NONE; left--) {
		if (left == 0) {
			left = from->steps == 0 ? 1 : from->steps;
			s->ended = !rows_tick(r, s->n);
		}
		s->ended = s->ended || !from->step(s);
	}
	return s->n;
}

void
item_rows_close(struct rows *r)
{
	struct item_rows *s = (struct item_rows *)r;

	if (s->began && s->source->end != NULL)
		s->source->end(s);
	if (s->own != NULL && s->source->domain->close != NULL)
		s->source->domain->close(s);
	free(s->own);
	free(s->had);
	scratch_free(&s->list);
	buf_free(&s->text);
}

static const struct rows_ops item_ops = { ITEM_OPS };

/* ---- opening ----------------------------------------------------------------------- */

static void
items_find_columns(struct item_rows *s)
{
	const struct origin *o;

	assert(s->rows.ncols <= ITEM_COLUMNS);
	for (size_t i = 0; i < s->rows.ncols; i++) {
		o = s->rows.cols[i].origin;
		s->by[i] = column_of(s, o->by);
		s->then[i] = column_of(s, o->then);
		s->other[i] = column_of(s, o->other);
	}
}

/* Leave out the columns of other files. */
static bool
items_keep_columns(struct item_rows *s, const struct command *command, const struct stage *stage, struct err *err)
{
	size_t n = 0;

	s->rows.cols = command->cols;
	s->rows.ncols = command->ncols;
	for (size_t i = 0; i < command->ncols; i++)
		n += command->cols[i].beside == 0 || command_has_column(command, i, stage->shapes);
	if (n == command->ncols || stage->shapes == 0 || !s->source->domain->leaves_out)
		return true;
	s->had = mem_array(n, sizeof *s->had);
	if (s->had == NULL)
		return fail_memory(err, "columns");
	s->rows.cols = s->had;
	s->rows.ncols = 0;
	for (size_t i = 0; i < command->ncols; i++)
		if (command->cols[i].beside == 0 || command_has_column(command, i, stage->shapes))
			s->had[s->rows.ncols++] = command->cols[i];
	return true;
}

static bool
item_rows_begin(struct item_rows *s, const struct stage *stage, struct err *err)
{
	const struct source *from = s->source;
	const struct domain *domain = from->domain;

	s->own = mem_array(1, domain->size + 1);
	if (s->own == NULL)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	if (domain->open != NULL && !domain->open(s, stage, err))
		return false;
	s->ended = from->step == NULL || store_is_blank(s->st);
	items_find_columns(s);
	if (from->args >= ARGS_DOMAIN && !domain->arguments(s, stage, err))
		return false;
	s->began = true;
	if ((from->rows_of == COL_NONE || item_rows_each(s, from->rows_of, from->moments)) &&
	    (from->begin == NULL || from->begin(s, stage, err)))
		return true;
	if (s->rows.err.kind != E_NONE)
		*err = s->rows.err;
	return false;
}

struct rows *
item_rows_over(struct session *session, const struct command *command, const struct stage *stage,
    struct rows *in, size_t col, struct err *err)
{
	const struct source *from = command->source;
	struct item_rows *s = rows_new(from->size == 0 ? sizeof *s : from->size,
	    from->ops != NULL ? from->ops : &item_ops, session, in, err);

	if (s == NULL)
		return NULL;
	s->source = from;
	s->st = session_store(session);
	s->col = col;
	s->rows.reads = COLUMN_BIT(col);
	if (items_keep_columns(s, command, stage, err) && item_rows_begin(s, stage, err))
		return &s->rows;
	rows_close(&s->rows);
	return NULL;
}

bool
item_rows_takes(const struct stage *stage, const struct rows *in, struct err *err)
{
	const struct source *from = stage->command->source;

	return (from->args != ARGS_NONE && (in == NULL || from->args == ARGS_OWN)) ||
	    stage_at_most(stage, 0, err);
}

bool
item_rows_open(struct session *session, const struct stage *stage, struct rows *in, struct rows **out,
    struct err *err)
{
	if (!item_rows_takes(stage, in, err)) {
		rows_close(in);
		return false;
	}
	*out = item_rows_over(session, stage->command, stage, in, 0, err);
	return *out != NULL;
}
