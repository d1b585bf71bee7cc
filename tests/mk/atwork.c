/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atwork: icecore at work on several traces at once, for the demo.
 *
 * usage: atwork keys TRACE...
 *
 * Each trace except the first has a worker thread that opens it and prints
 * answers to nowhere; the main thread runs the explorer on the first, driven
 * by the script keys.  Linked with selftrace, it writes the demo trace.
 */
#include "config.h"

#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "icecore/ui.h"

#define WORKERS 4

struct task {
	char		 thread[16];
	const char	*path;
	struct worker	*worker;
};

static const struct { const char *query; enum format format; } answers[] = {
	{ "methods | where name ~ /^[a-m]/ | sort -total_wall | head 40", FORMAT_JSON },
	{ "methods | sort -self_wall | head 5 | callers", FORMAT_TABLE },
	{ "calls | where depth < 12", FORMAT_CSV },
	{ "inverted | where depth < 4 | head 300", FORMAT_TSV },
	{ "threads | sort -cpu", FORMAT_TABLE },
};

static bool
answer(struct session *s, size_t i, FILE *out, struct work *w, struct err *e)
{
	struct reply r;
	uint64_t n;
	bool ok = query_ask(&r, str_of(answers[i].query), 0, s, w, e) && rows_print(r.rows, answers[i].format, 100, out, &n, e);

	reply_close(&r);
	return ok;
}

static bool
run_task(void *arg, struct work *w, struct err *e)
{
	struct task *t = arg;
	struct store_options options = { .memory_only = true };
	struct session s = { .nstores = 1 };
	FILE *out = fopen("/dev/null", "w");
	bool ok;
	size_t i;

	pthread_setname_np(pthread_self(), t->thread);
	ok = out != NULL && load_open(&s.store[0], t->path, &options, w, e);
	for (i = 0; ok && i < NELEM(answers); i++)
		ok = answer(&s, i, out, w, e);
	store_close(s.store[0]);
	if (out != NULL)
		fclose(out);
	return ok;
}

static void
finish(struct task *t)
{
	struct err e;
	bool ok;

	while (!worker_take(t->worker, &ok, &e))
		usleep(1000);
	if (!ok)
		errx(1, "%s: %s", t->path, e.text);
	worker_stop(t->worker);
}

int
main(int argc, char **argv)
{
	struct task task[WORKERS];
	struct session s = { .nstores = 0 };
	struct ui_options ui = { .store = { .memory_only = true } };
	struct err e;
	int i, n = argc - 3, fd[2];

	if (n < 0 || n > WORKERS || pipe(fd) < 0)
		errx(2, "usage: atwork keys TRACE...");
	ending_guard();
	for (i = 0; i < n; i++) {
		snprintf(task[i].thread, sizeof task[i].thread, "worker %d", i + 1);
		task[i].path = argv[i + 3];
		if (!worker_start(&task[i].worker, fd[1], &e) ||
		    !worker_give(task[i].worker, run_task, &task[i]))
			errx(1, "%s", e.text);
	}
	/* The explorer's own worker inherits this name. */
	pthread_setname_np(pthread_self(), "ui worker");
	ui.keys = argv[1];
	ui.paths = (const char *const *)&argv[2];
	ui.npaths = 1;
	ui.frames = fopen("/dev/null", "w");
	if (ui.frames == NULL || !ui_run(&s, &ui, &e))
		errx(1, "%s", e.text);
	for (i = 0; i < n; i++)
		finish(&task[i]);
	fclose(ui.frames);
	store_close(s.store[0]);
	return 0;
}
