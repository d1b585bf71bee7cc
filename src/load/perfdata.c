/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * perfdata: run perf script on recordings of perf, and trace-cmd report on those of trace-cmd.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icecore/facts.h"
#include "icecore/limits.h"
#include "icecore/perf.h"
#include "icecore/policy.h"
#include "icecore/program.h"
#include "perfdata.h"

#define RUNS 64u	/* maximum files on a command line */
/* perf omits the stacks of tracepoints and probes if fields are given without these. */
#define TIMES "--ns"
#define SWITCHES "--show-switch-events"
#define FIELDS "+pid,+period,+ip,+sym,+symoff,+dso"
#define NOT_INLINED "--no-inline"
#define WORDS 12u

/* A program that converts its recordings to text. */
struct recorder {
	const char	*program, *action, *file;
	struct str	 magic, swapped;	/* swapped: that of the other byte order, or empty */
	const char	*package;
	const char	*by_hand;
	const char	*argv[WORDS];
	const char	*home;		/* NULL: the one of the user */
	bool		 own_symbols;	/* names of functions are from programs on this machine */
	/* count what is not printed; or NULL */
	bool		(*records)(struct store *, struct work *, struct err *);
};

static const struct recorder recorders[] = {
	{ "perf", "perf script", "perf.data", STR("PERFILE2"), STR("2ELIFREP"),
	    "Debian: linux-perf, Fedora: perf, Ubuntu: linux-tools",
	    "perf script -f " TIMES " " SWITCHES " -F " FIELDS " -i FILE | gzip > FILE.txt.gz",
	    { "perf", "script", "-f", NOT_INLINED, TIMES, SWITCHES, "-F", FIELDS, "-i", PROGRAM_FILE, NULL },
	    .own_symbols = true, .records = perfdata_records },
	/* Plugins in the home of the user could run any code; those of the system print function graphs. */
	{ "trace-cmd", "trace-cmd report", "trace.dat", STR("\x17\x08\x44tracing"), STR(""),
	    "Debian, Fedora, Ubuntu: trace-cmd", "trace-cmd report -t -i FILE | gzip > FILE.txt.gz",
	    { "trace-cmd", "report", "-t", "-i", PROGRAM_FILE, NULL }, .home = "/nonexistent" },
};

/* Programs that were started, by file. A file given twice has two. */
static struct run {
	struct program	program;
	const struct recorder *by;
	uint64_t	dev, ino;
	bool		missing, taken;
} runs[RUNS];
static unsigned nruns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The program whose recording begins so; NULL: none, or it is read without a program. */
static const struct recorder *
recorder_of(const void *head, size_t n)
{
	const struct str s = { head, n };

	if (perf_is_simple(head, n))
		return NULL;
	for (const struct recorder *r = recorders; r < recorders + NELEM(recorders); r++)
		if (str_has_prefix(s, r->magic) || (r->swapped.n > 0 && str_has_prefix(s, r->swapped)))
			return r;
	return NULL;
}

bool
perfdata_is(const struct map *m)
{
	return recorder_of(m->data, (size_t)m->size) != NULL;
}

/* ---- before the sandbox ------------------------------------------------------------------- */

/* -1: not a recording, or cannot be opened, which the loader reports */
static int
open_recording(const char *path, struct stat *st, const struct recorder **by)
{
	int fd = os_open_regular(path, st);
	char head[PERF_HEAD];
	ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);

	*by = n <= 0 ? NULL : recorder_of(head, (size_t)n);
	if (fd < 0 || *by != NULL)
		return fd;
	close(fd);
	return -1;
}

static bool
add_variable(struct buf *b, const char *name, const char *value)
{
	buf_printf(b, "%s=%s", name, value == NULL ? "" : value);
	return !b->bad;
}

/*
 * Inlined frames only on request: perf starts another program for each address, or reads all lines. Do not use its
 * symbol servers, configuration and pager.
 */
static bool
start(struct run *r, const char *program, int fd, bool inlined, enum sandbox_level level)
{
	const char *argv[WORDS];
	struct buf path = BUF_INIT, home = BUF_INIT;
	struct err err;
	bool ok = add_variable(&path, "PATH", getenv("PATH")) &&
	    add_variable(&home, "HOME", r->by->home != NULL ? r->by->home : getenv("HOME"));
	const char *envp[] = { path.s, home.s, "LANG=C.UTF-8", "PERF_CONFIG=/dev/null", "PERF_PAGER=cat",
	    "PAGER=cat", NULL };

	memcpy(argv, r->by->argv, sizeof argv);
	for (size_t i = 0; inlined && argv[i] != NULL; i++)
		if (strcmp(argv[i], NOT_INLINED) == 0)
			argv[i] = "--inline";
	ok = ok && program_start(&r->program, program, (char *const *)(uintptr_t)argv,
	    (char *const *)(uintptr_t)envp, fd, level,
	    &err);
	buf_free(&path);
	buf_free(&home);
	return ok;
}

void
load_run(const char *path, bool inlined, enum sandbox_level level)
{
	struct buf program = BUF_INIT;
	struct run *r = &runs[nruns];
	const struct recorder *by;
	struct stat st;
	int fd = nruns < RUNS ? open_recording(path, &st, &by) : -1;

	if (fd < 0)
		return;
	*r = (struct run){ .by = by, .dev = st.st_dev, .ino = st.st_ino };
	r->missing = !program_find(by->program, &program);
	if (r->missing || start(r, program.s, fd, inlined, level))
		nruns++;
	close(fd);
	buf_free(&program);
}

bool
load_perf_text(const char *perf, int recording, int to, struct err *err)
{
	struct intake text = { .fd = to, .most = intake_allowed() };
	struct buf said = BUF_INIT;
	enum sandbox_level level;
	struct run r = { .by = recorders };
	int status = 0;
	bool ok = sandbox_level(false, &level, err) &&
	    (start(&r, perf, recording, false, level) || fail(err, E_SYSTEM, "cannot start perf script")) &&
	    program_read(&r.program, &text, &said, &status, NULL, err);

	if (ok && status != 0) {
		buf_chr(&said, '\0');
		ok = fail(err, E_SYSTEM, "perf script failed: %.300s", said.bad ? "" : said.s);
	}
	buf_free(&said);
	return ok;
}

/* ---- reading -------------------------------------------------------------------------------- */

static struct run *
perfdata_take_run(const struct map *m)
{
	struct run *r = NULL;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < nruns && r == NULL; i++)
		if (!runs[i].taken && runs[i].dev == m->dev && runs[i].ino == m->ino)
			r = &runs[i];
	if (r != NULL)
		r->taken = true;
	pthread_mutex_unlock(&lock);
	return r;
}

static bool
fail_run(const struct run *r, const struct recorder *by, struct err *err)
{
	if (!policy_run(by->program, err))
		return false;
	if (r != NULL)
		return fail(err, E_UNREADABLE,
		    "%s needs %s, which is not installed here (%s); install %s, or run where the file was "
		    "recorded: %s", by->file, by->program, by->package, by->program, by->by_hand);
	return fail(err, E_UNREADABLE, "%s is read only if it is named on the command line and "
	    "--no-run is not given; otherwise run: %s", by->file, by->by_hand);
}

static struct str
perfdata_first_line(const struct buf *said)
{
	struct str rest = buf_view(said), line = STR(""), advice;

	while (line.n == 0 && str_split(&rest, '\n', &line))
		line = str_trim(line);
	/* The advice to give perf an option is of no use here. */
	(void)str_divide(line, STR(" (rerun with "), &line, &advice);
	return line;
}

/* Return the size without a last sample at time 0, which perf invents for truncated recordings. */
static uint64_t
without_made_up(const struct map *m)
{
	struct str text = str_trim((struct str){ (const char *)m->data, (size_t)m->size }), line;
	const char *nl;

	while (text.n > 0 && text.s[text.n - 1] == '\n')
		text.n--;
	nl = text.n == 0 ? NULL : memrchr(text.s, '\n', text.n);
	line = nl == NULL ? text : str_after(text, (size_t)(nl + 1 - text.s));
	return line.n > 0 && memmem(line.s, line.n, " 0.000000: ", 11) != NULL ?
	    (uint64_t)(line.s - (const char *)m->data) : m->size;
}

/* trace-cmd reports success for truncated recordings of which it prints nothing. */
static bool
note_run(struct store *st, const struct recorder *by, int status, const struct buf *said, bool full, struct err *err)
{
	struct str line = perfdata_first_line(said);
	struct buf why = BUF_INIT;
	char cause[PERFDATA_WHY];
	bool none = store_source(st)->size == 0;
	bool ok = fact_set_text(st, FACT_ENCODING, str_of(by->file), err) &&
	    (!by->own_symbols || fact_set_text(st, FACT_SYMBOLS, STR("from programs on this machine"), err)) &&
	    (line.n == 0 || fact_set_text(st, FACT_PERF_SAID, line, err));

	if (ok && !full && (status != 0 || none)) {
		buf_printf(&why, "%s: %.*s", by->action, (int)str_head(line, 300).n, line.n > 0 ? line.s : "");
		if (line.n == 0 && status == 0)
			buf_str(&why, STR("printed nothing: the file is empty or truncated"));
		else if (line.n == 0)
			buf_printf(&why, WIFSIGNALED(status) ? "killed by signal %d" : "exit status %d",
			    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		ok = !why.bad && fact_set(st, FACT_LOSS_PERF, 1, err) &&
		    fact_set_text(st, FACT_LOSS_REASON, buf_view(&why), err);
		if (ok && none)
			ok = fail(err, E_UNREADABLE, "%s%s", by->records != NULL ?
			    perfdata_why_none(store_file(st), cause) : "", why.s);
	}
	buf_free(&why);
	return ok;
}

/* Write the text to a nameless file. */
static bool
read_text(struct store *st, struct run *r, int fd, struct work *w, struct err *err)
{
	struct intake to = { .fd = fd, .most = intake_allowed() };
	struct err why = { .reason = REASON_NONE };
	struct buf said = BUF_INIT;
	struct map text;
	int status = 0;
	bool ok, full;

	work_start_bytes(w, r->by->action, 0);
	ok = program_read(&r->program, &to, &said, &status, w, &why);
	full = !ok && why.reason == REASON_LIMIT;
	if (full)
		fail_allowed(&why, true);
	ok = (ok || full || fail_about(err, NULL, &why)) && map_open_fd(&text, fd, NULL, NULL, err);
	if (ok && !full && status != 0 && without_made_up(&text) < text.size) {
		ok = ftruncate(fd, (off_t)without_made_up(&text)) == 0;
		map_close(&text);
		ok = (ok || fail_errno(err, "cannot write")) && map_open_fd(&text, fd, NULL, NULL, err);
	}
	if (ok) {
		store_set_source(st, &text);
		store_keep_none(st, "off: another program made the text");
		ok = note_run(st, r->by, status, &said, full, err) &&
		    (!full || (fact_set(st, FACT_LOSS_UNPACKED, 1, err) &&
		    fact_set_text(st, FACT_TRACE_PART, str_of(why.text), err)));
	}
	buf_free(&said);
	return ok;
}

bool
perfdata_open(struct store *st, struct work *w, struct err *err)
{
	struct run *r = perfdata_take_run(store_file(st));
	bool ok;
	int fd;

	if (r == NULL || r->missing)
		return fail_run(r, recorder_of(store_file(st)->data, (size_t)store_file(st)->size), err);
	if (!fd_temporary(&fd, NULL, err)) {
		program_close(&r->program);
		return false;
	}
	ok = read_text(st, r, fd, w, err) && (r->by->records == NULL || r->by->records(st, w, err));
	close(fd);
	return ok;
}
