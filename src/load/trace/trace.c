/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for Android method traces (ART and Dalvik).
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"

#include "trace.h"

/* ---- format version 2 ------------------------------------------------------------------- */

/* Packets, and blocks with delta-encoded records of one thread. Three revisions (A, B, C) share magic and version. */
#define V2_HEADER 32

enum packet { PACKET_THREAD, PACKET_METHOD, PACKET_BLOCK, PACKET_SUMMARY };

struct v2_item {
	enum packet	kind;
	uint32_t	tid;
	uint64_t	id;		/* id of a method */
	uint64_t	block;		/* offset of a block's header */
	struct str	text;
};

/* State of reading the file as one revision. */
struct v2_walk {
	enum records_kind	rev;
	bool		dual;
	uint64_t	at;
	bool		complete;	/* reached the summary */
	bool		nonsense;	/* this cannot be the revision */
};

static bool
block_item(const struct trace *t, struct v2_walk *w, struct v2_item *it)
{
	const uint8_t *p = t->data + w->at;
	uint64_t left = t->size - w->at, size, count;
	unsigned head = w->rev != LAYOUT_V2A ? 12 : w->dual ? 21 : 17;

	if (left < head)
		return false;
	if (w->rev == LAYOUT_V2A) {
		size = le16(p + head - 2);
		count = le16(p + head - 4);
		/* A record takes at least one byte. A smaller block belongs to another revision. */
		w->nonsense = size == 0 && count > 0;
	} else {
		size = le32(p + 8);
		count = le24(p + 5);
		w->nonsense = size < count && size <= left - head;
	}
	if (w->nonsense || size > left - head)
		return false;
	it->tid = le32(p + 1);
	it->block = w->at;
	w->at += head + size;
	return true;
}

static bool
summary_item(const struct trace *t, struct v2_walk *w, struct v2_item *it)
{
	const uint8_t *p = t->data + w->at;
	uint64_t left = t->size - w->at;

	if (left < 3)
		return false;
	it->text.n = le16(p + 1);
	it->text.s = (const char *)p + 3;
	/* A summary begins with '*' in every release. Anything else is another revision, or no summary. */
	if (left > 3 && it->text.n > 0 && p[3] == '*') {
		if (it->text.n > left - 3)
			return false;
	} else if (p[1] == '*') {
		/* The length of this summary is not stored. */
		it->text.n = left - 1;
		it->text.s = (const char *)p + 1;
	} else {
		w->nonsense = left > 3;
		return false;
	}
	w->at = (uint64_t)((const uint8_t *)it->text.s - t->data) + it->text.n;
	w->complete = true;
	return true;
}

/* Read the next complete packet; false at the end, at a truncated packet, or at invalid data. */
static bool
next_packet(const struct trace *t, struct v2_walk *w, struct v2_item *it)
{
	const uint8_t *p = t->data + w->at;
	uint64_t left = t->size - w->at;
	unsigned idsize = w->rev == LAYOUT_V2A ? 4 : 8, head;

	assert(w->at <= t->size);
	if (left == 0)
		return false;
	it->kind = (enum packet)p[0];
	if (p[0] > PACKET_SUMMARY) {
		w->nonsense = true;
		return false;
	}
	if (it->kind == PACKET_BLOCK)
		return block_item(t, w, it);
	if (it->kind == PACKET_SUMMARY)
		return summary_item(t, w, it);
	head = it->kind == PACKET_THREAD ? 7 : 3 + idsize;
	if (left < head)
		return false;
	it->text.n = le16(p + head - 2);
	it->text.s = (const char *)p + head;
	if (it->text.n > left - head)
		return false;
	if (it->kind == PACKET_THREAD)
		it->tid = le32(p + 1);
	else
		it->id = idsize == 4 ? (uint64_t)le32(p + 1) << 2 : le64(p + 1);
	w->nonsense = it->kind == PACKET_METHOD &&
	    memchr(it->text.s, '\t', it->text.n) == NULL;
	if (!w->nonsense)
		w->at += head + it->text.n;
	return !w->nonsense;
}

/* Choose the revision that reads up to the summary, or else the one that reads furthest. */
static bool
find_revision(struct trace *t, bool dual, struct v2_walk *best, struct err *err)
{
	static const enum records_kind revs[] = { LAYOUT_V2C, LAYOUT_V2B, LAYOUT_V2A };
	bool counter = le64(t->data + 14) != 0 || le64(t->data + 22) != 0;
	struct v2_item it;
	bool found = false;

	for (size_t i = counter ? 0 : 1; i < NELEM(revs); i++) {
		struct v2_walk w = { revs[i], dual, V2_HEADER, false, false };

		while (!w.complete && next_packet(t, &w, &it))
			if (!work_go(t->work, w.at, err))
				return false;
		if (w.nonsense)
			continue;
		if (!found || w.complete > best->complete ||
		    (w.complete == best->complete && w.at > best->at))
			*best = w;
		found = true;
	}
	return found || fail(err, E_UNREADABLE, "method trace of format 2: "
	    "its packets match no known revision (version 0x%x)", t->version);
}

/* Count the complete records in the segment's block by decoding it. */
static uint64_t
trace_count_records(struct trace *t, uint64_t block)
{
	struct records r = { .data = t->data, .size = t->size, .layout = t->layout, .freq = t->freq, .at = block,
	    .rows = UINT64_MAX, .seg_end = UINT64_MAX };
	struct record out[64];
	uint64_t n = 0;
	size_t got;

	assert(block < t->size && t->layout.kind != LAYOUT_FIXED && t->layout.kind != LAYOUT_COLUMNS);
	while ((got = records_read(&r, out, NULL, NELEM(out))) > 0)
		n += got;
	return n;
}

static bool
take_packet(struct trace *t, struct v2_walk *w, const struct v2_item *it,
    struct err *err)
{
	uint64_t n, after;
	bool whole;

	switch (it->kind) {
	case PACKET_THREAD:
		t->renames += idmap_get(&t->tids, it->tid) != 0;
		return trace_thread(t, it->tid, it->text, err);
	case PACKET_METHOD:
		return trace_method(t, it->id, it->text, err);
	case PACKET_BLOCK:
		n = trace_count_records(t, it->block);
		if (n > 0 && !trace_segment(t, it->block, err))
			return false;
		t->records += n;
		return true;
	case PACKET_SUMMARY:
		after = (uint64_t)((const uint8_t *)it->text.s - t->data);
		return trace_text(t, after, w->at, &after, &whole, err);
	}
	return true;
}

/* The summary, at the end, states the clocks. */
static bool
trace_read_keys(struct trace *t, struct v2_walk w, struct err *err)
{
	struct v2_item it;

	w.at = V2_HEADER;
	w.complete = false;
	while (!w.complete && next_packet(t, &w, &it))
		if (it.kind == PACKET_SUMMARY && !take_packet(t, &w, &it, err))
			return false;
	return true;
}

static bool
trace_v2(struct trace *t, struct err *err)
{
	bool dual = (t->version & 15) == 5;
	struct v2_item it;
	struct v2_walk w;
	unsigned assumed = 1 << CLOCK_WALL | (dual ? 1 << CLOCK_CPU : 0);
	static const char *const kinds[][2] = {
		[LAYOUT_V2A] = { "v2a-file", "v2a-stream" },
		[LAYOUT_V2B] = { "v2b-file", "v2b-stream" },
		[LAYOUT_V2C] = { "v2c-file", "v2c-stream" },
	};

	memset(&w, 0, sizeof w);
	t->wide = true;
	if (!find_revision(t, dual, &w, err) || !trace_read_keys(t, w, err))
		return false;
	assert(w.rev >= LAYOUT_V2A && w.rev <= LAYOUT_V2C);
	t->kind = kinds[w.rev][(t->version & 0xf0) != 0];
	t->tick = w.rev == LAYOUT_V2A ? 1000 : 1;
	t->freq = w.rev == LAYOUT_V2C ? le64(t->data + 22) : 0;
	trace_clock(t, assumed);
	t->layout.kind = (uint8_t)w.rev;
	t->layout.recsize = dual;	/* header and records hold both clocks */
	t->layout.wall_at = t->clocks & 1 << CLOCK_WALL ? 0 : NO_CLOCK;
	t->layout.cpu_at = dual || t->clocks == 1 << CLOCK_CPU ? 0 : NO_CLOCK;
	t->recsize = 0;
	work_start_bytes(t->work, "records", t->size);
	w.at = V2_HEADER;
	w.complete = false;
	while (!w.complete && next_packet(t, &w, &it)) {
		if (!work_go(t->work, w.at, err) || (it.kind != PACKET_SUMMARY && !take_packet(t, &w, &it, err)))
			return false;
	}
	t->no_summary = !w.complete;
	t->lost_at = w.at;
	*(w.complete ? &t->trailing : &t->lost_bytes) = t->size - w.at;
	return true;
}

/* ---- all formats ------------------------------------------------------------------------ */

static bool
trace_sniff(const uint8_t *head, size_t n)
{
	return (n >= 4 && memcmp(head, "SLOW", 4) == 0) ||
	    (n >= 9 && memcmp(head, "*version", 8) == 0 && (head[8] == '\n' || head[8] == '\r'));
}

static bool
read_container(struct trace *t, struct err *err)
{
	if (!trace_sniff(t->data, t->size < SNIFF_MAX ? (size_t)t->size : SNIFF_MAX))
		return fail(err, E_UNREADABLE, "not a method trace: no SLOW or *version at the start");
	work_start_bytes(t->work, "trace", t->size);
	if (t->data[0] == '*')
		return trace_regular(t, err);
	if (t->size < 32)
		return fail_at(err, E_UNREADABLE, t->size, "method trace truncated in its header (%llu of 32 bytes)",
		    (unsigned long long)t->size);
	t->version = le16(t->data + 4);
	if (t->version >= 0xf1 && t->version <= 0xf3)
		return trace_stream(t, err);
	if (t->version == 4 || t->version == 5 || t->version == 0xf4 || t->version == 0xf5)
		return trace_v2(t, err);
	if (t->version >= 1 && t->version <= 3)
		return fail(err, E_UNREADABLE,
		    ".data half of a method trace; join both halves: cat NAME.key NAME.data > NAME.trace");
	return fail(err, E_UNREADABLE, "unknown method trace version 0x%x", t->version);
}

/* ---- writing columns --------------------------------------------------------------- */

/* How to read the records again; not for display. */
static bool
layout_facts(struct trace *t, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_TRACE_TICK, t->tick },
		{ FACT_TRACE_CLOCKS, t->clocks },
		{ FACT_TRACE_WIDE, t->wide },
		{ FACT_TRACE_FREQ, t->freq },
		{ FACT_TRACE_LAYOUT, t->layout.kind },
		{ FACT_TRACE_RECSIZE, t->layout.kind == LAYOUT_FIXED ?
		    t->recsize : t->layout.recsize },
		{ FACT_TRACE_TIDSIZE, t->layout.tidsize },
		{ FACT_TRACE_WALL_AT, t->layout.wall_at },
		{ FACT_TRACE_CPU_AT, t->layout.cpu_at },
	};

	return make_facts(t->st, facts, NELEM(facts), err);
}

static bool
header_number(struct str s, enum trace_key key, uint64_t *v)
{
	int64_t below;

	/* An alloc-size above 2 GiB is written as a negative 32-bit number. */
	if (key != KEY_ALLOC_SIZE || !num_i64(s, 10, &below) || below >= 0)
		return num_u64(s, 10, v);
	*v = (uint32_t)below;
	return true;
}

static bool
header_facts(struct trace *t, struct err *err)
{
	/* The header of a truncated trace states the full time; the records that were read cover less. */
	enum fact_id elapsed = t->lost_bytes > 0 || t->lost_records > 0 ? FACT_ELAPSED_CLAIMED : FACT_ELAPSED;
	const struct {
		enum trace_key	 key;
		enum fact_id	 fact;
		uint64_t	 unit;
	} keys[] = {
		{ KEY_ELAPSED_US, elapsed, 1000 }, { KEY_ELAPSED_NS, elapsed, 1 },
		{ KEY_CALLS, FACT_RECORDS_CLAIMED, 1 }, { KEY_OVERHEAD, FACT_CLOCK_OVERHEAD, 1 },
		{ KEY_PID, FACT_PID, 1 }, { KEY_ALLOC_COUNT, FACT_ALLOC_COUNT, 1 },
		{ KEY_ALLOC_SIZE, FACT_ALLOC_SIZE, 1 },
		{ KEY_GC_COUNT, FACT_GC_COUNT, 1 },
	};
	const char *clock = t->clocks == 1 << CLOCK_WALL ? "wall" :
	    t->clocks == 1 << CLOCK_CPU ? "thread-cpu" : "dual";
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = STR("Android method trace") },
		{ FACT_KIND, .text = str_of(t->kind) },
		{ FACT_VERSION, t->version },
		{ FACT_CLOCK, .text = str_of(clock) },
		{ FACT_CLOCK_GUESSED, 0, MAKE_ANY, t->guessed ? STR("the file does not name its clocks") : STR("") },
		{ FACT_RECORDS, t->records },
		{ FACT_RECORD_SIZE, t->layout.kind == LAYOUT_FIXED ? t->recsize : 0, MAKE_ANY },
		{ FACT_THREADS_LISTED, t->nthreads },
		{ FACT_METHODS_LISTED, t->method_lines },
	};
	uint64_t v;

	if (!make_facts(t->st, facts, NELEM(facts), err))
		return false;
	/* Missing and non-numeric keys add no fact. */
	for (size_t i = 0; i < NELEM(keys); i++)
		if (header_number(t->key[keys[i].key], keys[i].key, &v) && !fact_set(t->st, keys[i].fact,
		    v > UINT64_MAX / keys[i].unit ? UINT64_MAX : v * keys[i].unit, err))
			return false;
	return t->key[KEY_VM].n == 0 || fact_set_text(t->st, FACT_VM, t->key[KEY_VM], err);
}

static bool
repair_facts(struct trace *t, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_REPAIR_DUP_TIDS, t->dup_tids },
		{ FACT_REPAIR_RENAMES, t->renames },
		{ FACT_REPAIR_BAD_LINES, t->bad_lines },
		{ FACT_REPAIR_TRAILING, t->trailing },
		{ FACT_LOSS_OVERFLOW, trace_overflowed(t) },
		{ FACT_LOSS_TAIL_BYTES, t->lost_bytes },
		{ FACT_LOSS_RECORDS, t->lost_records },
		{ FACT_LOSS_NO_SUMMARY, t->no_summary },
		{ FACT_LOSS_CUT_TEXT, t->cut_text },
		{ FACT_LOSS_MANGLED, t->mangled },
	};

	return unread_facts(&t->unread, t->st, err) && make_facts(t->st, facts, NELEM(facts), err);
}

/* The MiB of a buffer that holds eight times as much as the full one did; an int of Java counts its bytes. */
static unsigned
trace_larger_buffer(const struct trace *t)
{
	unsigned mib = 1;

	while (mib < 1024 && (uint64_t)mib << 20 < 8 * t->records * t->recsize)
		mib *= 2;
	return mib;
}

/* A sentence for the status line and standard error. */
static bool
trace_loss_reason(struct trace *t, struct err *err)
{
	char text[256], records[NUM_TEXT], lost[NUM_TEXT];
	unsigned long long at = t->lost_at, size = t->size, tail = t->lost_bytes;

	assert(t->lost_at <= t->size && t->lost_bytes <= t->size);
	num_show_count(records, sizeof records, t->records);
	num_show_count(lost, sizeof lost, t->lost_records);
	if (t->mangled)
		snprintf(text, sizeof text,
		    "damaged by UTF-8 conversion from byte %llu on; copy the file as binary (no records read)", at);
	else if (t->cut_text)
		snprintf(text, sizeof text, "truncated at byte %llu, before the first record", at);
	else if (tail > 0 && t->crlf)
		snprintf(text, sizeof text,
		    "CR LF damage? %llu bytes at %llu of %llu are not a record; copy the file as "
		    "binary; %s records read", tail, at, size, records);
	else if (tail > 0)
		snprintf(text, sizeof text, "truncated: incomplete record of %llu bytes at %llu of %llu; %s records "
		    "read", tail, at, size, records);
	else if (t->lost_records > 0)
		snprintf(text, sizeof text, "truncated at byte %llu: %s records that the header counts are missing; "
		    "%s records read", size, lost, records);
	else if (t->no_summary)
		snprintf(text, sizeof text, "truncated at byte %llu: no end summary; %s records read", size, records);
	else if (trace_overflowed(t))
		snprintf(text, sizeof text, "buffer full: later events were lost while recording; %s records read; "
		    "use startMethodTracing(path, %u << 20) or startMethodTracingSampling", records,
		    trace_larger_buffer(t));
	else
		return true;
	return fact_set_text(t->st, FACT_LOSS_REASON, str_of(text), err);
}

static bool
trace_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct trace t = { .st = st, .work = w, .data = m->data, .size = m->size, .tick = 1000 };
	bool ok;

	ok = read_container(&t, err) && trace_tables(&t, err) && layout_facts(&t, err) && header_facts(&t, err) &&
	    repair_facts(&t, err) && trace_loss_reason(&t, err) && make_whole(st, t.records, err);
	idmap_free(&t.ids);
	idmap_free(&t.tids);
	SCRATCH_FREE(&t.methods, &t.threads, &t.segments);
	return ok;
}

const struct loader load_trace = {
	"trace", "Android method trace (ART, Dalvik): .trace versions 1 to 5, also streaming",
	SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS, trace_sniff, trace_load
};
