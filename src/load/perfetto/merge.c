/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * merge: the rows of all runs in order of time, as they are played.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "runs.h"

/* A run that is being merged: its next row. */
struct cursor {
	const struct pf_row	*row, *end;
	uint32_t		 order;
	struct pf_made		 made;
};

/* A number that orders rows: by time, then by the order of their runs; its low bits are the cursor. */
#define KEY(time, order, cursor) ((unsigned __int128)(time) << 64 | (uint64_t)(order) << 32 | (cursor))
#define KEY_NONE (~(unsigned __int128)0)
#define CURSOR_OF(key) ((uint32_t)(key))

/*
 * Node 1 has the least key, node i the lesser one of 2 i and 2 i + 1; the keys of the cursors begin at
 * leaves.
 */
struct tournament {
	unsigned __int128	*key;
	size_t			 leaves;	/* a power of two, or 0 */
};

struct pf_merge {
	struct perfetto		*p;
	struct tournament	 least;
	unsigned __int128	 next_key;	/* key of the run that begins next, with cursor 0 */
	struct cursor		*cursor;
	uint32_t		*unused;	/* cursors */
	size_t			 cap, unused_cap, nunused, ncursors;
	uint64_t		 next;		/* run */
};

/* Rows without any order would be as many runs.  They are sorted and become one run. */
static bool
runs_join(struct perfetto *p, struct err *err)
{
	struct pf_run *run = SCRATCH(p->row.runs, struct pf_run);
	uint64_t n = 0;

	if (!make_sort(&p->row.rows, p->row.nrows, sizeof(struct pf_row), p->l->work, err))
		return false;
	for (uint64_t i = 0; i < p->row.nruns; i++)
		if (run[i].kind != 0)
			run[n++] = run[i];
	run[n++] = (struct pf_run){ .time = SCRATCH(p->row.rows, struct pf_row)[0].time, .n = p->row.nrows };
	assert(n <= p->row.nruns);
	p->row.nruns = n;
	return true;
}

static bool
runs_sort(struct perfetto *p, struct err *err)
{
	const struct pf_run *run = SCRATCH(p->row.runs, struct pf_run);
	uint64_t shorts = 0;

	for (uint64_t i = 0; i < p->row.nruns; i++)
		shorts += run[i].kind == 0 && run[i].n < 4;
	work_start(p->l->work, "sorting", 64);
	return (shorts <= 4096 || shorts <= p->row.nrows / 8 || runs_join(p, err)) &&
	    make_sort(&p->row.runs, p->row.nruns, sizeof *run, p->l->work, err);
}

static void
begin_after(struct pf_merge *m)
{
	const struct pf_run *run = m->next < m->p->row.nruns ?
	    &SCRATCH(m->p->row.runs, struct pf_run)[m->next] : NULL;

	m->next_key = run != NULL ? KEY(run->time, run->order, 0) : KEY(UINT64_MAX, UINT32_MAX, UINT32_MAX);
}

struct pf_merge *
pf_merge_open(struct perfetto *p, struct err *err)
{
	struct pf_merge *m;

	if (!runs_sort(p, err))
		return NULL;
	if ((m = mem_array(1, sizeof *m)) == NULL)
		fail(err, E_SYSTEM, "out of memory (events)");
	else {
		*m = (struct pf_merge){ .p = p };
		begin_after(m);
	}
	return m;
}

void
pf_merge_close(struct pf_merge *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->ncursors; i++)
		free(m->cursor[i].made.row);
	free(m->least.key);
	free(m->cursor);
	free(m->unused);
	free(m);
}

static inline unsigned __int128
lesser(unsigned __int128 a, unsigned __int128 b)
{
	return a < b ? a : b;
}

static inline void
tournament_put(const struct tournament *t, size_t cursor, unsigned __int128 key)
{
	unsigned __int128 *k = t->key;

	assert(cursor < t->leaves);
	k[t->leaves + cursor] = key;
	for (size_t at = t->leaves + cursor; at > 1; at /= 2)
		k[at / 2] = lesser(k[at], k[at ^ 1]);
}

/* Make room for n cursors. */
static bool
tournament_grow(struct tournament *t, size_t n)
{
	struct tournament new = { NULL, t->leaves == 0 ? 16 : t->leaves * 2 };

	if (n <= t->leaves)
		return true;
	if ((new.key = mem_array(2 * new.leaves, sizeof *new.key)) == NULL)
		return false;
	for (size_t i = 0; i < new.leaves; i++)
		new.key[new.leaves + i] = i < t->leaves ? t->key[t->leaves + i] : KEY_NONE;
	for (size_t i = new.leaves; i-- > 1; )
		new.key[i] = lesser(new.key[2 * i], new.key[2 * i + 1]);
	free(t->key);
	*t = new;
	return true;
}

/* Find a cursor that is not in use, or add a cursor. */
static bool
merge_cursor(struct pf_merge *m, uint32_t *at, struct err *err)
{
	if (m->nunused > 0) {
		*at = m->unused[--m->nunused];
		return true;
	}
	if (!mem_grow(&m->cursor, &m->cap, m->ncursors + 1, sizeof *m->cursor) ||
	    !mem_grow(&m->unused, &m->unused_cap, m->ncursors + 1, sizeof *m->unused) ||
	    !tournament_grow(&m->least, m->ncursors + 1))
		return fail(err, E_SYSTEM, "out of memory (events)");
	*at = (uint32_t)m->ncursors++;
	m->cursor[*at] = (struct cursor){ .order = 0 };
	return true;
}

static bool
run_begin(struct pf_merge *m, struct err *err)
{
	const struct pf_run *run = &SCRATCH(m->p->row.runs, struct pf_run)[m->next++];
	struct cursor *c;
	size_t n = run->n;
	uint32_t at = 0;

	begin_after(m);
	if (!merge_cursor(m, &at, err))
		return false;
	c = &m->cursor[at];
	c->order = (uint32_t)run->order;
	c->made.n = 0;
	if (run->kind != PF_RUN_ROWS) {
		if (!pf_ftrace_later(m->p, run, &c->made, err))
			return false;
		c->row = c->made.row;
		n = c->made.n;
	} else
		c->row = &SCRATCH(m->p->row.rows, struct pf_row)[run->at];
	if (n == 0) {
		m->unused[m->nunused++] = at;
		return true;
	}
	c->end = c->row + n;
	tournament_put(&m->least, at, KEY(c->row->time, c->order, at));
	return true;
}

/* Take the next row; NULL: there is none. */
static bool
merge_next(struct pf_merge *m, const struct pf_row **row, struct err *err)
{
	struct cursor *c;
	uint32_t at;

	while (m->next < m->p->row.nruns && (m->least.leaves == 0 || m->next_key < m->least.key[1]))
		if (!run_begin(m, err))
			return false;
	*row = NULL;
	if (m->least.leaves == 0 || m->least.key[1] == KEY_NONE)
		return true;
	at = CURSOR_OF(m->least.key[1]);
	c = &m->cursor[at];
	*row = c->row++;
	if (c->row < c->end)
		tournament_put(&m->least, at, KEY(c->row->time, c->order, at));
	else {
		m->unused[m->nunused++] = at;
		tournament_put(&m->least, at, KEY_NONE);
	}
	return true;
}

bool
pf_merge_rows(void *merge, void *rows, size_t room, size_t *n, struct err *err)
{
	struct pf_row *to = rows;
	const struct pf_row *row;

	for (*n = 0; *n < room; (*n)++) {
		if (!merge_next(merge, &row, err))
			return false;
		if (row == NULL)
			break;
		to[*n] = *row;
	}
	return true;
}
