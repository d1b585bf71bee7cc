/*
 * command: which command a word means.
 */
#include "config.h"

#include <string.h>

#include "lang.h"

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

	for (size_t i = 0; commands[i] != NULL; i++) {
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

	for (size_t k = 0; k < i; k++)
		if (strcmp(commands[k]->word, c->word) == 0 &&
		    (commands[k]->kind == COMMAND_SOURCE) == (c->kind == COMMAND_SOURCE) &&
		    command_fits(commands[k], shapes))
			return false;
	return command_fits(c, shapes);
}
