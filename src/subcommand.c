/*
 * subcommand: programs of their own, which the first argument names.
 */
#include "config.h"

#include <string.h>

#include "icecore/fleet.h"
#include "complain.h"
#include "redact_command.h"
#include "serve.h"
#include "subcommand.h"

/* False: err says why; else *status is that of the program.  argv[0] is the name. */
static const struct {
	const char	*name;
	bool		(*run)(int argc, char **argv, int *status, struct err *);
} subcommands[] = {
	{ "mcp", serve_mcp },
	{ "redact", redact_command },
	{ "triage", fleet_triage },
	{ "watch", fleet_watch },
};

bool
subcommand_run(int argc, char **argv, int *status)
{
	struct err err = { .at = ERR_NOWHERE };

	for (size_t i = 0; argc > 1 && i < NELEM(subcommands); i++)
		if (strcmp(argv[1], subcommands[i].name) == 0) {
			if (!subcommands[i].run(argc - 1, argv + 1, status, &err))
				*status = check_memory(complain(NULL, &err));
			return true;
		}
	return false;
}
