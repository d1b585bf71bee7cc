/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chunk: the header of a chunk, its clock, and the positions of its events.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "chunk.h"

#define MAGIC "FLR"		/* with the NUL */
#define VERSIONS 3		/* first unknown major version of the format; known: 0.9, 1, 2 */
#define SECOND 1000000000u
#define TICK 4096u		/* events between two clock reads */

enum { EVENT_METADATA, EVENT_CHECKPOINT };

static bool
refuse_version(unsigned major, unsigned minor, struct err *err)
{
	if (major == 0)
		return fail(err, E_UNREADABLE,
		    "a Java Flight Recorder recording of version 0.%u (Oracle JDK 7 or 8), unsupported; "
		    "record with JDK 8u262 or later", minor);
	return fail(err, E_UNREADABLE, "a Java Flight Recorder recording of unknown version %u.%u", major, minor);
}

bool
jfr_check_head(const uint8_t *data, uint64_t size, struct err *err)
{
	if (size < 8 || memcmp(data, MAGIC, 4) != 0)
		return fail(err, E_UNREADABLE, "not a Java Flight Recorder recording");
	return (be16(data + 4) > 0 && be16(data + 4) < VERSIONS) ||
	    refuse_version(be16(data + 4), be16(data + 6), err);
}

bool
jfr_chunk_is(const uint8_t *data, uint64_t size, uint64_t at)
{
	const uint8_t *p = data + at;
	unsigned major;

	if (size < JFR_HEADER || at > size - JFR_HEADER || memcmp(p, MAGIC, 4) != 0)
		return false;
	major = be16(p + 4);
	return major == 1 || major == 2;
}

uint64_t
jfr_chunk_find(const uint8_t *data, uint64_t size, uint64_t at)
{
	const uint8_t *hit;

	for (; at < size && (hit = memmem(data + at, size - at, MAGIC, 4)) != NULL; at++) {
		at = (uint64_t)(hit - data);
		if (jfr_chunk_is(data, size, at) && (int64_t)be64(hit + 56) > 0)
			return at;
	}
	return size;
}

/* ---- events --------------------------------------------------------------------------------- */

/* *cut: the event at that place extends beyond the chunk. */
static bool
chunk_next_event(const struct jfr_chunk *c, uint64_t at, struct jfr_event *e, uint64_t *size, bool *cut)
{
	struct jfr_in in = jfr_at(c, at);

	e->begin = at;
	*size = jfr_u64(&in);
	e->type = jfr_u64(&in);
	*cut = !in.bad && *size > c->end - at;
	if (in.bad || *cut || *size < (uint64_t)(in.at - c->data) - at)
		return false;
	e->body = (struct jfr_in){ in.at, c->data + at + *size, false };
	assert(e->body.at <= e->body.end && e->body.end <= c->data + c->end);
	return true;
}

bool
jfr_chunk_event(const struct jfr_chunk *c, uint64_t *at, struct jfr_event *e)
{
	uint64_t size;
	bool cut;

	if (!chunk_next_event(c, *at, e, &size, &cut))
		return false;
	*at += size;
	assert(*at > e->begin && *at <= c->end);
	return true;
}

static void
chunk_note(struct jfr_chunk *c, const struct jfr_event *e)
{
	assert(e->begin >= c->begin && e->begin < c->end);
	if (e->type == EVENT_METADATA)
		INTO_ROW(c->to, c->metas, c->nmetas, e->begin, "metadata events");
	else if (e->type == EVENT_CHECKPOINT)
		INTO_ROW(c->to, c->checkpoints, c->ncheckpoints, e->begin, "checkpoints");
	else
		c->nevents++;
}

/*
 * Scan events to the end, which only the header of a finished chunk contains.  A truncated checkpoint is read
 * as far as possible.
 */
static void
chunk_walk(struct jfr_chunk *c, bool known_end, uint64_t *at)
{
	struct jfr_event e;
	uint64_t size;
	bool cut = false, whole = true;

	for (uint64_t n = 0; *at < c->end && whole; n++) {
		if (!known_end && jfr_chunk_is(c->data, c->end, *at)) {
			c->end = *at;
			break;
		}
		if (n % TICK == 0 && !into_go(c->to, *at))
			return;
		whole = chunk_next_event(c, *at, &e, &size, &cut);
		if (whole || (cut && e.type == EVENT_CHECKPOINT))
			chunk_note(c, &e);
		*at += whole ? size : 0;
	}
}

/* ---- the header -------------------------------------------------------------------------------- */

/* Tables that other tables refer to are allocated at once, even if the chunk has no entries for them. */
static void
chunk_reset(struct jfr_chunk *c)
{
	c->nmetas = c->ncheckpoints = c->nevents = 0;
	c->ntypes = c->nfields = c->nsteps = c->nplans = c->nconstants = c->nkeys = c->nnotes = c->nwords = 0;
	buf_clear(&c->text);
	idmap_clear(&c->type_of);
	idmap_clear(&c->constant_of);
	c->string = 0;
	buf_chr(&c->text, '\0');
	into_made(c->to, &c->text);
	INTO(c->to, scratch_grow(&c->types, 1, c->to->err) && scratch_grow(&c->fields, 1, c->to->err) &&
	    scratch_grow(&c->steps, 1, c->to->err));
}

void
jfr_chunk_open(struct jfr_chunk *c, uint64_t at, uint64_t *next, uint64_t *lost)
{
	const uint8_t *h = c->data + at;
	uint64_t length = be64(h + 8), seen = at + JFR_HEADER;
	bool known_end;

	assert(c->size >= JFR_HEADER && at <= c->size - JFR_HEADER);
	chunk_reset(c);
	c->begin = at;
	c->major = be16(h + 4);
	c->minor = be16(h + 6);
	c->start_ns = be64(h + 32);
	c->duration = (int64_t)be64(h + 40) < 0 ? 0 : be64(h + 40);
	c->start_ticks = be64(h + 48);
	c->frequency = be64(h + 56);
	c->no_clock = (int64_t)c->frequency <= 0;
	c->frequency = c->no_clock ? SECOND : c->frequency;
	/* Offsets of the last checkpoint and of the metadata, which a finished chunk has. */
	c->unfinished = h[64] != 0 || (int64_t)be64(h + 16) <= 0 || (int64_t)be64(h + 24) <= 0;
	c->short_of = !c->unfinished && length > c->size - at;
	known_end = !c->unfinished && !c->short_of && length >= JFR_HEADER;
	c->end = known_end ? at + length : c->size;
	chunk_walk(c, known_end, &seen);
	assert(seen <= c->end);
	*lost = c->end - seen;
	*next = known_end ? c->end : seen;
}

void
jfr_chunk_close(struct jfr_chunk *c)
{
	SCRATCH_FREE(&c->metas, &c->checkpoints, &c->types, &c->fields, &c->steps, &c->plans, &c->constants,
	    &c->keys, &c->notes, &c->words);
	buf_free(&c->text);
	idmap_free(&c->type_of);
	idmap_free(&c->constant_of);
}

/* ---- clock ---------------------------------------------------------------------------------------- */

/* Return ticks * 10^9 / frequency without an overflow in between. */
static uint64_t
in_ns(const struct jfr_chunk *c, uint64_t ticks)
{
	unsigned __int128 ns;

	assert(c->frequency > 0 && c->frequency <= INT64_MAX);
	if (c->frequency == SECOND)
		return ticks;
	if (ticks <= UINT64_MAX / SECOND)
		return ticks * SECOND / c->frequency;
	ns = (unsigned __int128)ticks * SECOND / c->frequency;
	return ns > INT64_MAX ? INT64_MAX : (uint64_t)ns;
}

uint64_t
jfr_chunk_length(const struct jfr_chunk *c, uint64_t ticks)
{
	return (int64_t)ticks <= 0 ? 0 : in_ns(c, ticks);
}

uint64_t
jfr_chunk_time(const struct jfr_chunk *c, uint64_t ticks)
{
	uint64_t ns;

	if ((int64_t)ticks >= (int64_t)c->start_ticks) {
		ns = num_add(c->start_ns, in_ns(c, ticks - c->start_ticks));
		return ns > INT64_MAX ? INT64_MAX : ns;
	}
	ns = in_ns(c, c->start_ticks - ticks);
	return ns < c->start_ns ? c->start_ns - ns : 0;
}
