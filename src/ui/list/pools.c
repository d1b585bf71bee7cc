/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pools: group threads into pools: those whose names differ only in numbers, or those of the same process.
 */
#include "config.h"

#include <stdlib.h>

#include "list.h"

enum { FOLDED = 1, UNFOLDED };

struct pool {
	uint64_t	 hash, n;
	uint64_t	 first, last;	/* members: rows of the input, linked by next */
	uint64_t	*sum;		/* sums by column; percentages in thousandths */
	bool		 folded;
};

/* A displayed row: the heading of a pool, or a thread. */
struct line {
	uint64_t	row;
	uint32_t	pool;
	bool		head;
};

struct pools {
	struct rows	 rows;
	struct pool	*pool;
	size_t		 npools, cappools;
	uint32_t	*order;		/* numbers of the pools, in display order */
	uint64_t	*next;		/* next member: row of the input + 1; 0: none */
	uint32_t	*of;		/* pool of each row of the input */
	uint64_t	 nrows;
	struct line	*line;
	uint64_t	 nlines;
	struct buf	 text;
	int		 name, id, poolcol;
	int		 pid;		/* column with ids of processes; -1: unknown */
};

static const struct rows_ops pools_ops;

/* A pool and its sort key. */
struct keyed {
	uint64_t	value;
	uint32_t	pool;
};

static int
by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->pool < y->pool ? -1 : x->pool > y->pool;
}

/* ---- grouping ------------------------------------------------------------ */

/* Find or add the pool with this hash of its name. numbers maps the hash to the number of the pool + 1. */
static struct pool *
find_pool(struct pools *p, struct idmap *numbers, uint64_t h)
{
	uint32_t	number = idmap_get(numbers, h);
	struct pool	*pool;

	if (number != 0)
		return &p->pool[number - 1];
	if (!MEM_ROOM(p->pool, p->cappools, p->npools))
		return NULL;
	pool = &p->pool[p->npools++];
	*pool = (struct pool){ .hash = h, .sum = mem_array(p->rows.ncols, sizeof *pool->sum) };
	return pool->sum != NULL && idmap_put(numbers, h, (uint32_t)p->npools, NULL) ? pool : NULL;
}

/* Whether a heading has a value in a column. Percentiles cannot be summed, so it has none there. */
static bool
pools_sums(const struct coldef *col, enum cell_type type)
{
	return (type == CELL_COUNT || type == CELL_TIME || type == CELL_BYTES || type == CELL_PERCENT) &&
	    !(col->name[0] == 'p' && is_digit(col->name[1]));
}

/* For a maximum, a heading has the largest value of its threads instead of the sum. */
static bool
takes_largest(const struct coldef *col)
{
	return str_has_prefix(str_of(col->name), STR("max_"));
}

static void
pools_add_member(struct pools *p, struct pool *pool, uint64_t row)
{
	struct cell	c;

	if (pool->n++ == 0)
		pool->first = row;
	else
		p->next[pool->last] = row + 1;
	pool->last = row;
	p->of[row] = (uint32_t)(pool - p->pool);
	for (size_t i = 0; i < p->rows.ncols; i++) {
		rows_cell(p->rows.in, row, i, &c);
		if (!pools_sums(&p->rows.cols[i], c.type))
			continue;
		if (c.type == CELL_PERCENT)
			c.u = c.f > 0 ? (uint64_t)(c.f * 1000 + 0.5) : 0;
		if (takes_largest(&p->rows.cols[i]))
			pool->sum[i] = c.u > pool->sum[i] ? c.u : pool->sum[i];
		else
			pool->sum[i] += c.u;
	}
}

/* The id of the process of a row; 0: it is not known or not wanted. */
static uint64_t
pools_pid(struct pools *p, uint64_t row)
{
	struct cell	c = { .type = CELL_NONE };

	if (p->pid >= 0)
		rows_cell(p->rows.in, row, (size_t)p->pid, &c);
	return c.type == CELL_ID ? c.u : 0;
}

static bool
pools_group(struct pools *p)
{
	struct cell	 c;
	struct pool	*pool;
	struct idmap	 numbers = IDMAP_INIT;
	uint64_t	 row, pid;

	for (row = 0; row < p->nrows; row++) {
		pid = pools_pid(p, row);
		rows_cell(p->rows.in, row, (size_t)p->poolcol, &c);
		/* Rows without a text have nothing in common. */
		pool = find_pool(p, &numbers, c.type == CELL_TEXT && c.text.n > 0 ?
		    idmap_hash_text(c.text, pid) : idmap_hash(row));
		if (pool == NULL)
			break;
		pools_add_member(p, pool, row);
	}
	idmap_free(&numbers);
	return row == p->nrows;
}

/* Sort pools by a numeric column; sort NULL: keep the order of their first rows. The sort is stable. */
static bool
order_pools(struct pools *p, const char *sort)
{
	bool	 falling = sort != NULL && sort[0] == '-';
	int	 col = sort == NULL ? -1 : rows_column(&p->rows, str_of(sort + falling));
	struct keyed *key = mem_array(p->npools + 1, sizeof *key);

	p->order = mem_array(p->npools + 1, sizeof *p->order);
	for (size_t i = 0; key != NULL && p->order != NULL && i < p->npools; i++) {
		uint64_t value = col >= 0 ? p->pool[i].sum[col] : 0;

		key[i] = (struct keyed){ falling ? UINT64_MAX - value : value, (uint32_t)i };
	}
	if (key != NULL && p->order != NULL && p->npools > 0)
		qsort(key, p->npools, sizeof *key, by_key);
	for (size_t i = 0; key != NULL && p->order != NULL && i < p->npools; i++)
		p->order[i] = key[i].pool;
	free(key);
	return key != NULL && p->order != NULL;
}

/* Make the displayed rows, pool by pool. A pool of one thread has no heading. */
static void
make_lines(struct pools *p)
{
	p->nlines = 0;
	for (size_t i = 0; i < p->npools; i++) {
		const struct pool *pool = &p->pool[p->order[i]];

		if (pool->n > 1)
			p->line[p->nlines++] = (struct line){ pool->first, p->order[i], true };
		if (pool->folded && pool->n > 1)
			continue;
		for (uint64_t member = pool->first + 1; member != 0; member = p->next[member - 1])
			p->line[p->nlines++] = (struct line){ member - 1, p->order[i], false };
	}
}

/* ---- rows ---------------------------------------------------------------- */

static uint64_t
pools_reach(struct rows *r, uint64_t n)
{
	struct pools	*p = (struct pools *)r;

	return n < p->nlines ? n : p->nlines;
}

static void
head_cell(struct pools *p, const struct line *l, size_t col, struct cell *c)
{
	const struct pool *pool = &p->pool[l->pool];
	struct cell	 name;
	uint64_t	 pid, called;

	c->type = p->rows.cols[col].type;
	c->u = pool->sum[col];
	if (c->type == CELL_PERCENT)
		c->f = (double)pool->sum[col] / 1000;
	if ((int)col == p->name) {
		rows_cell(p->rows.in, l->row, (size_t)p->poolcol, &name);
		buf_clear(&p->text);
		buf_printf(&p->text, "%s ", pool->folded ? "+" : "-");
		if (name.type == CELL_TEXT)
			buf_str(&p->text, name.text);
		/* A process without a name is called by its id. */
		pid = pools_pid(p, l->row);
		rows_cell(p->rows.in, l->row, (size_t)p->poolcol, &name);
		if (pid != 0 && name.type == CELL_TEXT && (!num_u64(name.text, 10, &called) || called != pid))
			buf_printf(&p->text, " %llu", (unsigned long long)pid);
		buf_printf(&p->text, " %s %llu", glyph(GLYPH_TIMES),
		    (unsigned long long)pool->n);
		c->type = CELL_TEXT;
		c->text = buf_view(&p->text);
	} else if (!pools_sums(&p->rows.cols[col], c->type))
		c->type = CELL_NONE;
}

static void
pools_cell(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct pools	*p = (struct pools *)r;
	const struct line *l = &p->line[row];

	if (l->head) {
		head_cell(p, l, col, c);
		return;
	}
	rows_cell(p->rows.in, l->row, col, c);
	if ((int)col != p->name || c->type != CELL_TEXT || p->pool[l->pool].n < 2)
		return;
	buf_clear(&p->text);
	buf_str(&p->text, STR("    "));
	buf_str(&p->text, c->text);
	c->text = buf_view(&p->text);
}

static void
pools_close(struct rows *r)
{
	struct pools	*p = (struct pools *)r;

	for (size_t i = 0; i < p->npools; i++)
		free(p->pool[i].sum);
	free(p->pool);
	free(p->order);
	free(p->next);
	free(p->of);
	free(p->line);
	buf_free(&p->text);
}

static const struct rows_ops pools_ops = { .reach = pools_reach, .cell = pools_cell, .close = pools_close };

struct rows *
pools_wrap(struct rows *in, const char *column, const char *sort, const struct folds *folds, struct err *err)
{
	struct pools	*p;

	if (rows_column(in, str_of(column)) < 0 || rows_column(in, STR("name")) < 0)
		return in;
	p = rows_new(sizeof *p, &pools_ops, in->session, in, err);
	if (p == NULL)
		return NULL;
	p->poolcol = rows_column(in, str_of(column));
	p->name = rows_column(in, STR("name"));
	p->id = rows_column(in, STR("id"));
	p->pid = str_eq(str_of(column), STR("process")) ? rows_column(in, STR("of_pid")) : -1;
	p->nrows = rows_reach(in, ROWS_ALL);
	p->next = mem_array(p->nrows + 1, sizeof *p->next);
	p->of = mem_array(p->nrows + 1, sizeof *p->of);
	p->line = mem_array(2 * p->nrows + 1, sizeof *p->line);
	if (p->next == NULL || p->of == NULL || p->line == NULL || !pools_group(p) || !order_pools(p, sort)) {
		rows_close(&p->rows);
		fail(err, E_SYSTEM, "out of memory (pools)");
		return NULL;
	}
	for (size_t i = 0; i < p->npools; i++)
		p->pool[i].folded = idmap_get(&folds->pool, p->pool[i].hash) == FOLDED;
	make_lines(p);
	return &p->rows;
}

/* ---- folding ------------------------------------------------------------- */

static void
set_folded(struct folds *f, uint64_t h, bool fold)
{
	bool	was = idmap_get(&f->pool, h) == FOLDED;

	if (was != fold && idmap_put(&f->pool, h, fold ? FOLDED : UNFOLDED, NULL))
		f->n += fold ? 1 : -1;
}

void
pools_fold(struct rows *r, struct folds *f, uint64_t row, bool fold, bool all)
{
	struct pools	*p = (struct pools *)r;

	if (r->ops != &pools_ops || row >= p->nlines)
		return;
	for (size_t i = 0; i < p->npools; i++)
		if ((all && p->pool[i].n > 1) || i == p->line[row].pool) {
			p->pool[i].folded = fold;
			set_folded(f, p->pool[i].hash, fold);
		}
	make_lines(p);
}

/* False: another key, or the worker is opening the rows and reads the folds. */
bool
pools_act(struct list *l, struct folds *f, enum verb verb)
{
	const struct pools *p = (struct pools *)l->now.rows;
	const struct line *line;
	bool		 all = verb == VERB_FOLD_ALL, fold = all ? f->n == 0 : verb == VERB_FOLD;

	if (!list_usable(l) || l->now.known == 0 || l->task.given)
		return false;
	line = p->rows.ops == &pools_ops ? &p->line[l->sel] : NULL;
	if (verb == VERB_ENTER && line != NULL && line->head)
		fold = !p->pool[line->pool].folded;
	else if (!all && verb != VERB_FOLD && verb != VERB_UNFOLD)
		return false;
	pools_fold(l->now.rows, f, l->sel, fold, all);
	list_recount(l);
	return true;
}

uint32_t *
pools_threads(struct rows *r, uint64_t row, size_t *n)
{
	struct pools	*p = (struct pools *)r;
	struct cell	 c;
	int		 col = rows_column(r, STR("id"));
	bool		 head = r->ops == &pools_ops && p->line[row].head;
	struct rows	*from = head ? r->in : r;
	uint64_t	 member = head ? p->line[row].row : row;
	uint32_t	*ids = mem_array(head ? p->pool[p->line[row].pool].n : 1, sizeof *ids);

	*n = 0;
	if (col < 0 || ids == NULL)
		return ids;
	for (member++; member != 0; member = head ? p->next[member - 1] : 0) {
		rows_cell(from, member - 1, (size_t)col, &c);
		if (c.type == CELL_ID)
			ids[(*n)++] = (uint32_t)c.u;
	}
	return ids;
}
