/*
 * file: files that appear whole or not at all.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/ending.h"
#include "icecore/limits.h"
#include "icecore/sandbox.h"

#define TEMP_PREFIX ".icecore-"
#define NAME_TRIES 100
#define PRIVATE 0600

/* ---- writing ------------------------------------------------------------------ */

/* To *at and what follows it; where fd stands when at is NULL. */
static bool
write_bytes(int fd, const char *s, size_t n, const uint64_t *at, struct err *err)
{
	ssize_t wrote;

	for (size_t done = 0; done < n; done += (size_t)wrote) {
		wrote = at == NULL ? write(fd, s + done, n - done) :
		    pwrite(fd, s + done, n - done, (off_t)(*at + done));
		if (wrote < 0 && errno != EINTR)
			return fail_errno(err, "cannot write");
		wrote = wrote < 0 ? 0 : wrote;
	}
	return true;
}

bool
fd_write_all(int fd, const void *data, size_t n, struct err *err)
{
	return write_bytes(fd, data, n, NULL, err);
}

bool
fd_write_at(int fd, const void *data, size_t n, uint64_t offset, struct err *err)
{
	return write_bytes(fd, data, n, &offset, err);
}

bool
fd_reserve(int fd, uint64_t offset, uint64_t size, struct err *err)
{
	int error;

	if (size == 0)
		return true;
	if (offset > INT64_MAX || size > INT64_MAX - offset)
		return fail(err, E_SYSTEM, "file too large for this file system");
	if (!space_ask(fd, size, err))
		return false;
	do
		error = posix_fallocate(fd, (off_t)offset, (off_t)size);
	while (error == EINTR);
	if (error == 0)
		return true;
	return fail(err, E_SYSTEM, "no space for %llu bytes: %s",
	    (unsigned long long)size, strerror(error));
}

/* ---- names -------------------------------------------------------------------- */

/* A name that nobody has used; file_sweep reads the process id in it. */
static char *
temp_name(const char *directory)
{
	static atomic_uint count;
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/" TEMP_PREFIX "%ld-%llx-%x", directory, (long)getpid(),
	    (unsigned long long)os_now(), atomic_fetch_add(&count, 1));
	if (!b.bad)
		return b.s;
	buf_free(&b);
	return NULL;
}

/* A new file in directory that has no name until link_nameless. */
static int
open_nameless(const char *directory)
{
#ifdef O_TMPFILE
	return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, PRIVATE);
#else
	(void)directory;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

static bool
open_new(const char *name, int *fd)
{
	*fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PRIVATE);
	return *fd >= 0;
}

/* Only root may link an open file directly; everybody may by way of /proc. */
static bool
link_nameless(const char *name, int *fd)
{
	char proc[64];

	snprintf(proc, sizeof proc, "/proc/self/fd/%d", *fd);
	return linkat(AT_FDCWD, proc, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* No file has that name any more. */
static void
drop_name(char **name)
{
	if (*name != NULL)
		ending_unname(*name);
	free(*name);
	*name = NULL;
}

/* A temporary name in directory that the file gets by give; false, and NULL, when there is none to be had. */
static bool
take_name(const char *directory, bool (*give)(const char *name, int *fd), int *fd, char **name)
{
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		*name = temp_name(directory);
		if (*name == NULL)
			return false;
		ending_name(*name);
		if (give(*name, fd))
			return true;
		drop_name(name);
		if (errno != EEXIST)
			return false;
	}
	return false;
}

/* ---- files -------------------------------------------------------------------- */

bool
file_begin(struct file *f, const char *path, struct err *err)
{
	char *directory = directory_of(path);

	*f = FILE_INIT;
	f->refused = mem_refused();
	f->path = mem_copy(str_of(path));
	if (directory != NULL && f->path != NULL) {
		if (access("/proc/self/fd", X_OK) == 0)
			f->fd = open_nameless(directory);
		if (f->fd < 0)
			take_name(directory, open_new, &f->fd, &f->temp);
	} else
		errno = ENOMEM;
	if (f->fd < 0 && !sandbox_explains(path, err))
		fail_errno(err, "%s: cannot create a file in this directory", path);
	free(directory);
	if (f->fd < 0) {
		file_abandon(f);
		return false;
	}
	/* Tells file_sweep of other machines and containers that we live. */
	(void)flock(f->fd, LOCK_EX | LOCK_NB);
	return true;
}

bool
file_write(struct file *f, const void *data, size_t n, struct err *err)
{
	struct err why = { .kind = E_NONE };

	if (fd_write_all(f->fd, data, n, &why))
		return true;
	return fail(err, why.kind, "%s: %s", f->path, why.text);
}

/* Makes a rename durable; some file systems cannot, and then nobody can. */
static void
sync_directory(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/*
 * To a name that no file has.  Where the file system knows neither hard links nor a rename that replaces nothing, another process
 * may get the name in between, and loses it.
 */
static bool
rename_new(const char *from, const char *to)
{
	struct stat st;

	if (link(from, to) == 0) {
		unlink(from);
		return true;
	}
	if (errno == EEXIST)
		return false;
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (lstat(to, &st) == 0)
		errno = EEXIST;
	return errno == ENOENT && rename(from, to) == 0;
}

static bool
move(struct file *f, bool replace, struct err *err)
{
	if (replace ? rename(f->temp, f->path) == 0 : rename_new(f->temp, f->path))
		return true;
	if (!replace && errno == EEXIST)
		return fail(err, E_USAGE, "already exists");
	return fail_errno(err, "rename failed");
}

/* durable: waits for the disk; else what has no name yet may get its own at once.  Errors do not name the file. */
static bool
put_in_place(struct file *f, bool replace, bool durable, struct err *err)
{
	char *directory = directory_of(f->path);
	bool ok = false;

	if (mem_refused() != f->refused)
		fail(err, E_SYSTEM, "out of memory; not written");
	else if (durable && fsync(f->fd) < 0)
		fail_errno(err, "write failed");
	else if (!durable && f->temp == NULL && link_nameless(f->path, &f->fd))
		ok = true;
	else if (f->temp == NULL && !take_name(directory, link_nameless, &f->fd, &f->temp))
		fail_errno(err, "rename failed");
	else if (move(f, replace, err)) {
		if (durable)
			sync_directory(directory);
		drop_name(&f->temp);
		ok = true;
	}
	free(directory);
	return ok;
}

/* The end of f, and its name in front of what went wrong. */
static bool
finish(struct file *f, bool replace, bool durable, struct err *err)
{
	struct err why = { .kind = E_NONE };
	bool ok = put_in_place(f, replace, durable, &why) || fail(err, why.kind, "%s: %s", f->path, why.text);

	file_abandon(f);
	return ok;
}

bool
file_place(struct file *f, struct err *err)
{
	return finish(f, false, false, err);
}

bool
file_publish(struct file *f, bool replace, struct err *err)
{
	return put_in_place(f, replace, false, err);
}

bool
file_commit(struct file *f, bool replace, struct err *err)
{
	return finish(f, replace, true, err);
}

void
file_abandon(struct file *f)
{
	if (f->temp != NULL)
		unlink(f->temp);
	if (f->fd >= 0)
		close(f->fd);
	drop_name(&f->temp);
	free(f->path);
	*f = FILE_INIT;
}

bool
fd_temporary(int *fd, const char *directory, struct err *err)
{
	char *name = NULL;

	if (directory == NULL)
		directory = directory_temporary();
	*fd = open_nameless(directory);
	if (*fd < 0 && !take_name(directory, open_new, fd, &name))
		return fail_errno(err, "%s: cannot make a temporary file",
		    directory);
	if (name != NULL)
		unlink(name);
	drop_name(&name);
	return true;
}

/* ---- what was left behind ------------------------------------------------------ */

static bool
is_leftover(int dir, const char *name)
{
	struct str rest = str_of(name), pid;
	struct stat st;
	int64_t id;
	int fd;
	bool dead;

	if (!str_has_prefix(rest, STR(TEMP_PREFIX)))
		return false;
	rest.s += sizeof TEMP_PREFIX - 1;
	rest.n -= sizeof TEMP_PREFIX - 1;
	if (!str_split(&rest, '-', &pid) || !num_i64(pid, 10, &id) ||
	    id <= 0 || id > INT32_MAX)
		return false;
	if (kill((pid_t)id, 0) == 0 || errno != ESRCH)
		return false;
	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	dead = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return dead;
}

void
file_sweep(const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (is_leftover(dirfd(dir), entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}
