/*
 * Loader for Android method traces (ART and Dalvik).
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "trace.h"

/* A word of the version field of files that begin with SLOW. */
static bool
is_stream(unsigned version)
{
	return version >= 0xf1 && version <= 0xf3;
}

static bool
is_v2(unsigned version)
{
	return version == 4 || version == 5 || version == 0xf4 || version == 0xf5;
}

static bool
sniff(const uint8_t *head, size_t n)
{
	if (n >= 9 && memcmp(head, "*version", 8) == 0 &&
	    (head[8] == '\n' || head[8] == '\r'))
		return true;
	return n >= 4 && memcmp(head, "SLOW", 4) == 0;
}

static bool
read_container(struct trace *t, struct err *err)
{
	work_start(t->work, "trace", t->size);
	if (t->data[0] == '*')
		return trace_regular(t, err);
	if (t->size < 32)
		return fail_at(err, E_INPUT, t->size, "method trace, cut in its "
		    "header: %llu of 32 bytes", (unsigned long long)t->size);
	t->version = le16(t->data + 4);
	if (is_stream(t->version))
		return trace_stream(t, err);
	if (is_v2(t->version))
		return trace_v2(t, err);
	if (t->version >= 1 && t->version <= 3)
		return fail(err, E_INPUT, "the .data half of a two-file method "
		    "trace; put its .key file in front: cat NAME.key NAME.data");
	return fail(err, E_INPUT, "method trace of version 0x%x, which is not "
	    "known", t->version);
}

/* ---- what is kept ------------------------------------------------------------------ */

/* How to read the records again; for the program only. */
static bool
layout_facts(struct trace *t, struct err *err)
{
	const struct make_fact facts[] = {
		{ "trace.tick", t->tick },
		{ "trace.clocks", t->clocks },
		{ "trace.wide", t->wide },
		{ "trace.freq", t->freq },
		{ "trace.layout", t->layout.kind },
		{ "trace.recsize", t->layout.kind == LAYOUT_FIXED ?
		    t->recsize : t->layout.recsize },
		{ "trace.tidsize", t->layout.tidsize },
		{ "trace.wall_at", t->layout.wall_at },
		{ "trace.cpu_at", t->layout.cpu_at },
	};

	return make_facts(t->st, facts, NELEM(facts), err);
}

static const char *
clock_name(const struct trace *t)
{
	return t->clocks == 1 << CLOCK_WALL ? "wall" :
	    t->clocks == 1 << CLOCK_CPU ? "thread-cpu" : "dual";
}

/* The value of a key as a number, times unit; absent or odd values say nothing. */
static bool
key_fact(struct trace *t, enum trace_key key, const char *name,
    enum fact_type type, uint64_t unit, struct err *err)
{
	uint64_t v;

	if (!num_u64(t->key[key], 10, &v))
		return true;
	v = v > UINT64_MAX / unit ? UINT64_MAX : v * unit;
	return store_fact(t->st, name, type, v, err);
}

static bool
header_facts(struct trace *t, struct err *err)
{
	struct store *st = t->st;

	return store_fact_text(st, "format", STR("Android method trace"), err) &&
	    store_fact_text(st, "kind", str_of(t->kind), err) &&
	    store_fact(st, "version", FACT_COUNT, t->version, err) &&
	    store_fact_text(st, "clock", str_of(clock_name(t)), err) &&
	    store_fact(st, "records", FACT_COUNT, t->records, err) &&
	    (t->layout.kind != LAYOUT_FIXED ||
	    store_fact(st, "record_size", FACT_BYTES, t->recsize, err)) &&
	    store_fact(st, "threads_listed", FACT_COUNT, t->nthreads, err) &&
	    store_fact(st, "methods_listed", FACT_COUNT, t->method_lines, err) &&
	    key_fact(t, KEY_ELAPSED_US, "elapsed", FACT_TIME, 1000, err) &&
	    key_fact(t, KEY_ELAPSED_NS, "elapsed", FACT_TIME, 1, err) &&
	    key_fact(t, KEY_CALLS, "records_claimed", FACT_COUNT, 1, err) &&
	    key_fact(t, KEY_OVERHEAD, "clock_overhead", FACT_TIME, 1, err) &&
	    key_fact(t, KEY_PID, "pid", FACT_COUNT, 1, err) &&
	    (t->key[KEY_VM].n == 0 ||
	    store_fact_text(st, "vm", t->key[KEY_VM], err));
}

static bool
repair_facts(struct trace *t, struct err *err)
{
	const struct make_fact facts[] = {
		{ "repair.overflow", str_eq(t->key[KEY_OVERFLOW], STR("true")) },
		{ "repair.dup_tids", t->dup_tids },
		{ "repair.renames", t->renames },
		{ "repair.bad_lines", t->bad_lines },
		{ "repair.trailing", t->trailing },
		{ "loss.tail_bytes", t->lost_bytes },
		{ "loss.no_summary", t->no_summary },
		{ "loss.cut_text", t->cut_text },
		{ "loss.mangled", t->mangled },
	};

	return make_facts(t->st, facts, NELEM(facts), err);
}

/* One sentence for the status line and for stderr. */
static bool
loss_reason(struct trace *t, struct err *err)
{
	char text[256], records[NUM_TEXT];
	unsigned long long at = t->lost_at, size = t->size, tail = t->lost_bytes;

	assert(t->lost_at <= t->size && t->lost_bytes <= t->size);
	num_show_count(records, sizeof records, t->records);
	if (t->mangled)
		snprintf(text, sizeof text, "binary part went through a UTF-8 "
		    "text conversion from byte %llu on; copy the file again as "
		    "binary; threads and methods read, no record", at);
	else if (t->cut_text)
		snprintf(text, sizeof text, "truncated at byte %llu, before the "
		    "first record; threads and methods read", at);
	else if (tail > 0 && t->crlf)
		snprintf(text, sizeof text, "%llu bytes at byte %llu of %llu are "
		    "no whole record, and text lines end in CR LF: was it copied "
		    "as text? %s records read", tail, at, size, records);
	else if (tail > 0)
		snprintf(text, sizeof text, "%llu bytes at byte %llu of %llu are "
		    "no whole record; %s records read", tail, at, size, records);
	else if (t->no_summary)
		snprintf(text, sizeof text, "truncated at byte %llu: no summary "
		    "at the end; %s records read", size, records);
	else
		return true;
	return store_fact_text(t->st, "loss.reason", str_of(text), err);
}

static bool
load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct trace t = { .st = st, .work = w, .data = m->data, .size = m->size, .tick = 1000 };
	bool ok;

	ok = read_container(&t, err) && trace_tables(&t, err) &&
	    layout_facts(&t, err) &&
	    header_facts(&t, err) && repair_facts(&t, err) &&
	    loss_reason(&t, err);
	idmap_free(&t.ids);
	idmap_free(&t.tids);
	MAKE_FREE(&t.methods, &t.threads, &t.segments);
	return ok;
}

const struct loader load_trace = {
	"trace", "Android method trace (ART, Dalvik): .trace of versions 1 to 5, streaming too",
	SHAPE_CALLS | SHAPE_INTERVALS | SHAPE_TRACKS | SHAPE_ROWS, sniff, load
};
