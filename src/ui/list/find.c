/*
 * lfind: looking through the rows of a list.
 */
#include "config.h"

#include "lines.h"

enum { CHUNK = 4096, COUNT_NS = 300000000 };

static bool
find_row_matches(struct rows *r, uint64_t row, struct pattern *p)
{
	struct cell	c;

	for (size_t i = 0; i < r->ncols; i++) {
		if (!column_has_words(&r->cols[i]))
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
	if (row >= l->new_known)
		l->new_known = rows_reach(l->rows, row + CHUNK);
	return row < l->new_known;
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
		if (l->hidden_hits > 0 && (i & 255) == 0 && os_now() > stop)
			break;
		if (find_row_matches(whole, row, p) && l->hidden_hits++ == 0)
			l->hidden_hit = row;
	}
}

/* Search once around from the selected row.  The first search also counts matches, for at most COUNT_NS. */
bool
lfind_run(struct list *l, struct work *work, struct err *err)
{
	struct pattern	*p = pattern_make(str_of(l->find), err);
	uint64_t	 before = ROWS_ALL, after = ROWS_ALL, stop = 0;
	uint64_t	 first = ROWS_ALL, last = ROWS_ALL;

	if (p == NULL)
		return false;
	l->hits = l->hidden_hits = 0;
	l->hit = ROWS_ALL;
	work_start(work, "search", l->all ? l->known : 0);
	rows_set_work(l->rows, work);
	for (uint64_t row = 0; find_reach(l, row) && !list_folded(l, row); row++) {
		if (!work_tick(work, row))
			break;
		if (stop != 0 && (row & 255) == 0 && os_now() > stop)
			break;
		if (!find_row_matches(l->rows, row, p))
			continue;
		l->hits++;
		if (first == ROWS_ALL)
			first = row;
		if (row < l->from)
			before = row;
		else if (row > l->from && after == ROWS_ALL)
			after = row;
		last = row;
		/* The match is found; the loop goes on only to count matches, for a limited time. */
		if (!l->backward && after != ROWS_ALL && stop == 0)
			stop = os_now() + (l->quiet_find ? 0 : COUNT_NS);
		if (l->backward && before != ROWS_ALL && row >= l->from && l->quiet_find)
			break;
	}
	if (l->hits == 0 || !l->quiet_find)
		find_hidden(l, p, work);
	rows_set_work(l->rows, NULL);
	pattern_free(p);
	if (atomic_load(&work->cancel))
		return fail_cancel(err);
	if (l->backward)
		l->hit = before != ROWS_ALL ? before : last;
	else
		l->hit = after != ROWS_ALL ? after : first;
	return true;
}

static void
done_hidden(struct list *l)
{
	char	n[NUM_TEXT];

	num_show_count(n, sizeof n, l->hidden_hits);
	ui_say(l->task.ui, "/%s: %s matching row%s among %s, unfolded; u undoes", l->find, n, l->hidden_hits == 1 ? "" : "s",
	    l->folds->what);
	list_unfold(l, l->hidden_hit);
}

void
lfind_done(struct list *l)
{
	char	n[NUM_TEXT], more[NUM_TEXT];

	if (l->hit == ROWS_ALL && l->hidden_hits > 0) {
		done_hidden(l);
		return;
	}
	if (l->hit == ROWS_ALL) {
		found_none(l->task.ui, l->find, l->is.among != NULL ? l->is.among : "");
		return;
	}
	if (!l->quiet_find) {
		num_show_count(n, sizeof n, l->hits);
		num_show_count(more, sizeof more, l->hidden_hits);
		if (l->hidden_hits > 0)
			ui_say(l->task.ui, "/%s: %s matching row%s, %s more among %s", l->find, n, l->hits == 1 ? "" : "s",
			    more, l->folds->what);
		else
			ui_say(l->task.ui, "/%s: %s matching row%s", l->find, n, l->hits == 1 ? "" : "s");
	} else if ((l->hit <= l->from) != l->backward)
		ui_say(l->task.ui, "/%s: search wrapped at the %s", l->find,
		    l->backward ? "end" : "top");
	l->sel = l->hit;
}

void
list_unmark(struct list *l)
{
	if (l->task.given && l->job == LIST_FIND)
		return;
	l->find[0] = '\0';
	if (l->pattern == NULL)
		return;
	pattern_free(l->pattern);
	l->pattern = NULL;
	l->page_ok = false;
}
