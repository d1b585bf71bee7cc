/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tops: the names with the largest weights of a picture, as HTML tables with the same information, for people
 * who cannot see it.
 */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

#define TOPS 50u
#define NAME_MOST 200u		/* maximum number of columns of a name */

enum { SELF, TOTAL };

struct top {
	uint64_t	weight[2], before[2];
	uint64_t	by;		/* the largest first */
	uint32_t	name;
};

/* Children of each stack, linked for a traversal. */
struct forest {
	uint32_t	*first, *next;	/* by stack; [0] of all */
	uint32_t	*open;		/* by name: number of its open stacks */
	struct top	*top;		/* by name */
};

static void
forest_free(struct forest *f)
{
	free(f->first);
	free(f->next);
	free(f->open);
	free(f->top);
}

static bool
forest_open(struct forest *f, const struct stack_tree *s, struct err *err)
{
	uint32_t caller;

	f->first = mem_array(s->n + 1ull, sizeof *f->first);
	f->next = mem_array(s->n + 1ull, sizeof *f->next);
	f->open = mem_array(s->names.n + 1ull, sizeof *f->open);
	f->top = mem_array(s->names.n + 1ull, sizeof *f->top);
	if (f->first == NULL || f->next == NULL || f->open == NULL || f->top == NULL)
		return fail(err, E_SYSTEM, "out of memory (picture)");
	for (uint32_t i = s->n; i > 0; i--) {
		caller = stack_at(s, i)->caller;
		f->next[i] = f->first[caller];
		f->first[caller] = i;
	}
	return true;
}

/* A stack that represents several has no name of its own, nor has the filtered part. */
static bool
has_name(const struct drawing *p, uint32_t stack)
{
	return stack_about(&p->stacks, stack)->more == 0 &&
	    texts_get(&p->stacks.names, stack_at(&p->stacks, stack)->name).s[0] != KIND_LEFT_OUT;
}

/* Add a stack to its name.  The totals of recursive calls count once. */
static void
tops_enter(struct forest *f, const struct drawing *p, uint32_t stack)
{
	const struct tree_stack *s = stack_at(&p->stacks, stack);
	struct top *t = &f->top[s->name - 1];

	if (!has_name(p, stack))
		return;
	t->name = s->name;
	t->weight[SELF] = num_add(t->weight[SELF], s->weight);
	t->before[SELF] = num_add(t->before[SELF], s->before);
	if (f->open[s->name]++ > 0)
		return;
	t->weight[TOTAL] = num_add(t->weight[TOTAL], p->total[stack]);
	t->before[TOTAL] = num_add(t->before[TOTAL], p->before[stack]);
}

static void
tops_leave(struct forest *f, const struct drawing *p, uint32_t stack)
{
	if (has_name(p, stack))
		f->open[stack_at(&p->stacks, stack)->name]--;
}

static void
tops_walk(struct forest *f, const struct drawing *p)
{
	uint32_t at = f->first[0];

	while (at != 0) {
		tops_enter(f, p, at);
		if (f->first[at] != 0) {
			at = f->first[at];
			continue;
		}
		for (tops_leave(f, p, at); f->next[at] == 0 &&
		    stack_at(&p->stacks, at)->caller != 0; tops_leave(f, p, at))
			at = stack_at(&p->stacks, at)->caller;
		at = f->next[at];
	}
}

static int
top_order(const void *a, const void *b)
{
	const struct top *x = a, *y = b;

	return num_order(y->by, x->by, num_order(y->weight[TOTAL], x->weight[TOTAL],
	    num_order(y->weight[SELF], x->weight[SELF], num_order(x->name, y->name, 0))));
}

/* Sort by weight; if there are two weights, by their difference. */
static void
sort_by(struct forest *f, const struct drawing *p, size_t what)
{
	for (uint32_t i = 0; i < p->stacks.names.n; i++) {
		struct top *t = &f->top[i];

		t->by = t->weight[what] > t->before[what] ? t->weight[what] - t->before[what] :
		    t->before[what] - t->weight[what];
	}
	qsort(f->top, p->stacks.names.n, sizeof *f->top, top_order);
}

static void
tops_add_amount(const struct drawing *p, const struct top *t, size_t what, struct buf *b)
{
	buf_str(b, STR("<td>"));
	stacks_show(&p->stacks, t->weight[what], b);
	buf_str(b, STR("</td><td>"));
	if (p->stacks.differs) {
		stacks_show(&p->stacks, t->before[what], b);
		buf_str(b, STR("</td><td>"));
		change_add(&p->stacks, t->weight[what], t->before[what], b);
	} else
		percent_add(b, t->weight[what], p->total[0]);
	buf_str(b, STR("</td>"));
}

static void
tops_add_head(const struct drawing *p, size_t by, struct buf *b)
{
	static const char *const words[] = { [SELF] = "self", [TOTAL] = "total" };

	buf_printf(b, "<table>\n<caption>Top %u by %s%s</caption>\n<thead><tr>", TOPS,
	    p->stacks.differs ? "change of " : "", words[by]);
	for (size_t i = SELF; i <= TOTAL; i++)
		buf_printf(b, "<th scope=\"col\">%s</th><th scope=\"col\">%s</th>", words[i],
		    p->stacks.differs ? "before</th><th scope=\"col\">change" : "%");
	buf_str(b, STR("<th scope=\"col\" class=\"text\">name</th></tr></thead>\n<tbody>\n"));
}

static void
tops_add_table(struct forest *f, const struct drawing *p, size_t by, struct buf *b)
{
	const struct top *top = f->top;
	struct buf name = BUF_INIT;

	sort_by(f, p, by);
	tops_add_head(p, by, b);
	for (uint32_t i = 0; i < TOPS && i < p->stacks.names.n; i++) {
		if (top[i].weight[TOTAL] == 0 && top[i].before[TOTAL] == 0)
			continue;
		buf_str(b, STR("<tr>"));
		tops_add_amount(p, &top[i], SELF, b);
		tops_add_amount(p, &top[i], TOTAL, b);
		buf_clear(&name);
		words_cut(&name, stack_name(&p->stacks, top[i].name), NAME_MOST);
		buf_str(b, STR("<th scope=\"row\">"));
		text_html(b, buf_view(&name));
		buf_str(b, STR("</th></tr>\n"));
	}
	buf_str(b, STR("</tbody>\n</table>\n"));
	b->bad |= name.bad;
	buf_free(&name);
}

bool
tops_add(const struct drawing *p, struct buf *b, struct err *err)
{
	struct forest f = { .top = NULL };
	bool ok = forest_open(&f, &p->stacks, err);

	if (ok) {
		tops_walk(&f, p);
		tops_add_table(&f, p, SELF, b);
		tops_add_table(&f, p, TOTAL, b);
	}
	forest_free(&f);
	return ok;
}
