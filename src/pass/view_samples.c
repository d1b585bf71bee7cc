/*
 * view_samples: the samples of one event, or of a piece of time.  The store over the profile has their columns; the pass that
 * makes call trees of samples makes them of these.
 */
#include "config.h"

#include "views.h"

#define SAMPLE_COLUMNS 7

static const char *const names[SAMPLE_COLUMNS] = { "sample.stack", "sample.thread", "sample.weight",
	"sample.before", "sample.event", "sample.time", "sample.offset" };

struct pick {
	const struct view	*view;
	struct work		*work;
	const struct column	*time;
	struct scratch		 rows;		/* u64 */
	uint64_t		 n;
};

static bool
pick_rows(struct pick *p, struct err *err)
{
	uint64_t i, time;

	work_start(p->work, "piece of time", p->time->rows);
	for (i = 0; i < p->time->rows; i++) {
		if (i % 1024 == 0 && !work_tick(p->work, i))
			return fail_cancel(err);
		time = column_get(p->time, i);
		if (time < p->view->from || time >= p->view->to)
			continue;
		if (!scratch_array(&p->rows, p->n + 1, sizeof(uint64_t), err))
			return false;
		SCRATCH(p->rows, uint64_t)[p->n++] = i;
	}
	return true;
}

static bool
copy_column(struct pick *p, const struct column *from, struct store *st, struct err *err)
{
	void *to = store_make(st, from->name, from->type, p->n, err);
	uint64_t i;

	if (to == NULL)
		return false;
	for (i = 0; i < p->n; i++) {
		if (i % 1024 == 0 && !work_tick(p->work, i))
			return fail_cancel(err);
		column_set(to, from->type, i, column_get(from, SCRATCH(p->rows, uint64_t)[i]));
	}
	return true;
}

static bool
put_samples(struct pick *p, struct store *base, struct store *st, struct err *err)
{
	const struct column *c;
	size_t i;

	for (i = 0; i < SAMPLE_COLUMNS; i++)
		if ((c = store_column(base, names[i])) != NULL && !copy_column(p, c, st, err))
			return false;
	return true;
}

bool
view_samples(struct store **top, const struct view *v, struct work *work, struct err *err)
{
	/* Pass samples makes all of these, the threads too. */
	static const char *const masked[] = { "call.", "method.", "thread.", NULL };
	struct pick p = { .view = v, .work = work, .time = store_column(*top, "sample.time"),
		.rows = SCRATCH_INIT };
	struct store *st;
	bool ok;

	if (v->ranged && p.time == NULL)
		return fail(err, E_USAGE, "this profile does not say when its samples were taken");
	if (!store_over(&st, *top, masked, err))
		return false;
	ok = (v->event == 0 || store_fact(st, "event", FACT_COUNT, v->event, err)) &&
	    (!v->ranged || (pick_rows(&p, err) && put_samples(&p, *top, st, err)));
	scratch_free(&p.rows);
	if (ok) {
		store_publish(st);
		ok = pass_want(st, "call.method", work, err);
	}
	if (ok) {
		*top = st;
		return true;
	}
	store_discard(st);
	store_close(st);
	return false;
}
