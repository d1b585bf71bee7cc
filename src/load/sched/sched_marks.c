/*
 * Marks that user space writes into the trace: begin and end of calls, counters, asynchronous pieces of work.
 */
#include "config.h"

#include <string.h>

#include "sched.h"
#include "load/trace/trace.h"

void
sched_marks_open(struct sched_marks *m)
{
	memset(m, 0, sizeof *m);
	m->events = m->points = m->series = m->names = SCRATCH_INIT;
	m->by_name = m->by_series = IDMAP_INIT;
}

void
sched_marks_close(struct sched_marks *m)
{
	scratch_free(&m->events);
	scratch_free(&m->points);
	scratch_free(&m->series);
	scratch_free(&m->names);
	idmap_free(&m->by_name);
	idmap_free(&m->by_series);
}

/* ---- names and series by what they are called ------------------------------------ */

/* The number of a name of a call, from 1; 0: failure. */
static uint32_t
name_of(struct sched_marks *m, struct str s, struct err *err)
{
	uint64_t seed, key;
	uint32_t id;

	for (seed = 0; ; seed++) {
		key = hash_bytes(s.s, s.n, seed);
		id = idmap_get(&m->by_name, key);
		if (id != 0 && str_eq(SCRATCH(m->names, struct str)[id - 1], s))
			return id;
		if (id == 0)
			break;
	}
	id = (uint32_t)m->nnames + 1;
	if (id >= UINT32_MAX / 4) {
		fail(err, E_INPUT, "more than 2^30 names of calls");
		return 0;
	}
	if (!scratch_array(&m->names, id, sizeof s, err) || !idmap_put(&m->by_name, key, id, err))
		return 0;
	SCRATCH(m->names, struct str)[id - 1] = s;
	m->nnames = id;
	return id;
}

static inline struct sched_series *
series_at(const struct sched_marks *m, uint32_t id)
{
	return &SCRATCH(m->series, struct sched_series)[id - 1];
}

static uint32_t
series_of(struct sched_marks *m, enum series_kind kind, uint32_t owner, struct str name, struct err *err)
{
	uint64_t seed = (uint64_t)owner << 8 | kind, key;
	struct sched_series *s;
	uint32_t id;

	for (; ; seed += (uint64_t)1 << 40) {
		key = hash_bytes(name.s, name.n, seed);
		if ((id = idmap_get(&m->by_series, key)) == 0)
			break;
		s = series_at(m, id);
		if (s->kind == kind && s->owner == owner && str_eq(s->name, name))
			return id;
	}
	id = (uint32_t)m->nseries + 1;
	if (id == 0) {
		fail(err, E_INPUT, "more than 2^32 counters");
		return 0;
	}
	if (!scratch_array(&m->series, id, sizeof *s, err) || !idmap_put(&m->by_series, key, id, err))
		return 0;
	m->nseries = id;
	*series_at(m, id) = (struct sched_series){ name, owner, (uint8_t)kind, 0 };
	return id;
}

/* ---- one mark ------------------------------------------------------------------------ */

static bool
add_event(struct sched_marks *m, const struct sched_line *l, uint32_t word, struct err *err)
{
	struct sched_event *e;

	if (!scratch_array(&m->events, m->nevents + 1, sizeof *e, err))
		return false;
	e = &SCRATCH(m->events, struct sched_event)[m->nevents++];
	*e = (struct sched_event){ l->time, word, l->tid };
	return true;
}

static bool
add_point(struct sched_marks *m, uint32_t series, uint64_t time, uint64_t value, struct err *err)
{
	struct sched_point *p;

	if (series == 0 || !scratch_array(&m->points, m->npoints + 1, sizeof *p, err))
		return false;
	p = &SCRATCH(m->points, struct sched_point)[m->npoints++];
	*p = (struct sched_point){ time, value, series - 1 };
	return true;
}

/* "name|12" at its last bar. */
static bool
split_last(struct str s, struct str *name, struct str *last)
{
	const char *bar = memrchr(s.s, '|', s.n);

	if (bar == NULL)
		return false;
	*name = (struct str){ s.s, (size_t)(bar - s.s) };
	*last = (struct str){ bar + 1, s.n - name->n - 1 };
	return true;
}

static bool
counter(struct sched_marks *m, const struct sched_line *l, uint32_t pid, struct str s, struct err *err)
{
	struct str name, number;
	int64_t v;

	if (!split_last(s, &name, &number) || !num_i64(str_trim(number), 10, &v)) {
		m->unknown++;
		return true;
	}
	m->negative += v < 0;
	return add_point(m, series_of(m, SERIES_COUNTER, pid, name, err), l->time,
	    v < 0 ? 0 : (uint64_t)v, err);
}

static bool
async(struct sched_marks *m, const struct sched_line *l, uint32_t pid, struct str name, bool begin,
    struct err *err)
{
	uint32_t id = series_of(m, SERIES_ASYNC, pid, name, err);
	struct sched_series *s;

	if (id == 0)
		return false;
	s = series_at(m, id);
	if (!begin && s->open == 0) {
		m->unopened++;
		return true;
	}
	s->open += begin ? 1 : (uint64_t)-1;
	return add_point(m, id, l->time, s->open, err);
}

/* "parent_ts=136924.328125" in seconds, "realtime_ts=1551399234135" in milliseconds. */
static void
clock_sync(struct sched_marks *m, const struct sched_line *l)
{
	struct str s = l->text, word;
	uint64_t ms;
	double seconds;

	str_split(&s, '=', &word);
	if (memmem(word.s, word.n, "parent_ts", 9) != NULL && num_f64(str_trim(s), &seconds) &&
	    seconds >= 0 && seconds < 72e6) {
		m->has_monotonic = true;
		m->monotonic = (uint64_t)(seconds * 1e9);
		m->monotonic_at = l->time;
	} else if (memmem(word.s, word.n, "realtime_ts", 11) != NULL &&
	    num_u64(str_trim(s), 10, &ms) && ms < UINT64_MAX / 1000000) {
		m->has_realtime = true;
		m->realtime = ms * 1000000;
		m->realtime_at = l->time;
	} else
		m->unknown++;
}

static bool
begin(struct sched_marks *m, const struct sched_line *l, struct str name, uint32_t *depth, struct err *err)
{
	uint32_t id = name_of(m, name, err);

	++*depth;
	return id != 0 && add_event(m, l, id * 4 + ACT_ENTER, err);
}

/* An end names nothing: without a begin it says nothing. */
static bool
end(struct sched_marks *m, const struct sched_line *l, uint32_t *depth, struct err *err)
{
	if (*depth == 0) {
		m->unopened++;
		return true;
	}
	--*depth;
	return add_event(m, l, ACT_EXIT, err);
}

static bool
letter_mark(struct sched_marks *m, const struct sched_line *l, uint32_t pid, struct str s, uint32_t *depth,
    struct err *err)
{
	struct str name = s, rest;

	switch (l->text.s[0]) {
	case 'B':
		return begin(m, l, s, depth, err);
	case 'C':
		return counter(m, l, pid, s, err);
	case 'S':
	case 'F':
		split_last(s, &name, &rest);
		return async(m, l, pid, name, l->text.s[0] == 'S', err);
	case 'G':
	case 'H':
		str_split(&s, '|', &name);
		return async(m, l, pid, name, l->text.s[0] == 'G', err);
	case 'I':
	case 'N':
		m->instants++;
		return true;
	}
	m->unknown++;
	return true;
}

bool
sched_mark(struct sched_marks *m, const struct sched_line *l, uint32_t *depth, struct err *err)
{
	struct str s = l->text, letter, number;
	uint64_t pid;

	if (s.n > 0 && s.s[0] == 'E' && (s.n == 1 || s.s[1] == '|' || s.s[1] == ' '))
		return end(m, l, depth, err);
	if (str_has_prefix(s, STR("trace_event_clock_sync:"))) {
		clock_sync(m, l);
		return true;
	}
	if (s.n < 3 || s.s[1] != '|') {
		m->unknown++;
		return true;
	}
	str_split(&s, '|', &letter);
	if (!str_split(&s, '|', &number) || !num_u64(number, 10, &pid) || pid > UINT32_MAX) {
		m->unknown++;
		return true;
	}
	return letter_mark(m, l, (uint32_t)pid, s, depth, err);
}

bool
sched_level(struct sched_marks *m, const struct sched_line *l, struct err *err)
{
	return add_point(m, series_of(m, SERIES_CPU, l->cpu + 1, STR(""), err), l->time, l->value, err);
}

/* ---- columns ------------------------------------------------------------------------------ */

static uint64_t
ref_of(struct str s, const char *text)
{
	return s.n == 0 ? 0 : ref_make((uint64_t)(s.s - text), s.n);
}

/* The names of calls in the places of methods. */
static bool
name_columns(const struct sched_marks *m, struct store *st, const char *text, struct err *err)
{
	static const enum col empty[] = { COL_LISTED_CLASS, COL_LISTED_SIGNATURE, COL_LISTED_FILE };
	uint64_t *raw, *name = NULL, i;
	int64_t *line = NULL;

	for (i = 0; i < NELEM(empty); i++)
		if (store_make(st, empty[i], COL_U64, m->nnames, err) == NULL)
			return false;
	if ((raw = store_make(st, COL_LISTED_METHOD, COL_U64, m->nnames, err)) == NULL ||
	    (name = store_make(st, COL_LISTED_NAME, COL_U64, m->nnames, err)) == NULL ||
	    (line = store_make(st, COL_LISTED_LINE, COL_I64, m->nnames, err)) == NULL)
		return false;
	for (i = 0; i < m->nnames; i++) {
		raw[i] = 4 * (i + 1);
		name[i] = ref_of(SCRATCH(m->names, struct str)[i], text);
		line[i] = -1;
	}
	return true;
}

static bool
event_columns(const struct sched_marks *m, struct store *st, uint64_t base, struct err *err)
{
	const struct sched_event *e = SCRATCH(m->events, struct sched_event);
	uint64_t *time = store_make(st, COL_EVENT_TIME, COL_U64, m->nevents, err), i;
	uint32_t *word = time == NULL ? NULL : store_make(st, COL_EVENT_WORD, COL_U32, m->nevents, err);
	uint32_t *tid = word == NULL ? NULL : store_make(st, COL_EVENT_TID, COL_U32, m->nevents, err);

	for (i = 0; tid != NULL && i < m->nevents; i++) {
		time[i] = e[i].time - base;
		word[i] = e[i].word;
		tid[i] = e[i].tid;
	}
	return tid != NULL && store_make(st, COL_SEGMENT_OFFSET, COL_U64, 1, err) != NULL &&
	    store_make(st, COL_SEGMENT_ROW, COL_U64, 1, err) != NULL;
}

static bool
series_columns(const struct sched_marks *m, struct store *st, const char *text, struct err *err)
{
	uint8_t *kind = store_make(st, COL_SERIES_KIND, COL_U8, m->nseries, err);
	uint64_t *name = kind == NULL ? NULL : store_make(st, COL_SERIES_NAME, COL_U64, m->nseries, err);
	uint32_t *owner = name == NULL ? NULL : store_make(st, COL_SERIES_OWNER, COL_U32, m->nseries, err);
	const struct sched_series *s;
	uint32_t i;

	for (i = 0; owner != NULL && i < m->nseries; i++) {
		s = series_at(m, i + 1);
		kind[i] = s->kind;
		name[i] = ref_of(s->name, text);
		owner[i] = s->owner;
	}
	return owner != NULL;
}

static bool
level_columns(const struct sched_marks *m, struct store *st, uint64_t base, struct err *err)
{
	const struct sched_point *p = SCRATCH(m->points, struct sched_point);
	uint64_t *time = store_make(st, COL_LEVEL_TIME, COL_U64, m->npoints, err), i;
	uint64_t *value = time == NULL ? NULL : store_make(st, COL_LEVEL_VALUE, COL_U64, m->npoints, err);
	uint32_t *series = value == NULL ? NULL : store_make(st, COL_LEVEL_SERIES, COL_U32, m->npoints, err);

	for (i = 0; series != NULL && i < m->npoints; i++) {
		time[i] = p[i].time - base;
		value[i] = p[i].value;
		series[i] = p[i].series;
	}
	return series != NULL;
}

bool
sched_marks_columns(const struct sched_marks *m, struct store *st, const char *text, uint64_t base,
    struct err *err)
{
	return name_columns(m, st, text, err) && event_columns(m, st, base, err) &&
	    series_columns(m, st, text, err) && level_columns(m, st, base, err);
}
