/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icicle_words: texts of the icicle: names, path, status of the selection, and its query.
 */
#include "config.h"

#include "icecore/columns_trace.h"
#include "icecore/heap_facts.h"
#include "icicle.h"
#include "ui/list/list.h"

enum { CRUMBS = 12 };

void
icicle_box(const struct icicle *ic, uint32_t id, const struct tree_node *n, struct box *fr)
{
	fr->node = id;
	fr->method = n->method;
	fr->thread = id == TREE_ROOT || id == ic->root ? 0 : n->thread;
	fr->is_process = icicle_is_process(ic, n);
	fr->process = n->process;
}

void
icicle_label(const struct icicle *ic, const struct box *fr, struct buf *b)
{
	if (fr->method != 0)
		method_name(ic->st, fr->method, b);
	else if (fr->is_process)
		process_heading(ic->st, fr->process, b);
	else if (fr->thread != 0)
		thread_label(ic->st, fr->thread, b);
	else
		buf_str(b, STR("all"));
}

void
icicle_name(struct icicle *ic, uint32_t id, struct buf *b)
{
	struct tree_node node;
	struct box box = { 0 };

	tree_peek(ic->tree, id, &node);
	icicle_box(ic, id, &node, &box);
	if (tree_name(ic->tree, id, b))
		return;
	if (node.object != 0)
		object_name(tree_heap(ic->tree), node.object, b);
	else
		icicle_label(ic, &box, b);
}

/* A box of a heap also matches by its label: a field, or the class of a Class object. */
bool
icicle_matches(struct icicle *ic, uint32_t id, const struct tree_node *n)
{
	struct buf name = BUF_INIT;
	bool	   has = found_has(ic->pane->ui, n->object != 0 ? n->class : n->method);

	if (!has && of_objects(ic) && id != TREE_ROOT && ui_found(ic->pane->ui)->known) {
		icicle_name(ic, id, &name);
		has = found_named(ic->pane->ui, buf_view(&name));
		buf_free(&name);
	}
	return has;
}

struct hint
icicle_empty(struct icicle *ic)
{
	const struct column *calls = store_column(ic->st, COL_CALL_METHOD);
	bool		 none = calls == NULL || calls->rows == 0;
	bool		 hidden = none && !of_objects(ic) && ui_session(ic->pane->ui)->view != NULL;

	return hint(hidden ? VERB_UNDO : VERB_CLOCK,
	    hidden ? "the filters hide everything; _ undoes the last one" :
	    of_objects(ic) ? "no reachable objects in this dump; see Info" :
	    (ui_shapes(ic->pane->ui) & SHAPE_MONEY) != 0 ? "no transactions in this file" :
	    !ic->w.clocks ? "no samples in this file" : none ? "no calls in this file" :
	    "all times are 0 on this clock; _: next clock");
}

static void
make_path(struct icicle *ic)
{
	struct buf	*b = &ic->path, name = BUF_INIT;
	uint32_t	 id, crumb[CRUMBS];
	size_t		 n = 0, at;

	buf_clear(b);
	for (id = ic->zoom.node; id != 0 && n < CRUMBS;
	    id = id == ic->root ? 0 : tree_parent(ic->tree, id))
		crumb[n++] = id;
	if (id != 0)
		buf_printf(b, "%s%s", glyph(GLYPH_CUT), glyph(GLYPH_INTO));
	while (n-- > 0) {
		buf_clear(&name);
		icicle_name(ic, crumb[n], &name);
		at = b->n;
		if (of_objects(ic))
			object_short(b, buf_view(&name), SIZE_MAX);
		else
			buf_str(b, frame_short(buf_view(&name)));
		screen_fit_from(b, at);
		if (n > 0 || ic->zoom.group)
			buf_str(b, str_of(glyph(GLYPH_INTO)));
	}
	if (ic->zoom.group)
		buf_str(b, STR("other methods"));
	buf_free(&name);
}

void
icicle_path(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);

	if (ic->tree != NULL && !ic->lent)
		make_path(ic);
	buf_str(b, buf_view(&ic->path));
}

void
icicle_strip(struct pane *p, struct buf *b)
{
	uint64_t	from, to, first, last;

	if (look_ranged(p->ui, &from, &to) && look_extent(p->ui, &first, &last))
		scale_strip(b, from, to, first, last);
}

void
icicle_modes(struct pane *p, struct buf *b)
{
	static const char *const kinds[] = { "per thread", "all threads", "per process", "bottom-up",
	    "callers", "callees" };
	struct icicle	*ic = icicle_of(p);

	if (of_objects(ic))
		return;
	ui_weight(p->ui, b);
	buf_printf(b, ", %s", ic->root != TREE_ROOT && !of_method(ic) ? "one thread" :
	    ic->kind == TREE_CALLS && (ui_shapes(p->ui) & SHAPE_MONEY) != 0 ? "per account" :
	    kinds[ic->kind]);
	if (ic->nthreads == 1)
		buf_str(b, STR(", 1 thread"));
	else if (ic->nthreads > 1)
		buf_printf(b, ", %zu threads", ic->nthreads);
	if (ic->row.each && ic->kind <= TREE_PROCESSES)
		buf_str(b, STR(", unfolded"));
}

static void
bytes(struct icicle *ic, const struct box *fr, struct buf *b)
{
	const struct session *s = ui_session(ic->pane->ui);
	uint64_t	 all = heap_whole(ic->st, s->refs, s->sizes);
	struct tree_node node;

	screen_number(b, "  retained ", num_show_size, fr->weight);
	buf_printf(b, " %.1f%%", all > 0 ? 100.0 * (double)fr->weight / (double)all : 0.0);
	if (fr->group != 0)
		return;
	tree_get(ic->tree, fr->node, &node);
	screen_number(b, "  shallow ", num_show_size, node.self[CLOCK_WALL]);
	if (ic->kind != TREE_NAMES)
		screen_number(b, "  dominates ", num_show_count, tree_children(ic->tree, fr->node));
	else if (fr->node != TREE_ROOT)
		screen_number(b, "  objects ", num_show_count, node.calls);
}

uint64_t
icicle_weight(struct icicle *ic, uint32_t id)
{
	enum clock	clock = ui_session(ic->pane->ui)->clock;

	if (ic->w.differs && clock == CLOCK_OFF)
		return num_add(tree_total(ic->tree, id, CLOCK_WALL),
		    tree_total(ic->tree, id, CLOCK_CPU));
	return tree_total(ic->tree, id, clock);
}

static void
icicle_words_add_weight(struct icicle *ic, const char *name, enum clock clock, uint64_t weight, struct buf *b)
{
	buf_printf(b, "  %s ", name);
	weight_show(&ic->w, clock, weight, b);
}

static void
add_percent(struct icicle *ic, uint64_t weight, struct buf *b)
{
	uint64_t	all = icicle_weight(ic, TREE_ROOT);

	buf_printf(b, " %.1f%%", all > 0 ? 100.0 * (double)weight / (double)all : 0.0);
}

/* Append all weights of a comparison, and the change in percent. */
static void
differences(struct icicle *ic, const struct tree_node *n, struct buf *b)
{
	uint64_t	before = n->total[CLOCK_CPU];

	for (int i = 0; i < CLOCKS; i++)
		icicle_words_add_weight(ic, ic->w.name[i], (enum clock)i, n->total[i], b);
	if (before > 0)
		buf_printf(b, " %+.1f%%", 100.0 * ((double)n->total[CLOCK_WALL] -
		    (double)before) / (double)before);
	if (ic->kind != TREE_CALLERS)
		icicle_words_add_weight(ic, "self delta", CLOCK_OFF, n->self[CLOCK_OFF], b);
}

/* Return the unit of the count that is shown next to the weight. */
const char *
icicle_counted(struct icicle *ic)
{
	return (ui_shapes(ic->pane->ui) & SHAPE_MONEY) != 0 ? "transactions" : ic->w.clocks ? "calls" :
	    "samples";
}

static void
icicle_words_counts(struct icicle *ic, const struct box *fr, const struct tree_node *n, struct buf *b)
{
	bool	told = ic->w.type == WEIGHT_COUNT && str_eq(ic->w.unit, STR("samples"));

	/* Without clocks the count covers the node's own samples or transactions, not those below it. */
	if (!ic->w.clocks && (told || n->calls == 0))
		return;
	buf_printf(b, "  %s ", icicle_counted(ic));
	screen_number(b, "", num_show_count, n->calls);
	if (ic->w.clocks && n->calls != 0)
		screen_number(b, "  avg ", num_show_duration, trace_ns(ic->st, fr->weight) / n->calls);
}

static void
weights(struct icicle *ic, const struct box *fr, struct buf *b)
{
	enum clock	 clock = ui_session(ic->pane->ui)->clock;
	struct tree_node node;

	tree_get(ic->tree, fr->node, &node);
	if (ic->w.differs && fr->group == 0) {
		differences(ic, &node, b);
		return;
	}
	if (ic->w.differs) {
		buf_str(b, STR("  in total"));
		add_percent(ic, fr->weight, b);
		return;
	}
	buf_str(b, STR("  total "));
	(ic->w.clocks ? weight_show : weight_show_unit)(&ic->w, clock, fr->weight, b);
	add_percent(ic, fr->weight, b);
	if (fr->group != 0)
		return;
	/* The tree of callers contains only the weight that passes through the method. */
	if (ic->kind != TREE_CALLERS)
		icicle_words_add_weight(ic, "self", clock, node.self[clock], b);
	icicle_words_counts(ic, fr, &node, b);
}

static size_t
frames_in_row(struct icicle *ic, const struct box *fr)
{
	size_t	n = 1;

	for (uint32_t id = fr->node; id != fr->first && id != 0; id = tree_parent(ic->tree, id))
		n++;
	return n;
}

void
icicle_status(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);
	struct buf	 name = BUF_INIT, rest = BUF_INIT;
	const struct box *fr = frames_selected(&ic->f);
	struct box	 one;

	if (ic->walking)
		buf_str(b, STR("searching"));
	/* Self weight needs the children: wait until the worker has expanded the node. */
	if (ic->tree == NULL || fr == NULL || ic->walking || ic->lent || icicle_heavy(ic, fr->node))
		return;
	if (fr->idle)
		box_idle_name(fr->group, &name);
	else {
		if (fr->group != 0)
			buf_printf(&name, "+%u narrow frames below ", fr->group);
		icicle_name(ic, fr->node, &name);
	}
	if (fr->group == 0 && fr->method != 0)
		module_told(method_module(ic->st, fr->method), &name);
	one = *fr;
	one.weight = fr->group == 0 ? icicle_weight(ic, fr->node) : fr->weight;
	(of_objects(ic) ? bytes : weights)(ic, &one, &rest);
	if (fr->group == 0 && fr->first != fr->node)
		buf_printf(&rest, "%s%zu frames", hint(VERB_TOGETHER, "  _: ").s, frames_in_row(ic, fr));
	if (fr->idle)
		buf_str(&rest, str_of(hint_in(ui_where(p->ui, p), VERB_ENTER,
		    "  not to scale; _ shows them").s));
	p->status_cut = screen_pair(b, &name, &rest, p->status_w);
}

void
icicle_text(struct pane *p, struct buf *b)
{
	static const char *const words[] = { "calls", "merged", "process_calls", "inverted", "callers ",
	    "callees ", "dominators", "names" };
	struct icicle	*ic = icicle_of(p);
	struct tree_node node = { 0 };

	buf_str(b, str_of(words[ic->kind]));
	/* A query uses the name, so it applies to all methods with that name. */
	if (of_method(ic) && ic->tree != NULL && ic->of.twins && ic->of.id != 0 &&
	    ic->of.version == ui_version(p->ui))
		buf_printf(b, "@%u", ic->of.id);
	else if (of_method(ic) && !list_quote(buf_view(&ic->of.name), b))
		buf_str(b, STR("''"));
	for (size_t i = 0; i < ic->nthreads; i++)
		buf_printf(b, " @%u", ic->threads[i]);
	if (!of_objects(ic))
		look_stages(p->ui, b);
	/* Also while the worker owns the tree: nodes of objects do not move. */
	if (ic->tree != NULL && ic->kind == TREE_DOMINATORS)
		tree_peek(ic->tree, ic->zoom.node, &node);
	if (node.object != 0)
		buf_printf(b, " @%u", node.object);
}

void
icicle_frame(struct pane *p, struct buf *b)
{
	struct icicle	*ic = icicle_of(p);
	const struct box *fr = frames_selected(&ic->f);

	if (ic->tree != NULL && fr != NULL && fr->group == 0 && fr->method != 0)
		method_name(ic->st, fr->method, b);
}
