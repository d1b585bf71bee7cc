/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * folder: a folder for the files of one test program.
 */
#ifndef UNIT_FOLDER_H
#define UNIT_FOLDER_H

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path in the folder; the caller frees. */
static inline char *
folder_path(const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return strdup(path);
}

static inline char *
folder_make(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path = folder_path(tmp != NULL ? tmp : "/tmp", "icecore-test-XXXXXX");

	if (mkdtemp(path) == NULL) {
		perror(path);
		exit(1);
	}
	return path;
}

static inline void
folder_write(const char *path, const void *data, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n) {
		perror(path);
		exit(1);
	}
	close(fd);
}

/* All of a file; the caller frees. */
static inline char *
folder_read(const char *path, size_t *n)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	char *data;

	*n = 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	data = malloc((size_t)st.st_size + 1);
	*n = (size_t)st.st_size;
	if (read(fd, data, *n) != st.st_size) {
		free(data);
		data = NULL;
	}
	close(fd);
	return data;
}

static inline int
folder_holds(const char *path, const char *want, size_t n)
{
	size_t size;
	char *data = folder_read(path, &size);
	int same = data != NULL && size == n && memcmp(data, want, n) == 0;

	free(data);
	return same;
}

/* Files whose names begin with prefix. */
static inline int
folder_count(const char *folder, const char *prefix)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int n = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		n += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	if (dir != NULL)
		closedir(dir);
	return n;
}

/* Removes the files, and the folders within that are empty or hold files only. */
static inline void
folder_clear(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char *path;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		path = folder_path(folder, entry->d_name);
		if (unlink(path) < 0) {
			chmod(path, 0700);
			folder_clear(path);
			rmdir(path);
		}
		free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

static inline void
folder_remove(char *folder)
{
	folder_clear(folder);
	rmdir(folder);
	free(folder);
}

#endif
