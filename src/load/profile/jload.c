/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loader for profiles and traces in JSON.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/facts.h"

#include "jload.h"

enum json_kind { JSON_NONE, JSON_SPEEDSCOPE, JSON_CPUPROFILE, JSON_CHROME, JSON_GECKO };

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
	static const char *const tables[] = { "samples", "stackTable", "frameTable", "stringTable", "stringArray", "markers", NULL };

	if (!scan_open(&j, '['))
		return false;
	while (scan_item(&j) && scan_peek(&j) == '"' && scan_skip(&j))
		;
	return !j.bad && jload_has_any(j, tables);
}

static bool
is_meta(struct json j)
{
	static const char *const told[] = { "preprocessedProfileVersion", "interval", "processType", NULL };

	return jload_has_any(j, told);
}

/* Firefox shares these tables between threads; "shared" of speedscope contains frames only. */
static bool
is_gecko_shared(struct json j)
{
	static const char *const tables[] = { "stackTable", "frameTable", "stringArray", NULL };

	return jload_has_any(j, tables);
}

/*
 * Detect the kind by top-level names, up to the first one that decides: other members before it may have megabytes.
 * The text may be truncated anywhere.
 */
static enum json_kind
jload_kind_of(struct json j)
{
	bool samples = false, frames = false, meta = false, threads = false;
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
		bool		(*load)(struct jload *, struct err *);
		const char	*format;	/* NULL: the reader sets the format, with its version */
	} kinds[] = {
		[JSON_SPEEDSCOPE] = { speedscope_load, "speedscope (JSON)" },
		[JSON_CPUPROFILE] = { cpuprofile_load, "CPU profile of V8 (JSON)" },
		[JSON_CHROME] = { chrome_load, "trace events of Chrome (JSON)" },
		[JSON_GECKO] = { gecko_load, NULL },
	};
	enum json_kind kind = jload_kind_of(l->doc);

	assert(kind < NELEM(kinds));
	if (kind == JSON_NONE)
		return fail(err, E_UNREADABLE, "no profile in this JSON");
	if (kind != JSON_CHROME && fact_text(l->st, FACT_TRACE_ASK_DETAIL).n > 0)
		return fail(err, E_USAGE, "--detail is for trace events; this JSON has none");
	work_start_bytes(l->work, "JSON", l->doc.size);
	if ((kinds[kind].format != NULL && !fact_set_text(l->st, FACT_FORMAT, str_of(kinds[kind].format), err)) ||
	    !kinds[kind].load(l, err) || !jload_put_facts(l, err))
		return false;
	return l->timed ? calls_in_columns(&l->spans.calls, err) : samples_columns(&l->samples, err);
}

static bool
jload_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct jload l = { .doc = { .base = (const char *)m->data, .size = m->size }, .st = st, .work = w,
	    .text = BUF_INIT, .file = BUF_INIT, .name = BUF_INIT };
	bool ok;

	samples_open(&l.samples, st, w);
	spans_in_open(&l.spans, &l.samples);
	ok = load_kind(&l, err);
	spans_in_close(&l.spans);
	samples_close(&l.samples);
	buf_free(&l.text);
	buf_free(&l.file);
	buf_free(&l.name);
	return ok;
}

const struct loader load_json = {
	"json", "JSON: profiles of speedscope, V8, Firefox and samply, trace events of Chrome", SHAPE_SAMPLES | SHAPE_MARKS,
	jload_sniff, jload_load, gecko_stale, .whole = true
};
