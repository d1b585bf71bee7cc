/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explore: start the explorer.
 */
#include "config.h"

#include "cli.h"

/* The explorer reports out of memory itself; with --keys, report it here. */
int
cli_explore(struct session *session, const struct options *o)
{
	struct err err = { .at = ERR_NOWHERE };
	int status = ui_run(session, &o->ui, &err) ? E_NONE : complain(o->files.arg[0], &err);

	return o->ui.keys != NULL ? check_memory(status) : status;
}
