/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * q_stacks: the output of perf script as folded stacks, by the rules of the scripts that make flame graphs.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "icecore/perf.h"
#include "stack_tree.h"
#include "trace.h"

#define SLICE 64u		/* samples between two ticks */
#define NAMES_AHEAD 8u

/* A node of the stack shown last, and where its text ends. */
struct shown_node {
	uint32_t	node;
	size_t		end;
};

enum stacks_root { ROOT_COMM, ROOT_PID, ROOT_TID };

struct stacks {
	/* their list is of the nodes where stacks end, in the order of their texts */
	struct item_rows	 rows;
	const struct column	*offset, *weight, *event;	/* columns of samples */
	uint64_t		 chosen;
	enum stacks_root	 root;
	bool			 kernel, jit, rust, addresses;
	struct perf_text	 text;
	struct perf_seen	 seen;		/* names of lines; how many frames the last sample has up to a line */
	struct text_pool	 names;
	struct idmap		 by_symbol;	/* hashes of symbols to names */
	struct scratch	root_frames, frames;
	ARRAY(uint32_t)	stack;	/* names of the last sample */
	uint64_t		 nroot, nframes;
	struct stacks_tree	 tree;
	ARRAY(struct shown_node)	shown;		/* nodes of the stack whose text is in line */
	uint64_t		 nshown;
	struct buf		 line, name, last_root;	/* last_root: text of the root in the last sample */
};

/* ---- one sample -------------------------------------------------------------------------- */

/* Append the text in the line buffer as a frame; *name: its number. */
static bool
push_line(struct stacks *s, struct scratch *frames, uint64_t *n, uint32_t *name)
{
	struct err *err = &s->rows.rows.err;

	if (s->line.bad || s->name.bad)
		return fail_memory(err, "stack");
	return texts_number(&s->names, buf_view(&s->line), name, err) &&
	    scratch_add(frames, n, name, sizeof *name, err);
}

/* A name with semicolons becomes several frames. */
static bool
push_root(struct stacks *s, struct str root)
{
	struct str part;
	uint32_t name;
	bool more = true;

	s->nroot = 0;
	while (more) {
		part = str_until(root, ';');
		more = part.n < root.n;
		root = str_after(root, part.n + 1);
		buf_clear(&s->line);
		buf_str(&s->line, part);
		if (!push_line(s, &s->root_frames, &s->nroot, &name))
			return false;
	}
	return true;
}

/* Build the name of the root frame, which is the thread, in the name buffer. */
static void
root_name(struct stacks *s, const struct perf_sample *p)
{
	struct buf *b = &s->name;

	buf_clear(b);
	buf_str(b, p->comm);
	if (s->root != ROOT_COMM && p->has_pid)
		buf_printf(b, "-%u", p->pid);
	else if (s->root != ROOT_COMM)
		buf_text(b, "-?");
	if (s->root == ROOT_TID)
		buf_printf(b, "/%u", p->tid);
	for (size_t i = 0; i < b->n; i++)
		if (b->s[i] == ' ')
			b->s[i] = '_';
}

static void
q_stacks_add_suffix(struct stacks *s, struct str name, const char *suffix, bool again)
{
	if (again || name.n == 0 || memmem(name.s, name.n, suffix, strlen(suffix)) == NULL)
		buf_text(&s->line, suffix);
}

/* Append the functions of a frame; *known: their name, if it is one. */
static bool
q_stacks_push_functions(struct stacks *s, const struct perf_frame *f, unsigned names, char kind,
    uint32_t *known)
{
	struct str symbol = f->symbol, part, text;
	uint32_t name = 0, n;

	for (n = 0; perf_part(&symbol, names, &part); n++) {
		text = perf_name(f, part, names, &s->name);
		buf_clear(&s->line);
		buf_str(&s->line, text);
		if (n > 0)
			q_stacks_add_suffix(s, text, "_[i]", false);
		else if (kind == 'k' && s->kernel)
			q_stacks_add_suffix(s, text, "_[k]", true);
		else if (kind == 'j' && s->jit)
			q_stacks_add_suffix(s, text, "_[j]", false);
		if (!push_line(s, &s->frames, &s->nframes, &name))
			return false;
	}
	*known = n == 1 ? name : 0;
	return true;
}

/*
 * Append the functions of a frame. A symbol determines its name, unless it is unknown. Symbols of equal
 * hashes are treated as equal.
 */
static bool
q_stacks_push_frame(struct stacks *s, const struct perf_frame *f, unsigned names, uint32_t *known)
{
	char kind = s->kernel || s->jit ? perf_kind(f, names) : 0;
	bool unknown = f->symbol.n == 0 || str_is(f->symbol, "[unknown]");
	uint64_t key = unknown ? 0 : idmap_hash_text(f->symbol, (uint64_t)names << 8 | (unsigned char)kind);
	struct err *err = &s->rows.rows.err;

	*known = unknown ? 0 : idmap_get(&s->by_symbol, key);
	if (*known != 0)
		return scratch_add(&s->frames, &s->nframes, known, sizeof *known, err);
	return q_stacks_push_functions(s, f, names, kind, known) &&
	    (unknown || *known == 0 || idmap_put(&s->by_symbol, key, *known, err));
}

/* Append the frames of all lines that the last sample does not have. */
static bool
push_lines(struct stacks *s, struct str frames, unsigned names, uint64_t *same)
{
	struct err *err = &s->rows.rows.err;
	struct perf_frame f;
	struct str line;
	uint64_t bad = 0;
	uint32_t *known, kept = 0;

	if (!perf_seen_begin(&s->seen, &frames, names, &kept, err))
		return false;
	*same = s->nframes = kept;
	while (perf_seen_next(&s->seen, &frames, &line, &known)) {
		if (*known != 0 ? !scratch_add(&s->frames, &s->nframes, known, sizeof *known, err) :
		    perf_frame(line, names, &f, &bad) && !q_stacks_push_frame(s, &f, names, known))
			return false;
		perf_seen_frame(&s->seen, frames, (uint32_t)s->nframes);
	}
	return true;
}

/* Add the stack of root and frames. */
static bool
q_stacks_add_stack(struct stacks *s, uint64_t same, uint64_t weight)
{
	struct err *err = &s->rows.rows.err;
	uint32_t *stack;
	struct stack_node *end;

	if (!array_grow(&s->stack, s->nroot + s->nframes, err))
		return false;
	stack = s->stack.at;
	memcpy(stack, s->root_frames.data, s->nroot * sizeof *stack);
	if (s->nframes > 0)
		memcpy(stack + s->nroot, s->frames.data, s->nframes * sizeof *stack);
	if ((end = stack_tree_add(&s->tree, stack, s->nroot + s->nframes, same, err)) == NULL)
		return false;
	end->weight = num_add(end->weight, weight);
	end->samples++;
	return true;
}

/* Add the sample at that offset. */
static bool
q_stacks_add_sample(struct stacks *s, uint64_t offset, uint64_t weight)
{
	unsigned names = PERF_EXACT | (s->addresses ? PERF_ADDRESSES : 0) | (s->rust ? PERF_RUST : 0);
	struct perf_sample p;
	uint64_t same;
	bool new_root;

	s->text.at = offset;
	if (offset >= s->text.size || !perf_next(&s->text, &p))
		return true;
	root_name(s, &p);
	if (str_is(buf_view(&s->name), "java"))
		names |= PERF_JAVA;
	new_root = s->nroot == 0 || !str_eq(buf_view(&s->name), buf_view(&s->last_root));
	if (new_root) {
		buf_clear(&s->last_root);
		buf_str(&s->last_root, buf_view(&s->name));
		if (s->last_root.bad || !push_root(s, buf_view(&s->name)))
			return s->last_root.bad ? fail_memory(&s->rows.rows.err, "stack") : false;
	}
	return push_lines(s, p.frames, names, &same) &&
	    q_stacks_add_stack(s, new_root ? 0 : s->nroot + same, weight);
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool
fold_all(struct stacks *s)
{
	for (uint64_t i = 0; i < s->offset->rows; i++) {
		if (i % SLICE == 0 && !rows_tick(&s->rows.rows, i))
			return false;
		if (column_get(s->event, i) == s->chosen &&
		    !q_stacks_add_sample(s, column_get(s->offset, i), column_get(s->weight, i)))
			return false;
	}
	return stack_tree_list(&s->tree, &s->names, &s->rows.list, &s->rows.n, s->rows.rows.work,
	    &s->rows.rows.err);
}

static bool
stacks_step(struct item_rows *r)
{
	struct stacks *s = (struct stacks *)r;

	if (s->offset != NULL && !fold_all(s))
		r->n = 0;
	return false;
}

/* Append the frames of a node to the line. The text of a name that follows soon is fetched ahead. */
static void
show_node(struct stacks *s, const struct stack_node *node)
{
	const uint32_t *name = SCRATCH(s->tree.frames, uint32_t) + node->first;

	for (uint32_t i = 0; i < node->n; i++) {
		if (i + NAMES_AHEAD < node->n)
			__builtin_prefetch(texts_get(&s->names, name[i + NAMES_AHEAD]).s);
		if (node->caller != 0 || i > 0)
			buf_chr(&s->line, ';');
		buf_str(&s->line, texts_get(&s->names, name[i]));
	}
}

/* Keep the nodes in the line that a stack has in common with the one shown last. */
static void
show_stack(struct stacks *s, uint32_t end)
{
	const struct stack_node *node = s->tree.nodes.at;
	uint64_t depth = 0, from, before = s->nshown;
	struct shown_node *shown;

	for (uint32_t i = end; i != 0; i = node[i].caller)
		depth++;
	s->nshown = 0;
	s->line.n = 0;
	if (!array_grow(&s->shown, depth, &s->rows.rows.err))
		return;
	shown = s->shown.at;
	for (from = depth; end != 0 && (from > before || shown[from - 1].node != end); end = node[end].caller)
		shown[--from].node = end;
	if (from > 0)
		s->line.n = shown[from - 1].end;
	for (; from < depth; from++) {
		show_node(s, &node[shown[from].node]);
		shown[from].end = s->line.n;
	}
	s->nshown = depth;
}

static const void *
stack_row(struct item_rows *r, uint64_t row)
{
	return &((struct stacks *)r)->tree.nodes.at[SCRATCH(r->list, uint32_t)[row]];
}

static void
stack_cell(struct item_rows *r, UNUSED uint64_t n, struct cell *c)
{
	struct stacks *s = (struct stacks *)r;

	show_stack(s, (uint32_t)((const struct stack_node *)r->item - s->tree.nodes.at));
	cell_text(&r->rows, c, &s->line);
}

/* Weights are times, or counts. */
static const struct coldef stacks_cols[2][3] = { {
	{ "stack", CELL_TEXT, "frames, outermost first, separated by semicolons", COMPUTED(stack_cell) },
	{ "weight", CELL_COUNT, "total weight", MADE(ITEM(struct stack_node, weight)) },
	{ "samples", CELL_COUNT, "samples", MADE(ITEM(struct stack_node, samples)) }
}, {
	{ "stack", CELL_TEXT, "frames, outermost first, separated by semicolons", COMPUTED(stack_cell) },
	{ "weight", CELL_TIME, "total weight", MADE(ITEM(struct stack_node, weight)) },
	{ "samples", CELL_COUNT, "samples", MADE(ITEM(struct stack_node, samples)) }
} };

static void
stacks_end(struct item_rows *r)
{
	struct stacks *s = (struct stacks *)r;

	texts_free(&s->names);
	perf_seen_free(&s->seen);
	stack_tree_free(&s->tree);
	SCRATCH_FREE(&s->root_frames, &s->frames, &s->stack, &s->shown);
	idmap_free(&s->by_symbol);
	buf_free(&s->line);
	buf_free(&s->name);
	buf_free(&s->last_root);
}

/* ---- arguments ------------------------------------------------------------------------------ */

static bool
q_stacks_read_arguments(struct stacks *s, const struct stage *stage, struct err *err)
{
	const struct token *t;
	size_t i = 0;

	while ((t = stage_next(stage, &i)) != NULL) {
		if (token_is(t, "comm"))
			s->root = ROOT_COMM;
		else if (token_is(t, "pid"))
			s->root = ROOT_PID;
		else if (token_is(t, "tid"))
			s->root = ROOT_TID;
		else if (token_is(t, "addrs"))
			s->addresses = true;
		else if (token_is(t, "rust"))
			s->rust = true;
		else if (token_is(t, "kernel") || token_is(t, "all") || token_is(t, "jit")) {
			s->kernel |= !token_is(t, "jit");
			s->jit |= !token_is(t, "kernel");
		} else
			return fail_at(err, E_USAGE, t->at,
			    "unknown option; use comm, pid, tid, kernel, jit, all, addrs, rust");
	}
	return true;
}

static bool
q_stacks_find_columns(struct stacks *s, const struct stage *stage, struct err *err)
{
	const struct loader *l = load_loader(s->rows.st);
	const struct map *m = store_source(s->rows.st);

	if (l == NULL || strcmp(l->name, "perf") != 0)
		return fail_at(err, E_USAGE, stage->at,
		    "'stacks' is for perf script; use 'calls | format folded'");
	perf_open(&s->text, (const char *)m->data, m->size - perf_cut((const char *)m->data, m->size));
	s->text.exact = true;
	s->offset = store_column(s->rows.st, COL_SAMPLE_OFFSET);
	s->weight = store_column(s->rows.st, COL_SAMPLE_WEIGHT);
	s->event = store_column(s->rows.st, COL_SAMPLE_EVENT);
	s->chosen = fact_value(s->rows.st, FACT_EVENT);
	return true;
}

static bool
q_stacks_begin(struct item_rows *r, const struct stage *stage, struct err *err)
{
	struct stacks *s = (struct stacks *)r;

	r->rows.cols = stacks_cols[TRACE(r)->weights.type == WEIGHT_TIME];
	return q_stacks_read_arguments(s, stage, err) &&
	    (store_is_blank(r->st) || q_stacks_find_columns(s, stage, err));
}

static const struct source stacks = {
	.domain = &trace_domain, .size = sizeof(struct stacks), .args = ARGS_OWN, .begin = q_stacks_begin,
	    .step = stacks_step,
	.item_at = stack_row, .end = stacks_end
};

const struct command source_stacks = {
	SOURCE("stacks", "folded stacks, named as stackcollapse-perf does", "stacks pid all",
	    item_rows_open),
	OVER(SHAPE_SAMPLES, stacks_cols[0]), .source = &stacks,
	.args = ARGS({ NULL, ARG_OPTIONAL, "comm" }, { NULL, ARG_OR, "pid" }, { NULL, ARG_OR, "tid" },
	    { NULL, ARG_OPTIONAL, "kernel" }, { NULL, ARG_OPTIONAL, "jit" },
	    { NULL, ARG_OPTIONAL, "all" }, { NULL, ARG_OPTIONAL, "addrs" },
	    { NULL, ARG_OPTIONAL, "rust" })
};
