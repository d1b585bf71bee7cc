/*
 * qpane: panes that are one list: an answer to a query, what is known about
 * the file, the keys.
 */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "list.h"

enum { VALUE_MAX = 1000 };

bool
list_quote(struct str s, struct buf *b)
{
	size_t	i;

	buf_chr(b, '\'');
	for (i = 0; i < s.n; i++) {
		if (s.s[i] == '\'' || s.s[i] == '\\')
			buf_printf(b, "\\%c", s.s[i]);
		else if ((unsigned char)s.s[i] < ' ' || s.s[i] == 0x7f)
			buf_printf(b, "\\x%02x", (unsigned)(unsigned char)s.s[i]);
		else
			buf_chr(b, s.s[i]);
	}
	buf_chr(b, '\'');
	return s.n <= VALUE_MAX && !b->bad;
}

static bool
open_list(struct pane *p, const char *query, struct err *err)
{
	p->data = list_new(p, query, "", "");
	return p->data != NULL || fail(err, E_SYSTEM, "no memory for a pane");
}

static bool
open_info(struct pane *p, const char *query, struct err *err)
{
	(void)query;
	return open_list(p, "info", err);
}

static struct rows *
give_keys(struct list *l, struct rows *in, struct err *err)
{
	struct ui	*ui = l->pane->ui;
	struct rows	*r = key_rows(ui_session(ui), ui_places(ui));

	rows_close(in);
	if (r == NULL)
		fail(err, E_SYSTEM, "no memory for the keys");
	return r;
}

/* The keys are no data of the file: any query will do to be answered by them. */
static bool
open_help(struct pane *p, const char *query, struct err *err)
{
	struct list	*l;

	(void)query;
	if (!open_list(p, "help", err))
		return false;
	l = p->data;
	l->wrap = give_keys;
	return true;
}

void
list_pane_close(struct pane *p)
{
	list_free(p->data);
}

void
list_pane_reset(struct pane *p)
{
	list_reset(p->data);
}

void
list_pane_forget(struct pane *p)
{
	list_forget(p->data);
}

void
list_pane_draw(struct pane *p, struct area a)
{
	p->area = a;
	list_draw(p->data, a, true);
}

uint32_t
list_object(struct list *l)
{
	struct cell	c;

	if ((ui_shapes(l->pane->ui) & SHAPE_GRAPH) == 0)
		return 0;
	if (!list_cell(l, "object", &c) && !list_cell(l, "id", &c) &&
	    !list_cell(l, "thread_id", &c))
		return 0;
	return c.type == CELL_ID && c.u < UINT32_MAX ? (uint32_t)c.u : 0;
}

uint32_t
list_pane_object(struct pane *p)
{
	return list_object(p->data);
}

/* What the rows of the selected group were before they were put together; false: they are no groups. */
static bool
group_query(struct list *l, struct buf *b)
{
	static const char word[] = "| group ";
	const char	*at = NULL, *s;
	char		 column[64];
	struct cell	 c;
	size_t		 n = 0;

	for (s = l->base; (s = strstr(s, word)) != NULL; s++)
		at = s;
	if (at == NULL)
		return false;
	for (s = at + strlen(word); n + 1 < sizeof column &&
	    (isalnum((unsigned char)s[n]) || s[n] == '_'); n++)
		column[n] = s[n];
	column[n] = '\0';
	if (!list_cell(l, column, &c) || (c.type != CELL_TEXT && c.type != CELL_COUNT))
		return false;
	buf_add(b, l->base, (size_t)(at - l->base));
	buf_printf(b, "| where %s = ", column);
	if (c.type == CELL_TEXT)
		return list_quote(c.text, b);
	buf_printf(b, "%" PRIu64, c.u);
	return !b->bad;
}

/* Adds those columns that the rows have; how many they are. */
static size_t
add_columns(struct rows *r, const char *word, const char *sign, const char *const *names,
    size_t n, struct buf *text)
{
	size_t	i, had = 0;

	for (i = 0; i < n; i++)
		if (rows_column(r, str_of(names[i])) >= 0) {
			buf_printf(text, "%s %s%s", had == 0 ? word : "", sign, names[i]);
			had++;
		}
	return had;
}

/* The largest first, where they have a size, which then is shown; false: it cannot be asked. */
static bool
sort_rows(struct ui *ui, struct buf *text)
{
	static const char *const sizes[] = { "retained", "shallow" };
	static const char *const shown[] = { "id", "object", "retained", "shallow", "objects",
	    "class", "name", "kind", "length", "thread", "frame", "reachable" };
	struct query	*q = NULL;
	struct rows	*r = NULL;
	struct err	 err;
	bool		 ok;

	ok = query_parse(&q, buf_view(text), &err) && query_open(q, ui_session(ui), &r, &err);
	if (ok && add_columns(r, " | sort", "-", sizes, NELEM(sizes), text) > 0)
		add_columns(r, " | select", "", shown, NELEM(shown), text);
	rows_close(r);
	query_free(q);
	return ok && !text->bad;
}

static bool
enter_group(struct pane *p)
{
	struct buf	text = BUF_INIT;
	bool		ok = group_query(p->data, &text) && sort_rows(p->ui, &text);

	if (ok)
		ui_ask(p->ui, text.s);
	buf_free(&text);
	return ok;
}

/* A row of threads has their id and the one that the system gave them. */
static bool
thread_cell(struct list *l, struct cell *c)
{
	struct cell	tid;

	return list_cell(l, "thread_id", c) || (list_cell(l, "tid", &tid) && list_cell(l, "id", c));
}

/* Views number methods anew when they put frames together or compare: the names tell whether it is the same one. */
static bool
is_shown(struct pane *p, uint32_t method)
{
	struct buf	name = BUF_INIT;
	struct cell	c;
	bool		same = true;

	method_name(ui_store(p->ui), method, &name);
	if (list_cell(p->data, "method", &c) && c.type == CELL_TEXT)
		same = str_eq(buf_view(&name), c.text);
	buf_free(&name);
	if (!same)
		ui_say(p->ui, "the other panes show another view, without this method");
	return same;
}

/* A row that tells of an object, a method, a thread or a group leads to it. */
static bool
enter(struct pane *p)
{
	struct cell	c;
	uint32_t	id = list_object(p->data);

	if (id != 0) {
		ui_go(p->ui, PLACE_OBJECT, id);
		return true;
	}
	if (enter_group(p))
		return true;
	if (ui_shapes(p->ui) & SHAPE_GRAPH)
		return false;
	if (list_cell(p->data, "method_id", &c) && c.type == CELL_ID && c.u != 0) {
		if (is_shown(p, (uint32_t)c.u))
			ui_go(p->ui, PLACE_METHOD, (uint32_t)c.u);
		return true;
	}
	if (!thread_cell(p->data, &c) || c.type != CELL_ID || c.u == 0)
		return false;
	id = (uint32_t)c.u;
	ui_go_threads(p->ui, &id, 1);
	return true;
}

static bool
act(struct pane *p, enum verb verb)
{
	if (verb == VERB_BACK && p->entered) {
		ui_close(p->ui);
		return true;
	}
	return (verb == VERB_ENTER && enter(p)) || list_act(p->data, verb);
}

void
list_pane_path(struct pane *p, struct buf *b)
{
	struct buf	raw = BUF_INIT;

	list_text(p->data, &raw);
	screen_fit(b, buf_view(&raw));
	buf_free(&raw);
}

/* The list a pane shows, or the one of several that has the keys. */
static struct list *
list_of(struct pane *p)
{
	return p->kind->list != NULL ? p->kind->list(p) : p->data;
}

void
list_pane_status(struct pane *p, struct buf *b)
{
	list_status(list_of(p), b);
}

void
list_pane_copy(struct pane *p, struct buf *b)
{
	list_copy(list_of(p), b);
}

void
list_pane_text(struct pane *p, struct buf *b)
{
	list_text(list_of(p), b);
}

void
list_pane_find(struct pane *p, const char *what, bool backward)
{
	list_find(list_of(p), what, backward);
}

const struct pane_kind pane_query = {
	.name = "Query",
	.what = "the answer to a query",
	.places = 1 << PLACE_QUERY,
	.where = IN_LIST,
	.format = FORMAT_TSV,
	.open = open_list,
	.close = list_pane_close,
	.reset = list_pane_reset,
	.forget = list_pane_forget,
	.plain = true,
	.draw = list_pane_draw,
	.act = act,
	.path = list_pane_path,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = list_pane_text,
	.find = list_pane_find,
	.object = list_pane_object
};

const struct pane_kind pane_info = {
	.name = "Info",
	.what = "what is known about the file: facts, repairs, losses",
	.query = "info",
	.where = IN_LIST,
	.format = FORMAT_TSV,
	.open = open_info,
	.close = list_pane_close,
	.reset = list_pane_reset,
	.forget = list_pane_forget,
	.plain = true,
	.draw = list_pane_draw,
	.act = act,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.text = list_pane_text,
	.find = list_pane_find
};

/* The keys are not about the file: what applies in other lists of it does not apply here. */
static unsigned
where_help(const struct pane *p)
{
	return p->kind->where;
}

const struct pane_kind pane_help = {
	.name = "Keys",
	.what = "what the keys do",
	.where = IN_LIST,
	.now = where_help,
	.open = open_help,
	.close = list_pane_close,
	.reset = list_pane_reset,
	.forget = list_pane_forget,
	.plain = true,
	.draw = list_pane_draw,
	.act = act,
	.status = list_pane_status,
	.copy = list_pane_copy,
	.find = list_pane_find
};
