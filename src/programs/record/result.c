/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result: the file of a recording: its name, the room for it, and the icecore that opens it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/limits.h"
#include "record.h"

#define FULL 65536u		/* bytes that are free on a full disk */
#define LOOK_NS 20000000u
#define SAID 4096u

void
record_say(const char *format, ...)
{
	struct buf raw = BUF_INIT, line = BUF_INIT;
	char text[1024];
	va_list ap;

	va_start(ap, format);
	(void)vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	buf_str(&raw, STR("icecore: "));
	buf_str(&raw, str_of(text));
	text_fit_buf(&line, buf_view(&raw));
	buf_chr(&line, '\n');
	if (!line.bad)
		fwrite(line.s, 1, line.n, stderr);
	buf_free(&raw);
	buf_free(&line);
}

bool
result_name(struct recording *r, const char *name, const char *ending, struct err *err)
{
	time_t now = time(NULL);
	struct tm tm;
	struct stat st;

	buf_clear(&r->path);
	if (r->o->out != NULL)
		buf_str(&r->path, str_of(r->o->out));
	else {
		buf_printf(&r->path, "./%s-", name);
		if (r->o->pid != 0)
			buf_printf(&r->path, "%ld-", (long)r->o->pid);
		if (localtime_r(&now, &tm) != NULL)
			buf_printf(&r->path, "%04d%02d%02d-%02d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1,
			    tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
		buf_str(&r->path, str_of(ending));
	}
	if (r->path.bad)
		return fail(err, E_SYSTEM, "out of memory");
	return lstat(r->path.s, &st) != 0 || fail_file(err, E_USAGE, r->path.s,
	    "already exists; choose another name with -o");
}

bool
result_fits(const struct recording *r, uint64_t bytes, uint64_t *free_bytes, struct err *err)
{
	char *directory = directory_of(r->path.s);
	struct err why = { .kind = E_NONE };
	int fd = directory == NULL ? -1 : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statvfs s;
	bool ok = fd >= 0 || (directory == NULL ? fail(err, E_SYSTEM, "out of memory") :
	    fail_path(err, directory));

	*free_bytes = ok && fstatvfs(fd, &s) == 0 ? s.f_bavail * (uint64_t)s.f_frsize : UINT64_MAX;
	if (ok && !space_ask(fd, bytes, &why)) {
		char needed[NUM_TEXT], has[NUM_TEXT];

		num_show_size(needed, sizeof needed, bytes);
		num_show_size(has, sizeof has, *free_bytes);
		ok = fail_for(err, REASON_SPACE, E_SYSTEM, ERR_NOWHERE,
		    "%s: not enough space: %s needed, %s free; choose another directory with -o, or lower --reserve",
		    directory, needed, has);
	}
	if (fd >= 0)
		close(fd);
	free(directory);
	return ok;
}

/*
 * ---- the check of the result ---------------------------------------------------------------------------------------
 */

/* Append that its file system is full, if it is. */
static void
put_full(const struct recording *r, struct buf *b)
{
	char *directory = r->path.n == 0 ? NULL : directory_of(r->path.s);
	struct statvfs s;

	if (directory != NULL && statvfs(directory, &s) == 0 && s.f_blocks > 0 &&
	    s.f_bavail * (uint64_t)s.f_frsize < FULL)
		buf_printf(b, "; no space left in %s", directory);
	free(directory);
}

bool
result_failed(const struct recording *r, struct err *err)
{
	struct err why = *err;
	struct buf b = BUF_INIT;

	if (why.kind == E_SYSTEM && why.reason != REASON_SPACE && strstr(why.text, strerror(ENOSPC)) == NULL)
		put_full(r, &b);
	if (b.n > 0 && !b.bad)
		(void)fail_for(err, REASON_SPACE, why.kind, why.at, "%s%s", why.text, b.s);
	buf_free(&b);
	return false;
}

/* If the explorer opens it next, both use the same index. */
static bool
result_read(const struct recording *r, int *status, struct buf *said, struct err *err)
{
	const char *const argv[] = { "icecore", "-e", "info", "--", r->path.s, NULL };
	const char *const apart[] = { "icecore", "--no-index", "-e", "info", "--", r->path.s, NULL };
	struct other_program p = OTHER_NONE;
	bool ok = other_start(&p, NULL, r->o->no_open || r->o->rest.n > 0 ? apart : argv, -1, -1, err);

	while (ok && other_runs(&p, status))
		if (!stop_wait(os_now() + LOOK_NS))
			other_stop(&p, SIGTERM, status);
	if (ok)
		other_said(&p, SAID, said);
	other_end(&p);
	return ok;
}

/* Append the reason that the reader gave, without the names of the program and of the file. */
static void
put_reason(const struct recording *r, const struct buf *said, struct buf *b)
{
	struct str line = first_line(buf_view(said));

	(void)str_take(&line, STR("icecore: "));
	if (str_take(&line, buf_view(&r->path)))
		(void)str_take(&line, STR(": "));
	buf_str(b, STR(": "));
	buf_str(b, str_head(line, 250));
	put_full(r, b);
}

/* size: of the result, as text. */
static bool
result_judge(const struct recording *r, const char *size, int status, const struct buf *said, struct err *err)
{
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : E_SYSTEM;
	struct buf b = BUF_INIT;
	const char *why;
	bool ok = true;

	put_reason(r, said, &b);
	why = b.bad ? "" : b.s;
	if (code == E_NONE)
		record_say("wrote %s (%s)", r->path.s, size);
	else if (code == E_UNREADABLE || code == E_EMPTY)
		ok = fail_file(err, E_UNREADABLE, r->path.s, "the recording (%s) cannot be read%s", size,
		    why);
	else if (code != E_INPUT)
		record_say("wrote %s (%s), not checked%s", r->path.s, size, why);
	else if (r->o->no_open)
		ok = fail_file(err, E_INPUT, r->path.s, "the recording (%s) is damaged%s", size, why);
	else
		record_say("wrote %s (%s), damaged%s", r->path.s, size, why);
	buf_free(&b);
	return ok;
}

bool
result_tell(struct recording *r, struct err *err)
{
	struct buf said = BUF_INIT;
	char size[NUM_TEXT];
	struct stat st;
	int status = 0;
	bool ok = (lstat(r->path.s, &st) == 0 || fail_path(err, r->path.s)) &&
	    result_read(r, &status, &said, err);

	if (ok)
		num_show_size(size, sizeof size, (uint64_t)st.st_size);
	ok = ok && result_judge(r, size, status, &said, err);
	buf_free(&said);
	return ok;
}

/* ---- opening it ------------------------------------------------------------------------------------------------ */

static bool
result_add_all(struct args_list *to, const char *before, const struct args_list *from, struct err *err)
{
	for (size_t i = 0; i < from->n; i++)
		if ((before != NULL && !args_add(to, before, err)) || !args_add(to, from->arg[i], err))
			return false;
	return true;
}

/* The new process is as if the user had started it: nothing but its command line is passed on. */
bool
result_open(struct recording *r, struct err *err)
{
	const struct record_options *o = r->o;
	struct args_list l = { .n = 0 };
	bool ok = args_add(&l, "icecore", err) && result_add_all(&l, "-e", &o->queries, err) &&
	    (!o->report || args_add(&l, "--report", err)) &&
	    (r->names.n == 0 || (args_add(&l, "--threads", err) && args_add(&l, r->names.s, err))) &&
	    result_add_all(&l, NULL, &o->rest, err) &&
	    (r->typed.n == 0 || (args_add(&l, "--type", err) && args_add(&l, r->typed.s, err))) &&
	    args_add(&l, "--", err) && args_add(&l, r->path.s, err);

	if (ok) {
		fflush(NULL);
		system_run_again((char *const *)(uintptr_t)l.arg);
		ok = fail_errno(err, "cannot start icecore");
	}
	free(l.arg);
	return ok;
}
