/*
 * hints: the keys that matter in a pane, at the right of its status.
 */
#include "config.h"

#include <string.h>

#include "app.h"

enum { HINTS = 6 };

static const struct hint {
	unsigned	where;
	enum verb	verb[HINTS];
} hints[] = {
	{ IN_ICICLE, { VERB_HELP, VERB_ENTER, VERB_BACK, VERB_FIND, VERB_INVERT, VERB_CLOCK } },
	{ IN_TIME, { VERB_HELP, VERB_FOCUS, VERB_NEXT_EVENT, VERB_ZOOM_IN, VERB_ENTER, VERB_RANGE } },
	{ IN_TIMELINE, { VERB_HELP, VERB_ENTER, VERB_NEXT_LONGER, VERB_ORDER, VERB_LINES, VERB_ZOOM_IN } },
	{ IN_TASKS | IN_WAITS, { VERB_HELP, VERB_ENTER, VERB_FIND, VERB_SORT_RIGHT, VERB_FILTER } },
	{ IN_THREADS, { VERB_HELP, VERB_ENTER, VERB_MARK, VERB_POOLS, VERB_TIME, VERB_SORT_RIGHT } },
	{ IN_METHODS, { VERB_HELP, VERB_ENTER, VERB_FOCUS, VERB_FIND, VERB_FILTER, VERB_SORT_RIGHT } },
	{ IN_BYTES, { VERB_HELP, VERB_ENTER, VERB_BACK, VERB_GOTO, VERB_PATH, VERB_FIND } },
	{ IN_TREE, { VERB_HELP, VERB_UNFOLD, VERB_FOLD_ALL, VERB_ENTER, VERB_PATH, VERB_GROUP } },
	{ IN_OBJECT, { VERB_HELP, VERB_ENTER, VERB_FOCUS, VERB_BACK, VERB_WEAK, VERB_DOMINATORS } },
	{ IN_STACKS, { VERB_HELP, VERB_ENTER, VERB_PATH, VERB_FIND, VERB_SORT_RIGHT } },
	{ IN_STRINGS, { VERB_HELP, VERB_ENTER, VERB_GROUP, VERB_FIND, VERB_SORT_RIGHT } },
	{ IN_BITMAPS, { VERB_HELP, VERB_ENTER, VERB_PATH, VERB_PNG, VERB_GROUP, VERB_FORMAT } },
	{ IN_PICTURE, { VERB_HELP, VERB_DOWN, VERB_UP, VERB_BACK, VERB_PNG, VERB_FORMAT } },
	{ IN_FINDINGS, { VERB_HELP, VERB_ENTER, VERB_FOCUS, VERB_EXPLAIN, VERB_PATH, VERB_DOMINATORS } },
	{ IN_SUMMARY, { VERB_HELP, VERB_ENTER, VERB_DOWN, VERB_PATH, VERB_DOMINATORS, VERB_QUIT } },
	{ IN_CODE, { VERB_HELP, VERB_ENTER, VERB_FIND, VERB_FILTER, VERB_SORT_RIGHT, VERB_QUERY } },
	{ IN_OBJECTS, { VERB_HELP, VERB_ENTER, VERB_PATH, VERB_DOMINATORS, VERB_FILTER, VERB_QUERY } },
	{ IN_ALL, { VERB_HELP, VERB_FIND, VERB_FILTER, VERB_QUERY, VERB_QUIT } },
};

/* Their line, and where each stands in it. */
struct line {
	struct buf	text;
	struct {
		enum verb	verb;
		int		from, to;
	}		hint[HINTS + 2];
	size_t		n;
};

/* As many as there is room for; false: for this one there is none. */
static bool
add_hint(struct line *l, enum verb verb, unsigned where, int room)
{
	struct buf	*b = &l->text;
	const struct key *k = key_of(verb, where);
	struct str	 rest, name;

	if (k == NULL)
		return true;
	rest = str_of(k->keys);
	str_split(&rest, ' ', &name);
	if ((int)(b->n + name.n + strlen(k->name)) + 6 > room)
		return false;
	l->hint[l->n].from = (int)b->n + 2;
	l->hint[l->n].verb = verb;
	buf_printf(b, "  %.*s %s", (int)name.n, name.s, k->name);
	l->hint[l->n++].to = (int)b->n;
	return true;
}

void
hints_draw(struct ui *ui, int y, int x, int w)
{
	unsigned	 where = ui_where(ui, ui_pane(ui));
	const struct hint *h = hints;
	struct line	 l = { .text = BUF_INIT };
	int		 from;
	bool		 room = true;

	while ((h->where & where) == 0)
		h++;
	for (size_t n = 0; n < HINTS && room; n++) {
		room = add_hint(&l, h->verb[n], where, w - x);
		/* Of two files what compares them comes first, behind the help. */
		if (n == 0 && ui_session(ui)->nstores > 1 && key_of(VERB_OTHER, where) != NULL)
			room = room && add_hint(&l, VERB_OTHER, where, w - x) && add_hint(&l, VERB_DELTA, where, w - x);
	}
	from = w - (int)l.text.n;
	if (l.n > 0)
		screen_put(y, from, (int)l.text.n, ROLE_DIM, LOOK_PLAIN, buf_view(&l.text));
	for (size_t i = 0; i < l.n; i++)
		spot_add(&(struct spot){ .area = { y, from + l.hint[i].from, 1, l.hint[i].to - l.hint[i].from },
		    .verb = l.hint[i].verb });
	buf_free(&l.text);
}
