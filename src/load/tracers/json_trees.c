/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of nodes in JSON: heap profiles of V8, with the bytes that sampled allocations still hold at the end;
 * d3-flame-graph, as perf script report flamegraph and web pages have it, with the values of a node and all
 * above it.  Nodes may be nested as deep as the file is long, so those that are open are kept in a list.
 */
#include "config.h"

#include <assert.h>

#include "forms.h"

/* A node in the order of the text: its parent comes before it. */
struct v8_node {
	uint32_t	parent;		/* row + 1; 0: none */
	uint32_t	frame, stack;
	uint64_t	self;		/* d3: with that of its children, until all are read */
	const char	*at;
};

struct v8_open {
	uint32_t	row;
	bool		children;	/* the list of children is being read */
};

struct v8_heap {
	struct tracers_in *in;
	struct json	 j;
	struct scratch	 nodes, open;
	uint64_t	 n, nopen;
	struct buf	 file;
	/* A member of the innermost open node; its value comes next. */
	void		(*member)(struct v8_heap *, struct str name);
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
	v8_row(h, row)->frame = samples_begun(&in->s, name.n > 0 ? name : STR("(anonymous)"), file,
	    file.n > 0 ? line : 0, column, in->err);
	in->bad |= v8_row(h, row)->frame == 0;
}

static void
v8_member(struct v8_heap *h, struct str name)
{
	uint32_t row = v8_top(h)->row;
	struct str word;

	if (str_is(name, "children") && scan_open(&h->j, '[')) {
		v8_top(h)->children = true;
		return;
	}
	if (str_is(name, "callFrame")) {
		scan_peek(&h->j);
		v8_frame(h, row);
	} else if (str_is(name, "selfSize") && scan_peek(&h->j) != '{' && scan_peek(&h->j) != '[') {
		if (scan_word(&h->j, &word))
			tracers_number(h->in, word, &v8_row(h, row)->self);
		return;
	}
	scan_skip(&h->j);
}

/* Read the next part of the innermost open node. */
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
		h->member(h, name);
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
		if (str_is(name, "head") && scan_peek(&h->j) == '{')
			return true;
		if (!scan_skip(&h->j))
			return false;
	}
	return false;
}

/* Add the samples of nodes; those without a frame: of d3 the root, others have no name. */
static void
v8_add(struct v8_heap *h, bool root)
{
	struct tracers_in *in = h->in;
	struct v8_node *node = SCRATCH(h->nodes, struct v8_node);
	uint32_t below;

	for (uint64_t i = 0; i < h->n && !in->bad; i++) {
		assert(node[i].parent <= i);
		below = node[i].parent == 0 ? 0 : node[node[i].parent - 1].stack;
		if (root && node[i].parent == 0)
			node[i].stack = 0;
		else if ((node[i].frame == 0 &&
		    (node[i].frame = samples_frame(&in->s, STR("[unknown]"), STR(""), 0, in->err)) == 0) ||
		    (node[i].stack = samples_stack(&in->s, below, node[i].frame, in->err)) == 0)
			in->bad = true;
		if (node[i].self > 0)
			tracers_add(in, node[i].stack, node[i].self, h->member == v8_member ? 1 : node[i].self,
			    node[i].at);
	}
}

/* From the object at the place where the text is read. */
static void
v8_read(struct v8_heap *h)
{
	v8_enter(h);
	while (h->nopen > 0 && !h->j.bad && tracers_tick(h->in, h->j.at))
		v8_step(h);
	h->in->count[TRACED_JSON] += h->j.bad;
}

static void
v8_close(struct v8_heap *h)
{
	SCRATCH_FREE(&h->nodes, &h->open);
	buf_free(&h->file);
}

void
heapprofile_read(struct tracers_in *in)
{
	struct v8_heap h = { .in = in, .j = { .base = in->text.s, .size = in->text.n }, .member = v8_member };

	in->values = "bytes of sampled allocations that were still alive at the end";
	if (v8_head(&h))
		v8_read(&h);
	tracers_event(in, STR("live bytes, sampled"), WEIGHT_BYTES, "bytes");
	v8_add(&h, false);
	v8_close(&h);
}

bool
heapprofile_is(struct str head)
{
	struct json j = { .base = head.s, .size = head.n };

	return scan_peek(&j) == '{' && str_has(head, STR("\"selfSize\"")) &&
	    str_has(head, STR("\"callFrame\"")) && str_has(head, STR("\"head\""));
}

/* ---- d3-flame-graph ---------------------------------------------------------------------- */

static void
d3_member(struct v8_heap *h, struct str name)
{
	struct v8_node *node = v8_row(h, v8_top(h)->row);
	struct str word;

	if ((str_is(name, "c") || str_is(name, "children")) && scan_open(&h->j, '[')) {
		v8_top(h)->children = true;
		return;
	}
	if (!scan_plain(&h->j, &word))
		return;
	if (str_is(name, "v") || str_is(name, "value"))
		tracers_number(h->in, word, &node->self);
	else if (h->nopen > 1 && (str_is(name, "n") || str_is(name, "name")))
		node->frame = samples_frame(&h->in->s, scan_unescape(word, &h->file), STR(""), 0, h->in->err);
	else if (str_is(name, "l") && str_is(word, "kernel") && node->frame != 0)
		node->frame = samples_frame(&h->in->s, samples_frame_name(&h->in->s, node->frame), STR(""), 'k',
		    h->in->err);
}

/* The values of nodes without those of their children, which come later in the text. */
static void
d3_selves(struct v8_heap *h)
{
	OWN_ARRAY(uint64_t) above = ARRAY_INIT;
	struct v8_node *node = SCRATCH(h->nodes, struct v8_node);

	assert(h->nopen == 0 || h->j.bad || h->in->bad);
	if (h->in->bad || (h->in->bad = !array_grow(&above, h->n, h->in->err)))
		return;
	for (uint64_t i = h->n; i-- > 0; ) {
		if (node[i].parent != 0)
			above.at[node[i].parent - 1] = num_add(above.at[node[i].parent - 1], node[i].self);
		/* perf writes 0 for the root. */
		h->in->count[TRACED_CHILDREN] += above.at[i] > node[i].self && node[i].parent != 0;
		node[i].self = above.at[i] > node[i].self ? 0 : node[i].self - above.at[i];
	}
}

/* Where the tree begins in a page or a text of JSON; NULL: nowhere. */
static const char *
d3_begin(struct str text)
{
	static const char *const begins[] = { "\"stacks\":", "{\"n\":", "{\"name\":", "{ \"name\":" };
	struct str before, after;

	for (size_t i = 0; i < NELEM(begins); i++)
		if (str_divide(text, str_of(begins[i]), &before, &after))
			return i == 0 ? memchr(after.s, '{', after.n) : before.s + before.n;
	return NULL;
}

void
d3_read(struct tracers_in *in)
{
	const char *begin = d3_begin(in->text);
	struct v8_heap h = { .in = in, .j = { .base = in->text.s, .size = in->text.n }, .member = d3_member };

	h.j.at = begin == NULL ? in->text.n : (uint64_t)(begin - in->text.s);
	if (begin != NULL)
		v8_read(&h);
	tracers_event(in, STR("samples"), WEIGHT_COUNT, "samples");
	d3_selves(&h);
	v8_add(&h, true);
	v8_close(&h);
}

bool
d3_is(struct str head)
{
	struct str s = text_trim(head);
	bool page = str_begins(s, "<"), short_names = str_has(s, STR("\"n\":")) && str_has(s, STR("\"v\":")) &&
	    str_has(s, STR("\"c\":"));

	return d3_begin(s) != NULL && ((page && short_names) || (s.n > 0 && s.s[0] == '{' && (short_names ||
	    (str_has(s, STR("\"name\":")) && str_has(s, STR("\"value\":")) && str_has(s, STR("\"children\":"))))));
}
