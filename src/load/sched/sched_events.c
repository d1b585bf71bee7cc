/*
 * Switches and wakeups found by a reader of another format.
 */
#include "config.h"

#include <stdlib.h>

#include "rows.h"

struct sched_events {
	struct sched	s;
};

struct sched_events *
sched_events_open(struct store *st, struct work *w, struct err *err)
{
	struct sched_events *f = mem_array(1, sizeof *f);

	if (f == NULL)
		fail(err, E_SYSTEM, "out of memory (switches)");
	else
		f->s = (struct sched){ .st = st, .work = w, .first = UINT64_MAX };
	return f;
}

void
sched_events_close(struct sched_events *f)
{
	if (f != NULL)
		sched_rows_close(&f->s);
	free(f);
}

static bool
sched_events_feed(struct sched_events *f, enum sched_kind kind, const struct sched_told *e, struct err *err)
{
	struct sched_line l = { .kind = kind, .time = e->time, .cpu = e->cpu, .tid = kind == SCHED_SWITCH ? e->from : e->self, .from = e->from,
	    .to = e->to,
	    .state = e->state, .irq = e->irq ? 'h' : 0, .wake = e->waking ? WAKE_WAKING : WAKE_WAKEUP,
	    .target = e->target < SCHED_CPUS ? (uint16_t)e->target : SWITCH_NO_CPU, .name = STR(""), .from_name = e->from_name,
	    .to_name = e->to_name };

	f->s.err = err;
	return sched_rows_take(&f->s, &l);
}

bool
sched_events_switch(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	return sched_events_feed(f, SCHED_SWITCH, e, err);
}

bool
sched_events_waking(struct sched_events *f, const struct sched_told *e, struct err *err)
{
	return sched_events_feed(f, SCHED_WAKE, e, err);
}

bool
sched_events_exit(struct sched_events *f, uint32_t tid, struct err *err)
{
	return sched_events_feed(f, SCHED_EXIT, &(struct sched_told){ .to = tid, .to_name = STR("") }, err);
}

bool
sched_events_end(struct sched_events *f, struct sched_beside *b, struct err *err)
{
	f->s.err = err;
	return sched_beside_rows(&f->s, b);
}

bool
sched_events_columns(struct sched_events *f, const uint32_t *place, struct err *err)
{
	struct sched *s = &f->s;
	struct sched_row *row = SCRATCH(s->rows, struct sched_row);
	struct sched_woken *w = SCRATCH(s->wakes, struct sched_woken);

	s->err = err;
	for (uint64_t i = 0; i < s->nrows; i++) {
		row[i].from = row[i].from == 0 ? 0 : place[row[i].from - 1];
		row[i].to = row[i].to == 0 ? 0 : place[row[i].to - 1];
	}
	for (uint64_t i = 0; i < s->nwakes; i++) {
		uint32_t by = WAKE_ID(w[i].by);

		w[i].thread = place[w[i].thread - 1];
		if (by != 0 && by <= s->threads.nthreads)
			w[i].by = WAKE_BY(WAKE_KIND(w[i].by), place[by - 1]);
	}
	return sched_beside_columns(s);
}
