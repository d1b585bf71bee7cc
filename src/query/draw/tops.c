/*
 * tops: the names with the largest weights of a picture, as tables of HTML: all that it says, for who cannot see it.
 */
#include "config.h"

#include <stdlib.h>

#include "draw.h"

#define TOPS 50u
#define NAME_MOST 200u		/* of a name */

struct top {
	uint64_t	self, total;
	uint32_t	name;
};

/* What is called by each stack, to be walked through. */
struct forest {
	uint32_t	*first, *next;	/* by stack; [0] of all */
	uint32_t	*open;		/* by name: stacks of it that are open */
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
		return fail(err, E_SYSTEM, "no memory for a picture");
	for (uint32_t i = s->n; i > 0; i--) {
		caller = stack_at(s, i)->caller;
		f->next[i] = f->first[caller];
		f->first[caller] = i;
	}
	return true;
}

/* What calls itself counts once. */
static void
enter(struct forest *f, const struct drawing *p, uint32_t stack)
{
	const struct tree_stack *s = stack_at(&p->stacks, stack);
	struct top *t = &f->top[s->name - 1];

	/* What stands for several has no name of its own. */
	if (stack_about(&p->stacks, stack)->more > 0)
		return;
	t->name = s->name;
	t->self = num_add(t->self, s->weight);
	if (f->open[s->name]++ == 0)
		t->total = num_add(t->total, p->total[stack]);
}

static void
leave(struct forest *f, const struct drawing *p, uint32_t stack)
{
	if (stack_about(&p->stacks, stack)->more == 0)
		f->open[stack_at(&p->stacks, stack)->name]--;
}

static void
walk(struct forest *f, const struct drawing *p)
{
	uint32_t at = f->first[0];

	while (at != 0) {
		enter(f, p, at);
		if (f->first[at] != 0) {
			at = f->first[at];
			continue;
		}
		for (leave(f, p, at); f->next[at] == 0 && stack_at(&p->stacks, at)->caller != 0; leave(f, p, at))
			at = stack_at(&p->stacks, at)->caller;
		at = f->next[at];
	}
}

static int
self_order(const void *a, const void *b)
{
	const struct top *x = a, *y = b;

	return num_order(y->self, x->self, num_order(y->total, x->total, num_order(x->name, y->name, 0)));
}

static int
total_order(const void *a, const void *b)
{
	const struct top *x = a, *y = b;

	return num_order(y->total, x->total, num_order(y->self, x->self, num_order(x->name, y->name, 0)));
}

static void
add_amount(const struct drawing *p, uint64_t weight, struct buf *b)
{
	buf_str(b, STR("<td>"));
	stacks_show(&p->stacks, weight, b);
	buf_str(b, STR("</td><td>"));
	percent_add(b, weight, p->total[0]);
	buf_str(b, STR("</td>"));
}

static void
add_table(const struct drawing *p, const struct top *top, const char *by, struct buf *b)
{
	struct buf name = BUF_INIT;

	buf_printf(b, "<table>\n<caption>Top %u by %s</caption>\n<thead><tr><th scope=\"col\">self</th><th scope=\"col\">%%</th>"
	    "<th scope=\"col\">total</th><th scope=\"col\">%%</th><th scope=\"col\" class=\"text\">name</th></tr></thead>\n<tbody>\n", TOPS, by);
	for (uint32_t i = 0; i < TOPS && i < p->stacks.names.n && top[i].total > 0; i++) {
		buf_str(b, STR("<tr>"));
		add_amount(p, top[i].self, b);
		add_amount(p, top[i].total, b);
		buf_clear(&name);
		words_cut(&name, str_behind(keys_text(&p->stacks.names, top[i].name), 1), NAME_MOST);
		buf_str(b, STR("<th scope=\"row\">"));
		xml_add(b, buf_view(&name));
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
		walk(&f, p);
		qsort(f.top, p->stacks.names.n, sizeof *f.top, self_order);
		add_table(p, f.top, "self", b);
		qsort(f.top, p->stacks.names.n, sizeof *f.top, total_order);
		add_table(p, f.top, "total", b);
	}
	forest_free(&f);
	return ok;
}
