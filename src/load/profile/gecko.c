/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles in the format of Firefox: processes, threads and metadata.
 */
#include "config.h"

#include <stdio.h>

#include "icecore/columns_marks.h"
#include "icecore/facts.h"
#include "gecko.h"

#define NEST 8			/* maximum nesting of processes; files have two levels */
#define NEWEST_PROCESSED 70	/* later versions are read as if they were this one */
#define NEWEST_RAW 36

#define PROCESS(W, V, O) V(meta) V(libs) V(shared) V(threads) V(processes) V(counters) V(pid) V(sources)
#define META(W, V, O) \
	W(startTime) W(interval) W(preprocessedProfileVersion) W(version) W(product) \
	V(categories) V(markerSchema) V(sampleUnits)
#define UNITS(W, V, O) W(threadCPUDelta) W(time)
JLOAD_SHAPE(process, PROCESS)
JLOAD_SHAPE(meta, META)
JLOAD_SHAPE(units, UNITS)

/* Tables that every thread needs, by their names in the format. */
static const struct {
	enum gecko_name	 table;
	const char	*name;
} needed[] = { { GECKO_SAMPLES, "samples" }, { GECKO_STACKS, "stackTable" }, { GECKO_FRAMES, "frameTable" } };

/* State of reading one file. */
struct gecko_file {
	struct gecko	g;
	struct meta	meta;		/* metadata of the first process */
	const char	*lacks;		/* table missing in the first unreadable thread */
	uint64_t	lack;		/* number of the first unreadable thread */
};

/* ---- processes and threads -------------------------------------------------------------------------- */

static uint32_t
gecko_id_of(struct str s)
{
	uint64_t v;

	return num_u64(s, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
}

/* Add a new thread, even if its ids are texts or the same as another thread's. */
static void
gecko_add_thread(struct gecko *g)
{
	struct samples *s = &g->l->samples;
	const struct gecko_tables *t = &g->own;
	struct gecko_thread new = { .process = gecko_process(g, t->pid, t->process_name, t->process_type) };
	uint32_t pid = gecko_id_of(t->pid), tid = gecko_id_of(t->tid);
	struct str name = jload_text(g->l, t->name.n > 0 || tid != 0 ? t->name : t->tid);
	uint64_t before = s->nthreads, row;

	g->thread = INTO_ID(g->to, samples_thread(s, pid, tid, name, g->to->err));
	if (g->thread != 0 && s->nthreads == before) {
		g->thread = INTO_ID(g->to, samples_thread(s, UINT32_MAX - (uint32_t)before, tid, name, g->to->err));
		if (g->thread != 0)
			SCRATCH(s->threads, struct sample_thread)[g->thread - 1].pid = pid;
	}
	row = g->thread - 1;
	INTO_ROW(g->to, g->threads, row, new, "threads");
}

/* Return the name of the table that the thread lacks; NULL: none. */
static const char *
what_lacks(const struct gecko *g)
{
	for (size_t i = 0; i < NELEM(needed); i++)
		if (!g->own.table[needed[i].table].there && !g->shared.table[needed[i].table].there)
			return needed[i].name;
	return json_is(g->own.strings) || json_is(g->shared.strings) ? NULL : "stringTable";
}

/* Read the thread at j and advance j. */
static void
gecko_read_thread(struct gecko_file *f, struct json *j)
{
	struct gecko *g = &f->g;
	const char *lacks;

	gecko_tables_open(g->l, j, "threads", &g->own);
	g->l->cut |= g->own.cut;
	g->nthreads++;
	lacks = what_lacks(g);
	if (lacks != NULL) {
		f->lack = f->lacks == NULL ? g->nthreads : f->lack;
		f->lacks = f->lacks == NULL ? lacks : f->lacks;
		return;
	}
	g->counts.whole++;
	g->raw |= g->own.table[GECKO_SAMPLES].by_rows;
	gecko_add_thread(g);
	gecko_lookups(g);
	if (g->to->bad)
		return;
	gecko_samples(g);
	gecko_allocations(g, GECKO_JS);
	gecko_allocations(g, GECKO_NATIVE);
	gecko_markers(g);
}

static void
gecko_read_threads(struct gecko_file *f, struct json j)
{
	if (!scan_open(&j, '['))
		return;
	while (!f->g.to->bad && scan_item(&j)) {
		if (scan_peek(&j) == '{')
			gecko_read_thread(f, &j);
		else
			scan_skip(&j);
	}
	f->g.l->cut |= j.bad;
}

/* ---- meta ----------------------------------------------------------------------------------------------- */

static double
number(struct str word)
{
	double v;

	return gecko_number(word, &v) ? v : 0;
}

/* ns, or microseconds in either spelling, or cycles, which stay numbers. */
static void
read_units(struct gecko *g, struct json j)
{
	static const struct { const char *unit; double ns; } known[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "\302\265s", 1e3 }, { "\316\274s", 1e3 }, { "\\u00b5s", 1e3 },
		{ "\\u03bcs", 1e3 },
	};
	struct units at = units_read(g->l, j);
	struct str unit = at.threadCPUDelta;

	g->unit.cpu = 0;
	g->unit.cycles = str_eq(unit, STR("variable CPU cycles"));
	for (size_t i = 0; i < NELEM(known); i++)
		if (str_eq(unit, str_of(known[i].unit)))
			g->unit.cpu = known[i].ns;
	g->unit.offsets = str_eq(at.time, STR("bytes"));
}

static void
read_meta(struct gecko_file *f, struct json j)
{
	struct gecko *g = &f->g;
	struct meta at = meta_read(g->l, j);

	if (g->nprocesses == 0) {
		f->meta = at;
		g->start = number(at.startTime);
	}
	g->delta = at.has_startTime ? number(at.startTime) - g->start : 0;
	if (json_is(at.sampleUnits) || g->nprocesses == 0)
		read_units(g, at.sampleUnits);
	if (!json_is(at.categories) && g->nprocesses > 0)
		return;
	gecko_categories(g, at.categories);
	gecko_schema(g, at.markerSchema);
}

/* ---- nested processes ------------------------------------------------------------------------------------ */

/* Read one process.  Its shared tables may precede or follow its threads in the file. */
static struct process
read_process(struct gecko_file *f, struct json j)
{
	struct gecko *g = &f->g;
	struct process at;

	g->doc = j;
	at = process_take(g->l, &j, true);
	g->libs = at.libs;
	g->thread = 0;
	gecko_lookups_forget(g);
	read_meta(f, at.meta);
	g->nprocesses++;
	gecko_tables_open(g->l, &at.shared, "shared", &g->shared);
	gecko_raw_sources(g, at.sources);
	gecko_read_threads(f, at.threads);
	gecko_counters(g, at.counters);
	return at;
}

/* Very old files contain the profile of another process as a text among the threads. */
static void
gecko_read_texts(struct gecko_file *f, struct json threads)
{
	struct buf text = BUF_INIT;
	struct str raw;

	JSON_EACH(threads, item) {
		if (f->g.to->bad)
			break;
		if (scan_peek(&item) == '"' && scan_word(&item, &raw)) {
			raw = scan_unescape(raw, &text);
			into_made(f->g.to, &text);
			read_process(f, (struct json){ .base = raw.s, .size = raw.n });
		}
	}
	buf_free(&text);
}

/* Read the processes, outermost first. */
static void
read_processes(struct gecko_file *f)
{
	struct json inner[NEST], item;
	struct process at = read_process(f, f->g.l->doc);
	size_t depth = 1;

	gecko_read_texts(f, at.threads);
	inner[0] = json_items(at.processes);
	while (depth > 0 && !f->g.to->bad) {
		if (!json_next(&inner[depth - 1], &item)) {
			depth--;
			continue;
		}
		at = read_process(f, item);
		gecko_read_texts(f, at.threads);
		at.processes = json_items(at.processes);
		if (at.processes.base == NULL)
			continue;
		if (depth == NEST)
			f->g.l->others++;
		else
			inner[depth++] = at.processes;
	}
}

/* ---- metadata ----------------------------------------------------------------------------------------------- */

static uint64_t
since_first(void *clock, uint64_t time)
{
	const struct gecko *g = clock;

	return time - g->first;
}

static bool
put_listed(struct gecko *g, struct err *err)
{
	static const struct make_column listed[] = { MAKE(COL_LISTED_PROCESS, gecko_thread, process) };

	return make_columns(g->l->st, listed, NELEM(listed),
	    MAKE_ROWS(SCRATCH(g->threads, struct gecko_thread), g->l->samples.nthreads), err);
}

/* The interval of a recorder, which names its units, is true; importers of other formats write 1 ms. */
static bool
gecko_put_period(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	bool known = json_is(f->meta.sampleUnits) && !g->unit.offsets;

	return !known || samples_period(&g->l->samples, STR("samples"), 0,
	    gecko_interval(number(f->meta.interval)), err);
}

static bool
put_format(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	bool processed = f->meta.has_preprocessedProfileVersion || !g->raw;
	uint64_t version = 0;
	double start = number(f->meta.startTime) * 1e6, first = (double)(int64_t)(g->first - TIME_ZERO);
	char text[80];

	if (!num_u64(processed ? f->meta.preprocessedProfileVersion : f->meta.version, 10, &version))
		version = 0;
	snprintf(text, sizeof text, "%s of Firefox, version %llu (JSON)",
	    processed ? "processed profile" : "Gecko profile",
	    (unsigned long long)version);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = str_of(text) },
		{ FACT_PRODUCT, .text = jload_text(g->l, f->meta.product), .how = MAKE_ANY },
		{ FACT_INTERVAL, g->unit.offsets ? 0 : gecko_interval(number(f->meta.interval)), MAKE_ANY },
		{ FACT_TRACE_ZERO, !g->unit.offsets && start > 0 && start + first > 0 &&
		start + first < 9e18 ? (uint64_t)(start + first) : 0, MAKE_ANY },
		{ FACT_REPAIR_NEWER, version > (processed ? NEWEST_PROCESSED : NEWEST_RAW), MAKE_ANY },
	};

	return make_facts(g->l->st, facts, NELEM(facts), err);
}

/* Count frames that are addresses without names. */
static uint64_t
count_addresses(const struct samples *s)
{
	uint64_t n = 0, address;

	for (uint32_t frame = 1; frame <= s->nnames; frame++) {
		struct str name = samples_frame_name(s, frame);

		n += str_take(&name, STR("0x")) && num_u64(name, 16, &address);
	}
	return n;
}

/* Record which files provided names.  The result is not kept as an index, because the files may change. */
static bool
gecko_put_names(struct gecko *g, struct err *err)
{
	uint64_t asked = 0, named = 0;
	struct buf files = BUF_INIT;
	bool ok = true;

	if (g->names != NULL)
		native_names_count(g->names, &asked, &named);
	if (asked > 0) {
		native_names_tell(g->names, &files);
		ok = files.bad ? fail(err, E_SYSTEM, "out of memory (names)") :
		    fact_set_text(g->l->st, FACT_ADDRESS_NAMES, buf_view(&files), err);
	}
	if (named > 0)
		store_keep_none(g->l->st, "off: function names come from other files on this machine");
	buf_free(&files);
	return ok;
}

bool
gecko_stale(const struct store *st)
{
	return fact_value(st, FACT_NO_NAMES) > 0 && native_has_names(store_file(st));
}

static bool
gecko_put_facts(struct gecko_file *f, struct err *err)
{
	const struct gecko *g = &f->g;
	const struct make_fact facts[] = {
		{ FACT_PROCESSES, g->nprocesses }, { FACT_ASYNC, g->marks.nspans, MAKE_ANY },
		{ FACT_INSTANTS, g->marks.ninstants, MAKE_ANY },
		{ FACT_COUNTERS, g->marks.counters.n, MAKE_ANY }, { FACT_NO_STACK, g->counts.no_stack, MAKE_ANY },
		{ FACT_REPAIR_STACK, g->counts.bad_prefix, MAKE_ANY },
		{ FACT_REPAIR_INDEX, g->counts.bad_index, MAKE_ANY },
		{ FACT_REPAIR_BELOW_ZERO_WEIGHTS, g->counts.negative, MAKE_ANY },
		{ FACT_REPAIR_MARKER_END, g->marks.no_begin, MAKE_ANY },
		{ FACT_REPAIR_MARKER_OPEN, g->counts.never_end, MAKE_ANY },
		{ FACT_LOSS_THREADS, g->nthreads - g->counts.whole, MAKE_ANY },
		{ FACT_NO_NAMES, count_addresses(&g->l->samples), MAKE_ANY },
	};

	return make_facts(g->l->st, facts, NELEM(facts), err);
}

/* Refuse a file without readable threads.  If it is truncated, the missing table may have been in the rest. */
static bool
refuse(const struct gecko_file *f, struct err *err)
{
	if (f->g.l->cut)
		return fail(err, E_UNREADABLE, "no complete thread in this truncated Firefox profile");
	if (f->lacks == NULL)
		return fail(err, E_UNREADABLE, "no threads in this Firefox profile");
	return fail(err, E_UNREADABLE, "thread %llu of this Firefox profile has no table \"%s\", own or shared",
	    (unsigned long long)f->lack, f->lacks);
}

static bool
put_all(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	struct jload *l = g->l;

	if (g->counts.whole == 0 && g->marks.counters.n == 0)
		return refuse(f, err);
	l->samples.times = !g->unit.offsets;
	l->samples.from = g->first;
	l->samples.to = g->unit.offsets ? 0 : g->last;
	l->spans.calls.first = g->first;
	l->spans.calls.shapes = SHAPE_MARKS | SHAPE_TRACKS;
	l->timed = l->samples.nsamples == 0;
	points_since(&g->points, g->first);
	return gecko_put_period(f, err) && put_format(f, err) &&
	    gecko_put_facts(f, err) && gecko_put_names(g, err) &&
	    marks_counter_columns(&g->marks, &gecko_scale, err) && gecko_marker_columns(g, err) &&
	    marks_points(&g->marks, &g->points, err) &&
	    points_columns(&g->points, l->st, err) && marks_process_columns(&g->marks, err) && put_listed(g, err) &&
	    gecko_category_columns(g, err) && marks_word_columns(&g->marks, err);
}

void
gecko_load(struct jload *l)
{
	struct gecko_file f = { .g = { .l = l, .to = &l->to, .marks = { .l = l, .shown = since_first, .clock = &f.g,
	    .span_size = sizeof(struct mark_span) }, .detail = BUF_INIT } };
	struct gecko *g = &f.g;

	l->to.marks = &g->marks;
	points_open(&g->points);
	g->names = native_names_open(store_file(l->st), l->work);
	read_processes(&f);
	INTO(g->to, put_all(&f, g->to->err));
	native_names_close(g->names);
	SCRATCH_FREE(&g->strings, &g->funcs, &g->frames, &g->stacks, &g->resources, &g->sources, &g->raw_sources,
	    &g->libs_of,
	    &g->path, &g->callers, &g->cat.rows,
	    &g->cat.subs, &g->threads);
	points_close(&g->points);
	mark_set_free(&g->uses);
	marks_close(&g->marks);
	idmap_free(&g->by_id);
	idmap_free(&g->unique);
	idmap_free(&g->labels);
	buf_free(&g->detail);
}
