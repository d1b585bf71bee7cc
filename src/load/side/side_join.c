/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Match threads of dumps and lists with those of the file: by system id, otherwise by name.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "side.h"

struct named {
	struct str	name;
	uint32_t	row;		/* the last one with that name */
};

/* A row of side.*. */
struct joined {
	uint64_t	tid;		/* increasing in the rows with an id, which come first */
	uint64_t	name, state, top, earlier;
	struct side_row	from;		/* original row */
	uint8_t		by;
	bool		used;
};

struct join {
	struct sides	*s;
	struct side_row	*row;
	uint32_t	*order;		/* rows by id, then in order of appearance */
	struct named	*name;		/* distinct names in order; first those of threads without an id */
	uint64_t	 nnames, nfree;	/* nfree of them: */
	struct scratch	 rows;		/* struct joined: rows of the columns */
	uint64_t	 n;		/* rows of the columns */
	uint64_t	 tids;		/* by id */
	uint64_t	 no_tid, conflicts, reused, joined, by_name, unmatched;
};

static int
by_tid(const void *x, const void *y, void *arg)
{
	const struct side_row *row = arg, *a = &row[*(const uint32_t *)x],
	    *b = &row[*(const uint32_t *)y];

	return num_order(a->tid, b->tid, num_order(a->seq, b->seq, 0));
}

/* Sort by name; within a name the last row comes first. */
static int
by_name(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int order = str_cmp(a->name, b->name);

	return order != 0 ? order : num_order(b->row, a->row, 0);
}

/* Return whether cut is the start of whole: Linux cuts names; ps and top cut them, with a + at the end. */
static bool
join_is_cut(struct str cut, struct str whole)
{
	if (cut.n > 1 && cut.s[cut.n - 1] == '+' && whole.n >= cut.n)
		return str_has_prefix(whole, (struct str){ cut.s, cut.n - 1 });
	return cut.n == COMM_MAX && str_has_prefix(whole, cut);
}

/* ---- rows of the columns ------------------------------------------------------------------ */

static struct joined *
joined_at(const struct join *j, uint64_t row)
{
	assert(row != 0 && row <= j->n);
	return &SCRATCH(j->rows, struct joined)[row - 1];
}

static bool
join_add(struct join *j, const struct side_row *r, enum side_by by, uint64_t earlier, struct err *err)
{
	const struct joined row = { .from = *r, .tid = by == SIDE_BY_TID ? r->tid : SIDE_NO_TID,
	    .name = side_text(j->s, r->name), .state = side_text(j->s, r->state),
	    .top = side_text(j->s, r->top), .earlier = earlier, .by = (uint8_t)by,
	    .used = by != SIDE_BY_TID };

	assert(by != SIDE_BY_TID || j->n == 0 || joined_at(j, j->n)->tid < r->tid);
	return make_add(&j->rows, &j->n, &row, sizeof row, UINT64_MAX, "threads", err);
}

/* ---- single ids ------------------------------------------------------------------------------- */

/* Rows order[from .. to - 1] have the same id. */
struct group {
	uint64_t	from, to;
};

/* A virtual thread does not name its carrier thread if the same dump names that. */
static void
drop_virtual(struct join *j, const struct group *g)
{
	uint64_t to;
	bool real;

	/* Rows of one dump are adjacent. */
	for (uint64_t from = g->from; from < g->to; from = to) {
		real = false;
		for (to = from; to < g->to && j->row[j->order[to]].dump == j->row[j->order[from]].dump; to++)
			real |= !j->row[j->order[to]].virtual;
		for (uint64_t i = from; real && i < to; i++)
			if (j->row[j->order[i]].virtual)
				j->row[j->order[i]].name = STR("");
	}
}

/* The last name is used; the others become former names, the latest first. */
static bool
join_add_group(struct join *j, const struct group *g, struct err *err)
{
	struct str last = STR(""), name;
	struct buf earlier = BUF_INIT;
	uint64_t i, dump = 0;
	const struct side_row *r, *now = NULL;
	bool clash = false, change = false;

	assert(g->from < g->to && g->to <= j->s->nrows);
	drop_virtual(j, g);
	for (i = g->to; i-- > g->from; ) {
		r = &j->row[j->order[i]];
		if (r->name.n == 0)
			continue;
		if (now == NULL || join_is_cut(now->name, r->name))
			now = r;
		name = r->name;
		if (last.n > 0 && !str_eq(name, last) && !join_is_cut(name, last) &&
		    !join_is_cut(last, name)) {
			clash |= r->dump == dump;
			change |= r->dump != dump;
			if (earlier.n > 0 && !str_eq(name, now->name))
				buf_str(&earlier, STR(", "));
			if (!str_eq(name, now->name))
				buf_str(&earlier, name);
		}
		last = name;
		dump = r->dump;
	}
	j->conflicts += clash;
	j->reused += change;
	j->s->text.bad |= earlier.bad;
	i = side_text(j->s, buf_view(&earlier));
	buf_free(&earlier);
	return now == NULL || join_add(j, now, SIDE_BY_TID, i, err);
}

static bool
join_add_groups(struct join *j, struct err *err)
{
	struct group g = { 0, 0 };
	uint64_t n = j->s->nrows, tid;

	for (; g.from < n; g.from = g.to) {
		tid = j->row[j->order[g.from]].tid;
		if (tid == SIDE_NO_TID)
			break;
		for (g.to = g.from + 1; g.to < n && j->row[j->order[g.to]].tid == tid; g.to++)
			;
		if (!work_go(j->s->work, g.from, err) || !join_add_group(j, &g, err))
			return false;
	}
	assert(g.from <= n && j->n <= g.from);
	j->no_tid = n - g.from;
	j->tids = j->n;
	return true;
}

/* ---- names ---------------------------------------------------------------------------------------- */

static uint64_t
sort_names(struct named *name, uint64_t n)
{
	uint64_t k = 0;

	qsort(name, n, sizeof *name, by_name);
	for (uint64_t i = 0; i < n; i++)
		if (name[i].name.n > 0 && (k == 0 || !str_eq(name[i].name, name[k - 1].name)))
			name[k++] = name[i];
	return k;
}

/* Names of threads without an id, then all names. */
static bool
join_list_names(struct join *j, struct err *err)
{
	uint64_t n = j->s->nrows, first = n - j->no_tid;

	j->name = mem_array(n + j->no_tid + 1, sizeof *j->name);
	if (j->name == NULL)
		return fail(err, E_SYSTEM, "out of memory (names of threads)");
	for (uint64_t i = first; i < n; i++)
		j->name[i - first] = (struct named){ j->row[j->order[i]].name, j->order[i] };
	j->nfree = sort_names(j->name, j->no_tid);
	for (uint64_t i = 0; i < n; i++)
		j->name[j->nfree + i] = (struct named){ j->row[i].name, (uint32_t)i };
	j->nnames = sort_names(j->name + j->nfree, n);
	assert(j->nfree <= j->no_tid && j->nnames <= n);
	return true;
}

/* Return the only name that equals comm or begins with it; NULL: none, or several. */
static const struct named *
find_name(const struct named *name, uint64_t n, struct str comm)
{
	uint64_t low = 0, high = n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (str_cmp(name[middle].name, comm) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == n || comm.n == 0)
		return NULL;
	if (comm.n != COMM_MAX)
		return str_eq(name[low].name, comm) ? &name[low] : NULL;
	if (!str_has_prefix(name[low].name, comm) ||
	    (low + 1 < n && str_has_prefix(name[low + 1].name, comm)))
		return NULL;
	return &name[low];
}

static uint64_t
find_tid(const struct join *j, uint64_t tid)
{
	uint64_t row = make_place(j->rows.data, j->tids, sizeof(struct joined), tid);

	return row < j->tids && joined_at(j, row + 1)->tid == tid ? row + 1 : 0;
}

/* If a row's name is only the cut name of the file, use the full name of its own row. */
static bool
keep_whole(struct join *j, struct str comm, uint64_t *row, struct err *err)
{
	struct side_row r = joined_at(j, *row)->from;
	uint64_t earlier = joined_at(j, *row)->earlier;

	if (str_eq(r.name, comm) || !join_is_cut(r.name, comm))
		return true;
	r.name = comm;
	if (!join_add(j, &r, 0, earlier, err))
		return false;
	*row = j->n;
	return true;
}

/* Return the row of side.* for a thread of the file; 0: none. */
static bool
join_one(struct join *j, uint64_t tid, struct str comm, uint64_t *row, struct err *err)
{
	const struct named *name;

	*row = tid == 0 ? 0 : find_tid(j, tid);
	if (*row != 0) {
		joined_at(j, *row)->used = true;
		return keep_whole(j, comm, row, err);
	}
	/* A thread with an id may match a row of a dump without ids. */
	name = tid != 0 ? find_name(j->name, j->nfree, comm) :
	    find_name(j->name + j->nfree, j->nnames, comm);
	if (name == NULL)
		return true;
	if (!join_add(j, &j->row[name->row], SIDE_BY_NAME, 0, err))
		return false;
	j->by_name++;
	*row = j->n;
	return true;
}

/* ---- threads with the same name as another ---------------------------------------------- */

/* Rows of listed.* with their threads' names, in order of names; rows replaced by later ones are omitted. */
static bool
list_shown(const struct join *j, const uint32_t *listed, uint64_t n, struct named **list, uint64_t *count,
    struct err *err)
{
	const struct column *name = store_column(j->s->base, COL_LISTED_THREAD),
	    *before = store_column(j->s->base, COL_LISTED_BEFORE);
	uint64_t at;
	uint8_t *gone = mem_array(n + 1, 1);

	*count = 0;
	*list = mem_array(n + 1, sizeof **list);
	if (*list == NULL || gone == NULL) {
		free(gone);
		return fail(err, E_SYSTEM, "out of memory (names of threads)");
	}
	for (uint64_t i = 0; i < n; i++)
		if ((at = column_get(before, i)) != 0 && at <= n)
			gone[at - 1] = 1;
	for (uint64_t i = 0; i < n; i++)
		if (!gone[i])
			(*list)[(*count)++] = (struct named){ listed[i] != 0 ?
			    joined_at(j, listed[i])->from.name :
			    store_text(j->s->base, column_get(name, i)), (uint32_t)i };
	free(gone);
	qsort(*list, *count, sizeof **list, by_name);
	return true;
}

static bool
find_alike(struct join *j, const uint32_t *listed, uint64_t n, struct err *err)
{
	uint8_t *alike = store_make(j->s->over, COL_SIDE_ALIKE, COL_U8, n, err);
	uint64_t to, count;
	struct named *list;

	if (alike == NULL)
		return false;
	if (!list_shown(j, listed, n, &list, &count, err)) {
		free(list);
		return false;
	}
	for (uint64_t from = 0; from < count; from = to) {
		for (to = from + 1; to < count && str_eq(list[to].name, list[from].name); to++)
			;
		for (uint64_t i = from; to - from > 1 && i < to; i++)
			alike[list[i].row] = 1;
	}
	free(list);
	return true;
}

/* ---- all threads ------------------------------------------------------------------------------------ */

static bool
join_threads(struct join *j, struct err *err)
{
	const struct column *tid = store_column(j->s->base, COL_LISTED_TID),
	    *name = store_column(j->s->base, COL_LISTED_THREAD);
	uint64_t row, n = tid == NULL ? 0 : tid->rows;
	uint32_t *listed;

	if (!join_list_names(j, err))
		return false;
	listed = store_make(j->s->over, COL_SIDE_LISTED, COL_U32, n, err);
	for (uint64_t i = 0; listed != NULL && i < n; i++) {
		if (!work_go(j->s->work, i, err) || !join_one(j, column_get(tid, i),
		    store_text(j->s->base, column_get(name, i)), &row, err))
			return false;
		listed[i] = (uint32_t)row;
		*(row != 0 ? &j->joined : &j->unmatched) += 1;
	}
	assert(listed == NULL || j->joined + j->unmatched == n);
	return listed != NULL && find_alike(j, listed, n, err);
}

/* ---- columns -------------------------------------------------------------------------------- */

static bool
join_put_columns(struct join *j, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE_COLUMN(COL_SIDE_TID, joined, tid, MAKE_NARROW),
		MAKE_COLUMN(COL_SIDE_NAME, joined, name, MAKE_NARROW),
		MAKE_COLUMN(COL_SIDE_STATE, joined, state, MAKE_NARROW),
		MAKE_COLUMN(COL_SIDE_TOP, joined, top, MAKE_NARROW),
		MAKE_COLUMN(COL_SIDE_EARLIER, joined, earlier, MAKE_NARROW),
		MAKE_COLUMN(COL_SIDE_BY, joined, by, MAKE_NARROW),
	};

	return make_columns(j->s->over, columns, NELEM(columns),
	    MAKE_ROWS(SCRATCH(j->rows, struct joined), j->n), err);
}

static bool
join_put_facts(struct join *j, struct err *err)
{
	uint64_t unused = 0;

	for (uint64_t i = 0; i < j->tids; i++)
		unused += !joined_at(j, i + 1)->used;
	assert(j->by_name <= j->joined);
	const struct make_fact facts[] = {
		{ FACT_SIDE_DUMPS, j->s->dump }, { FACT_SIDE_ROWS, j->s->nrows },
		{ FACT_SIDE_THREADS, j->tids }, { FACT_SIDE_NO_TID, j->no_tid },
		{ FACT_SIDE_JOINED, j->joined }, { FACT_SIDE_BY_NAME, j->by_name },
		{ FACT_SIDE_UNMATCHED, j->unmatched }, { FACT_SIDE_UNUSED, unused },
		{ FACT_SIDE_CONFLICTS, j->conflicts }, { FACT_SIDE_REUSED, j->reused },
		{ FACT_SIDE_DEADLOCKS, j->s->deadlocks }, { FACT_SIDE_IGNORED_LINES, j->s->ignored }
	};

	return make_facts(j->s->over, facts, NELEM(facts), err);
}

static bool
sort_rows(struct join *j, struct err *err)
{
	j->order = mem_array(j->s->nrows + 1, sizeof *j->order);
	if (j->order == NULL)
		return fail(err, E_SYSTEM, "out of memory (names of threads)");
	for (uint64_t i = 0; i < j->s->nrows; i++)
		j->order[i] = (uint32_t)i;
	qsort_r(j->order, j->s->nrows, sizeof *j->order, by_tid, j->s->rows.data);
	return true;
}

bool
side_join(struct sides *s, struct err *err)
{
	struct join j = { .s = s, .row = SCRATCH(s->rows, struct side_row) };
	bool ok;

	work_start(s->work, "names of threads", s->nrows);
	ok = sort_rows(&j, err) && join_add_groups(&j, err) && join_threads(&j, err) &&
	    join_put_columns(&j, err) && join_put_facts(&j, err);
	scratch_free(&j.rows);
	free(j.order);
	free(j.name);
	return ok;
}
