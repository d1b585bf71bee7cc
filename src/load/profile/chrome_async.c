/*
 * Async operations of trace events of Chrome: begins, ends and points become spans, which nest by their ids and not by threads.
 */
#include "config.h"

#include "chrome_marks.h"
#include "icecore/columns_marks.h"
#include "icecore/sched.h"

struct async_event {
	uint64_t	time;		/* first: chrome_in_order */
	uint64_t	args;		/* chrome_args */
	uint32_t	name, cat, process, key;
	char		letter;
};

/* Key of operations that nest: one id.  For the legacy letters S, T, p and F, the name is part of the key. */
struct async_key {
	uint32_t	legacy, cat, within;	/* within: the scope, or the name */
	struct chrome_id id;
	uint32_t	top;		/* the innermost open span */
};

/* Operations of one key and name. */
struct async_name {
	uint32_t	key, name;
	uint32_t	top;
};

/* Number of open operations over time. */
struct async_track {
	uint32_t	process, cat, name;
	uint32_t	series;
	uint64_t	open;
};

/* Open ones of a key are a list, and so are those of a name among them: an end takes out any of them at once. */
struct async_span {
	uint64_t	start, end;
	uint64_t	args[2];	/* of its begin and its end */
	uint32_t	detail, name, cat, id, process, parent, points;
	uint32_t	key, named, track, operation;
	uint32_t	around, within, before;	/* of the key: the next ones outward and inward; of the name: outward */
	uint8_t		open;
};

#define KEY(m, i) (&SCRATCH((m)->keys.rows, struct async_key)[(i) - 1])
#define NAME(m, i) (&SCRATCH((m)->names.rows, struct async_name)[(i) - 1])
#define OPERATION(m, i) (&SCRATCH((m)->operations.rows, struct operation)[(i) - 1])
#define TRACK(m, i) (&SCRATCH((m)->tracks.rows, struct async_track)[(i) - 1])
#define SPAN(m, i) (&SCRATCH((m)->spans, struct async_span)[(i) - 1])

/* ---- while they are read ----------------------------------------------------------- */

bool
chrome_async_add(struct chrome_marks *m, const struct chrome_event *e, struct err *err)
{
	static const char *const names[] = { "cat", "id2", "scope", NULL };
	struct async_event new = { .time = e->time, .letter = e->letter, .args = chrome_args(e->args) };
	struct async_key key = { .legacy = strchr("bne", e->letter) == NULL };
	struct json at[3];

	jload_members(m->l, e->json, names, at);
	if (!chrome_word(m, e->name, &new.name, err) || !chrome_word(m, jload_word(at[0]), &new.cat, err) ||
	    !chrome_word(m, jload_word(at[2]), &key.within, err) || (new.process = chrome_process(m, e->pid, err)) == 0 ||
	    !chrome_id(m, e, at[1], key.legacy, &key.id, err))
		return false;
	key.cat = new.cat;
	key.within = key.legacy ? new.name : key.within;
	new.key = chrome_set_add(&m->keys, &key, offsetof(struct async_key, top), sizeof key, "async ids", err);
	return new.key != 0 && make_add(&m->asyncs, &m->nasyncs, &new, sizeof new, MAKE_MOST, "async events", err);
}

/* ---- in order of time -------------------------------------------------------------- */

static uint32_t
operation_of(struct chrome_marks *m, uint32_t cat, uint32_t name, struct err *err)
{
	struct operation new = { .cat = cat, .name = name };

	return chrome_set_add(&m->operations, &new, offsetof(struct operation, count), sizeof new, "names", err);
}

static uint32_t
chrome_async_name_of(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	struct async_name new = { .key = e->key, .name = e->name };

	return chrome_set_add(&m->names, &new, offsetof(struct async_name, top), sizeof new, "names", err);
}

static uint32_t
chrome_async_track_of(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	struct async_track new = { .process = e->process, .cat = e->cat, .name = e->name };
	struct chrome_series series = { .name = e->name, .process = e->process, .kind = SERIES_ASYNC };
	uint64_t before = m->tracks.n;
	uint32_t track = chrome_set_add(&m->tracks, &new, offsetof(struct async_track, series), sizeof new, "tracks", err);

	return track != 0 && (m->tracks.n == before || chrome_series(m, &series, &TRACK(m, track)->series, err)) ? track : 0;
}

static bool
chrome_async_step(struct chrome_marks *m, uint32_t number, uint64_t time, bool begin, struct err *err)
{
	struct async_track *t = TRACK(m, number);

	t->open += begin ? 1 : (uint64_t)-1;
	return chrome_level(m, t->series, time, t->open, err);
}

static bool
chrome_async_begin(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	struct async_span new = { .start = e->time, .end = m->times->last - m->times->first, .name = e->name,
	    .cat = e->cat, .id = KEY(m, e->key)->id.id, .process = e->process, .key = e->key, .open = 1,
	    .args = { e->args } };
	struct async_key *key = KEY(m, e->key);
	uint32_t number;

	new.parent = new.around = key->top;
	if ((new.named = chrome_async_name_of(m, e, err)) == 0 || (new.operation = operation_of(m, e->cat, e->name, err)) == 0 ||
	    (new.track = chrome_async_track_of(m, e, err)) == 0)
		return false;
	new.before = NAME(m, new.named)->top;
	if (!make_add(&m->spans, &m->nspans, &new, sizeof new, MAKE_MOST, "async operations", err))
		return false;
	number = (uint32_t)m->nspans;
	if (key->top != 0)
		SPAN(m, key->top)->within = number;
	key->top = NAME(m, new.named)->top = number;
	OPERATION(m, new.operation)->open++;
	return chrome_async_step(m, new.track, e->time, true, err);
}

/* End the innermost span of that name; an event without a name ends the innermost span. */
static bool
end(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	uint32_t named = e->name == 0 ? 0 : chrome_async_name_of(m, e, err), number;
	struct async_span *s;
	struct operation *o;

	if (e->name != 0 && named == 0)
		return false;
	number = named == 0 ? KEY(m, e->key)->top : NAME(m, named)->top;
	if (number == 0) {
		m->no_begin++;
		return true;
	}
	s = SPAN(m, number);
	NAME(m, s->named)->top = s->before;
	if (s->within != 0)
		SPAN(m, s->within)->around = s->around;
	else
		KEY(m, s->key)->top = s->around;
	if (s->around != 0)
		SPAN(m, s->around)->within = s->within;
	s->end = e->time;
	s->args[1] = e->args;
	s->open = 0;
	o = OPERATION(m, s->operation);
	o->open--;
	o->count++;
	o->total += s->end - s->start;
	o->max = s->end - s->start > o->max ? s->end - s->start : o->max;
	return chrome_async_step(m, s->track, e->time, false, err);
}

static bool
point(struct chrome_marks *m, const struct async_event *e, struct err *err)
{
	uint32_t operation = operation_of(m, e->cat, e->name, err), top = KEY(m, e->key)->top;

	if (operation == 0)
		return false;
	OPERATION(m, operation)->points++;
	if (top != 0)
		SPAN(m, top)->points++;
	return true;
}

static bool
nest(struct chrome_marks *m, struct err *err)
{
	const struct async_event *e;

	if (!chrome_in_order(m, &m->asyncs, m->nasyncs, sizeof *e, err))
		return false;
	e = SCRATCH(m->asyncs, struct async_event);
	for (uint64_t i = 0; i < m->nasyncs; i++)
		if (!work_go(m->l->work, m->l->doc.size, err) || !(strchr("bS", e[i].letter) != NULL ? chrome_async_begin(m, &e[i], err) :
		    strchr("eF", e[i].letter) != NULL ? end(m, &e[i], err) : point(m, &e[i], err)))
			return false;
	return true;
}

/* ---- columns ------------------------------------------------------------------------- */

/* By falling total, then in the order of their first events. */
struct sorted_operation {
	uint64_t	order;
	struct operation is;
};

bool
chrome_operation_columns(const struct chrome_set *operations, const struct jload *l, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_OPERATION_NAME, sorted_operation, is.name), MAKE(COL_OPERATION_CAT, sorted_operation, is.cat),
		MAKE(COL_OPERATION_COUNT, sorted_operation, is.count), MAKE(COL_OPERATION_TOTAL, sorted_operation, is.total),
		MAKE(COL_OPERATION_MAX, sorted_operation, is.max), MAKE(COL_OPERATION_POINTS, sorted_operation, is.points),
		MAKE(COL_OPERATION_OPEN, sorted_operation, is.open),
	};
	struct scratch sorted = SCRATCH_INIT;
	uint64_t n = operations->n;
	bool ok = scratch_array(&sorted, n, sizeof(struct sorted_operation), err);

	for (uint32_t i = 0; ok && i < n; i++) {
		const struct operation *o = &SCRATCH(operations->rows, struct operation)[i];

		SCRATCH(sorted, struct sorted_operation)[i] = (struct sorted_operation){ UINT64_MAX - o->total, *o };
	}
	ok = ok && make_sort(&sorted, n, sizeof(struct sorted_operation), l->work, err) &&
	    make_columns(l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(sorted, struct sorted_operation), n), err);
	scratch_free(&sorted);
	return ok;
}

bool
chrome_async_columns(struct chrome_marks *m, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_ASYNC_START, async_span, start), MAKE(COL_ASYNC_END, async_span, end),
		MAKE(COL_ASYNC_NAME, async_span, name), MAKE(COL_ASYNC_CAT, async_span, cat), MAKE(COL_ASYNC_ID, async_span, id),
		MAKE(COL_ASYNC_PROCESS, async_span, process), MAKE(COL_ASYNC_PARENT, async_span, parent),
		MAKE(COL_ASYNC_POINTS, async_span, points), MAKE(COL_ASYNC_OPEN, async_span, open),
		MAKE(COL_ASYNC_DETAIL, async_span, detail),
	};
	bool ok = nest(m, err);

	for (uint64_t i = 1; ok && i <= m->nspans; i++) {
		struct async_span *s = SPAN(m, i);

		ok = work_go(m->l->work, m->l->doc.size, err) && chrome_detail(m, s->args, &s->detail, err);
	}
	return ok && chrome_operation_columns(&m->operations, m->l, err) &&
	    make_columns(m->l->st, columns, NELEM(columns), MAKE_ROWS(SCRATCH(m->spans, struct async_span), m->nspans), err);
}
