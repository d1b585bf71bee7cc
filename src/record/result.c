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
#include <time.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/limits.h"
#include "record.h"

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
			buf_printf(&r->path, "%04d%02d%02d-%02d%02d%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
		buf_str(&r->path, str_of(ending));
	}
	if (r->path.bad)
		return fail(err, E_SYSTEM, "out of memory");
	return lstat(r->path.s, &st) != 0 || fail_file(err, E_USAGE, r->path.s, "already exists; choose another name with -o");
}

bool
result_fits(const struct recording *r, uint64_t bytes, uint64_t *free_bytes, struct err *err)
{
	char *directory = directory_of(r->path.s);
	struct err why = { .kind = E_NONE };
	int fd = directory == NULL ? -1 : open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statvfs s;
	bool ok = fd >= 0 || (directory == NULL ? fail(err, E_SYSTEM, "out of memory") : fail_path(err, directory));

	*free_bytes = ok && fstatvfs(fd, &s) == 0 ? s.f_bavail * (uint64_t)s.f_frsize : UINT64_MAX;
	if (ok && !space_ask(fd, bytes, &why)) {
		char needed[NUM_TEXT], has[NUM_TEXT];

		num_show_size(needed, sizeof needed, bytes);
		num_show_size(has, sizeof has, *free_bytes);
		ok = fail_for(err, REASON_SPACE, E_SYSTEM, ERR_NOWHERE,
		    "%s: not enough space: %s needed, %s free; choose another directory with -o, or lower --reserve", directory, needed, has);
	}
	if (fd >= 0)
		close(fd);
	free(directory);
	return ok;
}

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
	bool ok = args_add(&l, "icecore", err) && result_add_all(&l, "-e", &o->queries, err) && (!o->report || args_add(&l, "--report", err)) &&
	    (r->names.n == 0 || (args_add(&l, "--threads", err) && args_add(&l, r->names.s, err))) && result_add_all(&l, NULL, &o->rest, err) &&
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
