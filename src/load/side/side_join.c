/*
 * Joins the threads of dumps and lists with those of the file: by id of the system, else by name.
 *
 * Columns: side.tid (u64, rising; SIDE_NO_TID: joined by its name), side.name, side.state, side.earlier (refs),
 * side.by (u8, enum side_by); by row of listed.*: side.listed (u32): row of side.*, 0: none; side.alike (u8): it has
 * none, and another thread has its name.
 */
#include "config.h"

#include <stdlib.h>

#include "side.h"

struct named {
	struct str	name;
	uint32_t	row;		/* the last one of that name */
};

struct join {
	struct sides	*s;
	struct side_row	*row;
	uint32_t	*order;		/* rows by id, then as they came */
	struct named	*name;		/* all names in order, each once; first those of threads without an id */
	uint64_t	 nnames, nfree;	/* nfree of them: */
	struct scratch	 tid, text, state, earlier, by, used;
	struct scratch	 from;		/* struct side_row: what they were made of */
	uint64_t	 n;		/* rows of the columns */
	uint64_t	 tids;		/* of them by id */
	uint64_t	 no_tid, conflicts, reused, joined, by_name, unmatched;
};

static int
by_tid(const void *x, const void *y, void *arg)
{
	const struct side_row *row = arg, *a = &row[*(const uint32_t *)x],
	    *b = &row[*(const uint32_t *)y];

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

/* Of one name the last row comes first. */
static int
by_name(const void *x, const void *y)
{
	const struct named *a = x, *b = y;
	int order = str_cmp(a->name, b->name);

	return order != 0 ? order : a->row > b->row ? -1 : a->row < b->row;
}

/* One is the other as Linux cuts names, or as ps and top do, with a + for what is missing. */
static bool
is_cut(struct str cut, struct str whole)
{
	if (cut.n > 1 && cut.s[cut.n - 1] == '+' && whole.n >= cut.n)
		return str_has_prefix(whole, (struct str){ cut.s, cut.n - 1 });
	return cut.n == COMM_MAX && str_has_prefix(whole, cut);
}

/* ---- rows of the columns ------------------------------------------------------------------ */

static bool
put(struct scratch *s, uint64_t i, uint64_t value, struct err *err)
{
	if (!scratch_array(s, i + 1, sizeof value, err))
		return false;
	SCRATCH(*s, uint64_t)[i] = value;
	return true;
}

static bool
add(struct join *j, const struct side_row *r, enum side_by by, uint64_t earlier, struct err *err)
{
	uint64_t i = j->n++;

	if (!scratch_array(&j->from, i + 1, sizeof *r, err))
		return false;
	SCRATCH(j->from, struct side_row)[i] = *r;
	return put(&j->tid, i, by == SIDE_BY_TID ? r->tid : SIDE_NO_TID, err) &&
	    put(&j->text, i, side_text(j->s, r->name), err) &&
	    put(&j->state, i, side_text(j->s, r->state), err) &&
	    put(&j->earlier, i, earlier, err) && put(&j->by, i, by, err) &&
	    put(&j->used, i, by != SIDE_BY_TID, err);
}

/* ---- one id ----------------------------------------------------------------------------------- */

/* Rows order[from .. to - 1] are of one id. */
struct group {
	uint64_t	from, to;
};

/* A virtual thread does not name the thread that carries it, where the same dump has that. */
static void
drop_virtual(struct join *j, const struct group *g)
{
	uint64_t from, to, i;
	bool real;

	/* Rows of one dump stand together. */
	for (from = g->from; from < g->to; from = to) {
		real = false;
		for (to = from; to < g->to && j->row[j->order[to]].dump == j->row[j->order[from]].dump; to++)
			real |= !j->row[j->order[to]].virtual;
		for (i = from; real && i < to; i++)
			if (j->row[j->order[i]].virtual)
				j->row[j->order[i]].name = STR("");
	}
}

/* The last name counts; the others are told, the last first. */
static bool
add_group(struct join *j, const struct group *g, struct err *err)
{
	struct str last = STR(""), name;
	struct buf earlier = BUF_INIT;
	uint64_t i, dump = 0;
	const struct side_row *r, *now = NULL;
	bool clash = false, change = false;

	drop_virtual(j, g);
	for (i = g->to; i-- > g->from; ) {
		r = &j->row[j->order[i]];
		if (r->name.n == 0)
			continue;
		if (now == NULL || is_cut(now->name, r->name))
			now = r;
		name = r->name;
		if (last.n > 0 && !str_eq(name, last) && !is_cut(name, last) && !is_cut(last, name)) {
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
	return now == NULL || add(j, now, SIDE_BY_TID, i, err);
}

static bool
add_groups(struct join *j, struct err *err)
{
	struct group g = { 0, 0 };
	uint64_t n = j->s->nrows, tid;

	for (; g.from < n; g.from = g.to) {
		tid = j->row[j->order[g.from]].tid;
		if (tid == SIDE_NO_TID)
			break;
		for (g.to = g.from + 1; g.to < n && j->row[j->order[g.to]].tid == tid; g.to++)
			;
		if (!work_tick(j->s->work, g.from))
			return fail_cancel(err);
		if (!add_group(j, &g, err))
			return false;
	}
	j->no_tid = n - g.from;
	j->tids = j->n;
	return true;
}

/* ---- by name -------------------------------------------------------------------------------------- */

static uint64_t
sort_names(struct named *name, uint64_t n)
{
	uint64_t i, k = 0;

	qsort(name, n, sizeof *name, by_name);
	for (i = 0; i < n; i++)
		if (name[i].name.n > 0 && (k == 0 || !str_eq(name[i].name, name[k - 1].name)))
			name[k++] = name[i];
	return k;
}

/* Names of threads without an id, then all names. */
static bool
list_names(struct join *j, struct err *err)
{
	uint64_t n = j->s->nrows, i, first = n - j->no_tid;

	j->name = mem_array(n + j->no_tid + 1, sizeof *j->name);
	if (j->name == NULL)
		return fail(err, E_SYSTEM, "no memory for names of threads");
	for (i = first; i < n; i++)
		j->name[i - first] = (struct named){ j->row[j->order[i]].name, j->order[i] };
	j->nfree = sort_names(j->name, j->no_tid);
	for (i = 0; i < n; i++)
		j->name[j->nfree + i] = (struct named){ j->row[i].name, (uint32_t)i };
	j->nnames = sort_names(j->name + j->nfree, n);
	return true;
}

/* The one name that comm is, or is the start of; NULL: there is none, or several. */
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
	const uint64_t *t = SCRATCH(j->tid, uint64_t);
	uint64_t low = 0, high = j->tids, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (t[middle] < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < j->tids && t[low] == tid ? low + 1 : 0;
}

/* Where the name of a row is only the cut one of the file, a row of its own has the file's. */
static bool
keep_whole(struct join *j, struct str comm, uint64_t *row, struct err *err)
{
	struct side_row r = SCRATCH(j->from, struct side_row)[*row - 1];
	uint64_t earlier = SCRATCH(j->earlier, uint64_t)[*row - 1];

	if (str_eq(r.name, comm) || !is_cut(r.name, comm))
		return true;
	r.name = comm;
	if (!add(j, &r, 0, earlier, err))
		return false;
	*row = j->n;
	return true;
}

/* The row of side.* for a thread of the file; 0: none. */
static bool
join_one(struct join *j, uint64_t tid, struct str comm, uint64_t *row, struct err *err)
{
	const struct named *name;

	*row = tid == 0 ? 0 : find_tid(j, tid);
	if (*row != 0) {
		SCRATCH(j->used, uint64_t)[*row - 1] = 1;
		return keep_whole(j, comm, row, err);
	}
	/* A thread that has an id may be one of a dump that has none. */
	name = tid != 0 ? find_name(j->name, j->nfree, comm) :
	    find_name(j->name + j->nfree, j->nnames, comm);
	if (name == NULL)
		return true;
	if (!add(j, &j->row[name->row], SIDE_BY_NAME, 0, err))
		return false;
	j->by_name++;
	*row = j->n;
	return true;
}

/* ---- threads without a row that are called like another ----------------------------------------------- */

/* Rows of listed.* and what their threads are called, in order of names; those that later ones replace are left out. */
static bool
list_shown(const struct join *j, const uint32_t *listed, uint64_t n, struct named **list, uint64_t *count,
    struct err *err)
{
	const struct column *name = store_column(j->s->base, COL_LISTED_THREAD),
	    *before = store_column(j->s->base, COL_LISTED_BEFORE);
	uint64_t i, at;
	uint8_t *gone = calloc(n + 1, 1);

	*count = 0;
	*list = mem_array(n + 1, sizeof **list);
	if (*list == NULL || gone == NULL) {
		free(gone);
		return fail(err, E_SYSTEM, "no memory for names of threads");
	}
	for (i = 0; i < n; i++)
		if ((at = column_get(before, i)) != 0 && at <= n)
			gone[at - 1] = 1;
	for (i = 0; i < n; i++)
		if (!gone[i])
			(*list)[(*count)++] = (struct named){ listed[i] != 0 ?
			    SCRATCH(j->from, struct side_row)[listed[i] - 1].name :
			    store_text(j->s->base, column_get(name, i)), (uint32_t)i };
	free(gone);
	qsort(*list, *count, sizeof **list, by_name);
	return true;
}

static bool
find_alike(struct join *j, const uint32_t *listed, uint64_t n, struct err *err)
{
	uint8_t *alike = store_make(j->s->over, COL_SIDE_ALIKE, COL_U8, n, err);
	uint64_t i, from, to, count;
	struct named *list;

	if (alike == NULL)
		return false;
	if (!list_shown(j, listed, n, &list, &count, err)) {
		free(list);
		return false;
	}
	for (from = 0; from < count; from = to) {
		for (to = from + 1; to < count && str_eq(list[to].name, list[from].name); to++)
			;
		for (i = from; to - from > 1 && i < to; i++)
			alike[list[i].row] = listed[list[i].row] == 0;
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
	uint64_t i, row, n = tid == NULL ? 0 : tid->rows;
	uint32_t *listed;

	if (!list_names(j, err))
		return false;
	listed = store_make(j->s->over, COL_SIDE_LISTED, COL_U32, n, err);
	for (i = 0; listed != NULL && i < n; i++) {
		if (!work_tick(j->s->work, i))
			return fail_cancel(err);
		if (!join_one(j, column_get(tid, i),
		    store_text(j->s->base, column_get(name, i)), &row, err))
			return false;
		listed[i] = (uint32_t)row;
		*(row != 0 ? &j->joined : &j->unmatched) += 1;
	}
	return listed != NULL && find_alike(j, listed, n, err);
}

/* ---- columns -------------------------------------------------------------------------------------------- */

static bool
put_columns(struct join *j, struct err *err)
{
	struct store *over = j->s->over;

	return store_pack(over, COL_SIDE_TID, SCRATCH(j->tid, uint64_t), j->n, err) &&
	    store_pack(over, COL_SIDE_NAME, SCRATCH(j->text, uint64_t), j->n, err) &&
	    store_pack(over, COL_SIDE_STATE, SCRATCH(j->state, uint64_t), j->n, err) &&
	    store_pack(over, COL_SIDE_EARLIER, SCRATCH(j->earlier, uint64_t), j->n, err) &&
	    store_pack(over, COL_SIDE_BY, SCRATCH(j->by, uint64_t), j->n, err);
}

static bool
put_facts(struct join *j, struct err *err)
{
	uint64_t i, unused = 0;

	for (i = 0; i < j->tids; i++)
		unused += !SCRATCH(j->used, uint64_t)[i];
	const struct { const char *name; uint64_t value; } facts[] = {
		{ "side.dumps", j->s->dump }, { "side.rows", j->s->nrows },
		{ "side.threads", j->tids }, { "side.no_tid", j->no_tid },
		{ "side.joined", j->joined }, { "side.by_name", j->by_name },
		{ "side.unmatched", j->unmatched }, { "side.unused", unused },
		{ "side.conflicts", j->conflicts }, { "side.reused", j->reused },
		{ "side.deadlocks", j->s->deadlocks }, { "side.ignored_lines", j->s->ignored }
	};

	for (i = 0; i < NELEM(facts); i++)
		if (!store_fact(j->s->over, facts[i].name, FACT_COUNT, facts[i].value, err))
			return false;
	return true;
}

static bool
sort_rows(struct join *j, struct err *err)
{
	uint64_t i;

	j->order = mem_array(j->s->nrows + 1, sizeof *j->order);
	if (j->order == NULL)
		return fail(err, E_SYSTEM, "no memory for names of threads");
	for (i = 0; i < j->s->nrows; i++)
		j->order[i] = (uint32_t)i;
	qsort_r(j->order, j->s->nrows, sizeof *j->order, by_tid, j->s->rows.data);
	return true;
}

bool
side_join(struct sides *s, struct err *err)
{
	struct join j = { .s = s, .row = SCRATCH(s->rows, struct side_row), .tid = SCRATCH_INIT,
	    .text = SCRATCH_INIT, .state = SCRATCH_INIT, .earlier = SCRATCH_INIT,
	    .by = SCRATCH_INIT, .used = SCRATCH_INIT, .from = SCRATCH_INIT };
	bool ok;

	work_start(s->work, "names of threads", s->nrows);
	ok = sort_rows(&j, err) && add_groups(&j, err) && join_threads(&j, err) &&
	    put_columns(&j, err) && put_facts(&j, err);
	scratch_free(&j.tid);
	scratch_free(&j.text);
	scratch_free(&j.state);
	scratch_free(&j.earlier);
	scratch_free(&j.by);
	scratch_free(&j.used);
	scratch_free(&j.from);
	free(j.order);
	free(j.name);
	return ok;
}
