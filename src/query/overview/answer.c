/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * answer: a line of the overview from the rows of its query.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/limits.h"
#include "icecore/phrase.h"
#include "icecore/unread.h"
#include "icecore/view.h"
#include "overview.h"
#include "query/trace/trace.h"

static const char no_objects[] = "not checked: no objects in the file";

/* ---- asking ---------------------------------------------------------------------- */

/*
 * A cell by its name; of the rows of info the value of that field, in a range the duration of the range.
 * CELL_NONE: there is none.
 */
static struct coldef const *
named_cell(struct rows *r, uint64_t row, struct str name, struct cell *c)
{
	int col = rows_column(r, name);
	const struct coldef *def;
	uint64_t from, until;

	if (col < 0) {
		def = info_find(r, name, c);
		if (def != NULL && str_eq(name, STR("elapsed")) && view_range(session_store(r->session), &from, &until))
			c->u = (until < c->u ? until : c->u) - (from < c->u ? from : c->u);
		return def;
	}
	c->type = CELL_NONE;
	if (rows_reach(r, row + 1) <= row)
		return NULL;
	rows_cell(r, row, (size_t)col, c);
	return &r->cols[col];
}

const struct coldef *
answering_given(struct answering *a, struct str name, struct cell *c)
{
	const struct coldef *def = NULL;

	for (size_t i = 0; def == NULL && i < OVERVIEW_GIVEN && a->given[i].rows != NULL; i++)
		def = named_cell(a->given[i].rows, 0, name, c);
	if (def == NULL)
		c->type = CELL_NONE;
	return def;
}

static uint64_t
own_number(struct answering *a, uint64_t row, const char *name)
{
	struct cell c;

	return named_cell(a->asked.rows, row, str_of(name), &c) != NULL && c.type != CELL_NONE &&
	    c.type != CELL_TEXT && !is_real(c.type) ? c.u : 0;
}

/* Find a cell by name in the row, otherwise in the given queries. */
static const struct coldef *
find_one_cell(struct answering *a, uint64_t row, struct str name, struct cell *c)
{
	const struct coldef *def = a->asked.rows == NULL ? NULL :
	    named_cell(a->asked.rows, row, name, c);

	return def != NULL ? def : answering_given(a, name, c);
}

/* The same; "PART/WHOLE" is a percentage of two cells. */
static const struct coldef *
find_cell(struct answering *a, uint64_t row, struct str name, struct cell *c)
{
	struct str part, whole;
	struct cell of;

	if (!str_divide(name, STR("/"), &part, &whole))
		return find_one_cell(a, row, name, c);
	find_one_cell(a, row, part, c);
	find_one_cell(a, row, whole, &of);
	if (c->type == CELL_NONE || of.type == CELL_NONE || cell_real(&of) == 0)
		c->type = CELL_NONE;
	else
		*c = (struct cell){ .type = CELL_PERCENT, .f = 100 * cell_real(c) / cell_real(&of) };
	return NULL;
}

/* Append the query; replace each {COLUMN} by the cell of the given queries.  False: one of these is empty. */
static bool
fill_query(struct answering *a, const char *form, struct buf *b)
{
	struct str rest = str_of(form), before, name;
	struct cell c;
	bool all = true;

	while (str_divide(rest, STR("{"), &before, &rest)) {
		buf_str(b, before);
		str_divide(rest, STR("}"), &name, &rest);
		if (find_cell(a, 0, name, &c) != NULL) {
			all &= c.type != CELL_NONE;
			cell_plain(&c, b);
		}
	}
	buf_str(b, rest);
	return all;
}

/* Ask a query, unless a cell in it is empty: to->rows stays NULL. */
static bool
answer_ask(struct answering *a, const char *form, struct reply *to, struct err *err)
{
	struct buf text = BUF_INIT;
	bool all = fill_query(a, form, &text), ok;

	ok = text.bad ? fail(err, E_SYSTEM, "out of memory (overview)") :
	    !all || query_ask(to, buf_view(&text), 0, a->session, a->work, err);
	buf_free(&text);
	if (!ok)
		return false;
	if (to->rows == NULL)
		return true;
	rows_reach(to->rows, 1);
	return rows_whole(to->rows, err);
}

/* ---- words ----------------------------------------------------------------------- */

static bool
is_nothing(const struct cell *c)
{
	return c->type == CELL_NONE || (c->type == CELL_TEXT ? c->text.n == 0 : cell_real(c) == 0);
}

struct words {
	struct answering	*a;
	uint64_t		 row;
	struct overview_item	*to;
};

static enum amount
words_amount(void *of, struct str name)
{
	const struct words *w = of;
	struct cell c;

	find_cell(w->a, w->row, name, &c);
	return is_nothing(&c) ? AMOUNT_NONE : c.type != CELL_TEXT &&
	    cell_real(&c) == 1 ? AMOUNT_ONE : AMOUNT_MANY;
}

/* Remember which row of a list the item is about; the first text of the words names it. */
static void
set_key(struct overview_item *to, struct str column, struct str value)
{
	if (to->by[0] != '\0' || column.n >= sizeof to->by)
		return;
	memcpy(to->by, column.s, column.n);
	buf_str(&to->key, value);
}

/* The meaning of a fact goes with its value. */
static void
words_add_meaning(const struct words *w)
{
	struct cell field;

	find_cell(w->a, w->row, STR("field"), &field);
	set_key(w->to, STR("field"), field.text);
	info_meaning(field.text, load_shapes(session_store(w->a->session)), &w->to->value, &w->to->words);
}

/* A text of a given query is in no row of the list.  Lists of waits name a thread more than once. */
static void
words_set_key(const struct words *w, struct str name, struct str text)
{
	char digits[24];
	uint64_t row = str_is(name, "thread") ? own_number(w->a, w->row, "row") : 0;

	if (row != 0)
		set_key(w->to, STR("row"), (struct str){ digits,
		    (size_t)snprintf(digits, sizeof digits, "%ju", (uintmax_t)row) });
	else if (w->a->asked.rows == NULL || rows_column(w->a->asked.rows, name) >= 0)
		set_key(w->to, name, text);
}

static void
words_add(void *of, struct str name, struct buf *b)
{
	const struct words *w = of;
	struct overview_item *to = w->to;
	const struct coldef *def;
	struct cell c;
	size_t at = b->n;

	def = find_cell(w->a, w->row, name, &c);
	if (str_eq(name, STR("meaning")))
		words_add_meaning(w);
	else if (c.type == CELL_TEXT) {
		buf_str(b, c.text);
		words_set_key(w, name, c.text);
	} else
		cell_show(&c, b);
	to->named = to->named || (at == 0 && c.type == CELL_TEXT);
	if (def != NULL && (def->function || def->cut == CUT_FRONT) && to->name_n == 0 && b->n > at) {
		to->class_name = !def->function;
		to->name = at + (to->class_name && str_has_prefix(str_after(buf_view(b), at),
		    STR("class ")) ? strlen("class ") : 0);
		to->name_n = b->n - to->name;
	}
}

/* ---- items ----------------------------------------------------------------------- */

struct overview_item *
answering_add(struct answering *a)
{
	struct overview_item *to;

	if (a->answer->n == OVERVIEW_ROWS)
		return NULL;
	to = &a->answer->item[a->answer->n++];
	*to = (struct overview_item){ .value.type = CELL_NONE };
	return to;
}

void
answering_drop(struct overview_answer *answer)
{
	struct overview_item *item = &answer->item[--answer->n];

	buf_free(&item->words);
	buf_free(&item->key);
}

static void
add_nothing(struct answering *a, const char *words)
{
	struct overview_item *to = answering_add(a);

	if (to == NULL)
		return;
	to->nothing = true;
	buf_str(&to->words, str_of(words));
}

static void
set_about(struct answering *a, uint64_t row, struct overview_item *to)
{
	static const struct { enum overview_about about; const char *id; } all[] = {
		{ ABOUT_OBJECT, "object" }, { ABOUT_STRETCH, "thread_id" }, { ABOUT_METHOD, "method_id" },
		{ ABOUT_CPU, "on_cpu" }, { ABOUT_PROCESS, "of_process" },
		{ ABOUT_THREAD, "thread_id" }, { ABOUT_STACK, "stack" }
	};
	struct cell cpu;

	to->from = own_number(a, row, "start_wall");
	to->until = num_add(to->from, own_number(a, row, "length"));
	for (size_t i = 0; i < NELEM(all) && to->about == ABOUT_NOTHING; i++) {
		to->id = (uint32_t)own_number(a, row, all[i].id);
		if (all[i].about == ABOUT_STRETCH ? to->until > to->from :
		    all[i].about == ABOUT_CPU ? named_cell(a->asked.rows, row, str_of("on_cpu"),
		    &cpu) != NULL : to->id != 0)
			to->about = all[i].about;
	}
	to->method = to->about == ABOUT_STRETCH ? (uint32_t)own_number(a, row, "method_id") : 0;
}

/* Parts of the time whose character is not a digit have no bar. */
static void
set_bars(struct answering *a, uint64_t row, struct overview_item *to)
{
	struct cell use;

	named_cell(a->asked.rows, row, STR("use_over_time"), &use);
	to->bars = use.type == CELL_TEXT && use.text.n == USE_PARTS ? USE_PARTS : 0;
	for (size_t i = 0; i < to->bars; i++)
		to->bar[i] = (uint8_t)use_of_digit(use.text.s[i]);
}

/* A text goes to the words; none is as good as 0. */
static void
set_value(struct answering *a, uint64_t row, struct overview_item *to)
{
	const struct coldef *def = NULL;
	struct cell share;

	if (a->line->count)
		to->value = (struct cell){ .type = CELL_COUNT, .u = rows_reach(a->asked.rows, ROWS_ALL) };
	else
		def = find_cell(a, row, str_of(a->line->value != NULL ? a->line->value : "value"),
		    &to->value);
	to->unit = a->line->change && def != NULL ? def->type : CELL_NONE;
	if (to->value.type == CELL_TEXT) {
		buf_str(&to->words, to->value.text);
		buf_str(&to->words, STR("  "));
		to->value.type = CELL_NONE;
	}
	to->shared = find_cell(a, row, STR("share"), &share) != NULL && share.type != CELL_NONE;
	to->share = to->shared ? cell_real(&share) : 0;
	if (a->whole > 0 && to->value.type != CELL_NONE) {
		to->shared = true;
		to->share = cell_real(&to->value) * 100 / a->whole;
	}
}

struct overview_item *
answering_row(struct answering *a, uint64_t row)
{
	struct overview_item *to = answering_add(a);
	struct cell field;

	if (to == NULL)
		return NULL;
	set_value(a, row, to);
	if (!a->line->count)
		set_about(a, row, to);
	set_bars(a, row, to);
	if (a->line->value == NULL && named_cell(a->asked.rows, row, STR("field"), &field) != NULL &&
	    field.type == CELL_TEXT)
		set_key(to, STR("field"), field.text);
	phrase_add(str_of(a->line->words), &(struct phrase_fields){ words_amount, words_add,
	    &(struct words){ a, row, to } }, &to->words);
	if (a->line->value != NULL)
		set_key(to, STR("field"), str_of(a->line->value));
	return to;
}

void
overview_value(const struct overview_item *item, struct buf *b)
{
	struct cell c = item->value;
	bool below = c.type == CELL_INT && c.i < 0;

	if (item->unit != CELL_NONE && c.type != CELL_NONE && !is_real(c.type) && c.type != CELL_DECIMAL) {
		buf_chr(b, below ? '-' : '+');
		c.u = below ? 0 - c.u : c.u;
		c.type = item->unit == CELL_INT ? CELL_COUNT : item->unit;
	}
	cell_show(&c, b);
}

void
overview_free(struct overview_answer *answer)
{
	while (answer->n > 0)
		answering_drop(answer);
}

/* ---- one line -------------------------------------------------------------------- */

/* Skip a value that is 0 or unknown; lines without a value column always count. */
static bool
says_nothing(struct answering *a, uint64_t row, const struct overview_item *item)
{
	const char *value = a->line->value != NULL ? a->line->value : "value";
	struct cell c;

	if (item->value.type != CELL_NONE)
		return cell_real(&item->value) == 0;
	return find_cell(a, row, str_of(value), &c) != NULL && c.type == CELL_NONE;
}

static bool
add_rows(struct answering *a, struct err *err)
{
	uint64_t most = a->line->rows == 0 ? 1 : a->line->rows;
	struct overview_item *to;

	for (uint64_t row = 0; row < most && rows_reach(a->asked.rows, row + 1) > row; row++) {
		to = answering_row(a, row);
		if (to != NULL && says_nothing(a, row, to))
			answering_drop(a->answer);
	}
	return rows_whole(a->asked.rows, err);
}

static bool
find_whole(struct answering *a, struct err *err)
{
	struct reply of = { .query = NULL };
	struct cell c = { .type = CELL_NONE };
	bool ok = answer_ask(a, a->line->of, &of, err);

	if (ok && of.rows != NULL && rows_reach(of.rows, 1) > 0) {
		rows_cell(of.rows, 0, 0, &c);
		a->whole = c.type == CELL_NONE ? 0 : cell_real(&c);
	}
	reply_close(&of);
	return ok;
}

/* Run the given queries; *some false: one has no rows, or lacks what the next one needs, so the line is empty. */
static bool
ask_given(struct answering *a, bool *some, struct err *err)
{
	const char *const *given = a->line->given;

	*some = true;
	for (size_t i = 0; i < OVERVIEW_GIVEN && given[i] != NULL && *some; i++) {
		if (!answer_ask(a, given[i], &a->given[i], err))
			return false;
		*some = a->given[i].rows != NULL && rows_reach(a->given[i].rows, 1) > 0;
	}
	return true;
}

bool
answering_line(struct answering *a, struct err *err)
{
	const struct overview_line *l = a->line;
	bool some;

	if (!ask_given(a, &some, err))
		return false;
	if (!some)
		return true;
	if ((l->of != NULL && !find_whole(a, err)) || (l->query != NULL &&
	    !answer_ask(a, l->query, &a->asked, err)))
		return false;
	if (l->query != NULL && a->asked.rows == NULL)
		return true;
	/* The threads are known by now: check whether they have names. */
	if (l->threads && threads_nameless(session_store(a->session)))
		return true;
	return l->own != NULL ? l->own(a, err) : add_rows(a, err);
}

void
answering_end(struct answering *a)
{
	reply_close(&a->asked);
	for (size_t i = 0; i < OVERVIEW_GIVEN; i++)
		reply_close(&a->given[i]);
}

/* In a piecewise session a line that takes too long is dropped without the other lines. */
static bool
in_time(struct answering *a, struct err *err)
{
	struct work_deadline_was was;
	bool limited = a->session->piecewise && work_deadline_half(&was), ok = answering_line(a, err);

	if (limited)
		work_deadline_end(&was);
	a->answer->late = limited && !ok && err->reason == REASON_TIME;
	return ok;
}

static void
add_why(struct answering *a, const struct err *err)
{
	struct overview_item *to = answering_add(a);
	struct str text = str_of(err->text), rest;

	/* Drop "; the output is incomplete": only this line is. */
	if (a->answer->late)
		(void)str_divide(text, STR("; "), &text, &rest);
	if (to != NULL)
		buf_printf(&to->words, "not computed: %.*s", (int)text.n, text.s);
}

bool
overview_answer(const struct overview_line *line, struct session *session, struct overview_answer *answer,
    struct work *work, struct err *err)
{
	struct session own = *session;
	struct answering a = { .line = line, .session = &own, .work = work, .answer = answer };
	struct err why = { .at = ERR_NOWHERE };
	bool ok = true;

	answer->n = 0;
	answer->late = false;
	if (line->objects && fact_value(session_store(session), FACT_HEAP_OBJECTS) == 0)
		add_nothing(&a, no_objects);
	else
		ok = in_time(&a, &why);
	answering_end(&a);
	if (!ok)
		overview_free(answer);
	if (!ok && !answer->late && (why.kind == E_CANCEL || why.kind == E_SYSTEM)) {
		*err = why;
		return false;
	}
	if (!ok)
		add_why(&a, &why);
	else if (answer->n == 0 && line->none != NULL && !(line->whole && unread_any(session_store(session))))
		add_nothing(&a, line->none);
	return true;
}
