/*
 * hints: the keys that matter in a pane, at the right of its status.
 */
#include "config.h"

#include <string.h>

#include "app.h"

enum { HINTS = 6, AHEAD = 1 };

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
	{ IN_OBJECTS, { VERB_HELP, VERB_ENTER, VERB_PATH, VERB_DOMINATORS, VERB_FILTER, VERB_QUERY } },
	{ IN_ALL, { VERB_HELP, VERB_FIND, VERB_FILTER, VERB_QUERY, VERB_QUIT } },
};

/* Of two files what compares them comes first, behind the help. */
static size_t
choose(const struct ui *ui, unsigned where, const enum verb **verb, enum verb *two)
{
	size_t	i = 0, n = AHEAD;

	while ((hints[i].where & where) == 0)
		i++;
	*verb = hints[i].verb;
	if (ui_session(ui)->nstores < 2 || key_of(VERB_OTHER, where) == NULL)
		return HINTS;
	memcpy(two, hints[i].verb, AHEAD * sizeof *two);
	two[n++] = VERB_OTHER;
	two[n++] = VERB_DELTA;
	memcpy(two + n, hints[i].verb + AHEAD, (HINTS - AHEAD) * sizeof *two);
	*verb = two;
	return HINTS + 2;
}

/* As many as there is room for. */
void
hints_draw(struct ui *ui, int y, int x, int w)
{
	unsigned	 where = ui_where(ui, ui_pane(ui));
	enum verb	 two[HINTS + 2];
	const enum verb	*verb;
	struct buf	 b = BUF_INIT;
	const struct key *k;
	size_t		 n, i = choose(ui, where, &verb, two);
	struct str	 rest, name;

	for (n = 0; n < i; n++) {
		k = key_of(verb[n], where);
		if (k == NULL)
			continue;
		rest = str_of(k->keys);
		str_split(&rest, ' ', &name);
		if (x + 3 + (int)(b.n + name.n + strlen(k->name) + 3) > w)
			break;
		buf_printf(&b, "  %.*s %s", (int)name.n, name.s, k->name);
	}
	if (b.n > 0)
		screen_put(y, w - (int)b.n, (int)b.n, ROLE_DIM, LOOK_PLAIN, buf_view(&b));
	buf_free(&b);
}
