/*
 * pools: threads whose names differ in numbers only, or of one process, under one head.
 */
#include "config.h"

#include <stdlib.h>

#include "pools.h"
#include "ui/term/term.h"

enum { FOLDED = 1, UNFOLDED };

struct pool {
	uint64_t	 hash, n;
	uint64_t	 first, last;	/* members: rows of in, linked by next */
	uint64_t	*sum;		/* of each column */
	bool		 folded;
};

/* A row as shown: a head, or a thread. */
struct line {
	uint64_t	row;
	uint32_t	pool;
	bool		head;
};

struct pools {
	struct rows	 rows;
	struct pool	*pool;
	size_t		 npools, cappools;
	uint64_t	*next;		/* row of in + 1, 0: the last */
	uint32_t	*of;		/* which pool a row of in belongs to */
	uint64_t	 nrows;
	struct line	*line;
	uint64_t	 nlines;
	struct buf	 text;
	int		 name, id, poolcol;
};

static const struct rows_ops pools_ops;

/* ---- grouping ------------------------------------------------------------ */

/* numbers: hash to pool + 1. */
static struct pool *
find_pool(struct pools *p, struct idmap *numbers, uint64_t h)
{
	uint32_t	number = idmap_get(numbers, h);
	struct pool	*pool;

	if (number != 0)
		return &p->pool[number - 1];
	if (!mem_grow(&p->pool, &p->cappools, p->npools + 1, sizeof *p->pool))
		return NULL;
	pool = &p->pool[p->npools++];
	*pool = (struct pool){ .hash = h, .sum = mem_array(p->rows.ncols, sizeof *pool->sum) };
	return pool->sum != NULL && idmap_put(numbers, h, (uint32_t)p->npools, NULL) ? pool : NULL;
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
		if (c.type == CELL_COUNT || c.type == CELL_TIME || c.type == CELL_BYTES)
			pool->sum[i] += c.u;
	}
}

static bool
pools_group(struct pools *p)
{
	struct cell	 c;
	struct pool	*pool;
	struct idmap	 numbers = IDMAP_INIT;
	uint64_t	 row;

	for (row = 0; row < p->nrows; row++) {
		rows_cell(p->rows.in, row, (size_t)p->poolcol, &c);
		pool = find_pool(p, &numbers, c.type == CELL_TEXT ? idmap_hash_text(c.text, 0) : 0);
		if (pool == NULL)
			break;
		pools_add_member(p, pool, row);
	}
	idmap_free(&numbers);
	return row == p->nrows;
}

/* List the lines; a pool takes the place of its first member. */
static void
make_lines(struct pools *p)
{
	struct pool	*pool;

	p->nlines = 0;
	for (uint64_t row = 0; row < p->nrows; row++) {
		pool = &p->pool[p->of[row]];
		if (pool->first != row)
			continue;
		if (pool->n > 1)
			p->line[p->nlines++] = (struct line){ row, p->of[row], true };
		if (pool->folded && pool->n > 1)
			continue;
		for (uint64_t member = row + 1; member != 0; member = p->next[member - 1])
			p->line[p->nlines++] = (struct line){ member - 1, p->of[row], false };
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

	c->type = p->rows.cols[col].type;
	c->u = pool->sum[col];
	if ((int)col == p->name) {
		rows_cell(p->rows.in, l->row, (size_t)p->poolcol, &name);
		buf_clear(&p->text);
		buf_printf(&p->text, "%s ", pool->folded ? "+" : "-");
		if (name.type == CELL_TEXT)
			buf_str(&p->text, name.text);
		buf_printf(&p->text, " %s %llu", glyph(GLYPH_TIMES),
		    (unsigned long long)pool->n);
		c->type = CELL_TEXT;
		c->text = buf_view(&p->text);
	} else if (c->type != CELL_COUNT && c->type != CELL_TIME && c->type != CELL_BYTES)
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
	free(p->next);
	free(p->of);
	free(p->line);
	buf_free(&p->text);
}

static const struct rows_ops pools_ops = { .reach = pools_reach, .cell = pools_cell, .close = pools_close };

struct rows *
pools_wrap(struct rows *in, const char *column, const struct folds *folds, struct err *err)
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
	p->nrows = rows_reach(in, ROWS_ALL);
	p->next = mem_array(p->nrows + 1, sizeof *p->next);
	p->of = mem_array(p->nrows + 1, sizeof *p->of);
	p->line = mem_array(2 * p->nrows + 1, sizeof *p->line);
	if (p->next == NULL || p->of == NULL || p->line == NULL || !pools_group(p)) {
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

bool
pools_folded(struct rows *r, uint64_t row)
{
	struct pools	*p = (struct pools *)r;

	return r->ops == &pools_ops && row < p->nlines && p->pool[p->line[row].pool].folded;
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
