/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * names: names of threads and of compiled code.
 *
 * The kernel has a name for each thread, of at most 15 letters. A thread dump has whole ones, but stops the
 * JVM, so it is taken only if a name may have been cut.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "names.h"

#define COMM_MOST 15u

/* Names of threads that the kernel stores. */
struct thread_names {
	unsigned	all, cut, vm;	/* cut: at 15 letters; vm: of these, a JVM's own, which need no other name */
};

static void
thread_names_add(struct thread_names *n, struct str comm)
{
	/* Each HotSpot has these threads. Without their last letters they are known as well. */
	static const char *const own[] = { "Attach Listener", "C1 CompilerThre", "C2 CompilerThre",
	    "JFR Periodic Ta", "JFR Recorder Th", "JFR Sampler Thr",
		"JFR Thread Samp", "Monitor Deflati", "Notification Th", "Reference Handl", "RuntimeWorker#",
		"Signal Dispatch", "VM Periodic Tas" };
	size_t i = 0;

	n->all++;
	if (comm.n < COMM_MOST)
		return;
	n->cut++;
	while (i < NELEM(own) && !str_has_prefix(comm, str_of(own[i])))
		i++;
	n->vm += i < NELEM(own);
}

static void
thread_names_read(struct thread_names *n, pid_t pid)
{
	struct buf b = BUF_INIT;
	char path[64];
	struct dirent *e;
	uint64_t tid;
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	dir = opendir(path);
	while (dir != NULL && (e = readdir(dir)) != NULL) {
		snprintf(path, sizeof path, "task/%.20s/comm", e->d_name);
		buf_clear(&b);
		if (num_u64(str_of(e->d_name), 10, &tid) && proc_read(pid, path, &b) && b.n > 0)
			thread_names_add(n, str_head(buf_view(&b), b.n - 1));
	}
	if (dir != NULL)
		closedir(dir);
	buf_free(&b);
}

/*
 * Ask the JVM to write /tmp/perf-PID.map, which other programs read. A map that was there is that of somebody
 * else.
 */
static void
names_code(struct code_names *c, const struct recording *r)
{
	static const char *const request[] = { "jcmd", "Compiler.perfmap", NULL };
	struct buf answer = BUF_INIT;
	struct stat st;
	struct err err;
	bool inside;

	snprintf(c->map, sizeof c->map, "/proc/self/fd/%d/perf-%u.map", r->target.tmp, r->target.nspid);
	if (stat(c->map, &st) == 0)
		c->map[0] = '\0';
	else
		leftover_note(c->map);
	inside = r->target.nspid != (unsigned)r->target.pid || !target_shares_files(&r->target);
	if (!attach_ask(&r->target, request, &answer, &err) ||
	    (inside && !perf_map_read(&c->code, &r->target, &err)))
		record_say("no names of compiled Java code: %s", err.text);
	buf_free(&answer);
}

/* Keep a thread dump next to the samples; without it they only have short names of threads. */
static bool
names_dump(struct recording *r, struct err *err)
{
	static const char *const request[] = { "threaddump", NULL };
	struct buf answer = BUF_INIT;
	struct file f;
	bool ok;

	buf_str(&r->names, buf_view(&r->path));
	buf_str(&r->names, STR(".threads.txt"));
	ok = (!r->names.bad || fail(err, E_SYSTEM, "out of memory")) &&
	    attach_ask(&r->target, request, &answer, err) && file_begin(&f, r->names.s, err);
	if (ok && !file_write(&f, answer.s, answer.n, err)) {
		file_abandon(&f);
		ok = false;
	}
	ok = ok && file_commit(&f, false, err);
	if (!ok)
		buf_clear(&r->names);
	buf_free(&answer);
	return ok;
}

void
names_ask(struct code_names *c, struct recording *r, bool frameless)
{
	bool jvm = r->target.jvm == JVM_HOTSPOT, asks = false;
	struct thread_names n = { .all = 0 };
	struct err err;

	if (jvm && target_takes(&r->target, &err)) {
		attach_begin(&r->target);
		names_code(c, r);
		asks = true;
	}
	thread_names_read(&n, r->target.pid);
	/* A process that ended no longer has names. */
	asks = asks && (frameless || n.cut > n.vm || n.all == 0);
	if (asks && !names_dump(r, &err)) {
		record_say("no names of threads from the JVM: %s", err.text);
		asks = false;
	}
	if (asks && frameless)
		record_say("most stacks end below the frames of Java: a thread dump was taken, which stops the JVM for "
		    "some milliseconds; %s has the frames and names of threads", r->names.s);
	else if (asks)
		record_say("names of threads: %u from /proc/%ld/task; %u are cut at 15 letters, so a thread dump was "
		    "taken, which stops the JVM for some milliseconds",
		    n.all, (long)r->target.pid, n.cut - n.vm);
	else
		record_say("names of threads: %u from /proc/%ld/task, %u of them cut at 15 letters%s", n.all,
		    (long)r->target.pid, n.cut,
		    !jvm || n.cut > n.vm ? "" : n.cut > 0 ? ", all of the JVM itself; it was not stopped" :
		    "; the JVM was not stopped");
}

void
code_names_end(struct code_names *c)
{
	if (c->map[0] != '\0') {
		(void)unlink(c->map);
		leftover_forget(c->map);
	}
	perf_map_free(&c->code);
}
