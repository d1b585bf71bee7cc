/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of perf script, and of simpleperf's report_sample: a profile with threads, events and times.
 */
#include "config.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/facts.h"
#include "icecore/perf.h"
#include "icecore/points.h"
#include "icecore/unread.h"
#include "load/profile/profile.h"
#include "load/sched/import.h"
#include "load/slice/slice.h"
#include "head.h"
#include "pairs.h"

#define SNIFF_SAMPLES 1000
#define RECORD "PERF_RECORD_"
#define DUMPED ". ... raw event: size "
/* samples of perf record --off-cpu have time 0xffffffff00000000 ns, printed in us */
#define NO_TIME 18446744069414584000u
#define TICK 65536u		/* bytes between two clock reads */

/* A part of the text, or all of it; the other parts are joined to the first one. */
struct perf {
	struct perf_text text;
	uint64_t	 from, parts;
	/* True if a single thread must read all parts: a traced thread may come back in another part. */
	atomic_bool	*alone;
	struct samples	 samples;
	struct offcpu	 off;
	struct pairs	 pairs;
	struct idmap	 tids;		/* first thread with a tid */
	uint64_t	 nthreads;	/* the parts in it */
	struct perf_seen seen;
	struct buf	 name;
	struct store	*st;
	uint64_t	 bad_frames, renames, timeless, switches;
	struct unread	 unread;	/* records by type */
};

/* ---- sniffing ------------------------------------------------------------------------ */

/* Get the outermost frame; false: no line is a frame. */
static bool
first_frame(struct str frames, struct perf_frame *f, uint64_t *bad)
{
	struct str line;

	while (perf_line(&frames, &line))
		if (perf_frame(line, 0, f, bad))
			return true;
	return false;
}

/*
 * Scheduler events without stacks belong to another loader. Other texts may have lines like headers, but
 * hardly with a time.
 */
static bool
perf_sniff(const uint8_t *head, size_t n)
{
	struct perf_text t;
	struct perf_sample p;
	struct perf_frame f;
	uint64_t bad = 0, timed = 0, sched = 0;

	/* Dumps of perf script -D contain lines like headers too. */
	if (memmem(head, n, DUMPED, sizeof DUMPED - 1) != NULL || !perf_open(&t, (const char *)head, n) ||
	    !t.fields.sure)
		return false;
	for (unsigned look = 0; look < SNIFF_SAMPLES && perf_next(&t, &p); look++) {
		if (first_frame(p.frames, &f, &bad) && f.address.n > 0)
			return true;
		timed += p.has_time && p.event.n > 0;
		sched += p.event.n > 0 && memmem(p.event.s, p.event.n, "sched_", 6) != NULL;
	}
	return timed > sched;
}

/* ---- samples --------------------------------------------------------------------------- */

/* Add the functions of a frame on top of *stack; *known: its frame id, if it is a single one. */
static bool
perf_add_frame(struct perf *l, const struct perf_frame *f, uint32_t *known, uint32_t *stack, struct err *err)
{
	struct str symbol = f->symbol, part;
	char kind = perf_kind(f, PERF_RUST);
	struct str module = f->module;
	uint32_t frame = 0, n = 0;

	/* Both module names mean an unknown module. */
	if (str_is(module, "inlined"))
		kind = 'i';
	if (str_is(module, "inlined") || str_is(module, "[unknown]"))
		module = STR("");
	for (; perf_part(&symbol, PERF_RUST, &part); kind = 'i', n++) {
		struct str name = perf_name(f, part, PERF_RUST, &l->name);

		if (l->name.bad)
			return fail(err, E_SYSTEM, "out of memory (name)");
		frame = samples_function(&l->samples, name, module, kind, err);
		if (frame == 0 || (*stack = samples_stack(&l->samples, *stack, frame, err)) == 0)
			return false;
	}
	*known = n == 1 ? frame : 0;
	return true;
}

static bool
perf_add_line(struct perf *l, struct str line, uint32_t *known, uint32_t *stack, struct err *err)
{
	struct perf_frame f;

	if (*known != 0) {
		*stack = samples_stack(&l->samples, *stack, *known, err);
		return *stack != 0;
	}
	if (perf_frame(line, PERF_RUST, &f, &l->bad_frames))
		return perf_add_frame(l, &f, known, stack, err);
	/* Do not reuse stacks above a bad frame, so that each sample counts it. */
	perf_seen_end(&l->seen);
	return true;
}

static bool
perf_find_stack(struct perf *l, const struct perf_sample *p, uint32_t *stack, struct err *err)
{
	struct str frames = p->frames, line;
	uint32_t *known;

	*stack = 0;
	if (!perf_seen_begin(&l->seen, &frames, PERF_RUST, stack, err))
		return false;
	while (perf_seen_next(&l->seen, &frames, &line, &known)) {
		if (!perf_add_line(l, line, known, stack, err))
			return false;
		perf_seen_frame(&l->seen, frames, *stack);
	}
	return true;
}

/* Count the tids that changed their name. */
static bool
count_renames(struct perf *l, struct err *err)
{
	for (; l->nthreads < l->samples.nthreads; l->nthreads++) {
		uint32_t tid = SCRATCH(l->samples.threads, struct sample_thread)[l->nthreads].tid;

		l->renames += tid != 0 && idmap_get(&l->tids, tid) != 0;
		if (!idmap_put(&l->tids, tid, (uint32_t)l->nthreads + 1, err))
			return false;
	}
	return true;
}

static uint32_t
perf_find_event(struct perf *l, const struct perf_sample *p, struct err *err)
{
	char unit[64] = "samples";

	/* Clocks tick in nanoseconds. */
	if (p->has_period &&
	    (str_begins(p->event, "cpu-clock") || str_begins(p->event, "task-clock") ||
	    str_begins(p->event, "offcpu-time")))
		return samples_event(&l->samples, p->event, WEIGHT_TIME, "ns", err);
	if (p->has_period && p->event.n > 0) {
		size_t n = p->event.n < sizeof unit ? p->event.n : sizeof unit - 1;

		memcpy(unit, p->event.s, n);
		unit[n] = '\0';
		unit[strcspn(unit, ":")] = '\0';
	}
	return samples_event(&l->samples, p->event, WEIGHT_COUNT, unit[0] != '\0' ? unit : "samples", err);
}

/* A thread may leave in one part and return in another. */
static void
alone_if(struct perf *l, bool is)
{
	if (is)
		atomic_store(l->alone, true);
}

/* Count a record by the word after PERF_RECORD_.  Those of lost events are counted as such. */
static void
perf_count_record(struct perf *l, const struct perf_sample *p)
{
	struct str s = p->event;

	if (!str_take(&s, STR(RECORD))) {
		s = p->details;
		str_take(&s, STR(RECORD));
	}
	if (!str_begins(s, "LOST"))
		unread_add(&l->unread, UNREAD_RECORD, str_until(str_until(s, ' '), ':'), 1);
}

static bool
add_record(struct perf *l, const struct perf_sample *p, struct err *err)
{
	l->switches++;
	alone_if(l, l->parts > 1);
	return l->parts > 1 || offcpu_record(&l->off, p, err);
}

static bool
perf_add_sample(struct perf *l, const struct perf_sample *p, struct err *err)
{
	struct sample s = { .time = p->time < NO_TIME ? p->time : SAMPLE_NO_TIME, .offset = p->offset };
	bool halves;

	s.weight = p->period > 0 ? p->period : 1;
	s.event = perf_find_event(l, p, err);
	s.thread = s.event == 0 ? 0 : samples_thread(&l->samples, p->pid, p->tid, p->comm, err);
	if (s.thread == 0 || !perf_find_stack(l, p, &s.stack, err) || !samples_add(&l->samples, &s, err))
		return false;
	assert(s.offset < l->text.size);
	l->timeless += !p->has_time;
	if (!p->has_time || s.time == SAMPLE_NO_TIME)
		return true;
	l->off.last = p->time > l->off.last ? p->time : l->off.last;
	l->off.first = p->time < l->off.first ? p->time : l->off.first;
	if (l->parts > 1) {
		if (!pairs_has(&l->pairs, p, s.event, &halves, err))
			return false;
		alone_if(l, halves || offcpu_is_switch(p));
		return true;
	}
	return offcpu_sample(&l->off, p, &s, l->text.lost, err) && pairs_sample(&l->pairs, p, &s, err);
}

/* ---- file -------------------------------------------------------------------------------- */

static bool
fields_fact(struct perf *l, struct err *err)
{
	buf_clear(&l->name);
	perf_fields_text(&l->text.fields, &l->name);
	return l->name.bad ? fail(err, E_SYSTEM, "out of memory (fields)") :
	    fact_set_text(l->st, FACT_FIELDS, buf_view(&l->name), err);
}

static bool
perf_facts(struct perf *l, struct err *err)
{
	uint64_t cut = store_source(l->st)->size - l->text.size;
	const char *reason = l->text.lost > 0 ?
	    PERF_LOST :
	    cut > 0 ? "last line is incomplete" : "";
	const struct make_fact counts[] = {
		{ FACT_FORMAT, .text = STR("perf script (text)") },
		{ FACT_SWITCH_RECORDS, l->switches, MAKE_ANY },
		{ FACT_OPEN_WAITS, l->off.open, MAKE_ANY },
		{ FACT_REPAIR_ONE_PROCESS, l->off.alone, MAKE_ANY },
		{ FACT_REPAIR_SAMPLED_SWITCHES, l->off.sampled, MAKE_ANY },
		{ FACT_REPAIR_STRAY_LINES, l->text.stray, MAKE_ANY },
		{ FACT_REPAIR_BAD_FRAMES, l->bad_frames, MAKE_ANY },
		{ FACT_REPAIR_RENAMES, l->renames, MAKE_ANY }, { FACT_LOSS_TAIL_BYTES, cut, MAKE_ANY },
		{ FACT_LOSS_EVENTS, l->text.lost, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(reason), .how = MAKE_ANY },
	};

	assert(l->text.size <= store_source(l->st)->size);
	return unread_facts(&l->unread, l->st, err) && make_facts(l->st, counts, NELEM(counts), err) &&
	    fields_fact(l, err);
}

/* Return the first thread with a tid. */
static uint32_t
perf_thread_of(void *arg, uint32_t pid, uint32_t tid, struct str name, struct err *err)
{
	struct perf *l = arg;
	uint32_t id = idmap_get(&l->tids, tid);

	if (id == 0 && (id = samples_thread(&l->samples, pid, tid, name, err)) == 0)
		return 0;
	return count_renames(l, err) ? id : 0;
}

/*
 * A recording of one process does not record what ran on a CPU while its threads did not, nor when a CPU
 * ceased to be idle.
 */
static bool
has_all_tasks(struct perf *l)
{
	static const struct str wide = { "PERF_RECORD_SWITCH_CPU_WIDE", 27 };

	return l->off.ntasks > 0 && (l->off.alone == 0 || l->off.idles) && l->off.sampled == 0 &&
	    l->timeless == 0 &&
	    (!offcpu_has_records(&l->off) || memmem(l->text.base, l->text.size, wide.s, wide.n) != NULL);
}

/* Samples already begin at the start of time. */
static bool
begin_switches(void *arg, uint64_t first, uint64_t last, uint64_t *at, struct err *err)
{
	const struct perf *l = arg;

	(void)last, (void)err;
	*at = first > l->off.first ? first - l->off.first : 0;
	return true;
}

/* Rows of word.* are the names of functions. */
static bool
word_columns(struct perf *l, struct err *err)
{
	static const struct make_column words[] = {
		MAKE(COL_WORD_REF, sample_name, ref), MAKE(COL_WORD_OWN, sample_name, own)
	};
	const struct samples *s = &l->samples;

	return make_columns(l->st, words, NELEM(words),
	    MAKE_ROWS(SCRATCH(s->names, struct sample_name), s->nnames), err) &&
	    make_copy(l->st, COL_WORD_TEXT, COL_BYTES, s->own.bytes.data, s->own.size, err);
}

/* Context switches also appear on their tracks. */
static bool
switch_tracks(struct perf *l, struct sched_import *b, struct work *w, struct err *err)
{
	struct scratch reasons = SCRATCH_INIT;
	bool ok;

	if (!has_all_tasks(l))
		return true;
	ok = offcpu_reasons(&l->off, &l->tids, &reasons, &b->nreasons, err) &&
	    make_sort(&reasons, b->nreasons, sizeof(struct sched_reason), w, err) && word_columns(l, err);
	b->reasons = SCRATCH(reasons, struct sched_reason);
	ok = ok && sched_import(l->st, (struct str){ l->text.base, l->text.size }, b, w, err);
	scratch_free(&reasons);
	return ok;
}

/* Intervals need the columns of tracks, even if there are none. */
static bool
interval_columns(struct perf *l, bool tracks, struct work *w, struct err *err)
{
	struct points none;
	bool ok;

	points_open(&none);
	ok = (tracks || points_columns(&none, l->st, err)) && pairs_columns(&l->pairs, l->off.first, w, err);
	points_close(&none);
	return ok;
}

static bool
tracks(struct perf *l, struct work *w, struct err *err)
{
	struct sched_import b = { begin_switches, perf_thread_of, l };

	return switch_tracks(l, &b, w, err) &&
	    (l->pairs.ndone == 0 || interval_columns(l, b.switches > 0, w, err)) &&
	    fact_set(l->st, FACT_SHAPES, SHAPE_SAMPLES | (b.switches > 0 ? SHAPE_TRACKS | SHAPE_TASKS : 0u) |
	    (l->pairs.ndone > 0 ? SHAPE_LASTING : 0u), err);
}

/* Times between events say more than the events. */
static void
perf_choose(struct perf *l)
{
	const struct sample_event *e = SCRATCH(l->samples.events, struct sample_event);
	uint32_t best = 0;
	struct str name;

	for (uint32_t i = 1; i <= l->samples.nevents; i++)
		best = best == 0 || e[i - 1].samples > e[best - 1].samples ? i : best;
	name = best == 0 ? STR("") : samples_event_name(&l->samples, best);
	l->samples.chosen = str_has_prefix(name, STR("sched:")) ? l->off.event : pairs_event(&l->pairs, name);
	l->samples.chosen_by = "times, not the events that begin and end them";
}

/* Join the results into the first part; *alike false: one thread must read everything. */
static bool
join_part(struct perf *all, struct perf *l, bool *alike, struct err *err)
{
	all->text.stray += l->text.stray;
	unread_join(&all->unread, &l->unread);
	all->text.lost = num_add(all->text.lost, l->text.lost);
	all->bad_frames += l->bad_frames;
	all->timeless += l->timeless;
	return samples_join(&all->samples, &l->samples, alike, err) && count_renames(all, err);
}

static bool
read_samples(struct perf *l, struct work *w, struct err *err)
{
	struct perf_sample p;
	uint64_t next = 0;

	while (perf_next(&l->text, &p) && (l->parts == 1 || !atomic_load(l->alone))) {
		if (l->text.at >= next) {
			next = l->text.at + TICK;
			/* Assume that the other parts have progressed as far. */
			if (!work_go(w, (l->text.at - l->from) * l->parts, err))
				return false;
		}
		if (p.record == PERF_OTHER)
			perf_count_record(l, &p);
		else if (p.record != PERF_SAMPLE ? !add_record(l, &p, err) : !perf_add_sample(l, &p, err))
			return false;
		alone_if(l, l->text.misfit);
	}
	return offcpu_end(&l->off, err) && pairs_end(&l->pairs, err) && count_renames(l, err);
}

static bool
perf_read_part(void *arg, uint64_t i, struct work *w, struct err *err)
{
	return read_samples((struct perf *)arg + i, w, err);
}

static void
close_part(struct perf *l)
{
	offcpu_free(&l->off);
	pairs_free(&l->pairs);
	perf_seen_free(&l->seen);
	samples_close(&l->samples);
	idmap_free(&l->tids);
	buf_free(&l->name);
}

/* Parts begin after an empty line, where no sample continues. */
static void
open_parts(struct perf *all, uint64_t n, struct perf_text text, atomic_bool *alone, struct store *st,
    struct work *w)
{
	const char *data = text.base;
	uint64_t size = text.size;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t end = text_part(data, size, i + 1, n);

		all[i] = (struct perf){ .text = text, .st = st, .parts = n, .from = text.at, .alone = alone };
		text.at = end > text.at ? end : text.at;
		perf_apart(&text);
		assert(all[i].from <= text.at && text.at <= size);
		all[i].text.size = text.at;
		samples_open(&all[i].samples, st, w);
		all[i].off.samples = &all[i].samples;
		all[i].off.first = UINT64_MAX;
		all[i].off.text = (struct str){ data, n == 1 ? (size_t)size : 0 };
		all[i].pairs = (struct pairs){ .samples = &all[i].samples, .off = &all[i].off,
		    .unread = &all[i].unread, .text = { data, (size_t)size }, .file = store_file(st),
		    .machine = -1 };
	}
}

/* Read all parts.  If the ids of *text turn out not to be ids, *text is changed accordingly. */
static bool
perf_read_parts(struct perf *all, uint64_t n, struct perf_text *text, struct store *st, struct work *w,
    bool *alike, struct err *err)
{
	atomic_bool alone;
	uint64_t size;
	bool ok;

	atomic_init(&alone, false);
	open_parts(all, n, *text, &alone, st, w);
	/* The last part contains the end. */
	size = all[n - 1].text.size;
	work_start_bytes(w, "samples", all->text.size * n);
	ok = pool_run(w, n, perf_read_part, all, err);
	*alike = !alone;
	for (uint64_t i = 0; i < n; i++)
		if (all[i].text.misfit)
			text->fields.ids = PERF_IDS_NONE;
	for (uint64_t i = 1; ok && *alike && i < n; i++) {
		ok = join_part(all, &all[i], alike, err);
		close_part(&all[i]);
	}
	all->text.size = size;
	all->samples.times = all->timeless == 0;
	perf_choose(all);
	return ok;
}

static bool
fail_samples(struct err *err)
{
	return fail(err, E_UNREADABLE, "not output of perf script: no sample in this file");
}

static bool
perf_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	const char *data = (const char *)m->data;
	uint64_t n = text_parts(m->size);
	struct perf *all = mem_array(n, sizeof *all);
	struct perf_text text;
	bool ok, alike = false;

	if (all == NULL)
		return fail(err, E_SYSTEM, "out of memory (samples)");
	ok = perf_open(&text, data, m->size - perf_cut(data, m->size)) || fail_samples(err);
	text.all = true;
	for (; ok && !alike; n = 1) {
		ok = perf_read_parts(all, n, &text, st, w, &alike, err) &&
		    (!alike || ((all->samples.nsamples > 0 || fail_samples(err)) && perf_facts(all, err) &&
		    tracks(all, w, err) && samples_columns(&all->samples, err)));
		for (uint64_t i = 0; i < n; i++)
			close_part(&all[i]);
	}
	free(all);
	return ok;
}

const struct loader load_perf = {
	"perf", "perf profile: perf script, report_sample of simpleperf, perf.data (runs perf)",
	    SHAPE_SAMPLES | SHAPE_TRACKS | SHAPE_TASKS | SHAPE_LASTING,
	perf_sniff, perf_load,
	.threads = true, .slice = perf_slice, .meant = perf_meant
};
