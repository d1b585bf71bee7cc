/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lfind: search the rows of a list.
 */
#include "config.h"

#include "lines.h"

enum { CHUNK = 4096, COUNT_NS = 300000000 };

static bool
find_row_matches(struct rows *r, uint64_t row, struct pattern *p)
{
	struct cell	c;

	for (size_t i = 0; i < r->ncols; i++) {
		if (!column_is_searched(&r->cols[i]))
			continue;
		rows_cell(r, row, i, &c);
		if (c.type == CELL_TEXT && pattern_match(p, c.text))
			return true;
	}
	return false;
}

static bool
find_reach(struct list *l, uint64_t row)
{
	if (row >= l->next.known)
		l->next.known = rows_reach(l->now.rows, row + CHUNK);
	return row < l->next.known;
}

/* Search folded rows, too: the search goes to one of them if no other row matches. */
static void
find_hidden(struct list *l, struct pattern *p, struct work *work)
{
	struct rows	*whole = list_whole(l);
	uint64_t	 stop = os_now() + COUNT_NS, row;

	for (uint64_t i = 0; (row = list_hidden(l, i)) != ROWS_ALL; i++) {
		if (!work_tick(work, i))
			return;
		if (l->search.nhidden > 0 && (i & 255) == 0 && os_now() > stop)
			break;
		if (find_row_matches(whole, row, p) && l->search.nhidden++ == 0)
			l->search.hidden = row;
	}
}

/* Search once around from the selected row.  The first search also counts matches, for at most COUNT_NS. */
bool
lfind_run(struct list *l, struct work *work, struct err *err)
{
	struct pattern	*p = pattern_make(str_of(l->search.text), err);
	uint64_t	 before = ROWS_ALL, after = ROWS_ALL, stop = 0;
	uint64_t	 first = ROWS_ALL, last = ROWS_ALL;

	if (p == NULL)
		return false;
	l->search.hits = l->search.nhidden = 0;
	l->search.hit = ROWS_ALL;
	work_start(work, "search", l->now.all ? l->now.known : 0);
	rows_set_work(l->now.rows, work);
	for (uint64_t row = 0; find_reach(l, row) && !list_folded(l, row); row++) {
		if (!work_tick(work, row))
			break;
		if (stop != 0 && (row & 255) == 0 && os_now() > stop)
			break;
		if (!find_row_matches(l->now.rows, row, p))
			continue;
		l->search.hits++;
		if (first == ROWS_ALL)
			first = row;
		if (row < l->search.from)
			before = row;
		else if (row > l->search.from && after == ROWS_ALL)
			after = row;
		last = row;
		/* The match is found; the loop continues only to count matches, for a limited time. */
		if (!l->search.backward && after != ROWS_ALL && stop == 0)
			stop = os_now() + (l->search.quiet ? 0 : COUNT_NS);
		if (l->search.backward && before != ROWS_ALL && row >= l->search.from && l->search.quiet)
			break;
	}
	if (l->search.hits == 0 || !l->search.quiet)
		find_hidden(l, p, work);
	rows_set_work(l->now.rows, NULL);
	pattern_free(p);
	if (atomic_load(&work->cancel))
		return fail_cancel(err);
	if (l->search.backward)
		l->search.hit = before != ROWS_ALL ? before : last;
	else
		l->search.hit = after != ROWS_ALL ? after : first;
	return true;
}

static void
done_hidden(struct list *l)
{
	char	n[NUM_TEXT];

	num_show_count(n, sizeof n, l->search.nhidden);
	ui_say(l->task.ui, "/%s: %s matching row%s among %ss, unfolded; %s", l->search.text, n,
	    l->search.nhidden == 1 ? "" : "s", l->ask.fold->what, hint(VERB_UNDO, "_ undoes").s);
}

bool
lfind_done(struct list *l)
{
	char	n[NUM_TEXT], more[NUM_TEXT];

	if (l->search.hit == ROWS_ALL && l->search.nhidden > 0) {
		done_hidden(l);
		return true;
	}
	if (l->search.hit == ROWS_ALL) {
		found_none(l->task.ui, l->search.text, l->is.among != NULL ? l->is.among : "");
		return false;
	}
	if (!l->search.quiet) {
		num_show_count(n, sizeof n, l->search.hits);
		num_show_count(more, sizeof more, l->search.nhidden);
		if (l->search.nhidden > 0)
			ui_say(l->task.ui, "/%s: %s matching row%s, %s more among %ss", l->search.text, n,
			    l->search.hits == 1 ? "" : "s",
			    more, l->ask.fold->what);
		else
			ui_say(l->task.ui, "/%s: %s matching row%s", l->search.text, n,
			    l->search.hits == 1 ? "" : "s");
	} else if ((l->search.hit <= l->search.from) != l->search.backward)
		ui_say(l->task.ui, "/%s: search wrapped at the %s", l->search.text,
		    l->search.backward ? "end" : "top");
	l->sel = l->search.hit;
	return false;
}

void
list_unmark(struct list *l)
{
	if (l->task.given && l->ask.job == LIST_FIND)
		return;
	l->search.text[0] = '\0';
	if (l->search.pattern == NULL)
		return;
	pattern_free(l->search.pattern);
	l->search.pattern = NULL;
	l->page.ok = false;
}
