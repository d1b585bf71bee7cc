/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Heap profiles of V8: a tree of the bytes that sampled allocations still hold at the end.  Nodes may be nested as deep as the file is
 * long, so those that are open are kept in a list.
 */
#include "config.h"

#include <assert.h>

#include "forms.h"

/* A node in the order of the text: its parent comes before it. */
struct v8_node {
	uint32_t	parent;		/* row + 1; 0: none */
	uint32_t	frame, stack;
	uint64_t	self;
	const char	*at;
};

struct v8_open {
	uint32_t	row;
	bool		children;	/* its list of children is being read */
};

struct v8_heap {
	struct tracers_in *in;
	struct json	 j;
	struct scratch	 nodes, open;
	uint64_t	 n, nopen;
	struct buf	 file;
};

static struct v8_node *
v8_row(const struct v8_heap *h, uint32_t row)
{
	assert(row < h->n);
	return &SCRATCH(h->nodes, struct v8_node)[row];
}

static struct v8_open *
v8_top(const struct v8_heap *h)
{
	assert(h->nopen > 0);
	return &SCRATCH(h->open, struct v8_open)[h->nopen - 1];
}

/* Enter a node, an object. */
static void
v8_enter(struct v8_heap *h)
{
	struct tracers_in *in = h->in;
	struct v8_node node = { .parent = h->nopen == 0 ? 0 : v8_top(h)->row + 1, .at = h->j.base + h->j.at };
	struct v8_open open = { (uint32_t)h->n, false };

	scan_open(&h->j, '{');
	in->bad = in->bad || !make_add(&h->nodes, &h->n, &node, sizeof node, UINT32_MAX, "nodes", in->err) ||
	    !make_add(&h->open, &h->nopen, &open, sizeof open, UINT32_MAX, "nested nodes", in->err);
}

static void
v8_frame(struct v8_heap *h, uint32_t row)
{
	static const char *const names[] = { "functionName", "url", "lineNumber", "columnNumber", NULL };
	struct tracers_in *in = h->in;
	struct json v[4], at = h->j;
	uint64_t line = 0, column = 0;
	struct str name, file;

	members_of(&at, names, v);
	name = member_text(&v[0], &in->buf);
	file = member_text(&v[1], &h->file);
	/* Lines count from 0; -1: there is none. */
	line = scan_fixed(member_text(&v[2], &in->name), 0, &line) ? num_add(line, 1) : 0;
	scan_fixed(member_text(&v[3], &in->name), 0, &column);
	v8_row(h, row)->frame = samples_begun(&in->s, name.n > 0 ? name : STR("(anonymous)"), file, file.n > 0 ? line : 0, column, in->err);
	in->bad |= v8_row(h, row)->frame == 0;
}

/* A member of the innermost open node; its value comes next. */
static void
v8_member(struct v8_heap *h, struct str name)
{
	uint32_t row = v8_top(h)->row;
	struct str word;

	if (str_eq(name, STR("children")) && scan_open(&h->j, '[')) {
		v8_top(h)->children = true;
		return;
	}
	if (str_eq(name, STR("callFrame"))) {
		scan_peek(&h->j);
		v8_frame(h, row);
	} else if (str_eq(name, STR("selfSize")) && scan_peek(&h->j) != '{' && scan_peek(&h->j) != '[') {
		if (scan_word(&h->j, &word))
			tracers_number(h->in, word, &v8_row(h, row)->self);
		return;
	}
	scan_skip(&h->j);
}

/* One step in the innermost open node. */
static void
v8_step(struct v8_heap *h)
{
	struct v8_open *o = v8_top(h);
	struct str name;

	if (o->children) {
		if (!scan_item(&h->j))
			o->children = false;
		else if (scan_peek(&h->j) == '{')
			v8_enter(h);
		else
			scan_skip(&h->j);
	} else if (scan_member(&h->j, &name)) {
		v8_member(h, name);
	} else {
		h->nopen--;
	}
}

/* To the object that is the head; false: there is none. */
static bool
v8_head(struct v8_heap *h)
{
	struct str name;

	if (!scan_open(&h->j, '{'))
		return false;
	while (scan_member(&h->j, &name)) {
		if (str_eq(name, STR("head")) && scan_peek(&h->j) == '{')
			return true;
		if (!scan_skip(&h->j))
			return false;
	}
	return false;
}

static void
v8_add(struct v8_heap *h)
{
	struct tracers_in *in = h->in;
	struct v8_node *node = SCRATCH(h->nodes, struct v8_node);
	uint32_t below;

	tracers_event(in, (struct traced_event){ STR("live bytes, sampled"), WEIGHT_BYTES, "bytes" });
	for (uint64_t i = 0; i < h->n && !in->bad; i++) {
		assert(node[i].parent <= i);
		below = node[i].parent == 0 ? 0 : node[node[i].parent - 1].stack;
		if (node[i].frame == 0 && (node[i].frame = samples_frame(&in->s, STR("[unknown]"), STR(""), 0, in->err)) == 0)
			in->bad = true;
		if (in->bad || (node[i].stack = samples_stack(&in->s, below, node[i].frame, in->err)) == 0)
			in->bad = true;
		else if (node[i].self > 0)
			tracers_add(in, node[i].stack, node[i].self, 1, node[i].at);
	}
}

void
heapprofile_read(struct tracers_in *in)
{
	struct v8_heap h = { .in = in, .j = { .base = in->text.s, .size = in->text.n } };

	in->values = "bytes of sampled allocations that were still alive at the end";
	if (v8_head(&h))
		v8_enter(&h);
	while (h.nopen > 0 && !h.j.bad && tracers_tick(in, h.j.at))
		v8_step(&h);
	in->count[TRACED_JSON] += h.j.bad;
	v8_add(&h);
	SCRATCH_FREE(&h.nodes, &h.open);
	buf_free(&h.file);
}

bool
heapprofile_is(struct str head)
{
	struct json j = { .base = head.s, .size = head.n };

	return scan_peek(&j) == '{' && str_has(head, STR("\"selfSize\"")) && str_has(head, STR("\"callFrame\"")) && str_has(head, STR("\"head\""));
}
