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

#include "icecore/os.h"

#define TEMP_PREFIX ".icecore-"
#define NAME_TRIES 100

/* ---- writing ------------------------------------------------------------------ */

bool
fd_write_all(int fd, const void *data, size_t n, struct err *err)
{
	const char *s = data;
	ssize_t wrote;

	while (n > 0) {
		wrote = write(fd, s, n);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return fail_errno(err, "cannot write");
		s += wrote;
		n -= (size_t)wrote;
	}
	return true;
}

bool
fd_write_at(int fd, const void *data, size_t n, uint64_t offset,
    struct err *err)
{
	const char *s = data;
	ssize_t wrote;

	while (n > 0) {
		wrote = pwrite(fd, s, n, (off_t)offset);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return fail_errno(err, "cannot write");
		s += wrote;
		n -= (size_t)wrote;
		offset += (uint64_t)wrote;
	}
	return true;
}

bool
fd_reserve(int fd, uint64_t offset, uint64_t size, struct err *err)
{
	int error;

	if (size == 0)
		return true;
	if (offset > INT64_MAX || size > INT64_MAX - offset)
		return fail(err, E_SYSTEM, "cannot make a file that large");
	do
		error = posix_fallocate(fd, (off_t)offset, (off_t)size);
	while (error == EINTR);
	if (error == 0)
		return true;
	return fail(err, E_SYSTEM, "no space for %llu bytes: %s",
	    (unsigned long long)size, strerror(error));
}

/* ---- names -------------------------------------------------------------------- */

/* The folder of path as its own string: "." for "name", "/" for "/name". */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

/* A name that nobody has used; file_sweep reads the process id in it. */
static char *
temp_name(const char *folder)
{
	static atomic_uint count;
	struct buf b = BUF_INIT;

	buf_printf(&b, "%s/" TEMP_PREFIX "%ld-%llx-%x", folder, (long)getpid(),
	    (unsigned long long)os_now(), atomic_fetch_add(&count, 1));
	if (!b.bad)
		return b.s;
	buf_free(&b);
	return NULL;
}

/* A new file in folder that has no name until give_name. */
static int
open_nameless(const char *folder)
{
#ifdef O_TMPFILE
	return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
	(void)folder;
	errno = EOPNOTSUPP;
	return -1;
#endif
}

static int
open_named(const char *folder, char **name)
{
	int fd = -1;

	for (int tries = 0; tries < NAME_TRIES && fd < 0; tries++) {
		*name = temp_name(folder);
		if (*name == NULL)
			break;
		fd = open(*name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
		    O_CLOEXEC, 0600);
		if (fd >= 0)
			break;
		free(*name);
		*name = NULL;
		if (errno != EEXIST)
			break;
	}
	return fd;
}

/* Only root may link an open file directly; everybody may by way of /proc. */
static bool
link_nameless(const struct file *f, const char *path)
{
	char proc[64];

	snprintf(proc, sizeof proc, "/proc/self/fd/%d", f->fd);
	return linkat(AT_FDCWD, proc, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

static bool
give_name(struct file *f, const char *folder)
{
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		f->temp = temp_name(folder);
		if (f->temp == NULL)
			return false;
		if (link_nameless(f, f->temp))
			return true;
		free(f->temp);
		f->temp = NULL;
		if (errno != EEXIST)
			return false;
	}
	return false;
}

/* ---- files -------------------------------------------------------------------- */

bool
file_begin(struct file *f, const char *path, struct err *err)
{
	char *folder = folder_of(path);

	*f = FILE_INIT;
	f->path = strdup(path);
	if (folder != NULL && f->path != NULL) {
		if (access("/proc/self/fd", X_OK) == 0)
			f->fd = open_nameless(folder);
		if (f->fd < 0)
			f->fd = open_named(folder, &f->temp);
	} else
		errno = ENOMEM;
	if (f->fd < 0)
		fail_errno(err, "%s: cannot make a file there", path);
	free(folder);
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
sync_folder(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

static bool
move(struct file *f, bool replace, struct err *err)
{
	if (replace) {
		if (rename(f->temp, f->path) == 0)
			return true;
	} else {
		if (link(f->temp, f->path) == 0) {
			unlink(f->temp);
			return true;
		}
		if (errno == EEXIST)
			return fail(err, E_USAGE,
			    "%s: exists already, and is not replaced", f->path);
		/* A file system without hard links. */
		if ((errno == EPERM || errno == EOPNOTSUPP) &&
		    renameat2(AT_FDCWD, f->temp, AT_FDCWD, f->path,
		    RENAME_NOREPLACE) == 0)
			return true;
	}
	return fail_errno(err, "%s: cannot be put in place", f->path);
}

bool
file_place(struct file *f, struct err *err)
{
	char *folder = folder_of(f->path);
	bool ok = false;

	if (folder == NULL)
		fail(err, E_SYSTEM, "%s: no memory", f->path);
	else if (f->temp == NULL && link_nameless(f, f->path))
		ok = true;
	else if (f->temp == NULL && errno == EEXIST)
		fail(err, E_USAGE, "%s: exists already, and is not replaced", f->path);
	else if (f->temp == NULL && !give_name(f, folder))
		fail_errno(err, "%s: cannot be put in place", f->path);
	else if (move(f, false, err)) {
		free(f->temp);
		f->temp = NULL;
		ok = true;
	}
	free(folder);
	file_abandon(f);
	return ok;
}

bool
file_publish(struct file *f, bool replace, struct err *err)
{
	char *folder = folder_of(f->path);
	bool ok = false;

	if (folder == NULL)
		fail(err, E_SYSTEM, "%s: no memory", f->path);
	else if (fsync(f->fd) < 0)
		fail_errno(err, "%s: cannot be written", f->path);
	else if (f->temp == NULL && !give_name(f, folder))
		fail_errno(err, "%s: cannot be put in place", f->path);
	else if (move(f, replace, err)) {
		sync_folder(folder);
		free(f->temp);
		f->temp = NULL;
		ok = true;
	}
	free(folder);
	return ok;
}

bool
file_commit(struct file *f, bool replace, struct err *err)
{
	bool ok = file_publish(f, replace, err);

	file_abandon(f);
	return ok;
}

void
file_abandon(struct file *f)
{
	if (f->temp != NULL)
		unlink(f->temp);
	if (f->fd >= 0)
		close(f->fd);
	free(f->temp);
	free(f->path);
	*f = FILE_INIT;
}

bool
fd_temporary(int *fd, const char *folder, struct err *err)
{
	char *name = NULL;

	if (folder == NULL)
		folder = getenv("TMPDIR");
	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	*fd = open_nameless(folder);
	if (*fd < 0)
		*fd = open_named(folder, &name);
	if (*fd < 0)
		return fail_errno(err, "%s: cannot make a temporary file",
		    folder);
	if (name != NULL)
		unlink(name);
	free(name);
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
file_sweep(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL)
		if (is_leftover(dirfd(dir), entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
}
