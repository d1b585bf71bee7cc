/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads: thread dumps of a JVM, one after the other in one file.
 */
#include "config.h"

#include <unistd.h>

#include "record.h"

static void
threads_describe(const struct recording *r, unsigned n)
{
	char every[NUM_TEXT];

	num_show_duration(every, sizeof every, r->o->every);
	record_say("%u thread dump%s of %ld (%s, %u threads)%s%s: the JVM stops for some milliseconds%s; writes %s", n,
	    n == 1 ? "" : "s",
	    (long)r->target.pid, r->target.name, r->target.threads, n == 1 ? "" : ", every ",
	    n == 1 ? "" : every, n == 1 ? "" : " each time", r->path.s);
}

static bool
threads_so_far(struct recording *r, int *fd, struct err *err)
{
	return follow_file(((struct file *)r->made)->fd, fd, err);
}

/* An interrupt between two dumps keeps those before it. */
static bool
threads_write(struct recording *r, unsigned n, struct file *f, struct err *err)
{
	static const char *const request[] = { "threaddump", "-l", "-e", NULL };
	uint64_t at = os_now();
	struct buf b = BUF_INIT;
	struct err why = { .kind = E_NONE };
	bool ok = follow_begin(r, threads_so_far, f, &why);
	unsigned i;

	for (i = 0; ok && i < n && follow_wait(r, at); i++) {
		buf_clear(&b);
		attach_begin(&r->target);
		ok = attach_ask(&r->target, request, &b, &why) && file_write(f, b.s, b.n, &why);
		at += r->o->every;
	}
	follow_end(r);
	buf_free(&b);
	if (!ok && !(why.kind == E_CANCEL && i > 1))
		return (void)stop_keeps(r, NULL), fail_about(err, NULL, &why);
	return stop_keeps(r, err) && (i > 0 || fail_cancel(err));
}

bool
record_threads(struct recording *r, struct err *err)
{
	unsigned n = r->o->n > 0 ? r->o->n : 1;
	struct file f;

	if (!target_takes(&r->target, err) || !result_name(r, r->target.name, ".threads.txt", err))
		return false;
	threads_describe(r, n);
	if (r->o->dry_run)
		return true;
	if (!file_begin(&f, r->path.s, err))
		return false;
	if (threads_write(r, n, &f, err))
		return file_commit(&f, false, err);
	file_abandon(&f);
	return false;
}
