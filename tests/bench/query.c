/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query: what queries cost inside the program.  Builds the tables of a trace
 * with many methods and prints, a line each, a name and a number: queries a
 * second, milliseconds, or the ratio to a bare loop that does only the work
 * that cannot be left out.  CPU time is measured, the best of several runs.
 */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "icecore/columns_trace.h"
#include "icecore/query.h"

#define METHODS 1000000
#define THREADS 64
#define FIRST_TID 17800
#define POINTS 20000		/* point queries in a run */
#define RUNS 7

#define POINT "threads | where tid = 17816"
#define TOP "methods | sort -self | head 10"
#define PATTERN "(get|set)[A-Z]\\w*List"
#define MATCH "methods | where name ~ /" PATTERN "/ | count"

static struct session session;
static struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
static FILE *nowhere;

static void
check(bool ok)
{
	if (ok)
		return;
	fprintf(stderr, "query: %s\n", err.kind == E_NONE ? "no memory" : err.text);
	exit(1);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- the tables ------------------------------------------------------------ */

static uint64_t
mix(uint64_t x)
{
	x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
	return x ^ x >> 32;
}

/* Names like those of methods in apps, about 20 bytes long. */
static size_t
make_name(char *text, size_t size, uint64_t i)
{
	static const char *const verb[] = { "get", "set", "on", "access$", "is",
		"lambda$run", "compute", "handle" };
	static const char *const noun[] = { "View", "Layout", "Event", "Adapter",
		"Text", "Cursor", "Message", "Bundle" };
	static const char *const end[] = { "", "Internal", "List", "$0", "Count",
		"Locked", "Async", "At" };
	uint64_t r = mix(i + 1);

	return (size_t)snprintf(text, size, "%s%s%s%u", verb[r & 7],
	    noun[r >> 3 & 7], end[r >> 6 & 7], (unsigned)(r >> 9 & 4095));
}

/* The source: a class, then the names of the methods in a row. */
static int
make_source(uint64_t *name)
{
	int fd = memfd_create("names", MFD_CLOEXEC);
	struct buf b = BUF_INIT;
	char text[64];
	uint64_t i;
	size_t n;

	buf_str(&b, STR("com/example/app/Main"));
	for (i = 0; i < METHODS; i++) {
		n = make_name(text, sizeof text, i);
		name[i] = ref_make(b.n, n);
		buf_add(&b, text, n);
	}
	check(fd >= 0 && !b.bad && fd_write_all(fd, b.s, b.n, &err));
	buf_free(&b);
	return fd;
}

static void *
make(struct store *st, column_id col, enum column_type type, uint64_t rows)
{
	void *data = store_make(st, col, type, rows, &err);

	check(data != NULL);
	return data;
}

/* Each value is the mixture of its row, below limit. */
static void
make_mixed(struct store *st, column_id col, uint64_t rows, uint64_t limit)
{
	uint64_t *v = make(st, col, COL_U64, rows), i;

	for (i = 0; i < rows; i++)
		v[i] = mix(i + limit) % limit;
}

static void
make_tables(struct store *st, const uint64_t *name)
{
	static const column_id numbers[] = { COL_THREAD_MAIN, COL_THREAD_CALLS,
		COL_THREAD_WALL, COL_THREAD_CPU, COL_THREAD_START, COL_THREAD_END,
		COL_THREAD_DEPTH, COL_THREAD_REPAIRS, COL_THREAD_RECORDS };
	static const column_id times[] = { COL_METHOD_SELF_WALL,
		COL_METHOD_TOTAL_WALL, COL_METHOD_SELF_CPU, COL_METHOD_TOTAL_CPU };
	uint64_t *tid, *class, *names;
	size_t i;

	check(store_fact(st, "trace.tick", FACT_COUNT, 1000, &err) &&
	    store_fact(st, "trace.clocks", FACT_COUNT, 3, &err));
	make_mixed(st, COL_CALL_METHOD, 1, METHODS);
	make_mixed(st, COL_METHOD_RAW, METHODS, 1 << 30);
	make_mixed(st, COL_METHOD_CALLS, METHODS, 100000);
	for (i = 0; i < NELEM(times); i++)
		make_mixed(st, times[i], METHODS, 1000000000u + i);
	class = make(st, COL_LISTED_CLASS, COL_U64, METHODS);
	names = make(st, COL_LISTED_NAME, COL_U64, METHODS);
	memcpy(names, name, METHODS * sizeof *names);
	for (i = 0; i < METHODS; i++)
		class[i] = ref_make(0, strlen("com/example/app/Main"));
	tid = make(st, COL_THREAD_TID, COL_U64, THREADS);
	names = make(st, COL_THREAD_NAME, COL_U64, THREADS);
	for (i = 0; i < THREADS; i++) {
		tid[i] = FIRST_TID + i;
		names[i] = name[i];
	}
	for (i = 0; i < NELEM(numbers); i++)
		make_mixed(st, numbers[i], THREADS, 1000 + i);
	store_publish(st);
}

static void
open_tables(const uint64_t *name, int fd)
{
	static const struct store_options options = { .memory_only = true };
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	check(store_open(&session.store[0], path, &options, &err));
	session.nstores = 1;
	session.clock = CLOCK_WALL;
	make_tables(session.store[0], name);
}

/* ---- queries --------------------------------------------------------------- */

static struct query *
parse(const char *text)
{
	struct query *q;

	check(query_parse(&q, str_of(text), &err));
	return q;
}

static uint64_t
answer(struct query *q)
{
	struct rows *rows;
	uint64_t n;

	check(query_prepare(q, &session, NULL, &err) &&
	    query_open(q, &session, &rows, &err) &&
	    rows_print(rows, FORMAT_TSV, 0, nowhere, &n, &err));
	rows_close(rows);
	return n;
}

/* Seconds of one answer, all of the run between parsing and printing. */
static double
time_answer(const char *text)
{
	struct query *q = parse(text);
	double best = 1e9, start, took;
	int run;

	for (run = 0; run < RUNS; run++) {
		start = now();
		check(answer(q) > 0);
		took = now() - start;
		best = took < best ? took : best;
	}
	query_free(q);
	return best;
}

static double
time_points(bool with_parse)
{
	struct query *q = parse(POINT);
	double best = 1e9, start, took;
	int run, i;

	for (run = 0; run < RUNS; run++) {
		start = now();
		for (i = 0; i < POINTS; i++) {
			if (with_parse) {
				query_free(q);
				q = parse(POINT);
			}
			check(answer(q) == 1);
		}
		took = (now() - start) / POINTS;
		best = took < best ? took : best;
	}
	query_free(q);
	return best;
}

/* ---- the bare loop ----------------------------------------------------------- */

static double
time_bare(const uint64_t *name)
{
	int number;
	size_t offset;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)PATTERN, strlen(PATTERN),
	    PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &number, &offset, NULL);
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	double best = 1e9, start, took;
	uint64_t i, found;
	struct str s;
	int run;

	check(code != NULL && match != NULL);
	pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
	for (run = 0; run < RUNS; run++) {
		start = now();
		for (i = found = 0; i < METHODS; i++) {
			s = store_text(session.store[0], name[i]);
			found += pcre2_match(code, (PCRE2_SPTR)s.s, s.n, 0, 0,
			    match, NULL) >= 0;
		}
		took = now() - start;
		best = took < best ? took : best;
		check(found > 0);
	}
	pcre2_match_data_free(match);
	pcre2_code_free(code);
	return best;
}

int
main(void)
{
	uint64_t *name = mem_array(METHODS, sizeof *name);
	double bare, matched;

	check(name != NULL);
	nowhere = fopen("/dev/null", "w");
	check(nowhere != NULL);
	open_tables(name, make_source(name));
	printf("point_prepared %.0f\n", 1 / time_points(false));
	printf("point_parsed %.0f\n", 1 / time_points(true));
	printf("top_ms %.3f\n", time_answer(TOP) * 1000);
	bare = time_bare(name);
	matched = time_answer(MATCH);
	printf("regex_bare_ms %.3f\n", bare * 1000);
	printf("regex_ms %.3f\n", matched * 1000);
	printf("regex_ratio %.3f\n", matched / bare);
	store_close(session.store[0]);
	fclose(nowhere);
	free(name);
	return 0;
}
