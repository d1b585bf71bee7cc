/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Format version 1 of method traces: a text section and fixed-size records, or a stream of records and packets.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

#define HEADER_MIN 16		/* up to and including the start time */

/* ---- records of fixed size ---------------------------------------------------- */

/* Set the offsets of a record's fields; false: it is too short for its clocks. */
static bool
set_layout(struct trace *t, unsigned version)
{
	struct records_layout *l = &t->layout;
	unsigned at;
	bool dual = t->clocks == (1 << CLOCK_WALL | 1 << CLOCK_CPU);

	l->kind = LAYOUT_FIXED;
	l->tidsize = version == 1 ? 1 : 2;
	at = l->tidsize + 4u;
	/*
	 * A record with two clocks begins with thread-cpu. In a record with room for one, it is thread-cpu
	 * if the file names both clocks, otherwise (for example in a truncated stream) wall.
	 */
	if (dual && t->recsize < at + 8) {
		t->clocks = 1 << (t->guessed ? CLOCK_WALL : CLOCK_CPU);
		t->guessed = true;
		dual = false;
	}
	if (t->recsize < at + (dual ? 8 : 4) || t->recsize > UINT16_MAX)
		return false;
	l->cpu_at = t->clocks & 1 << CLOCK_CPU ? (uint8_t)at : NO_CLOCK;
	l->wall_at = dual ? (uint8_t)(at + 4) :
	    t->clocks & 1 << CLOCK_WALL ? (uint8_t)at : NO_CLOCK;
	t->tick = 1000;
	assert(l->wall_at == NO_CLOCK || l->wall_at + 4u <= t->recsize);
	return true;
}

/* ---- regular: text, header, records ---------------------------------------------- */

/*
 * A copy that converted the file as UTF-8 text replaced every invalid byte by EF BF BD: no time and no id of a record
 * can be trusted then.
 */
static bool
is_mangled(const uint8_t *p, uint64_t n)
{
	uint64_t i, marks = 0;

	if (n > SNIFF_MAX)
		n = SNIFF_MAX;
	for (i = 0; i + 3 <= n; i++)
		if (p[i] == 0xef && p[i + 1] == 0xbf && p[i + 2] == 0xbd)
			marks++;
	return marks > n / 50;
}

static bool
regular_record_size(struct trace *t, const uint8_t *h, uint64_t left,
    struct err *err)
{
	bool dual = t->clocks == (1 << CLOCK_WALL | 1 << CLOCK_CPU);

	switch (t->version) {
	case 1:
		t->recsize = 9;
		return true;
	case 2:
		t->recsize = 10;
		return true;
	case 3:
		t->recsize = left >= 18 ? le16(h + 16) : 0;
		if (t->recsize == 0)
			t->recsize = dual ? 14 : 10;
		return true;
	}
	if (t->version == 4 || t->version == 5)
		return fail(err, E_UNREADABLE, "method trace v%u has no thread and method lists; record with streaming",
		    t->version);
	return fail(err, E_UNREADABLE, "unknown method trace version %u (supported: 1 to 5)", t->version);
}

/*
 * Records that the header announces but the file lacks, even if it ends directly after a complete record. A buffer
 * overflow announces records that did not fit, and counts of 2 GiB or more may have wrapped.
 */
static uint64_t
missing_records(const struct trace *t)
{
	uint64_t claimed;

	if (trace_overflowed(t) || !num_u64(t->key[KEY_CALLS], 10, &claimed) ||
	    claimed > INT32_MAX / t->recsize || claimed < t->records)
		return 0;
	return claimed - t->records;
}

bool
trace_regular(struct trace *t, struct err *err)
{
	uint64_t at, left, first;
	const uint8_t *h;
	bool whole;

	t->kind = "v1-regular";
	if (!trace_text(t, 0, t->size, &at, &whole, err))
		return false;
	left = t->size - at;
	h = t->data + at;
	if (!whole && t->nthreads == 0 && t->nmethods == 0)
		return fail_at(err, E_UNREADABLE, t->size, "method trace truncated before the thread list");
	trace_clock(t, 1 << CLOCK_CPU);
	/* Data after *end without a header would be read as invalid records. */
	if (left >= 4 && memcmp(h, "SLOW", 4) != 0)
		return fail_at(err, E_UNREADABLE, at,
		    "method trace without records: no SLOW magic after *end at byte %llu",
		    (unsigned long long)at);
	if (!whole || left < HEADER_MIN) {
		t->cut_text = true;
		t->lost_at = t->size;
		t->version = 3;
		t->recsize = 14;
		return set_layout(t, 3);
	}
	t->version = le16(h + 4);
	first = le16(h + 6);
	if (!regular_record_size(t, h, left, err))
		return false;
	if (!set_layout(t, t->version))
		return fail_at(err, E_UNREADABLE, at, "bad record size %u: too small for the clocks", t->recsize);
	/* The offset comes from the file and is added to a pointer. */
	if (first < HEADER_MIN || first > left)
		return fail_at(err, E_UNREADABLE, at, "bad data offset %llu: outside the file",
		    (unsigned long long)first);
	at += first;
	left -= first;
	assert(at + left == t->size);
	if (is_mangled(t->data + at, left)) {
		t->mangled = true;
		t->lost_at = at;
		t->lost_bytes = left;
		return true;
	}
	if (!trace_segment(t, at, err))
		return false;
	/* set_layout rejected sizes too small for a record. */
	assert(t->recsize > 0);
	t->records = left / t->recsize;
	t->lost_bytes = left % t->recsize;
	t->lost_at = t->size - t->lost_bytes;
	t->lost_records = missing_records(t);
	return true;
}

/* ---- streaming: records and packets ------------------------------------------------ */

/*
 * A pass over a stream, assuming a record size. The caller decides what to do with each item; the first passes only
 * count.
 */
struct walk {
	uint64_t	at;		/* offset of the next item */
	uint64_t	good, bad;
	uint64_t	summary, summary_size;
	bool		complete;
	uint8_t		seen[8192];	/* announced thread ids, one bit each */
};

enum item { ITEM_END, ITEM_RECORD, ITEM_METHOD, ITEM_THREAD, ITEM_SUMMARY };

/*
 * Return the next item at w->at, its text (if any) in *text, its thread in *tid. ITEM_END: nothing complete remains.
 */
static enum item
next_item(const struct trace *t, struct walk *w, unsigned recsize,
    uint32_t *tid, struct str *text)
{
	const uint8_t *p = t->data + w->at;
	uint64_t left = t->size - w->at;
	unsigned head;

	assert(w->at <= t->size && recsize > 0);
	/* Thread 0 is invalid: it marks a packet in place of a record. A truncated item ends the pass before it. */
	if (left < 2)
		return ITEM_END;
	*tid = le16(p);
	if (*tid != 0) {
		if (left < recsize)
			return ITEM_END;
		w->at += recsize;
		return ITEM_RECORD;
	}
	if (left < 3)
		return ITEM_END;
	if (p[2] < 1 || p[2] > 3) {
		w->bad++;
		return ITEM_END;
	}
	head = p[2] == 1 ? 5 : 7;
	if (left < head)
		return ITEM_END;
	text->n = p[2] == 3 ? le32(p + 3) : le16(p + head - 2);
	text->s = (const char *)p + head;
	if (p[2] == 2)
		*tid = le16(p + 3);
	/* Only a truncated summary is used: its lines before the truncation are complete. */
	if (p[2] != 3 && text->n > left - head)
		return ITEM_END;
	if (text->n > left - head)
		text->n = left - head;
	else if (p[2] == 3)
		w->complete = text->n > 0 && text->s[0] == '*';
	w->at += head + text->n;
	assert(w->at <= t->size);
	return p[2] == 1 ? ITEM_METHOD : p[2] == 2 ? ITEM_THREAD : ITEM_SUMMARY;
}

static bool
was_seen(const struct walk *w, uint32_t tid)
{
	return w->seen[tid >> 3] & 1 << (tid & 7);
}

/* Announce a thread; return whether it was announced before. */
static bool
see_thread(struct walk *w, uint32_t tid)
{
	bool before = was_seen(w, tid);

	w->seen[tid >> 3] |= (uint8_t)(1 << (tid & 7));
	return before;
}

/* Return whether an item is consistent with earlier ones. */
static bool
is_good(struct walk *w, enum item item, uint32_t tid, struct str text)
{
	switch (item) {
	case ITEM_RECORD: return was_seen(w, tid);
	case ITEM_METHOD: return text.n > 1 && memchr(text.s, '\t', text.n) != NULL && is_digit(text.s[0]);
	case ITEM_SUMMARY: return w->complete;
	case ITEM_THREAD:
		see_thread(w, tid);
		break;
	case ITEM_END: break;
	}
	return true;
}

/* A consistent record or packet supports the record size; an inconsistent one contradicts it. */
static bool
score_walk(struct trace *t, struct walk *w, unsigned recsize, uint64_t from)
{
	struct str text;
	uint32_t tid;
	enum item item;

	memset(w, 0, sizeof *w);
	w->at = from;
	while ((item = next_item(t, w, recsize, &tid, &text)) != ITEM_END) {
		bool good = is_good(w, item, tid, text);

		if (!work_tick(t->work, w->at))
			return false;
		w->good += good;
		w->bad += !good;
		if (item == ITEM_SUMMARY)
			break;
	}
	return true;
}

static int64_t
walk_score(const struct walk *w)
{
	return (int64_t)w->good - 100 * (int64_t)w->bad +
	    (w->complete ? 1000 : 0);
}

/*
 * Some releases write 14-byte records although the header says 10: use the size with which the stream is consistent.
 */
static bool
stream_record_size(struct trace *t, uint64_t from, struct walk *w, struct err *err)
{
	unsigned v = t->version & 15, field = le16(t->data + 16), i, j;
	unsigned size[4] = { field, v == 3 ? 14 : 10, 14, 10 };
	static const unsigned least[4] = { 0, 9, 10, 10 };
	int64_t best = INT64_MIN;

	if (v == 1) {
		size[0] = 9;
		size[1] = size[2] = size[3] = field;
	}
	for (i = 0; i < NELEM(size); i++) {
		for (j = 0; j < i && size[j] != size[i]; j++)
			;
		if (j < i || size[i] < least[v])
			continue;
		work_start_bytes(t->work, "records", t->size);
		if (!score_walk(t, w, size[i], from))
			return fail_cancel(err);
		if (walk_score(w) > best) {
			best = walk_score(w);
			t->recsize = size[i];
		}
		if (w->bad == 0)
			break;
	}
	return true;
}

/* Read all packets; each run of records becomes a segment. */
static bool
read_stream(struct trace *t, uint64_t from, struct walk *w, struct err *err)
{
	bool in_run = false;
	struct str text;
	uint32_t tid;
	enum item item;

	memset(w, 0, sizeof *w);
	w->at = from;
	work_start_bytes(t->work, "records", t->size);
	for (;;) {
		uint64_t at = w->at;

		item = next_item(t, w, t->recsize, &tid, &text);
		if (item == ITEM_END)
			break;
		assert(w->at > at);
		if (!work_go(t->work, at, err))
			return false;
		if (item == ITEM_RECORD) {
			if (!in_run && !trace_segment(t, at, err))
				return false;
			t->records++;
			in_run = true;
			continue;
		}
		in_run = false;
		if (item == ITEM_SUMMARY) {
			w->summary = (uint64_t)((const uint8_t *)text.s - t->data);
			w->summary_size = text.n;
			break;
		}
		t->renames += item == ITEM_THREAD && see_thread(w, tid);
		if (item == ITEM_METHOD ? !trace_method_line(t, text, err) : !trace_thread(t, tid, text, err))
			return false;
	}
	return true;
}

/*
 * Methods from packets are kept; thread names in the summary, written at the end, replace the announced ones.
 */
static bool
read_summary(struct trace *t, const struct walk *w, struct err *err)
{
	uint64_t after;
	bool whole = false, ok;

	assert(w->summary <= t->size && w->summary_size <= t->size - w->summary);
	t->in_summary = true;
	ok = trace_text(t, w->summary, w->summary + w->summary_size, &after,
	    &whole, err);
	t->in_summary = false;
	t->no_summary = !whole || !w->complete;
	return ok;
}

bool
trace_stream(struct trace *t, struct err *err)
{
	uint64_t from = le16(t->data + 6);
	unsigned v = t->version & 15;
	struct walk *w;
	bool ok;

	t->kind = "v1-stream";
	if (from < HEADER_MIN || from > t->size)
		return fail_at(err, E_UNREADABLE, 6, "method trace: records "
		    "begin at byte %llu, outside the file",
		    (unsigned long long)from);
	if ((w = mem_array(1, sizeof *w)) == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	ok = stream_record_size(t, from, w, err) && read_stream(t, from, w, err) && read_summary(t, w, err);
	*(w->complete ? &t->trailing : &t->lost_bytes) = t->size - w->at;
	t->lost_at = w->at;
	free(w);
	if (!ok)
		return false;
	trace_clock(t, v == 3 ? 1 << CLOCK_WALL | 1 << CLOCK_CPU : 1 << CLOCK_WALL);
	return set_layout(t, v) || fail(err, E_UNREADABLE, "bad record size %u: too small for the clocks", t->recsize);
}
