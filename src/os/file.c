/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file: write files atomically: they appear complete or not at all.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/sandbox.h"
#include "orders.h"

bool
file_begin(struct file *f, const char *path, struct err *err)
{
	struct file_order o;
	struct file_answer a = { .made = -1 };

	*f = FILE_INIT;
	f->refused = mem_refused();
	f->path = mem_copy(str_of(path));
	if (f->path == NULL)
		errno = ENOMEM;
	else if (order_of(&o, ORDER_NEW, path))
		order_give(&o, &a, &f->fd);
	f->made = a.made;
	if (f->fd < 0) {
		if (!sandbox_explains(path, err))
			(void)(fail_errno(err, "cannot create a file in this directory") ||
			    fail_about(err, path, err));
		file_abandon(f);
		return false;
	}
	/* A lock shows file_sweep on other machines and in containers that this process is alive. */
	(void)flock(f->fd, LOCK_EX | LOCK_NB);
	return true;
}

bool
file_write(struct file *f, const void *data, size_t n, struct err *err)
{
	struct err why = { .kind = E_NONE };

	if (fd_write_all(f->fd, data, n, &why))
		return true;
	return fail_about(err, f->path, &why);
}

/*
 * durable: wait for the disk; otherwise a nameless file may get its name at once. Errors do not name the
 * file.
 */
static bool
file_put_in_place(struct file *f, bool replace, bool durable, struct err *err)
{
	const struct file_order o = { .kind = ORDER_NAME, .made = f->made, .replace = replace,
	    .durable = durable };
	struct file_answer a;
	int none;

	if (mem_refused() != f->refused)
		return fail(err, E_SYSTEM, "out of memory; not written");
	if (durable && fsync(f->fd) < 0)
		return fail_errno(err, "write failed");
	order_give(&o, &a, &none);
	if (a.error == 0)
		f->made = -1;
	else if (!replace && a.error == EEXIST)
		return fail(err, E_USAGE, "already exists");
	return a.error == 0 || fail_errno(err, "rename failed");
}

/* Close f and put its name in front of the error. */
static bool
file_finish(struct file *f, bool replace, bool durable, struct err *err)
{
	struct err why = { .kind = E_NONE };
	bool ok = file_put_in_place(f, replace, durable, &why) || fail_about(err, f->path, &why);

	file_abandon(f);
	return ok;
}

bool
file_place(struct file *f, struct err *err)
{
	return file_finish(f, false, false, err);
}

bool
file_publish(struct file *f, bool replace, struct err *err)
{
	return file_put_in_place(f, replace, false, err);
}

bool
file_commit(struct file *f, bool replace, struct err *err)
{
	return file_finish(f, replace, true, err);
}

void
file_abandon(struct file *f)
{
	const struct file_order o = { .kind = ORDER_DROP, .made = f->made };
	struct file_answer a;
	int none;

	if (f->made >= 0)
		order_give(&o, &a, &none);
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	*f = FILE_INIT;
}

/* The stream has a descriptor of its own: the file stays open for the commit. */
static bool
print_to(const struct file *f, const char *path, file_print_fn *print, void *of, struct err *err)
{
	int copy = dup(f->fd);
	FILE *to = copy < 0 ? NULL : fdopen(copy, "w");
	bool ok;

	if (to == NULL) {
		fail_errno(err, "cannot write %s", path);
		if (copy >= 0)
			close(copy);
		return false;
	}
	ok = print(of, to, err);
	if (fclose(to) != 0 && ok)
		ok = fail_errno(err, "cannot write %s", path);
	return ok;
}

bool
file_print(const char *path, bool replace, file_print_fn *print, void *of, uint64_t *size, struct err *err)
{
	struct file f = FILE_INIT;
	struct stat st;

	if (replace && stat(path, &st) == 0 && map_reads(&st))
		return fail(err, E_USAGE, "%s is being read; choose another name", path);
	if (!file_begin(&f, path, err))
		return false;
	if (!print_to(&f, path, print, of, err) || (fstat(f.fd, &st) < 0 && !fail_path(err, path))) {
		file_abandon(&f);
		return false;
	}
	*size = (uint64_t)st.st_size;
	return file_commit(&f, replace, err);
}

void
file_sweep(const char *directory)
{
	int none;

	(void)order_do(ORDER_SWEEP, directory, &none);
}
