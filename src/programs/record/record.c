/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record: icecore record: make a recording, and open it.
 */
#include "config.h"

#include "record.h"

static bool
record_all(struct recording *r, struct err *err)
{
	const struct record_options *o = r->o;

	if (o->pid != 0 && !target_look(&r->target, o->pid, err))
		return false;
	r->target.patience = o->timeout;
	stop_catch();
	if (!o->kind->run(r, err))
		return result_failed(r, err);
	return o->dry_run || r->path.n == 0 || (result_tell(r, err) && (o->no_open || result_open(r, err)));
}

bool
record_run(int argc, char **argv, int *status, struct err *err)
{
	struct record_options o;
	struct recording r = { .o = &o, .target = TARGET_NONE, .path = BUF_INIT, .names = BUF_INIT,
	    .typed = BUF_INIT };
	bool ok = record_options_read(&o, argc, argv, err);

	*status = E_NONE;
	if (ok && o.help)
		record_help(o.kind, o.help);
	else if (ok)
		ok = policy_record(err) && system_records(err) && record_all(&r, err);
	target_close(&r.target);
	buf_free(&r.path);
	buf_free(&r.names);
	buf_free(&r.typed);
	record_options_free(&o);
	if (!ok && record_stop != 0)
		r.stopped = record_stop;
	/* Everything is undone: end as the signal demands. */
	if (!ok && (r.stopped == SIGTERM || r.stopped == SIGHUP)) {
		(void)signal(r.stopped, SIG_DFL);
		(void)raise(r.stopped);
	}
	return ok;
}
