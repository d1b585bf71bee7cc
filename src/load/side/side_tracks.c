/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files name a Nanoscope trace: NAME.timer with samples of counters, NAME.state with state changes of the
 * thread.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/facts.h"
#include "icecore/points.h"
#include "load/decode.h"
#include "side.h"

#define FIELDS 9		/* fields in a line of samples */
#define NANO_THREAD 1		/* the only thread of the trace */

struct nano_files {
	struct store	*st;
	struct work	*work;
	struct points	 points;
	uint64_t	 first;		/* start of time */
	uint64_t	 samples, changes, bad_lines, cut;
};

/* ---- finding the files ------------------------------------------------------------ */

/* "foo.txt" may have "foo.txt.timer" or "foo.timer"; so may "foo.txt.gz". */
static char *
side_path(const char *file, const char *suffix)
{
	struct str path = str_of(file);
	struct buf b = BUF_INIT;

	while (path.n > 0 && !str_is(path, "-")) {
		buf_clear(&b);
		buf_str(&b, path);
		buf_str(&b, str_of(suffix));
		if (!b.bad && access(b.s, R_OK) == 0)
			return b.s;
		while (path.n > 0 && path.s[path.n - 1] != '.' && path.s[path.n - 1] != '/')
			path.n--;
		if (path.n == 0 || path.s[path.n - 1] == '/')
			break;
		path.n--;
	}
	buf_free(&b);
	return NULL;
}

bool
side_has_tracks(const struct store *st)
{
	char *timer, *state;
	bool has;

	if (!str_is(fact_text(st, FACT_LOADER), "nanoscope"))
		return false;
	timer = side_path(store_path(st), ".timer");
	state = side_path(store_path(st), ".state");
	has = timer != NULL || state != NULL;
	free(timer);
	free(state);
	return has;
}

void
load_files(const char *path, const struct side_options *o, void (*each)(void *, const char *), void *to)
{
	static const char *const suffixes[] = { ".timer", ".state" };
	const char *const *const lists[] =
	    { o->threads, o->mappings, o->classes, o->resources, o->checks, o->tables };
	const char *member;
	char *name = member_archive(path, &member);

	each(to, name != NULL ? name : path);
	free(name);
	dumpparts_each(path, each, to);
	for (size_t i = 0; i < NELEM(suffixes); i++)
		if ((name = side_path(path, suffixes[i])) != NULL) {
			each(to, name);
			free(name);
		}
	for (size_t i = 0; i < NELEM(lists); i++)
		for (size_t k = 0; lists[i] != NULL && lists[i][k] != NULL; k++)
			each(to, lists[i][k]);
}

/* ---- lines ------------------------------------------------------------------------ */

/* Read the first n numbers of a line, separated by commas; negative numbers become 0. */
static bool
tracks_read_numbers(struct str line, uint64_t *v, size_t n)
{
	struct str part;
	size_t i;
	int64_t below;

	assert(n <= FIELDS);
	for (i = 0; i < n && str_split(&line, ',', &part); i++) {
		part = str_trim(part);
		if (num_u64(part, 10, &v[i]))
			continue;
		if (!num_i64(part, 10, &below))
			return false;
		v[i] = 0;
	}
	return i == n;
}

/*
 * Return the next line with n numbers. Other lines are counted, including a last line without its end, which
 * may be truncated.
 */
static bool
next_numbers(struct nano_files *s, struct lines *l, uint64_t *v, size_t n)
{
	struct str line;

	while (lines_next(l, &line)) {
		if (!l->cut && tracks_read_numbers(line, v, n))
			return true;
		s->bad_lines += l->cut || line.n > 0;
	}
	return false;
}

static uint64_t
tracks_since(uint64_t value, uint64_t base)
{
	return value > base ? value - base : 0;
}

/* ---- samples ---------------------------------------------------------------------- */

static const struct counter {
	enum track_kind	 kind;
	uint32_t	 thread;
	bool		 rebased;	/* on the first line */
	unsigned	 field;
	const char	*name, *unit;
} counters[] = {
	{ TRACK_CPU, NANO_THREAD, .rebased = true, .field = 1, .name = "cpu", .unit = "ns" },
	{ TRACK_TOTAL, NANO_THREAD, .rebased = true, .field = 4, .name = "context switches", .unit = "" },
	{ TRACK_TOTAL, NANO_THREAD, .rebased = true, .field = 2, .name = "major faults", .unit = "" },
	{ TRACK_TOTAL, NANO_THREAD, .rebased = true, .field = 3, .name = "minor faults", .unit = "" },
	{ TRACK_TOTAL, NANO_THREAD, .field = 7, .name = "allocated", .unit = "bytes" },
	{ TRACK_TOTAL, NANO_THREAD, .field = 8, .name = "freed", .unit = "bytes" },
	{ TRACK_LEVEL, 0, .field = 5, .name = "process bytes", .unit = "bytes" },
	{ TRACK_LEVEL, 0, .field = 6, .name = "process objects", .unit = "" },
};

/*
 * Keep the samples. The last one before the trace is kept as the state at its start; earlier ones are
 * dropped.
 */
static bool
keep_samples(struct nano_files *s, struct str text, struct scratch *rows, uint64_t *n, struct err *err)
{
	struct lines l = lines_of(text);
	uint64_t v[FIELDS], *row;

	work_start_bytes(s->work, "samples", text.n);
	while (next_numbers(s, &l, v, FIELDS)) {
		if (!work_go(s->work, s->samples, err))
			return false;
		s->samples++;
		if (*n == 1 && v[0] <= s->first && SCRATCH(*rows, uint64_t)[FIELDS] <= s->first)
			*n = 0;
		if (!scratch_array(rows, (*n + 2) * FIELDS, sizeof v[0], err))
			return false;
		row = SCRATCH(*rows, uint64_t);
		if (s->samples == 1)
			memcpy(row, v, sizeof v);
		memcpy(row + (*n + 1) * FIELDS, v, sizeof v);
		++*n;
	}
	return true;
}

/* Row 0 is the first line of the file; valid rows follow. */
static bool
tracks_read_samples(struct nano_files *s, struct str text, struct err *err)
{
	struct scratch rows = SCRATCH_INIT;
	const uint64_t *row;
	uint64_t n = 0, base;
	bool ok = keep_samples(s, text, &rows, &n, err);

	for (const struct counter *c = counters; ok && n > 0 && c < counters + NELEM(counters); c++) {
		row = SCRATCH(rows, uint64_t);
		base = c->rebased ? row[c->field] : 0;
		ok = points_track(&s->points, c->kind, c->name, c->unit, c->thread, 0, err);
		for (uint64_t i = 0; ok && i < n; i++) {
			row += FIELDS;
			ok = points_add(&s->points, tracks_since(row[0], s->first),
			    tracks_since(row[c->field], base), err);
		}
	}
	scratch_free(&rows);
	return ok;
}

/* ---- states ----------------------------------------------------------------------- */

#define STATE_LEAST 66

/* State numbers of ART 7 from STATE_LEAST on; those with the same meaning are merged. */
static const char *const state_words[] = {
	"Terminated", "Runnable", "Object.wait()", "Sleeping", "MonitorBlocked",
	"Object.wait()", "GCWait", "GCWait", "GCWait", "DebugWait", "DebugWait",
	"DebugWait", "DebugWait", "JNILoadWait", "SignalWait", "SignalWait",
	"DeoptWait", "TraceWait", "GCWait", "GCWait", "GCWait", "GCWait", "Starting",
	"Native", "Suspended"
};

static const char *
side_state_word(uint64_t number)
{
	return number < STATE_LEAST || number - STATE_LEAST >= NELEM(state_words) ? "Unknown" :
	    state_words[number - STATE_LEAST];
}

static bool
add_state(struct nano_files *s, uint64_t time, const char *word, struct err *err)
{
	uint32_t state = points_state(&s->points, word, err);

	return state != STATE_NONE && points_add(&s->points, time, state, err);
}

/* Before each change the thread was in that change's old state. */
static bool
read_states(struct nano_files *s, struct str text, struct err *err)
{
	struct lines l = lines_of(text);
	const char *from, *to, *last = NULL;
	uint64_t v[3], time = 0;

	work_start_bytes(s->work, "states", text.n);
	while (next_numbers(s, &l, v, NELEM(v))) {
		if (!work_go(s->work, s->changes, err))
			return false;
		s->changes++;
		from = side_state_word(v[1]);
		to = side_state_word(v[2]);
		if (strcmp(from, to) == 0)
			continue;
		if (last == NULL && !points_track(&s->points, TRACK_STATE, "state", "", NANO_THREAD,
		    0, err))
			return false;
		if (!add_state(s, time, from, err))
			return false;
		time = tracks_since(v[0], s->first);
		last = to;
	}
	return last == NULL || add_state(s, time, last, err);
}

/* ---- both ------------------------------------------------------------------------- */

static bool
read_side(struct nano_files *s, const char *suffix,
    bool (*read)(struct nano_files *, struct str, struct err *), struct err *err)
{
	char *path = side_path(store_path(s->st), suffix);
	struct map map;
	bool cut = false, ok;

	if (path == NULL)
		return true;
	ok = text_file_open(&map, path, &cut, s->work, err);
	free(path);
	if (!ok) {
		s->cut++;
		return err->kind == E_UNREADABLE;
	}
	ok = read(s, (struct str){ (const char *)map.data, (size_t)map.size }, err);
	if (ok && map_lost(&map))
		ok = fail(err, E_SYSTEM, "the %s file changed while reading; run icecore again", suffix);
	map_close(&map);
	s->cut += cut;
	return ok;
}

static bool
tracks_put_facts(const struct nano_files *s, struct err *err)
{
	bool known = s->cut == 0 || fact_text(s->st, FACT_LOSS_REASON).n > 0;
	const struct make_fact facts[] = {
		{ FACT_SIDE_SAMPLES, s->samples }, { FACT_SIDE_STATES, s->changes },
		{ FACT_SIDE_BAD_LINES, s->bad_lines }, { FACT_LOSS_TRACKS, s->cut, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(known ? "" :
		    ".timer or .state file damaged or unreadable"), .how = MAKE_ANY },
	};

	return make_facts(s->st, facts, NELEM(facts), err);
}

bool
side_tracks(struct store *st, struct work *w, struct err *err)
{
	struct nano_files s = { .st = st, .work = w, .first = fact_value(st, FACT_TRACE_FIRST) };
	bool ok;

	points_open(&s.points);
	ok = read_side(&s, ".state", read_states, err) && read_side(&s, ".timer", tracks_read_samples, err) &&
	    points_columns(&s.points, st, err) && tracks_put_facts(&s, err);
	points_close(&s.points);
	return ok;
}
