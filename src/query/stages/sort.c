/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sort: rows by columns, stable.  When only the first few are wanted no more
 * than these are kept while the rows go by.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "entry.h"
#include "query/lang/lang.h"

#define TOP_MAX 65536		/* rows that are kept in a heap rather than sorting all */

/*
 * Texts of one column, cached so that comparisons do not build them each time.  A column of any
 * type has whole cells here, each followed by the bytes of its text.
 */
struct texts {
	struct scratch	end;	/* u64: where the text of each row ends */
	struct scratch	bytes;
	uint64_t	size;
};

struct sort {
	struct rows		 rows;
	struct column_ref	*ref;
	size_t			 nrefs;
	struct texts		*texts;		/* texts of the cells, by column; NULL: they are read again */
	struct buf		 copy[2];	/* texts of the rows that are compared */
	struct scratch		 entry, spare;
	uint64_t		 n;
	uint64_t		 most;		/* number of rows that top wants of each group */
	bool			 top;		/* never sorts all rows, however many are wanted */
	struct column_ref	*per;		/* columns whose equal cells make a group; or NULL */
	size_t			 nper;
	struct keys		 keys;
	struct scratch		 group;		/* u32: group of each row of in */
	bool			 done;
	struct batch_keys	*room;		/* keys of rows as integers, in their order; or NULL */
	bool			 rough;		/* first cells may differ though their keys are equal */
	struct rows_bar		 bar;		/* the key of the last row that is kept */
};

/* ---- comparing ------------------------------------------------------------------ */

static struct str
text_of_row(const struct texts *t, uint64_t row)
{
	const uint64_t *end = SCRATCH(t->end, uint64_t);
	uint64_t from = row == 0 ? 0 : end[row - 1];

	return (struct str){ SCRATCH(t->bytes, char) + from, end[row] - from };
}

static bool
sort_is_kept(const struct sort *s, size_t col)
{
	enum cell_type type = s->rows.in->cols[col].type;

	return type == CELL_TEXT || type == CELL_NONE;
}

static void
kept_cell(const struct texts *t, uint64_t row, enum cell_type column, struct cell *c)
{
	struct str s = text_of_row(t, row);

	if (column == CELL_NONE) {
		memcpy(c, s.s, sizeof *c);
		s.s += sizeof *c;
		s.n -= sizeof *c;
	} else
		c->type = CELL_TEXT;
	if (c->type == CELL_TEXT)
		c->text = s;
}

/* side: which of the two rows of a comparison. */
static void
sort_cell(struct sort *s, size_t i, uint64_t row, int side, struct cell *c)
{
	struct buf *copy = &s->copy[side];
	size_t col = s->ref[i].col;
	bool kept = s->texts != NULL && sort_is_kept(s, col);

	if (kept)
		kept_cell(&s->texts[i], row, s->rows.in->cols[col].type, c);
	else
		rows_cell(s->rows.in, row, col, c);
	if (s->ref[i].abs)
		cell_abs(c, s->rows.in->cols[col].type);
	if (!kept && c->type == CELL_TEXT) {
		buf_clear(copy);
		buf_str(copy, c->text);
		cell_text(&s->rows, c, copy);
	}
}

static bool
entry_before(struct sort *s, const struct sort_entry *a, const struct sort_entry *b)
{
	struct cell x, y;
	int order;
	const uint32_t *group = SCRATCH(s->group, uint32_t);

	if (s->per != NULL && group[a->row] != group[b->row])
		return group[a->row] < group[b->row];
	if (a->key != b->key)
		return a->key < b->key;
	for (size_t i = s->rough ? 0 : 1; i < s->nrefs; i++) {
		sort_cell(s, i, a->row, 0, &x);
		sort_cell(s, i, b->row, 1, &y);
		order = cell_order(&x, &y, &s->rows.in->cols[s->ref[i].col], s->ref[i].down);
		if (order != 0)
			return order < 0;
	}
	return a->row < b->row;
}

static uint64_t
sort_key_of(const struct sort *s, struct cell *c)
{
	const struct coldef *def = &s->rows.in->cols[s->ref[0].col];

	if (s->ref[0].abs)
		cell_abs(c, def->type);
	return cell_place(c, def, s->ref[0].down);
}

/* Compute the sort keys of rows [row, row + n), n <= BATCH, into room->key. */
static bool
find_keys(struct sort *s, uint64_t row, size_t n)
{
	struct rows *in = s->rows.in;
	size_t col = s->ref[0].col;
	struct batch *b;
	struct cell c;
	bool batch;

	if (s->room == NULL && (s->room = mem_array(1, sizeof *s->room)) == NULL)
		return fail(&s->rows.err, E_SYSTEM, "out of memory (sort)");
	b = &s->room->batch;
	batch = rows_batch(in, row, n, col, b) && b->values == 0;
	/* For these numbers cell_place would return the same. */
	if (batch && !s->ref[0].abs && batch_keys(s->room, in, n, col, s->ref[0].down))
		return true;
	s->rough = true;
	for (size_t i = 0; i < n; i++) {
		if (batch)
			batch_cell(b, i, &c);
		else if (rows_tick(&s->rows, row))
			rows_cell(in, row + i, col, &c);
		else
			return false;
		s->room->key[i] = sort_key_of(s, &c);
	}
	return true;
}

/* ---- all rows --------------------------------------------------------------------- */

static void
sort_merge(struct sort *s, const struct sort_entry *from, struct sort_entry *to, uint64_t left,
    uint64_t middle, uint64_t right)
{
	uint64_t a = left, b = middle;

	for (uint64_t i = left; i < right; i++) {
		if (b == right || (a < middle && !entry_before(s, &from[b], &from[a])))
			to[i] = from[a++];
		else
			to[i] = from[b++];
	}
}

static bool
merge_sort(struct sort *s)
{
	uint64_t middle, right, n = s->n;
	struct scratch swap;

	if (!scratch_array(&s->spare, n, sizeof(struct sort_entry), &s->rows.err))
		return false;
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t left = 0; left < n; left = right) {
			middle = n - left < width ? n : left + width;
			right = n - middle < width ? n : middle + width;
			sort_merge(s, SCRATCH(s->entry, struct sort_entry),
			    SCRATCH(s->spare, struct sort_entry), left, middle, right);
			if (!rows_tick(&s->rows, right))
				return false;
		}
		swap = s->entry;
		s->entry = s->spare;
		s->spare = swap;
	}
	scratch_free(&s->spare);
	return true;
}

static bool
sort_texts_add(struct texts *t, const void *bytes, size_t n, struct err *err)
{
	if (!scratch_array(&t->bytes, t->size + n, 1, err))
		return false;
	if (n > 0)
		memcpy(SCRATCH(t->bytes, char) + t->size, bytes, n);
	t->size += n;
	return true;
}

static bool
texts_end(struct texts *t, uint64_t row, struct err *err)
{
	if (!scratch_array(&t->end, row + 1, sizeof(uint64_t), err))
		return false;
	SCRATCH(t->end, uint64_t)[row] = t->size;
	return true;
}

static bool
add_texts(struct sort *s, uint64_t row)
{
	struct rows *in = s->rows.in;
	struct err *err = &s->rows.err;
	size_t col, n;
	struct cell c;
	bool whole;

	for (size_t i = 0; i < s->nrefs; i++) {
		col = s->ref[i].col;
		if (!sort_is_kept(s, col))
			continue;
		memset(&c, 0, sizeof c);
		rows_cell(in, row, col, &c);
		n = c.type == CELL_TEXT ? c.text.n : 0;
		whole = in->cols[col].type == CELL_NONE;
		if ((whole && !sort_texts_add(&s->texts[i], &c, sizeof c, err)) ||
		    !sort_texts_add(&s->texts[i], n > 0 ? c.text.s : "", n, err) ||
		    !texts_end(&s->texts[i], row, err))
			return false;
	}
	return true;
}

static bool
sort_sort_all(struct sort *s)
{
	struct rows *in = s->rows.in;
	size_t n;

	s->texts = mem_array(s->nrefs, sizeof *s->texts);
	if (s->texts == NULL)
		return fail(&s->rows.err, E_SYSTEM, "out of memory (sort)");
	while ((n = rows_next(in, s->n, BATCH)) > 0) {
		if (!rows_tick(&s->rows, s->n) || !find_keys(s, s->n, n) ||
		    !scratch_array(&s->entry, s->n + n, sizeof(struct sort_entry), &s->rows.err))
			return false;
		for (size_t i = 0; i < n; i++, s->n++) {
			if (!add_texts(s, s->n))
				return false;
			SCRATCH(s->entry, struct sort_entry)[s->n] = (struct sort_entry){ s->room->key[i],
			    s->n };
		}
	}
	return rows_error(in) == NULL && (s->rough || s->nrefs > 1 ? merge_sort(s) :
	    entries_by_key(&s->entry, &s->spare, s->n, &s->rows)) && rows_error(&s->rows) == NULL;
}

/* ---- the first rows ------------------------------------------------------------------ */

/* Restore the heap below at.  heap[0] is the last one of the kept rows. */
static void
sift_down(struct sort *s, uint64_t at)
{
	struct sort_entry *heap = SCRATCH(s->entry, struct sort_entry), swap;
	uint64_t child;

	for (;;) {
		child = 2 * at + 1;
		if (child >= s->n)
			return;
		if (child + 1 < s->n && entry_before(s, &heap[child], &heap[child + 1]))
			child++;
		if (!entry_before(s, &heap[at], &heap[child]))
			return;
		swap = heap[at];
		heap[at] = heap[child];
		heap[child] = swap;
		at = child;
	}
}

/* Add a row that may be among the first ones. */
static bool
top_add(struct sort *s, uint64_t most, struct sort_entry e)
{
	struct sort_entry *heap;

	if (s->n < most && !scratch_array(&s->entry, s->n + 1, sizeof e, &s->rows.err))
		return false;
	heap = SCRATCH(s->entry, struct sort_entry);
	if (s->n < most) {
		heap[s->n++] = e;
		for (uint64_t i = s->n / 2; s->n == most && i-- > 0;)
			sift_down(s, i);
	} else if (entry_before(s, &e, &heap[0])) {
		heap[0] = e;
		sift_down(s, 0);
	}
	return true;
}

static bool
sort_top(struct sort *s, uint64_t most)
{
	uint64_t piece;
	const uint64_t *key;
	size_t n;

	s->bar = (struct rows_bar){ .col = s->ref[0].col, .rises = most > 0, .down = s->ref[0].down };
	piece = rows_skip(s->rows.in) ? 1 : BATCH;
	for (uint64_t row = 0; (n = rows_next(s->rows.in, row, piece)) > 0; row += n) {
		if (!rows_tick(&s->rows, row) || !find_keys(s, row, n))
			return false;
		key = s->room->key;
		for (size_t i = 0; i < n; i++)
			if ((s->n < most || key[i] <= SCRATCH(s->entry, struct sort_entry)[0].key) &&
			    !top_add(s, most, (struct sort_entry){ key[i], row + i }))
				return false;
		if (!s->rough && s->n == most)
			s->bar = (struct rows_bar){ s->ref[0].col, true, true, s->ref[0].down,
			    SCRATCH(s->entry, struct sort_entry)[0].key };
	}
	return merge_sort(s) && rows_error(&s->rows) == NULL;
}

/* ---- the first rows of each group ------------------------------------------------------ */

#define PER_SLACK (1u << 20)	/* rows that are kept beyond those that may be wanted, until they are sorted out */

/* Sort the kept rows and drop all except the first ones of each group. */
static bool
thin_groups(struct sort *s, uint64_t most)
{
	struct sort_entry *e;
	uint64_t n = 0, run = 0;
	uint32_t last = 0, group;

	if (!merge_sort(s))
		return false;
	e = SCRATCH(s->entry, struct sort_entry);
	for (uint64_t i = 0; i < s->n; i++) {
		group = SCRATCH(s->group, uint32_t)[e[i].row];
		run = group == last ? run + 1 : 1;
		last = group;
		if (run <= most)
			e[n++] = e[i];
	}
	s->n = n;
	return true;
}

static bool
sort_groups(struct sort *s, uint64_t most)
{
	struct err *err = &s->rows.err;
	struct rows *in = s->rows.in;
	uint64_t limit = PER_SLACK;
	struct cell c;

	for (uint64_t row = 0; rows_reach(in, row + 1) > row; row++) {
		if (!rows_tick(&s->rows, row) || !scratch_array(&s->group, row + 1, sizeof(uint32_t), err) ||
		    !keys_row(&s->keys, in, row, s->per, s->nper, &SCRATCH(s->group, uint32_t)[row], err))
			return false;
		rows_cell(in, row, s->ref[0].col, &c);
		if (c.type == CELL_NONE || cell_is_word(&c, &in->cols[s->ref[0].col]))
			continue;
		if (!scratch_array(&s->entry, s->n + 1, sizeof(struct sort_entry), err))
			return false;
		SCRATCH(s->entry, struct sort_entry)[s->n++] = (struct sort_entry){ sort_key_of(s, &c), row };
		if (s->n < limit)
			continue;
		if (!thin_groups(s, most))
			return false;
		limit = 2 * s->n + PER_SLACK;
	}
	return rows_error(in) == NULL && thin_groups(s, most) && rows_error(&s->rows) == NULL;
}

/* ---- rows ------------------------------------------------------------------------------ */

static uint64_t
sort_reach(struct rows *r, uint64_t n)
{
	struct sort *s = (struct sort *)r;
	bool ok = true;

	if (n == 0 || s->done)
		return s->n;
	s->done = true;
	if (r->most == 0)
		return 0;
	ok = s->per != NULL ? sort_groups(s, s->most) : s->top ||
	    r->most <= TOP_MAX ? sort_top(s, r->most) : sort_sort_all(s);
	if (!ok)
		s->n = 0;
	return s->n;
}

static void
sort_row(struct rows *r, uint64_t row, size_t col, struct cell *c)
{
	struct sort *s = (struct sort *)r;

	rows_cell(r->in, SCRATCH(s->entry, struct sort_entry)[row].row, col, c);
}

static void
sort_close(struct rows *r)
{
	struct sort *s = (struct sort *)r;

	for (size_t i = 0; s->texts != NULL && i < s->nrefs; i++) {
		scratch_free(&s->texts[i].end);
		scratch_free(&s->texts[i].bytes);
	}
	free(s->texts);
	free(s->room);
	free(s->ref);
	free(s->per);
	keys_free(&s->keys);
	scratch_free(&s->group);
	buf_free(&s->copy[0]);
	buf_free(&s->copy[1]);
	scratch_free(&s->entry);
	scratch_free(&s->spare);
}

static const struct rows_ops sort_ops = {
	.reach = sort_reach, .cell = sort_row, .close = sort_close, .touch = touch_same
};

/* Parse a number of rows before the columns. */
static bool
sort_read_count(struct stage *s, uint64_t usual, uint64_t *most, struct err *err)
{
	struct cell count = { .u = usual };
	bool given = s->n > 0 && s->token[0].kind == TOKEN_WORD && is_digit(s->token[0].text.s[0]);

	if (given && !literal_read(&s->token[0], CELL_COUNT, &count, err))
		return false;
	*most = count.u;
	s->token += given;
	s->n -= given;
	return true;
}

static bool
sort_open(struct session *session, const struct stage *stage, struct rows *in,
    struct rows **out, struct err *err)
{
	struct sort *s = rows_new(sizeof *s, &sort_ops, session, in, err);
	const uint64_t *usual = stage->command->source;
	struct stage rest, per;
	bool ok, grouped;

	if (s == NULL)
		return false;
	s->rows.same = true;
	s->top = usual != NULL;
	grouped = s->top && stage_per(stage, &rest, &per);
	if (!s->top)
		rest = *stage;
	ok = (!s->top || sort_read_count(&rest, grouped ? 1 : *usual, &s->most, err)) &&
	    stage_columns(&rest, in, s->top ? REFS_AMOUNTS : REFS_ORDERS, &s->ref, &s->nrefs, err) &&
	    (!grouped || stage_columns(&per, in, REFS_PLAIN, &s->per, &s->nper, err));
	if (s->top && !grouped)
		s->rows.most = s->most;
	in->bar = &s->bar;
	for (size_t i = 0; ok && i < s->nrefs; i++)
		s->ref[i].down |= s->top;
	s->rows.reads = ok ? columns_of_refs(s->ref, s->nrefs) | columns_of_refs(s->per, s->nper) : 0;
	return rows_opened(&s->rows, ok, out);
}

const struct command stage_sort = {
	STAGE("sort", "sort by columns; -COLUMN is descending", "threads | sort -cpu name", sort_open),
	.args = ARGS({ &arg_column, ARG_MANY }, { &arg_abs, ARG_OR, "abs(" })
};

const struct command stage_top = {
	STAGE("top", "rows with the largest values (default 10), of all or per key", "methods | top 5 self",
	    sort_open),
	.args = ARGS({ &arg_count, ARG_OPTIONAL }, { &arg_column, ARG_MANY }, { &arg_abs, ARG_OR, "abs(" },
	    { &arg_column, ARG_OPTIONAL | ARG_MANY, "per" }),
	.source = &(const uint64_t){ 10 }	/* rows of top without a number */
};
