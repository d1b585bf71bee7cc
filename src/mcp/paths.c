/*
 * paths: files beneath the root, by the kernel: openat2 leads nowhere else, whatever is renamed meanwhile.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mcp.h"

#define PATH_MOST 1024
#define NAME_SHOWN 64u		/* columns of a name in an error */

/* Headers may be older than the kernel: as in <linux/openat2.h>, on all machines. */
enum { OPENAT2 = 437 };
enum { NO_XDEV = 1, NO_MAGICLINKS = 2, NO_SYMLINKS = 4, BENEATH = 8 };

struct how {
	uint64_t	flags, mode, resolve;
};

static int
open_beneath(const struct mcp_options *o, const char *path, int flags)
{
	struct how how = { .flags = (uint64_t)flags,
	    .resolve = BENEATH | NO_MAGICLINKS | NO_XDEV | (o->follow ? 0 : NO_SYMLINKS) };
	long fd;
	int tries = 0;

	/* Something was renamed beside it. */
	do
		fd = syscall(OPENAT2, o->root, path, &how, sizeof how);
	while (fd < 0 && (errno == EAGAIN || errno == EINTR) && ++tries < 100);
	return (int)fd;
}

/* The same, part by part, for kernels before 5.6; it follows no links. */
static int
open_parts(int root, char *path, int flags)
{
	int at = dup(root), next;
	char *part = path, *slash;

	do {
		slash = strchr(part, '/');
		if (slash != NULL)
			*slash = '\0';
		if (strcmp(part, "..") == 0 || path[0] == '/') {
			close(at);
			errno = ENOENT;
			return -1;
		}
		if (part[0] != '\0' && at >= 0) {
			next = openat(at, part, (slash != NULL ? O_PATH | O_DIRECTORY : flags) | O_NOFOLLOW | O_CLOEXEC);
			close(at);
			at = next;
		}
		part = slash == NULL ? NULL : slash + 1;
	} while (part != NULL);
	return at;
}

static int
open_either(const struct mcp_options *o, char *path, int flags)
{
	int fd = open_beneath(o, path, flags | O_CLOEXEC);

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? open_parts(o->root, path, flags) : fd;
}

/* To open a FIFO or a device does something already: it is looked at first. */
static bool
is_wanted(int fd, int root, bool directory, struct stat *st)
{
	struct stat top;

	return fd >= 0 && fstat(fd, st) == 0 && fstat(root, &top) == 0 && st->st_dev == top.st_dev &&
	    (directory ? S_ISDIR(st->st_mode) : S_ISREG(st->st_mode));
}

static bool
open_twice(const struct mcp_options *o, struct str path, bool directory, int *fd, struct stat *st)
{
	char name[2][PATH_MOST + 1];
	int seen;
	bool ok;

	for (size_t i = 0; i < 2; i++) {
		memcpy(name[i], path.n > 0 ? path.s : ".", path.n > 0 ? path.n : 1);
		name[i][path.n > 0 ? path.n : 1] = '\0';
	}
	seen = open_either(o, name[0], O_PATH);
	ok = is_wanted(seen, o->root, directory, st);
	if (seen >= 0)
		close(seen);
	*fd = ok ? open_either(o, name[1], O_RDONLY | O_NOCTTY | O_NONBLOCK | (directory ? O_DIRECTORY : 0)) : -1;
	if (is_wanted(*fd, o->root, directory, st))
		return true;
	if (*fd >= 0)
		close(*fd);
	return false;
}

bool
path_open(const struct mcp_options *o, struct str path, bool directory, int *fd, struct file_id *id, struct err *err)
{
	struct buf shown = BUF_INIT;
	struct stat st;

	if (path.n <= PATH_MOST && (directory || path.n > 0) && (path.n == 0 || memchr(path.s, '\0', path.n) == NULL) &&
	    open_twice(o, path, directory, fd, &st)) {
		*id = (struct file_id){ st.st_dev, st.st_ino,
		    (uint64_t)st.st_mtim.tv_sec * 1000000000u + (uint64_t)st.st_mtim.tv_nsec, (uint64_t)st.st_size };
		return true;
	}
	text_escape(&shown, str_head(path, PATH_MOST));
	fail(err, E_USAGE, "no such %s below the root: '%.*s'", directory ? "directory" : "file",
	    (int)text_cut(buf_view(&shown), NAME_SHOWN, NULL), shown.s != NULL ? shown.s : "");
	buf_free(&shown);
	return false;
}
