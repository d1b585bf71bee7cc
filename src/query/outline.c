/*
 * outline: the biggest calls as an indented tree, for where there is no
 * terminal to explore them in.
 */
#include "config.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "print.h"

#define NUMBERS 20		/* columns in front of the names */

struct pick {
	uint64_t	weight;
	uint32_t	node;
};

/* The heaviest nodes met so far, in pre-order. */
struct outline {
	struct session	*session;
	struct tree	*tree;
	struct pick	*pick;
	size_t		 n, most;
};

/*
 * Takes a node if it is among the heaviest.  Of equals the last one goes, so
 * no call stays without its caller.
 */
static bool
outline_take(struct outline *o, uint32_t node)
{
	uint64_t weight = tree_total(o->tree, node, o->session->clock);
	size_t i, least = 0;

	if (weight == 0)
		return false;
	if (o->n == o->most) {
		for (i = 1; i < o->n; i++)
			if (o->pick[i].weight <= o->pick[least].weight)
				least = i;
		if (weight <= o->pick[least].weight)
			return false;
		memmove(&o->pick[least], &o->pick[least + 1],
		    (o->n - least - 1) * sizeof *o->pick);
		o->n--;
	}
	o->pick[o->n++] = (struct pick){ weight, node };
	return true;
}

/* A call that is too light has no heavier calls below it. */
static void
outline_walk(struct outline *o)
{
	uint32_t node = TREE_ROOT, next;

	while (node != 0) {
		next = outline_take(o, node) ? tree_first(o->tree, node) : 0;
		while (next == 0 && node != 0) {
			next = node == TREE_ROOT ? 0 : tree_next(o->tree, node);
			node = next == 0 ? tree_parent(o->tree, node) : node;
		}
		node = next;
	}
}

static bool
outline_line(struct printer *p, struct outline *o, size_t i, struct err *err)
{
	const struct store *st = o->session->store[0];
	struct buf name = BUF_INIT;
	struct tree_node node;
	struct cell time;
	unsigned width = p->width == 0 ? UINT32_MAX : p->width;
	size_t indent;

	tree_get(o->tree, o->pick[i].node, &node);
	cell_ticks(&time, o->pick[i].weight, trace_ns(st, 1));
	buf_clear(&p->cell);
	cell_show(&time, &p->cell);
	buf_printf(&p->line, "%6.1f%% %11s ", 100.0 * (double)o->pick[i].weight /
	    (double)o->pick[0].weight, p->cell.s);
	for (indent = 0; indent < node.depth && indent < width / 2; indent++)
		buf_chr(&p->line, ' ');
	if (node.depth == 0)
		buf_str(&name, STR("all"));
	else if (node.method != 0)
		method_name(st, node.method, &name);
	else
		thread_name(st, node.thread, &name);
	buf_clear(&p->cell);
	text_fit_buf(&p->cell, buf_view(&name));
	buf_free(&name);
	if (p->ascii)
		p->cell.n = text_fit_ascii(p->cell.s, p->cell.n + 1,
		    buf_view(&p->cell));
	print_shortened(p, buf_view(&p->cell),
	    width - NUMBERS > indent ? width - NUMBERS - indent : 1);
	buf_chr(&p->line, '\n');
	return print_line(p, err);
}

bool
outline_print(struct session *session, unsigned width, size_t lines, FILE *file,
    struct err *err)
{
	struct outline o = { .session = session, .most = lines };
	struct printer p = {
		.file = file, .width = width, .line = BUF_INIT, .cell = BUF_INIT,
		.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0
	};
	bool ok = true;
	size_t i;

	o.pick = mem_array(lines, sizeof *o.pick);
	if (o.pick == NULL)
		return fail(err, E_SYSTEM, "no memory for the outline");
	if (!tree_open(&o.tree, session->store[0], TREE_CALLS, NULL, 0, err)) {
		free(o.pick);
		return false;
	}
	outline_walk(&o);
	for (i = 0; i < o.n && ok; i++)
		ok = outline_line(&p, &o, i, err);
	tree_close(o.tree);
	free(o.pick);
	buf_free(&p.line);
	buf_free(&p.cell);
	return ok || p.closed;
}
