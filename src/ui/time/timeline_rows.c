/*
 * timeline_rows: the lines of the timeline: which threads or CPUs there are, and how long each ran and waited.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "timeline.h"

const char *const order_names[ORDERS] = { "CPU time", "off-CPU", "longest gap", "file order" };

/* ---- how long it ran ----------------------------------------------------- */

struct walk {
	struct tline	*line;
	bool		 seen, running;
	uint64_t	 since, out;	/* the last change; when it went off the CPU */
	bool		 was_on;	/* it ran before: a gap may begin */
};

static bool
is_running(const struct tline *l, uint64_t value)
{
	if (value >= STATE_NONE)
		return false;
	return l->lane.track.kind == TRACK_TASK ? value != 0 :
	    state_class(l->lane.st, (uint32_t)value) == STATE_RUNNING;
}

/* A gap is counted when it ends: what the file began or ended with is none. */
static void
walk_to(struct walk *w, uint64_t time, bool running)
{
	struct tline	*l = w->line;

	if (w->seen && time > w->since) {
		if (w->running)
			l->on += time - w->since;
		else
			l->off += time - w->since;
	}
	if (w->seen && w->running && !running) {
		w->was_on = true;
		w->out = time;
	}
	if (running && w->was_on && !w->running && time - w->out > l->gap) {
		l->gap = time - w->out;
		l->gap_at = w->out;
	}
	w->seen = true;
	w->since = time;
	w->running = running;
}

/* Of states: they are asked for by name, so once for each. */
static bool
walk_states(struct tline *l, struct work *work)
{
	const struct track *t = &l->lane.track;
	struct walk	 w = { .line = l };
	size_t		 n = states_count(l->lane.st);
	bool		*run = mem_array(n + 1, sizeof *run), on, alive = true;
	uint64_t	 v;

	for (size_t i = 0; run != NULL && i < n; i++)
		run[i] = is_running(l, i);
	for (uint64_t row = t->first; run != NULL && alive && row < t->first + t->n; row++) {
		v = column_get(t->value, row);
		on = t->kind == TRACK_TASK ? v != 0 : v < n && run[v];
		walk_to(&w, column_get(t->time, row), on);
		alive = (row & 1023) != 0 || work_tick(work, 0);
	}
	free(run);
	return alive;
}

/* Of CPU time: a gap is where hardly any was used. */
static bool
walk_use(struct tline *l, struct work *work)
{
	const struct track *t = &l->lane.track;
	uint64_t	 wall, cpu, idle = 0, at = 0;

	for (uint64_t row = t->first + 1; row < t->first + t->n; row++) {
		wall = column_get(t->time, row) - column_get(t->time, row - 1);
		cpu = column_get(t->value, row) - column_get(t->value, row - 1);
		cpu = cpu < wall ? cpu : wall;
		l->on += cpu;
		l->off += wall - cpu;
		if (cpu < wall / 100) {
			at = idle == 0 ? column_get(t->time, row - 1) : at;
			idle += wall;
		} else
			idle = 0;
		if (idle > l->gap) {
			l->gap = idle;
			l->gap_at = at;
		}
		if ((row & 1023) == 0 && !work_tick(work, 0))
			return false;
	}
	return true;
}

/* ---- which lines --------------------------------------------------------- */

static struct tline *
line_of(struct timeline *t, const struct track *track)
{
	for (size_t i = 0; track->cpu == 0 && i < t->new.n; i++)
		if (t->new.at[i].thread == track->thread)
			return &t->new.at[i];
	if (!mem_grow(&t->new.at, &t->new.cap, t->new.n + 1, sizeof *t->new.at))
		return NULL;
	memset(&t->new.at[t->new.n], 0, sizeof *t->new.at);
	return &t->new.at[t->new.n++];
}

/* Of a thread its states or how it used the CPU; of a CPU its tasks. */
static bool
is_wanted(const struct timeline *t, const struct track *track)
{
	if (track->n == 0)
		return false;
	if (t->cpus)
		return track->cpu != 0 && track->kind == TRACK_TASK;
	return track->cpu == 0 && track->thread != 0 &&
	    (track->kind == TRACK_STATE || track->kind == TRACK_CPU);
}

/* Of scheduler traces that is known, as Tasks shows it. */
static bool
take_task(const struct timeline *t, struct tline *l)
{
	const struct column *on = store_column(t->next, COL_TASK_ON);

	if (on == NULL || l->thread == 0)
		return false;
	l->on = column_get(on, l->thread - 1);
	l->off = column_get(store_column(t->next, COL_TASK_OFF), l->thread - 1);
	l->gap = column_get(store_column(t->next, COL_TASK_MAX_GAP), l->thread - 1);
	l->gap_at = column_get(store_column(t->next, COL_TASK_MAX_GAP_AT), l->thread - 1);
	return true;
}

static bool
add_lines(struct timeline *t, enum track_kind kind, struct work *work, struct err *err)
{
	struct track	 track;
	struct tline	*l;
	size_t		 n = tracks_count(t->next);

	for (size_t i = 0; i < n; i++) {
		if (!work_tick(work, i))
			return fail_cancel(err);
		if (!track_get(t->next, i, &track) || track.kind != kind || !is_wanted(t, &track))
			continue;
		if ((l = line_of(t, &track)) == NULL)
			return fail(err, E_SYSTEM, "no memory for the lines");
		/* It has a track already. */
		if (l->lane.st != NULL)
			continue;
		l->lane = (struct lane){ .st = t->next, .number = i, .track = track };
		l->thread = track.thread;
		l->cpu = track.cpu;
		if (!take_task(t, l) && !(kind == TRACK_CPU ? walk_use(l, work) : walk_states(l, work)))
			return fail_cancel(err);
	}
	return true;
}

bool
timeline_make(struct timeline *t, struct work *work, struct err *err)
{
	enum track_kind	first;

	tlines_free(&t->new);
	work_start(work, "timeline", 0);
	if (t->cpus)
		return add_lines(t, TRACK_TASK, work, err);
	/* Two clocks tell more than what was made of them. */
	first = trace_has_clock(t->next, CLOCK_WALL) && trace_has_clock(t->next, CLOCK_CPU) ? TRACK_CPU : TRACK_STATE;
	return add_lines(t, first, work, err) &&
	    add_lines(t, first == TRACK_CPU ? TRACK_STATE : TRACK_CPU, work, err);
}

void
tlines_free(struct tlines *l)
{
	for (size_t i = 0; i < l->n; i++)
		lane_free(&l->at[i].lane);
	free(l->at);
	*l = (struct tlines){ NULL, 0, 0 };
}

/* ---- their order --------------------------------------------------------- */

uint64_t
line_value(const struct timeline *t, const struct tline *l)
{
	return t->order == ORDER_OFF ? l->off : t->order == ORDER_GAP ? l->gap : l->on;
}

/* The largest first, then by their numbers. */
static int
by_weight(const void *a, const void *b)
{
	const struct tline *x = a, *y = b;

	return num_order(y->weight, x->weight, num_order(x->cpu, y->cpu, num_order(x->thread, y->thread, 0)));
}

void
timeline_sort(struct timeline *t)
{
	for (size_t i = 0; i < t->lines.n; i++)
		t->lines.at[i].weight = t->order == ORDER_FILE ? 0 : line_value(t, &t->lines.at[i]);
	if (t->lines.n > 1)
		qsort(t->lines.at, t->lines.n, sizeof *t->lines.at, by_weight);
}

void
line_name(const struct timeline *t, const struct tline *l, struct buf *b)
{
	if (l->cpu != 0)
		buf_printf(b, "CPU %u", l->cpu - 1);
	else
		thread_name(t->st, l->thread, b);
}
