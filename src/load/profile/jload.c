/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for profiles and traces in JSON.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"

#include "jload.h"

enum json_kind { JSON_NONE, JSON_SPEEDSCOPE, JSON_CPUPROFILE, JSON_CHROME, JSON_GECKO, JSON_PYINSTRUMENT, JSON_SENTRY,
    JSON_ENVELOPE,
	JSON_STACKPROF, JSON_V8_TICKS, JSON_GHC };

#define SPEEDSCOPE "speedscope"

/* Return whether an object has a phase, which is a letter. */
static bool
has_phase(struct json j)
{
	struct str name, s;

	if (!scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &name)) {
		if (str_eq(name, STR("ph")))
			return scan_peek(&j) == '"' && scan_word(&j, &s) && s.n == 1;
		if (!scan_skip(&j))
			break;
	}
	return false;
}

/* True for an array of objects, as far as its beginning shows. */
static bool
jload_has_objects(struct json j)
{
	return scan_open(&j, '[') && (scan_peek(&j) == '{' || scan_peek(&j) == ']' || scan_peek(&j) == 0);
}

/* Return whether an object has a member with one of these names, NULL-terminated. */
static bool
jload_has_any(struct json j, const char *const *names)
{
	struct str name;

	if (!scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &name)) {
		for (size_t i = 0; names[i] != NULL; i++)
			if (str_eq(name, str_of(names[i])))
				return true;
		if (!scan_skip(&j))
			break;
	}
	return false;
}

/* Recognise the threads of Firefox: the first one that is not a text has tables. */
static bool
has_tables(struct json j)
{
	static const char *const tables[] = { "samples", "stackTable", "frameTable", "stringTable",
	    "stringArray", "markers", NULL };

	if (!scan_open(&j, '['))
		return false;
	while (scan_item(&j) && scan_peek(&j) == '"' && scan_skip(&j))
		;
	return !j.bad && jload_has_any(j, tables);
}

static bool
is_meta(struct json j)
{
	static const char *const names[] = { "preprocessedProfileVersion", "interval", "processType", NULL };

	return jload_has_any(j, names);
}

/* Firefox shares these tables between threads; "shared" of speedscope contains frames only. */
static bool
is_gecko_shared(struct json j)
{
	static const char *const tables[] = { "stackTable", "frameTable", "stringArray", NULL };

	return jload_has_any(j, tables);
}

static bool
is_sentry_profile(struct json j)
{
	static const char *const tables[] = { "stacks", "thread_metadata", NULL };

	return jload_has_any(j, tables);
}

/* The second line of an envelope of Sentry is the header of an item. */
static bool
is_envelope(struct json j)
{
	static const char *const names[] = { "type", NULL };

	if (scan_peek(&j) != '{' || !scan_skip(&j) || j.at >= j.size || j.base[j.at] != '\n')
		return false;
	return scan_peek(&j) == '{' && jload_has_any(j, names) &&
	    str_has((struct str){ j.base + j.at, (size_t)(j.size - j.at) }, STR("\"stacks\""));
}

/*
 * Detect the kind by top-level names, up to the first one that decides: other members before it may have megabytes.
 * The text may be truncated anywhere.
 */
static enum json_kind
jload_kind_of(struct json j)
{
	bool samples = false, frames = false, meta = false, threads = false, code = false;
	struct str name, s;

	if (scan_open(&j, '[')) {
		while (scan_item(&j)) {
			if (has_phase(j))
				return JSON_CHROME;
			if (!scan_skip(&j))
				break;
		}
		return JSON_NONE;
	}
	if (is_envelope(j))
		return JSON_ENVELOPE;
	if (!scan_open(&j, '{'))
		return JSON_NONE;
	while (scan_member(&j, &name)) {
		samples |= str_eq(name, STR("samples"));
		frames |= str_eq(name, STR("stackFrames"));
		if (str_eq(name, STR("traceEvents")) || (samples && frames))
			return JSON_CHROME;
		/* V8 heap snapshots have nodes as well, but these are numbers. */
		if (str_eq(name, STR("nodes")))
			return jload_has_objects(j) ? JSON_CPUPROFILE : JSON_NONE;
		if (str_eq(name, STR("snapshot")) && scan_peek(&j) == '{')
			return JSON_NONE;
		code |= str_eq(name, STR("code")) && jload_has_objects(j);
		if (str_eq(name, STR("missed_samples")))
			return JSON_STACKPROF;
		if (str_eq(name, STR("cost_centres")) && jload_has_objects(j))
			return JSON_GHC;
		if (code && (str_eq(name, STR("functions")) || str_eq(name, STR("ticks"))))
			return JSON_V8_TICKS;
		if (str_eq(name, STR("root_frame")) || str_eq(name, STR("frame_records")))
			return JSON_PYINSTRUMENT;
		if (str_eq(name, STR("profile")) && is_sentry_profile(j))
			return JSON_SENTRY;
		meta |= str_eq(name, STR("meta")) && is_meta(j);
		threads |= str_eq(name, STR("threads")) || str_eq(name, STR("processes"));
		if ((meta && threads) || (str_eq(name, STR("threads")) && has_tables(j)) ||
		    (str_eq(name, STR("shared")) && is_gecko_shared(j)))
			return JSON_GECKO;
		s = STR("");
		if (str_eq(name, STR("shared")) || (str_eq(name, STR("$schema")) && scan_word(&j, &s) &&
		    memmem(s.s, s.n, SPEEDSCOPE, sizeof SPEEDSCOPE - 1) != NULL))
			return JSON_SPEEDSCOPE;
		if (s.n == 0 && !scan_skip(&j))
			break;
	}
	return JSON_NONE;
}

static bool
jload_sniff(const uint8_t *head, size_t n)
{
	return jload_kind_of((struct json){ .base = (const char *)head, .size = n }) != JSON_NONE;
}

/* ---- file --------------------------------------------------------------------------- */

static bool
jload_put_facts(struct jload *l, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_UNREAD_ENTRIES, l->others, MAKE_ANY }, { FACT_REPAIR_BAD_ENTRIES, l->bad, MAKE_ANY },
		{ FACT_REPAIR_NUMBER, l->no_number, MAKE_ANY }, { FACT_REPAIR_BEYOND, l->beyond, MAKE_ANY },
		{ FACT_REPAIR_NODE, l->no_node, MAKE_ANY },
		{ FACT_LOSS_JSON, l->cut, MAKE_ANY },
		{ FACT_SHAPES, l->timed ? 0 : SHAPE_SAMPLES | l->spans.calls.shapes, MAKE_ANY },
		{ FACT_LOSS_REASON, .text = str_of(l->cut ? "JSON truncated or damaged" : ""), .how = MAKE_ANY },
	};

	return unread_facts(&l->unread, l->st, err) && make_facts(l->st, facts, NELEM(facts), err);
}

static bool
load_kind(struct jload *l, struct err *err)
{
	static const struct {
		void		(*load)(struct jload *);
		const char	*format;	/* NULL: the reader sets the format, with its version */
	} kinds[] = {
		[JSON_SPEEDSCOPE] = { speedscope_load, "speedscope (JSON)" },
		[JSON_CPUPROFILE] = { cpuprofile_load, "CPU profile of V8 (JSON)" },
		[JSON_CHROME] = { chrome_load, "trace events of Chrome (JSON)" },
		[JSON_GECKO] = { gecko_load, NULL },
		[JSON_PYINSTRUMENT] = { pyinstrument_load, "pyinstrument (JSON)" },
		[JSON_SENTRY] = { sentry_load, "profile of Sentry (JSON)" },
		[JSON_ENVELOPE] = { sentry_envelope_load, "envelope of Sentry (JSON)" },
		[JSON_STACKPROF] = { stackprof_load, "stackprof (JSON)" },
		[JSON_V8_TICKS] = { v8_ticks_load, "ticks of node --prof (JSON)" },
		[JSON_GHC] = { ghc_load, "GHC profile (JSON)" },
	};
	enum json_kind kind = jload_kind_of(l->doc);

	assert(kind < NELEM(kinds));
	if (kind == JSON_NONE)
		return fail(err, E_UNREADABLE, "no profile in this JSON");
	if (kind != JSON_CHROME && fact_text(l->st, FACT_TRACE_ASK_DETAIL).n > 0)
		return fail(err, E_USAGE, "--detail is for trace events; this JSON has none");
	work_start_bytes(l->work, "JSON", l->doc.size);
	INTO(&l->to, kinds[kind].format == NULL ||
	    fact_set_text(l->st, FACT_FORMAT, str_of(kinds[kind].format), err));
	kinds[kind].load(l);
	return !l->to.bad && jload_put_facts(l, err) &&
	    (l->timed ? calls_in_columns(&l->spans.calls, err) : samples_columns(&l->samples, err)) &&
	    cpu_ticks_columns(l, err);
}

static bool
jload_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct jload l = { .doc = { .base = (const char *)m->data, .size = m->size }, .st = st, .work = w,
	    .to = { .samples = &l.samples, .spans = &l.spans, .work = w, .err = err }, .text = BUF_INIT,
	    .file = BUF_INIT, .name = BUF_INIT };
	bool ok;

	samples_open(&l.samples, st, w);
	spans_in_open(&l.spans, &l.samples);
	ok = load_kind(&l, err);
	spans_in_close(&l.spans);
	samples_close(&l.samples);
	buf_free(&l.text);
	buf_free(&l.file);
	buf_free(&l.name);
	scratch_free(&l.ticks);
	idmap_free(&l.by_tick);
	return ok;
}

const struct loader load_json = {
	"json", "profile or trace in JSON: speedscope, V8, Firefox, samply, pyinstrument, Sentry, stackprof, GHC, "
	"Chrome", SHAPE_SAMPLES | SHAPE_MARKS,
	jload_sniff, jload_load, gecko_stale, .whole = true
};
