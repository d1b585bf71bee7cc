/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * icecore: the first word chooses a program.
 */
#include "config.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/cli.h"
#include "icecore/ending.h"
#include "icecore/fleet.h"
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

static int
run_program(int argc, char **argv)
{
	struct err err = { .at = ERR_NOWHERE };
	int status = E_NONE;
	size_t i = 0;
	bool ok;

	if (!policy_begin(load_is_name, &err))
		return complain(NULL, &err);
	while (i < NELEM(programs) && (argc < 2 || strcmp(argv[1], programs[i].word) != 0))
		i++;
	ok = i < NELEM(programs) ? programs[i].run(argc - 1, argv + 1, &status, &err) : cli_icecore(argc, argv, &status, &err);
	return ok ? status : check_memory(complain(NULL, &err));
}

/* Count memory refused to the JSON library: a row that it cannot read for that reason is not damaged. */
static void *
jansson_memory(size_t n)
{
	void *p = malloc(n);

	if (p == NULL)
		mem_refuse();
	return p;
}

int
main(int argc, char **argv)
{
	struct err err = { .at = ERR_NOWHERE };
	static char output[65536];
	int status;

	start_clean();
	locale_start();
	json_set_alloc_funcs(jansson_memory, free);
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
