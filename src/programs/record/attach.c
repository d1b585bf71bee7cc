/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * attach: requests to a HotSpot JVM, over the socket that it makes when it is asked to.
 *
 * A file .attach_pidPID in /tmp, and SIGQUIT, make the JVM listen at .java_pidPID. PID is its number in its
 * own namespace. A request is "1", the command and three arguments, each ended by NUL. The answer is a
 * decimal code, a newline and text. All of /tmp and every answer are hostile: the peer must be the process,
 * and answers have a limit.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "icecore/ending.h"
#include "record.h"

#define ARGUMENTS 3
#define TRIES_NS 5000000000u		/* for the socket to appear */
#define TRY_NS 20000000u
#define TELL_NS 10000000000u
#define STOPPED_NS 5000000000u
#define ANSWER_MOST ((size_t)256 << 20)
#define CODE_MOST 10

/* ---- the socket ----------------------------------------------------------------------------------------- */

static bool
is_socket(const struct process *t, const char *name)
{
	struct stat st;

	return fstatat(t->tmp, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(st.st_mode) &&
	    st.st_uid == t->uid;
}

/* ---- waiting ------------------------------------------------------------------------------------------------ */

static bool
fail_stopped(const struct process *t, struct err *err)
{
	return fail_for(err, REASON_TIME, E_SYSTEM, ERR_NOWHERE,
	    "process %ld (%s) is stopped, by a signal or a debugger; let it run: kill -CONT %ld",
	    (long)t->pid, t->name, (long)t->pid);
}

void
attach_begin(struct process *t)
{
	t->until = num_add(os_now(), t->patience);
}

bool
attach_waits(const struct process *t, struct attach_wait *w, struct err *err)
{
	uint64_t now = os_now();
	char limit[NUM_TEXT];

	if (w->moved == 0)
		w->moved = now;
	if (w->running == 0 || !process_stopped(t->pid))
		w->running = now;
	if (now - w->running > STOPPED_NS)
		return fail_stopped(t, err);
	num_show_duration(limit, sizeof limit, t->patience);
	if (now > t->until)
		return fail_for(err, REASON_TIME, E_SYSTEM, ERR_NOWHERE,
		    "process %ld (%s) has not answered for %s; --timeout changes this limit",
		    (long)t->pid, t->name, limit);
	if (!w->told && now - w->moved > TELL_NS) {
		w->told = true;
		record_say("process %ld (%s) has not answered yet; Ctrl-C gives up", (long)t->pid, t->name);
	}
	return true;
}

/* A stopped process would obey the request when nobody waits for it any more. */
static bool
attach_runs(const struct process *t, struct err *err)
{
	struct attach_wait w = { .moved = 0 };

	while (process_stopped(t->pid))
		if (!attach_waits(t, &w, err))
			return false;
		else if (!stop_wait(os_now() + TRY_NS))
			return fail_cancel(err);
	return true;
}

/*
 * Others may fill the queue of the socket, or the process may not accept: this does not wait longer than for an answer.
 */
static bool
attach_reach(const struct process *t, int fd, const char *name, struct err *err)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct attach_wait w = { .moved = 0 };

	/* The name of the directory in /proc is short enough for every socket. */
	snprintf(at.sun_path, sizeof at.sun_path, "/proc/self/fd/%d/%s", t->tmp, name);
	while (attach_waits(t, &w, err)) {
		if (record_stop != 0)
			return fail_cancel(err);
		if (connect(fd, (const struct sockaddr *)&at, sizeof at) == 0)
			return true;
		if (errno != EAGAIN && errno != EINTR)
			return fail_errno(err, "process %ld does not answer at /tmp/%s", (long)t->pid, name);
		(void)stop_wait(os_now() + TRY_NS);
	}
	return false;
}

static bool
attach_connect(const struct process *t, const char *name, int *fd, struct err *err)
{
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return fail_errno(err, "cannot make a socket");
	if (attach_reach(t, *fd, name, err) && (system_is_peer(*fd, t->pid, t->uid) ||
	    fail(err, E_SYSTEM, "/tmp/%s does not belong to process %ld; nothing was sent", name, (long)t->pid)))
		return true;
	close(*fd);
	*fd = -1;
	return false;
}

/* ---- asking for the socket --------------------------------------------------------------------------------- */

/* Send SIGQUIT to this process, and never to a later one that has its number. */
static bool
attach_signal(const struct process *t, struct err *err)
{
	struct process now = TARGET_NONE;
	int fd = system_hold(t->pid);
	bool ok = target_look(&now, t->pid, err);
	if (ok && (now.started != t->started || now.uid != t->uid || !now.catches))
		ok = fail(err, E_SYSTEM, "process %ld ended", (long)t->pid);
	if (ok)
		ok = system_signal(fd, t->pid, SIGQUIT) || fail_errno(err, "process %ld", (long)t->pid);
	if (fd >= 0)
		close(fd);
	target_close(&now);
	return ok;
}

static bool
attach_await(const struct process *t, const char *name, struct err *err)
{
	struct attach_wait w = { .moved = 0 };
	uint64_t from = os_now();

	while (!is_socket(t, name)) {
		if (os_now() - from > TRIES_NS)
			return process_stopped(t->pid) ? fail_stopped(t, err) :
			    fail(err, E_SYSTEM,
			    "process %ld (%s) does not take requests: it hangs, or runs with "
			    "-XX:+DisableAttachMechanism",
			    (long)t->pid, t->name);
		if (!attach_waits(t, &w, err))
			return false;
		if (!stop_wait(os_now() + TRY_NS))
			return fail_cancel(err);
	}
	return true;
}

/* Another tool may have made the file; it is then left to that tool. */
static bool
attach_trigger(const struct process *t, const char *name, struct err *err)
{
	char file[32], path[64];
	int fd;
	bool ok;

	snprintf(file, sizeof file, ".attach_pid%u", t->nspid);
	snprintf(path, sizeof path, "/proc/self/fd/%d/%s", t->tmp, file);
	leftover_note(path);
	fd = openat(t->tmp, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0) {
		leftover_forget(path);
		if (errno != EEXIST)
			return fail_errno(err, "/tmp of process %ld", (long)t->pid);
	} else if (geteuid() != t->uid)
		(void)!fchown(fd, t->uid, (gid_t)-1);
	ok = attach_signal(t, err) && attach_await(t, name, err);
	if (fd >= 0) {
		close(fd);
		(void)unlinkat(t->tmp, file, 0);
		leftover_forget(path);
	}
	return ok;
}

/* ---- requests ---------------------------------------------------------------------------------------------- */

bool
attach_send(const struct process *t, const char *const *request, int *fd, struct err *err)
{
	char name[32];
	struct buf b = BUF_INIT;
	size_t n = 0;
	bool ok;

	snprintf(name, sizeof name, ".java_pid%u", t->nspid);
	buf_add(&b, "1", 2);
	for (size_t i = 0; i < ARGUMENTS + 1; i++) {
		buf_add(&b, request[n] != NULL ? request[n] : "",
		    request[n] != NULL ? strlen(request[n]) + 1 : 1);
		n += request[n] != NULL;
	}
	*fd = -1;
	ok = attach_runs(t, err) && (is_socket(t, name) || attach_trigger(t, name, err)) &&
	    attach_connect(t, name, fd, err);
	if (ok)
		ok = b.bad ? fail(err, E_SYSTEM, "out of memory") : record_stop != 0 ? fail_cancel(err) :
		    send(*fd, b.s, b.n, MSG_NOSIGNAL) == (ssize_t)b.n ||
		    fail_errno(err, "process %ld does not take the request", (long)t->pid);
	if (!ok && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	buf_free(&b);
	return ok;
}

/* Read a piece; false: the end, or a failure with err. */
static bool
attach_read(const struct process *t, int fd, struct attach_wait *w, struct buf *b, struct err *err)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char piece[16384];
	ssize_t n;

	if (record_stop != 0)
		return fail_cancel(err);
	if (poll(&p, 1, 100) <= 0)
		return attach_waits(t, w, err);
	n = read(fd, piece, sizeof piece);
	if (n < 0 && errno != EINTR && errno != EAGAIN)
		return fail_errno(err, "process %ld", (long)t->pid);
	if (n > 0)
		buf_add(b, piece, (size_t)n);
	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (answer)");
	if (b->n > ANSWER_MOST)
		return fail(err, E_SYSTEM, "process %ld: the answer is too long", (long)t->pid);
	return n != 0 && attach_waits(t, w, err);
}

/* The JVM says why on the first line, or, with an exception, on the next ones. */
static bool
attach_refused(const struct process *t, struct str text, struct err *err)
{
	struct str line = first_line(text);

	line = line.n > 0 ? str_head(line, 300) : STR("without a reason");
	return fail(err, E_SYSTEM, "the JVM %ld (%s) refused: %.*s", (long)t->pid, t->name, (int)line.n,
	    line.s);
}

bool
attach_answer(const struct process *t, struct str all, struct str *text, struct err *err)
{
	struct str code;
	uint64_t n = 0;

	*text = all;
	if (!str_split(text, '\n', &code) || code.n > CODE_MOST || !num_u64(code, 10, &n))
		return fail(err, E_SYSTEM, "process %ld ended, or did not answer as a JVM does",
		    (long)t->pid);
	return n == 0 || attach_refused(t, *text, err);
}

bool
attach_take(const struct process *t, int fd, struct buf *answer, struct err *err)
{
	struct err why = { .kind = E_NONE };
	struct buf b = BUF_INIT;
	struct str text;
	struct attach_wait w = { .moved = 0 };
	bool ok;

	while (attach_read(t, fd, &w, &b, &why))
		;
	close(fd);
	ok = why.kind != E_NONE ? fail_about(err, NULL, &why) : attach_answer(t, buf_view(&b), &text, err);
	if (ok)
		buf_str(answer, text);
	buf_free(&b);
	return ok && (!answer->bad || fail(err, E_SYSTEM, "out of memory (answer)"));
}

bool
attach_ask(const struct process *t, const char *const *request, struct buf *answer, struct err *err)
{
	int fd;

	return attach_send(t, request, &fd, err) && attach_take(t, fd, answer, err);
}
