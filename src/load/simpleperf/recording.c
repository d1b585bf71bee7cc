/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recording: the records of perf.data of simpleperf, in the order of the file.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/inflate.h"
#include "recording.h"

enum { HEAD = 8, TICK = 16, OWN_TYPES = 32768, JIT_SYMBOLS = 0x4000, OUT = 0x2000, CPU_MODES = 7,
    KERNEL_MODE = 1 };
enum record_type {
	MMAP = 1, LOST, COMM, EXIT, THROTTLE, UNTHROTTLE, FORK, SAMPLE = 9, MMAP2, LOST_SAMPLES = 13, SWITCH,
	SWITCH_CPU_WIDE, FINISHED_ROUND = 68, AUXTRACE = 71, COMPRESSED = 81,
	KALLSYMS = OWN_TYPES + 1, SYMBOL = OWN_TYPES + 3, SPLIT, SPLIT_END
};

/* Bits of attribute.samples, in the order of the fields that matter here, and of attribute.reads. */
enum { HAS_IP = 1, HAS_TID = 2, HAS_TIME = 4, HAS_ADDRESS = 8, HAS_READ = 16, HAS_CHAIN = 32, HAS_ID = 64,
    HAS_CPU = 128, HAS_PERIOD = 256, HAS_STREAM = 512, HAS_IDENTIFIER = 65536 };
enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

/* Numbers in a chain from here on say where the next addresses are. */
#define CONTEXTS (UINT64_MAX - 4094)
#define CONTEXT_KERNEL (UINT64_MAX - 127)
#define CONTEXT_USER (UINT64_MAX - 511)

#define UNPACKED_MOST ((size_t)1 << 30)	/* bytes of compressed records */

/* A record: its fields, which are taken from the front. */
struct raw {
	uint32_t	type;
	unsigned	misc;
	struct str	in;
	uint64_t	at;		/* in the file */
	bool		bad;
};

static uint64_t
recording_take(struct raw *d, size_t bytes)
{
	uint64_t v = 0;

	assert(bytes == 4 || bytes == 8);
	d->bad |= d->in.n < bytes;
	if (!d->bad) {
		v = bytes == 8 ? le64((const uint8_t *)d->in.s) : le32((const uint8_t *)d->in.s);
		d->in = str_after(d->in, bytes);
	}
	return v;
}

static void
recording_skip(struct raw *d, bool is, uint64_t bytes)
{
	if (is) {
		d->bad |= d->in.n < bytes;
		d->in = str_after(d->in, d->bad ? d->in.n : (size_t)bytes);
	}
}

static struct str
recording_take_name(struct raw *d)
{
	struct str name = str_until(d->in, '\0');

	d->bad |= name.n == d->in.n;
	return name;
}

/* Take the head of a record and its fields; false: it is incomplete. */
static bool
recording_next(struct str *rest, struct raw *d)
{
	const uint8_t *p = (const uint8_t *)rest->s;
	uint32_t size;

	if (rest->n < HEAD)
		return false;
	*d = (struct raw){ .type = le32(p), .misc = le16(p + 4) };
	size = le16(p + 6);
	if (d->type >= OWN_TYPES) {
		size |= d->misc << 16;
		d->misc = 0;
	}
	if (size < HEAD || size > rest->n)
		return false;
	d->in = (struct str){ rest->s + HEAD, size - HEAD };
	*rest = str_after(*rest, size);
	return true;
}

/* ---- processes and threads --------------------------------------------------------------------------- */

static bool
recording_add_map(struct simple_file *r, struct raw *d, struct err *err)
{
	struct code_map m = { .pid = (uint32_t)recording_take(d, 4) };
	uint64_t length;
	struct str path;
	bool kernel = (d->misc & CPU_MODES) == KERNEL_MODE || m.pid == KERNEL_PID;

	(void)recording_take(d, 4);
	m.start = recording_take(d, 8);
	length = recording_take(d, 8);
	m.offset = recording_take(d, 8);
	if (d->type == MMAP2) {
		recording_skip(d, true, 24);
		m.plain = (recording_take(d, 4) & JIT_SYMBOLS) != 0;
		recording_skip(d, true, 4);
	}
	path = recording_take_name(d);
	if (d->bad)
		return true;
	m.end = num_add(m.start, length);
	m.pid = kernel ? KERNEL_PID : m.pid;
	m.object = recording_object(r, !kernel && str_is(path, "//anon") ? STR("[unknown]") : path, kernel,
	    err);
	return m.object != 0 && code_maps_add(&r->maps, &m, err);
}

static struct str
name_of_task(const struct simple_file *r, uint32_t tid)
{
	uint32_t row = idmap_get(&r->by_tid, tid);

	assert(row <= r->nnames);
	return row == 0 ? STR("") : SCRATCH(r->names, struct str)[row - 1];
}

static bool
name_task(struct simple_file *r, uint32_t tid, struct str name, struct err *err)
{
	return make_add(&r->names, &r->nnames, &name, sizeof name, UINT32_MAX, "names of threads", err) &&
	    idmap_put(&r->by_tid, tid, (uint32_t)r->nnames, err);
}

static bool
recording_add_name(struct simple_file *r, struct raw *d, struct err *err)
{
	struct str name;
	uint32_t tid;

	(void)recording_take(d, 4);
	tid = (uint32_t)recording_take(d, 4);
	name = recording_take_name(d);
	return d->bad || name_task(r, tid, name, err);
}

/* A new thread has the name of the one that made it, until it gets its own. */
static bool
recording_add_fork(struct simple_file *r, struct raw *d, struct err *err)
{
	uint32_t pid = (uint32_t)recording_take(d, 4), parent = (uint32_t)recording_take(d, 4);
	uint32_t tid = (uint32_t)recording_take(d, 4), from = (uint32_t)recording_take(d, 4);

	if (d->bad)
		return true;
	if (pid != parent && !code_maps_fork(&r->maps, pid, parent, err))
		return false;
	return idmap_get(&r->by_tid, tid) != 0 || idmap_get(&r->by_tid, from) == 0 ||
	    name_task(r, tid, name_of_task(r, from), err);
}

/* Time and thread are at the end of a record, with the fields that all events have. */
static bool
recording_add_switch(struct simple_file *r, struct raw *d, struct err *err)
{
	uint64_t fields = SCRATCH(r->attributes, struct attribute)->samples;
	uint64_t at_end = fields & (HAS_TID | HAS_TIME | HAS_ID | HAS_STREAM | HAS_CPU | HAS_IDENTIFIER);
	uint64_t behind = 8 * (uint64_t)__builtin_popcountll(at_end), time;
	uint32_t tid;

	r->p->count[SIMPLE_SWITCHES]++;
	if ((fields & (HAS_TID | HAS_TIME)) != (HAS_TID | HAS_TIME) || (d->misc & OUT) != 0)
		return true;
	d->bad |= d->in.n < behind;
	recording_skip(d, true, d->in.n - (d->bad ? d->in.n : behind) + 4);
	tid = (uint32_t)recording_take(d, 4);
	time = recording_take(d, 8);
	return d->bad || simple_switch(r->p, time, tid, err);
}

/* ---- samples ----------------------------------------------------------------------------------------- */

/* The place of the event's id is the same in samples of all events. */
static uint64_t
attribute_of(const struct simple_file *r, const struct raw *d)
{
	uint64_t fields = SCRATCH(r->attributes, struct attribute)->samples;
	uint64_t at = fields & HAS_IDENTIFIER ? 0 :
	    8 * (uint64_t)__builtin_popcountll(fields & (HAS_IP | HAS_TID | HAS_TIME | HAS_ADDRESS));
	uint32_t row = 0;

	assert(r->nattributes > 0);
	if (r->nattributes > 1 && (fields & (HAS_IDENTIFIER | HAS_ID)) != 0 && d->in.n >= 8 &&
	    at <= d->in.n - 8)
		row = idmap_get(&r->by_id, le64((const uint8_t *)d->in.s + at));
	assert(row <= r->nattributes);
	return row == 0 ? 0 : row - 1;
}

static void
recording_skip_read(struct raw *d, uint64_t form)
{
	uint64_t n = 1, times, each = 8 * (uint64_t)(1 + ((form & READ_ID) != 0) + ((form & READ_LOST) != 0));

	if (form & READ_GROUP) {
		n = recording_take(d, 8);
		d->bad |= n > d->in.n / each;
	}
	times = 8 * (uint64_t)(((form & READ_ENABLED) != 0) + ((form & READ_RUNNING) != 0));
	recording_skip(d, true, d->bad ? 0 : times + n * each);
}

static bool
recording_add_place(struct simple_file *r, uint32_t pid, uint64_t address, uint64_t *n, struct err *err)
{
	const struct code_place new = recording_place(r, code_maps_find(&r->maps, pid, address), address);

	return scratch_add(&r->places, n, &new, sizeof new, err);
}

/* The first address of a chain repeats that of the sample. */
static bool
recording_read_chain(struct simple_file *r, struct raw *d, uint32_t pid, uint64_t ip, bool chain, uint64_t *n,
    struct err *err)
{
	bool kernel = (d->misc & CPU_MODES) == KERNEL_MODE, first = true;
	uint64_t left = chain ? recording_take(d, 8) : 0;

	*n = 0;
	d->bad |= left > d->in.n / 8;
	if (d->bad)
		return true;
	if (!recording_add_place(r, kernel ? KERNEL_PID : pid, ip, n, err))
		return false;
	for (; left > 0; left--) {
		uint64_t address = recording_take(d, 8);

		if (address >= CONTEXTS) {
			kernel = address == CONTEXT_KERNEL || (kernel && address != CONTEXT_USER);
			continue;
		}
		if ((!first || address != ip) && !recording_add_place(r, kernel ? KERNEL_PID : pid, address,
		    n, err))
			return false;
		first = false;
	}
	return true;
}

/* Each compiled method may have a file of its own in the cache. */
static struct str
module_of_object(const struct code_object *o)
{
	return str_is(o->path, "[unknown]") ? STR("") :
	    str_has(o->path, STR("jit_app_cache")) ? STR("[JIT app cache]") : o->path;
}

static uint32_t
frame_of_place(struct simple_file *r, const struct code_place *p, struct err *err)
{
	const struct code_object *o = &SCRATCH(r->objects, struct code_object)[p->object - 1];
	struct code_symbol *s = &SCRATCH(r->symbols, struct code_symbol)[p->symbol];
	/* The list of the kernel has symbols of other objects, too. */
	bool own = p->symbol >= o->first && p->symbol <= o->first + o->n;
	char kind = o->type == OBJECT_DEX ? '0' : o->type <= OBJECT_MODULE ? 'k' : o->art ? 'a' : o->java ?
	    'j' : simple_kind(o->path);

	assert(p->symbol < r->nsymbols && p->object <= r->nobjects);
	r->p->count[SIMPLE_UNNAMED] += s->name.n == 0 && p->object != 1;
	if (own && s->frame != 0)
		return s->frame;
	return s->frame = simple_frame(r->p, s->name, o->path, module_of_object(o), kind, err);
}

static bool
recording_stack(struct simple_file *r, uint64_t n, uint32_t *stack, struct err *err)
{
	struct code_place *p = SCRATCH(r->places, struct code_place);
	uint64_t kept = 0;

	art_frames_drop(r, p, n);
	for (uint64_t i = 0; i < n; i++) {
		uint32_t frame = p[i].dropped ? 0 : frame_of_place(r, &p[i], err);

		if (p[i].dropped)
			continue;
		if (frame == 0 || !scratch_add(&r->p->frames, &kept, &frame, sizeof frame, err))
			return false;
	}
	return simple_stack(r->p, kept, stack, err);
}

static bool
recording_add_sample(struct simple_file *r, struct raw *d, struct err *err)
{
	uint64_t number = attribute_of(r, d), fields, ip, n;
	const struct attribute *a = &SCRATCH(r->attributes, struct attribute)[number];
	struct sample s = { .offset = d->at, .weight = 1 };
	uint32_t pid = 0, tid = 0;

	fields = a->samples;
	recording_skip(d, (fields & HAS_IDENTIFIER) != 0, 8);
	ip = fields & HAS_IP ? recording_take(d, 8) : 0;
	if (fields & HAS_TID) {
		pid = (uint32_t)recording_take(d, 4);
		tid = (uint32_t)recording_take(d, 4);
	}
	if (fields & HAS_TIME)
		s.time = recording_take(d, 8);
	r->p->timeless |= (fields & HAS_TIME) == 0;
	recording_skip(d, true,
	    8 * (uint64_t)__builtin_popcountll(fields & (HAS_ADDRESS | HAS_ID | HAS_STREAM | HAS_CPU)));
	if (fields & HAS_PERIOD)
		s.weight = recording_take(d, 8);
	if (fields & HAS_READ)
		recording_skip_read(d, a->reads);
	if (d->bad || !recording_read_chain(r, d, pid, ip, (fields & HAS_CHAIN) != 0, &n, err) || d->bad)
		return d->bad;
	if (!recording_stack(r, n, &s.stack, err))
		return false;
	s.weight = s.weight < WEIGHT_MOST ? s.weight : WEIGHT_MOST;
	s.event = simple_event_at(r->p, number, err);
	s.thread = s.event == 0 ? 0 : samples_thread(&r->p->s, pid, tid, name_of_task(r, tid), err);
	return s.thread != 0 && simple_sample(r->p, &s, tid, number, err);
}

/* ---- records ----------------------------------------------------------------------------------------- */

static void
recording_count(struct simple_file *r, uint32_t type)
{
	static const char *const names[] = { "SYMBOL", "SPLIT", "SPLIT_END", "", "CALLCHAIN",
	    "UNWINDING_RESULT", "TRACING_DATA", "DEBUG" };

	if (type == THROTTLE || type == UNTHROTTLE)
		unread_add(&r->p->unread, UNREAD_RECORD,
		    str_of(type == THROTTLE ? "THROTTLE" : "UNTHROTTLE"), 1);
	else if (type >= SYMBOL && type - SYMBOL < NELEM(names)) {
		if (names[type - SYMBOL][0] != '\0')
			unread_add(&r->p->unread, UNREAD_RECORD, str_of(names[type - SYMBOL]), 1);
	} else if (type != EXIT && type != FINISHED_ROUND && type != AUXTRACE)
		unread_add_number(&r->p->unread, UNREAD_RECORD, type, 1);
}

static bool
recording_add_kernel(struct simple_file *r, struct raw *d, struct err *err)
{
	uint64_t n = recording_take(d, 4);
	struct str text = str_head(d->in, (size_t)n);

	d->bad |= text.n < n;
	return recording_kernel(r, text, err);
}

static void
recording_add_lost(struct simple_file *r, struct raw *d)
{
	recording_skip(d, d->type == LOST, 8);
	r->p->count[SIMPLE_LOST] = num_add(r->p->count[SIMPLE_LOST], recording_take(d, 8));
}

static bool
recording_read(struct simple_file *r, struct raw *d, struct err *err)
{
	bool ok = true;

	switch (d->type) {
	case MMAP: case MMAP2: ok = recording_add_map(r, d, err); break;
	case COMM: ok = recording_add_name(r, d, err); break;
	case FORK: ok = recording_add_fork(r, d, err); break;
	case LOST: case LOST_SAMPLES: recording_add_lost(r, d); break;
	case SWITCH: case SWITCH_CPU_WIDE: ok = recording_add_switch(r, d, err); break;
	case SAMPLE: ok = recording_add_sample(r, d, err); break;
	case KALLSYMS: ok = recording_add_kernel(r, d, err); break;
	default: recording_count(r, d->type); break;
	}
	r->p->count[SIMPLE_BAD] += ok && d->bad;
	return ok;
}

/*
 * The parts of a large record are complete.  Names of maps and threads must be in the file, and such records
 * are small.
 */
static bool
recording_read_joined(struct simple_file *r, uint64_t at, struct err *err)
{
	struct str all = buf_view(&r->joined);
	struct raw d = { .type = 0 };
	bool ok = !r->joined.bad || fail(err, E_SYSTEM, "out of memory (records)");

	if (!ok)
		return false;
	if (!recording_next(&all, &d))
		r->p->count[SIMPLE_BAD]++;
	else if (d.type == KALLSYMS) {
		/* The names of the symbols stay there. */
		if (!make_add(&r->kept, &r->nkept, &r->joined, sizeof r->joined, MAKE_MOST, "symbols", err))
			return false;
		r->joined = BUF_INIT;
		ok = recording_read(r, &d, err);
	} else if (d.type == SAMPLE) {
		d.at = at;
		ok = recording_read(r, &d, err);
	} else
		recording_count(r, d.type);
	buf_clear(&r->joined);
	return ok;
}

/* Records of a part of the file, or of unpacked data, which then are all at one place of it. */
static bool
recording_read_records(struct simple_file *r, struct str rest, bool packed, struct err *err)
{
	uint64_t all = rest.n;
	struct raw d;

	for (uint64_t n = 0; recording_next(&rest, &d); n++) {
		d.at = packed ? r->packed_at : (uint64_t)(d.in.s - HEAD - r->p->file.s);
		if (n % TICK == 0 && !work_go(r->p->s.work, packed ? 0 : all - rest.n, err))
			return false;
		assert(d.at < r->p->file.n);
		if (d.type == SPLIT)
			buf_str(&r->joined, d.in);
		else if (d.type == COMPRESSED && !packed) {
			r->packed_at = r->packed.n == 0 ? d.at : r->packed_at;
			buf_str(&r->packed, d.in);
		} else if (!(d.type == SPLIT_END ? recording_read_joined(r, d.at, err) : recording_read(r,
		    &d, err)))
			return false;
	}
	r->p->count[SIMPLE_TAIL] = num_add(r->p->count[SIMPLE_TAIL], rest.n);
	return true;
}

/* The content of compressed records is one stream. */
static bool
recording_read_packed(struct simple_file *r, struct inflated *out, struct err *err)
{
	if (r->packed.bad)
		return fail(err, E_SYSTEM, "out of memory (compressed records)");
	if (r->packed.n == 0)
		return true;
	if (inflate_lacks(INFLATE_ZSTD) != NULL)
		return fail(err, E_UNREADABLE,
		    "simpleperf: compressed records, but this icecore was built without %s",
		    inflate_lacks(INFLATE_ZSTD));
	if (!inflate_all(buf_view(&r->packed), INFLATE_ZSTD, r->packed.n, UNPACKED_MOST, out))
		r->p->count[SIMPLE_BAD]++;
	return recording_read_records(r, (struct str){ (const char *)out->data, out->n }, true, err);
}

static void
recording_close(struct simple_file *r)
{
	for (uint64_t i = 0; i < r->nkept; i++)
		buf_free(&SCRATCH(r->kept, struct buf)[i]);
	SCRATCH_FREE(&r->attributes, &r->objects, &r->symbols, &r->places, &r->names, &r->kept);
	idmap_free(&r->by_id);
	idmap_free(&r->by_path);
	idmap_free(&r->by_tid);
	code_maps_free(&r->maps);
	buf_free(&r->joined);
	buf_free(&r->packed);
}

bool
simple_recording(struct simple *p, struct err *err)
{
	const uint8_t *head = (const uint8_t *)p->file.s;
	struct simple_file r = { .p = p, .joined = BUF_INIT };
	uint64_t at = le64(head + 40), size = le64(head + 48);
	struct inflated out = { .data = NULL };
	struct str records = str_after(p->file, at < p->file.n ? (size_t)at : p->file.n);
	bool ok;

	p->count[SIMPLE_TAIL] = 0;
	ok = recording_attributes(&r, err) && recording_tables(&r, err);
	work_start_bytes(p->s.work, "records", records.n);
	ok = ok && recording_read_records(&r, str_head(records, size < records.n ? (size_t)size :
	    records.n), false, err) &&
	    recording_read_packed(&r, &out, err);
	p->count[SIMPLE_MAPS] = r.maps.deep;
	recording_close(&r);
	free(out.data);
	return ok;
}
