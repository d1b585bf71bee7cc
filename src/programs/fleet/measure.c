/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure: the value of one file for icecore compare: the duration of a span, method or wait, a fact, or the
 * first cell of a query.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "icecore/lev.h"
#include "fleet.h"

/*
 * The first query of a word that fits the file and finds something counts: its column value, and n, the number of
 * what it found.
 */
static const struct measure {
	const char	*word, *before, *after;
	const char	*clock;		/* of a time, in a file with clocks; "": the current one; NULL: none */
	bool		 last;		/* a name without a dot is the last part of the names of the file */
} measures[] = {
	{ "span", "spans | where method", " | group : avg wall as value, count as n", "wall" },
	{ "span", "async_spans | where name", " | group : avg wall as value, count as n", "wall" },
	{ "span", "spans | where method", " | group : avg wall as value, count as n", "wall", .last = true },
	{ "span", "spans | where method", " | group : avg cpu as value, count as n", "cpu" },
	{ "span", "spans | where method", " | group : avg cpu as value, count as n", "cpu", .last = true },
	{ "method", "methods | where method", " | group : sum total as value, count as n", "" },
	{ "method", "methods | where name", " | group : sum total as value, count as n", "" },
	{ "wait", "waits | where waiting_in", " | group : sum wall as value, count as n", "wall" },
	{ "wait", "waits | where waiting_in", " | group : sum wall as value, count as n", "wall", .last = true },
	{ "fact", "info | where field", " | select value", NULL },
	{ "query", "", "", NULL },
};

/* Append a condition on a name: equal to it, or matched by /REGEX/. */
static void
measure_add_name(struct buf *b, struct str name)
{
	if (name.n > 2 && name.s[0] == '/' && str_has_suffix(name, STR("/"))) {
		buf_str(b, STR(" ~ "));
		buf_str(b, name);
		return;
	}
	buf_str(b, STR(" = '"));
	for (size_t i = 0; i < name.n; i++) {
		if (name.s[i] == '\'' || name.s[i] == '\\')
			buf_chr(b, '\\');
		buf_chr(b, name.s[i]);
	}
	buf_chr(b, '\'');
}

/* A name that can be the last part of another one, and is no pattern. */
static bool
measure_is_part(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!is_letter(name.s[i]) && !is_digit(name.s[i]) && name.s[i] != '_')
			return false;
	return true;
}

/* Make the next query from row *at on, and step; false: no more. */
static bool
measure_next(const char *of, size_t *at, struct buf *query)
{
	struct str word, name;

	if (!str_divide(str_of(of), STR(" "), &word, &name) || name.n == 0)
		return false;
	while (*at < NELEM(measures) && (!str_eq(word, str_of(measures[*at].word)) ||
	    (measures[*at].last && !measure_is_part(name))))
		++*at;
	if (*at == NELEM(measures))
		return false;
	buf_clear(query);
	buf_str(query, str_of(measures[*at].before));
	if (measures[*at].last)
		buf_str(query, STR(" ~ *."));
	if (measures[*at].before[0] == '\0' || measures[*at].last)
		buf_str(query, name);
	else
		measure_add_name(query, name);
	buf_str(query, str_of(measures[(*at)++].after));
	return true;
}

bool
measure_check(const char *of, struct err *err)
{
	struct buf text = BUF_INIT;
	struct query *query;
	size_t at = 0;
	bool ok = true, any = false;

	while (ok && measure_next(of, &at, &text)) {
		any = true;
		ok = (!text.bad || fail(err, E_SYSTEM, "out of memory (query)")) &&
		    query_parse(&query, buf_view(&text), err);
		if (ok) {
			ok = query_only_asks(query, err);
			query_free(query);
		}
		err->at = ERR_NOWHERE;
	}
	buf_free(&text);
	return ok && (any || fail(err, E_USAGE,
	    "'%s' is not span, method, wait, fact or query and what follows it, e.g. 'span activityStart'", of));
}

/* The number of a cell; false: it has none. */
static bool
measure_number(const struct cell *c, double *value)
{
	switch (c->type) {
	case CELL_COUNT:
	case CELL_BYTES:
	case CELL_TIME:
		*value = (double)c->u;
		return true;
	case CELL_INT:
		*value = (double)c->i;
		return true;
	case CELL_REAL:
	case CELL_PERCENT:
		*value = c->f;
		return isfinite(c->f);
	default:
		return false;
	}
}

/* Take the value of an answer; false: it has none. */
static bool
measure_take(struct rows *r, double *value, const char **unit)
{
	int col = rows_column(r, STR("value"));
	int found = rows_column(r, STR("n"));
	struct cell c, n = { .type = CELL_NONE };

	if (rows_reach(r, 1) == 0)
		return false;
	if (found >= 0)
		rows_cell(r, 0, (size_t)found, &n);
	if (n.type == CELL_COUNT && n.u == 0)
		return false;
	rows_cell(r, 0, col < 0 ? 0 : (size_t)col, &c);
	*unit = cell_type_name(c.type == CELL_INT ? CELL_COUNT : c.type);
	return measure_number(&c, value);
}

/* Say why a file has no value: it found nothing, or the first query does not fit it, without the advice. */
static void
measure_add_why(struct buf *why, const char *of, bool fits, const struct err *err)
{
	struct str all = str_of(err->text), first = all;

	if (why->n > 0 && !fits)
		return;
	(void)str_split(&all, ';', &first);
	buf_clear(why);
	buf_str(why, fits ? STR("has no number for ") : STR(""));
	text_fit_buf(why, fits ? str_of(of) : first);
}

struct measure_names {
	struct rows	*rows;
	struct str	 but;		/* is no proposal */
	bool		 last;		/* only what is after the last dot */
};

static struct str
measure_name(void *of, uint64_t row)
{
	const struct measure_names *n = of;
	struct cell c = { .type = CELL_NONE };
	struct str name, before;

	if (rows_reach(n->rows, row + 1) > row)
		rows_cell(n->rows, row, 0, &c);
	name = c.type == CELL_TEXT ? c.text : STR("");
	if (n->last)
		(void)str_divide_last(name, '.', &before, &name);
	return str_eq(name, n->but) ? STR("") : name;
}

/* Append a name of the file like that of a span or method that it does not have. */
static bool
measure_guess(struct session *session, const char *of, struct buf *why, struct work *w, struct err *err)
{
	struct measure_names names;
	struct str word, name;
	struct reply a;
	char guess[GUESS_TEXT];

	if (!str_divide(str_of(of), STR(" "), &word, &name) || (!str_is(word, "span") && !str_is(word, "method")))
		return true;
	if (!query_ask(&a, STR("methods | select method"), ASK_ROWS, session, w, err))
		return err->kind == E_USAGE;
	names = (struct measure_names){ a.rows, name, measure_is_part(name) };
	buf_str(why, str_of(guess_among(name, measure_name, &names, rows_reach(a.rows, UINT64_MAX), guess,
	    sizeof guess)));
	reply_close(&a);
	return true;
}

bool
measure_make(struct session *session, const char *of, struct triage_row *row, struct work *w, struct err *err)
{
	struct buf text = BUF_INIT, why = BUF_INIT;
	bool ok = true, found = false, fits = false;
	const char *unit = "", *clock;
	double value = 0;
	size_t at = 0;

	session_choose_clock(session, session_store(session));
	while (ok && !found && measure_next(of, &at, &text)) {
		struct reply a;

		ok = query_ask(&a, buf_view(&text), ASK_ROWS, session, w, err);
		if (!ok && err->kind == E_USAGE) {
			ok = true;
			measure_add_why(&why, of, false, err);
			continue;
		}
		found = ok && measure_take(a.rows, &value, &unit);
		ok = ok && rows_whole(a.rows, err);
		fits = true;
		reply_close(&a);
	}
	if (ok && !found && fits) {
		measure_add_why(&why, of, true, err);
		ok = measure_guess(session, of, &why, w, err);
	}
	if (ok) {
		begin_row(row, "measure");
		triage_put_text(row, "unit", str_of(unit));
		clock = found ? measures[at - 1].clock : NULL;
		if (clock != NULL && str_is(str_of(unit), cell_type_name(CELL_TIME)) &&
		    (load_shapes(session_store(session)) & SHAPE_CALLS) != 0)
			triage_put_text(row, "clock", str_of(clock[0] != '\0' ? clock : clock_names[session->clock]));
		if (found)
			triage_put_real(row, "value", value);
		else
			triage_put_text(row, "why", buf_view(&why));
		row->bad |= why.bad;
	}
	buf_free(&text);
	buf_free(&why);
	return ok;
}
