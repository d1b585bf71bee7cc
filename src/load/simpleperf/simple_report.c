/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple_report: the report of simpleperf, as written by "report-sample --protobuf" and Android Studio.
 *
 * Files, threads and events come in any order, and usually last: a first pass reads them, a second one the
 * samples.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/shape.h"
#include "simpleperf.h"

enum { HEAD = 12, TICK = 1024 };
enum report_kind { REPORT_SAMPLE = 1, REPORT_LOST, REPORT_FILE, REPORT_THREAD, REPORT_META, REPORT_SWITCH };
enum execution { NATIVE, INTERPRETED, COMPILED, RUNTIME, EXECUTIONS };

#define SAMPLE(F) F(1, time, U64) F(2, thread, U64) F(3, chain, NONE) F(4, weight, U64) F(5, event, U64) F(6, broken, \
    FLAG)
#define ENTRY(F) F(1, address, NONE) F(2, file, U64) F(3, symbol, U64) F(4, execution, U64)
#define LOST(F) F(1, samples, U64) F(2, lost, U64)
#define FILES(F) F(1, id, U64) F(2, path, BYTES) F(3, symbols, NONE) F(4, mangled, NONE)
#define THREAD(F) F(1, id, U64) F(2, process, U64) F(3, name, BYTES)
#define META(F) F(1, events, NONE) F(2, app, BYTES) F(3, type, BYTES) F(4, sdk, BYTES) F(5, build, BYTES) F(6, \
    off_cpu, U64)
#define SWITCH(F) F(1, on, U64) F(2, time, U64) F(3, thread, U64)
SHAPE(report_sample, "Sample", SAMPLE)
SHAPE(report_entry, "CallChainEntry", ENTRY)
SHAPE(report_lost, "LostSituation", LOST)
SHAPE(report_files, "File", FILES)
SHAPE(report_threads, "Thread", THREAD)
SHAPE(report_meta, "MetaInfo", META)
SHAPE(report_switch, "ContextSwitch", SWITCH)

/* The frame is made when it is first needed; of another kind it is searched. */
struct report_symbol {
	struct str	name;
	uint32_t	frame;
	char		kind;
};

struct report_file {
	struct str	path;
	uint64_t	first, n;	/* symbols: first is that without a name */
};

struct report_thread {
	struct str	name;
	uint32_t	pid, id;	/* id: of the profile; 0: not made yet */
};

struct reporting {
	struct simple	*p;
	struct scratch	 files, symbols, threads;
	uint64_t	 nfiles, nsymbols, nthreads;
	struct idmap	 by_file, by_tid;
	struct str	 meta;
	uint64_t	 told;		/* number of samples, as the file says */
};

/* ---- records ----------------------------------------------------------------------------------------- */

/* Take the next record.  False: the end, or a record that is incomplete. */
static bool
report_next(struct str *rest, struct str *record)
{
	uint32_t n = rest->n < 4 ? 0 : le32((const uint8_t *)rest->s);

	if (n == 0 || n > rest->n - 4)
		return false;
	*record = (struct str){ rest->s + 4, n };
	*rest = str_after(*rest, 4 + (size_t)n);
	return true;
}

/* The message in a record, of which the last one counts; 0: damaged, or of no known kind. */
static unsigned
report_message(struct str record, struct str *message, bool *bad)
{
	unsigned kind = 0;

	PROTO_EACH(record, w) {
		*bad |= w.bad;
		if (w.f.number <= REPORT_SWITCH && w.f.wire == PROTO_BYTES) {
			kind = (unsigned)w.f.number;
			*message = w.f.in;
		}
	}
	return kind;
}

/* Whether all fields of a record are whole. */
static bool
report_is_whole(struct str record)
{
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&record, &f, &bad))
		;
	return !bad;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static bool
report_add_symbol(struct reporting *r, struct str name, struct err *err)
{
	const struct report_symbol new = { .name = name };

	return make_add(&r->symbols, &r->nsymbols, &new, sizeof new, UINT32_MAX, "symbols", err);
}

static bool
report_add_file(struct reporting *r, struct str message, struct err *err)
{
	struct report_file new = { .first = r->nsymbols };
	struct report_files f;

	if (!report_files_read(message, &f, &r->p->unread)) {
		r->p->count[SIMPLE_BAD]++;
		return true;
	}
	r->p->count[SIMPLE_IDS] += idmap_get(&r->by_file, (uint32_t)f.id) != 0;
	new.path = f.path;
	if (!report_add_symbol(r, STR(""), err))
		return false;
	SHAPE_EACH(message, 3, name)
		if (!report_add_symbol(r, name, err))
			return false;
	new.n = r->nsymbols - new.first;
	return make_add(&r->files, &r->nfiles, &new, sizeof new, MAKE_MOST, "files", err) &&
	    idmap_put(&r->by_file, (uint32_t)f.id, (uint32_t)r->nfiles, err);
}

static bool
report_add_thread(struct reporting *r, struct str message, struct err *err)
{
	struct report_thread new = { .id = 0 };
	struct report_threads t;

	if (!report_threads_read(message, &t, &r->p->unread)) {
		r->p->count[SIMPLE_BAD]++;
		return true;
	}
	new.pid = (uint32_t)t.process;
	new.name = t.name;
	return make_add(&r->threads, &r->nthreads, &new, sizeof new, MAKE_MOST, "threads", err) &&
	    idmap_put(&r->by_tid, (uint32_t)t.id, (uint32_t)r->nthreads, err);
}

static void
report_add_lost(struct reporting *r, struct str message)
{
	struct report_lost l;

	r->p->count[SIMPLE_BAD] += !report_lost_read(message, &l, &r->p->unread);
	r->told = num_add(r->told, l.samples);
	r->p->count[SIMPLE_LOST] = num_add(r->p->count[SIMPLE_LOST], l.lost);
}

static bool
report_put_meta(struct reporting *r, struct err *err)
{
	struct simple *p = r->p;
	struct report_meta m;

	p->count[SIMPLE_BAD] += !report_meta_read(r->meta, &m, &p->unread);
	p->off_cpu = m.off_cpu != 0;
	p->app = m.app;
	if (m.sdk.n > 0)
		(void)buf_set(&p->system, STR("Android, SDK "), m.sdk, m.build.n > 0 ? STR(", ") : STR(""),
		    m.build);
	SHAPE_EACH(r->meta, 1, name)
		if (!simple_event(p, name, err))
			return false;
	return true;
}

/* The first pass. */
static bool
report_tables(struct reporting *r, struct str rest, struct err *err)
{
	struct simple *p = r->p;
	struct str record, message = STR("");
	struct proto_field first;
	uint64_t n = 0;

	work_start_bytes(p->s.work, "files and threads", rest.n);
	for (; report_next(&rest, &record); n++) {
		bool bad = false, whole = report_is_whole(record);
		unsigned kind = whole ? report_message(record, &message, &bad) : 0;

		assert(!bad);
		if (!work_each(p->s.work, n, TICK, err))
			return false;
		p->count[SIMPLE_BAD] += !whole;
		if (whole && kind == 0)
			unread_add_number(&p->unread, UNREAD_RECORD, proto_next(&record, &first) ? first.number : 0, 1);
		if ((kind == REPORT_FILE && !report_add_file(r, message, err)) ||
		    (kind == REPORT_THREAD && !report_add_thread(r, message, err)))
			return false;
		if (kind == REPORT_LOST)
			report_add_lost(r, message);
		if (kind == REPORT_META)
			r->meta = message;
	}
	if (rest.n >= 4 && le32((const uint8_t *)rest.s) == 0)
		p->count[SIMPLE_TRAILING] = rest.n - 4;
	else {
		p->count[SIMPLE_TAIL] = rest.n;
		p->count[SIMPLE_NO_NAMES] = r->nfiles == 0 || rest.n == 0;
	}
	return report_put_meta(r, err);
}

/* ---- samples ----------------------------------------------------------------------------------------- */

static char
report_kind(const struct report_entry *e, struct str path)
{
	static const char kinds[EXECUTIONS] = { [INTERPRETED] = '0', [COMPILED] = 'j', [RUNTIME] = 'a' };
	char kind = simple_kind(path);

	return !e->has_execution || e->execution >= EXECUTIONS || (e->execution == NATIVE && kind == 'k') ?
	    kind :
	    kinds[e->execution];
}

/* The frame of an entry; 0: failure. */
static uint32_t
report_frame(struct reporting *r, const struct report_entry *e, struct err *err)
{
	uint32_t row = idmap_get(&r->by_file, (uint32_t)e->file), symbol = (uint32_t)e->symbol;
	const struct report_file *f;
	struct report_symbol *s;
	char kind;

	if (row == 0) {
		r->p->count[SIMPLE_INDEX]++;
		return simple_frame(r->p, STR("[unknown]"), STR(""), STR(""), 0, err);
	}
	f = &SCRATCH(r->files, struct report_file)[row - 1];
	assert(row <= r->nfiles && f->n > 0 && f->first + f->n <= r->nsymbols);
	kind = report_kind(e, f->path);
	r->p->count[SIMPLE_INDEX] += symbol <= INT32_MAX && symbol >= f->n - 1;
	s = &SCRATCH(r->symbols, struct report_symbol)[f->first + (symbol < f->n - 1 ? symbol + 1 : 0)];
	r->p->count[SIMPLE_UNNAMED] += s->name.n == 0;
	if (s->frame == 0 || s->kind != kind) {
		s->frame = simple_frame(r->p, s->name, f->path, f->path, kind, err);
		s->kind = kind;
	}
	return s->frame;
}

/* False: failure, or *bad: the sample is damaged. */
static bool
report_stack(struct reporting *r, struct str message, uint32_t *stack, bool *bad, struct err *err)
{
	struct report_entry e;
	uint64_t n = 0;

	SHAPE_EACH(message, 3, entry) {
		uint32_t frame;

		if (!report_entry_read(entry, &e, &r->p->unread)) {
			*bad = true;
			return true;
		}
		frame = report_frame(r, &e, err);
		if (frame == 0 || !scratch_add(&r->p->frames, &n, &frame, sizeof frame, err))
			return false;
	}
	return simple_stack(r->p, n, stack, err);
}

static uint32_t
report_thread(struct reporting *r, uint32_t tid, struct err *err)
{
	uint32_t row = idmap_get(&r->by_tid, tid);
	struct report_thread *t;

	if (row == 0) {
		r->p->count[SIMPLE_THREAD]++;
		return samples_thread(&r->p->s, 0, tid, STR(""), err);
	}
	t = &SCRATCH(r->threads, struct report_thread)[row - 1];
	if (t->id == 0)
		t->id = samples_thread(&r->p->s, t->pid, tid, t->name, err);
	return t->id;
}

static bool
report_add_sample(struct reporting *r, struct str message, struct err *err)
{
	struct simple *p = r->p;
	struct report_sample is;
	struct sample s = { .offset = (uint64_t)(message.s - p->file.s) };
	bool bad = !report_sample_read(message, &is, &p->unread);

	assert(s.offset < p->file.n || message.n == 0);
	if (!bad && !report_stack(r, message, &s.stack, &bad, err))
		return false;
	if (bad) {
		p->count[SIMPLE_BAD]++;
		return true;
	}
	p->count[SIMPLE_BROKEN] += is.broken;
	s.time = is.time;
	s.weight = is.weight < WEIGHT_MOST ? is.weight : WEIGHT_MOST;
	s.event = simple_event_at(p, (uint32_t)is.event, err);
	s.thread = s.event == 0 ? 0 : report_thread(r, (uint32_t)is.thread, err);
	return s.thread != 0 && simple_sample(p, &s, (uint32_t)is.thread, (uint32_t)is.event, err);
}

static bool
report_add_switch(struct reporting *r, struct str message, struct err *err)
{
	struct report_switch s;

	if (!report_switch_read(message, &s, &r->p->unread)) {
		r->p->count[SIMPLE_BAD]++;
		return true;
	}
	r->p->count[SIMPLE_SWITCHES]++;
	return s.on == 0 || simple_switch(r->p, s.time, (uint32_t)s.thread, err);
}

/* The second pass. */
static bool
report_samples(struct reporting *r, struct str rest, struct err *err)
{
	struct work *w = r->p->s.work;
	struct str record, message = STR("");
	uint64_t whole = rest.n, n = 0;

	work_start_bytes(w, "samples", whole);
	for (; report_next(&rest, &record); n++) {
		bool bad = false;
		unsigned kind = report_is_whole(record) ? report_message(record, &message, &bad) : 0;

		assert(rest.n < whole && !bad);
		if (n % TICK == 0 && !work_go(w, whole - rest.n, err))
			return false;
		if ((kind == REPORT_SAMPLE && !report_add_sample(r, message, err)) ||
		    (kind == REPORT_SWITCH && !report_add_switch(r, message, err)))
			return false;
	}
	r->p->count[SIMPLE_MISCOUNT] = r->told != 0 && r->told != r->p->nsamples;
	return true;
}

bool
simple_report(struct simple *p, struct err *err)
{
	struct reporting r = { .p = p, .meta = STR("") };
	struct str records;
	bool ok;

	if (p->file.n < HEAD)
		return fail(err, E_UNREADABLE, "a report of simpleperf, truncated in its head");
	if (le16((const uint8_t *)p->file.s + HEAD - 2) != 1)
		return fail(err, E_UNREADABLE, "a report of simpleperf of version %u (unsupported)",
		    (unsigned)le16((const uint8_t *)p->file.s + HEAD - 2));
	records = str_after(p->file, HEAD);
	ok = report_tables(&r, records, err) && report_samples(&r, records, err);
	SCRATCH_FREE(&r.files, &r.symbols, &r.threads);
	idmap_free(&r.by_file);
	idmap_free(&r.by_tid);
	return ok;
}
