/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a query over two small files of each kind: traces, heap dumps, profiles, scheduler traces; its answer printed. */
#include "config.h"

#include "../unit/dumps.h"
#include "../unit/traces.h"
#include "target.h"

#define ROWS_ASKED 500

static struct session sessions[4];	/* the traces, the dumps, the profiles, the scheduler traces */
static FILE *nowhere;

static void
print(struct rows *rows, enum format format)
{
	struct err err = { .kind = E_NONE };
	uint64_t n;

	if (!rows_print(rows, format, 40, nowhere, &n, &err) &&
	    err.kind != E_USAGE) {
		fprintf(stderr, "error of kind %d: %s\n", err.kind, err.text);
		abort();
	}
}

/* Only the first rows of a long answer.  Its fields are known only now. */
static void
answer(struct query *q, struct session *session, size_t length)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	enum format format = (enum format)(length % FORMATS);
	struct rows *rows;
	struct cell c;
	size_t col;

	if (!query_open(q, session, &rows, &err)) {
		if (err.kind != E_EMPTY && (err.kind != E_USAGE || err.at > length))
			abort();
		return;
	}
	if (rows_reach(rows, ROWS_ASKED) == 0 || rows_reach(rows, ROWS_ASKED) == ROWS_ASKED)
		for (col = 0; col < rows->ncols && rows_reach(rows, 1) > 0; col++)
			rows_cell(rows, 0, col, &c);
	else
		print(rows, format);
	rows_close(rows);
}

static void
refuse(struct str text, const struct err *err)
{
	struct buf shown = BUF_INIT;

	if (err->kind != E_USAGE || err->at > text.n)
		abort();
	query_show_error(text, err, &shown);
	buf_free(&shown);
}

/* False if it is not a query, whatever the file. */
static bool
ask(struct session *session, struct str text)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct query *q = NULL;
	bool parsed = query_parse(&q, text, &err);

	if (!parsed || !query_fits(q, session, &err))
		refuse(text, &err);
	/* Which threads and events there are is known only now. */
	else if (query_prepare(q, session, NULL, &err))
		answer(q, session, text.n);
	else if (err.kind != E_EMPTY && (err.kind != E_USAGE || err.at > text.n))
		abort();
	query_free(q);
	return parsed;
}

/* A text, which is one file more of a session. */
static void
open_text(struct session *session, const char *text)
{
	static const struct store_options options = { .memory_only = true };
	struct err err = { .kind = E_NONE };
	char path[64];
	int fd = memfd_create("small.txt", MFD_CLOEXEC);

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd < 0 || !fd_write_all(fd, text, strlen(text), &err) ||
	    !load_open(&session->store[session->nstores++], path, &options, NULL, &err))
		abort();
	close(fd);
}

static void
open_files(void)
{
	static const char wakes[] =
	    "# tracer: nop\n"
	    "  <idle>-0 [000] 1.000080: sched_switch: 0:120:R ==> 33:110: java\n"
	    "    java-33 [000] 1.000083: sched_switch: 33:110:S ==> 0:120: swapper/0\n"
	    "  <idle>-0 [001] 1.000200: sched_waking: comm=java pid=33 prio=110 target_cpu=000\n"
	    "  <idle>-0 [000] 1.000234: sched_switch: 0:120:R ==> 33:110: java\n"
	    "    java-33 [000] 1.000240: tracing_mark_write: B|33|part\n"
	    "    java-33 [000] 1.000250: sched_switch: 33:110:S ==> 0:120: swapper/0\n"
	    "  <idle>-0 [000] 1.000300: sched_switch: 0:120:R ==> 33:110: java\n"
	    "    java-33 [000] 1.000310: tracing_mark_write: E|33\n";
	static const char sleeps[] =
	    "# tracer: nop\n"
	    "  <idle>-0 [001] 2.000080: sched_switch: 0:120:R ==> 7:110: sh\n"
	    "      sh-7 [001] 2.000090: sched_switch: 7:110:D ==> 33:120: java\n"
	    "    java-33 [001] 2.000234: sched_switch: 33:120:R ==> 7:110: sh\n";
	struct session other;
	struct err err;
	size_t i;

	nowhere = fopen("/dev/null", "w");
	trace_open(&sessions[0]);
	trace_open(&other);
	sessions[0].store[sessions[0].nstores++] = other.store[0];
	open_text(&sessions[2], "main;a.B.run;a.B.run;c.D.get 3\nmain;a.B.run 2\nmain 1\n[x];y_[k] 5\n");
	open_text(&sessions[2], "main;a.B.run;c.D.get 4.5\nmain;a.C.put;e 2\n");
	open_text(&sessions[3], wakes);
	open_text(&sessions[3], sleeps);
	if (!dump_open_with(&sessions[1].store[0], false, &err) || !dump_open(&sessions[1].store[1], &err))
		abort();
	sessions[1].nstores = 2;
	sessions[1].at = 1;
	for (i = 0; i < NELEM(sessions); i++)
		sessions[i].sealed = true;
}

TARGET(query, NULL)
{
	struct str text = { (const char *)data, size };
	size_t i;

	if (nowhere == NULL)
		open_files();
	for (i = 0; i < NELEM(sessions) && ask(&sessions[i], text); i++)
		;
}
