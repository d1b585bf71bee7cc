/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * triage: icecore triage.
 */
#include "config.h"

#include <stdio.h>

#include "fleet.h"

static bool
triage_run(struct fleet_options *o, int *status, struct err *err)
{
	struct path_list names = NAMES_INIT;
	struct triage_tally tally = { .all = 0 };
	struct row_file out = OUT_INIT;
	uint64_t since = os_now();
	bool ok;

	fleet_catch();
	ok = names_gather(&names, o, err);
	if (ok && names.n > 0)
		tally_begin();
	ok = ok && (names.n == 0 || (out_open(&out, o, err) && crew_run(&out, o, &names, &tally, err) &&
	    (o->keep == 0 || keep_exemplars(&out.dir, o, err))));
	out_close(&out);
	below_end(o);
	if (ok && names.all > 0)
		tally_tell(&tally, os_now() - since, fleet_stop != 0);
	else if (ok)
		fprintf(stderr, "icecore: no heap dumps, traces or profiles found; --all reads files with any name\n");
	/* A shard may have no files. */
	*status = names.all > 0 && names.n == 0 ? E_NONE : tally_status(&tally, o);
	names_free(&names);
	return ok;
}

static bool
triage_answer(const struct fleet_options *o, int *status, struct err *err)
{
	const char *out = o->groups != NULL ? o->groups : o->table;
	struct session session = { .nstores = 0 };
	struct out_dir dir;
	struct buf text = BUF_INIT;
	uint64_t n = 0;
	bool ok = outdir_read(&dir, out, err) && out_read(&dir, &text, err) &&
	    (text.n > 0 || fail_file(err, E_EMPTY, out, "no output of icecore triage in this directory")) &&
	    rows_session(&session, &text, err) &&
	    rows_answer(&session, rows_query(o), o, &n, err) &&
	    (o->groups == NULL || rows_foot(&session, o, err));

	*status = n == 0 ? E_EMPTY : E_NONE;
	session_close(&session);
	outdir_close(&dir);
	buf_free(&text);
	return ok;
}

bool
fleet_triage(int argc, char **argv, int *status, struct err *err)
{
	struct fleet_options o;

	if (!fleet_options_read(&o, FLEET_TRIAGE, argc, argv, err))
		return false;
	*status = E_NONE;
	if (o.help)
		fleet_help(FLEET_TRIAGE, o.help);
	else if (o.one != NULL)
		return fleet_one(&o, status, err);
	else if (o.groups != NULL || o.table != NULL)
		return triage_answer(&o, status, err);
	else
		return triage_run(&o, status, err);
	return true;
}
