/*
 * q_stacks: the output of perf script as folded stacks, by the rules of the scripts that make flame graphs.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/make.h"
#include "icecore/perf.h"
#include "trace.h"

#define SLICE 64u		/* samples between two ticks */

/* A frame on top of those of a caller. */
struct stack_node {
	uint64_t	weight, samples;	/* of those that end there */
	uint32_t	caller, name;		/* caller 0: none */
	uint32_t	child;			/* the first one; the others are in by_name */
};

/* A path from a caller: stacks end with the frame of node, or continue below it.  Sorted by their texts. */
struct stack_way {
	uint64_t	order;		/* the caller, and below it the place of its name */
	uint32_t	node;
	bool		ends;
};

/* A frame of the stack shown last, and where its text ends. */
struct shown_frame {
	uint32_t	node;
	size_t		end;
};

enum stacks_root { ROOT_COMM, ROOT_PID, ROOT_TID };

struct stacks {
	struct item_rows	 rows;		/* their list is of the nodes where stacks end, in the order of their texts */
	const struct column	*offset, *weight, *event;	/* of samples */
	uint64_t		 chosen;
	enum stacks_root	 root;
	bool			 kernel, jit, rust, addresses;
	struct perf_text	 text;
	struct perf_seen	 seen;		/* names of lines, and nodes */
	struct text_pool	 names;
	struct scratch		 nodes;		/* struct stack_node of number n at n */
	struct idmap		 by_name;	/* callers and names to nodes, except first children */
	uint32_t		 nnodes;	/* the number of the last one */
	struct scratch		 shown;		/* struct shown_frame: of the stack whose text line is */
	uint64_t		 nshown;
	struct buf		 line, name;
};

/* ---- one sample -------------------------------------------------------------------------- */

/* Push a frame of that name on top of *node.  Most stacks continue in one way only, so the first child is tried without a search. */
static bool
q_stacks_push_name(struct stacks *s, uint32_t name, uint32_t *node)
{
	struct stack_node *nodes = SCRATCH(s->nodes, struct stack_node);
	uint32_t caller = *node, first = s->nnodes == 0 ? 0 : nodes[caller].child;
	uint64_t key = (uint64_t)caller << 32 | name;
	struct err *err = &s->rows.rows.err;

	if (first != 0 && nodes[first].name == name)
		*node = first;
	else
		*node = first == 0 ? 0 : idmap_get(&s->by_name, key);
	if (*node != 0)
		return true;
	/* Row 0 is not a frame: its child is the first root. */
	if (make_row(&s->nodes, s->nnodes + 1ull, sizeof *nodes, UINT32_MAX, "different stacks", err) == NULL)
		return false;
	nodes = SCRATCH(s->nodes, struct stack_node);
	*node = ++s->nnodes;
	nodes[*node] = (struct stack_node){ .caller = caller, .name = name };
	if (first == 0)
		nodes[caller].child = *node;
	return first == 0 || idmap_put(&s->by_name, key, *node, err);
}

/* Push the text in the line buffer as a frame; *name: its number. */
static bool
push_line(struct stacks *s, uint32_t *name, uint32_t *node)
{
	struct err *err = &s->rows.rows.err;

	if (s->line.bad || s->name.bad)
		return fail(err, E_SYSTEM, "out of memory (stack)");
	return texts_number(&s->names, buf_view(&s->line), name, err) && q_stacks_push_name(s, *name, node);
}

/* A name with semicolons becomes several frames. */
static bool
push_root(struct stacks *s, struct str root, uint32_t *node)
{
	struct str part;
	uint32_t name;
	bool more = true;

	while (more) {
		part = str_until(root, ';');
		more = part.n < root.n;
		root = str_behind(root, part.n + 1);
		buf_clear(&s->line);
		buf_str(&s->line, part);
		if (!push_line(s, &name, node))
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
		buf_str(b, STR("-?"));
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
		buf_str(&s->line, str_of(suffix));
}

/* The functions of a frame; *known: their name, if it is one. */
static bool
q_stacks_push_frame(struct stacks *s, const struct perf_frame *f, unsigned names, uint32_t *known, uint32_t *node)
{
	struct str symbol = f->symbol, part, text;
	char kind = perf_kind(f, names);
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
		if (!push_line(s, &name, node))
			return false;
	}
	*known = n == 1 ? name : 0;
	return true;
}

static bool
push_lines(struct stacks *s, struct str frames, unsigned names, uint32_t *node)
{
	struct perf_frame f;
	struct str line;
	uint64_t bad = 0;
	uint32_t *known;

	if (!perf_seen_begin(&s->seen, &frames, names, node, &s->rows.rows.err))
		return false;
	while (perf_line(&frames, &line)) {
		known = perf_seen_line(&s->seen, line);
		if (*known != 0 ? !q_stacks_push_name(s, *known, node) :
		    perf_frame(line, names, &f, &bad) && !q_stacks_push_frame(s, &f, names, known, node))
			return false;
		perf_seen_frame(&s->seen, frames, *node);
	}
	return true;
}

/* Add the sample at that offset. */
static bool
q_stacks_add_sample(struct stacks *s, uint64_t offset, uint64_t weight)
{
	unsigned names = PERF_EXACT | (s->addresses ? PERF_ADDRESSES : 0) | (s->rust ? PERF_RUST : 0);
	struct stack_node *end;
	struct perf_sample p;
	uint32_t node = 0;

	s->text.at = offset;
	if (offset >= s->text.size || !perf_next(&s->text, &p))
		return true;
	root_name(s, &p);
	if (str_eq(buf_view(&s->name), STR("java")))
		names |= PERF_JAVA;
	if (!push_root(s, buf_view(&s->name), &node) || !push_lines(s, p.frames, names, &node))
		return false;
	end = &SCRATCH(s->nodes, struct stack_node)[node];
	end->weight = num_add(end->weight, weight);
	end->samples++;
	return true;
}

/* ---- the order of their texts --------------------------------------------------------------- */

/* The number of a way is 2 * name if stacks end with the name, and 1 more if a semicolon follows. */
static int
way_byte(struct str name, size_t at, uint32_t way)
{
	return at < name.n ? (unsigned char)name.s[at] : way % 2 != 0 ? ';' : -1;
}

static int
q_stacks_by_text(const void *x, const void *y, void *names)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	struct str s = texts_get(names, a / 2), t = texts_get(names, b / 2);
	size_t n = s.n < t.n ? s.n : t.n;
	int order = n == 0 ? 0 : memcmp(s.s, t.s, n);

	return order != 0 ? order : way_byte(s, n, a) - way_byte(t, n, b);
}

/* Sort all ways by text; place: by number of a way, its rank. */
static bool
place_names(struct stacks *s, struct scratch *place)
{
	uint64_t n = 2 * (s->names.n + 1ull);
	struct scratch sorted = SCRATCH_INIT;
	uint32_t *way;

	if (!scratch_array(place, n, sizeof *way, &s->rows.rows.err) || !scratch_array(&sorted, n, sizeof *way, &s->rows.rows.err))
		return false;
	way = SCRATCH(sorted, uint32_t);
	for (uint32_t i = 2; i < n; i++)
		way[i] = i;
	qsort_r(way + 2, n - 2, sizeof *way, q_stacks_by_text, &s->names);
	for (uint32_t i = 2; i < n; i++)
		SCRATCH(*place, uint32_t)[way[i]] = i;
	scratch_free(&sorted);
	return true;
}

/* Collect the ways on from each node, in order; *n: their number. */
static bool
sort_ways(struct stacks *s, struct scratch *ways, uint64_t *n)
{
	struct scratch places = SCRATCH_INIT;
	const struct stack_node *node = SCRATCH(s->nodes, struct stack_node);
	const uint32_t *place;
	struct stack_way way;
	bool ok = place_names(s, &places);

	place = SCRATCH(places, uint32_t);
	for (uint32_t i = 1; ok && i <= s->nnodes; i++)
		for (uint32_t on = node[i].samples == 0; ok && on < 2; on++) {
			way = (struct stack_way){ (uint64_t)node[i].caller << 32 | place[2 * node[i].name + on], i, on == 0 };
			ok = scratch_add(ways, n, &way, sizeof way, &s->rows.rows.err);
		}
	scratch_free(&places);
	return ok && make_sort(ways, *n, sizeof way, s->rows.rows.work, &s->rows.rows.err);
}

/* Follow all ways depth first, without recursion, and list the nodes where stacks end. */
static void
list_stacks(struct stacks *s, const struct stack_way *way, uint64_t n, uint32_t *next)
{
	const struct stack_node *nodes = SCRATCH(s->nodes, struct stack_node);
	uint32_t *list = SCRATCH(s->rows.list, uint32_t);

	for (uint64_t i = n; i-- > 0;)
		next[way[i].order >> 32] = (uint32_t)i + 1;
	for (uint32_t node = 0, at;;) {
		at = next[node];
		if (at == 0 || at > n || way[at - 1].order >> 32 != node) {
			if (node == 0)
				break;
			node = nodes[node].caller;
			continue;
		}
		next[node]++;
		if (way[at - 1].ends)
			list[s->rows.n++] = way[at - 1].node;
		else
			node = way[at - 1].node;
	}
}

static bool
sort_stacks(struct stacks *s)
{
	struct scratch ways = SCRATCH_INIT, next = SCRATCH_INIT;
	uint64_t n = 0;
	bool ok;

	ok = sort_ways(s, &ways, &n) && scratch_array(&next, s->nnodes + 1ull, sizeof(uint32_t), &s->rows.rows.err) &&
	    scratch_array(&s->rows.list, s->nnodes, sizeof(uint32_t), &s->rows.rows.err);
	if (ok && n > 0)
		list_stacks(s, SCRATCH(ways, struct stack_way), n, SCRATCH(next, uint32_t));
	SCRATCH_FREE(&ways, &next);
	return ok;
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
	return sort_stacks(s);
}

static bool
stacks_step(struct item_rows *r)
{
	struct stacks *s = (struct stacks *)r;

	if (s->offset != NULL && !fold_all(s))
		r->n = 0;
	return false;
}

/* Keep the frames in the line that a stack has in common with the one shown last. */
static void
show_stack(struct stacks *s, uint32_t end)
{
	const struct stack_node *node = SCRATCH(s->nodes, struct stack_node);
	uint64_t depth = 0, from, before = s->nshown;
	struct shown_frame *shown;

	for (uint32_t i = end; i != 0; i = node[i].caller)
		depth++;
	s->nshown = 0;
	s->line.n = 0;
	if (!scratch_array(&s->shown, depth, sizeof *shown, &s->rows.rows.err))
		return;
	shown = SCRATCH(s->shown, struct shown_frame);
	for (from = depth; end != 0 && (from > before || shown[from - 1].node != end); end = node[end].caller)
		shown[--from].node = end;
	if (from > 0)
		s->line.n = shown[from - 1].end;
	for (; from < depth; from++) {
		if (from > 0)
			buf_chr(&s->line, ';');
		buf_str(&s->line, texts_get(&s->names, node[shown[from].node].name));
		shown[from].end = s->line.n;
	}
	s->nshown = depth;
}

static const void *
stack_row(struct item_rows *r, uint64_t row)
{
	return &SCRATCH(((struct stacks *)r)->nodes, struct stack_node)[SCRATCH(r->list, uint32_t)[row]];
}

static void
stack_cell(struct item_rows *r, uint64_t n, struct cell *c)
{
	struct stacks *s = (struct stacks *)r;

	(void)n;
	show_stack(s, (uint32_t)((const struct stack_node *)r->item - SCRATCH(s->nodes, struct stack_node)));
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
	SCRATCH_FREE(&s->nodes, &s->shown);
	idmap_free(&s->by_name);
	buf_free(&s->line);
	buf_free(&s->name);
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
		return fail_at(err, E_USAGE, stage->at, "'stacks' is for perf script; use 'calls | format folded'");
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
	return q_stacks_read_arguments(s, stage, err) && (store_is_blank(r->st) || q_stacks_find_columns(s, stage, err));
}

static const struct source stacks = {
	.domain = &trace_domain, .size = sizeof(struct stacks), .args = ARGS_OWN, .begin = q_stacks_begin, .step = stacks_step,
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
