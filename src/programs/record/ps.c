/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ps: icecore ps: processes worth recording: JVMs first, then those that use a CPU.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record.h"

#define LOOK_NS 250000000u	/* between two looks at the CPU time */
#define BUSY 10u		/* per mille of a CPU: worth showing */
#define NAME_COLUMNS 60

struct ps_options {
	bool	 all;
	unsigned help;
};

static const struct args_row rows[] = {
	{ 0, "all", NULL, "also list idle processes", .kind = ARGS_FLAG,
	    .at = offsetof(struct ps_options, all) },
	ARGS_HELP_ROW(.at = offsetof(struct ps_options, help)),
};

/* A process at the second look. */
struct seen {
	struct process	t;
	uint64_t	before;		/* CPU time at the first look */
	unsigned	busy;		/* per mille of a CPU */
};

struct seen_list {
	struct seen	*seen;
	size_t		 n, cap;
};

/* ---- looking ------------------------------------------------------------------------------------------ */

static bool
ps_list(struct seen_list *l, struct err *err)
{
	DIR *dir = opendir("/proc");
	struct dirent *e;
	uint64_t pid;
	bool ok = dir != NULL || fail_path(err, "/proc");

	while (ok && (e = readdir(dir)) != NULL) {
		if (!num_u64(str_of(e->d_name), 10, &pid) || pid == 0 || pid > INT32_MAX ||
		    (pid_t)pid == getpid())
			continue;
		ok = mem_grow(&l->seen, &l->cap, l->n + 1, sizeof *l->seen) ||
		    fail(err, E_SYSTEM, "out of memory");
		if (ok)
			l->seen[l->n++] = (struct seen){ .t.pid = (pid_t)pid, .t.root = -1, .t.tmp = -1 };
	}
	if (dir != NULL)
		closedir(dir);
	return ok;
}

/* Processes that end meanwhile leave the list. */
static void
ps_look(struct seen_list *l)
{
	uint64_t since = os_now(), took;
	struct err err;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		l->seen[i].before = target_ran(l->seen[i].t.pid);
	(void)stop_wait(since + LOOK_NS);
	took = os_now() - since;
	for (size_t i = 0; i < l->n; i++) {
		struct seen s = l->seen[i];

		if (!target_look(&s.t, s.t.pid, &err) || s.t.kernel) {
			target_close(&s.t);
			continue;
		}
		/* Hundreds of processes must not use up the descriptors. */
		target_leave(&s.t);
		s.busy = s.t.ran > s.before ? (unsigned)((s.t.ran - s.before) * 1000 / took) : 0;
		l->seen[n++] = s;
	}
	l->n = n;
}

static int
ps_order(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	int by_pid = num_order((uint64_t)x->t.pid, (uint64_t)y->t.pid, 0);

	return num_order(y->t.jvm != JVM_NONE, x->t.jvm != JVM_NONE, num_order(y->busy, x->busy, by_pid));
}

/* ---- printing ------------------------------------------------------------------------------------------ */

static uint64_t
ps_uptime(const struct process *t)
{
	uint64_t ns = system_uptime();

	return ns > t->started ? ns - t->started : 0;
}

/* "12s", "3min", "4h", "2d": one unit is enough. */
static void
ps_show_time(char *text, size_t size, uint64_t ns)
{
	unsigned long long s = ns / 1000000000u;

	if (s < 120)
		snprintf(text, size, "%llus", s);
	else if (s < 7200)
		snprintf(text, size, "%llumin", s / 60);
	else if (s < 172800)
		snprintf(text, size, "%lluh", s / 3600);
	else
		snprintf(text, size, "%llud", s / 86400);
}

static const char *
ps_kind(const struct process *t)
{
	if (t->jvm == JVM_HOTSPOT)
		return "JVM";
	return t->jvm == JVM_OPENJ9 ? "OpenJ9" : t->tmp == TARGET_HIDDEN &&
	    strcmp(t->name, "java") == 0 ? "JVM?" : "";
}

/* The main class with its package, or the command line; hostile. */
static void
ps_name(const struct process *t, struct buf *b)
{
	struct str s = t->counters.command, word;
	struct buf fitted = BUF_INIT;

	if (t->jvm == JVM_HOTSPOT && str_split(&s, ' ', &word))
		s = word;
	else if (t->command.n > 0)
		s = str_trim(buf_view(&t->command));
	else
		s = str_of(t->name);
	text_fit_buf(&fitted, s);
	s = buf_view(&fitted);
	buf_str(b, str_head(s, text_cut(s, NAME_COLUMNS, NULL)));
	buf_free(&fitted);
}

static void
ps_row(const struct seen *s, struct buf *b)
{
	const struct process *t = &s->t;
	char user[64], fitted[64], up[NUM_TEXT], used[NUM_TEXT] = "", max[NUM_TEXT] = "", inside[16] = "";

	user_name(t->uid, user, sizeof user);
	(void)text_fit(fitted, sizeof fitted, str_of(user));
	ps_show_time(up, sizeof up, ps_uptime(t));
	if (t->counters.used > 0)
		num_show_size(used, sizeof used, t->counters.used);
	if (t->counters.max > 0)
		num_show_size(max, sizeof max, t->counters.max);
	if (t->nspid != (unsigned)t->pid)
		snprintf(inside, sizeof inside, "%u", t->nspid);
	buf_printf(b, "%7ld %6s %-10.10s %-6s %8s %7u %5u.%u %10s %10s  ", (long)t->pid, inside, fitted,
	    ps_kind(t), up, t->threads, s->busy / 10, s->busy % 10, used, max);
	ps_name(t, b);
	buf_chr(b, '\n');
}

static bool
ps_print(const struct seen_list *l, bool all, struct err *err)
{
	struct buf b = BUF_INIT;
	size_t hidden = 0;
	bool ok;

	buf_str(&b, STR("    PID INSIDE USER       KIND     UPTIME THREADS   CPU %       HEAP   HEAP MAX  NAME\n"));
	for (size_t i = 0; i < l->n; i++) {
		hidden += l->seen[i].t.tmp == TARGET_HIDDEN && geteuid() != 0;
		if (all || ps_kind(&l->seen[i].t)[0] != '\0' || l->seen[i].busy >= BUSY)
			ps_row(&l->seen[i], &b);
	}
	ok = !b.bad || fail(err, E_SYSTEM, "out of memory");
	if (ok)
		fwrite(b.s, 1, b.n, stdout);
	buf_free(&b);
	if (ok && hidden > 0)
		record_say("%zu process%s of other users, whose JVMs are not recognised; root sees all",
		    hidden, hidden == 1 ? "" : "es");
	return ok;
}

/* ---- the command --------------------------------------------------------------------------------------- */

static bool
ps_operand(void *to, const char *arg, struct err *err)
{
	(void)to;
	return fail(err, E_USAGE, "'%s': ps takes no arguments; try 'icecore ps --help'", arg);
}

bool
record_ps(int argc, char **argv, int *status, struct err *err)
{
	struct ps_options o = { .all = false };
	const struct args args = { rows, NELEM(rows), 1, "icecore ps", &o, ps_operand, NULL };
	struct seen_list l = { .n = 0 };
	bool ok;

	*status = E_NONE;
	if (!args_read(&args, argc, argv, err))
		return false;
	if (o.help) {
		args_help(&args, o.help, "usage: icecore ps [--all]\n"
		    "List processes worth recording: JVMs, and processes that use a CPU now.\n"
		    "HEAP is as of the last collection.  INSIDE is the process id in a container.\n",
		    "0 success, 2 usage error, 4 system error.", "icecore-record(1)");
		return true;
	}
	ok = system_records(err) && ps_list(&l, err);
	if (ok) {
		ps_look(&l);
		qsort(l.seen, l.n, sizeof *l.seen, ps_order);
		ok = ps_print(&l, o.all, err);
	}
	for (size_t i = 0; i < l.n; i++)
		target_close(&l.seen[i].t);
	free(l.seen);
	return ok;
}
