/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for recordings of Java Flight Recorder and async-profiler.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/calendar.h"
#include "icecore/facts.h"

#include "load/slice/slice.h"
#include "jfr.h"

static bool
jfr_sniff(const uint8_t *head, size_t n)
{
	return n >= 8 && memcmp(head, "FLR", 4) == 0;
}

/* ---- chunks ----------------------------------------------------------------------------------- */

/* Read an opened chunk.  walked: its events follow one another to its end. */
static void
read_chunk(struct jfr *j, bool walked)
{
	uint64_t lost = j->lost.types;

	j->lost.unfinished += j->c.unfinished;
	j->lost.clock += j->c.no_clock;
	if (!jfr_metadata_read(&j->c, &j->lost.types)) {
		j->lost.chunks++;
		return;
	}
	j->whole = walked && j->lost.types == lost;
	j->chunks++;
	j->nevents += j->c.nevents;
	j->versions |= (uint64_t)1 << ((j->c.major - 1) * 32 + (j->c.minor < 32 ? j->c.minor : 31));
	j->zero = j->c.start_ns < j->zero ? j->c.start_ns : j->zero;
	jfr_constants_read(&j->c, &j->kept, &j->lost.checkpoints);
	jfr_constants_carry(&j->c, &j->kept);
	if (j->to.bad)
		return;
	jfr_process_find(j);
	j->by_jdk |= !j->writer.native_c;
	j->by_async |= j->writer.native_c;
	jfr_kinds_begin(j);
	jfr_events_read(j);
}

static void
jfr_read_file(struct jfr *j)
{
	uint64_t at = 0, next, lost, size = j->c.size;

	work_start_bytes(j->to.work, "recording", size);
	for (; at < size && !j->to.bad; at = next) {
		if (!jfr_chunk_is(j->c.data, size, at)) {
			next = jfr_chunk_find(j->c.data, size, at);
			*(next == size ? &j->lost.tail_bytes : &j->lost.gap_bytes) += next - at;
			continue;
		}
		jfr_chunk_open(&j->c, at, &next, &lost);
		if (j->to.bad)
			return;
		read_chunk(j, lost == 0 && !j->c.short_of);
		/* In an unfinished chunk, search for another chunk after the last complete event. */
		assert(next > at && next <= size);
		*(next == size ? &j->lost.tail_bytes : &j->lost.gap_bytes) += next == j->c.end ? lost : 0;
		j->lost.tail_bytes += j->c.short_of && lost == 0;
	}
}

/* ---- facts -------------------------------------------------------------------------------------- */

static const char *
jfr_loss_reason(const struct jfr_losses *l)
{
	return l->tail_bytes > 0 && l->stacks > 0 ?
	    "truncated: the names and stacks of the last events are missing" :
	    l->tail_bytes > 0 ? "truncated" : l->chunks > 0 ? "chunks without type descriptions" :
	    l->stacks > 0 ? "stacks missing in the recording" : l->gap_bytes > 0 ? "damaged between chunks" :
	    l->types + l->checkpoints + l->unknown_events + l->bad_events > 0 ? "damaged" : "";
}

static void
versions_text(uint64_t versions, struct buf *to)
{
	buf_clear(to);
	for (unsigned i = 0; i < 64; i++)
		if (versions >> i & 1)
			buf_printf(to, "%s%u.%u", to->n > 0 ? ", " : "", i / 32 + 1, i % 32);
}

static bool
jfr_facts(struct jfr *j, struct err *err)
{
	const struct jfr_losses *l = &j->lost;
	const struct jfr_process *p = &j->process;
	char date[CALENDAR_TEXT];

	versions_text(j->versions, &j->text);
	(void)calendar_text(j->zero / 1000000000, false, date);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Java Flight Recorder") }, { FACT_VERSIONS, .text = buf_view(&j->text) },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY },
		{ FACT_VM, .text = buf_view(&p->vm), .how = MAKE_ANY },
		{ FACT_ARGUMENTS, .text = buf_view(&p->arguments), .how = MAKE_ANY },
		{ FACT_PID, p->pid, MAKE_ANY },
		{ FACT_PROCESSES, p->n > 1 ? p->n : 0, MAKE_ANY },
		{ FACT_RECORDER, .text = str_of(!j->by_async ? "JDK" : j->by_jdk ? "JDK and async-profiler" :
		"async-profiler") },
		{ FACT_TRACE_JDK_SAMPLES, j->by_jdk && !j->by_async, MAKE_ANY },
		{ FACT_TRACE_ZERO, j->zero, MAKE_ANY },
		{ FACT_CHUNKS, j->chunks }, { FACT_RECORDED_EVENTS, j->nevents },
		{ FACT_THREAD_DUMPS, j->dumps, MAKE_ANY },
		{ FACT_RECORDER_LOST_BYTES, l->recorder[JFR_LOST_BYTES], MAKE_ANY },
		{ FACT_RECORDER_LOST_SAMPLES, l->recorder[JFR_LOST_SAMPLES], MAKE_ANY },
		/* Types of frames do not distinguish frames with equal names. */
		{ FACT_TRACE_BARE, 1 }, { FACT_REPAIR_UNFINISHED, l->unfinished, MAKE_ANY },
		{ FACT_REPAIR_CLOCK, l->clock, MAKE_ANY },
		{ FACT_REPAIR_TIMES, l->times, MAKE_ANY },
		{ FACT_LOSS_CHUNKS, l->chunks, MAKE_ANY }, { FACT_LOSS_TYPES, l->types, MAKE_ANY },
		{ FACT_LOSS_CHECKPOINTS, l->checkpoints, MAKE_ANY },
		{ FACT_LOSS_UNKNOWN_EVENTS, l->unknown_events, MAKE_ANY },
		{ FACT_LOSS_BAD_EVENTS, l->bad_events, MAKE_ANY },
		{ FACT_LOSS_STACKS, l->stacks, MAKE_ANY }, { FACT_LOSS_GAP_BYTES, l->gap_bytes, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, l->tail_bytes, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(jfr_loss_reason(l)), .how = MAKE_ANY },
	};

	if (j->text.bad || p->vm.bad || p->arguments.bad)
		return fail(err, E_SYSTEM, "out of memory (facts)");
	return make_facts(j->st, facts, NELEM(facts), err) && unread_facts(&j->unread, j->st, err) &&
	    jfr_settings_facts(j, err);
}

/* Events with a duration need the columns of tracks, even if there are no tracks. */
static void
jfr_put_points(struct jfr *j)
{
	struct points points;

	points_open(&points);
	jfr_tracks_put(j, &points);
	jfr_states_put(j, &points);
	INTO(&j->to, points_columns(&points, j->st, j->to.err) && jfr_intervals_columns(j, j->to.err) &&
	    fact_set(j->st, FACT_SHAPES, SHAPE_SAMPLES | SHAPE_LASTING | (points.ntracks > 0 ? SHAPE_TRACKS :
	    0u), j->to.err));
	points_close(&points);
}

static void
read_recording(struct jfr *j)
{
	struct err *err = j->to.err;

	INTO(&j->to, jfr_check_head(j->c.data, j->c.size, err));
	jfr_read_file(j);
	INTO(&j->to, j->chunks > 0 ||
	    fail(err, E_UNREADABLE, "a Java Flight Recorder recording truncated before its first flush; nothing can be "
	    "read"));
	if (j->to.bad)
		return;
	j->s.times = true;
	j->s.cut_frame = j->truncated_frame;
	j->s.from = j->zero;
	j->s.to = j->last > j->zero ? j->last : j->zero;
	jfr_native_settle(j);
	jfr_events_settle(j);
	jfr_intervals_settle(j);
	jfr_put_points(j);
	INTO(&j->to, jfr_old_columns(j, err) && jfr_facts(j, err) && samples_columns(&j->s, err));
}

static bool
jfr_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct jfr j = { .st = st, .to = { .samples = &j.s, .work = w, .err = err }, .zero = UINT64_MAX,
	    .c = { .to = &j.to, .data = m->data, .size = m->size } };

	samples_open(&j.s, st, w);
	read_recording(&j);
	jfr_chunk_close(&j.c);
	samples_close(&j.s);
	jfr_tracks_close(&j.tracks);
	jfr_intervals_close(&j.intervals);
	SCRATCH_FREE(&j.readers, &j.known, &j.frames, &j.read, &j.old, &j.native, &j.kept.rows);
	buf_free(&j.text);
	buf_free(&j.more);
	buf_free(&j.about);
	jfr_process_close(&j.process);
	jfr_settings_close(&j.settings);
	return !j.to.bad;
}

const struct loader load_jfr = {
	"jfr", "Java Flight Recorder: .jfr, also of async-profiler", SHAPE_SAMPLES | SHAPE_TRACKS | SHAPE_LASTING,
	jfr_sniff, jfr_load,
	.slice = jfr_slice, .meant = jfr_meant
};
