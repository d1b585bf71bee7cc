/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * habits: a query in the way of SQL or jq, written again in the language of this program.  The result may
 * still be wrong: the caller checks it before it is shown.
 */
#include "config.h"

#include "run.h"

enum { CLAUSES = 32 };

/* Tokens from a word up to the next clause. */
struct clause {
	size_t	from, to;
};

struct habits {
	struct str	 query;
	struct tokens	 ts;
	struct clause	 clause[CLAUSES];
	size_t		 n;
	struct buf	*out;
	bool		 found;		/* something was written in another way */
};

/* ---- tokens ------------------------------------------------------------------------- */

static const struct token *
habits_at(const struct habits *h, size_t i)
{
	static const struct token none = { .kind = TOKEN_PIPE };

	return i < h->ts.n ? &h->ts.token[i] : &none;
}

static enum token_kind
habits_kind(const struct habits *h, size_t i)
{
	return habits_at(h, i)->kind;
}

static bool
habits_is(const struct habits *h, size_t i, const char *word)
{
	const struct token *t = habits_at(h, i);

	return t->kind == TOKEN_WORD && str_eq_nocase(t->text, str_of(word));
}

static bool
habits_one_of(const struct habits *h, size_t i, const char *const *words)
{
	while (*words != NULL && !habits_is(h, i, *words))
		words++;
	return *words != NULL;
}

/* "||" where a pipe would begin a stage. */
static bool
is_or(const struct habits *h, size_t i)
{
	return i + 1 < h->ts.n && habits_kind(h, i) == TOKEN_PIPE && habits_kind(h, i + 1) == TOKEN_PIPE &&
	    habits_at(h, i + 1)->at == habits_at(h, i)->at + 1;
}

/* A token as it was written, without the blanks behind it. */
static struct str
habits_raw(const struct habits *h, size_t i)
{
	size_t at = h->ts.token[i].at, end = i + 1 < h->ts.n ? h->ts.token[i + 1].at : h->query.n;

	while (end > at && is_blank(h->query.s[end - 1]))
		end--;
	return (struct str){ h->query.s + at, end - at };
}

/* A column as jq writes it, ".name" or ".[].name". */
static struct str
habits_name(const struct habits *h, size_t i)
{
	struct str s = habits_raw(h, i);

	if (habits_kind(h, i) != TOKEN_WORD || s.n < 2 || s.s[0] != '.')
		return s;
	return str_after(s, str_has_prefix(s, STR(".[].")) ? 4 : 1);
}

static void
habits_put_word(struct habits *h, struct str word)
{
	if (h->out->n > 0)
		buf_chr(h->out, ' ');
	buf_str(h->out, word);
}

static void
put_pipe(struct habits *h)
{
	if (h->out->n > 0)
		buf_str(h->out, STR(" |"));
}

static void
put_stage(struct habits *h, const char *word)
{
	put_pipe(h);
	habits_put_word(h, str_of(word));
}

/* ---- parts of clauses ---------------------------------------------------------------- */

static const char *const sums[] = { "count", "sum", "min", "max", "avg", NULL };

/* "sum(x)" at token i: return the token after it; i: something else. */
static size_t
past_sum(const struct habits *h, size_t i, size_t to)
{
	size_t end;

	if (!habits_one_of(h, i, sums) || habits_kind(h, i + 1) != TOKEN_OPEN)
		return i;
	end = token_closing(h->ts.token, to, i + 1, NULL);
	return end < to ? end + 1 : i;
}

/* "sum x" of "SUM(x)", or with another character between the words. */
static void
put_sum(struct habits *h, size_t i, char between)
{
	const char *const *sum = sums;

	while (!habits_is(h, i, *sum))
		sum++;
	buf_str(h->out, str_of(*sum));
	if (sum == sums)
		return;
	buf_chr(h->out, between);
	buf_str(h->out, habits_name(h, i + 2));
}

/*
 * Put the text of a token.  Blanks before it, if it is not the first: none at the inner side of parentheses,
 * at a comma, and between a function and its parenthesis.
 */
static void
habits_put_text(struct habits *h, size_t i, bool first, struct str text)
{
	enum token_kind kind = habits_kind(h, i);
	size_t at = habits_at(h, i)->at;

	if (!first && (kind == TOKEN_CLOSE || kind == TOKEN_COMMA ||
	    (i > 0 && habits_kind(h, i - 1) == TOKEN_OPEN) ||
	    (kind == TOKEN_OPEN && at > 0 && !is_blank(h->query.s[at - 1]))))
		buf_str(h->out, text);
	else
		habits_put_word(h, text);
}

static void
put_raw(struct habits *h, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		habits_put_text(h, i, i == from, habits_name(h, i));
}

/* Columns to sort by, "by self desc, .name" as "-self name". */
static void
habits_put_order(struct habits *h, size_t from, size_t to)
{
	static const char *const downs[] = { "desc", "descending", NULL };
	static const char *const skipped[] = { "by", "desc", "descending", "asc", "ascending", NULL };
	struct str name;
	size_t next;

	for (size_t i = from; i < to; i = next) {
		next = past_sum(h, i, to);
		if (next == i && habits_kind(h, i) == TOKEN_WORD && habits_kind(h, i + 1) == TOKEN_OPEN)
			next = token_closing(h->ts.token, to, i + 1, NULL) + 1;
		next = next == i ? i + 1 : next < to ? next : to;
		if (habits_one_of(h, i, skipped))
			h->found = true;
		if (habits_kind(h, i) != TOKEN_WORD || habits_one_of(h, i, skipped))
			continue;
		habits_put_word(h, next < to && habits_one_of(h, next, downs) ? STR("-") : STR(""));
		name = habits_name(h, i);
		if (past_sum(h, i, to) > i)
			put_sum(h, i, '_');
		else if (str_has_prefix(name, STR("-.")))
			buf_printf(h->out, "-%.*s", (int)(name.n - 2), name.s + 2);
		else
			buf_str(h->out, name);
		for (size_t k = i + 1; k < next && past_sum(h, i, to) == i; k++)
			buf_str(h->out, habits_raw(h, k));
	}
}

/* Columns in parentheses, or as written, without "by" in front of them or of the second. */
static void
habits_put_columns(struct habits *h, size_t from, size_t to)
{
	size_t i = from;

	if (habits_kind(h, i) == TOKEN_OPEN && i < to) {
		h->found = true;
		for (; i < to; i++)
			if (habits_kind(h, i) == TOKEN_WORD)
				habits_put_word(h, habits_name(h, i));
		return;
	}
	if (to > from + 1 && habits_is(h, i + 1, "by") && is_digit(habits_raw(h, i).s[0]))
		habits_put_word(h, habits_raw(h, i++));
	if (i < to && habits_is(h, i, "by")) {
		h->found = true;
		i++;
	}
	put_raw(h, i, to);
}

/* "like '%x%'": text anywhere; "like 'x%'": at the begin. */
static void
put_like(struct habits *h, size_t i)
{
	struct str s = habits_at(h, i)->text;
	bool begins = s.n > 1 && s.s[s.n - 1] == '%' && s.s[0] != '%';
	size_t plain = 0;

	while (s.n > 0 && s.s[0] == '%')
		s = str_after(s, 1);
	while (s.n > 0 && s.s[s.n - 1] == '%')
		s.n--;
	while (plain < s.n && !is_one_of(s.s[plain], " |(),=!<>~'\"*?%/"))
		plain++;
	buf_printf(h->out, begins && plain == s.n ? " = %.*s*" : " ~ '%.*s'", (int)s.n, s.s);
}

static void
put_condition(struct habits *h, size_t from, size_t to)
{
	static const char *const likes[] = { "like", "ilike", NULL };

	for (size_t i = from; i < to; i++) {
		if (habits_one_of(h, i, likes) && i + 1 < to && habits_kind(h, i + 1) == TOKEN_TEXT) {
			put_like(h, ++i);
			h->found = true;
		} else if (is_or(h, i)) {
			habits_put_word(h, STR("or"));
			h->found = true;
			i++;
		} else if (habits_is(h, i, "&&")) {
			habits_put_word(h, STR("and"));
			h->found = true;
		} else {
			habits_put_text(h, i, i == from,
			    habits_kind(h, i) == TOKEN_OP ? habits_at(h, i)->text : habits_name(h, i));
		}
	}
}

/* ---- clauses ------------------------------------------------------------------------- */

/* "(.a)" after a word: the tokens within. */
static bool
habits_within(const struct habits *h, struct clause *c)
{
	size_t end;

	if (c->from + 1 >= c->to || habits_kind(h, c->from + 1) != TOKEN_OPEN)
		return false;
	end = token_closing(h->ts.token, c->to, c->from + 1, NULL);
	*c = (struct clause){ c->from + 2, end < c->to ? end : c->to };
	return true;
}

/* "select(" or "map(". */
static bool
is_filter(const struct habits *h, size_t i)
{
	return (habits_is(h, i, "map") || habits_is(h, i, "select")) && habits_kind(h, i + 1) == TOKEN_OPEN;
}

/* "select(.a > 3)" and "map(.a)" of jq. */
static void
put_filter(struct habits *h, struct clause c)
{
	bool compares = false;

	while (is_filter(h, c.from) && habits_within(h, &c))
		;
	for (size_t i = c.from; i < c.to; i++)
		compares |= habits_kind(h, i) == TOKEN_OP;
	put_stage(h, compares ? "where" : "select");
	if (compares)
		put_condition(h, c.from, c.to);
	else
		put_raw(h, c.from, c.to);
}

/* ".[]", ".[0:10]", ".a, .b". */
static void
habits_put_path(struct habits *h, struct clause c)
{
	size_t end = c.to - 1;
	struct str s = { h->query.s + h->ts.token[c.from].at, 0 }, first, last;

	s.n = (size_t)(habits_raw(h, end).s + habits_raw(h, end).n - s.s);
	if (str_eq(s, STR(".")) || str_eq(s, STR(".[]")))
		return;
	if (str_has_prefix(s, STR(".[")) && s.s[s.n - 1] == ']') {
		last = (struct str){ s.s + 2, s.n - 3 };
		if (str_split(&last, ':', &first) && (first.n == 0 || str_eq(first, STR("0")))) {
			put_stage(h, "head");
			habits_put_word(h, last.s == NULL || last.n == 0 ? STR("1") : last);
		}
		return;
	}
	if (h->out->n == 0) {
		s = habits_name(h, c.from);
		if (s.n > 2 && str_eq(str_after(s, s.n - 2), STR("[]")))
			s.n -= 2;
		buf_str(h->out, s);
		return;
	}
	put_stage(h, "select");
	put_raw(h, c.from, c.to);
}

/* The sums of "select name, sum(self) as s, count(*)". */
static void
put_selected(struct habits *h, struct clause c)
{
	bool first = true;
	size_t end;

	for (size_t i = c.from + 1; i < c.to; i = end > i ? end : i + 1) {
		end = past_sum(h, i, c.to);
		if (end == i)
			continue;
		buf_str(h->out, first ? STR(" ") : STR(", "));
		first = false;
		put_sum(h, i, ' ');
		if (end + 1 < c.to && habits_is(h, end, "as")) {
			habits_put_word(h, STR("as"));
			put_raw(h, end + 1, end + 2);
		}
	}
}

static bool
has_sums(const struct habits *h, struct clause c)
{
	size_t i = c.from;

	while (i < c.to && past_sum(h, i, c.to) == i)
		i++;
	return i < c.to;
}

/* "select a, b", "select distinct a", "select count(*)"; nothing for "select *". */
static void
put_select(struct habits *h, struct clause c)
{
	bool distinct = habits_is(h, c.from + 1, "distinct"), sums_too = has_sums(h, c);
	bool all = habits_is(h, c.from + 1, "*") && c.to == c.from + 2;

	h->found |= distinct || sums_too || all;
	if (all)
		return;
	if (sums_too) {
		put_pipe(h);
		put_selected(h, c);
		return;
	}
	put_stage(h, "select");
	put_raw(h, c.from + 1 + distinct, c.to);
	if (distinct)
		put_stage(h, "distinct");
}

/* How the rest of a clause is rewritten. */
enum rest { REST_NONE, REST_ORDER, REST_COLUMNS, REST_CONDITION };

static const struct habit {
	const char	*word, *stage;
	enum rest	 rest;
} habit_list[] = {
	{ "length", "count", REST_NONE }, { "show", "help all", REST_NONE },
	{ "tables", "help all", REST_NONE }, { "@csv", "format csv", REST_NONE },
	{ "@tsv", "format tsv", REST_NONE }, { "tojson", "format json", REST_NONE },
	{ "keys", "columns", REST_COLUMNS }, { "desc", "columns", REST_COLUMNS },
	{ "describe", "columns", REST_COLUMNS }, { "group", "group", REST_COLUMNS },
	{ "group_by", "group", REST_COLUMNS }, { "groupby", "group", REST_COLUMNS },
	{ "unique_by", "distinct", REST_COLUMNS }, { "top", "top", REST_COLUMNS },
	{ "max_by", "top 1", REST_COLUMNS }, { "order", "sort", REST_ORDER },
	{ "orderby", "sort", REST_ORDER }, { "order_by", "sort", REST_ORDER },
	{ "sort", "sort", REST_ORDER }, { "sort_by", "sort", REST_ORDER },
	{ "where", "where", REST_CONDITION }, { "having", "where", REST_CONDITION },
	{ "filter", "where", REST_CONDITION }
};

/* Another stage, or one with a hint that names the stage for it. */
static void
habits_put_other(struct habits *h, struct clause c)
{
	const struct token *t = habits_at(h, c.from);
	const char *use = t->kind == TOKEN_WORD ? hint_use(t->text) : NULL;

	put_pipe(h);
	h->found |= use != NULL || past_sum(h, c.from, c.to) > c.from;
	if (past_sum(h, c.from, c.to) > c.from) {
		habits_put_word(h, STR(""));
		put_sum(h, c.from, ' ');
		return;
	}
	if (use != NULL)
		habits_put_word(h, str_of(use));
	put_raw(h, c.from + (use != NULL), c.to);
}

static void
put_clause(struct habits *h, struct clause c)
{
	const struct token *t = habits_at(h, c.from);
	const struct habit *is = habit_list;

	if (t->kind == TOKEN_WORD && t->text.n > 0 && t->text.s[0] == '.') {
		h->found = true;
		habits_put_path(h, c);
		return;
	}
	if (is_filter(h, c.from)) {
		h->found = true;
		put_filter(h, c);
		return;
	}
	if (habits_is(h, c.from, "select")) {
		put_select(h, c);
		return;
	}
	while (is < habit_list + NELEM(habit_list) && !habits_is(h, c.from, is->word))
		is++;
	if (is == habit_list + NELEM(habit_list)) {
		habits_put_other(h, c);
		return;
	}
	h->found |= strcmp(is->stage, is->word) != 0;
	put_stage(h, is->stage);
	switch (is->rest) {
	case REST_NONE:
		break;
	case REST_ORDER:
		habits_put_order(h, c.from + 1, c.to);
		break;
	case REST_COLUMNS:
		habits_put_columns(h, c.from + 1, c.to);
		break;
	case REST_CONDITION:
		put_condition(h, c.from + 1, c.to);
		break;
	}
}

/* Split the tokens at pipes, and where a clause of SQL begins. */
static void
habits_split(struct habits *h)
{
	static const char *const begins[] = { "from", "where", "group", "having", "order", "limit", NULL };
	size_t start = 0, depth = 0;
	bool pipe;

	for (size_t i = 0; i <= h->ts.n && h->n < CLAUSES; i++) {
		depth += habits_kind(h, i) == TOKEN_OPEN;
		depth -= habits_kind(h, i) == TOKEN_CLOSE && depth > 0;
		pipe = i == h->ts.n || (habits_kind(h, i) == TOKEN_PIPE && depth == 0);
		if (is_or(h, i) && start < i) {
			i++;
			continue;
		}
		if (!pipe && (depth > 0 || i == start || !habits_one_of(h, i, begins)))
			continue;
		if (start < i)
			h->clause[h->n++] = (struct clause){ start, i };
		h->found |= !pipe;
		start = i + pipe;
	}
}

/* ---- SQL ------------------------------------------------------------------------------ */

/* "select ... from ...": the source first, the columns last. */
static void
put_sql(struct habits *h, size_t from)
{
	struct clause select = h->clause[0], c;
	bool sums_too = has_sums(h, select), grouped = false;

	buf_str(h->out, habits_raw(h, h->clause[from].from + 1));
	for (size_t k = 1; k < h->n; k++) {
		c = h->clause[k];
		if (k == from)
			continue;
		put_clause(h, c);
		if (habits_is(h, c.from, "group") && sums_too) {
			buf_chr(h->out, ':');
			put_selected(h, select);
			grouped = true;
		}
	}
	if (!grouped)
		put_select(h, select);
}

void
habits_rewrite(struct str query, struct buf *out)
{
	struct habits h = { .query = query, .out = out };
	size_t from = 0, k = 0;
	struct err err;

	while (h.query.n > 0 && (h.query.s[h.query.n - 1] == ';' || is_blank(h.query.s[h.query.n - 1])))
		h.query.n--;
	h.found = h.query.n < query.n && query.s[query.n - 1] == ';';
	if (!tokens_read(&h.ts, h.query, &err))
		return;
	habits_split(&h);
	while (from < h.n && !habits_is(&h, h.clause[from].from, "from"))
		from++;
	if (from < h.n && h.clause[from].to < h.clause[from].from + 2)
		from = h.n;
	h.found |= from < h.n;
	if (from < h.n && from > 0 && habits_is(&h, h.clause[0].from, "select")) {
		put_sql(&h, from);
		k = h.n;
	} else if (from == 0 && h.n > 0) {
		buf_str(out, habits_raw(&h, h.clause[0].from + 1));
		k = 1;
	}
	for (; k < h.n; k++)
		put_clause(&h, h.clause[k]);
	if (!h.found)
		buf_clear(out);
	tokens_free(&h.ts);
}
