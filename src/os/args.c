/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * args: parse a command line by a table of options.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "icecore/args.h"
#include "icecore/lev.h"
#include "icecore/limits.h"
#include "icecore/mem.h"
#include "icecore/str.h"

/* Width of a line of --help, and the column where descriptions begin. */
enum { HELP_WIDTH = 80, HELP_TEXT = 20 };
enum { NAME_SIZE = 48 };			/* maximum length of an option name */

/* ---- rows ------------------------------------------------------------------------------------- */

static bool
has_row(const struct args *a, const struct args_row *row)
{
	return ((row->of != 0 ? row->of : 1u) & a->of) != 0;
}

/* Return permitted value i of the argument, counted from 0; NULL: no more. */
static const char *
args_word_at(const struct args_row *row, size_t i)
{
	if (row->word != NULL)
		return row->word(i);
	return i < row->nwords ? row->words[i] : NULL;
}

/* Append the permitted values, "vm or mat", if the argument has a fixed set. */
static void
args_add_words(const struct args_row *row, struct buf *b)
{
	const char *word;

	for (size_t i = 0; (word = args_word_at(row, i)) != NULL; i++)
		buf_printf(b, "%s%s", i == 0 ? "" : args_word_at(row, i + 1) != NULL ? ", " : " or ", word);
}

/* "-e", "--file". */
static void
row_name(const struct args_row *row, char *name, size_t size)
{
	if (row->letter && (row->arg != NULL || row->name == NULL))
		snprintf(name, size, "-%c", row->letter);
	else
		snprintf(name, size, "--%s", row->name);
}

/* Match an option. *arg: the argument after the letter or after "=", NULL if there is none. */
static bool
args_is_named(const struct args_row *row, const char *word, const char **arg)
{
	size_t n = row->name == NULL ? 0 : strlen(row->name);

	*arg = NULL;
	if (row->letter != 0 && word[0] == '-' && word[1] == row->letter) {
		*arg = word[2] != '\0' ? word + 2 : NULL;
		return true;
	}
	if (n == 0 || strncmp(word, "--", 2) != 0 || strncmp(word + 2, row->name, n) != 0)
		return false;
	if (word[2 + n] == '=')
		*arg = word + 3 + n;
	return word[2 + n] == '=' || word[2 + n] == '\0';
}

static const struct args_row *
args_find_row(const struct args *a, const char *word, const char **arg)
{
	for (size_t i = 0; i < a->n; i++)
		if (has_row(a, &a->row[i]) && args_is_named(&a->row[i], word, arg))
			return &a->row[i];
	return NULL;
}

/* ---- mistakes --------------------------------------------------------------------------------- */

struct named {
	const struct args	*args;
	struct buf		 text;
};

static struct str
args_name_at(void *to, uint64_t i)
{
	struct named *n = to;
	const struct args_row *row = &n->args->row[i];

	buf_clear(&n->text);
	if (row->name != NULL && row->what != NULL && has_row(n->args, row))
		buf_printf(&n->text, "--%s", row->name);
	return buf_view(&n->text);
}

static bool
args_fail_unknown(const struct args *a, const char *word, struct err *err)
{
	struct named named = { a, BUF_INIT };
	char text[GUESS_TEXT];

	guess_among((struct str){ word, strcspn(word, "=") }, args_name_at, &named, a->n, text, sizeof text);
	buf_free(&named.text);
	return text[0] != '\0' ? fail(err, E_USAGE, "unknown option '%s'%s", word, text) :
	    fail(err, E_USAGE, "unknown option '%s'; try '%s --help'", word, a->program);
}

/* ---- arguments -------------------------------------------------------------------------------- */

bool
args_set_word(const struct args_row *row, size_t *value, const char *arg, struct err *err)
{
	struct buf all = BUF_INIT;
	const char *word;

	for (size_t i = 0; (word = args_word_at(row, i)) != NULL; i++)
		if (strcmp(arg, word) == 0) {
			*value = i;
			return true;
		}
	args_add_words(row, &all);
	fail(err, E_USAGE, "unknown value '%s'; use %s", arg, all.bad ? "others" : all.s);
	buf_free(&all);
	return false;
}

static bool
set_number(const struct args_row *row, unsigned *value, const char *arg, struct err *err)
{
	unsigned most = row->most > 0 ? row->most : UINT32_MAX;
	bool digits = arg[0] != '\0' && str_digits(str_of(arg)) == strlen(arg);
	uint64_t n;

	if (num_u64(str_of(arg), 10, &n) && n >= row->least && n <= most) {
		*value = (unsigned)n;
		return true;
	}
	if (row->most > 0 || (digits && (!num_u64(str_of(arg), 10, &n) || n > most)))
		return fail(err, E_USAGE, "'%s' is not a number from %u to %u", arg, row->least, most);
	return fail(err, E_USAGE, "'%s' is not a number%s", arg, row->least > 0 ? " of at least 1" : "");
}

static bool
set_bytes(const struct args_row *row, uint64_t *value, const char *arg, struct err *err)
{
	return limit_size(arg, value, err) && (row->most == 0 ||
	    (*value >= row->least && *value <= row->most) ||
	    fail(err, E_USAGE, "'%s' is not a size from %uk to %uk", arg, row->least >> 10, row->most >> 10));
}

bool
args_add(struct args_list *l, const char *arg, struct err *err)
{
	if (!mem_grow(&l->arg, &l->cap, l->n + 2, sizeof *l->arg))
		return fail(err, E_SYSTEM, "out of memory");
	l->arg[l->n++] = arg;
	l->arg[l->n] = NULL;
	return true;
}

static bool
set_row(const struct args *a, const struct args_row *row, const char *arg, struct err *err)
{
	void *at = (char *)a->to + row->at;
	uint64_t bytes;

	switch (row->kind) {
	case ARGS_FLAG:
		*(bool *)at = true;
		return true;
	case ARGS_HELP:
		*(unsigned *)at = arg != NULL ? HELP_ALL : HELP_OFTEN;
		return true;
	case ARGS_TEXT:
		*(const char **)at = arg;
		return true;
	case ARGS_LIST:
		return args_add(at, arg, err);
	case ARGS_WORD:
		return args_set_word(row, at, arg, err);
	case ARGS_NUMBER:
		return set_number(row, at, arg, err);
	case ARGS_BYTES:
		return set_bytes(row, at, arg, err);
	case ARGS_TIME:
		return limit_time(arg, at, err);
	case ARGS_LIMIT:
		if (!limit_size(arg, &bytes, err))
			return false;
		row->limit(bytes);
		return true;
	case ARGS_OWN:
		return row->own(a->to, row, arg, err);
	}
	return true;
}

bool
args_take(const struct args *a, const struct args_row *row, const char *arg, struct err *err)
{
	struct err why = { .kind = E_NONE };
	char name[NAME_SIZE];

	if (!set_row(a, row, arg, &why)) {
		row_name(row, name, sizeof name);
		return fail_for(err, why.reason, why.kind, why.at, "%s: %s", name, why.text);
	}
	return a->given == NULL || a->given(a->to, row, arg, err);
}

/* ---- lines ------------------------------------------------------------------------------------ */

bool
args_read(const struct args *a, int argc, char **argv, struct err *err)
{
	const struct args_row *row;
	bool options = true;
	const char *arg;

	for (int i = 1; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0) {
			options = false;
			continue;
		}
		if (!options || argv[i][0] != '-' || argv[i][1] == '\0') {
			if (!a->operand(a->to, argv[i], err))
				return false;
			continue;
		}
		row = args_find_row(a, argv[i], &arg);
		if (row == NULL)
			return args_fail_unknown(a, argv[i], err);
		if (row->arg == NULL && arg != NULL)
			return fail(err, E_USAGE, "%.*s takes no argument", (int)strcspn(argv[i], "="),
			    argv[i]);
		if (row->kind == ARGS_HELP && i + 1 < argc && strcmp(argv[i + 1], "all") == 0)
			arg = argv[++i];
		if (row->arg != NULL && arg == NULL && (arg = argv[++i]) == NULL)
			return fail(err, E_USAGE, "%s needs an argument: %s", argv[i - 1], row->arg);
		if (!args_take(a, row, arg, err))
			return false;
	}
	return true;
}

bool
args_read_line(const struct args *a, char *line, struct err *err)
{
	const struct args_row *row = a->row;
	char *arg;

	line += strncmp(line, "--", 2) == 0 ? 2 : 0;
	arg = line + strcspn(line, " \t");
	if (*arg != '\0')
		*arg++ = '\0';
	arg += strspn(arg, " \t");
	while (row < a->row + a->n && !(has_row(a, row) && row->name != NULL && strcmp(row->name, line) == 0))
		row++;
	if (row == a->row + a->n)
		return fail(err, E_USAGE, "unknown option '%s' in %s", line, a->program);
	if ((row->arg != NULL) != (*arg != '\0'))
		return fail(err, E_USAGE, row->arg != NULL ? "%s needs an argument" : "%s takes no argument",
		    line);
	return args_take(a, row, arg, err);
}

/* Print text from a column on, wrapped at HELP_WIDTH. Return the column after the last word. */
static int
args_print_text(int at, struct str text)
{
	struct str word;

	while (str_split(&text, ' ', &word)) {
		if (at + 1 + (int)word.n > HELP_WIDTH)
			at = printf("\n%*s", HELP_TEXT - 1, "") - 1;
		at += printf(" %.*s", (int)word.n, word.s);
	}
	return at;
}

/*
 * Print the permitted values after column at.  All of them: together on a line of their own if they do not fit
 * into this one.  Else those that fit into it, if at least two do.
 */
static void
args_print_words(const struct args_row *row, int at, bool all)
{
	struct buf words = BUF_INIT;
	const char *word;
	size_t n = 0;
	bool fits;

	buf_chr(&words, '(');
	args_add_words(row, &words);
	buf_chr(&words, ')');
	fits = at + 1 + (int)words.n <= HELP_WIDTH;
	if (!all && !fits) {
		buf_clear(&words);
		while ((word = args_word_at(row, n)) != NULL &&
		    at + (int)(words.n + strlen(word)) + 8 <= HELP_WIDTH)
			buf_printf(&words, "%s%s", n++ == 0 ? "(" : ", ", word);
		buf_str(&words, STR(", ...)"));
	}
	if (all || fits || n > 1)
		args_print_text(at + 1 + (int)words.n > HELP_WIDTH ? HELP_WIDTH : at, buf_view(&words));
	buf_free(&words);
}

static void
args_print_row(const struct args_row *row, bool all)
{
	char name[NAME_SIZE];
	int at;

	row_name(row, name, sizeof name);
	at = printf("  %s %s", name, row->arg != NULL ? row->arg : "");
	at += printf("%*s", at < HELP_TEXT - 1 ? HELP_TEXT - 1 - at : 0, "");
	at = args_print_text(at < HELP_TEXT ? at : HELP_WIDTH, str_of(row->what));
	if (args_word_at(row, 0) != NULL)
		args_print_words(row, at, all);
	putchar('\n');
}

void
args_help(const struct args *a, unsigned helped, const char *usage, const char *exits,
    const char *page)
{
	unsigned often = 0;
	bool all;

	for (size_t i = 0; i < a->n; i++)
		often |= a->row[i].often & a->of;
	all = helped == HELP_ALL || often == 0;
	puts(usage);
	for (const struct args_row *row = a->row; row < a->row + a->n; row++)
		if (row->what != NULL && has_row(a, row) &&
		    (all || (row->often & a->of) != 0 || row->kind == ARGS_HELP))
			args_print_row(row, all);
	if (all)
		printf("\nExit status: %s\n", exits);
	printf("\nSee %s.\n", page);
}
