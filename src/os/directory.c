/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * directory: the directory of a file, the directory for temporary files, and files below an open directory.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"

char *
directory_of(const char *path)
{
	size_t n = strlen(path);
	const char *slash;

	while (n > 1 && path[n - 1] == '/')
		n--;
	slash = memrchr(path, '/', n);
	if (slash == NULL)
		return mem_copy(STR("."));
	return mem_copy((struct str){ path, slash == path ? 1 : (size_t)(slash - path) });
}

/* The place that the text of a link in a directory means. */
static char *
directory_linked(const char *link)
{
	char text[PATH_MAX], *directory, *next = NULL;
	ssize_t n = readlink(link, text, sizeof text);

	if (n < 0)
		return NULL;
	if (n > 0 && text[0] == '/')
		return mem_copy((struct str){ text, (size_t)n });
	directory = directory_of(link);
	if (directory != NULL && (size_t)n < sizeof text &&
	    asprintf(&next, "%s/%.*s", directory, (int)n, text) < 0)
		next = NULL;
	free(directory);
	return next;
}

/* Links to what is open, such as /dev/stdout, have no path as their text. */
static bool
directory_has_link(const char *path)
{
	struct stat st;

	return strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0 && lstat(path, &st) == 0 &&
	    S_ISLNK(st.st_mode);
}

char *
directory_link_end(const char *path)
{
	enum { LINKS_MOST = 40 };	/* as in Linux */
	char *at = NULL, *next;

	errno = 0;
	for (unsigned i = 0; directory_has_link(at != NULL ? at : path); i++) {
		next = i < LINKS_MOST ? directory_linked(at != NULL ? at : path) : NULL;
		if (i == LINKS_MOST)
			errno = ELOOP;
		free(at);
		if ((at = next) == NULL)
			return NULL;
	}
	errno = 0;
	return at;
}

const char *
shown_path(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

struct str
last_name(const char *path)
{
	struct str name = str_of(path), before, last;

	while (name.n > 1 && name.s[name.n - 1] == '/')
		name.n--;
	return str_divide_last(name, '/', &before, &last) && last.n > 0 ? last : name;
}

struct str
shown_name(const char *path)
{
	return last_name(shown_path(path));
}

const char *
directory_temporary(void)
{
	const char *name = getenv("TMPDIR");

	return name != NULL && name[0] != '\0' ? name : "/tmp";
}

bool
directory_is(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
directory_is_root(const char *directory)
{
	struct stat st, root;

	return stat(directory, &st) == 0 && stat("/", &root) == 0 && st.st_dev == root.st_dev &&
	    st.st_ino == root.st_ino;
}

bool
directory_takes(const char *path)
{
	char *directory = directory_of(path);
	bool ok = directory != NULL && !directory_is_root(directory) &&
	    faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0;

	free(directory);
	return ok;
}

bool
directory_replaces(const char *path)
{
	char *directory = directory_of(path);
	struct stat there, in;
	uid_t user = geteuid();
	bool ok = user == 0 || lstat(path, &there) != 0 || there.st_uid == user ||
	    (directory != NULL && stat(directory, &in) == 0 &&
	    ((in.st_mode & S_ISVTX) == 0 || in.st_uid == user));

	free(directory);
	return ok;
}

int
directory_file(int directory, const char *name, int flags)
{
	int fd = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC), error = errno;
	struct stat st;

	/* Systems and flags differ in the reason. */
	if (fd < 0 && fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		error = ELOOP;
	errno = error;
	return fd;
}

int
directory_enter(int directory, const char *path, const char **name)
{
	int at = fcntl(directory, F_DUPFD_CLOEXEC, 3), next, error;
	char part[NAME_MAX + 1];
	size_t n;

	path += strspn(path, "/");
	while (at >= 0 && path[n = strcspn(path, "/")] != '\0') {
		next = -1;
		error = ENAMETOOLONG;
		if (n < sizeof part) {
			snprintf(part, sizeof part, "%.*s", (int)n, path);
			next = directory_file(at, part, O_PATH | O_DIRECTORY);
			error = errno;
		}
		close(at);
		errno = error;
		at = next;
		path += n + strspn(path + n, "/");
	}
	*name = path[0] != '\0' ? path : ".";
	return at;
}
