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

enum { META, LIBS, SHARED, THREADS, PROCESSES, COUNTERS, PID, MEMBERS };
enum { META_START, META_INTERVAL, META_PROCESSED, META_VERSION, META_PRODUCT, META_CATEGORIES, META_SCHEMA, META_UNITS, META_MEMBERS };

static const char *const members[] = { "meta", "libs", "shared", "threads", "processes", "counters", "pid", NULL };
static const char *const no_members[] = { NULL };
static const char *const meta_members[] = { "startTime", "interval", "preprocessedProfileVersion", "version", "product", "categories",
	"markerSchema", "sampleUnits", NULL };

/* Tables that every thread needs, by their names in the format. */
static const struct {
	enum gecko_name	 table;
	const char	*name;
} needed[] = { { GECKO_SAMPLES, "samples" }, { GECKO_STACKS, "stackTable" }, { GECKO_FRAMES, "frameTable" } };

/* State of reading one file. */
struct gecko_file {
	struct gecko	g;
	struct json	at[META_MEMBERS];	/* in the meta of the first process */
	const char	*lacks;		/* table missing in the first unreadable thread */
	uint64_t	lack;		/* and its number */
};

/* ---- processes and threads -------------------------------------------------------------------------- */

uint32_t
gecko_process(struct gecko *g, struct str pid, struct str name, struct str type, struct err *err)
{
	uint32_t row = marks_process(&g->marks, pid, (uint32_t)g->nprocesses, err), word;
	struct mark_process *p;

	if (row == 0 || !marks_word(&g->marks, name.n > 0 ? name : type, &word, err))
		return 0;
	p = marks_process_at(&g->marks, row);
	p->name = p->name == 0 ? word : p->name;
	return row;
}

static uint32_t
gecko_id_of(struct str s)
{
	uint64_t v;

	return num_u64(s, 10, &v) && v <= UINT32_MAX ? (uint32_t)v : 0;
}

/* Add a new thread, even if its ids are texts or the same as another thread's. */
static bool
gecko_add_thread(struct gecko *g, struct err *err)
{
	struct samples *s = &g->l->samples;
	const struct gecko_tables *t = &g->own;
	struct gecko_thread new = { .process = gecko_process(g, t->pid, t->process_name, t->process_type, err) };
	uint32_t pid = gecko_id_of(t->pid), tid = gecko_id_of(t->tid);
	struct str name = scan_unescape(t->name.n > 0 || tid != 0 ? t->name : t->tid, &g->l->text);
	uint64_t before = s->nthreads;

	if (new.process == 0)
		return false;
	if (g->l->text.bad)
		return fail(err, E_SYSTEM, "out of memory (name)");
	g->thread = samples_thread(s, pid, tid, name, err);
	if (g->thread != 0 && s->nthreads == before) {
		g->thread = samples_thread(s, UINT32_MAX - (uint32_t)before, tid, name, err);
		if (g->thread != 0)
			SCRATCH(s->threads, struct sample_thread)[g->thread - 1].pid = pid;
	}
	return g->thread != 0 && make_add(&g->threads, &(uint64_t){ g->thread - 1 }, &new, sizeof new, MAKE_MOST, "threads", err);
}

/* Return the name of the table that the thread lacks; NULL: none. */
static const char *
what_lacks(const struct gecko *g)
{
	for (size_t i = 0; i < NELEM(needed); i++)
		if (!g->own.table[needed[i].table].there && !g->shared.table[needed[i].table].there)
			return needed[i].name;
	if (g->own.strings.at == g->own.strings.size && g->shared.strings.at == g->shared.strings.size)
		return "stringTable";
	return NULL;
}

/* Read the thread at j and advance j. */
static bool
gecko_read_thread(struct gecko_file *f, struct json *j, struct err *err)
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
		return true;
	}
	g->whole++;
	g->raw |= g->own.table[GECKO_SAMPLES].by_rows;
	return gecko_add_thread(g, err) && gecko_lookups(g, err) && gecko_samples(g, err) && gecko_allocations(g, GECKO_JS, err) &&
	    gecko_allocations(g, GECKO_NATIVE, err) && gecko_markers(g, err);
}

static bool
gecko_read_threads(struct gecko_file *f, struct json j, struct err *err)
{
	if (!scan_open(&j, '['))
		return true;
	while (scan_item(&j)) {
		if (scan_peek(&j) == '{') {
			if (!gecko_read_thread(f, &j, err))
				return false;
		} else if (!scan_skip(&j))
			break;
		if (j.bad)
			break;
	}
	f->g.l->cut |= j.bad;
	return true;
}

/* ---- meta ----------------------------------------------------------------------------------------------- */

static double
gecko_number_at(struct json j)
{
	double v;

	return gecko_number(jload_word(j), &v) ? v : 0;
}

/* ns, or microseconds in either spelling, or cycles, which stay numbers. */
static void
read_units(struct gecko *g, struct json units)
{
	static const char *const names[] = { "threadCPUDelta", "time", NULL };
	static const struct { const char *unit; double ns; } known[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "\302\265s", 1e3 }, { "\316\274s", 1e3 }, { "\\u00b5s", 1e3 }, { "\\u03bcs", 1e3 },
	};
	struct json at[2];
	struct str unit;

	jload_members(g->l, units, names, at);
	unit = jload_word(at[0]);
	g->cpu_unit = 0;
	g->cpu_cycles = str_eq(unit, STR("variable CPU cycles"));
	for (size_t i = 0; i < NELEM(known); i++)
		if (str_eq(unit, str_of(known[i].unit)))
			g->cpu_unit = known[i].ns;
	g->offsets = str_eq(jload_word(at[1]), STR("bytes"));
}

static bool
read_meta(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	struct json at[META_MEMBERS];

	jload_members(g->l, g->meta, meta_members, at);
	if (g->nprocesses == 0) {
		for (size_t i = 0; i < META_MEMBERS; i++)
			f->at[i] = at[i];
		g->start = gecko_number_at(at[META_START]);
	}
	g->delta = at[META_START].at < at[META_START].size ? gecko_number_at(at[META_START]) - g->start : 0;
	if (at[META_UNITS].at < at[META_UNITS].size || g->nprocesses == 0)
		read_units(g, at[META_UNITS]);
	return (at[META_CATEGORIES].at == at[META_CATEGORIES].size && g->nprocesses > 0) ||
	    (gecko_categories(g, at[META_CATEGORIES], err) && gecko_schema(g, at[META_SCHEMA], err));
}

/* ---- nested processes ------------------------------------------------------------------------------------ */

/* Read one process.  Its shared tables may precede or follow its threads in the file. */
static bool
read_process(struct gecko_file *f, struct json j, struct json *threads, struct json *inner, struct err *err)
{
	struct gecko *g = &f->g;
	struct json at[MEMBERS];

	g->doc = j;
	jload_take(g->l, &j, members, at, no_members);
	g->meta = at[META];
	g->libs = at[LIBS];
	g->thread = 0;
	gecko_lookups_forget(g);
	if (!read_meta(f, err))
		return false;
	g->nprocesses++;
	*threads = at[THREADS];
	*inner = at[PROCESSES];
	gecko_tables_open(g->l, &at[SHARED], "shared", &g->shared);
	return gecko_read_threads(f, at[THREADS], err) && gecko_counters(g, at[COUNTERS], err);
}

/* Very old files contain the profile of another process as a text among the threads. */
static bool
gecko_read_texts(struct gecko_file *f, struct json threads, struct err *err)
{
	struct json none, j;
	struct buf text = BUF_INIT;
	struct str raw, said;
	bool ok = true;

	if (!scan_open(&threads, '['))
		return true;
	while (ok && scan_item(&threads)) {
		if (scan_peek(&threads) != '"') {
			if (!scan_skip(&threads))
				break;
			continue;
		}
		if (!scan_word(&threads, &raw))
			break;
		said = scan_unescape(raw, &text);
		j = (struct json){ .base = said.s, .size = said.n };
		ok = (!text.bad || fail(err, E_SYSTEM, "out of memory (process)")) && read_process(f, j, &none, &none, err);
	}
	buf_free(&text);
	return ok;
}

/* Read the processes, outermost first. */
static bool
read_processes(struct gecko_file *f, struct err *err)
{
	struct json inner[NEST], deeper, threads;
	size_t depth = 1;

	if (!read_process(f, f->g.l->doc, &threads, &inner[0], err) || !gecko_read_texts(f, threads, err))
		return false;
	if (!scan_open(&inner[0], '['))
		return true;
	while (depth > 0) {
		struct json at, *in = &inner[depth - 1];

		if (!scan_item(in)) {
			depth--;
			continue;
		}
		at = *in;
		scan_skip(in);
		if (!read_process(f, at, &threads, &deeper, err) || !gecko_read_texts(f, threads, err))
			return false;
		if (!scan_open(&deeper, '['))
			continue;
		if (depth == NEST)
			f->g.l->others++;
		else
			inner[depth++] = deeper;
	}
	return true;
}

/* ---- metadata ----------------------------------------------------------------------------------------------- */

static uint64_t
gecko_shown(void *clock, uint64_t time)
{
	const struct gecko *g = clock;

	return time - g->first;
}

static bool
gecko_put_listed(struct gecko *g, struct err *err)
{
	static const struct make_column listed[] = { MAKE(COL_LISTED_PROCESS, gecko_thread, process) };

	return make_columns(g->l->st, listed, NELEM(listed),
	    MAKE_ROWS(SCRATCH(g->threads, struct gecko_thread), g->l->samples.nthreads), err);
}

static bool
gecko_put_format(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	bool processed = f->at[META_PROCESSED].at < f->at[META_PROCESSED].size || !g->raw;
	uint64_t version = 0;
	double start = gecko_number_at(f->at[META_START]) * 1e6, first = (double)(int64_t)(g->first - TIME_ZERO);
	char text[80];

	if (!num_u64(jload_word(f->at[processed ? META_PROCESSED : META_VERSION]), 10, &version))
		version = 0;
	snprintf(text, sizeof text, "%s of Firefox, version %llu (JSON)", processed ? "processed profile" : "Gecko profile",
	    (unsigned long long)version);
	const struct make_fact facts[] = {
		{ FACT_FORMAT, .text = str_of(text) },
		{ FACT_PRODUCT, .text = scan_unescape(jload_word(f->at[META_PRODUCT]), &g->l->text), .how = MAKE_ANY },
		{ FACT_INTERVAL, g->offsets ? 0 : gecko_interval(gecko_number_at(f->at[META_INTERVAL])), MAKE_ANY },
		{ FACT_TRACE_ZERO, !g->offsets && start > 0 && start + first > 0 && start + first < 9e18 ? (uint64_t)(start + first) : 0, MAKE_ANY },
		{ FACT_REPAIR_NEWER, version > (processed ? NEWEST_PROCESSED : NEWEST_RAW), MAKE_ANY },
	};

	return make_facts(g->l->st, facts, NELEM(facts), err);
}

/* Count frames that are addresses without names. */
static uint64_t
count_addresses(const struct samples *s)
{
	const struct sample_name *row = SCRATCH(s->names, struct sample_name);
	uint64_t n = 0, address;

	for (uint64_t i = 0; i < s->nnames; i++) {
		struct str name = samples_text_at(s, &s->own, row[i].ref, row[i].own);

		n += str_take(&name, STR("0x")) && num_u64(name, 16, &address);
	}
	return n;
}

/* Record which files provided names.  The result is not kept as an index, because the files may change. */
static bool
gecko_put_names(struct gecko *g, struct err *err)
{
	uint64_t asked = 0, named = 0;
	struct buf told = BUF_INIT;
	bool ok = true;

	if (g->names != NULL)
		native_names_count(g->names, &asked, &named);
	if (asked > 0) {
		native_names_tell(g->names, &told);
		ok = told.bad ? fail(err, E_SYSTEM, "out of memory (names)") : fact_set_text(g->l->st, FACT_ADDRESS_NAMES, buf_view(&told), err);
	}
	if (named > 0)
		store_keep_none(g->l->st, "off: function names come from other files on this machine");
	buf_free(&told);
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
		{ FACT_PROCESSES, g->nprocesses }, { FACT_ASYNC, g->marks.nspans, MAKE_ANY }, { FACT_INSTANTS, g->marks.ninstants, MAKE_ANY },
		{ FACT_COUNTERS, g->marks.counters.n, MAKE_ANY }, { FACT_NO_STACK, g->no_stack, MAKE_ANY },
		{ FACT_REPAIR_STACK, g->bad_prefix, MAKE_ANY }, { FACT_REPAIR_INDEX, g->bad_index, MAKE_ANY },
		{ FACT_REPAIR_BELOW_ZERO_WEIGHTS, g->negative, MAKE_ANY }, { FACT_REPAIR_MARKER_END, g->marks.no_begin, MAKE_ANY },
		{ FACT_REPAIR_MARKER_OPEN, g->never_end, MAKE_ANY }, { FACT_LOSS_THREADS, g->nthreads - g->whole, MAKE_ANY },
		{ FACT_NO_NAMES, count_addresses(&g->l->samples), MAKE_ANY },
	};

	return make_facts(g->l->st, facts, NELEM(facts), err);
}

/* Refuse a file without readable threads.  If it is truncated, the missing table may have been in the rest. */
static bool
gecko_refuse(const struct gecko_file *f, struct err *err)
{
	if (f->g.l->cut)
		return fail(err, E_UNREADABLE, "no complete thread in this truncated Firefox profile");
	if (f->lacks == NULL)
		return fail(err, E_UNREADABLE, "no threads in this Firefox profile");
	return fail(err, E_UNREADABLE, "thread %llu of this Firefox profile has no table \"%s\", own or shared",
	    (unsigned long long)f->lack, f->lacks);
}

static bool
gecko_load_found(struct gecko_file *f, struct err *err)
{
	struct gecko *g = &f->g;
	struct jload *l = g->l;

	if (g->whole == 0 && g->marks.counters.n == 0)
		return gecko_refuse(f, err);
	l->samples.times = !g->offsets;
	l->samples.from = g->first;
	l->samples.to = g->offsets ? 0 : g->last;
	l->spans.calls.first = g->first;
	l->spans.calls.shapes = SHAPE_MARKS | SHAPE_TRACKS;
	l->timed = l->samples.nsamples == 0;
	points_since(&g->points, g->first);
	return gecko_put_format(f, err) && gecko_put_facts(f, err) && gecko_put_names(g, err) &&
	    marks_counter_columns(&g->marks, &gecko_scale, err) && gecko_marker_columns(g, err) && marks_points(&g->marks, &g->points, err) &&
	    points_columns(&g->points, l->st, err) && marks_process_columns(&g->marks, err) && gecko_put_listed(g, err) &&
	    gecko_category_columns(g, err) && marks_word_columns(&g->marks, err);
}

bool
gecko_load(struct jload *l, struct err *err)
{
	struct gecko_file f = { .g = { .l = l, .marks = { .l = l, .shown = gecko_shown, .clock = &f.g, .span_size = sizeof(struct mark_span) },
	    .detail = BUF_INIT } };
	struct gecko *g = &f.g;
	bool ok;

	points_open(&g->points);
	f.g.shared.strings = f.g.shared.libs = gecko_nothing(l->doc);
	g->names = native_names_open(store_file(l->st), l->work);
	ok = read_processes(&f, err) && gecko_load_found(&f, err);
	native_names_close(g->names);
	SCRATCH_FREE(&g->strings, &g->funcs, &g->frames, &g->stacks, &g->resources, &g->sources, &g->libs_of, &g->path, &g->callers, &g->categories,
	    &g->subcategories, &g->threads);
	points_close(&g->points);
	mark_set_free(&g->uses);
	marks_close(&g->marks);
	idmap_free(&g->by_id);
	idmap_free(&g->unique);
	idmap_free(&g->labels);
	buf_free(&g->detail);
	return ok && (!l->text.bad || fail(err, E_SYSTEM, "out of memory (name)"));
}
