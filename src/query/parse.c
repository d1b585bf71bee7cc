/*
 * parse: from the text of a query to its stages, checked as far as that is
 * possible without a file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "stage.h"

/* Each stage is a call in a call when rows are read. */
#define STAGES_MAX 64

struct query {
	struct str	 text;
	char		*bytes;		/* what text and the tokens point to */
	struct tokens	 tokens;
	struct stage	 stage[STAGES_MAX];
	size_t		 nstages;
};

/* A source and a stage can have the same word: the place tells which one is meant. */
const struct command *
command_find(struct str word, bool source)
{
	const struct command *found = NULL;
	size_t i;

	for (i = 0; commands[i] != NULL; i++) {
		if (!str_eq(word, str_of(commands[i]->word)))
			continue;
		found = commands[i];
		if ((found->kind == COMMAND_SOURCE) == source)
			break;
	}
	return found;
}

static bool
fail_command(const struct token *t, bool first, struct err *err)
{
	struct guess guess = guess_of(t->text);
	char text[GUESS_TEXT];
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE) == first)
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
	c = command_find(t->text, first);
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
query_rows(const struct query *q, struct session *session, struct rows **out,
    struct err *err)
{
	struct rows *rows = NULL;
	size_t i;

	for (i = 0; i < q->nstages; i++)
		if (!q->stage[i].command->open(session, &q->stage[i], rows,
		    &rows, err))
			return false;
	*out = rows;
	return true;
}

/*
 * A query is checked by opening it over no file: every command looks at its
 * arguments and at the columns it gets when it is opened, and at rows only
 * when it is asked for some.
 */
static bool
query_check(const struct query *q, struct err *err)
{
	struct session nothing = { .nstores = 0 };
	struct rows *rows;

	if (!query_rows(q, &nothing, &rows, err))
		return false;
	rows_close(rows);
	return true;
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

static bool
needs_met(const struct query *q, const struct session *session)
{
	const char *const *need;
	size_t i;

	if (session->nstores == 0)
		return true;
	for (i = 0; i < q->nstages; i++) {
		need = q->stage[i].command->needs;
		for (; need != NULL && *need != NULL; need++)
			if (store_column(session->store[0], *need) == NULL)
				return false;
	}
	return true;
}

bool
query_ready(const struct query *q, const struct session *session)
{
	return has_files(q, session) && needs_met(q, session);
}

bool
query_prepare(const struct query *q, struct session *session, struct work *work,
    struct err *err)
{
	const char *const *need;
	size_t i;

	if (!has_files(q, session))
		return fail(err, E_USAGE, "no file is open");
	for (i = 0; i < q->nstages && session->nstores > 0; i++) {
		need = q->stage[i].command->needs;
		for (; need != NULL && *need != NULL; need++)
			if (!pass_want(session->store[0], *need, work, err))
				return false;
	}
	return true;
}

bool
query_open(const struct query *q, struct session *session, struct rows **out,
    struct err *err)
{
	if (!query_ready(q, session))
		return fail(err, E_USAGE,
		    "the file is not indexed yet; try again when it is");
	return query_rows(q, session, out, err);
}
