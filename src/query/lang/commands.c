/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * commands: which command a word means, and which files it fits; the types of arguments that commands share.
 */
#include "config.h"

#include <string.h>

#include "lang.h"

/* ---- commands --------------------------------------------------------------- */

unsigned
session_shapes(const struct session *session)
{
	const struct store *st = session_store(session);

	return st == NULL ? 0 : load_shapes(st);
}

bool
command_fits(const struct command *c, unsigned shapes)
{
	return shapes == 0 || ((c->shapes == 0 || (c->shapes & shapes) != 0) && (c->with & ~shapes) == 0 &&
	    (c->unless & shapes) == 0);
}

const char *
command_what(const struct command *c, unsigned shapes)
{
	return (shapes & SHAPE_SAMPLES) != 0 && c->what_samples != NULL ? c->what_samples : c->what;
}

const char *
command_example(const struct command *c, unsigned shapes)
{
	return (shapes & SHAPE_SAMPLES) != 0 && c->example_samples != NULL ? c->example_samples : c->example;
}

bool
command_has_column(const struct command *c, size_t i, unsigned shapes)
{
	unsigned only = c->cols[i].only, fit = c->shapes & shapes;

	if (shapes != 0 && (c->cols[i].beside & ~shapes) != 0)
		return false;
	return only == 0 || (only & (fit != 0 ? fit : c->shapes & ~(unsigned)SHAPE_SAMPLES)) != 0;
}

/* A p and one or two digits is the word of a percentile. */
static bool
is_word_of(const struct command *c, struct str word)
{
	uint64_t n;

	if (word.n > 0 && word.s[0] == c->word[0] && str_eq(word, str_of(c->word)))
		return true;
	return c->any_percentile && word.n > 1 && word.s[0] == 'p' && is_digit(word.s[1]) &&
	    num_u64((struct str){ word.s + 1, word.n - 1 }, 10, &n) && n >= 1 && n <= 99;
}

/*
 * A source and a stage can have the same word, and so can commands for different files: the position and the
 * file decide.
 */
const struct command *
command_find(struct str word, bool source, unsigned shapes)
{
	const struct command *found = NULL;
	unsigned good, best = 0;
	bool fits;

	for (size_t i = 0; commands[i] != NULL; i++) {
		if (!is_word_of(commands[i], word))
			continue;
		fits = command_fits(commands[i], shapes);
		/* If no command fits, prefer one whose columns need nothing beyond the file. */
		good = 1 + (fits ? 2 : commands[i]->to_get == NULL) + 4 *
		    ((commands[i]->kind == COMMAND_SOURCE) == source);
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

	for (size_t k = 0; k < i; k++)
		if (strcmp(commands[k]->word, c->word) == 0 &&
		    (commands[k]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    command_fits(commands[k], shapes))
			return false;
	return command_fits(c, shapes);
}

/* ---- types ----------------------------------------------------------------- */

const struct arg_type arg_column = { .name = "COLUMN", .hint = "a column", .look = LOOK_COLUMNS };
const struct arg_type arg_abs = { .name = "COLUMN)", .look = LOOK_COLUMNS };
const struct arg_type arg_expression = { .name = "EXPRESSION", .look = LOOK_COLUMNS };
const struct arg_type arg_condition = { .name = "CONDITION", .look = LOOK_CONDITION };
const struct arg_type arg_name = { .name = "NAME", .hint = "new name" };
const struct arg_type arg_count = { .name = "COUNT", .hint = "count, e.g. 10 or 2k" };
const struct arg_type arg_number = { .name = "N" };
const struct arg_type arg_time = { .name = "TIME", .hint = TIME_EXAMPLE };
const struct arg_type arg_path = { .name = "PATH", .hint = "new file" };
const struct arg_type arg_folder = { .name = "DIR", .hint = "directory" };
const struct arg_type arg_source = { .name = "SOURCE", .hint = "type a source (Tab lists them)",
    .look = LOOK_SOURCES };
const struct arg_type arg_command = { .name = "COMMAND", .hint = "a command", .look = LOOK_COMMANDS };

const struct arg_type arg_thread = { .name = "THREAD", .hint = "thread: name, tid or @id", .look = LOOK_NAMES,
	.query = "threads | select name calls", .column = "name" };
