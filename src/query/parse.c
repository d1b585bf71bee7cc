/*
 * parse: from the text of a query to its stages, checked as far as that is
 * possible without a file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "fields.h"

/* Each stage is a call in a call when rows are read. */
#define STAGES_MAX 64

struct query {
	struct str	 text;
	char		*bytes;		/* what text and the tokens point to */
	struct tokens	 tokens;
	struct stage	 stage[STAGES_MAX];
	size_t		 nstages;
};

/* ---- commands ------------------------------------------------------------ */

unsigned
session_shapes(const struct session *session)
{
	const struct store *st = session_store(session);

	return st == NULL ? 0 : load_shapes(st);
}

bool
command_fits(const struct command *c, unsigned shapes)
{
	return c->shapes == 0 || shapes == 0 || (c->shapes & shapes) != 0;
}

/*
 * A source and a stage can have the same word, and so can commands for
 * different files: the place and the file tell which one is meant.
 */
const struct command *
command_find(struct str word, bool source, unsigned shapes)
{
	const struct command *found = NULL;
	unsigned good, best = 0;
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!str_eq(word, str_of(commands[i]->word)))
			continue;
		good = 1 + command_fits(commands[i], shapes) +
		    2 * ((commands[i]->kind == COMMAND_SOURCE) == source);
		if (good <= best)
			continue;
		found = commands[i];
		best = good;
	}
	return found;
}

bool
command_leads(size_t i, unsigned shapes)
{
	const struct command *c = commands[i];
	size_t k;

	for (k = 0; k < i; k++)
		if (strcmp(commands[k]->word, c->word) == 0 &&
		    (commands[k]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    command_fits(commands[k], shapes))
			return false;
	return command_fits(c, shapes);
}

/* The same stage with the command that its word means for such files. */
static struct stage
stage_for(const struct query *q, size_t i, unsigned shapes)
{
	struct stage s = q->stage[i];

	s.command = command_find(str_of(s.command->word), i == 0, shapes);
	return s;
}

static const char *
shape_name(unsigned shapes)
{
	return shapes & SHAPE_GRAPH ? "heap dumps" :
	    shapes & (SHAPE_CALLS | SHAPE_INTERVALS) ? "traces" : "other files";
}

/* What can begin a query over such a file. */
static void
list_sources(struct buf *b, unsigned shapes)
{
	const char *between = " there are ";
	size_t i;

	buf_printf(b, "; in %s", shape_name(shapes));
	for (i = 0; commands[i] != NULL; i++) {
		if (commands[i]->kind != COMMAND_SOURCE || commands[i]->no_file ||
		    !command_fits(commands[i], shapes))
			continue;
		buf_printf(b, "%s%s", between, commands[i]->word);
		between = ", ";
	}
}

/* Fails when the command is for other files than those of these shapes. */
static bool
check_fit(const struct stage *s, unsigned shapes, struct err *err)
{
	const struct command *c = s->command;
	struct buf what = BUF_INIT;

	if (command_fits(c, shapes))
		return true;
	if (c->kind == COMMAND_SOURCE)
		list_sources(&what, shapes);
	else
		buf_printf(&what, ", not for %s", shape_name(shapes));
	fail_at(err, E_USAGE, s->at, "'%s' is for %s%s", c->word, shape_name(c->shapes),
	    what.bad ? "" : what.s);
	buf_free(&what);
	return false;
}

static bool
fail_command(const struct token *t, bool first, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE) == first && command_leads(i, 0))
			guess_try(&guess, commands[i]->word);
	return fail_at(err, E_USAGE, t->at, "there is no %s '%.*s'%s",
	    first ? "source" : "stage", (int)t->text.n, t->text.s,
	    guess_text(&guess, text, sizeof text));
}

/* The command that a word names; first: it stands at the beginning of the query. */
static bool
parse_command(const struct token *t, bool first, const struct command **command,
    struct err *err)
{
	const struct command *c;

	if (t->kind != TOKEN_WORD)
		return fail_at(err, E_USAGE, t->at, "expected a command here");
	c = command_find(t->text, first, 0);
	if (c == NULL)
		return fail_command(t, first, err);
	if (first && c->kind != COMMAND_SOURCE)
		return fail_at(err, E_USAGE, t->at,
		    "'%s' takes rows: begin with a source, as in '%s'", c->word,
		    c->example);
	if (!first && c->kind == COMMAND_SOURCE)
		return fail_at(err, E_USAGE, t->at,
		    "'%s' is a source: it can only begin a query", c->word);
	*command = c;
	return true;
}

/* One stage from token i on; *next is its pipe or the end. */
static bool
parse_stage(struct query *q, size_t i, size_t *next, struct err *err)
{
	const struct tokens *ts = &q->tokens;
	struct stage *s = &q->stage[q->nstages];
	size_t end = i;

	if (q->nstages == STAGES_MAX)
		return fail_at(err, E_USAGE, ts->token[i].at,
		    "a query has at most %d stages", STAGES_MAX);
	while (end < ts->n && ts->token[end].kind != TOKEN_PIPE)
		end++;
	if (end == i)
		return fail_at(err, E_USAGE,
		    i < ts->n ? ts->token[i].at : q->text.n,
		    "expected a %s here", q->nstages == 0 ? "source" : "stage");
	if (!parse_command(&ts->token[i], q->nstages == 0, &s->command, err))
		return false;
	s->token = &ts->token[i + 1];
	s->n = end - i - 1;
	s->at = ts->token[i].at;
	s->end = end < ts->n ? ts->token[end].at : q->text.n;
	if (q->nstages > 0 && s[-1].command->kind == COMMAND_SINK)
		return fail_at(err, E_USAGE, s->at,
		    "'%s' ends a query: no stage can follow it",
		    s[-1].command->word);
	q->nstages++;
	*next = end;
	return true;
}

static bool
parse_stages(struct query *q, struct err *err)
{
	size_t i = 0;

	for (;;) {
		if (!parse_stage(q, i, &i, err))
			return false;
		if (i == q->tokens.n)
			return true;
		i++;
	}
}

bool
query_rows(const struct query *q, struct session *session, unsigned shapes,
    struct rows **out, struct err *err)
{
	struct rows *rows = NULL;
	struct stage s;
	size_t i;

	for (i = 0; i < q->nstages; i++) {
		s = stage_for(q, i, shapes);
		if (!check_fit(&s, shapes, err)) {
			rows_close(rows);
			return false;
		}
		if (!s.command->open(session, &s, rows, &rows, err))
			return false;
		if ((s.command->shapes & SHAPE_GRAPH) != 0 && !fields_over(session, &s, rows, &rows, err))
			return false;
		/* Columns may have been made for its arguments. */
		if (rows->same) {
			rows->cols = rows->in->cols;
			rows->ncols = rows->in->ncols;
		}
	}
	*out = rows;
	return true;
}

/*
 * A query is checked by opening it over no file: every command looks at its
 * arguments and at the columns it gets when it is opened, and at rows only
 * when it is asked for some.
 */
static bool
check_for(const struct query *q, unsigned shapes, struct err *err)
{
	struct session nothing = { .nstores = 0 };
	struct rows *rows;

	if (!query_rows(q, &nothing, shapes, &rows, err))
		return false;
	rows_close(rows);
	return true;
}

static bool
words_fit(const struct query *q, unsigned shapes)
{
	size_t i;

	for (i = 0; i < q->nstages; i++)
		if (!command_fits(stage_for(q, i, shapes).command, shapes))
			return false;
	return true;
}

/*
 * It must be right for files of one kind.  Of the mistakes that counts which is
 * made with words for one kind, and then the one that is farthest behind.
 */
static bool
query_check(const struct query *q, struct err *err)
{
	struct err one = { .at = ERR_NOWHERE };
	bool fit, best = false;
	size_t i;

	for (i = 0; loaders[i] != NULL; i++) {
		if (check_for(q, loaders[i]->shapes, &one))
			return true;
		fit = words_fit(q, loaders[i]->shapes);
		if (i > 0 && (fit < best || (fit == best && one.at <= err->at)))
			continue;
		*err = one;
		best = fit;
	}
	return false;
}

bool
query_parse(struct query **out, struct str text, struct err *err)
{
	struct query *q = mem_array(1, sizeof *q);

	if (q != NULL)
		q->bytes = mem_array(text.n + 1, 1);
	if (q == NULL || q->bytes == NULL) {
		query_free(q);
		return fail(err, E_SYSTEM, "no memory for the query");
	}
	if (text.n > 0)
		memcpy(q->bytes, text.s, text.n);
	q->text = (struct str){ q->bytes, text.n };
	if (!tokens_read(&q->tokens, q->text, err) || !parse_stages(q, err) ||
	    !query_check(q, err)) {
		query_free(q);
		return false;
	}
	*out = q;
	return true;
}

void
query_free(struct query *q)
{
	if (q == NULL)
		return;
	tokens_free(&q->tokens);
	free(q->bytes);
	free(q);
}

bool
query_writes(const struct query *q)
{
	return q->stage[q->nstages - 1].command->writes;
}

/* ---- running ------------------------------------------------------------- */

static bool
has_files(const struct query *q, const struct session *session)
{
	return session->nstores > 0 || q->stage[0].command->no_file;
}

/* The column that a need of a command stands for. */
static const char *
need_column(const char *need, const struct session *session, char to[HEAP_COLUMN])
{
	return heap_column(to, need, session->refs, session->sizes);
}

/* Goes through what the commands need; the first column that is not there, or NULL. */
static const char *
missing_need(const struct query *q, const struct session *session, char to[HEAP_COLUMN])
{
	unsigned shapes = session_shapes(session);
	const char *const *need;
	const char *column;
	struct stage s;
	size_t i;

	for (i = 0; i < q->nstages && session->nstores > 0; i++) {
		s = stage_for(q, i, shapes);
		if (!command_fits(s.command, shapes))
			return NULL;
		for (need = s.command->needs; need != NULL && *need != NULL; need++) {
			column = need_column(*need, session, to);
			if (store_column(session_store(session), column) == NULL)
				return column;
		}
	}
	return NULL;
}

bool
query_ready(const struct query *q, const struct session *session)
{
	char column[HEAP_COLUMN];

	return has_files(q, session) && missing_need(q, session, column) == NULL;
}

bool
query_fits(const struct query *q, const struct session *session, struct err *err)
{
	return check_for(q, session_shapes(session), err);
}

bool
query_prepare(const struct query *q, struct session *session, struct work *work,
    struct err *err)
{
	char column[HEAP_COLUMN];
	const char *need;

	if (!has_files(q, session))
		return fail(err, E_USAGE, "no file is open");
	if (!query_fits(q, session, err))
		return false;
	while ((need = missing_need(q, session, column)) != NULL)
		if (!pass_want(session_store(session), need, work, err))
			return false;
	return true;
}

bool
query_open(const struct query *q, struct session *session, struct rows **out,
    struct err *err)
{
	if (!query_ready(q, session))
		return fail(err, E_USAGE,
		    "the file is not indexed yet; try again when it is");
	return query_rows(q, session, session_shapes(session), out, err);
}
