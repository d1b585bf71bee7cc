/*
 * runs: rows in order of time.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "runs.h"

/* A run that is being merged; its next row. */
struct cursor {
	uint64_t		 time, order;
	const struct pf_row	*row, *end;
	struct pf_made		 made;
};

struct pf_merge {
	struct perfetto	*p;
	struct cursor	*heap;
	size_t		 n, cap;
	uint64_t	 next;		/* run */
};

/* ---- runs ------------------------------------------------------------------------------------------------------- */

bool
pf_row(struct perfetto *p, const struct pf_row *row, struct err *err)
{
	struct pf_run new = { .time = row->time, .at = p->nrows, .order = p->nruns };

	if ((int64_t)row->time < 0 || row->time >= PF_TIME_MOST) {
		p->count[PF_NEGATIVE]++;
		return true;
	}
	if ((int64_t)row->time > p->newest)
		p->newest = (int64_t)row->time;
	if (!p->run_goes_on || row->time < p->run_time) {
		if (!make_add(&p->runs, &p->nruns, &new, sizeof new, UINT64_MAX, "events", err))
			return false;
		p->run_goes_on = true;
	}
	p->run_time = row->time;
	SCRATCH(p->runs, struct pf_run)[p->nruns - 1].n++;
	return make_add(&p->rows, &p->nrows, row, sizeof *row, UINT64_MAX, "events", err);
}

bool
pf_run_later(struct perfetto *p, struct pf_run *new, uint64_t last, uint64_t n, struct err *err)
{
	assert(new->time <= last && last < PF_TIME_MOST && new->kind != 0);
	new->order = p->nruns;
	p->run_goes_on = false;
	if ((int64_t)last > p->newest)
		p->newest = (int64_t)last;
	p->nlater += n;
	return make_add(&p->runs, &p->nruns, new, sizeof *new, UINT64_MAX, "events", err);
}

/* Rows in no order at all would be as many runs: then they are sorted, and are one. */
static bool
runs_join(struct perfetto *p, struct err *err)
{
	struct pf_run *run = SCRATCH(p->runs, struct pf_run);
	uint64_t n = 0;

	if (!make_sort(&p->rows, p->nrows, sizeof(struct pf_row), p->l->work, err))
		return false;
	for (uint64_t i = 0; i < p->nruns; i++)
		if (run[i].kind != 0)
			run[n++] = run[i];
	run[n++] = (struct pf_run){ .time = SCRATCH(p->rows, struct pf_row)[0].time, .n = p->nrows };
	assert(n <= p->nruns);
	p->nruns = n;
	return true;
}

static bool
runs_sort(struct perfetto *p, struct err *err)
{
	const struct pf_run *run = SCRATCH(p->runs, struct pf_run);
	uint64_t shorts = 0;

	for (uint64_t i = 0; i < p->nruns; i++)
		shorts += run[i].kind == 0 && run[i].n < 4;
	work_start(p->l->work, "sorting", 64);
	return (shorts <= 4096 || shorts <= p->nrows / 8 || runs_join(p, err)) && make_sort(&p->runs, p->nruns, sizeof *run, p->l->work, err);
}

/* ---- merging --------------------------------------------------------------------------------------------------- */

struct pf_merge *
pf_merge_open(struct perfetto *p, struct err *err)
{
	struct pf_merge *m;

	if (!runs_sort(p, err))
		return NULL;
	if ((m = mem_array(1, sizeof *m)) == NULL)
		fail(err, E_SYSTEM, "out of memory (events)");
	else
		*m = (struct pf_merge){ .p = p };
	return m;
}

void
pf_merge_close(struct pf_merge *m)
{
	if (m == NULL)
		return;
	for (size_t i = 0; i < m->cap; i++)
		free(m->heap[i].made.row);
	free(m->heap);
	free(m);
}

static inline bool
is_before(uint64_t time, uint64_t order, const struct cursor *c)
{
	return time < c->time || (time == c->time && order < c->order);
}

static void
merge_down(struct pf_merge *m, size_t at)
{
	struct cursor *h = m->heap, c = h[at];
	size_t child;

	while ((child = 2 * at + 1) < m->n) {
		if (child + 1 < m->n && is_before(h[child + 1].time, h[child + 1].order, &h[child]))
			child++;
		if (is_before(c.time, c.order, &h[child]))
			break;
		h[at] = h[child];
		at = child;
	}
	h[at] = c;
}

static void
merge_up(struct pf_merge *m, size_t at)
{
	struct cursor *h = m->heap, c = h[at];

	for (; at > 0 && is_before(c.time, c.order, &h[(at - 1) / 2]); at = (at - 1) / 2)
		h[at] = h[(at - 1) / 2];
	h[at] = c;
}

/* Begins the next run.  Buffers of runs that ended are behind the heap, to be used again. */
static bool
merge_begin(struct pf_merge *m, struct err *err)
{
	const struct pf_run *run = &SCRATCH(m->p->runs, struct pf_run)[m->next++];
	size_t was = m->cap;
	struct cursor *c;

	if (m->n == m->cap) {
		if (!mem_grow(&m->heap, &m->cap, m->n + 1, sizeof *m->heap))
			return fail(err, E_SYSTEM, "out of memory (events)");
		for (; was < m->cap; was++)
			m->heap[was].made = (struct pf_made){ .n = 0 };
	}
	c = &m->heap[m->n];
	c->made.n = 0;
	if (run->kind != 0) {
		if (!pf_ftrace_later(m->p, run, &c->made, err))
			return false;
		c->row = c->made.row;
		c->end = c->row + c->made.n;
	} else {
		c->row = &SCRATCH(m->p->rows, struct pf_row)[run->at];
		c->end = c->row + run->n;
	}
	c->order = run->order;
	if (c->row == c->end)
		return true;
	c->time = c->row->time;
	merge_up(m, m->n++);
	return true;
}

bool
pf_merge_next(struct pf_merge *m, struct pf_row *row, bool *more, struct err *err)
{
	const struct pf_run *run;
	struct cursor *top, last;

	while (m->next < m->p->nruns) {
		run = &SCRATCH(m->p->runs, struct pf_run)[m->next];
		if (m->n > 0 && !is_before(run->time, run->order, &m->heap[0]))
			break;
		if (!merge_begin(m, err))
			return false;
	}
	*more = m->n > 0;
	if (!*more)
		return true;
	top = &m->heap[0];
	*row = *top->row++;
	if (top->row < top->end) {
		top->time = top->row->time;
		if (m->n > 1)
			merge_down(m, 0);
		return true;
	}
	last = *top;
	*top = m->heap[--m->n];
	m->heap[m->n] = last;
	if (m->n > 1)
		merge_down(m, 0);
	return true;
}
