/*
 * chosen: the columns of a pane that the user chose in the configuration file, in place of its own.
 */
#include "config.h"

#include <string.h>

#include "lines.h"

static bool
chosen_has(struct str words, struct str word)
{
	struct str	one;

	while (str_split(&words, ' ', &one))
		if (str_eq(one, word))
			return true;
	return false;
}

/* Keys need the columns that the pane hides. */
static void
chosen_text(const struct list *l, const char *columns, struct buf *b)
{
	struct str	tail = str_of(l->tail), base = str_of(l->base), hidden = str_of(l->is.hide), one;

	buf_printf(b, "select %s", columns);
	while (str_split(&hidden, ' ', &one))
		if ((chosen_has(tail, one) || chosen_has(base, one)) && !chosen_has(str_of(columns), one)) {
			buf_chr(b, ' ');
			buf_str(b, one);
		}
}

/* True if the pane of that name has these columns in files of another kind. */
static bool
chosen_elsewhere(const struct pane_kind *kind, const char *names)
{
	struct str	rest, word, has;
	bool		all = false;

	for (size_t i = 0; panes[i] != NULL && !all; i++) {
		if (panes[i] == kind || panes[i]->nlists == 0 || strcmp(panes[i]->name, kind->name) != 0)
			continue;
		has = str_of(panes[i]->lists[0].columns);
		rest = str_of(names);
		for (all = true; all && str_split(&rest, ' ', &word);)
			all = word.n == 0 || chosen_has(has, word);
	}
	return all;
}

/* True if the rows have these columns. */
static bool
chosen_fits(struct list *l, const char *names, const struct session *seen, struct err *err)
{
	struct buf	query = BUF_INIT;
	struct query	*q = NULL;
	bool		 fits;

	buf_clear(&l->chosen);
	chosen_text(l, names, &l->chosen);
	list_text(l, &query);
	fits = query_parse(&q, buf_view(&query), err) && query_fits(q, seen, err);
	query_free(q);
	buf_free(&query);
	if (!fits)
		buf_clear(&l->chosen);
	return fits;
}

void
list_choose(struct list *l, const struct session *seen)
{
	const struct pane_kind *kind = l->pane->kind;
	const struct ui_options *opt = ui_options(l->pane->ui);
	const struct pane_columns *wrong = NULL;
	struct err	 why, err;

	buf_clear(&l->chosen);
	if (l != *(struct list *const *)l->pane->data || l->pane->extra || look_differs(l->pane->ui))
		return;
	for (size_t i = opt->nchosen; i-- > 0;) {
		if (strcmp(opt->chosen[i].pane, kind->name) != 0)
			continue;
		if (chosen_fits(l, opt->chosen[i].names, seen, &err))
			return;
		if (wrong == NULL && !chosen_elsewhere(kind, opt->chosen[i].names)) {
			wrong = &opt->chosen[i];
			why = err;
		}
	}
	/* A pane may begin with the columns that are known at once. */
	if (wrong == NULL || l->part || l->refused)
		return;
	l->refused = true;
	ui_say(l->pane->ui, "%s:%u: %s", opt->config_read, wrong->line, why.text);
	ui_message(l->pane->ui)->bad = true;
}
