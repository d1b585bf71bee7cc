/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * values: the numbers of each group, kept for their percentiles.
 */
#include "config.h"

#include "agg.h"

#define SIGN (1ull << 63)
#define ROUGH (1ull << 63)	/* flag of a row: its key does not determine its number */

/* Cells of such a column are integers, which can be sorted by their bits. */
static bool
values_is_integer(enum cell_type type)
{
	return type == CELL_COUNT || type == CELL_INT || type == CELL_BYTES || type == CELL_TIME ||
	    type == CELL_BOOL;
}

void
values_init(struct values *v, size_t col, enum cell_type type)
{
	*v = (struct values){ .col = col, .type = type, .by_row = !values_is_integer(type),
	    .group = SCRATCH_INIT, .key = SCRATCH_INIT, .row = SCRATCH_INIT, .end = SCRATCH_INIT };
}

void
values_free(struct values *v)
{
	scratch_free(&v->group);
	scratch_free(&v->key);
	scratch_free(&v->row);
	scratch_free(&v->end);
}

bool
values_add(struct values *v, uint32_t group, uint64_t row, const struct cell *c, struct err *err)
{
	uint64_t key, of = v->n, rows = v->n;

	if (v->by_row)
		row |= cell_number_key(c, &key) ? 0 : ROUGH;
	else
		key = (c->type == CELL_INT ? (uint64_t)c->i : c->u > INT64_MAX ? INT64_MAX : c->u) ^ SIGN;
	return scratch_add(&v->group, &of, &group, sizeof group, err) &&
	    (!v->by_row || scratch_add(&v->row, &rows, &row, sizeof row, err)) &&
	    scratch_add(&v->key, &v->n, &key, sizeof key, err);
}

static void
values_swap(struct scratch *of, uint64_t a, uint64_t b)
{
	uint64_t *word = SCRATCH(*of, uint64_t), t = word[a];

	word[a] = word[b];
	word[b] = t;
}

static void
swap_values(struct values *v, uint64_t a, uint64_t b)
{
	values_swap(&v->key, a, b);
	if (v->by_row)
		values_swap(&v->row, a, b);
}

/*
 * Move each value to the next place of its group, then the value that was there: no second array is needed.
 */
static bool
put_in_place(struct values *v, uint64_t *next, uint64_t groups, struct rows *r)
{
	const uint64_t *end = SCRATCH(v->end, uint64_t);
	uint32_t *group = SCRATCH(v->group, uint32_t), of;

	for (uint64_t g = 0; g < groups; g++)
		while (next[g] < end[g]) {
			if (!rows_tick(r, next[g]))
				return false;
			of = group[next[g]];
			if (of == g) {
				next[g]++;
				continue;
			}
			swap_values(v, next[g], next[of]);
			group[next[g]] = group[next[of]];
			group[next[of]++] = of;
		}
	return true;
}

bool
values_group(struct values *v, uint64_t groups, struct rows *r, struct err *err)
{
	struct scratch next = SCRATCH_INIT;
	uint64_t *end, sum = 0;
	bool ok;

	if (v->grouped)
		return true;
	if (!scratch_array(&v->end, groups, sizeof(uint64_t), err) ||
	    !scratch_array(&next, groups, sizeof(uint64_t), err)) {
		scratch_free(&next);
		return false;
	}
	end = SCRATCH(v->end, uint64_t);
	for (uint64_t i = 0; i < v->n; i++)
		end[SCRATCH(v->group, uint32_t)[i]]++;
	for (uint64_t g = 0; g < groups; g++) {
		SCRATCH(next, uint64_t)[g] = sum;
		sum = end[g] += sum;
	}
	ok = groups <= 1 || put_in_place(v, SCRATCH(next, uint64_t), groups, r);
	scratch_free(&next);
	scratch_free(&v->group);
	v->grouped = true;
	return ok;
}

/* ---- selecting -------------------------------------------------------------------- */

/* Compare the value at that place with a pivot.  Cells, which may be slow to read, are read only on ties. */
static int
values_order(const struct values *v, uint64_t at, uint64_t key, uint64_t row, struct rows *in)
{
	uint64_t other = SCRATCH(v->key, uint64_t)[at], of;
	struct cell x, y;

	if (!v->by_row || other != key)
		return (other > key) - (other < key);
	of = SCRATCH(v->row, uint64_t)[at];
	if (((of | row) & ROUGH) == 0 || of == row)
		return 0;
	rows_cell(in, of & ~ROUGH, v->col, &x);
	rows_cell(in, row & ~ROUGH, v->col, &y);
	return cell_cmp(&x, &y);
}

/* Partition [from, to) into values less than the one at pivot, equal to it, and greater. */
static void
values_split(struct values *v, uint64_t from, uint64_t to, uint64_t pivot, struct rows *in, uint64_t *less,
    uint64_t *more)
{
	uint64_t i = from, key = SCRATCH(v->key, uint64_t)[pivot],
	    row = v->by_row ? SCRATCH(v->row, uint64_t)[pivot] : 0;
	int side;

	*less = from;
	*more = to;
	while (i < *more) {
		side = values_order(v, i, key, row, in);
		if (side < 0)
			swap_values(v, i++, (*less)++);
		else if (side > 0)
			swap_values(v, i, --*more);
		else
			i++;
	}
}

/* The pivot is chosen by a hash, so that a file cannot make this slow. */
uint64_t
values_select(struct values *v, uint64_t group, uint64_t rank, struct rows *in)
{
	uint64_t from = group == 0 ? 0 : SCRATCH(v->end, uint64_t)[group - 1];
	uint64_t to = SCRATCH(v->end, uint64_t)[group], less, more;

	rank += from;
	for (;;) {
		values_split(v, from, to, from + idmap_hash(from ^ to << 32) % (to - from), in, &less, &more);
		if (rank < less)
			to = less;
		else if (rank >= more)
			from = more;
		else
			break;
	}
	return v->by_row ? SCRATCH(v->row, uint64_t)[rank] & ~ROUGH : SCRATCH(v->key, uint64_t)[rank];
}

void
values_cell(const struct values *v, uint64_t value, struct rows *in, struct cell *c)
{
	if (v->by_row) {
		rows_cell(in, value, v->col, c);
		return;
	}
	value ^= SIGN;
	c->type = (int64_t)value < 0 ? CELL_INT : v->type;
	c->u = value;
	if (c->type == CELL_INT)
		c->i = (int64_t)value;
}
