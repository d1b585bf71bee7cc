/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target: damage to the index of a small heap dump, of a trace and of files of other kinds, which queries are then
 * asked over.
 *
 * The first byte: whether the sums are made right again (1), which file (2), and which queries; then each six bytes are
 * one damage: how, what with, and where; one byte that is left chooses any of the files, and whether the index has what
 * queries made, too.  With the sums as they were, damaged columns are rebuilt, and each answer is the right one.  With
 * right sums, nobody can see it: then answers may be wrong, but nothing else.
 */
#include "config.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "../unit/dumps.h"
#include "../unit/traces.h"
#include "apart.h"
#include "heapwalk.h"
#include "indexfile.h"
#include "target.h"
#include "store/inside.h"

#define DAMAGE 6
#define ASKED 3		/* queries over one index */
#define ROWS_MOST 1000	/* of an answer that is printed */

static const char *const of_dump[] = {
	"classes", "objects | top 5 retained", "fields @14", "path @14", "dominators | head 9", "findings", "names", "roots", "strings",
	"duplicates", "threads", "instances com.example.User", "collections", "refs @14", "referrers @9", "retained @16", "histogram",
	"entries @13", "raw @14", "objects com.example.User | select id name retained", "paths @14 2", "dominated @1", "chains @9", "components"
};
static const char *const of_trace[] = {
	"methods | top 5 self", "methods | top 3 total", "records | head 5", "spans", "stacks", "threads", "tracks", "methods | count"
};

static const char *const of_tasks[] = {
	"tasks", "cpus", "switches", "wakeups", "states", "waits", "tracks", "metrics", "threads", "calls", "waits | top 2 wall | select waker waker_or_end",
	"wakeups | group waker : count", "spans *", "states | during metrics | head 9", "tasks | range 0s 1s", "overview"
};
static const char *const of_marks[] = {
	"calls", "tracks", "metrics", "spans", "threads", "spans | group method : count, sum wall", "merged", "methods", "inverted", "records | head 5",
	"calls | range 10us 20us", "spans | during metrics | head 9", "overview"
};
static const char *const of_samples[] = {
	"methods | top 5 self", "calls", "threads", "methods | callers", "inverted", "calls | where depth > 1 | count", "methods | count", "overview"
};
static const char *const of_table[] = { "records", "columns", "records | sort -bytes", "records | where ms > 1 | count", "records | group method : count, sum bytes" };

static const char *const of_code[] = {
	"classes", "methods", "bugs", "bugs all", "methods | bugs", "methods | bytecode", "methods | where bytes > 9 | count", "overview", "classes | bugs"
};
static const char *const of_recording[] = {
	"events", "threads", "methods", "calls", "tracks", "states", "intervals", "intervals | during states | head 9", "waits", "metrics", "merged",
	"inverted", "calls | range 0s 1s", "overview", "methods | callers"
};
static const char *const of_profile[] = {
	"methods", "calls", "threads", "events", "merged", "inverted", "overview", "methods | callers", "calls | where depth > 1 | count",
	"calls | range 0s 1s"
};
static const char *const of_statement[] = { "accounts", "transactions", "calls", "methods", "events", "calls | range 0s 9999999s", "overview" };
static const char *const of_dumps[] = { "dumps", "groups", "findings", "overview", "groups | head 3 | dumps", "dumps | findings", "findings | count" };

/* A file, its index, and the right answers. */
struct victim {
	const char	*name;		/* with a folder: a kept input of that target */
	const char	*text;		/* what it holds; NULL: it is kept or generated */
	char		*path, *index;
	struct kept_index {
		uint8_t	*bytes;
		size_t	 n;
	}		 kept[2];	/* with all that queries made; as the loader left it */
	const char	*const *query;
	size_t		 nqueries;
	char		*answer[32];
	int		 fd;		/* of the index */
};

static char in_memory[] = "/dev/shm/icecore-fuzz-XXXXXX";
static char on_disk[] = "/tmp/icecore-fuzz-XXXXXX";
static const char *folder;
static struct victim victims[] = {
	{ .name = "dump", .query = of_dump, .nqueries = NELEM(of_dump) },
	{ .name = "trace", .query = of_trace, .nqueries = NELEM(of_trace) },
	{ .name = "tasks", .query = of_tasks, .nqueries = NELEM(of_tasks), .text =
	    "# tracer: nop\n#\n"
	    " <idle>-0 [000] d..2 10.000000: sched_wakeup: comm=app pid=7 prio=120 target_cpu=000\n"
	    " <idle>-0 [000] d..2 10.000100: sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> "
	    "next_comm=app next_pid=7 next_prio=120\n"
	    " app-7 (    7) [000] ...1 10.000200: tracing_mark_write: B|7|draw\n"
	    " app-7 (    7) [000] ...1 10.000300: tracing_mark_write: C|7|queue|3\n"
	    " app-7 (    7) [000] d..3 10.000400: sched_waking: comm=disk pid=9 prio=110 target_cpu=001\n"
	    " app-7 (    7) [000] ...1 10.000500: tracing_mark_write: E|7\n"
	    " app-7 (    7) [000] d..2 10.000600: sched_switch: prev_comm=app prev_pid=7 prev_prio=120 prev_state=D ==> "
	    "next_comm=disk next_pid=9 next_prio=110\n"
	    " disk-9 [000] d..2 10.000900: sched_switch: prev_comm=disk prev_pid=9 prev_prio=110 prev_state=S ==> "
	    "next_comm=swapper/0 next_pid=0 next_prio=120\n" },
	{ .name = "marks", .query = of_marks, .nqueries = NELEM(of_marks), .text =
	    "[{\"ph\":\"X\",\"name\":\"send\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":10,\"args\":{\"k\":\"v\"}},\n"
	    "{\"ph\":\"X\",\"name\":\"pack\",\"pid\":1,\"tid\":1,\"ts\":12,\"dur\":3},\n"
	    "{\"ph\":\"b\",\"name\":\"load\",\"pid\":1,\"tid\":1,\"ts\":11,\"cat\":\"net\",\"id\":\"0xa\"},\n"
	    "{\"ph\":\"e\",\"name\":\"load\",\"pid\":1,\"tid\":2,\"ts\":30,\"cat\":\"net\",\"id\":\"0xa\"},\n"
	    "{\"ph\":\"C\",\"name\":\"mem\",\"pid\":1,\"tid\":1,\"ts\":10,\"args\":{\"used\":5,\"free\":1}},\n"
	    "{\"ph\":\"C\",\"name\":\"mem\",\"pid\":1,\"tid\":1,\"ts\":15,\"args\":{\"used\":6.5,\"free\":-2}},\n"
	    "{\"ph\":\"i\",\"name\":\"mark\",\"pid\":1,\"tid\":1,\"ts\":11,\"s\":\"g\"},\n"
	    "{\"ph\":\"B\",\"name\":\"recv\",\"pid\":1,\"tid\":2,\"ts\":22},{\"ph\":\"E\",\"name\":\"recv\",\"pid\":1,\"tid\":2,\"ts\":26},\n"
	    "{\"ph\":\"s\",\"name\":\"arrow\",\"pid\":1,\"tid\":1,\"ts\":12,\"cat\":\"f\",\"id\":1},\n"
	    "{\"ph\":\"f\",\"name\":\"arrow\",\"pid\":1,\"tid\":2,\"ts\":24,\"cat\":\"f\",\"id\":1}]\n" },
	{ .name = "samples", .query = of_samples, .nqueries = NELEM(of_samples), .text =
	    "java;Thread.run;Worker.loop;Parser.next_[j] 14\njava;Thread.run;Worker.loop;Parser.next_[j];String.hash_[i] 3\n"
	    "java;Thread.run;Worker.loop;Log.write;write;entry_SYSCALL_64_[k] 9\njava;Thread.run 1\nGC;mark 5\n" },
	{ .name = "table.csv", .query = of_table, .nqueries = NELEM(of_table), .text =
	    "time,method,url,status,bytes,ms\n2026-11-20T10:00:00.120Z,GET,/,200,5120,1.2\n"
	    "2026-11-20T10:00:00.480Z,GET,/static/app.js,200,81920,0.8\n2026-11-20T10:00:01.010Z,GET,/api/orders,200,2048,35.25\n"
	    "2026-11-20T10:00:01.300Z,POST,/api/orders,201,512,61.5\n2026-11-20T10:00:02.000Z,GET,/api/orders/17,404,128,3.125\n"
	    "2026-11-20T10:00:02.700Z,GET,/static/app.js,304,0,0.1\n2026-11-20T10:00:03.900Z,GET,/api/users?name=a;b,500,,1500.0\n" },
	{ .name = "zip/small.jar", .query = of_code, .nqueries = NELEM(of_code) },
	{ .name = "dex/small.dex", .query = of_code, .nqueries = NELEM(of_code) },
	{ .name = "jfr/seed2.jfr", .query = of_recording, .nqueries = NELEM(of_recording) },
	{ .name = "gecko/demo", .query = of_recording, .nqueries = NELEM(of_recording) },
	{ .name = "pprof/kept", .query = of_profile, .nqueries = NELEM(of_profile) },
	{ .name = "simpleperf/recording", .query = of_profile, .nqueries = NELEM(of_profile) },
	{ .name = "perf/small", .query = of_profile, .nqueries = NELEM(of_profile) },
	{ .name = "ofx/invest", .query = of_statement, .nqueries = NELEM(of_statement) },
	{ .name = "triage/rows", .query = of_dumps, .nqueries = NELEM(of_dumps) }
};
enum { TRACE = 1 };	/* of them */
static const struct store_options kept = { .rebuild = pass_rebuild };

static void
clean_up(void)
{
	for (size_t i = 0; i < NELEM(victims); i++) {
		unlink(victims[i].path);
		unlink(victims[i].index);
	}
	rmdir(folder);
}

/* Returns the output of a query, or its error. */
static char *
ask(struct session *session, const char *text)
{
	struct err err = { .kind = E_NONE };
	struct query *q = NULL;
	struct rows *rows;
	char *answer = NULL;
	size_t size;
	uint64_t n;
	FILE *f = open_memstream(&answer, &size);

	MUST(f != NULL);
	if (query_parse(&q, str_of(text), &err) && query_fits(q, session, &err) && query_prepare(q, session, NULL, &err) &&
	    query_open(q, session, &rows, &err)) {
		/* With wrong numbers it may have no end. */
		if (rows_reach(rows, ROWS_MOST) < ROWS_MOST)
			MUST(rows_print(rows, FORMAT_TSV, 80, f, &n, &err) || err.kind != E_NONE);
		rows_close(rows);
	}
	query_free(q);
	fprintf(f, "%s", err.kind == E_NONE ? "" : err.text);
	fclose(f);
	MUST(answer != NULL);
	return answer;
}

static void
keep(struct victim *v, struct store *st, struct kept_index *to)
{
	struct err err;
	struct stat s;

	MUST(store_save(st, &err));
	if (v->index == NULL)
		v->index = strdup(store_index_path(st));
	else
		close(v->fd);
	v->fd = open(v->index, O_RDWR);
	MUST(v->fd >= 0 && fstat(v->fd, &s) == 0);
	to->n = (size_t)s.st_size;
	to->bytes = malloc(to->n);
	MUST(to->bytes != NULL && pread(v->fd, to->bytes, to->n, 0) == (ssize_t)to->n);
}

static void
begin(struct victim *v)
{
	struct session session = { .nstores = 1, .sealed = true };
	struct err err;

	MUST(load_open(&session.store[0], v->path, &kept, NULL, &err));
	keep(v, session.store[0], &v->kept[1]);
	for (size_t i = 0; i < v->nqueries; i++)
		v->answer[i] = ask(&session, v->query[i]);
	keep(v, session.store[0], &v->kept[0]);
	store_close(session.store[0]);
}

/* Puts the content of a victim's file into a buffer. */
static void
put_victim(const struct victim *v, struct buf *to)
{
	struct heap_writer w = HEAP_WRITER_INIT;

	if (v->text != NULL) {
		buf_str(to, str_of(v->text));
	} else if (strchr(v->name, '/') != NULL) {
		kept_input(v->name, to);
	} else {
		dump_classes(&w);
		dump_objects(&w);
		put_file(&w, to);
	}
	MUST(!to->bad);
}

static void
begin_all(void)
{
	struct buf file = BUF_INIT, b = BUF_INIT;
	struct err err;
	int fd;

	folder = mkdtemp(in_memory);
	if (folder == NULL)
		folder = mkdtemp(on_disk);
	MUST(folder != NULL);
	for (size_t i = 0; i < NELEM(victims); i++) {
		const char *base = strrchr(victims[i].name, '/');

		buf_clear(&b);
		buf_printf(&b, "%s/%s", folder, base == NULL ? victims[i].name : base + 1);
		victims[i].path = strdup(b.s);
		fd = open(b.s, O_WRONLY | O_CREAT, 0600);
		MUST(fd >= 0);
		if (i == TRACE) {
			MUST(trace_write(fd, &err));
		} else {
			buf_clear(&file);
			put_victim(&victims[i], &file);
			MUST(fd_write_all(fd, file.s, file.n, &err));
		}
		close(fd);
		begin(&victims[i]);
	}
	buf_free(&file);
	buf_free(&b);
	atexit(clean_up);
}

/* Returns how long the file is then. */
static size_t
hurt(uint8_t *s, size_t n, const uint8_t *p)
{
	size_t at = (p[2] | (size_t)p[3] << 8 | (size_t)p[4] << 16) % n, page = at / INDEX_PAGE * INDEX_PAGE, from;

	switch (p[0] % 8) {
	case 0:
		s[at] ^= (uint8_t)(1 << p[1] % 8);
		break;
	case 1:
		s[at] = p[1];
		break;
	case 2:
		memset(s + page, 0, n - page < INDEX_PAGE ? n - page : INDEX_PAGE);
		break;
	case 3:
		from = p[1] * (size_t)INDEX_PAGE % n / INDEX_PAGE * INDEX_PAGE;
		if (n - page >= INDEX_PAGE && n - from >= INDEX_PAGE)
			memmove(s + page, s + from, INDEX_PAGE);
		break;
	case 4:
		return p[5] == 0 && at > 0 ? at : n;
	default:
		/* The first bytes of a column, where few rows are. */
		s[page + p[1] % 64 < n ? page + p[1] % 64 : at] = p[5];
	}
	return n;
}

static void
put_index(int fd, const struct kept_index *was, const uint8_t *data, size_t size, bool right)
{
	uint8_t *s = malloc(was->n);
	size_t n = was->n;

	MUST(s != NULL);
	memcpy(s, was->bytes, n);
	for (size_t i = 0; i + DAMAGE <= size; i += DAMAGE)
		n = hurt(s, n, data + i);
	if (right)
		index_put_right(s, n, was->bytes);
	MUST(pwrite(fd, s, n, 0) == (ssize_t)n && ftruncate(fd, (off_t)n) == 0);
	free(s);
}

TARGET(poison, NULL)
{
	struct session session = { .nstores = 1, .sealed = true };
	struct victim *v;
	struct err err;
	char *answer;
	size_t i;
	bool right, bare = false;

	if (folder == NULL)
		begin_all();
	if (size == 0)
		return;
	right = data[0] & 1;
	v = &victims[data[0] >> 1 & 1];
	if (size % DAMAGE == 2) {
		v = &victims[data[size - 1] % NELEM(victims)];
		bare = data[size - 1] / NELEM(victims) % 2 != 0;
	}
	put_index(v->fd, &v->kept[bare], data + 1, size - 1, right);
	if (!load_open(&session.store[0], v->path, &kept, NULL, &err)) {
		MUST(right && err.kind != E_NONE);
		return;
	}
	for (i = 0; i < ASKED; i++) {
		size_t k = ((data[0] >> 2) + 5 * i) % v->nqueries;

		answer = ask(&session, v->query[k]);
		MUST(right || strcmp(answer, v->answer[k]) == 0);
		free(answer);
	}
	store_close(session.store[0]);
}
