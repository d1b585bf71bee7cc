/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fold: call trees as folded stacks, "frame;frame;frame weight", for flame graph tools.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"
#include "query/draw/draw.h"

struct fold {
	struct printer	*p;
	struct stack_tree	 stacks;
	uint32_t	*path;		/* names of the frames of the line that is printed */
	size_t		 path_cap;
};

/* Append a weight: with all decimals for profiles, in whole microseconds for traces. */
static void
fold_add_amount(const struct stack_tree *s, uint64_t weight, struct buf *line)
{
	uint64_t part = weight % s->unit;
	char digits[24];
	size_t n;

	buf_printf(line, " %" PRIu64, weight / s->unit);
	if (!s->profile || part == 0)
		return;
	/* The leading 1 keeps the zeros of the fraction. */
	snprintf(digits, sizeof digits, "%" PRIu64, s->unit + part);
	for (n = strlen(digits); digits[n - 1] == '0'; n--)
		;
	buf_chr(line, '.');
	buf_add(line, digits + 1, n - 1);
}

static bool
fold_line(struct fold *f, uint32_t number, const struct tree_stack *s, struct err *err)
{
	struct buf *line = &f->p->line;
	size_t n = 0;

	for (; number != 0; number = stack_at(&f->stacks, number)->caller) {
		if (!mem_grow(&f->path, &f->path_cap, n + 1, sizeof *f->path))
			return fail(err, E_SYSTEM, "out of memory (stack)");
		f->path[n++] = stack_at(&f->stacks, number)->name;
	}
	while (n-- > 0) {
		buf_str(line, stack_name(&f->stacks, f->path[n]));
		if (n > 0)
			buf_chr(line, ';');
	}
	if (f->stacks.differs)
		fold_add_amount(&f->stacks, s->before, line);
	fold_add_amount(&f->stacks, s->weight, line);
	print_end(f->p);
	return !f->p->ended;
}

/* ---- lines by their bytes ---------------------------------------------------------------------- */

struct fold_order {
	const struct stack_tree *s;
	const uint32_t		*depth;		/* by number of a stack */
};

/* Find the first frames in which a and b differ; false: one is the caller of the other. */
static bool
part_ways(const struct fold_order *o, uint32_t *a, uint32_t *b)
{
	while (o->depth[*a] > o->depth[*b])
		*a = stack_at(o->s, *a)->caller;
	while (o->depth[*b] > o->depth[*a])
		*b = stack_at(o->s, *b)->caller;
	if (*a == *b)
		return false;
	while (stack_at(o->s, *a)->caller != stack_at(o->s, *b)->caller) {
		*a = stack_at(o->s, *a)->caller;
		*b = stack_at(o->s, *b)->caller;
	}
	return true;
}

/* Compare stacks as their lines: a frame ends with a semicolon, the last frame with nothing. */
static int
by_bytes(const void *one, const void *other, void *arg)
{
	const struct fold_order *o = arg;
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other, x = a, y = b;
	struct str s, t;
	int order;

	if (!part_ways(o, &x, &y))
		return num_order(o->depth[a], o->depth[b], 0);
	s = stack_name(o->s, stack_at(o->s, x)->name);
	t = stack_name(o->s, stack_at(o->s, y)->name);
	order = s.n == 0 || t.n == 0 ? 0 : memcmp(s.s, t.s, s.n < t.n ? s.n : t.n);
	if (order != 0 || s.n == t.n)
		return order;
	if (s.n < t.n)
		return x == a || (unsigned char)t.s[s.n] > ';' ? -1 : 1;
	return y == b || (unsigned char)s.s[t.n] > ';' ? 1 : -1;
}

/* Sort the numbers of all stacks in that order. */
static bool
sort_lines(const struct stack_tree *s, uint32_t **sorted, struct err *err)
{
	uint32_t *depth = mem_array(s->n + 1ull, sizeof *depth);
	struct fold_order o = { s, depth };

	*sorted = mem_array(s->n + 1ull, sizeof **sorted);
	for (uint32_t i = 1; depth != NULL && *sorted != NULL && i <= s->n; i++) {
		depth[i] = depth[stack_at(s, i)->caller] + 1;
		(*sorted)[i - 1] = i;
	}
	if (depth != NULL && *sorted != NULL && s->n > 1)
		qsort_r(*sorted, s->n, sizeof **sorted, by_bytes, &o);
	free(depth);
	return (depth != NULL && *sorted != NULL) || fail(err, E_SYSTEM, "out of memory (stacks)");
}

/* Print the lines of a recording (JFR) in byte order, all others in the order of the tree. */
static bool
fold_lines(struct fold *f, uint64_t *n, struct err *err)
{
	struct tree_stack s;
	uint32_t *sorted = NULL, number;
	bool ok = !f->stacks.bare || sort_lines(&f->stacks, &sorted, err);

	for (uint32_t i = 1; ok && i <= f->stacks.n; i++) {
		number = sorted != NULL ? sorted[i - 1] : i;
		s = *stack_at(&f->stacks, number);
		if (s.before == 0 && (s.weight == 0 || (!f->stacks.profile && s.weight < f->stacks.unit)))
			continue;
		ok = fold_line(f, number, &s, err);
		*n += ok;
	}
	free(sorted);
	return ok;
}

/* ---- rows that are folded stacks already --------------------------------------------------------- */

/* Flame graph tools read no exponents, which cell_plain writes outside of these limits. */
#define REAL_SMALL 1e-4
#define REAL_LARGE 0x1p63

static void
add_weight(const struct cell *c, struct buf *line)
{
	buf_chr(line, ' ');
	if (!is_real(c->type) || (c->f >= REAL_SMALL && c->f < REAL_LARGE))
		cell_plain(c, line);
	else
		buf_printf(line, c->f < REAL_SMALL ? "%.12f" : "%.0f", c->f);
}

/* Check that a cell can be the weight of a stack; an empty cell cannot. */
static bool
check_weight(struct fold *f, uint64_t row, const struct cell *c, struct err *err)
{
	double weight = cell_real(c);
	struct buf *text = &f->p->cell;

	if (c->type == CELL_NONE || (c->type != CELL_TEXT && c->type != CELL_ID && c->type != CELL_ADDR &&
	    c->type != CELL_BOOL && weight >= 0 && isfinite(weight)))
		return true;
	buf_clear(text);
	cell_show(c, text);
	return fail(err, E_USAGE, "row %" PRIu64 ": '%.*s' is not a folded weight; use a number, 0 or more",
	    row + 1, (int)text->n, text->s == NULL ? "" : text->s);
}

/* Print a column of stacks and a column of weights. */
static bool
whole_stacks(struct fold *f, size_t stack, size_t weight, uint64_t *n, struct err *err)
{
	struct rows *r = f->p->rows;
	struct buf *line = &f->p->line;
	struct cell c;

	for (uint64_t row = 0; rows_reach(r, row + 1) > row; row++) {
		rows_cell(r, row, weight, &c);
		if (!rows_tick(r, row) || !check_weight(f, row, &c, err))
			return false;
		if (cell_real(&c) == 0)
			continue;
		rows_cell(r, row, stack, &c);
		text_fit_buf(line, c.type == CELL_TEXT ? c.text : STR(""));
		rows_cell(r, row, weight, &c);
		add_weight(&c, line);
		print_end(f->p);
		if (f->p->ended)
			return false;
		++*n;
	}
	return true;
}

static bool
fold_fold(struct fold *f, uint64_t *n, struct err *err)
{
	int stack = rows_column(f->p->rows, STR("stack")), weight = rows_column(f->p->rows, STR("weight"));

	if (stack >= 0 && weight >= 0)
		return whole_stacks(f, (size_t)stack, (size_t)weight, n, err);
	return stacks_read(&f->stacks, f->p->rows, err) &&
	    (rows_error(f->p->rows) != NULL || fold_lines(f, n, err));
}

void
folded_print(struct printer *p, uint64_t *n)
{
	struct fold f = { .p = p };

	print_unless(p, fold_fold(&f, n, p->err));
	stacks_free(&f.stacks);
	free(f.path);
}
