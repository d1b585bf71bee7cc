/*
 * outline: the biggest calls, or the objects that retain most, as an indented
 * tree, for where there is no terminal to explore them in.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/name.h"
#include "print.h"

#define NUMBERS 20		/* columns in front of the names */

struct pick {
	uint64_t	weight;
	uint32_t	node, depth;
};

/* The heaviest nodes met so far, in pre-order. */
struct outline {
	struct session	*session;
	struct tree	*tree;
	struct pick	*pick;
	size_t		 n, most;
	bool		 heap;		/* of objects: children come by falling weight */
	enum clock	 clock;		/* what they are picked by */
	struct weights	 weights;
	struct buf	*whole;		/* names, fitted */
	struct name_shown *shown;	/* of functions: the same, so that they can be told apart */
};

/* The next one of a linked list: of the class of what is above it, and nearly as heavy.  The first stands for all. */
static bool
outline_is_link(const struct outline *o, uint32_t node)
{
	struct tree_node self, above;

	if (!o->heap || node == TREE_ROOT)
		return false;
	tree_get(o->tree, node, &self);
	tree_get(o->tree, self.parent, &above);
	return self.class == above.class && self.total[o->clock] >= above.total[o->clock] / 10 * 9;
}

/*
 * Takes a node if it is among the heaviest.  Of equals the last one goes, so
 * no call stays without its caller.
 */
static bool
outline_take(struct outline *o, uint32_t node, uint32_t depth, bool link)
{
	uint64_t weight = tree_total(o->tree, node, o->clock);
	size_t least = 0;

	if (weight == 0)
		return false;
	if (o->n == o->most) {
		for (size_t i = 1; i < o->n; i++)
			if (o->pick[i].weight <= o->pick[least].weight)
				least = i;
		if (weight <= o->pick[least].weight)
			return false;
	}
	if (link)
		return true;
	if (o->n == o->most) {
		memmove(&o->pick[least], &o->pick[least + 1],
		    (o->n - least - 1) * sizeof *o->pick);
		o->n--;
	}
	o->pick[o->n++] = (struct pick){ weight, node, depth };
	return true;
}

/* A call that is too light has no heavier calls below it. */
static void
outline_walk(struct outline *o)
{
	uint32_t node = TREE_ROOT, next, depth = 0;
	bool taken, link;

	while (node != 0) {
		link = outline_is_link(o, node);
		taken = outline_take(o, node, depth, link);
		next = taken ? tree_first(o->tree, node) : 0;
		depth += next != 0 && !link;
		while (next == 0 && node != 0) {
			if (node != TREE_ROOT && (taken || !o->heap))
				next = tree_next(o->tree, node);
			if (next != 0)
				break;
			node = tree_parent(o->tree, node);
			depth -= node != 0 && !outline_is_link(o, node);
			taken = true;
		}
		node = next;
	}
}

static void
outline_name(const struct outline *o, const struct tree_node *node, struct buf *name)
{
	const struct store *st = session_store(o->session);

	if (node->object != 0) {
		heap_label(tree_heap(o->tree), node->object, name);
		buf_printf(name, " @%u", node->object);
	} else if (node->method != 0)
		method_name(st, node->method, name);
	else if (node->parent != 0)
		thread_name(st, node->thread, name);
	else
		buf_str(name, STR("all"));
}

/* The share and the weight; of two weights also what it grew by. */
static void
outline_numbers(struct printer *p, const struct outline *o, size_t i, const struct tree_node *node)
{
	struct cell bytes = { .type = CELL_BYTES, .u = o->pick[i].weight };

	buf_clear(&p->cell);
	if (o->heap)
		cell_show(&bytes, &p->cell);
	else
		weight_show(&o->weights, o->clock, o->pick[i].weight, &p->cell);
	buf_printf(&p->line, "%6.1f%% %11s ", 100.0 * (double)o->pick[i].weight /
	    (double)o->pick[0].weight, p->cell.s);
	if (o->heap || !o->weights.differs)
		return;
	buf_clear(&p->cell);
	weight_show(&o->weights, CLOCK_OFF, node->total[CLOCK_OFF], &p->cell);
	buf_printf(&p->line, "%11s ", p->cell.s);
}

/* Columns in front of the name of a line, of which so many stand for its depth. */
static size_t
outline_before(const struct printer *p, const struct outline *o, size_t i, size_t *indent)
{
	size_t most = p->width == 0 ? UINT32_MAX : p->width / 2, depth = o->pick[i].depth;

	*indent = depth < most ? depth : most;
	return NUMBERS + (!o->heap && o->weights.differs ? 12 : 0) + *indent;
}

static void
outline_names(struct printer *p, struct outline *o)
{
	struct buf raw = BUF_INIT;
	struct tree_node node;
	size_t before, indent;

	for (size_t i = 0; i < o->n; i++) {
		before = outline_before(p, o, i, &indent);
		tree_get(o->tree, o->pick[i].node, &node);
		buf_clear(&raw);
		outline_name(o, &node, &raw);
		text_fit_buf(&o->whole[i], buf_view(&raw));
		if (p->ascii && o->whole[i].n > 0)
			o->whole[i].n = text_fit_ascii(o->whole[i].s, o->whole[i].n + 1, buf_view(&o->whole[i]));
		o->shown[i].whole = buf_view(&o->whole[i]);
		o->shown[i].width = p->width == 0 ? SIZE_MAX : p->width > before ? p->width - before : 1;
	}
	if (!o->heap)
		names_short(o->shown, o->n, print_mark(p));
	p->line.bad |= raw.bad;
	buf_free(&raw);
}

static bool
outline_line(struct printer *p, struct outline *o, size_t i, struct err *err)
{
	struct tree_node node;
	size_t indent;

	tree_get(o->tree, o->pick[i].node, &node);
	outline_numbers(p, o, i, &node);
	outline_before(p, o, i, &indent);
	while (indent-- > 0)
		buf_chr(&p->line, ' ');
	if (o->heap)
		print_fitted(p, o->shown[i].whole, o->shown[i].width);
	else
		buf_str(&p->line, buf_view(&o->shown[i].text));
	p->line.bad |= o->whole[i].bad;
	return print_end(p, err);
}

static bool
outline_lines(struct printer *p, struct outline *o, struct err *err)
{
	bool ok;

	outline_walk(o);
	o->whole = mem_array(o->n, sizeof *o->whole);
	o->shown = mem_array(o->n, sizeof *o->shown);
	ok = (o->n == 0 || (o->whole != NULL && o->shown != NULL)) || fail(err, E_SYSTEM, "out of memory (outline)");
	if (ok)
		outline_names(p, o);
	for (size_t i = 0; i < o->n && ok; i++)
		ok = outline_line(p, o, i, err);
	for (size_t i = 0; o->whole != NULL && o->shown != NULL && i < o->n; i++) {
		buf_free(&o->whole[i]);
		buf_free(&o->shown[i].text);
	}
	free(o->whole);
	free(o->shown);
	return ok;
}

/* What is shown of files without a tree: the tasks that were off CPU longest, or the bugs; COL_NONE: there is a tree. */
static enum col
outline_column(const struct session *session)
{
	unsigned shapes = session_shapes(session);

	if (shapes & (SHAPE_TREES | SHAPE_GRAPH))
		return COL_NONE;
	return shapes & SHAPE_TASKS ? COL_TASK_ON : shapes & SHAPE_CODE ? COL_BUG_METHOD : COL_NONE;
}

bool
outline_prepare(struct session *session, struct work *work, struct err *err)
{
	bool heap = (session_shapes(session) & SHAPE_GRAPH) != 0;
	enum col shown = heap ? heap_col(COL_EACH_CHILDREN, session->refs, session->sizes) : COL_CALL_METHOD;

	if (outline_column(session) != COL_NONE)
		shown = outline_column(session);
	return pass_want(session_store(session), shown, work, err);
}

static bool
outline_rows(struct session *session, bool bugs, unsigned width, size_t lines, FILE *file, struct err *err)
{
	struct query *query;
	struct rows *rows = NULL;
	char text[80];
	uint64_t n;
	bool ok;

	snprintf(text, sizeof text, bugs ? "bugs | head %zu | select method line kind why" :
	    "tasks | top %zu max_wait | select max_wait off_cpu cpu name", lines);
	if (!query_parse(&query, str_of(text), err))
		return false;
	ok = query_open(query, session, &rows, err) &&
	    rows_print(rows, FORMAT_TABLE, width, file, &n, err);
	rows_close(rows);
	query_free(query);
	return ok;
}

static bool
outline_open(struct outline *o, struct err *err)
{
	const struct session *session = o->session;
	const struct store *st = session_store(session);
	enum tree_kind kind = threads_nameless(st) ? TREE_MERGED : TREE_CALLS;

	o->heap = (session_shapes(session) & SHAPE_GRAPH) != 0;
	if (o->heap)
		return tree_open_heap(&o->tree, st, session->refs, session->sizes, err);
	weights_of(st, &o->weights);
	/* A delta may be larger than that of what it is part of. */
	if (o->weights.differs && o->clock == CLOCK_OFF)
		o->clock = CLOCK_WALL;
	return tree_open(&o->tree, st, kind, NULL, 0, err);
}

bool
outline_print(struct session *session, unsigned width, size_t lines, FILE *file,
    struct err *err)
{
	struct outline o = { .session = session, .most = lines, .clock = session->clock };
	struct printer p = printer_to(file, width);
	enum col column = outline_column(session);
	bool ok;

	if (column != COL_NONE)
		return outline_rows(session, column == COL_BUG_METHOD, width, lines, file, err);
	o.pick = mem_array(lines, sizeof *o.pick);
	if (o.pick == NULL)
		return fail(err, E_SYSTEM, "out of memory (outline)");
	if (!outline_open(&o, err)) {
		free(o.pick);
		return false;
	}
	ok = outline_lines(&p, &o, err);
	tree_close(o.tree);
	free(o.pick);
	printer_free(&p);
	return ok || p.closed;
}
