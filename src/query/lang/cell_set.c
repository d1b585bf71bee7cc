/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cell_set: the values that "in (QUERY)" looks up.
 */
#include "config.h"

#include <stdlib.h>

#include "lang.h"

/* ---- sets ------------------------------------------------------------------------ */

/* All zeros: it is empty.  Numbers are equal by value; empty cells and empty texts are not in it. */
struct cell_set {
	struct scratch	bits;		/* ids */
	uint64_t	nbits;
	struct scratch	whole;		/* u64: other whole numbers, sorted by cell_set_end */
	uint64_t	nwhole, near;	/* near: the place of the last one that was looked up */
	bool		unsorted;
	struct keys	keys;		/* all else */
};

static bool
is_empty(const struct cell *c)
{
	return c->type == CELL_NONE || (c->type == CELL_TEXT && c->text.n == 0);
}

/* A share is compared as the number it is, 0 to 100. */
static struct cell
normal(struct cell c)
{
	if (c.type == CELL_PERCENT)
		c.type = CELL_REAL;
	return cell_normal(c);
}

static bool
cell_set_is_whole(const struct cell *c)
{
	return c->type != CELL_INT && c->type != CELL_DECIMAL && c->type != CELL_TEXT && !is_real(c->type);
}

/* Ids are small and dense: store one bit for each. */
static bool
add_id(struct cell_set *s, uint32_t id, struct err *err)
{
	if (id >= s->nbits && !scratch_array(&s->bits, id / 64 + 1ull, sizeof(uint64_t), err))
		return false;
	if (id >= s->nbits)
		s->nbits = (id / 64 + 1ull) * 64;
	set_bit(&s->bits, id);
	return true;
}

static bool
add_whole(struct cell_set *s, uint64_t u, struct err *err)
{
	s->unsorted |= s->nwhole > 0 && u < SCRATCH(s->whole, uint64_t)[s->nwhole - 1];
	return scratch_add(&s->whole, &s->nwhole, &u, sizeof u, err);
}

static bool
cell_set_add(struct cell_set *s, const struct cell *cell, struct err *err)
{
	struct cell c = normal(*cell);
	uint32_t number;

	if (is_empty(&c))
		return true;
	if (c.type == CELL_ID && c.u <= UINT32_MAX)
		return add_id(s, (uint32_t)c.u, err);
	return cell_set_is_whole(&c) ? add_whole(s, c.u, err) : keys_cell(&s->keys, 0, &c, &number, err);
}

/* Sort by one byte.  The sort is stable: the order by lower bytes stays. */
static void
sort_byte(const uint64_t *from, uint64_t *to, uint64_t n, unsigned shift)
{
	uint64_t at[256] = { 0 }, sum = 0, count;

	for (uint64_t i = 0; i < n; i++)
		at[from[i] >> shift & 0xff]++;
	for (unsigned b = 0; b < 256; b++) {
		count = at[b];
		at[b] = sum;
		sum += count;
	}
	for (uint64_t i = 0; i < n; i++)
		to[at[from[i] >> shift & 0xff]++] = from[i];
}

/* Call after the last cell was added. */
static bool
cell_set_end(struct cell_set *s, struct err *err)
{
	struct scratch other = SCRATCH_INIT, swap;
	uint64_t differ = 0;

	if (!s->unsorted)
		return true;
	if (!scratch_array(&other, s->nwhole, sizeof(uint64_t), err))
		return false;
	for (uint64_t i = 1; i < s->nwhole; i++)
		differ |= SCRATCH(s->whole, uint64_t)[i] ^ SCRATCH(s->whole, uint64_t)[0];
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if ((differ >> shift & 0xff) == 0)
			continue;
		sort_byte(SCRATCH(s->whole, uint64_t), SCRATCH(other, uint64_t), s->nwhole, shift);
		swap = s->whole;
		s->whole = other;
		other = swap;
	}
	scratch_free(&other);
	s->unsorted = false;
	return true;
}

/* Lookups mostly ascend: gallop from the place of the last one, then bisect between the last two steps. */
static bool
has_whole(struct cell_set *s, uint64_t u)
{
	const uint64_t *v = SCRATCH(s->whole, uint64_t);
	uint64_t low = 0, high = s->nwhole, step = 1;

	if (high == 0)
		return false;
	if (v[s->near] <= u) {
		for (low = s->near; low + step < s->nwhole && v[low + step] <= u; step *= 2)
			low += step;
		high = low + step < s->nwhole ? low + step : s->nwhole;
	}
	low += num_last(v + low, sizeof *v, high - low, u);
	s->near = low;
	return v[low] == u;
}

static bool
cell_set_has(struct cell_set *s, const struct cell *cell)
{
	struct cell c = normal(*cell);

	if (is_empty(&c))
		return false;
	if (!cell_set_is_whole(&c))
		return s->keys.texts.n > 0 && keys_have(&s->keys, 0, &c);
	return (c.u < s->nbits && has_bit(&s->bits, (uint32_t)c.u)) || has_whole(s, c.u);
}

static void
cell_set_free(struct cell_set *s)
{
	scratch_free(&s->bits);
	scratch_free(&s->whole);
	s->nwhole = s->near = 0;
	keys_free(&s->keys);
	s->nbits = 0;
}

/* ---- answers --------------------------------------------------------------------- */

struct answer {
	struct rows	*rows;
	struct cell_set	 set;
	bool		 known;
};

static bool
cell_set_is_number(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INT || type == CELL_REAL || type == CELL_DECIMAL;
}

static bool
cell_set_comparable(const struct coldef *a, const struct coldef *b)
{
	return a->type == CELL_NONE || b->type == CELL_NONE ||
	    (cell_set_is_number(a->type) && cell_set_is_number(b->type)) ||
	    (a->type == b->type && (a->type != CELL_ID || a->of == b->of || a->of == ID_OWN ||
	    b->of == ID_OWN));
}

/* Guess the intended column: one of that name, otherwise one that can be compared. */
static const char *
likely(const struct rows *r, const struct coldef *def)
{
	int col = rows_column(r, str_of(def->name));

	for (size_t i = 0; col < 0 && i < r->ncols; i++)
		if (r->cols[i].type == def->type && r->cols[i].of == def->of)
			col = (int)i;
	for (size_t i = 0; col < 0 && i < r->ncols; i++)
		if (cell_set_comparable(&r->cols[i], def))
			col = (int)i;
	return r->cols[col < 0 ? 0 : col].name;
}

const char *
column_meaning(const struct coldef *def)
{
	static const char *const ids[] = { [ID_OWN] = "id", [ID_OBJECT] = "object", [ID_METHOD] = "method",
		[ID_CODE_METHOD] = "method of bytecode" };

	return def->type == CELL_ID ? ids[def->of] : def->type == CELL_TEXT ? "string" :
	    cell_type_name(def->type);
}

static bool
check_columns(const struct rows *r, const struct coldef *def, size_t at, struct err *err)
{
	if (r->ncols != 1)
		return fail_at(err, E_USAGE, at, "in (...) needs one column; add '| select %s'",
		    likely(r, def));
	return cell_set_comparable(def, &r->cols[0]) || fail_at(err, E_USAGE, at,
	    "cannot compare '%s' (%s) with '%s' (%s)", def->name,
	    column_meaning(def), r->cols[0].name, column_meaning(&r->cols[0]));
}

bool
answer_open(struct answer **out, const struct stage *s, const struct token *query, struct rows *in,
    const struct coldef *def, struct err *err)
{
	struct answer *a = mem_array(1, sizeof *a);

	if (a == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	if (!query->nested->open(query->nested, in->session, s->shapes, &a->rows, err) ||
	    !check_columns(a->rows, def, query->at, err)) {
		answer_close(a);
		return false;
	}
	if (rows_note(a->rows, 0) != NULL)
		rows_note_add(in, "%s", rows_note(a->rows, 0));
	*out = a;
	return true;
}

static bool
cell_set_read_all(struct answer *a, struct rows *in, struct err *err)
{
	struct cell c;

	rows_set_work(a->rows, in->work);
	for (uint64_t row = 0; rows_reach(a->rows, row + 1) > row; row++) {
		if (!rows_tick(a->rows, row))
			break;
		rows_cell(a->rows, row, 0, &c);
		if (!cell_set_add(&a->set, &c, err))
			return false;
	}
	if (rows_error(a->rows) == NULL)
		return cell_set_end(&a->set, err);
	*err = *rows_error(a->rows);
	return false;
}

bool
answer_has(struct answer *a, struct rows *in, const struct cell *c, bool *yes, struct err *err)
{
	if (!a->known && !cell_set_read_all(a, in, err))
		return false;
	if (!a->known) {
		rows_close(a->rows);
		a->rows = NULL;
	}
	a->known = true;
	*yes = cell_set_has(&a->set, c);
	return true;
}

void
answer_close(struct answer *a)
{
	if (a == NULL)
		return;
	rows_close(a->rows);
	cell_set_free(&a->set);
	free(a);
}
