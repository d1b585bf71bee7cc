/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intervals: events with a duration: time, thread and subject.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "icecore/columns_sched.h"
#include "jfr.h"

static const struct jfr_lasting rules[] = {
	/* These events show their class in their samples. */
	{ "jdk.JavaMonitorEnter", { NULL }, .state = "MonitorBlocked", .owner = "previousOwner" },
	{ "jdk.JavaMonitorWait", { NULL }, .state = "Object.wait()" },
	{ "jdk.ThreadPark", { NULL }, .state = "Parked" },
	{ "jdk.ThreadSleep", { NULL }, .state = "Sleeping" },
	{ "jdk.SocketRead", { "host", "address", "port" }, "bytesRead", "Socket" },
	{ "jdk.SocketWrite", { "host", "address", "port" }, "bytesWritten", "Socket" },
	{ "jdk.FileRead", { "path" }, "bytesRead", "File" },
	{ "jdk.FileWrite", { "path" }, "bytesWritten", "File" },
	{ "jdk.FileForce", { "path" }, .state = "File" },
	{ "jdk.VirtualThreadPinned", { "pinnedReason" }, .state = "Pinned" },
	{ "jdk.GarbageCollection", { "name", "cause", "longestPause" }, "sumOfPauses", .between = ", ",
	    .pauses = true },
	{ JFR_PAUSE, { "name" } },
	{ "jdk.GCPhaseConcurrent", { "name" } },
	{ "jdk.ExecuteVMOperation", { "operation" } },
	{ "jdk.ClassLoad", { "loadedClass" } },
	{ "jdk.Compilation", { "method" } },
	{ "jdk.MethodTrace", { "method" } },
	{ "profiler.Span", { "tag" } },
};

/* Events that describe the recording, repeat other events, or occur in thousands. */
static const char *const left_out[] = {
	"jdk.ActiveRecording", "jdk.ActiveSetting", "jdk.OldObjectSample", "jdk.GCPhaseParallel",
	"jdk.YoungGarbageCollection", "jdk.OldGarbageCollection", "jdk.G1GarbageCollection",
	"jdk.ParallelOldGarbageCollection",
};

/* A type of events, over all chunks. */
struct interval_kind {
	const struct jfr_lasting *rule;
	uint32_t		 text;		/* offset of its name in the text; 0: no event has a duration */
	bool			 lasts;		/* at least one has a duration */
	bool			 elsewhere;	/* they are points of tracks */
	uint32_t		 event;		/* of its samples; 0: none */
	uint64_t		 n;
};

bool
jfr_lasts(struct str event, const struct jfr_lasting **rule)
{
	*rule = NULL;
	for (size_t i = 0; i < NELEM(left_out); i++)
		if (str_eq(event, str_of(left_out[i])))
			return false;
	for (size_t i = 0; i < NELEM(rules) && *rule == NULL; i++)
		if (str_eq(event, str_of(rules[i].event)))
			*rule = &rules[i];
	return true;
}

/* Store a text; 0 for the empty one. */
static uint32_t
intervals_keep_text(struct jfr *j, struct str text)
{
	uint32_t place = 0;

	INTO(&j->to, text.n == 0 || texts_place(&j->intervals.text, text, &place, j->to.err));
	return place;
}

uint32_t
jfr_intervals_kind(struct jfr *j, struct str event)
{
	struct jfr_intervals *v = &j->intervals;
	struct interval_kind new = { .rule = NULL };
	uint32_t kind = 0;

	if (!jfr_lasts(event, &new.rule))
		return 0;
	INTO(&j->to, idmap_enter(&v->by_kind, idmap_hash_text(event, 0), (uint32_t)v->nkinds + 1, &kind,
	    j->to.err));
	assert(kind <= v->nkinds + 1);
	if (kind > v->nkinds) {
		new.text = intervals_keep_text(j, event);
		INTO_ROW(&j->to, v->kinds, v->nkinds, new, "events");
	}
	return kind;
}

void
jfr_intervals_add(struct jfr *j, const struct jfr_reader *r, const struct jfr_plan *plan, uint32_t thread,
    uint32_t stack)
{
	struct jfr_chunk *c = &j->c;
	struct jfr_slot owner = plan->slot[EVENT_VALUES + JFR_VALUES - 1];
	uint64_t owned = c->slot[EVENT_VALUES + JFR_VALUES - 1];
	struct jfr_interval new = { .stack = stack, .start = jfr_chunk_time(c, c->slot[EVENT_START]),
	    .thread = thread == j->no_thread ? 0 : thread,
	    .length = jfr_chunk_length(c, c->slot[EVENT_DURATION]), .event = r->kind, .bytes = INTERVAL_NO_BYTES,
	    .paused = INTERVAL_NO_BYTES, .pause = INTERVAL_NO_BYTES };
	const struct { struct jfr_slot slot; uint64_t value; } parts[] = {
		{ plan->slot[EVENT_CLASS], c->slot[EVENT_CLASS] },
		{ plan->slot[EVENT_VALUES], c->slot[EVENT_VALUES] },
		{ plan->slot[EVENT_VALUES + 1], c->slot[EVENT_VALUES + 1] },
		{ plan->slot[EVENT_VALUES + 2], c->slot[EVENT_VALUES + 2] },
	};
	struct interval_kind *kind = &SCRATCH(j->intervals.kinds, struct interval_kind)[r->kind - 1];
	const char *between = kind->rule == NULL || kind->rule->between == NULL ? " " : kind->rule->between;
	bool pauses = kind->rule != NULL && kind->rule->pauses;
	size_t before, n, nparts = NELEM(parts) - (pauses || (kind->rule != NULL && kind->rule->owner != NULL));

	assert(r->kind != 0 && r->kind <= j->intervals.nkinds);
	if (pauses && plan->slot[EVENT_MORE].kind == JFR_NUMBER && owner.kind == JFR_NUMBER) {
		new.paused = jfr_chunk_length(c, c->slot[EVENT_MORE]);
		new.pause = jfr_chunk_length(c, owned);
	} else if (!pauses && plan->slot[EVENT_MORE].kind == JFR_NUMBER)
		new.bytes = (int64_t)c->slot[EVENT_MORE] < 0 ? 0 : c->slot[EVENT_MORE];
	buf_clear(&j->about);
	for (size_t i = 0; i < nparts; i++) {
		before = j->about.n;
		if (before > 0)
			buf_str(&j->about, str_of(between));
		n = j->about.n;
		jfr_about(j, parts[i].slot, parts[i].value, &j->about);
		if (j->about.n == n)
			j->about.n = before;
	}
	kind->lasts |= new.length > 0;
	kind->elsewhere |= r->ntracks > 0;
	kind->event = r->event != 0 ? r->event : kind->event;
	kind->n++;
	if (nparts < NELEM(parts) && owner.kind == JFR_KEY && owned != 0)
		new.owner = jfr_thread_of(j, owner.type, owned);
	new.owner = new.owner == j->no_thread ? 0 : new.owner;
	new.what = intervals_keep_text(j, buf_view(&j->about));
	INTO_ROW(&j->to, j->intervals.rows, j->intervals.nrows, new, "intervals");
}

/* ---- writing columns --------------------------------------------------------------------------------- */

/* Events that are only committed have no duration; they are shown if they have stacks. */
static void
intervals_count_unread(struct jfr *j)
{
	struct jfr_intervals *v = &j->intervals;

	for (uint64_t i = 0; i < v->nkinds && !j->to.bad; i++) {
		const struct interval_kind *k = &SCRATCH(v->kinds, struct interval_kind)[i];

		assert(k->event <= j->nknown);
		if (k->n > 0 && !k->lasts && !k->elsewhere && (k->event == 0 || !jfr_event_kept(j, k->event)))
			unread_add(&j->unread, UNREAD_EVENT, str_of(texts_at(&v->text, k->text)), k->n);
	}
}

void
jfr_intervals_settle(struct jfr *j)
{
	struct jfr_intervals *v = &j->intervals;
	const struct interval_kind *kinds = SCRATCH(v->kinds, struct interval_kind);
	struct jfr_interval *row = SCRATCH(v->rows, struct jfr_interval);
	uint64_t n = 0;

	intervals_count_unread(j);
	for (uint64_t i = 0; i < v->nrows; i++)
		if (kinds[row[i].event - 1].lasts)
			row[n++] = row[i];
	v->nrows = n;
	INTO(&j->to, make_sort(&v->rows, n, sizeof *row, j->to.work, j->to.err));
	row = SCRATCH(v->rows, struct jfr_interval);
	for (uint64_t i = 0; i < n; i++) {
		row[i].start = row[i].start > j->zero ? row[i].start - j->zero : 0;
		assert(j->to.bad || i == 0 || row[i - 1].start <= row[i].start);
	}
}

const char *
jfr_interval_state(const struct jfr *j, const struct jfr_interval *row, bool *pause)
{
	const struct jfr_lasting *rule = SCRATCH(j->intervals.kinds, struct interval_kind)[row->event - 1].rule;

	assert(row->event > 0 && row->event <= j->intervals.nkinds);
	*pause = rule != NULL && str_eq(str_of(rule->event), STR(JFR_PAUSE));
	return rule == NULL ? NULL : rule->state;
}

/* Write the columns; event becomes the name of the kind. */
bool
jfr_intervals_columns(struct jfr *j, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_INTERVAL_START, jfr_interval, start), MAKE(COL_INTERVAL_LENGTH, jfr_interval, length),
		MAKE(COL_INTERVAL_THREAD, jfr_interval, thread), MAKE(COL_INTERVAL_EVENT, jfr_interval, event),
		MAKE(COL_INTERVAL_WHAT, jfr_interval, what), MAKE(COL_INTERVAL_BYTES, jfr_interval, bytes),
		MAKE(COL_INTERVAL_STACK, jfr_interval, stack), MAKE(COL_INTERVAL_OWNER, jfr_interval, owner),
		MAKE(COL_INTERVAL_PAUSED, jfr_interval, paused), MAKE(COL_INTERVAL_PAUSE, jfr_interval, pause),
	};
	struct jfr_intervals *v = &j->intervals;
	struct jfr_interval *row = SCRATCH(v->rows, struct jfr_interval);

	for (uint64_t i = 0; i < v->nrows; i++)
		row[i].event = SCRATCH(v->kinds, struct interval_kind)[row[i].event - 1].text;
	return make_columns(j->st, columns, NELEM(columns), MAKE_ROWS(row, v->nrows), err) &&
	    make_copy(j->st, COL_INTERVAL_TEXT, COL_BYTES, v->text.bytes.data, v->text.size, err);
}

void
jfr_intervals_close(struct jfr_intervals *v)
{
	SCRATCH_FREE(&v->rows, &v->kinds);
	texts_free(&v->text);
	idmap_free(&v->by_kind);
}
