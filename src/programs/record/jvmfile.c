/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jvmfile: files that a JVM writes, as its own user and below its own root directory.
 *
 * If the JVM sees the same files and may write where the result is, it writes there, and the file gets its
 * name by a rename. Otherwise it writes to its /tmp, and the file is copied. In both cases its name is
 * temporary, and it is removed if the recording fails.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/ending.h"
#include "icecore/limits.h"
#include "record.h"

#define PIECE ((size_t)1 << 20)

/*
 * A JVM of root may write everywhere. Otherwise, the directory is writable for its user if that is also this
 * user.
 */
static bool
writes_directly(const struct process *t)
{
	return target_shares_files(t) && (t->uid == geteuid() || t->uid == 0);
}

bool
jvm_file_fits(const struct recording *r, uint64_t bytes, struct err *err)
{
	return writes_directly(&r->target) || space_ask(r->target.tmp, bytes, err) ||
	    fail(err, E_SYSTEM, "/tmp of process %ld has not enough space for its heap dump",
	    (long)r->target.pid);
}

/* Open the directory and append its path as the JVM sees it. */
static bool
jvm_file_place(struct jvm_file *f, const struct recording *r, struct err *err)
{
	char *directory = f->direct ? directory_of(r->path.s) : NULL,
	    *whole = directory == NULL ? NULL : realpath(directory, NULL);
	bool ok = true;

	if (!f->direct) {
		buf_str(&f->path, STR("/tmp"));
		f->directory = fcntl(r->target.tmp, F_DUPFD_CLOEXEC, 3);
	} else if (whole == NULL)
		ok = directory == NULL ? fail(err, E_SYSTEM, "out of memory") : fail_path(err, directory);
	else {
		buf_str(&f->path, str_of(whole));
		f->directory = open(whole, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	free(directory);
	free(whole);
	/* Requests of jcmd contain the path in quotes. */
	if (ok && f->path.n > 0 && strpbrk(f->path.s, "\"\\\n") != NULL)
		return fail(err, E_USAGE, "the JVM cannot write to a directory with quotes or backslashes in its name; "
		    "use -o");
	return ok && (f->directory >= 0 || fail_errno(err, "cannot open the directory of the recording"));
}

bool
jvm_file_begin(struct jvm_file *f, const struct recording *r, struct err *err)
{
	char beneath[64];
	char *name = leftover_name(".");

	*f = JVM_FILE_NONE;
	f->direct = writes_directly(&r->target);
	f->name = name == NULL ? NULL : mem_copy(str_of(name + 2));
	free(name);
	if (f->name == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	if (!jvm_file_place(f, r, err))
		return false;
	snprintf(beneath, sizeof beneath, "/proc/self/fd/%d/", f->directory);
	buf_printf(&f->path, "/%s", f->name);
	f->noted = mem_array(strlen(beneath) + strlen(f->name) + 1, 1);
	if (f->path.bad || f->noted == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	strcat(strcat(f->noted, beneath), f->name);
	leftover_note(f->noted);
	return true;
}

/*
 * Open the file if it is what the JVM should have written: in a container, anybody may have put another one
 * there.
 */
int
jvm_file_open(const struct jvm_file *f, const struct recording *r, struct err *err)
{
	int fd = openat(f->directory, f->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		fail_errno(err, "process %ld wrote no recording", (long)r->target.pid);
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 && st.st_uid == r->target.uid)
		return fd;
	fail(err, E_SYSTEM, "process %ld wrote no file of its own", (long)r->target.pid);
	close(fd);
	return -1;
}

static bool
jvm_file_copy(int from, const char *path, struct err *err)
{
	struct file to;
	char *piece = mem_array(PIECE, 1);
	ssize_t n = 1;
	bool ok = piece != NULL || fail(err, E_SYSTEM, "out of memory");

	ok = ok && file_begin(&to, path, err);
	if (!ok) {
		free(piece);
		return false;
	}
	while (ok && n > 0) {
		n = read(from, piece, PIECE);
		if (record_stop != 0)
			ok = fail_cancel(err);
		else if (n < 0)
			ok = errno == EINTR ? (n = 1) > 0 : fail_errno(err, "cannot read the recording");
		else
			ok = space_ask(to.fd, (uint64_t)n, err) && file_write(&to, piece, (size_t)n, err);
	}
	free(piece);
	if (ok)
		return file_commit(&to, false, err);
	file_abandon(&to);
	return false;
}

/* Rename it, and never replace another file. */
static bool
jvm_file_rename(const struct jvm_file *f, int fd, const char *path, struct err *err)
{
	if (fchmod(fd, 0600) != 0 || fsync(fd) != 0)
		return fail_errno(err, "cannot write the recording");
	if (system_rename_new(f->directory, f->name, AT_FDCWD, path))
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return fail_path(err, path);
	/* A file system without such renames. */
	return (linkat(f->directory, f->name, AT_FDCWD, path, 0) == 0 &&
	    unlinkat(f->directory, f->name, 0) == 0) || fail_path(err, path);
}

bool
jvm_file_take(struct jvm_file *f, const struct recording *r, struct err *err)
{
	int fd = jvm_file_open(f, r, err);
	bool ok = fd >= 0 && (f->direct ? jvm_file_rename(f, fd, r->path.s, err) :
	    jvm_file_copy(fd, r->path.s, err));

	if (fd >= 0)
		close(fd);
	return ok;
}

uint64_t
jvm_file_size(const struct jvm_file *f)
{
	struct stat st;

	return fstatat(f->directory, f->name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? (uint64_t)st.st_size : 0;
}

bool
jvm_file_remove(struct jvm_file *f)
{
	return f->directory >= 0 && f->name != NULL && unlinkat(f->directory, f->name, 0) == 0;
}

void
jvm_file_end(struct jvm_file *f)
{
	(void)jvm_file_remove(f);
	if (f->noted != NULL)
		leftover_forget(f->noted);
	if (f->directory >= 0)
		close(f->directory);
	free(f->name);
	free(f->noted);
	buf_free(&f->path);
	*f = JVM_FILE_NONE;
}
