/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for recordings of Java Flight Recorder and async-profiler.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "icecore/facts.h"

#include "load/slice/slice.h"
#include "jfr.h"

#define VERSIONS 3		/* of the format: 0.9, 1, 2; this one and later ones are unknown */

static bool
jfr_sniff(const uint8_t *head, size_t n)
{
	return n >= 8 && memcmp(head, "FLR", 4) == 0;
}

/* ---- chunks ----------------------------------------------------------------------------------- */

/* Read an opened chunk. */
static bool
read_chunk(struct jfr *j, struct err *err)
{
	bool found;

	j->lost.unfinished += j->c.unfinished;
	j->lost.clock += j->c.no_clock;
	if (!jfr_metadata_read(&j->c, &found, &j->lost.types, err))
		return false;
	if (!found) {
		j->lost.chunks++;
		return true;
	}
	j->chunks++;
	j->nevents += j->c.nevents;
	j->versions |= (uint64_t)1 << ((j->c.major - 1) * 32 + (j->c.minor < 32 ? j->c.minor : 31));
	j->zero = j->c.start_ns < j->zero ? j->c.start_ns : j->zero;
	if (!jfr_constants_read(&j->c, &j->lost.checkpoints, j->work, err))
		return false;
	jfr_stacks_begin(&j->c);
	j->by_jdk |= !j->c.native_c;
	j->by_async |= j->c.native_c;
	return jfr_kinds_begin(j, err) && jfr_events_read(j, err);
}

static bool
jfr_read_file(struct jfr *j, struct err *err)
{
	uint64_t at = 0, next, lost, size = j->c.size;

	work_start_bytes(j->work, "recording", size);
	for (; at < size; at = next) {
		if (!jfr_chunk_is(j->c.data, size, at)) {
			next = jfr_chunk_find(j->c.data, size, at);
			*(next == size ? &j->lost.tail_bytes : &j->lost.gap_bytes) += next - at;
			continue;
		}
		if (!jfr_chunk_open(&j->c, at, &next, &lost, j->work, err) || !read_chunk(j, err))
			return false;
		/*
		 * In an unfinished chunk, search for another chunk after the last complete event.
		 */
		assert(next > at && next <= size);
		*(next == size ? &j->lost.tail_bytes : &j->lost.gap_bytes) += next == j->c.end ? lost : 0;
		j->lost.tail_bytes += j->c.short_of && lost == 0;
	}
	return true;
}

/* ---- facts -------------------------------------------------------------------------------------- */

static const char *
jfr_loss_reason(const struct jfr_losses *l)
{
	return l->tail_bytes > 0 && l->stacks > 0 ? "truncated: the names and stacks of the last events are missing" :
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

static void
jfr_date_text(uint64_t ns, char *text, size_t size)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;

	text[0] = '\0';
	if (gmtime_r(&seconds, &tm) != NULL)
		strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &tm);
}

static bool
jfr_facts(struct jfr *j, struct err *err)
{
	const struct jfr_losses *l = &j->lost;
	const struct jfr_process *p = &j->process;
	char date[64];

	versions_text(j->versions, &j->text);
	jfr_date_text(j->zero, date, sizeof date);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Java Flight Recorder") }, { FACT_VERSIONS, .text = buf_view(&j->text) },
		{ FACT_RECORDED_AT, .text = str_of(date), .how = MAKE_ANY }, { FACT_VM, .text = buf_view(&p->vm), .how = MAKE_ANY },
		{ FACT_ARGUMENTS, .text = buf_view(&p->arguments), .how = MAKE_ANY }, { FACT_PID, p->pid, MAKE_ANY },
		{ FACT_PROCESSES, p->n > 1 ? p->n : 0, MAKE_ANY },
		{ FACT_RECORDER, .text = str_of(!j->by_async ? "JDK" : j->by_jdk ? "JDK and async-profiler" : "async-profiler") },
		{ FACT_TRACE_JDK_SAMPLES, j->by_jdk && !j->by_async, MAKE_ANY }, { FACT_TRACE_ZERO, j->zero, MAKE_ANY },
		{ FACT_CHUNKS, j->chunks }, { FACT_RECORDED_EVENTS, j->nevents },
		{ FACT_RECORDER_LOST_BYTES, l->recorder[JFR_LOST_BYTES], MAKE_ANY },
		{ FACT_RECORDER_LOST_SAMPLES, l->recorder[JFR_LOST_SAMPLES], MAKE_ANY },
		/* Types of frames do not distinguish frames with equal names. */
		{ FACT_TRACE_BARE, 1 }, { FACT_REPAIR_UNFINISHED, l->unfinished, MAKE_ANY }, { FACT_REPAIR_CLOCK, l->clock, MAKE_ANY },
		{ FACT_REPAIR_TIMES, l->times, MAKE_ANY },
		{ FACT_LOSS_CHUNKS, l->chunks, MAKE_ANY }, { FACT_LOSS_TYPES, l->types, MAKE_ANY },
		{ FACT_LOSS_CHECKPOINTS, l->checkpoints, MAKE_ANY },
		{ FACT_LOSS_UNKNOWN_EVENTS, l->unknown_events, MAKE_ANY }, { FACT_LOSS_BAD_EVENTS, l->bad_events, MAKE_ANY },
		{ FACT_LOSS_STACKS, l->stacks, MAKE_ANY }, { FACT_LOSS_GAP_BYTES, l->gap_bytes, MAKE_ANY },
		{ FACT_LOSS_TAIL_BYTES, l->tail_bytes, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(jfr_loss_reason(l)), .how = MAKE_ANY },
	};

	if (j->text.bad || p->vm.bad || p->arguments.bad)
		return fail(err, E_SYSTEM, "out of memory (facts)");
	return make_facts(j->st, facts, NELEM(facts), err) && unread_facts(&j->unread, j->st, err) && jfr_settings_facts(j, err);
}

static bool
refuse_version(unsigned major, unsigned minor, struct err *err)
{
	if (major == 0)
		return fail(err, E_UNREADABLE, "a Java Flight Recorder recording of version 0.%u (Oracle JDK 7 or 8), unsupported; "
		    "record with JDK 8u262 or later", minor);
	return fail(err, E_UNREADABLE, "a Java Flight Recorder recording of unknown version %u.%u", major, minor);
}

/* Events with a duration need the columns of tracks, even if there are no tracks. */
static bool
jfr_put_points(struct jfr *j, struct err *err)
{
	unsigned shapes = SHAPE_SAMPLES | SHAPE_LASTING;
	struct points points;
	bool ok;

	points_open(&points);
	ok = jfr_tracks_put(j, &points, err) && jfr_states_put(j, &points, err) && points_columns(&points, j->st, err);
	shapes |= points.ntracks > 0 ? SHAPE_TRACKS : 0;
	points_close(&points);
	return ok && jfr_intervals_columns(j, err) && fact_set(j->st, FACT_SHAPES, shapes, err);
}

bool
jfr_check_head(const uint8_t *data, uint64_t size, struct err *err)
{
	if (size < 8 || memcmp(data, "FLR", 4) != 0)
		return fail(err, E_UNREADABLE, "not a Java Flight Recorder recording");
	return (be16(data + 4) > 0 && be16(data + 4) < VERSIONS) || refuse_version(be16(data + 4), be16(data + 6), err);
}

static bool
read_recording(struct jfr *j, struct err *err)
{
	if (!jfr_check_head(j->c.data, j->c.size, err) || !jfr_read_file(j, err))
		return false;
	if (j->chunks == 0)
		return fail(err, E_UNREADABLE, "a Java Flight Recorder recording truncated before its first flush; nothing can be read");
	j->s.times = true;
	j->s.cut_frame = j->truncated_frame;
	j->s.from = j->zero;
	j->s.to = j->last > j->zero ? j->last : j->zero;
	return jfr_events_settle(j, err) && jfr_intervals_settle(j, err) && jfr_put_points(j, err) && jfr_old_columns(j, err) && jfr_facts(j, err) &&
	    samples_columns(&j->s, err);
}

static bool
jfr_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct jfr j = { .st = st, .work = w, .zero = UINT64_MAX, .c = { .data = m->data, .size = m->size } };
	bool ok;

	samples_open(&j.s, st, w);
	ok = read_recording(&j, err);
	jfr_chunk_close(&j.c);
	samples_close(&j.s);
	jfr_tracks_close(&j.tracks);
	jfr_intervals_close(&j.intervals);
	SCRATCH_FREE(&j.readers, &j.known, &j.frames, &j.read, &j.old);
	buf_free(&j.text);
	buf_free(&j.more);
	buf_free(&j.about);
	jfr_process_close(&j.process);
	jfr_settings_close(&j.settings);
	return ok;
}

const struct loader load_jfr = {
	"jfr", "Java Flight Recorder or async-profiler recording (.jfr)", SHAPE_SAMPLES | SHAPE_TRACKS | SHAPE_LASTING, jfr_sniff, jfr_load,
	.slice = jfr_slice, .meant = jfr_meant
};
