/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child: the process that reads one dump. It gets the open file, two pipes and little else. Its output is
 * untrusted data.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

#define SAID_MOST ((2u << 20) + TRIAGE_PAGE * 6)	/* rows, and a page: JSON escapes a byte by at most six */
#define TOLD_MOST (64u << 10)
#define GRACE_NS 2000000000u	/* from SIGTERM to SIGKILL */
#define NOT_STARTED 127		/* exit status */
#define FILES_MOST 64
#define WHY 160

/* ---- starting ---------------------------------------------------------------------------- */

static void
child_limit(int what, uint64_t soft, uint64_t hard)
{
	struct rlimit r = { .rlim_cur = (rlim_t)soft, .rlim_max = (rlim_t)hard };

	(void)setrlimit(what, &r);
}

/* Give way to other processes, and let the OOM killer choose this process first. */
static void
child_step_back(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!write(fd, "500", 3);
		close(fd);
	}
	(void)setpriority(PRIO_PROCESS, 0, 10);
}

/* Mapped files are not counted: the kernel can reclaim them. */
static void
set_limits(const struct fleet_options *o, struct run_limits l)
{
	uint64_t seconds = l.time / 1000000000u;

	/* --memory is the same limit, for its messages. */
	limit_memory(l.memory, "--memory");
	child_limit(RLIMIT_CORE, 0, 0);
	child_limit(RLIMIT_CPU, seconds + 1, seconds + 2);
	child_limit(RLIMIT_FSIZE, o->unpacked, o->unpacked);
	child_limit(RLIMIT_NOFILE, FILES_MOST, FILES_MOST);
}

/* Between fork and exec. */
static void
child_become(const struct child *c, const struct fleet_options *o, char *const *argv, int out, int err,
    pid_t parent)
{
	const int standard[] = { c->ident.fd, out, err };
	sigset_t none;

	if (setsid() < 0 || !descriptors_keep(standard, NELEM(standard)))
		_exit(NOT_STARTED);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	set_limits(o, c->limits);
	child_step_back();
	if (!system_end_with(parent, SIGKILL))
		_exit(NOT_STARTED);
	system_run_again(argv);
	_exit(NOT_STARTED);
}

static bool
fail_start(struct err *err)
{
	return fail_errno(err, "cannot start a process");
}

/* exec closes the other ends of the pipes and the original file descriptor. */
static bool
make_pipes(int out[2], int err_fd[2], struct err *err)
{
	if (pipe2(out, O_CLOEXEC) != 0)
		return fail_start(err);
	if (pipe2(err_fd, O_CLOEXEC) != 0) {
		close(out[0]);
		close(out[1]);
		return fail_start(err);
	}
	fcntl(out[0], F_SETFL, O_NONBLOCK);
	fcntl(err_fd[0], F_SETFL, O_NONBLOCK);
	return true;
}

const char *
mapping_of(const struct fleet_options *o, const char *name, struct buf *path)
{
	struct pattern_found found = pattern_find(o->pattern, name);

	if (o->mapping_dir == NULL || found.part[PATTERN_BUILD].n == 0)
		return o->mapping;
	buf_str(path, str_of(o->mapping_dir));
	buf_chr(path, '/');
	buf_str(path, found.part[PATTERN_BUILD]);
	buf_str(path, STR(".txt"));
	return !path->bad && access(path->s, R_OK) == 0 ? path->s : o->mapping;
}

bool
child_start(struct child *c, const struct fleet_options *o, const char *name, struct err *err)
{
	char unpacked[32], memory[32], hash[HASH_TEXT];
	struct buf path = BUF_INIT;
	const char *mapping = mapping_of(o, name, &path);
	const char *argv[18] = { "icecore", "triage", "--one", name_shown(o, name, hash), "--unpacked",
	    unpacked, "--memory", memory };
	size_t n = 8;
	int out[2], told[2];
	pid_t parent = getpid();

	if (o->sandbox_required) {
		argv[n++] = "--sandbox";
		argv[n++] = "required";
	}
	if (o->page && !o->redact)
		argv[n++] = "--page";
	if (o->of != NULL) {
		argv[n++] = "--of";
		argv[n++] = o->of;
	}
	if (mapping != NULL) {
		argv[n++] = "--mapping";
		argv[n++] = mapping;
	}
	argv[n] = "-";
	c->limits = fleet_limits(o, c->ident.bytes);
	snprintf(unpacked, sizeof unpacked, "%llu", (unsigned long long)o->unpacked);
	snprintf(memory, sizeof memory, "%llu", (unsigned long long)c->limits.memory);
	if (!make_pipes(out, told, err)) {
		buf_free(&path);
		return false;
	}
	fflush(NULL);
	c->pid = fork();
	if (c->pid == 0)
		child_become(c, o, (char *const *)(uintptr_t)argv, out[1], told[1], parent);
	close(out[1]);
	close(told[1]);
	buf_free(&path);
	if (c->pid < 0) {
		c->pid = 0;
		close(out[0]);
		close(told[0]);
		return fail_start(err);
	}
	c->out = out[0];
	c->err = told[0];
	c->since = os_now();
	c->killed = 0;
	c->late = c->loud = false;
	return true;
}

/* ---- while the child runs --------------------------------------------------------------------- */

static void
child_end(struct child *c, int sig)
{
	(void)kill(-c->pid, sig);
	(void)kill(c->pid, sig);
	c->killed = c->killed != 0 ? c->killed : os_now();
}

void
child_read(struct child *c, bool out)
{
	int *fd = out ? &c->out : &c->err;
	struct buf *b = out ? &c->said : &c->told;
	char chunk[16384];
	ssize_t n;

	while (*fd >= 0 && (n = read(*fd, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return;
		if (b->n <= (out ? SAID_MOST : TOLD_MOST))
			buf_add(b, chunk, (size_t)n);
		else if (!c->loud) {
			c->loud = true;
			child_end(c, SIGKILL);
		}
	}
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
child_check(struct child *c, uint64_t now)
{
	if (!c->late && now - c->since >= c->limits.time) {
		c->late = true;
		child_end(c, SIGTERM);
	} else if (c->late && now - c->killed >= GRACE_NS)
		child_end(c, SIGKILL);
}

void
child_kill(struct child *c)
{
	if (c->pid != 0) {
		child_end(c, SIGKILL);
		(void)waitpid(c->pid, NULL, 0);
	}
	for (int i = 0; i < 3; i++) {
		int *fd = i == 0 ? &c->out : i == 1 ? &c->err : &c->ident.fd;

		if (*fd >= 0)
			close(*fd);
		*fd = -1;
	}
	buf_free(&c->said);
	buf_free(&c->told);
	c->pid = 0;
}

/* ---- output of the child ----------------------------------------------------------------------- */

static struct str
child_first_line(const struct buf *b)
{
	struct str all = buf_view(b), line = STR("");

	(void)str_split(&all, '\n', &line);
	return line;
}

/* Set the state of a child that did not end by itself. */
static bool
ended_badly(const struct child *c, int status, enum triage_state *state, char why[WHY])
{
	int sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char time[NUM_TEXT];

	why[0] = '\0';
	if (c->loud) {
		*state = TRIAGE_CRASH;
		snprintf(why, WHY, "too many messages");
	} else if (c->late || sig == SIGXCPU) {
		*state = TRIAGE_TIMEOUT;
		num_show_duration(time, sizeof time, c->limits.time);
		snprintf(why, WHY, "timed out after %s: raise the limit with --timeout", time);
	} else if (sig == SIGKILL) {
		*state = TRIAGE_OOM;
		snprintf(why, WHY, "killed, probably by the kernel's out-of-memory killer");
	} else
		*state = TRIAGE_CRASH;
	return c->loud || c->late || sig != 0;
}

static void
add_usage(struct triage_row *own, const struct child *c, const struct rusage *use, int status)
{
	triage_put_count(own, "attempt", c->attempt);
	triage_put_real(own, "seconds", (double)((os_now() - c->since) / 1000000u) / 1000);
	triage_put_count(own, "rss", (int64_t)use->ru_maxrss * 1024);
	if (WIFSIGNALED(status))
		triage_put_count(own, "signal", WTERMSIG(status));
	else
		triage_put_null(own, "signal");
}

static bool
copy_rows(const struct triage_rows *said, const struct triage_field *fields, const struct triage_row *own,
    struct triage_rows *to)
{
	bool ok = true;

	for (size_t i = 0; ok && i < said->n; i++) {
		struct triage_row *row = triage_add(to);

		ok = row != NULL;
		if (ok)
			triage_fill(row, fields, own, &said->row[i]);
	}
	return ok;
}

/* Complete the rows with data from the child. */
static bool
make_block(const struct child *c, const struct fleet_options *o, const struct triage_row *own,
    struct triage_block *said, struct triage_block *b)
{
	struct triage_row key = { .n = 0 };
	bool ok;

	*b = (struct triage_block){ .page = said->page };
	said->page = (struct triage_row){ .n = 0 };
	triage_put_text(&key, "key", str_of(c->ident.key));
	if (o->redact)
		triage_put_null(&key, "why");
	triage_fill(&b->dump, triage_dump, own, &said->dump);
	ok = copy_rows(&said->findings, triage_finding, &key, &b->findings) &&
	    copy_rows(&said->methods, triage_method, &key, &b->methods);
	triage_row_free(&key);
	return ok && !b->dump.bad;
}

/* Take the page row, or that of a value, from after the block if one was requested. */
static void
take_page(const struct child *c, const struct fleet_options *o, struct str *rest, struct triage_block *b)
{
	struct str all = *rest, line;
	bool asked = o->of != NULL || (o->page && !o->redact);
	struct triage_row own = { .n = 0 }, row = { .n = 0 };

	if (asked && str_split(&all, '\n', &line) && triage_parse(line, &row) &&
	    str_eq(triage_text(&row, "row"), o->of != NULL ? STR("measure") : STR("page"))) {
		*rest = all;
		triage_put_text(&own, "key", str_of(c->ident.key));
		triage_fill(&b->page, o->of != NULL ? triage_measure : triage_page, &own, &row);
	}
	triage_row_free(&own);
	triage_row_free(&row);
}

static bool
take_rows(struct child *c, const struct fleet_options *o, const char *name, int status,
    const struct rusage *use, struct triage_block *b, struct err *err)
{
	struct triage_reader r = { .rest = buf_view(&c->said) };
	struct triage_block said, other = { .dump.n = 0 };
	enum triage_state state;
	char why[WHY], hash[HASH_TEXT];
	struct triage_row own;
	bool bad = ended_badly(c, status, &state, why), ok = triage_next(&r, &said);

	if (ok)
		take_page(c, o, &r.rest, &said);
	bad = bad || !ok || !triage_state_of(triage_text(&said.dump, "state"), &state) ||
	    triage_next(&r, &other) || r.lost > 0;
	triage_drop(&other);
	if (bad) {
		triage_drop(&said);
		if (!ended_badly(c, status, &state, why) && WIFEXITED(status) &&
		    WEXITSTATUS(status) == E_SYSTEM) {
			/* Not even enough for its rows. */
			state = TRIAGE_OOM;
			snprintf(why, WHY, "out of memory");
		}
	}
	row_of_dump(&own, &c->ident, name_shown(o, name, hash), state, why[0] != '\0' ? str_of(why) :
	    bad ? child_first_line(&c->told) : triage_text(&said.dump, "reason"));
	if (bad)
		triage_put_count(&own, "findings", 0);
	add_usage(&own, c, use, status);
	row_put_names(&own, o, name);
	if (o->redact) {
		triage_put_null(&own, "wait_in");
		triage_put_null(&own, "story");
	}
	ok = make_block(c, o, &own, &said, b);
	triage_row_free(&own);
	triage_drop(&said);
	if (!ok)
		triage_drop(b);
	return ok || fail(err, E_SYSTEM, "out of memory (rows)");
}

bool
child_take(struct child *c, const struct fleet_options *o, const char *name, struct triage_block *b,
    bool *runs, struct err *err)
{
	struct rusage use;
	int status;
	bool ok;

	*runs = c->out >= 0 || c->err >= 0 || wait4(c->pid, &status, WNOHANG, &use) != c->pid;
	if (*runs)
		return false;
	c->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED) {
		child_kill(c);
		return fail(err, E_SYSTEM, "cannot start icecore for a dump");
	}
	ok = take_rows(c, o, name, status, &use, b, err);
	child_kill(c);
	return ok;
}
