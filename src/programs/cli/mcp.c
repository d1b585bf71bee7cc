/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mcp: icecore mcp. The working directory becomes the root, and the process is confined to it.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "icecore/pass.h"
#include "icecore/record.h"
#include "icecore/values.h"
#include "cli.h"

/* Make the path of an option absolute, because the working directory changes soon. */
static bool
absolute(const char **path, char **own, struct err *err)
{
	*own = realpath(*path, NULL);
	if (*own == NULL)
		return fail_path(err, *path);
	*path = *own;
	return true;
}

/* Files named by options; ends with NULL. */
static bool
all_absolute(struct options *o, char **own, struct err *err)
{
	struct args_list *lists[] = { &o->sides.threads, &o->sides.mappings, &o->sides.classes,
	    &o->sides.resources, &o->sides.checks };
	bool ok = o->ui.store.dir == NULL || absolute(&o->ui.store.dir, own++, err);

	for (size_t i = 0; i < NELEM(lists); i++)
		for (size_t k = 0; ok && k < lists[i]->n; k++)
			ok = absolute(&lists[i]->arg[k], own++, err);
	return ok;
}

static bool
enter_root(struct options *o, struct err *err)
{
	return chdir(o->root) == 0 || fail_errno(err, "--root %s", o->root);
}

static bool
mcp_confined(struct options *o, struct err *err)
{
	if (!o->mcp.values)
		mask_begin();
	/* The index is never written next to a file. */
	o->ui.store.read_only = o->ui.store.dir == NULL;
	o->mcp.store = o->ui.store;
	o->mcp.sides = o->ui.sides;
	options_session(o, &o->mcp.session);
	o->mcp.session.sealed = o->mcp.session.remote = o->mcp.session.piecewise = true;
	o->mcp.timeout = policy_least(policy_now()->time, o->timeout > 0 ? o->timeout : MCP_TIMEOUT);
	o->mcp.log = true;
	o->mcp.version = base_version;
	limit_memory(policy_least(policy_now()->memory, o->most), "--max-memory");
	return (!o->mcp.record || (policy_record(err) && record_agent(&o->mcp.recorder, err))) &&
	    confine_server(o, err) && mcp_run(&o->mcp, err);
}

static bool
beneath_root(struct options *o, struct err *err)
{
	size_t n = o->sides.threads.n + o->sides.mappings.n + o->sides.classes.n + o->sides.resources.n +
	    o->sides.checks.n + 2;
	char **own = mem_array(n, sizeof *own);
	bool ok = own != NULL || fail(err, E_SYSTEM, "out of memory");

	ok = ok && all_absolute(o, own, err) && enter_root(o, err) && mcp_confined(o, err);
	for (size_t i = 0; own != NULL && i < n; i++)
		free(own[i]);
	free(own);
	return ok;
}

bool
cli_mcp(int argc, char **argv, int *status, struct err *err)
{
	struct options o = { .set = OPTIONS_MCP, .format = FORMATS, .clock = CLOCKS, .mcp.budget = MCP_BUDGET,
	    .ui.store.rebuild = pass_rebuild };
	bool ok = options_read(&o, argc, argv, err);

	*status = E_NONE;
	if (ok && o.print.help)
		options_help(&o);
	else if (ok)
		ok = beneath_root(&o, err);
	options_free(&o);
	return ok;
}
