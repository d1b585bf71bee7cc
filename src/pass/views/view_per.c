/*
 * view_per: samples by something else than their thread: the state of the thread, its stack dump, its pool.  Each group takes the place
 * of a thread in the view, so that all that works with threads works with groups.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/dumps.h"
#include "icecore/facts.h"
#include "views.h"

struct per {
	const struct store	*base;
	struct work		*work;
	const struct column	*state, *states, *thread;
	enum view_per		 by;
	uint64_t		 most;		/* keys above it are of a damaged index */
	struct scratch		 group;		/* u32 by key of a sample: the number of its group; 0: none yet */
	struct scratch		 sample;	/* u32: groups of the samples */
	struct text_pool	 names;		/* of groups */
};

/* What samples of one group have in common, as a number; per_name names it. */
static uint64_t
per_key(const struct per *p, uint64_t row)
{
	if (p->by == PER_DUMP)
		return dump_of(p->base, row + 1);
	return column_get(p->by == PER_STATE ? p->state : p->thread, row);
}

static void
per_name(const struct per *p, uint64_t key, struct buf *b)
{
	buf_clear(b);
	if (p->by == PER_DUMP) {
		buf_printf(b, "dump %ju", (uintmax_t)key);
	} else if (p->by == PER_STATE) {
		buf_str(b, key == 0 ? STR("unknown") : column_text(p->states, key));
	} else {
		thread_name(p->base, (uint32_t)key, b);
		name_pool(b, 0);
	}
	if (b->n == 0)
		buf_str(b, STR("(no name)"));
}

static bool
per_groups(struct per *p, const uint64_t *rows, uint64_t n, struct err *err)
{
	struct buf name = BUF_INIT;
	bool ok = scratch_array(&p->sample, n + 1, sizeof(uint32_t), err) && scratch_array(&p->group, p->most + 1, sizeof(uint32_t), err);

	work_start(p->work, "groups", n);
	for (uint64_t i = 0; ok && i < n; i++) {
		uint64_t key = per_key(p, rows[i]);
		uint32_t *group = &SCRATCH(p->group, uint32_t)[key <= p->most ? key : 0];

		if (*group == 0) {
			key = key <= p->most ? key : 0;
			per_name(p, key, &name);
			ok = texts_number(&p->names, buf_view(&name), group, err);
		}
		SCRATCH(p->sample, uint32_t)[i] = *group;
		ok = ok && (i % 1024 != 0 || work_tick(p->work, i) || fail_cancel(err));
	}
	buf_free(&name);
	return ok;
}

bool
view_per(struct store *base, struct store *st, enum view_per by, const uint64_t *rows, uint64_t n, struct work *work, struct err *err)
{
	struct per p = { .base = base, .work = work, .by = by, .state = store_column(base, COL_SAMPLE_STATE),
	    .states = store_column(base, COL_SAMPLE_STATES), .thread = store_column(base, COL_SAMPLE_THREAD) };
	struct scratch refs = SCRATCH_INIT;
	uint32_t *to;
	bool ok;

	if (by == PER_STATE && (p.state == NULL || p.states == NULL))
		return fail(err, E_USAGE, "no thread states in these samples");
	p.most = by == PER_DUMP ? dumps_count(base) : by == PER_STATE ? p.states->rows : column_rows(store_column(base, COL_LISTED_TID));
	ok = per_groups(&p, rows, n, err) && view_put_texts(&p.names, st, &refs, err) &&
	    store_pack(st, COL_LISTED_THREAD, SCRATCH(refs, uint64_t), p.names.n, err) &&
	    store_make(st, COL_LISTED_TID, COL_U8, p.names.n, err) != NULL && store_make(st, COL_LISTED_PID, COL_U8, p.names.n, err) != NULL &&
	    (to = store_make(st, COL_SAMPLE_THREAD, COL_U32, n, err)) != NULL;
	for (uint64_t i = 0; ok && i < n; i++)
		to[i] = SCRATCH(p.sample, uint32_t)[i];
	SCRATCH_FREE(&refs, &p.group, &p.sample);
	ok = ok && fact_set(st, FACT_THREADS, p.names.n, err);
	texts_free(&p.names);
	return ok;
}
