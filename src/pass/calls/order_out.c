/*
 * Lays marks and saved spans out as columns.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/make.h"
#include "order.h"

#define SPAN_COLUMNS(ROW) \
	ROW(COL_SPAN_START, start) \
	ROW(COL_SPAN_END, end) \
	ROW(COL_SPAN_START_CPU, start_cpu) \
	ROW(COL_SPAN_END_CPU, end_cpu) \
	ROW(COL_SPAN_PARENT, parent) \
	ROW(COL_SPAN_METHOD, method) \
	ROW(COL_SPAN_DEPTH, depth) \
	ROW(COL_SPAN_CROWD, crowd) \
	ROW(COL_SPAN_ROW, row)

/* Memory needed only while columns are made. */
struct layout {
	struct scratch	order;	/* u32: spans in their final order */
	struct scratch	id;	/* u32: a span's final id */
	struct scratch	value;	/* u64: the column being made */
};

static int
by_thread_and_row(const void *a, const void *b, void *rows)
{
	const struct saved *x = (struct saved *)rows + *(const uint32_t *)a;
	const struct saved *y = (struct saved *)rows + *(const uint32_t *)b;

	return num_order(x->thread, y->thread, num_order(x->row, y->row, num_order(x->depth, y->depth, 0)));
}

/* Spans get ids in their final order: parents and marks must follow. */
static void
renumber(struct order *o, struct layout *l)
{
	struct saved *s = SCRATCH(o->saved, struct saved);
	struct mark *m = SCRATCH(o->marks, struct mark);
	uint32_t *order = SCRATCH(l->order, uint32_t);
	uint32_t *id = SCRATCH(l->id, uint32_t);

	for (uint64_t i = 0; i < o->nsaved; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, o->nsaved, sizeof *order, by_thread_and_row, s);
	for (uint64_t i = 0; i < o->nsaved; i++)
		id[order[i]] = (uint32_t)i + 1;
	for (uint64_t i = 0; i < o->nsaved; i++)
		if (s[i].parent != 0)
			s[i].parent = id[s[i].parent - 1];
	for (uint64_t i = 0; i < o->nmarks; i++)
		if (m[i].top != 0)
			m[i].top = id[m[i].top - 1];
}

static bool
put_spans(struct order *o, struct layout *l, struct err *err)
{
	const struct saved *s = SCRATCH(o->saved, struct saved);
	const uint32_t *order = SCRATCH(l->order, uint32_t);
	uint64_t *v = SCRATCH(l->value, uint64_t), i;

#define PUT(name, field) \
	for (i = 0; i < o->nsaved; i++) \
		v[i] = s[order[i]].field; \
	if (!store_pack(o->st, name, v, o->nsaved, err)) \
		return false;
	SPAN_COLUMNS(PUT)
#undef PUT
	return true;
}

static bool
put_marks(struct order *o, struct err *err)
{
	static const struct make_column columns[] = {
#define MARK(col, member) MAKE_COLUMN(col, mark, member, MAKE_NARROW)
		MARK(COL_MARK_THREAD, thread), MARK(COL_MARK_BLOCK, block), MARK(COL_MARK_TOP, top),
		MARK(COL_MARK_FLOOR, floor), MARK(COL_MARK_WALL, clock.wall), MARK(COL_MARK_CPU, clock.cpu),
		MARK(COL_MARK_RAW_WALL, clock.raw_wall), MARK(COL_MARK_RAW_CPU, clock.raw_cpu),
		MARK(COL_MARK_BASE_WALL, clock.base_wall), MARK(COL_MARK_BASE_CPU, clock.base_cpu),
		MARK(COL_MARK_SEEN, clock.seen)
#undef MARK
	};

	return make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(o->marks, struct mark), o->nmarks), err) &&
	    store_pack(o->st, COL_BLOCK_LATEST, SCRATCH(o->latest, uint64_t), o->nblocks, err);
}

/* Makes a column of n + 1 numbers: where the rows with each key (from 0) begin; keys[i] of stride bytes. */
static uint32_t *
put_first(struct order *o, enum col col, uint64_t n, const uint32_t *key,
    size_t stride, uint64_t rows, uint32_t less, struct err *err)
{
	uint32_t *first = store_make(o->st, col, COL_U32, n + 1, err), sum = 0;

	if (first == NULL)
		return NULL;
	for (uint64_t i = 0; i < rows; i++)
		first[*(const uint32_t *)((const char *)key + i * stride) - less]++;
	for (uint64_t i = 0; i <= n; i++) {
		uint32_t here = first[i];

		first[i] = sum;
		sum += here;
	}
	return first;
}

/* Marks stand by block, as they were set; mark.list has them by thread. */
static bool
put_lists(struct order *o, struct layout *l, struct err *err)
{
	const struct mark *m = SCRATCH(o->marks, struct mark);
	const struct saved *s = SCRATCH(o->saved, struct saved);
	uint64_t *next = SCRATCH(l->value, uint64_t);
	uint32_t *first, *list;

	if (put_first(o, COL_SPAN_FIRST, o->threads.n, &s->thread, sizeof *s,
	    o->nsaved, 1, err) == NULL ||
	    put_first(o, COL_BLOCK_MARK, o->nblocks, &m->block, sizeof *m,
	    o->nmarks, 0, err) == NULL ||
	    (first = put_first(o, COL_MARK_FIRST, o->threads.n, &m->thread,
	    sizeof *m, o->nmarks, 1, err)) == NULL ||
	    (list = store_make(o->st, COL_MARK_LIST, COL_U32, o->nmarks, err)) == NULL)
		return false;
	for (uint64_t i = 0; i < o->threads.n; i++)
		next[i] = first[i];
	for (uint64_t i = 0; i < o->nmarks; i++)
		list[next[m[i].thread - 1]++] = (uint32_t)i;
	return true;
}

bool
order_publish(struct order *o, struct err *err)
{
	struct layout l = { SCRATCH_INIT, SCRATCH_INIT, SCRATCH_INIT };
	uint64_t most = o->nsaved > o->nmarks ? o->nsaved : o->nmarks;
	bool ok;

	most = most > o->threads.n ? most : o->threads.n;
	work_start(o->work, "time order, sorted", 0);
	/* One row at least: sorting nothing still wants an array. */
	ok = scratch_array(&l.order, o->nsaved + 1, sizeof(uint32_t), err) &&
	    scratch_array(&l.id, o->nsaved + 1, sizeof(uint32_t), err) &&
	    scratch_array(&l.value, most + 1, sizeof(uint64_t), err) &&
	    scratch_array(&o->saved, o->nsaved + 1, sizeof(struct saved), err) &&
	    scratch_array(&o->marks, o->nmarks + 1, sizeof(struct mark), err);
	if (ok) {
		renumber(o, &l);
		ok = put_spans(o, &l, err) && put_marks(o, err) &&
		    put_lists(o, &l, err);
	}
	SCRATCH_FREE(&l.order, &l.id, &l.value);
	return ok;
}
