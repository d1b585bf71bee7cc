/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sentry: profiles of Sentry's SDKs in JSON: samples of stacks, stacks of frames, each by its number.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "jload.h"

#define TOP(W, V, O) V(profile)
#define PROFILE(W, V, O) V(frames) V(stacks) V(samples) V(thread_metadata) V(queue_metadata)
#define FRAME(W, V, O) W(function) W(filename) W(abs_path) W(lineno) W(instruction_addr)
#define SAMPLE(W, V, O) W(stack_id) W(thread_id) W(elapsed_since_start_ns) W(timestamp)
#define THREAD(W, V, O) W(name)
#define ITEM(W, V, O) W(type) W(length)

JLOAD_SHAPE(sentry_top, TOP)
JLOAD_SHAPE(sentry_profile, PROFILE)
JLOAD_SHAPE(sentry_frame, FRAME)
JLOAD_SHAPE(sentry_sample, SAMPLE)
JLOAD_SHAPE(sentry_thread, THREAD)
JLOAD_SHAPE(sentry_item, ITEM)

struct sentry {
	struct jload	*l;
	struct scratch	 frames, stacks, path;	/* uint32_t: ids by number; numbers of a stack */
	uint64_t	 nframes, nstacks;
	struct idmap	 threads;	/* hash of the id in the file */
};

static void
sentry_read_frames(struct sentry *s, struct json frames)
{
	JLOAD_EACH(s->l, frames, item) {
		struct sentry_frame at = sentry_frame_read(s->l, item);
		uint32_t id = jload_function(s->l, at.function.n > 0 ? at.function : at.instruction_addr,
		    at.has_abs_path ? at.abs_path : at.filename,
		    jload_whole(at.lineno, 0));

		INTO_ROW(&s->l->to, s->frames, s->nframes, id, "frames");
	}
}

/* Stacks begin with the innermost frame. */
static void
sentry_read_stacks(struct sentry *s, struct json stacks)
{
	JLOAD_EACH(s->l, stacks, item) {
		struct json rest = json_items(item);
		uint32_t stack = 0, frame;
		uint64_t n = 0, i;
		struct str word;

		while (!s->l->to.bad && json_next_word(&rest, &word)) {
			if (!scan_fixed(word, 0, &i) || i >= s->nframes) {
				s->l->bad++;
				continue;
			}
			frame = SCRATCH(s->frames, uint32_t)[i];
			INTO_ROW(&s->l->to, s->path, n, frame, "frames");
		}
		while (n > 0)
			stack = into_stack(&s->l->to, stack, SCRATCH(s->path, uint32_t)[--n]);
		INTO_ROW(&s->l->to, s->stacks, s->nstacks, stack, "stacks");
	}
}

static uint32_t
sentry_add_thread(struct sentry *s, struct str id, struct str name)
{
	uint64_t tid = 0;
	uint32_t thread;

	/* Ids of the C library are too long for those of a system. */
	if (!num_u64(id, 10, &tid) || tid > UINT32_MAX)
		tid = 0;
	thread = INTO_ID(&s->l->to, samples_thread(&s->l->samples, 0, (uint32_t)tid,
	    name.n > 0 || tid != 0 ? jload_text(s->l, name) : id, s->l->to.err));
	if (thread != 0)
		into_map(&s->l->to, &s->threads, idmap_hash_text(id, 0), thread);
	return thread;
}

static void
sentry_read_threads(struct sentry *s, struct json threads)
{
	struct str id;

	if (!scan_open(&threads, '{'))
		return;
	while (!s->l->to.bad && scan_member(&threads, &id)) {
		sentry_add_thread(s, id, sentry_thread_read(s->l, threads).name);
		if (!scan_skip(&threads))
			break;
	}
}

/* The first version has ns since the start, the second one seconds of the epoch. */
static bool
sentry_time(struct sentry *s, const struct sentry_sample *at, uint64_t *time)
{
	return at->has_timestamp ? jload_time(s->l, at->timestamp, 9, time) :
	    jload_time(s->l, at->elapsed_since_start_ns, 0, time);
}

static void
sentry_read_samples(struct sentry *s, struct json samples)
{
	struct sample one = { .weight = samples_whole(&s->l->samples, 1) };
	uint64_t i;

	one.event = into_event(&s->l->to, STR("samples"), WEIGHT_COUNT, "samples");
	s->l->samples.times = true;
	JLOAD_EACH(s->l, samples, item) {
		struct sentry_sample at = sentry_sample_read(s->l, item);

		one.offset = item.at;
		one.thread = idmap_get(&s->threads, idmap_hash_text(at.thread_id, 0));
		if (one.thread == 0)
			one.thread = sentry_add_thread(s, at.thread_id, STR(""));
		if (!scan_fixed(at.stack_id, 0, &i) || i >= s->nstacks || !sentry_time(s, &at, &one.time)) {
			s->l->bad++;
			continue;
		}
		one.stack = SCRATCH(s->stacks, uint32_t)[i];
		into_sample(&s->l->to, &one);
	}
}

static void
sentry_one(struct jload *l, struct json doc)
{
	struct sentry s = { .l = l, .threads = IDMAP_INIT };
	struct json json = sentry_top_read(l, doc).profile;
	struct sentry_profile at = sentry_profile_take(l, &json, true);

	sentry_read_frames(&s, at.frames);
	sentry_read_stacks(&s, at.stacks);
	sentry_read_threads(&s, at.thread_metadata);
	sentry_read_samples(&s, at.samples);
	SCRATCH_FREE(&s.frames, &s.stacks, &s.path);
	idmap_free(&s.threads);
}

void
sentry_load(struct jload *l)
{
	sentry_one(l, l->doc);
}

/* ---- envelopes ----------------------------------------------------------------------------- */

/*
 * A header, and items: a line with the type and the length of what follows, which is a line if it has no length.
 */
void
sentry_envelope_load(struct jload *l)
{
	struct json j = l->doc, payload;
	struct sentry_item item;
	const char *end;
	uint64_t n;

	(void)scan_skip(&j);
	while (!j.bad && into_go(&l->to, j.at) && scan_peek(&j) == '{') {
		item = sentry_item_take(l, &j, false);
		j.at += !j.bad && j.at < j.size && j.base[j.at] == '\n';
		end = j.bad ? NULL : memchr(j.base + j.at, '\n', (size_t)(j.size - j.at));
		n = end == NULL ? j.size - j.at : (uint64_t)(end - j.base) - j.at;
		if (item.has_length && !scan_fixed(item.length, 0, &n))
			l->bad++;
		l->cut |= n > j.size - j.at;
		n = n < j.size - j.at ? n : j.size - j.at;
		assert(j.at + n <= l->doc.size);
		payload = (struct json){ .base = j.base, .size = j.at + n, .at = j.at };
		if (str_is(item.type, "profile") || str_is(item.type, "profile_chunk"))
			sentry_one(l, payload);
		else if (!j.bad)
			unread_add(&l->unread, UNREAD_RECORD, item.type, 1);
		j.at += n;
	}
	l->cut |= j.bad;
}
