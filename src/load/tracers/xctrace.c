/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of samples that xctrace exports as XML.  An element is written once, with an id; later it is a
 * reference to that id.
 */
#include "config.h"

#include <assert.h>

#include "icecore/scan.h"
#include "forms.h"
#include "xml.h"

#define DEPTH 64		/* maximum depth of elements; deeper ones are not read */

/* Elements that are read. */
enum xt_kind {
	XT_OTHER, XT_NODE, XT_SCHEMA, XT_ROW, XT_WEIGHT, XT_CYCLES, XT_TIME, XT_STATE, XT_THREAD, XT_TAGGED,
	XT_BACKTRACE, XT_FRAME, XT_BINARY, XT_KINDS
};

static const char *const kinds[XT_KINDS] = {
	[XT_NODE] = "node", [XT_SCHEMA] = "schema", [XT_ROW] = "row", [XT_WEIGHT] = "weight",
	    [XT_CYCLES] = "cycle-weight", [XT_TIME] = "sample-time", [XT_STATE] = "thread-state",
	    [XT_THREAD] = "thread",
	[XT_TAGGED] = "tagged-backtrace", [XT_BACKTRACE] = "backtrace", [XT_FRAME] = "frame",
	    [XT_BINARY] = "binary"
};

/* An element with an id: a number, or a row of another table. */
struct xt_value {
	uint64_t	number;
	struct str	text;
};

struct xctrace {
	struct tracers_in *in;
	struct xml	 xml;
	struct scratch	 values;	/* struct xt_value */
	struct idmap	 by_id;		/* kind and id to row + 1 in values */
	uint64_t	 n;
	struct { enum xt_kind kind; uint64_t id; } open[DEPTH];
	size_t		 depth;
	struct str	 schema;
	struct buf	 buf, frame, module;	/* frame, module: texts of name and library */
	/* Values of the open row. */
	uint64_t	 weight, time;
	bool		 weighed, cycles, traced;
	uint32_t	 thread, stack, state;
	/* Names of the open frame. */
	struct str	 name, library;
};

static enum xt_kind
xt_kind_of(struct str tag)
{
	for (unsigned i = 1; i < XT_KINDS; i++)
		if (str_eq(tag, str_of(kinds[i])))
			return (enum xt_kind)i;
	return XT_OTHER;
}

static uint64_t
value_key(enum xt_kind kind, uint64_t id)
{
	return id * XT_KINDS + kind;
}

/* Ids are numbers from 1; 0: no id, or none that fits. */
static uint64_t
xt_id(const struct xctrace *x, const char *attribute)
{
	struct buf none = BUF_INIT;
	struct str s = xml_attribute(&x->xml, attribute, &none);
	uint64_t id = 0;

	if (!str_number(&s, &id) || s.n > 0 || id >= UINT64_MAX / XT_KINDS - 1)
		id = 0;
	buf_free(&none);
	return id;
}

static void
keep_value(struct xctrace *x, enum xt_kind kind, uint64_t id, struct xt_value v)
{
	struct tracers_in *in = x->in;

	if (id == 0 || in->bad)
		return;
	in->bad = !make_add(&x->values, &x->n, &v, sizeof v, MAKE_MOST, "elements", in->err) ||
	    !idmap_put(&x->by_id, value_key(kind, id), (uint32_t)x->n, in->err);
}

/* The element that is referred to; NULL: missing. */
static const struct xt_value *
xt_value_at(const struct xctrace *x, enum xt_kind kind, uint64_t id)
{
	uint32_t row = id == 0 ? 0 : idmap_get(&x->by_id, value_key(kind, id));

	assert(row <= x->n);
	return row == 0 ? NULL : &SCRATCH(x->values, struct xt_value)[row - 1];
}

/* ---- elements ------------------------------------------------------------------------------ */

static enum xt_kind
xt_parent(const struct xctrace *x)
{
	assert(x->depth <= DEPTH);
	return x->depth < 1 ? XT_OTHER : x->open[x->depth - 1].kind;
}

/* "name  0x8480c1 (process, pid: 12)" */
static uint32_t
xt_thread(struct xctrace *x)
{
	struct str fmt = xml_attribute(&x->xml, "fmt", &x->buf), rest = fmt, name;
	uint64_t tid = 0, pid = 0;

	if (scan(&rest, "%t 0x", &name))
		tid = num_u64(str_until(rest, ' '), 16, &tid) && tid <= UINT32_MAX ? tid : 0;
	name = rest.n < fmt.n ? text_trim(name) : fmt;
	pid = text_number_after(fmt, STR("pid: "), &pid) && pid <= UINT32_MAX ? pid : 0;
	tracers_thread(x->in, (uint32_t)pid, (uint32_t)tid, name.n > 0 ? name : STR("[no thread]"));
	return x->in->thread;
}

/* A library is an element of the frame, or of an earlier one. */
static void
xt_frame_end(struct xctrace *x)
{
	struct traced_frame f = { .name = x->name, .module = x->library };
	struct tracers_in *in = x->in;
	uint64_t before = in->npath, id = x->open[x->depth].id;

	tracers_push(in, f);
	if (!in->bad && in->npath > before)
		keep_value(x, XT_FRAME, id,
		    (struct xt_value){ .number = SCRATCH(in->path, uint32_t)[before] });
	if (xt_parent(x) != XT_BACKTRACE)
		in->npath = before;
}

/* Frames are written leaf first. */
static void
xt_stack_end(struct xctrace *x)
{
	uint32_t *path = SCRATCH(x->in->path, uint32_t), frame;
	uint64_t n = x->in->npath;

	for (uint64_t i = 0; i < n / 2; i++) {
		frame = path[i];
		path[i] = path[n - 1 - i];
		path[n - 1 - i] = frame;
	}
	x->stack = tracers_stack(x->in);
	x->traced = true;
	keep_value(x, XT_BACKTRACE, x->open[x->depth].id, (struct xt_value){ .number = x->stack });
}

static void
xt_row_end(struct xctrace *x)
{
	struct tracers_in *in = x->in;

	if (!x->traced) {
		in->count[TRACED_ROWS]++;
		return;
	}
	if (x->cycles)
		tracers_event(in, STR("cycles"), WEIGHT_COUNT, "cycles");
	else if (!x->weighed)
		tracers_event(in, STR("samples"), WEIGHT_COUNT, "samples");
	else
		tracers_event(in, x->schema.n > 0 ? x->schema : STR("samples"), WEIGHT_TIME, "ns");
	in->thread = x->thread;
	in->time = x->time;
	in->state = x->state;
	in->s.times |= x->time != SAMPLE_NO_TIME;
	if (x->thread == 0)
		tracers_thread(in, 0, 0, STR("[no thread]"));
	tracers_add(in, x->stack, x->weighed ? x->weight : 1, 1, x->xml.rest.s);
}

/* A number of the open row, or of a row of another table. */
static void
xt_row_value(struct xctrace *x, enum xt_kind kind, uint64_t v)
{
	switch (kind) {
	case XT_WEIGHT: case XT_CYCLES:
		x->weight = v;
		x->weighed = true;
		x->cycles |= kind == XT_CYCLES;
		break;
	case XT_TIME:
		x->time = v;
		break;
	case XT_STATE:
		x->state = (uint32_t)v;
		break;
	case XT_THREAD:
		x->thread = (uint32_t)v;
		break;
	default:
		break;
	}
}

/* A reference to an element that was written before. */
static void
xt_refer(struct xctrace *x, enum xt_kind kind, uint64_t id)
{
	const struct xt_value *v = xt_value_at(x, kind, id);
	enum xt_kind parent = xt_parent(x);

	if (v == NULL) {
		x->in->count[TRACED_OTHER] += kind != XT_OTHER;
	} else if (kind == XT_FRAME && parent == XT_BACKTRACE) {
		tracers_push_id(x->in, (uint32_t)v->number);
	} else if (kind == XT_BINARY) {
		x->library = v->text;
	} else if (parent == XT_ROW && kind != XT_BACKTRACE && kind != XT_TAGGED) {
		xt_row_value(x, kind, v->number);
	} else if ((kind == XT_BACKTRACE || kind == XT_TAGGED) && (parent == XT_ROW || parent == XT_TAGGED)) {
		x->stack = (uint32_t)v->number;
		x->traced = true;
	}
}

static void
xt_begin(struct xctrace *x, enum xt_kind kind)
{
	struct str name;

	switch (kind) {
	case XT_NODE:
		x->schema = STR("");
		break;
	case XT_SCHEMA:
		x->schema = xml_attribute(&x->xml, "name", &x->buf);
		if (!samples_has_text(&x->in->s, x->schema))
			x->schema = STR("");
		break;
	case XT_ROW:
		x->weighed = x->traced = x->cycles = false;
		x->thread = x->stack = x->state = 0;
		x->time = SAMPLE_NO_TIME;
		break;
	case XT_THREAD:
		x->open[x->depth].id = xt_id(x, "id");
		if (xt_parent(x) == XT_ROW)
			x->thread = xt_thread(x);
		keep_value(x, kind, x->open[x->depth].id,
		    (struct xt_value){ .number = xt_parent(x) == XT_ROW ? x->thread : xt_thread(x) });
		break;
	case XT_BACKTRACE:
		x->in->npath = 0;
		break;
	case XT_FRAME:
		name = xml_attribute(&x->xml, "name", &x->frame);
		x->name = name.n > 0 ? name : xml_attribute(&x->xml, "addr", &x->frame);
		x->library = STR("");
		break;
	case XT_BINARY:
		x->library = xml_attribute(&x->xml, "name", &x->module);
		/* A copy would not outlive the element. */
		if (samples_has_text(&x->in->s, x->library))
			keep_value(x, kind, xt_id(x, "id"), (struct xt_value){ .text = x->library });
		break;
	default:
		break;
	}
}

static void
xt_number_end(struct xctrace *x, enum xt_kind kind, uint64_t v)
{
	keep_value(x, kind, x->open[x->depth].id, (struct xt_value){ .number = v });
	if (xt_parent(x) == XT_ROW)
		xt_row_value(x, kind, v);
}

static void
xt_end(struct xctrace *x, enum xt_kind kind)
{
	struct str text = x->xml.text;
	uint64_t v;

	switch (kind) {
	case XT_WEIGHT: case XT_CYCLES: case XT_TIME:
		if (tracers_number(x->in, text, &v))
			xt_number_end(x, kind, v);
		break;
	case XT_STATE:
		if (text.n == 0 || x->in->bad)
			break;
		v = samples_state(&x->in->s, text, x->in->err);
		x->in->bad |= v == 0;
		xt_number_end(x, kind, v);
		break;
	case XT_FRAME:
		xt_frame_end(x);
		break;
	case XT_BACKTRACE:
		xt_stack_end(x);
		break;
	case XT_TAGGED:
		keep_value(x, kind, x->open[x->depth].id, (struct xt_value){ .number = x->stack });
		break;
	case XT_ROW:
		xt_row_end(x);
		break;
	default:
		break;
	}
}

/* ---- all ------------------------------------------------------------------------------------ */

static void
xt_tag(struct xctrace *x)
{
	struct xml *m = &x->xml;
	enum xt_kind kind = xt_kind_of(m->tag);
	uint64_t ref;

	if (m->opens && m->closes && (ref = xt_id(x, "ref")) != 0) {
		xt_refer(x, kind, ref);
		return;
	}
	if (m->opens) {
		if (x->depth == DEPTH) {
			m->bad = true;
			return;
		}
		x->open[x->depth].kind = kind;
		x->open[x->depth].id = xt_id(x, "id");
		xt_begin(x, kind);
		x->depth++;
	}
	assert(x->depth <= DEPTH);
	if (m->closes && x->depth > 0) {
		x->depth--;
		/* Another end tag than that of the open element: it is damaged. */
		if (x->open[x->depth].kind == kind)
			xt_end(x, kind);
		else
			x->in->count[TRACED_OTHER]++;
	}
}

void
xctrace_read(struct tracers_in *in)
{
	struct xctrace x = { .in = in, .xml.rest = in->text };

	while (!x.xml.bad && tracers_tick(in, in->text.n - x.xml.rest.n) && xml_next(&x.xml))
		xt_tag(&x);
	in->count[TRACED_XML] += x.xml.bad || x.depth > 0;
	if ((x.buf.bad || x.frame.bad || x.module.bad) && !in->bad)
		in->bad = !fail(in->err, E_SYSTEM, "out of memory (names)");
	scratch_free(&x.values);
	idmap_free(&x.by_id);
	buf_free(&x.buf);
	buf_free(&x.frame);
	buf_free(&x.module);
}

bool
xctrace_is(struct str head)
{
	return str_has(head, STR("<trace-query-result"));
}
