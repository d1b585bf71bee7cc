/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tool_help: the query language for newcomers; for one word, the help of the language itself.
 */
#include "config.h"

#include "mcp.h"

#define LINE_WIDTH 100u

static const char grammar[] =
    "A query is a source and stages: SOURCE [ARGUMENT ...] | STAGE | STAGE ...\n"
    "  classes | top 10 retained\n"
    "  objects java.util.HashMap | where retained > 1MiB | select id retained\n"
    "  methods | top 20 self\n"
    "  calls | where method ~ /decode/ | group thread: sum self\n"
    "Conditions: = != < <= > >=, ~ /regex/, !~, in (...), and, or, not, parentheses.\n"
    "Numbers take units: 10k, 4MiB, 2ms, 5%.  Put names with blanks in quotes.\n"
    "sort -COLUMN puts the largest first.  Hidden columns are shown only if you select them.\n"
    "@12 is object number 12 of a heap dump; 0x7f001230 is the object at that address.\n"
    "To list the arguments and columns of a command, call help with its word.\n"
    "To list only the commands that work on a file, call help with the file.\n";

static bool
tool_help_fits(const struct command *c, enum command_kind kind, unsigned shapes)
{
	return c->kind == kind && command_fits(c, shapes);
}

/* A command of that word precedes it. */
static bool
is_listed(size_t i, enum command_kind kind, unsigned shapes)
{
	for (size_t k = 0; k < i; k++)
		if (tool_help_fits(commands[k], kind, shapes) &&
		    strcmp(commands[k]->word, commands[i]->word) == 0)
			return true;
	return false;
}

/* "sources: calls, classes, ..." of those that fit the shapes, broken into lines. */
static void
put_words(struct buf *b, const char *title, enum command_kind kind, unsigned shapes)
{
	size_t line = b->n, words = 0;
	const struct command *c;

	buf_printf(b, "%s:", title);
	for (size_t i = 0; (c = commands[i]) != NULL; i++) {
		if (!tool_help_fits(c, kind, shapes) || is_listed(i, kind, shapes))
			continue;
		if (words++ > 0)
			buf_chr(b, ',');
		if (b->n - line + strlen(c->word) + 2 > LINE_WIDTH) {
			line = b->n + 1;
			buf_str(b, STR("\n "));
		}
		buf_printf(b, " %s", c->word);
	}
	buf_chr(b, '\n');
}

/* "column retained (size): bytes freed if ..." */
static void
put_topic(struct buf *b, struct rows *rows, uint64_t row)
{
	static const char *const names[] = { "kind", "item", "type", "meaning" };
	struct cell c;
	int col;

	for (size_t i = 0; i < NELEM(names); i++) {
		col = rows_column(rows, str_of(names[i]));
		if (col < 0)
			continue;
		rows_cell(rows, row, (size_t)col, &c);
		if (c.type != CELL_TEXT || c.text.n == 0)
			continue;
		buf_str(b, i == 0 ? STR("") : i == 3 ? STR(": ") : i == 2 ? STR(" (") : STR(" "));
		text_fit_buf(b, c.text);
		buf_str(b, i == 2 ? STR(")") : STR(""));
	}
	buf_chr(b, '\n');
}

static bool
put_word(struct call *c, struct session *session, struct work *w, struct err *err)
{
	size_t most = (size_t)c->o->budget - 300, before;
	struct buf text = BUF_INIT;
	struct reply a = { .query = NULL };
	bool ok;

	buf_str(&text, STR("help "));
	buf_str(&text, c->text[CALL_WORD]);
	ok = !text.bad && query_ask(&a, buf_view(&text), ASK_ROWS, session, w, err);
	for (uint64_t row = 0; ok && rows_reach(a.rows, row + 1) > row; row++) {
		before = c->out.n;
		put_topic(&c->out, a.rows, row);
		if (text_json_size(buf_view(&c->out)) > most) {
			c->out.n = before;
			break;
		}
	}
	reply_close(&a);
	buf_free(&text);
	return ok;
}

/* Return whether the text is a single word: it becomes part of a query of ours. */
static bool
tool_help_is_word(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)((s.s[i] | 32) - 'a') >= 26 && !is_digit(s.s[i]) && s.s[i] != '_' &&
		    s.s[i] != '!')
			return false;
	return s.n > 0;
}

bool
tool_help(struct call *c, struct work *w, struct err *err)
{
	struct session none = c->o->session, *session = &none;
	struct opened *f = NULL;
	unsigned shapes;

	if (c->text[CALL_FILE].s != NULL) {
		if (!files_open(c, 1, &f, w, err))
			return false;
		session = &f->session;
	}
	if (c->text[CALL_WORD].s != NULL)
		return (tool_help_is_word(c->text[CALL_WORD]) ||
		    fail(err, E_USAGE, "word must be one word of the query "
		    "language; without it, help lists all words")) &&
		    put_word(c, session, w, err);
	shapes = f != NULL ? load_shapes(session_store(session)) : 0;
	buf_str(&c->out, str_of(grammar));
	put_words(&c->out, "Sources", COMMAND_SOURCE, shapes);
	put_words(&c->out, "Stages", COMMAND_STAGE, shapes);
	return true;
}
