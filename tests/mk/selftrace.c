/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selftrace: makes icecore write a method trace of itself.
 *
 * Linked into a build with -finstrument-functions and -no-pie.  Each function
 * entered or left is an event in a buffer of its thread; at exit the buffers
 * become an Android method trace (version 3, both clocks) in the file that
 * SELFTRACE names.  Leaf calls shorter than SELFTRACE_MIN ns are left out, as
 * they would be most of the file and none of the picture.
 */
#include "config.h"

#include <err.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))

#define NAME_SIZE 64
#define PATH_SIZE 512
#define RECORD_SIZE 14

enum { ENTER, LEAVE };

struct event {
	uintptr_t	fn;
	uint64_t	wall, cpu;	/* ns */
	int		action;
};

struct thread {
	struct thread	*next;
	struct event	*event;
	size_t		 n, cap;
	size_t		 depth;
	pid_t		 tid;
	char		 name[NAME_SIZE];
};

/* A function that occurs in the events; sorted by address. */
struct method {
	uintptr_t	fn;
	char		class[NAME_SIZE], name[NAME_SIZE], file[NAME_SIZE];
	unsigned	line;
};

struct methods {
	struct method	*method;
	size_t		 n, cap;
};

void	__cyg_profile_func_enter(void *, void *) QUIET;
void	__cyg_profile_func_exit(void *, void *) QUIET;

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *threads;
static _Thread_local struct thread *self;
static uint64_t wall_zero, shortest;
static bool writing;

QUIET static uint64_t
now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

QUIET static void *
grow(void *array, size_t *cap, size_t n, size_t size)
{
	if (n < *cap)
		return array;
	*cap = *cap == 0 ? 1024 : *cap * 2;
	array = reallocarray(array, *cap, size);
	if (array == NULL)
		err(1, "selftrace");
	return array;
}

/* ---- events --------------------------------------------------------------- */

QUIET static struct thread *
thread_of_caller(void)
{
	const char *min;

	if (self != NULL)
		return self;
	self = calloc(1, sizeof *self);
	if (self == NULL)
		err(1, "selftrace");
	self->tid = gettid();
	pthread_mutex_lock(&threads_lock);
	if (threads == NULL) {
		min = getenv("SELFTRACE_MIN");
		shortest = min == NULL ? 0 : strtoull(min, NULL, 10);
		wall_zero = now(CLOCK_MONOTONIC);
	}
	self->next = threads;
	threads = self;
	pthread_mutex_unlock(&threads_lock);
	return self;
}

QUIET static struct event *
event_add(struct thread *t, void *fn, int action)
{
	struct event *e;

	t->event = grow(t->event, &t->cap, t->n, sizeof *t->event);
	e = &t->event[t->n++];
	e->fn = (uintptr_t)fn;
	e->action = action;
	e->wall = now(CLOCK_MONOTONIC);
	e->cpu = now(CLOCK_THREAD_CPUTIME_ID);
	return e;
}

void
__cyg_profile_func_enter(void *fn, void *site)
{
	struct thread *t = thread_of_caller();

	(void)site;
	if (writing)
		return;
	event_add(t, fn, ENTER);
	t->depth++;
}

void
__cyg_profile_func_exit(void *fn, void *site)
{
	struct thread *t = thread_of_caller();
	struct event *e, *before;

	(void)site;
	if (writing)
		return;
	e = event_add(t, fn, LEAVE);
	before = t->n > 1 ? e - 1 : e;
	if (before->action == ENTER && e->wall - before->wall < shortest)
		t->n -= 2;
	if (--t->depth == 0)
		pthread_getname_np(pthread_self(), t->name, sizeof t->name);
}

/* ---- methods -------------------------------------------------------------- */

QUIET static int
method_cmp(const void *a, const void *b)
{
	const struct method *m = a, *o = b;

	return (m->fn > o->fn) - (m->fn < o->fn);
}

QUIET static size_t
method_find(const struct methods *ms, uintptr_t fn)
{
	struct method key = { .fn = fn };
	struct method *found;

	found = bsearch(&key, ms->method, ms->n, sizeof key, method_cmp);
	return found == NULL ? 0 : (size_t)(found - ms->method);
}

QUIET static void
methods_collect(struct methods *ms)
{
	const struct thread *t;
	size_t i, n = 0;

	for (t = threads; t != NULL; t = t->next) {
		for (i = 0; i < t->n; i++) {
			ms->method = grow(ms->method, &ms->cap, ms->n,
			    sizeof *ms->method);
			memset(&ms->method[ms->n], 0, sizeof *ms->method);
			ms->method[ms->n++].fn = t->event[i].fn;
		}
	}
	if (ms->n == 0)
		errx(1, "selftrace: no events");
	qsort(ms->method, ms->n, sizeof *ms->method, method_cmp);
	for (i = 1; i < ms->n; i++) {
		if (ms->method[i].fn != ms->method[n].fn)
			ms->method[++n] = ms->method[i];
	}
	ms->n = n + 1;
}

/* "/any/src/pass/calls.c:120" gives icecore.pass.calls, calls.c, 120. */
QUIET static void
method_place(struct method *m, char *path)
{
	static const char *const roots[] = { "/src/", "/include/icecore/", "/tests/mk/" };
	char *colon = strrchr(path, ':'), *start = path, *at, *slash, *dot;
	size_t i;

	if (colon != NULL) {
		*colon = '\0';
		m->line = (unsigned)strtoul(colon + 1, NULL, 10);
	}
	for (i = 0; i < sizeof roots / sizeof roots[0]; i++) {
		if ((at = strstr(path, roots[i])) != NULL)
			start = at + strlen(roots[i]);
	}
	slash = strrchr(start, '/');
	snprintf(m->file, sizeof m->file, "%.60s", slash == NULL ? start : slash + 1);
	if ((dot = strrchr(start, '.')) != NULL)
		*dot = '\0';
	snprintf(m->class, sizeof m->class, "icecore.%.50s", start);
	for (dot = m->class; *dot != '\0'; dot++) {
		if (*dot == '/')
			*dot = '.';
	}
}

/* Asks addr2line for names and places of all methods at once. */
QUIET static void
methods_resolve(struct methods *ms)
{
	char exe[PATH_MAX], line[PATH_SIZE], temp[] = "/tmp/selftrace-XXXXXX";
	char command[2 * PATH_MAX];
	FILE *f;
	size_t i;
	ssize_t n;
	int fd;

	n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	fd = mkstemp(temp);
	if (n < 0 || fd < 0 || (f = fdopen(fd, "w")) == NULL)
		err(1, "selftrace");
	exe[n] = '\0';
	for (i = 0; i < ms->n; i++)
		fprintf(f, "0x%jx\n", (uintmax_t)ms->method[i].fn);
	fclose(f);
	snprintf(command, sizeof command, "addr2line -f -e '%s' <%s", exe, temp);
	if ((f = popen(command, "r")) == NULL)
		err(1, "addr2line");
	for (i = 0; i < ms->n; i++) {
		struct method *m = &ms->method[i];

		if (fgets(line, sizeof line, f) == NULL)
			errx(1, "addr2line: %zu of %zu names", i, ms->n);
		snprintf(m->name, sizeof m->name, "%.*s",
		    (int)strcspn(line, "\n"), line);
		if (fgets(line, sizeof line, f) == NULL)
			errx(1, "addr2line: %zu of %zu places", i, ms->n);
		method_place(m, line);
	}
	pclose(f);
	unlink(temp);
}

/* ---- the file ------------------------------------------------------------- */

QUIET static void
put(FILE *f, uint64_t v, int bytes)
{
	for (; bytes > 0; bytes--, v >>= 8)
		putc((int)(v & 0xff), f);
}

QUIET static void
write_text(FILE *f, const struct methods *ms, size_t records, uint64_t elapsed)
{
	const struct thread *t;
	size_t i;

	fprintf(f, "*version\n3\ndata-file-overflow=false\nclock=dual\n"
	    "elapsed-time-usec=%ju\nnum-method-calls=%zu\n"
	    "clock-call-overhead-nsec=0\nvm=icecore\npid=%ld\n*threads\n",
	    (uintmax_t)elapsed, records, (long)getpid());
	for (t = threads; t != NULL; t = t->next)
		fprintf(f, "%ld\t%s\n", (long)t->tid,
		    t->tid == getpid() ? "main" : t->name);
	fputs("*methods\n", f);
	for (i = 0; i < ms->n; i++) {
		const struct method *m = &ms->method[i];

		fprintf(f, "0x%zx\t%s\t%s\t()V\t%s\t%u\n", i << 2, m->class,
		    m->name, m->file, m->line);
	}
	fputs("*end\n", f);
}

QUIET static void
write_records(FILE *f, const struct methods *ms)
{
	const struct thread *t;
	const struct event *e;
	size_t i;

	fputs("SLOW", f);
	put(f, 3, 2);
	put(f, 32, 2);
	put(f, wall_zero / 1000, 8);
	put(f, RECORD_SIZE, 2);
	put(f, 0, 8);
	put(f, 0, 6);
	for (t = threads; t != NULL; t = t->next) {
		for (i = 0; i < t->n; i++) {
			e = &t->event[i];
			put(f, (uint64_t)t->tid, 2);
			put(f, method_find(ms, e->fn) << 2 | (uint64_t)e->action, 4);
			put(f, (e->cpu - t->event[0].cpu) / 1000, 4);
			put(f, (e->wall - wall_zero) / 1000, 4);
		}
	}
}

QUIET __attribute__((destructor)) static void
selftrace_end(void)
{
	const char *path = getenv("SELFTRACE");
	struct methods ms = { NULL, 0, 0 };
	uint64_t elapsed = (now(CLOCK_MONOTONIC) - wall_zero) / 1000;
	const struct thread *t;
	size_t records = 0;
	FILE *f;

	writing = true;
	if (path == NULL)
		return;
	for (t = threads; t != NULL; t = t->next)
		records += t->n;
	methods_collect(&ms);
	methods_resolve(&ms);
	if ((f = fopen(path, "wb")) == NULL)
		err(1, "%s", path);
	write_text(f, &ms, records, elapsed);
	write_records(f, &ms);
	if (fclose(f) != 0)
		err(1, "%s", path);
	free(ms.method);
}
