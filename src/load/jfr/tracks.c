/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tracks: values over time of a process, the machine or a thread, from periodic events.
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "jfr.h"

#define CPU(event, path, name, of) { event, path, name, "ns", TRACK_CPU, of, .share = true }
#define LEVEL(event, path, name, unit, of) { event, path, name, unit, TRACK_LEVEL, of }

/* Rules of one event must be adjacent. */
static const struct jfr_track rules[] = {
	CPU("jdk.CPULoad", "jvmUser", "cpu jvm user", OF_PROCESS),
	CPU("jdk.CPULoad", "jvmSystem", "cpu jvm system", OF_PROCESS),
	CPU("jdk.CPULoad", "machineTotal", "cpu machine", OF_PROCESS),
	CPU("jdk.ThreadCPULoad", "user", "cpu user", OF_THREAD),
	CPU("jdk.ThreadCPULoad", "system", "cpu system", OF_THREAD),
	LEVEL("jdk.GCHeapSummary", "heapUsed", "heap used", "bytes", OF_PROCESS),
	LEVEL("jdk.GCHeapSummary", "heapSpace.committedSize", "heap committed", "bytes", OF_PROCESS),
	LEVEL("jdk.MetaspaceSummary", "metaspace.used", "metaspace used", "bytes", OF_PROCESS),
	LEVEL("jdk.ResidentSetSize", "size", "rss", "bytes", OF_PROCESS),
	LEVEL("jdk.PhysicalMemory", "usedSize", "memory used", "bytes", OF_MACHINE),
	LEVEL("jdk.JavaThreadStatistics", "activeCount", "threads", "", OF_PROCESS),
	LEVEL("jdk.ClassLoadingStatistics", "loadedClassCount", "classes", "", OF_PROCESS),
	{ "jdk.ExceptionStatistics", "throwables", "exceptions", "", TRACK_TOTAL, OF_PROCESS },
	{ "jdk.ThreadContextSwitchRate", "switchRate", "context switches", "1/s", TRACK_LEVEL, OF_MACHINE,
	.decimals = 6 },
	{ "jdk.ThreadAllocationStatistics", "allocated", "allocated", "bytes", TRACK_TOTAL, OF_THREAD,
	.thread = "thread" },
	{ "jdk.NetworkUtilization", "readRate", "read", "bit/s", TRACK_LEVEL, OF_MACHINE,
	.about = "networkInterface" },
	{ "jdk.NetworkUtilization", "writeRate", "write", "bit/s", TRACK_LEVEL, OF_MACHINE,
	.about = "networkInterface" },
};

/* A track with points. */
struct track_seen {
	uint64_t	start;		/* start of the chunk with its first point, ns since 1970 */
	uint64_t	points, at;	/* number of points; index of the next one */
	uint32_t	rule, thread, pid;
	bool		of_machine;	/* a share of an unknown number of processors */
	struct jfr_word	about;
};

/* A point; points are sorted by time. */
struct track_point {
	uint64_t	time;		/* ns since 1970 */
	double		value;
	uint32_t	track;
};

const struct jfr_track *
jfr_tracks_of(struct str event, unsigned *n)
{
	const struct jfr_track *first = NULL;

	*n = 0;
	for (size_t i = 0; i < NELEM(rules); i++)
		if (str_eq(event, str_of(rules[i].event))) {
			first = first == NULL ? &rules[i] : first;
			++*n;
		}
	return first;
}

/* ---- points ----------------------------------------------------------------------------------- */

/*
 * CPU load is a fraction of these processors: for a thread those its process may use, otherwise all of the
 * machine.
 */
static uint32_t
share_of(const struct jfr_writer *w, const struct jfr_track *rule)
{
	return rule->of == OF_THREAD ? w->processors : w->of_machine;
}

/* Return the row of a track, from 1.  A new track is added. */
static uint32_t
find_track(struct jfr *j, const struct jfr_track *rule, uint32_t thread, struct str about)
{
	struct jfr_tracks *t = &j->tracks;
	struct track_seen new = { .start = j->c.start_ns, .rule = (uint32_t)(rule - rules), .thread = thread,
	    .pid = rule->of == OF_MACHINE ? 0 :
	    j->writer.pid, .about = { (uint32_t)t->text.n, (uint32_t)about.n },
	    .of_machine = rule->share && share_of(&j->writer, rule) == 0 };
	uint64_t key = idmap_hash_text(about, (uint64_t)new.rule << 32 | (thread != 0 ? thread : new.pid));
	uint32_t track = 0;

	INTO(&j->to, idmap_enter(&t->by_key, key, (uint32_t)t->ntracks + 1, &track, j->to.err));
	assert(track <= t->ntracks + 1);
	if (track > t->ntracks) {
		buf_str(&t->text, about);
		t->text.bad |= t->text.n > UINT32_MAX / 2;
		into_made(&j->to, &t->text);
		INTO_ROW(&j->to, t->seen, t->ntracks, new, "tracks");
	}
	return track;
}

static double
tracks_number_of(struct jfr_slot slot, uint64_t value)
{
	uint32_t low = (uint32_t)value;
	float small;
	double d;

	if (slot.kind == JFR_NUMBER)
		return (double)(int64_t)value;
	memcpy(&small, &low, sizeof small);
	memcpy(&d, &value, sizeof d);
	d = slot.kind == JFR_F32 ? (double)small : slot.kind == JFR_F64 ? d : 0;
	return isfinite(d) ? d : 0;
}

void
jfr_tracks_add(struct jfr *j, const struct jfr_reader *r, const struct jfr_plan *plan)
{
	struct jfr_tracks *t = &j->tracks;
	struct track_point p = { .time = jfr_chunk_time(&j->c, j->c.slot[EVENT_START]) };
	double values[JFR_VALUES];
	uint32_t thread = 0, processors;

	assert(r->ntracks <= JFR_VALUES);
	for (unsigned i = 0; i < r->ntracks; i++)
		values[i] = tracks_number_of(plan->slot[EVENT_VALUES + i], j->c.slot[EVENT_VALUES + i]);
	buf_clear(&j->more);
	if (r->tracks->of == OF_THREAD) {
		if (plan->slot[EVENT_THREAD].kind != JFR_KEY)
			return;
		thread = jfr_thread_of(j, plan->slot[EVENT_THREAD].type, j->c.slot[EVENT_THREAD]);
		if (thread == j->no_thread)
			return;
	} else if (plan->slot[EVENT_MORE].kind != JFR_NOTHING) {
		jfr_slot_text(&j->c, plan->slot[EVENT_MORE], j->c.slot[EVENT_MORE], &j->more);
	}
	for (unsigned i = 0; i < r->ntracks; i++) {
		if (plan->slot[EVENT_VALUES + i].kind == JFR_NOTHING)
			continue;
		processors = r->tracks[i].share ? share_of(&j->writer, r->tracks + i) : 0;
		p.value = processors > 0 ? values[i] * processors : values[i];
		p.track = find_track(j, r->tracks + i, thread, buf_view(&j->more));
		INTO_ROW(&j->to, t->points, t->npoints, p, "points");
		if (j->to.bad)
			return;
		assert(p.track > 0 && p.track <= t->ntracks);
		SCRATCH(t->seen, struct track_seen)[p.track - 1].points++;
	}
}

/* ---- tracks -------------------------------------------------------------------------------------- */

/* Sorted by rule, then by first point. */
static int
tracks_by_rule(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return num_order(x[0], y[0], num_order(x[1], y[1], 0));
}

static void
begin_track(struct jfr *j, const struct track_seen *s, struct points *out)
{
	const struct jfr_track *rule = &rules[s->rule];

	assert(s->rule < NELEM(rules) && (uint64_t)s->about.at + s->about.n <= j->tracks.text.n);
	buf_clear(&j->text);
	buf_str(&j->text, str_of(rule->name));
	if (s->of_machine)
		buf_str(&j->text, STR(" (share of the machine)"));
	if (s->about.n > 0)
		buf_chr(&j->text, ' ');
	for (uint32_t i = 0; i < s->about.n; i++)
		buf_chr(&j->text, j->tracks.text.s[s->about.at + i] == '\0' ? '\1' :
		    j->tracks.text.s[s->about.at + i]);
	if (rule->of == OF_PROCESS && j->process.n > 1 && s->pid != 0)
		buf_printf(&j->text, " (pid %u)", s->pid);
	into_made(&j->to, &j->text);
	INTO(&j->to, points_track(out, rule->kind, j->text.s, rule->unit, s->thread, 0, j->to.err));
	if (!j->to.bad && rule->decimals > 0)
		points_of(out, 0, rule->decimals);
}

static uint64_t
since_zero(const struct jfr *j, uint64_t time)
{
	return time > j->zero ? time - j->zero : 0;
}

/* Write one track.  Shares are accumulated; the first one is assumed to hold since the chunk began. */
static void
tracks_put_track(struct jfr *j, const struct track_seen *s, const struct track_point *p, struct points *out)
{
	const struct jfr_track *rule = &rules[s->rule];
	uint64_t start = s->start < p->time ? s->start : p->time, last = since_zero(j, start);
	double total = 0, scale = pow(10, rule->decimals);

	assert(s->points > 0 && s->at >= s->points);
	begin_track(j, s, out);
	INTO(&j->to, !rule->share || points_add(out, last, 0, j->to.err));
	for (uint64_t i = 0; i < s->points && !j->to.bad; i++) {
		uint64_t time = since_zero(j, p[i].time);

		assert(time >= last);
		total = rule->share ? total + fmax(p[i].value, 0) * (double)(time - last) : p[i].value * scale;
		last = time;
		if (i % 4096 == 0)
			into_go(&j->to, j->c.size);
		INTO(&j->to, points_add(out, time, num_whole(total + (rule->decimals > 0 ? 0.5 : 0)), j->to.err));
	}
}

/* Distribute points in time order to their tracks. */
static void
points_by_track(struct jfr_tracks *t, struct scratch *sorted, struct into *to)
{
	struct track_seen *s = SCRATCH(t->seen, struct track_seen);
	const struct track_point *p;
	uint64_t at = 0;

	INTO(to, make_sort(&t->points, t->npoints, sizeof *p, to->work, to->err) &&
	    scratch_array(sorted, t->npoints, sizeof *p, to->err));
	for (uint64_t i = 0; i < t->ntracks; i++) {
		s[i].at = at;
		at += s[i].points;
	}
	assert(at == t->npoints);
	p = SCRATCH(t->points, struct track_point);
	for (uint64_t i = 0; i < t->npoints && !to->bad; i++)
		SCRATCH(*sorted, struct track_point)[s[p[i].track - 1].at++] = p[i];
}

void
jfr_tracks_put(struct jfr *j, struct points *out)
{
	struct jfr_tracks *t = &j->tracks;
	struct scratch sorted = SCRATCH_INIT, order = SCRATCH_INIT;

	points_by_track(t, &sorted, &j->to);
	INTO(&j->to, scratch_array(&order, t->ntracks, 2 * sizeof(uint32_t), j->to.err));
	for (uint32_t i = 0; i < t->ntracks && !j->to.bad; i++) {
		SCRATCH(order, uint32_t)[2 * i] = SCRATCH(t->seen, struct track_seen)[i].rule;
		SCRATCH(order, uint32_t)[2 * i + 1] = i;
	}
	if (!j->to.bad && t->ntracks > 0)
		qsort(order.data, t->ntracks, 2 * sizeof(uint32_t), tracks_by_rule);
	for (uint64_t i = 0; i < t->ntracks && !j->to.bad; i++) {
		const struct track_seen *s = &SCRATCH(t->seen,
		    struct track_seen)[SCRATCH(order, uint32_t)[2 * i + 1]];

		tracks_put_track(j, s, SCRATCH(sorted, struct track_point) + s->at - s->points, out);
	}
	SCRATCH_FREE(&sorted, &order);
}

void
jfr_tracks_close(struct jfr_tracks *t)
{
	SCRATCH_FREE(&t->seen, &t->points);
	buf_free(&t->text);
	idmap_free(&t->by_key);
}
