/*
 * complete: what is expected at a place of a query.  The stages before that place are
 * opened over no file, so that their columns are known whatever they are.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "complete.h"

void
expect(struct place *p, const char *what)
{
	snprintf(p->c->hint, sizeof p->c->hint, "%s", what);
}

/* ---- commands ------------------------------------------------------------ */

static void
offer_commands(struct place *p, bool sources, bool others)
{
	unsigned shapes = session_shapes(p->session);
	size_t i;

	for (i = 0; commands[i] != NULL; i++)
		if ((commands[i]->kind == COMMAND_SOURCE ? sources : others) &&
		    command_leads(i, shapes))
			offer_word(p->c, commands[i]->word, commands[i]->what);
}

/* ---- columns ------------------------------------------------------------- */

void
offer_columns(struct place *p, enum cell_type type)
{
	static const char *const clocked[] = { "self", "total" };
	char what[160];
	int col;
	size_t i;

	for (i = 0; p->in != NULL && i < NELEM(clocked); i++) {
		col = rows_column(p->in, str_of(clocked[i]));
		if (col < 0 || (type != CELL_NONE && p->in->cols[col].type != type))
			continue;
		snprintf(what, sizeof what, "now %s: %s", p->in->cols[col].name,
		    p->in->cols[col].what);
		offer_word(p->c, clocked[i], what);
	}
	for (i = 0; p->in != NULL && i < p->in->ncols; i++) {
		if (type != CELL_NONE && p->in->cols[i].type != type)
			continue;
		snprintf(what, sizeof what, "%s: %s",
		    cell_type_name(p->in->cols[i].type), p->in->cols[i].what);
		offer_word(p->c, p->in->cols[i].name, what);
	}
	if (type == CELL_NONE && p->in != NULL && rows_origin(p->in)->ops->find != NULL)
		offer_fields(p->c, p->session, p->before);
}

/* A column may stand behind a sign or a parenthesis that is part of the same word. */
static void
narrow_to_name(struct place *p)
{
	struct completion *c = p->c;
	struct str word = buf_view(&c->word);
	size_t n = word.n;

	while (n > 0 && (memchr("_$.[]", word.s[n - 1], 5) != NULL ||
	    (word.s[n - 1] >= '0' && word.s[n - 1] <= '9') ||
	    ((word.s[n - 1] | 32) >= 'a' && (word.s[n - 1] | 32) <= 'z')))
		n--;
	if (n == 0)
		return;
	c->from += n;
	p->text.n = c->from;
	memmove(c->word.s, c->word.s + n, word.n - n);
	c->word.n -= n;
}

static bool
has(struct str s, const char *what)
{
	struct str w = str_of(what);

	for (; s.n >= w.n; s.s++, s.n--)
		if (str_has_prefix(s, w))
			return true;
	return false;
}

/* ---- arguments ----------------------------------------------------------- */

static void
at_column(struct place *p)
{
	narrow_to_name(p);
	expect(p, "a column");
	offer_columns(p, CELL_NONE);
}

static void
at_thread(struct place *p)
{
	expect(p, "a thread: name, tid or @id");
	offer_names(p->c, p->session, STR("threads"), "name", false);
}

static void
at_class(struct place *p)
{
	expect(p, "a class: name, glob, /regex/ or @id");
	offer_names(p->c, p->session, STR("histogram"), "name", false);
}

static void
at_format(struct place *p)
{
	size_t i;

	expect(p, "a format");
	for (i = 0; i < FORMATS; i++)
		offer_word(p->c, format_names[i], "form of the answer");
}

static void
at_pixels(struct place *p)
{
	size_t i;

	expect(p, "how pixels are to be read, as RGB_565");
	for (i = BITMAP_UNKNOWN + 1; i < BITMAP_FORMATS; i++)
		offer_word(p->c, bitmap_format_names[i], "form of pixels");
}

static void
at_kind(struct place *p)
{
	struct buf name = BUF_INIT;
	size_t i;

	expect(p, "a kind of findings");
	for (i = 0; i < FINDINGS; i++) {
		buf_clear(&name);
		name_quote(&name, str_of(finding_rows[i].name), false);
		if (!name.bad)
			offer_word(p->c, name.s, finding_rows[i].what);
	}
	buf_free(&name);
}

static void
at_command(struct place *p)
{
	expect(p, "a command");
	offer_commands(p, true, true);
}

static void
at_source(struct place *p)
{
	expect(p, "a source");
	offer_commands(p, true, false);
}

static void
at_time(struct place *p)
{
	expect(p, literal_example(CELL_TIME));
}

/* It may be left out where columns follow. */
static void
at_count(struct place *p)
{
	bool columns = has(p->form, "COLUMN");

	if (columns)
		at_column(p);
	expect(p, columns ? "a count, or a column" : "a count, as 10 or 2k");
}

static void
at_path(struct place *p)
{
	expect(p, "a new file");
}

static void
at_folder(struct place *p)
{
	expect(p, "a folder");
}

static void
at_name(struct place *p)
{
	expect(p, "a name of your own");
}

static void
at_pattern(struct place *p)
{
	expect(p, "a /regex/, or a name in which * stands for anything");
	offer_names(p->c, p->session, STR("methods"), "method", true);
}

static void
at_event(struct place *p)
{
	expect(p, "an event of the profile");
	offer_names(p->c, p->session, STR("events"), "name", true);
}

/* What the capitals in the arguments of a command stand for. */
static const struct {
	const char	*word;
	void		(*offer)(struct place *);
} kinds[] = {
	{ "CONDITION", expect_condition }, { "COLUMN", at_column }, { "THREAD", at_thread },
	{ "CLASS", at_class }, { "FORMAT", at_format }, { "COMMAND", at_command }, { "SOURCE", at_source },
	{ "TIME", at_time }, { "DURATION", at_time }, { "COUNT", at_count },
	{ "PATTERN", at_pattern }, { "EVENT", at_event }, { "FROM", at_time }, { "TO", at_time },
	{ "PATH", at_path }, { "DIR", at_folder }, { "PIXELS", at_pixels }, { "KIND", at_kind }, { "NAME", at_name },
};

static bool
is_letter(char c, char first)
{
	return c >= first && c < first + 26;
}

/* The next word of letters in the arguments of a command; false at the end. */
static bool
next_word(struct str *rest, struct str *word)
{
	size_t n;

	for (; rest->n > 0 && !is_letter(rest->s[0], 'A') && !is_letter(rest->s[0], 'a');
	    rest->n--)
		rest->s++;
	for (n = 0; n < rest->n && (is_letter(rest->s[n], 'A') || is_letter(rest->s[n], 'a'));
	    n++)
		;
	*word = (struct str){ rest->s, n };
	rest->s += n;
	rest->n -= n;
	return n > 0;
}

/*
 * The capitals that stand for the argument at the end: those behind a keyword
 * when the argument before it is that, else those of its place.  A | in front
 * of a word makes it another form of the one before.
 */
static struct str
expected_kind(struct place *p)
{
	const struct token *last = p->nargs > 0 ? &p->arg[p->nargs - 1] : NULL;
	bool repeats = has(p->form, "...") || has(p->form, "CONDITION");
	bool keyword = false, named = false, hit;
	struct str rest = p->form, word, kind = { NULL, 0 };
	size_t at = 0;

	for (; next_word(&rest, &word); keyword = is_letter(word.s[0], 'a')) {
		if (is_letter(word.s[0], 'a')) {
			hit = last != NULL && last->kind == TOKEN_WORD &&
			    str_eq(last->text, word);
			named = hit || (named && word.s[-1] == '|');
			continue;
		}
		if (keyword && named) {
			p->after_keyword = true;
			return word;
		}
		if (keyword || (word.s > p->form.s && word.s[-1] == '|'))
			continue;
		if (at == p->nargs || (at < p->nargs && repeats))
			kind = word;
		at++;
	}
	return kind;
}

static void
offer_keywords(struct place *p)
{
	struct str rest = p->form, word;
	char text[32];

	while (next_word(&rest, &word)) {
		if (!is_letter(word.s[0], 'a'))
			continue;
		snprintf(text, sizeof text, "%.*s", (int)word.n, word.s);
		offer_word(p->c, text, p->command->args);
	}
}

static void
offer_kind(struct place *p, struct str kind)
{
	size_t i;

	for (i = 0; i < NELEM(kinds); i++)
		if (str_eq(kind, str_of(kinds[i].word))) {
			kinds[i].offer(p);
			return;
		}
	if (kind.n > 0 || p->nargs == 0 || has(p->form, "|"))
		expect(p, p->command->args);
}

/* What stands behind a colon has a form of its own. */
static void
read_form(struct place *p)
{
	struct str args = str_of(p->command->args), after;
	size_t i = p->nargs;

	after = args;
	if (!str_split(&after, ':', &p->form) || p->form.n == args.n)
		return;
	while (i > 0 && memchr(p->arg[i - 1].text.s, ':', p->arg[i - 1].text.n) == NULL)
		i--;
	if (i > 0) {
		p->form = after;
		p->arg += i;
		p->nargs -= i;
	} else if (p->nargs > 0)
		offer_word(p->c, ":", p->command->args);
}

static void
at_argument(struct place *p)
{
	struct str kind;

	read_form(p);
	kind = expected_kind(p);
	offer_kind(p, kind);
	if (!p->after_keyword && (p->nargs > 0 || kind.n == 0))
		offer_keywords(p);
}

/* ---- the place ----------------------------------------------------------- */

/* A quoted text that has no end yet is the word typed. */
static bool
read_open_text(struct place *p, size_t at)
{
	struct buf closed = BUF_INIT;
	struct tokens tokens;
	struct err err;
	bool ok;

	if (p->text.s[at] == '/') {
		expect(p, "a regex, ended by / or by /i for either case");
		return false;
	}
	buf_str(&closed, p->text);
	buf_chr(&closed, p->text.s[at]);
	ok = !closed.bad && tokens_read(&tokens, buf_view(&closed), &err);
	buf_free(&closed);
	if (!ok)
		return false;
	buf_str(&p->c->word, tokens.token[tokens.n - 1].text);
	tokens_free(&tokens);
	p->c->from = at;
	p->text.n = at;
	return tokens_read(&p->tokens, p->text, &err);
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
ends_word(char c)
{
	return c == '\0' || strchr(" \t\n\r|(),=!<>~'\"", c) != NULL;
}

/* Takes what touches the cursor as the word typed; false: nothing can be said. */
static bool
read_place(struct place *p, struct str query, size_t point)
{
	struct completion *c = p->c;
	struct token *last;
	struct err err = { .at = ERR_NOWHERE };

	p->text = (struct str){ query.s, point };
	c->from = c->to = point;
	if (!tokens_read(&p->tokens, p->text, &err)) {
		if (err.at >= point || !read_open_text(p, (size_t)err.at))
			return false;
		if (point < query.n && query.s[point] == query.s[c->from])
			c->to++;
		return true;
	}
	last = p->tokens.n > 0 ? &p->tokens.token[p->tokens.n - 1] : NULL;
	if (last == NULL || last->kind != TOKEN_WORD || last->at + last->text.n != point)
		return last == NULL || is_space(query.s[point - 1]) ||
		    (last->kind != TOKEN_TEXT && last->kind != TOKEN_REGEX);
	buf_str(&c->word, last->text);
	c->from = p->text.n = last->at;
	p->tokens.n--;
	while (c->to < query.n && !ends_word(query.s[c->to]))
		c->to++;
	return true;
}

/* The tokens of the last stage go to p->arg, what precedes them is its input. */
static void
at_place(struct place *p)
{
	struct session nothing = { .clock = p->session->clock };
	unsigned shapes = session_shapes(p->session);
	const struct token *token = p->tokens.token;
	size_t first = p->tokens.n, source = 0;
	struct query *q = NULL;
	struct rows *rows = NULL;
	struct err err;

	while (first > 0 && token[first - 1].kind != TOKEN_PIPE)
		first--;
	while (source < p->tokens.n && token[source].kind != TOKEN_PIPE)
		source++;
	p->c->first = p->tokens.n == 0;
	if (first == p->tokens.n) {
		expect(p, first == 0 ? "a source" : "a stage");
		offer_commands(p, first == 0, first > 0);
		return;
	}
	p->source = (struct str){ p->text.s,
	    source < p->tokens.n ? token[source].at : p->text.n };
	p->command = command_find(token[first].text, first == 0, shapes);
	p->arg = &token[first + 1];
	p->nargs = p->tokens.n - first - 1;
	if (p->command == NULL)
		return;
	if (first > 0)
		p->before = (struct str){ p->text.s, token[first - 1].at };
	if (first > 0 && query_parse(&q, p->before, &err) &&
	    query_rows(q, &nothing, shapes, &rows, &err))
		p->in = rows;
	at_argument(p);
	rows_close(rows);
	query_free(q);
}

/* Where the query could end it could go on as well. */
static void
offer_pipe(struct place *p)
{
	struct completion *c = p->c;
	struct query *q;
	struct err err;

	if (c->word.n > 0 || p->tokens.n == 0 || !query_parse(&q, p->text, &err))
		return;
	query_free(q);
	offer_word(c, "|", "then a stage: other rows from these");
	if (c->hint[0] == '\0')
		expect(p, "| and a stage, or the end");
}

/* What is typed as a whole is explained instead. */
static void
explain(struct completion *c)
{
	size_t i;

	for (i = 0; c->word.n > 0 && i < c->n; i++)
		if (str_eq(buf_view(&c->word), str_of(c->item[i].text)))
			break;
	if (c->word.n > 0)
		snprintf(c->hint, sizeof c->hint, "%s", i < c->n ? c->item[i].what : "");
}

void
completion_begin(struct completion *c, struct str query, size_t point,
    struct session *session)
{
	struct place p = { .c = c, .session = session };

	memset(c, 0, sizeof *c);
	if (read_place(&p, query, point < query.n ? point : query.n)) {
		at_place(&p);
		offer_pipe(&p);
	}
	explain(c);
	tokens_free(&p.tokens);
}
