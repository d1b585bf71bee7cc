/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * growth: growth over several heap dumps; details show the object that holds most of it in the last dump.
 */
#include "config.h"

#include <string.h>

#include "icecore/growth.h"
#include "icecore/keys.h"
#include "heap.h"
#include "ui/list/list.h"

/* With two dumps the other panes compare; this pane needs at least three. */
static bool
has_series(const struct ui *ui)
{
	const struct session *s = ui_session(ui);
	bool		 all = s->nstores > 2;

	for (size_t i = 0; all && i < s->nstores; i++)
		all = (load_shapes(s->store[i]) & SHAPE_GRAPH) != 0;
	return all;
}

/* For example "4 dumps over 3 min by time: a.hprof b.hprof"; in the given order if one has no time. */
static void
growth_path(struct pane *p, struct buf *b)
{
	const struct session *s = ui_session(p->ui);
	size_t		 order[GROWTH_DUMPS];
	struct buf	 names = BUF_INIT;
	uint64_t	 first, last;
	bool		 timed = true;

	growth_order_stores(s->store, s->nstores, order);
	first = growth_time(s->store[order[0]]);
	last = growth_time(s->store[order[s->nstores - 1]]);
	for (size_t i = 0; i < s->nstores; i++) {
		const char *slash, *name = store_path(s->store[order[i]]);

		slash = strrchr(name, '/');
		timed = timed && growth_time(s->store[order[i]]) != 0;
		buf_chr(&names, ' ');
		buf_str(&names, str_of(slash != NULL ? slash + 1 : name));
	}
	buf_printf(b, "%zu dumps", s->nstores);
	if (timed)
		screen_number(b, " over ", num_show_duration, (last - first) * 1000000);
	buf_str(b, timed ? STR(", by dump time:") : STR(", as given:"));
	screen_fit(b, buf_view(&names));
	buf_free(&names);
}

/* Object ids belong to the last dump: if another one is shown, switch to the last dump first. */
static bool
growth_act(struct pane *p, enum verb verb)
{
	const struct session *s = ui_session(p->ui);
	size_t		 order[GROWTH_DUMPS];

	growth_order_stores(s->store, s->nstores, order);
	if (verb != VERB_ENTER || list_of(p)->now.known == 0 || s->at == order[s->nstores - 1])
		return list_pane_act(p, verb);
	look_choose(p->ui, order[s->nstores - 1]);
	return true;
}

static const struct list_spec growth_list[] = { {
	.columns = "select severity retained percent added counts class path object", .hide = "object",
	.quiet = "percent",
	.naming = "path", .named = "path", .empty = "nothing grows in every dump", .cell_role = severity_role
} };

const struct pane_kind pane_growth = {
	"Growth", "growth", SHAPE_GRAPH, IN_LIST, LISTS_OF(growth_list), .plain = true, .fits = has_series,
	.tell[TELL_PATH] = growth_path, .act = growth_act
};
