/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icecore: the first word chooses a program.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/cli.h"
#include "icecore/command.h"
#include "icecore/ending.h"
#include "icecore/fleet.h"
#include "icecore/lev.h"
#include "icecore/load.h"
#include "icecore/os.h"
#include "icecore/policy.h"
#include "icecore/record.h"

/* A file with such a name is opened as ./NAME. */
static const struct {
	const char	*word;
	bool		(*run)(int argc, char **argv, int *status, struct err *);
} programs[] = {
	{ "compare", fleet_compare },
	{ "mcp", cli_mcp },
	{ "page", cli_page },
	{ "ps", record_ps },
	{ "record", record_run },
	{ "redact", cli_redact },
	{ "slice", cli_slice },
	{ "triage", fleet_triage },
	{ "watch", fleet_watch },
};

/* Return the place of the program of a word; NELEM(programs): none. */
static size_t
program_of(const char *word)
{
	size_t i = 0;

	while (i < NELEM(programs) && strcmp(word, programs[i].word) != 0)
		i++;
	return i;
}

/* A suggestion for a mistyped program, or "". */
static const char *
program_guess(const char *word, char *text, size_t size)
{
	struct guess guess = guess_of(str_of(word));

	for (size_t i = 0; i < NELEM(programs); i++)
		guess_try(&guess, programs[i].word);
	return guess_text(&guess, text, size);
}

static bool
is_command(const char *word)
{
	size_t i = 0;

	while (commands[i] != NULL && strcmp(word, commands[i]->word) != 0)
		i++;
	return commands[i] != NULL;
}

/* Make "--help" of "help", "record --help" of "help record", and the query 'help sort' of "help sort". */
static bool
main_help(int argc, char **argv, struct err *err)
{
	static char help[] = "--help", all[] = "all", ask[] = "-e", query[64];
	char text[GUESS_TEXT];

	if (argc == 2 || argv[2][0] == '-' || strcmp(argv[2], all) == 0) {
		argv[1] = help;
		return true;
	}
	if (program_of(argv[2]) < NELEM(programs)) {
		memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
		argv[argc - 1] = help;
		if (strcmp(argv[argc - 2], all) == 0) {
			argv[argc - 2] = help;
			argv[argc - 1] = all;
		}
		return true;
	}
	if (!is_command(argv[2]))
		return fail(err, E_USAGE, "no help on '%s'%s", argv[2],
		    program_guess(argv[2], text, sizeof text)[0] != '\0' ? text :
		    "; try 'icecore help' and 'icecore -e help'");
	snprintf(query, sizeof query, "help %s", argv[2]);
	argv[1] = ask;
	argv[2] = query;
	return true;
}

/* A word that is neither a program nor a file may be a mistyped program. */
static bool
main_meant(const char *word, struct err *err)
{
	char text[GUESS_TEXT];

	return word == NULL || word[0] == '-' || strpbrk(word, "./") != NULL ||
	    access(word, F_OK) == 0 || errno != ENOENT ||
	    program_guess(word, text, sizeof text)[0] == '\0' ||
	    fail(err, E_SYSTEM, "%s: %s%s", word, strerror(ENOENT), text);
}

static int
run_program(int argc, char **argv)
{
	struct err err = { .at = ERR_NOWHERE };
	int status = E_NONE;
	size_t i;
	bool ok = policy_begin(load_is_name, &err);

	if (ok && argc > 1 && strcmp(argv[1], "help") == 0)
		ok = main_help(argc, argv, &err);
	if (ok) {
		i = program_of(argc < 2 ? "" : argv[1]);
		ok = i < NELEM(programs) ? programs[i].run(argc - 1, argv + 1, &status, &err) :
		    main_meant(argv[1], &err) && cli_icecore(argc, argv, &status, &err);
	}
	return ok ? status : check_memory(complain(NULL, &err));
}

int
main(int argc, char **argv)
{
	struct err err = { .at = ERR_NOWHERE };
	static char output[65536];
	int status;

	start_clean();
	locale_start();
	/* Output of many lines needs few system calls. */
	if (!isatty(STDOUT_FILENO))
		setvbuf(stdout, output, _IOFBF, sizeof output);
	ending_catch(false);
	status = run_program(argc, argv);
	errno = 0;
	if (fflush(stdout) != 0 && errno != EPIPE && status == E_NONE) {
		fail_errno(&err, "cannot write");
		status = complain(NULL, &err);
	}
	return status;
}
