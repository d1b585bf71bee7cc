/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heap: a heap dump of a JVM, which the JVM writes.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

#define PAUSE_BYTES ((uint64_t)250 << 20)	/* a JVM writes in a second, or more */
#define UNDO_NS 60000000000u
#define PAUSE_LEAST ((uint64_t)100 * 1000000u)	/* ns */

/* JDK 9 and later: "total 204800K, used 12345K"; metaspace is not in the dump. */
uint64_t
heap_info_used(struct str answer)
{
	struct str before, rest = answer;
	uint64_t used = 0, n;
	size_t digits;

	while (str_divide(rest, STR(" used "), &before, &rest) &&
	    memmem(before.s, before.n, "Metaspace", 9) == NULL) {
		for (digits = 0; digits < rest.n && is_digit(rest.s[digits]); digits++)
			;
		if (num_u64(str_head(rest, digits), 10, &n) && digits < rest.n && n < UINT64_MAX >> 20)
			used = num_add(used, rest.s[digits] == 'M' ? n << 20 : n << 10);
	}
	return used;
}

/* The counters are as of the last collection. */
static uint64_t
heap_used(const struct process *t)
{
	static const char *const request[] = { "jcmd", "GC.heap_info", NULL };
	struct buf b = BUF_INIT;
	uint64_t used = 0;
	struct err err;

	if (attach_ask(t, request, &b, &err))
		used = heap_info_used(buf_view(&b));
	buf_free(&b);
	return used > t->counters.used ? used : t->counters.used;
}

static void
heap_describe(const struct recording *r, uint64_t used, uint64_t free_bytes)
{
	char size[NUM_TEXT], pause[NUM_TEXT], room[NUM_TEXT];

	num_show_size(size, sizeof size, used);
	num_show_size(room, sizeof room, free_bytes);
	num_show_duration(pause, sizeof pause, PAUSE_LEAST + (uint64_t)((double)used / (double)PAUSE_BYTES * 1e9));
	record_say("heap dump of %ld (%s, %s used): %spauses the JVM for about %s, or longer on a busy machine; writes "
	    "up to %s to %s (%s free)", (long)r->target.pid,
	    r->target.name, size, r->o->all ? "" : "runs a full GC, then ", pause, size, r->path.s, room);
}

/*
 * After an interrupt the JVM still writes, and soon or now has made the file. Remove it; the JVM ends it
 * without a name.
 */
static void
heap_undo(struct jvm_file *f, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	uint64_t until = os_now() + UNDO_NS;

	while (!jvm_file_remove(f) && poll(&p, 1, 20) <= 0 && record_stop == 0 && os_now() < until)
		;
}

static bool
heap_write(struct recording *r, struct jvm_file *f, struct err *err)
{
	const char *const request[] = { "dumpheap", f->path.s, r->o->all ? "-all" : "-live", NULL };
	struct pollfd p = { .events = POLLIN };
	struct attach_wait w = { .moved = 0 };
	struct buf answer = BUF_INIT;
	uint64_t size = 0, was;
	bool ok = true;
	int fd;

	if (!attach_send(&r->target, request, &fd, err))
		return false;
	p.fd = fd;
	while (ok && record_stop == 0 && poll(&p, 1, 100) <= 0) {
		was = size;
		size = jvm_file_size(f);
		if (size > was) {
			attach_begin(&r->target);
			w.moved = 0;
		}
		ok = attach_waits(&r->target, &w, err);
	}
	if (!ok) {
		if (!jvm_file_remove(f))
			record_say("process %ld may still write %s", (long)r->target.pid, f->path.s);
		close(fd);
		return false;
	}
	if (!stop_keeps(r, err) || r->stopped != 0) {
		heap_undo(f, fd);
		close(fd);
		return fail_cancel(err);
	}
	ok = attach_take(&r->target, fd, &answer, err) && jvm_file_take(f, r, err);
	buf_free(&answer);
	return ok;
}

bool
record_heap(struct recording *r, struct err *err)
{
	struct jvm_file f = JVM_FILE_NONE;
	uint64_t used, free_bytes;
	bool ok;

	if (r->o->on_oom != NULL)
		return record_oom(r->o, err);
	if (!target_takes(&r->target, err) || !result_name(r, r->target.name, ".hprof", err))
		return false;
	attach_begin(&r->target);
	used = r->o->dry_run ? r->target.counters.used : heap_used(&r->target);
	if (record_stop != 0)
		return fail_cancel(err);
	if (!result_fits(r, num_add(used, used / 5), &free_bytes, err) ||
	    !jvm_file_fits(r, num_add(used, used / 5), err))
		return false;
	heap_describe(r, used, free_bytes);
	if (r->o->dry_run)
		return true;
	ok = jvm_file_begin(&f, r, err) && heap_write(r, &f, err);
	jvm_file_end(&f);
	return ok;
}
