/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lex: splits a query into tokens.
 *
 * The same rules hold in every command, so a piece of text means the same everywhere.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lang.h"

#define QUERY_MAX (1u << 20)	/* bytes of a query */

struct lexer {
	struct str	 text;
	size_t		 at;
	struct tokens	*out;
	size_t		 plain;		/* bytes used of out->plain */
};

static bool
lex_is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool
lex_is_word(char c)
{
	return !lex_is_space(c) && !is_one_of(c, "|(),=!<>~'\"");
}

static bool
token_add(struct lexer *lx, enum token_kind kind, struct str text, size_t at,
    struct err *err)
{
	struct tokens *out = lx->out;
	struct token *t;

	if (!mem_grow(&out->token, &out->cap, out->n + 1, sizeof *out->token))
		return fail(err, E_SYSTEM, "out of memory (query)");
	t = &out->token[out->n++];
	*t = (struct token){ .text = text, .at = (uint32_t)at, .kind = kind };
	return true;
}

/* Parse an escape in a quoted text, after its backslash. */
static bool
lex_escape(struct lexer *lx, char *byte, struct err *err)
{
	size_t left = lx->text.n - lx->at;
	static const char letters[] = "tnr\\'\"", bytes[] = "\t\n\r\\'\"";
	const char *s = lx->text.s + lx->at, *letter;
	uint64_t value;

	if (left == 0)
		return fail_at(err, E_USAGE, lx->at - 1,
		    "query ends after '\\'");
	lx->at++;
	letter = memchr(letters, s[0], sizeof letters - 1);
	if (letter != NULL) {
		*byte = bytes[letter - letters];
		return true;
	}
	if (s[0] == 'x' && left > 2 && num_u64((struct str){ s + 1, 2 }, 16, &value)) {
		*byte = (char)value;
		lx->at += 2;
		return true;
	}
	return fail_at(err, E_USAGE, lx->at - 2,
	    "unknown escape; use \\\\ \\' \\\" \\t \\n"
	    " \\r \\xHH");
}

static bool
lex_text(struct lexer *lx, struct err *err)
{
	size_t at = lx->at, from = lx->plain;
	char quote = lx->text.s[lx->at++], byte;

	for (;;) {
		if (lx->at == lx->text.n)
			return fail_at(err, E_USAGE, at,
			    "missing closing %c", quote);
		byte = lx->text.s[lx->at++];
		if (byte == quote)
			break;
		if (byte == '\\' && !lex_escape(lx, &byte, err))
			return false;
		lx->out->plain[lx->plain++] = byte;
	}
	return token_add(lx, TOKEN_TEXT,
	    (struct str){ lx->out->plain + from, lx->plain - from }, at, err);
}

/* "\/" is a slash; every other escape is left to the regex library. */
static bool
lex_regex(struct lexer *lx, struct err *err)
{
	size_t at = lx->at++, from = lx->plain;
	char byte;

	for (;;) {
		if (lx->at == lx->text.n)
			return fail_at(err, E_USAGE, at,
			    "missing closing / of the regex");
		byte = lx->text.s[lx->at++];
		if (byte == '/')
			break;
		if (byte == '\\' && lx->at < lx->text.n) {
			if (lx->text.s[lx->at] != '/')
				lx->out->plain[lx->plain++] = byte;
			byte = lx->text.s[lx->at++];
		}
		lx->out->plain[lx->plain++] = byte;
	}
	if (!token_add(lx, TOKEN_REGEX,
	    (struct str){ lx->out->plain + from, lx->plain - from }, at, err))
		return false;
	if (lx->at < lx->text.n && lx->text.s[lx->at] == 'i') {
		lx->out->token[lx->out->n - 1].nocase = true;
		lx->at++;
	}
	if (lx->at < lx->text.n && lex_is_word(lx->text.s[lx->at]))
		return fail_at(err, E_USAGE, lx->at,
		    "unknown regex flag; only i (ignore case)");
	return true;
}

static bool
lex_operator(struct lexer *lx, struct err *err)
{
	static const char *const ops[] = {
		"!=", "<=", ">=", "!~", "==", "<>", "=", "<", ">", "~"
	};
	/* Meaning of operators of other languages. */
	static const char *const means[NELEM(ops)] = { [4] = "=", [5] = "!=" };
	struct str rest = { lx->text.s + lx->at, lx->text.n - lx->at };
	size_t at = lx->at;

	for (size_t i = 0; i < NELEM(ops); i++) {
		if (!str_has_prefix(rest, str_of(ops[i])))
			continue;
		lx->at += strlen(ops[i]);
		return token_add(lx, TOKEN_OP, str_of(means[i] != NULL ? means[i] : ops[i]), at, err);
	}
	return fail_at(err, E_USAGE, at, "'!' alone means nothing; %s", hint_of(STR("!")));
}

static bool
begins_stage(const struct tokens *out)
{
	return out->n == 0 || out->token[out->n - 1].kind == TOKEN_PIPE;
}

/* The name of a command can end with !, as in export! */
static bool
ends_command(const struct lexer *lx)
{
	size_t at = lx->at;

	return begins_stage(lx->out) && at < lx->text.n && lx->text.s[at] == '!' &&
	    (at + 1 == lx->text.n || lex_is_space(lx->text.s[at + 1]));
}

/* ---- "16 ms" ---------------------------------------------------------------- */

/* Match units and what looks like a unit: otherwise its number would be parsed as a value of its own. */
static bool
is_unit(struct str s)
{
	static const char *const units[] = {
		"ns", "us", "\xc2\xb5s", "\xce\xbcs", "ms", "s", "sec", "min", "h", "B", "k", "K", "kB", "KB",
		"KiB", "M", "MB", "MiB", "m",
		"g", "G", "GB", "GiB", "T", "TB", "TiB", "secs", "second", "seconds", "msec", "usec", "nsec",
		"mins", "minute", "minutes",
		"hr", "hour", "hours", "d", "day", "days", "bytes"
	};

	return str_is_one(units, NELEM(units), s);
}

/* Match "in", also in capitals, as conditions do. */
static bool
is_in(const struct token *t)
{
	return t->kind == TOKEN_WORD && str_eq_nocase(t->text, STR("in"));
}

/* Token i is in a list after "in". */
static bool
lex_is_listed(const struct tokens *out, size_t i)
{
	while (i > 0 && (out->token[i - 1].kind == TOKEN_COMMA || out->token[i - 1].kind == TOKEN_WORD) &&
	    !is_in(&out->token[i - 1]))
		i--;
	return i > 1 && out->token[i - 1].kind == TOKEN_OPEN && is_in(&out->token[i - 2]);
}

/* The last token is a number where only a value is possible, so a word of letters after it is its unit. */
static bool
wants_unit(const struct tokens *out)
{
	static const char *const before[] = { "by", "split", "range", "from", "to", "min" };
	const struct token *t = out->n > 1 ? &out->token[out->n - 1] : NULL;
	double number;

	if (t == NULL || t->kind != TOKEN_WORD || !is_digit(t->text.s[t->text.n - 1]) ||
	    !num_f64(t->text, &number))
		return false;
	for (size_t i = 0; i < NELEM(before); i++)
		if (token_is(&t[-1], before[i]))
			return true;
	return t[-1].kind == TOKEN_OP || lex_is_listed(out, out->n - 1) ||
	    (out->n > 3 && token_is(&t[-2], "range"));
}

/* Join the unit that was read last to its number. */
static void
join_unit(struct lexer *lx)
{
	struct token *unit = &lx->out->token[--lx->out->n], *number = unit - 1;
	char *to = lx->out->plain + lx->plain;

	memcpy(to, number->text.s, number->text.n);
	memcpy(to + number->text.n, unit->text.s, unit->text.n);
	number->text = (struct str){ to, number->text.n + unit->text.n };
	lx->plain += number->text.n;
}

static bool
lex_word(struct lexer *lx, struct err *err)
{
	size_t at = lx->at;

	bool first = begins_stage(lx->out), unit = wants_unit(lx->out);

	while (lx->at < lx->text.n && lex_is_word(lx->text.s[lx->at]) &&
	    !((first || unit) && lx->text.s[lx->at] == ':' && lx->at > at))
		lx->at++;
	lx->at += ends_command(lx);
	if (!token_add(lx, TOKEN_WORD, (struct str){ lx->text.s + at, lx->at - at }, at, err))
		return false;
	if (unit && is_unit(lx->out->token[lx->out->n - 1].text))
		join_unit(lx);
	return true;
}

/* A query may begin after that token. */
static bool
lex_opens_query(const struct tokens *out, size_t i)
{
	return i > 0 && out->token[i].kind == TOKEN_OPEN && (is_in(&out->token[i - 1]) ||
	    token_is(&out->token[i - 1], "union"));
}

/* The present stage has arguments that can be regexes. */
static bool
takes_regexes(const struct tokens *out)
{
	const struct command *c;
	size_t i = out->n;

	while (i > 0 && out->token[i - 1].kind != TOKEN_PIPE && !lex_opens_query(out, i - 1)) {
		i--;
		/* Skip parentheses: their tokens do not belong to the stage around them. */
		for (size_t depth = out->token[i].kind == TOKEN_CLOSE; depth > 0 && i > 0;) {
			i--;
			depth += out->token[i].kind == TOKEN_CLOSE;
			depth -= out->token[i].kind == TOKEN_OPEN;
		}
	}
	if (i == out->n)
		return false;
	c = command_find(out->token[i].text, i == 0 || out->token[i - 1].kind == TOKEN_OPEN, 0);
	for (const struct arg *a = c == NULL ? NULL : c->args; a != NULL && !arg_is_end(a); a++)
		if (a->type != NULL && a->type->regex)
			return true;
	return false;
}

/*
 * A slash begins a regex only behind ~ or !~ and where an argument can be one, so that paths and
 * names with slashes need no quotes.
 */
static bool
wants_regex(const struct tokens *out)
{
	const struct token *last = out->n > 0 ? &out->token[out->n - 1] : NULL;

	return last != NULL && ((last->kind == TOKEN_OP &&
	    last->text.s[last->text.n - 1] == '~') || takes_regexes(out));
}

/* The last token is a command that takes a path. */
static bool
wants_path(const struct tokens *out)
{
	const struct command *c = out->n > 1 && out->token[out->n - 2].kind == TOKEN_PIPE ?
	    command_find(out->token[out->n - 1].text, false, 0) : NULL;

	return c != NULL && c->args != NULL && (c->args->type == &arg_path || c->args->type == &arg_folder);
}

static bool
lex_token(struct lexer *lx, struct err *err)
{
	static const char marks[] = "|,()";
	static const enum token_kind kinds[] = { TOKEN_PIPE, TOKEN_COMMA, TOKEN_OPEN, TOKEN_CLOSE };
	const char *s = lx->text.s + lx->at, *mark = memchr(marks, *s, sizeof marks - 1);

	if (mark != NULL)
		return token_add(lx, kinds[mark - marks], (struct str){ s, 1 }, lx->at++, err);
	if (*s == '\'' || *s == '"')
		return lex_text(lx, err);
	if (*s == '/' && wants_regex(lx->out))
		return lex_regex(lx, err);
	if (*s == '~' && wants_path(lx->out))
		return fail_at(err, E_USAGE, lx->at, "'~' is not expanded here; write the whole path");
	return lex_is_word(*s) ? lex_word(lx, err) : lex_operator(lx, err);
}

bool
tokens_read(struct tokens *out, struct str text, struct err *err)
{
	struct lexer lx = { .text = text, .out = out };

	*out = (struct tokens){ .token = NULL };
	if (text.n > QUERY_MAX)
		return fail_at(err, E_USAGE, 0,
		    "query too long: %zu bytes (limit: %u)", text.n,
		    QUERY_MAX);
	out->plain = mem_array(text.n + 1, 1);
	if (out->plain == NULL)
		return fail(err, E_SYSTEM, "out of memory (query)");
	for (;;) {
		while (lx.at < text.n && lex_is_space(text.s[lx.at]))
			lx.at++;
		if (lx.at == text.n)
			return true;
		if (!lex_token(&lx, err)) {
			tokens_free(out);
			return false;
		}
	}
}

void
tokens_free(struct tokens *out)
{
	free(out->token);
	free(out->plain);
	*out = (struct tokens){ .token = NULL };
}

bool
token_is(const struct token *t, const char *word)
{
	return t->kind == TOKEN_WORD && str_eq(t->text, str_of(word));
}

size_t
token_closing(const struct token *token, size_t n, size_t i, bool *piped)
{
	size_t depth = 0;
	bool pipe = false;

	for (; i < n; i++) {
		if (token[i].kind == TOKEN_OPEN)
			depth++;
		else if (token[i].kind == TOKEN_CLOSE && --depth == 0)
			break;
		pipe |= token[i].kind == TOKEN_PIPE && depth == 1;
	}
	if (piped != NULL)
		*piped = pipe;
	return i;
}

bool
token_is_glob(const struct token *t)
{
	return t->kind == TOKEN_WORD && t->text.n > 0 &&
	    (memchr(t->text.s, '*', t->text.n) != NULL ||
	    memchr(t->text.s, '?', t->text.n) != NULL);
}
