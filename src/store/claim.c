/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * claim: the right to write an index, so that processes never spoil each other's.
 *
 * Whoever writes holds a lock on the file that has the name of the index: to append to it, or to put
 * another one in its place. Where no file has the name, the one who makes the name first wins.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/named.h"
#include "inside.h"

/* A file system without locks is not an obstacle. */
static bool
claim_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/*
 * Opens and locks the regular file that has the name: CLAIM_OURS.  CLAIM_FREE: there is none, or none
 * that we may open.
 */
static enum claim
seize(const char *name, int *fd, struct stat *s)
{
	struct stat named;

	*fd = named_open_both(name);
	if (*fd < 0 || fstat(*fd, s) < 0) {
		if (*fd >= 0)
			close(*fd);
		return CLAIM_FREE;
	}
	/* Another file may have got the name in the meantime. */
	if (claim_lock(*fd) && lstat(name, &named) == 0 &&
	    named.st_dev == s->st_dev && named.st_ino == s->st_ino)
		return CLAIM_OURS;
	close(*fd);
	return CLAIM_BUSY;
}

static void
read_header(int fd, struct index_header *h)
{
	memset(h, 0, sizeof *h);
	if (pread(fd, h, sizeof *h, 0) != (ssize_t)sizeof *h)
		memset(h, 0, sizeof *h);
}

/* Whether the file is unchanged since it was examined. */
static bool
claim_is_seen(const struct store *st, const struct stat *s, const struct index_header *h)
{
	return st->seen.there && st->seen.dev == (uint64_t)s->st_dev &&
	    st->seen.ino == s->st_ino &&
	    memcmp(h, &st->seen.header, sizeof *h) == 0;
}

/* Whether the file is a valid index by another process: it is not replaced, either.  An invalid index is. */
static bool
claim_is_other(const struct store *st, const struct stat *s, const struct index_header *h)
{
	return map_is_own(s) && index_header_ok(st, h);
}

/* Truncate bytes behind the end, left by a process that died. */
static bool
cut(int fd, uint64_t size, const struct stat *s)
{
	return (uint64_t)s->st_size == size || ftruncate(fd, (off_t)size) == 0;
}

enum claim
claim_growth(struct store *st)
{
	struct index_header h;
	struct stat s;
	int fd;
	enum claim claim = seize(st->at.target, &fd, &s);

	if (claim != CLAIM_OURS)
		return claim;
	read_header(fd, &h);
	if (claim_is_seen(st, &s, &h) && cut(fd, h.file_size, &s)) {
		st->building = (struct file){ .fd = fd, .through = -1, .made = -1 };
		st->growing = true;
		st->end = index_page_up(h.file_size);
		return CLAIM_OURS;
	}
	close(fd);
	return claim_is_other(st, &s, &h) ? CLAIM_BUSY : CLAIM_FREE;
}

enum claim
claim_name(struct store *st)
{
	struct index_header h;
	struct stat s;
	enum claim claim = CLAIM_OURS;

	assert(st->at.target != NULL && !st->growing);
	if (st->replaced >= 0)
		return CLAIM_OURS;
	claim = seize(st->at.target, &st->replaced, &s);
	if (claim == CLAIM_FREE)
		claim = lstat(st->at.target, &s) == 0 ? CLAIM_OURS : CLAIM_FREE;
	else if (claim == CLAIM_OURS) {
		read_header(st->replaced, &h);
		if (claim_is_seen(st, &s, &h) || !claim_is_other(st, &s, &h))
			return CLAIM_OURS;
		close(st->replaced);
		claim = CLAIM_BUSY;
	}
	st->replaced = -1;
	return claim;
}

void
claim_cut(struct store *st)
{
	struct stat s;

	/* When that fails the next one who writes does it. */
	if (st->growing && fstat(st->building.fd, &s) == 0)
		(void)cut(st->building.fd, st->seen.header.file_size, &s);
}

void
claim_end(struct store *st)
{
	for (size_t i = 0; i < st->entries.n; i++)
		if (st->entries.at[i]->place == PLACE_NEW)
			st->entries.at[i]->place = PLACE_MAPPED;
	/* Mappings of the file keep its lock: closing it would not unlock it. */
	if (st->building.fd >= 0)
		(void)flock(st->building.fd, LOCK_UN);
	file_abandon(&st->building);
	if (st->replaced >= 0) {
		(void)flock(st->replaced, LOCK_UN);
		close(st->replaced);
	}
	st->replaced = -1;
	st->growing = false;
	st->end = 0;
}
