/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stackprof: samples of Ruby in JSON: runs of equal stacks as numbers of frames, in order of time.
 */
#include "config.h"

#include <assert.h>

#include "icecore/facts.h"

#include "jload.h"

#define TOP(W, V, \
    O) W(version) W(mode) W(interval) W(samples) W(gc_samples) W(missed_samples) V(metadata) V(frames) V(raw) \
	V(raw_timestamp_deltas) V(raw_sample_timestamps) V(raw_lines)
#define FRAME(W, V, O) W(name) W(file) W(line)

JLOAD_SHAPE(stackprof_top, TOP)
JLOAD_SHAPE(stackprof_frame, FRAME)

struct stackprof {
	struct jload	*l;
	struct idmap	 frames;	/* by the hash of the number, which is a name in JSON */
	struct json	 steps;		/* us from each sample to the last one */
	uint64_t	 time, sum;
	struct sample	 one;
};

static void
stackprof_read_frames(struct stackprof *p, struct json frames)
{
	struct stackprof_frame at;
	struct str id;

	if (!scan_open(&frames, '{'))
		return;
	while (into_go(&p->l->to, frames.at) && scan_member(&frames, &id)) {
		at = stackprof_frame_read(p->l, frames);
		into_map(&p->l->to, &p->frames, idmap_hash_text(id, 0), jload_function(p->l, at.name, at.file,
		    jload_whole(at.line, 0)));
		if (!scan_skip(&frames))
			break;
	}
	p->l->cut |= frames.bad;
}

/* Add a run of equal samples: each at its time, as far as the file has times. */
static void
add_run(struct stackprof *p, uint64_t n)
{
	struct str word;
	uint64_t us;

	assert(p->one.event > 0 || p->l->to.bad);
	p->sum = num_add(p->sum, n);
	while (n > 0 && !p->l->to.bad && json_next_word(&p->steps, &word)) {
		us = jload_whole(word, 0);
		p->time = jload_step(p->l, p->time, us < TIME_MOST / 1000 ? TIME_ZERO + us * 1000 :
		    TIME_ZERO + TIME_MOST);
		p->one.time = p->time;
		p->one.weight = samples_whole(&p->l->samples, 1);
		p->one.count = 1;
		p->l->samples.times = true;
		into_sample(&p->l->to, &p->one);
		n--;
	}
	if (n == 0)
		return;
	p->one.time = SAMPLE_NO_TIME;
	p->one.weight = samples_whole(&p->l->samples, n < WEIGHT_MOST ? n : WEIGHT_MOST);
	p->one.count = n;
	into_sample(&p->l->to, &p->one);
}

/* A number of frames, the frames from the outermost on, and how many samples; false: that is not whole. */
static bool
stackprof_read_run(struct stackprof *p, struct json *raw)
{
	uint64_t n, count;
	uint32_t frame;
	struct str word;

	if (!json_next_word(raw, &word))
		return false;
	p->one.offset = raw->at;
	p->one.stack = 0;
	n = jload_whole(word, 0);
	for (; n > 0 && !p->l->to.bad && json_next_word(raw, &word); n--) {
		frame = idmap_get(&p->frames, idmap_hash_text(word, 0));
		p->l->no_node += frame == 0;
		if (frame == 0)
			frame = into_frame(&p->l->to, STR("[unknown]"));
		p->one.stack = into_stack(&p->l->to, p->one.stack, frame);
	}
	if (n > 0 || p->l->to.bad || !json_next_word(raw, &word) || !scan_fixed(word, 0, &count)) {
		p->l->bad++;
		return false;
	}
	add_run(p, count);
	return true;
}

/* The sampling period of time modes; objects are counted. */
static void
stackprof_event(struct stackprof *p, const struct stackprof_top *at)
{
	struct jload *l = p->l;
	struct str mode = jload_text(l, at->mode);
	bool timed = str_is(mode, "wall") || str_is(mode, "cpu");

	p->one.event = into_event(&l->to, mode.n > 0 ? mode : STR("samples"), WEIGHT_COUNT, str_is(mode, "object") ?
	    "objects" : "samples");
	p->one.thread = INTO_ID(&l->to, samples_thread(&l->samples, 0, 0, STR("all"), l->to.err));
	if (timed && !l->to.bad)
		INTO(&l->to, samples_period(&l->samples, samples_event_name(&l->samples, p->one.event), 0,
		    jload_whole(at->interval, 0) < PERIOD_MOST / 1000 ? jload_whole(at->interval, 0) * 1000 : 0,
		    l->to.err));
}

void
stackprof_load(struct jload *l)
{
	struct stackprof p = { .l = l, .frames = IDMAP_INIT, .time = TIME_ZERO };
	struct json doc = l->doc, raw;
	struct stackprof_top at = stackprof_top_take(l, &doc, true);
	const struct make_fact missed = { FACT_RECORDER_LOST_SAMPLES, jload_whole(at.missed_samples, 0), MAKE_ANY };
	uint64_t samples = jload_whole(at.samples, 0);

	if (!json_is(at.raw) && !l->cut)
		INTO(&l->to, fail(l->to.err, E_UNREADABLE, "stackprof without stacks; record with raw: true"));
	stackprof_read_frames(&p, at.frames);
	stackprof_event(&p, &at);
	p.steps = json_items(at.raw_timestamp_deltas);
	raw = json_items(at.raw);
	l->samples.counts = COUNT_TOLD;
	while (into_go(&l->to, raw.at) && stackprof_read_run(&p, &raw))
		;
	l->cut |= raw.bad;
	/* Threads that run no Ruby code have no frames. */
	if (samples > p.sum)
		unread_add(&l->unread, UNREAD_RECORD, STR("sample without frames"), samples - p.sum);
	INTO(&l->to, make_facts(l->st, &missed, 1, l->to.err));
	idmap_free(&p.frames);
}
