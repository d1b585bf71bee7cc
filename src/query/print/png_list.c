/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * png_list: the list of pictures that were not written because an equal one was.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/named.h"
#include "pictures.h"

#define HEAD "address\tfile\n"

static int
line_cmp(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Count the lines; line: array to store them in, or NULL. */
static size_t
split_lines(struct str text, struct str *line)
{
	struct str one;
	size_t n = 0;

	for (; str_split(&text, '\n', &one); n++)
		if (line != NULL)
			line[n] = one;
	return n;
}

/* Merge both lists below the head, sorted, each line once. */
static bool
png_list_merge(struct str old, struct str added, struct buf *b, struct err *err)
{
	size_t n = split_lines(old, NULL) + split_lines(added, NULL), i;
	struct str *line = mem_array(n + 1, sizeof *line);

	if (line == NULL)
		return fail(err, E_SYSTEM, "out of memory (list of equal pictures)");
	n = split_lines(old, line);
	n += split_lines(added, line + n);
	qsort(line, n, sizeof *line, line_cmp);
	buf_str(b, STR(HEAD));
	for (i = 0; i < n; i++) {
		if (line[i].n == 0 || (i > 0 && str_eq(line[i], line[i - 1])))
			continue;
		buf_str(b, line[i]);
		buf_chr(b, '\n');
	}
	free(line);
	return !b->bad || fail(err, E_SYSTEM, "out of memory (list of equal pictures)");
}

static bool
replace(const char *path, struct str text, bool there, struct err *err)
{
	struct file file;

	if (!file_begin(&file, path, err))
		return false;
	if (!file_write(&file, text.s, text.n, err)) {
		file_abandon(&file);
		return false;
	}
	return file_commit(&file, there, err);
}

/* Write the merged list.  old: the present list with its head; NULL s: there is none. */
static bool
update(const char *path, struct str old, struct str added, enum picture_fate *fate,
    uint64_t *size, struct err *err)
{
	struct str rest = old;
	struct buf b = BUF_INIT;
	bool ok;

	if (old.s != NULL) {
		rest.s += sizeof HEAD - 1;
		rest.n -= sizeof HEAD - 1;
	}
	ok = png_list_merge(rest, added, &b, err);
	*size = b.n;
	*fate = ok && str_eq(buf_view(&b), old) ? PICTURE_THERE : PICTURE_WRITTEN;
	if (ok && *fate == PICTURE_WRITTEN)
		ok = replace(path, buf_view(&b), old.s != NULL, err);
	buf_free(&b);
	return ok;
}

/* Update an open file, if it is a list. */
static bool
update_open(int fd, const char *path, struct str added, enum picture_fate *fate,
    uint64_t *size, const char **why, struct err *err)
{
	struct map map;
	struct str old;
	struct stat st;
	bool ok;

	*fate = PICTURE_REFUSED;
	*why = "existing duplicates.tsv has another format";
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)(sizeof HEAD - 1))
		return true;
	if (!map_open_fd(&map, fd, NULL, NULL, err))
		return false;
	old = (struct str){ (const char *)map.data, map.size };
	ok = !str_has_prefix(old, STR(HEAD)) || update(path, old, added, fate, size, err);
	map_close(&map);
	return ok;
}

bool
png_list(const char *path, struct str lines, enum picture_fate *fate, uint64_t *size,
    const char **why, struct err *err)
{
	int fd = named_open(path, O_NOFOLLOW | O_NONBLOCK);
	bool ok;

	if (fd < 0 && errno == ENOENT)
		return update(path, (struct str){ NULL, 0 }, lines, fate, size, err);
	if (fd < 0 && errno == ELOOP) {
		*fate = PICTURE_REFUSED;
		*why = "a symbolic link is in the way";
		return true;
	}
	if (fd < 0)
		return fail_errno(err, "cannot read %s", path);
	ok = update_open(fd, path, lines, fate, size, why, err);
	close(fd);
	return ok;
}
