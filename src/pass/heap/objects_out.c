/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * objects_out: the lists of references, and the lengths of large arrays, in the order of objects.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_objects.h"
#include "icecore/make.h"
#include "objects.h"

/* A reference of a thread to one of its locals. */
struct local {
	uint32_t	thread, object, root;
};

/* ---- locals of threads ------------------------------------------------------------------ */

static int
by_thread(const void *a, const void *b)
{
	const struct local *x = a, *y = b;

	return num_order(x->thread, y->thread, num_order(x->object, y->object, 0));
}

static int
by_root(const void *a, const void *b)
{
	const struct local *x = a, *y = b;

	return num_order(x->thread, y->thread, num_order(x->root, y->root, 0));
}

/* List the objects that stacks hold, as references of their thread objects, in the order of lists. */
static bool
find_locals(struct objects *o, struct scratch *locals, uint64_t *n)
{
	static const struct make_column columns[] = {
		MAKE(COL_LOCAL_THREAD, local, thread), MAKE(COL_LOCAL_ROOT, local, root)
	};
	const struct column *object = store_column(o->st, COL_ROOT_OBJECT);
	uint64_t i;

	for (*n = i = 0; object != NULL && i < object->rows; i++) {
		struct local local = { heap_root_thread(&o->h, (uint32_t)i + 1),
		    (uint32_t)column_get(object, i), (uint32_t)i + 1 };

		if (local.thread != 0 && !scratch_add(locals, n, &local, sizeof local, o->err))
			return false;
	}
	if (*n > 0)
		qsort(locals->data, *n, sizeof(struct local), by_root);
	if (!make_columns(o->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(*locals, struct local), *n),
	    o->err))
		return false;
	if (*n > 0)
		qsort(locals->data, *n, sizeof(struct local), by_thread);
	return true;
}

/* ---- lists in the order of objects --------------------------------------------------------- */

struct output {
	uint8_t			*data;
	uint64_t		*block;
	uint64_t		 pos, room;
	const struct local	*local, *end;
	ARRAY(uint8_t)	more;		/* the list of a thread, as it grows */
};

/* Writes the list of a thread once more, with its locals behind the fields. */
static void
add_locals(struct objects *o, struct output *out, struct heap_lists *from, uint64_t i,
    uint64_t at)
{
	uint8_t *more = out->more.at, *end = more, *p;
	struct heap_walk w;
	const uint8_t *list;
	uint64_t n, strength;

	heap_list(from, i, at, &w);
	list = w.begin;
	strength = w.strength | (w.chain != 0 ? LIST_CHAINED : 0);
	while (list_next(&w) != 0)
		;
	for (; out->local < out->end && out->local->thread == i + 1; out->local++) {
		end = put_step(end, w.last, out->local->object);
		w.last = out->local->object;
	}
	assert((uint64_t)(end - more) <= out->more.raw.size);
	n = (uint64_t)(w.p - list) + (uint64_t)(end - more);
	o->len[i] = n >= HEAP_LONG_LIST || strength != 0 ? HEAP_LONG_LIST : (uint8_t)n;
	p = out->data + out->pos;
	if (o->len[i] == HEAP_LONG_LIST)
		p = put_number(p, n << LIST_LENGTH | strength);
	memcpy(p, list, (size_t)(w.p - list));
	memcpy(p + (w.p - list), more, (size_t)(end - more));
	assert((uint64_t)(end - more) <= out->more.raw.size);
	out->pos = (uint64_t)(p + n - out->data);
	assert(out->pos <= out->room);
}

/* Copies the adjacent lists from at up to end as they are. */
static void
copy_bytes(struct output *out, const struct heap_lists *from, uint64_t at, uint64_t end)
{
	assert(at <= end && end <= from->size && end - at <= out->room - out->pos);
	memcpy(out->data + out->pos, from->data + at, end - at);
	out->pos += end - at;
}

/* Copies one run of lists, notes where blocks begin, and gives threads their locals. */
static bool
objects_out_copy_run(struct objects *o, struct output *out, struct heap_lists *from,
    const struct list_run *run)
{
	uint64_t at = run_pos(run), done = at, i = (uint64_t)run_object(run) - 1, end = i + run_lists(run),
	    bytes;

	assert(run_object(run) > 0 && end <= o->h.objects);
	for (; i < end; i++) {
		bytes = at < from->size ? heap_list_bytes(from, i, at) : 0;
		/* Lengths that do not fit mean that the file has changed since. */
		if (bytes > from->size - at || at - done + bytes > out->room - out->pos)
			break;
		if (i % HEAP_BLOCK == 0)
			out->block[i / HEAP_BLOCK] = out->pos + at - done;
		if (!work_each(o->work, i, TICK, o->err))
			return false;
		if (out->local < out->end && out->local->thread == i + 1) {
			copy_bytes(out, from, done, at);
			done = at + bytes;
			add_locals(o, out, from, i, at);
			at = done;
		} else
			at += bytes;
	}
	copy_bytes(out, from, done, at);
	return true;
}

/* The runs of all parts, by object; those of a single part are taken as they are. */
static bool
gather_runs(struct objects *part, uint64_t n, struct scratch *runs, uint64_t *nruns)
{
	struct list_run *to;

	*nruns = part->nruns;
	*runs = part->runs.raw;
	part->runs.raw = SCRATCH_INIT;
	for (uint64_t i = 1; i < n; i++) {
		if (!scratch_array(runs, *nruns + part[i].nruns, sizeof *to, part->err))
			return false;
		to = SCRATCH(*runs, struct list_run) + *nruns;
		for (uint64_t k = 0; k < part[i].nruns; k++) {
			to[k] = part[i].runs.at[k];
			to[k].at |= i << RUN_POS;
		}
		*nruns += part[i].nruns;
		array_free(&part[i].runs);
	}
	return make_sort(runs, *nruns, sizeof *to, part->work, part->err);
}

/* Objects without a run, of a file that has changed since, have empty lists. */
static bool
objects_out_copy_lists(struct objects *part, uint64_t n, struct output *out)
{
	OWN_ARRAY(struct list_run) runs = ARRAY_INIT;
	struct heap_lists from = { .len = part->len };
	uint64_t i = 0, nruns = 0;
	const struct list_run *run;
	const struct objects *of;
	bool ok = gather_runs(part, n, &runs.raw, &nruns);

	work_start(part->work, "references", part->h.objects);
	run = runs.at;
	for (uint64_t k = 0; ok && k < nruns; k++) {
		if (run_object(&run[k]) - 1ull < i)
			continue;
		for (; i < run_object(&run[k]); i++)
			if (i % HEAP_BLOCK == 0)
				out->block[i / HEAP_BLOCK] = out->pos;
		assert(run[k].at >> RUN_POS < n && (k == 0 || run[k - 1].objects <= run[k].objects));
		of = &part[run[k].at >> RUN_POS];
		from.data = of->stream.raw.data;
		from.size = of->pos;
		ok = objects_out_copy_run(part, out, &from, &run[k]);
		i = (uint64_t)run_object(&run[k]) - 1 + run_lists(&run[k]);
	}
	for (; ok && i <= part->h.objects; i++)
		if (i % HEAP_BLOCK == 0)
			out->block[i / HEAP_BLOCK] = out->pos;
	assert(!ok || i == part->h.objects + 1ull);
	return ok;
}

bool
objects_lists(struct objects *part, uint64_t n)
{
	ARRAY(struct local) locals = ARRAY_INIT;
	struct output out = { .pos = 0 };
	uint64_t nlocals, room;
	bool ok = find_locals(part, &locals.raw, &nlocals);

	room = (2 * nlocals + 1) * STEP_MAX;
	ok = ok && scratch_grow(&out.more.raw, room, part->err);
	for (uint64_t i = 0; i < n; i++)
		room += part[i].pos;
	out.block = !ok ? NULL : store_make(part->st, COL_OUT_BLOCK, COL_U64,
	    (uint64_t)part->h.objects / HEAP_BLOCK + 1, part->err);
	out.data = out.block == NULL ? NULL :
	    store_make(part->st, COL_OUT_DATA, COL_BYTES, room, part->err);
	out.room = room;
	if (out.data != NULL && room >= AHEAD_MIN)
		os_ahead(out.data, room);
	out.local = locals.at;
	out.end = out.local == NULL ? NULL : out.local + nlocals;
	ok = out.data != NULL && objects_out_copy_lists(part, n, &out);
	if (ok)
		store_trim(part->st, COL_OUT_DATA, out.pos);
	SCRATCH_FREE(&locals, &out.more);
	return ok;
}

/* ---- lengths ---------------------------------------------------------------------------------- */

static int
objects_out_by_object(const void *a, const void *b)
{
	const struct long_row *x = a, *y = b;

	return num_order(x->object, y->object, 0);
}

bool
objects_lengths(struct objects *part, uint64_t n)
{
	static const struct make_column columns[] = {
		MAKE(COL_LONG_OBJECT, long_row, object), MAKE(COL_LONG_LENGTH, long_row, length)
	};
	OWN_ARRAY(struct long_row) rows = ARRAY_INIT;
	uint64_t nrows = 0;
	bool ok = true;

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; ok && k < part[i].nlongs; k++)
			ok = array_add(&rows, &nrows, &part[i].longs.at[k], part->err);
	if (nrows > 0)
		qsort(rows.raw.data, nrows, sizeof(struct long_row), objects_out_by_object);
	return ok && make_columns(part->st, columns, NELEM(columns), MAKE_ROWS(rows.at, nrows), part->err);
}
