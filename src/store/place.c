/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * place: the place of the index of a file: next to the file, or in the user's cache if that is impossible, or
 * in the directory the user names.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/named.h"
#include "inside.h"

#define SUFFIX ".icx"
#define RAW ".raw"
#define BASE_MAX 200	/* longer names would leave no room for suffixes */

const char *const store_endings[] = { SUFFIX, SUFFIX RAW, NULL };

static void
place_note(struct store *st, const char *text)
{
	pthread_mutex_lock(&st->lock);
	st->at.note = store_keep(st, str_of(text));
	pthread_mutex_unlock(&st->lock);
}

/* All columns are in the index that target names, or none. */
static void
store_all(struct store *st, bool stored)
{
	for (size_t i = 0; i < st->entries.n; i++)
		st->entries.at[i]->stored = stored;
	if (!stored)
		st->stored_facts.at = 0;
}

/* The directory of path with its slash: "" for "name". */
static struct str
directory_in(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (struct str){
		path, slash == NULL ? 0 : (size_t)(slash + 1 - path)
	};
}

/* ---- candidates ----------------------------------------------------------------- */

/* Append the suffix to the name of the file: ".icx", ".2.icx" for its second dump. */
static void
add_suffix(const struct store *st, struct buf *b)
{
	if (st->dump > 1)
		buf_printf(b, ".%u", st->dump);
	buf_str(b, STR(SUFFIX));
}

static bool
put_beside(const struct store *st, struct buf *b)
{
	if (strlen(st->base) > BASE_MAX)
		return false;
	buf_str(b, directory_in(st->path));
	buf_str(b, str_of(st->base));
	add_suffix(st, b);
	return !b->bad;
}

static bool
put_in_dir(const struct store *st, const char *dir, struct buf *b)
{
	buf_printf(b, "%s/%.*s", dir, BASE_MAX, st->base);
	add_suffix(st, b);
	return !b->bad;
}

/* Files of the same name from different directories must not meet there. */
static bool
put_in_cache(const struct store *st, struct buf *b)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char *real = realpath(st->path, NULL);
	bool ok = true;

	if (cache != NULL && cache[0] == '/')
		buf_printf(b, "%s", cache);
	else if (home != NULL && home[0] == '/')
		buf_printf(b, "%s/.cache", home);
	else
		ok = false;
	if (real == NULL)
		ok = false;
	else
		buf_printf(b, "/icecore/%016" PRIx64 "-%.*s",
		    hash_bytes(real, strlen(real), 0), BASE_MAX, st->base);
	add_suffix(st, b);
	free(real);
	return ok && !b->bad;
}

/* Nothing is in the way of the index there, nor of what the file unpacks to. */
static bool
takes_beside(const struct store *st)
{
	struct buf b = BUF_INIT;
	bool ok = put_beside(st, &b) && directory_takes(b.s) && directory_replaces(b.s);

	buf_clear(&b);
	buf_str(&b, directory_in(st->path));
	buf_str(&b, str_of(st->base));
	buf_str(&b, STR(SUFFIX RAW));
	ok = ok && !b.bad && directory_replaces(b.s);
	buf_free(&b);
	return ok;
}

/*
 * Reads the index at path if none was found yet, and keeps path as a target, or as the next one; fresh: reads
 * none.
 */
static void
consider(struct store *st, const char *path, bool writable, bool anew)
{
	const char *kept = NULL;
	struct looked seen = { .there = false };
	bool read_it = !anew && st->at.found == NULL && index_load(st, path, &seen);
	bool take_it = writable && st->at.target == NULL, is_next = writable && !take_it;

	if (take_it && !seen.there)
		index_look(path, &seen);
	pthread_mutex_lock(&st->lock);
	if (read_it || writable)
		kept = store_keep(st, str_of(path));
	if (read_it)
		st->at.found = kept;
	if (take_it) {
		st->at.target = kept;
		st->seen = seen;
		st->grows = read_it;
	}
	if (is_next)
		st->at.next = kept;
	pthread_mutex_unlock(&st->lock);
	if (read_it && take_it)
		store_all(st, true);
}

static void
consider_at(struct store *st, bool (*put)(const struct store *, struct buf *), bool writable, bool anew)
{
	struct buf b = BUF_INIT;

	if (put(st, &b))
		consider(st, b.s, writable, anew);
	buf_free(&b);
}

/*
 * An index in a directory that cannot be written never grows: try the cache first.  Otherwise try it second.
 */
static void
consider_all(struct store *st, bool beside, bool anew)
{
	if (!beside)
		consider_at(st, put_in_cache, true, anew);
	consider_at(st, put_beside, beside, anew);
	if (beside)
		consider_at(st, put_in_cache, true, anew);
}

void
place_find(struct store *st, const struct store_options *o)
{
	static const struct store_options none;
	struct buf b = BUF_INIT;

	o = o != NULL ? o : &none;
	if (o->dir == NULL)
		consider_all(st, !o->read_only && takes_beside(st), o->anew);
	else if (put_in_dir(st, o->dir, &b))
		consider(st, b.s, true, o->anew);
	buf_free(&b);
	if (st->at.target == NULL)
		place_note(st, "off: cannot be written next to the file, and no cache directory; --index DIR sets a "
		    "directory");
}

/* Each path that the index may have. */
static void
each_place(const char *path, const struct store_options *o, void (*each)(void *, const char *, bool),
    void *to)
{
	const char *slash = strrchr(path, '/');
	const struct store st = { .path = (char *)(uintptr_t)path, .dump = o->dump,
	    .base = (char *)(uintptr_t)(slash != NULL ? slash + 1 : path) };
	struct buf b = BUF_INIT;

	if (o->memory_only || strcmp(path, "-") == 0)
		return;
	if (o->dir != NULL ? put_in_dir(&st, o->dir, &b) : put_beside(&st, &b))
		each(to, b.s, o->dir != NULL || (!o->read_only && takes_beside(&st)));
	buf_clear(&b);
	if (o->dir == NULL && put_in_cache(&st, &b))
		each(to, b.s, true);
	buf_free(&b);
}

void
store_places(const char *path, const struct store_options *o, void (*each)(void *, const char *, bool),
    void *to)
{
	each_place(path, o, each, to);
}

static void
place_look(void *there, const char *path, bool writes)
{
	(void)writes;
	*(bool *)there |= access(path, F_OK) == 0;
}

bool
store_has_index(const char *path, const struct store_options *o)
{
	bool there = false;

	each_place(path, o, place_look, &there);
	return there;
}

/* ---- making ready ---------------------------------------------------------------- */

void
store_keep_none(struct store *st, const char *why)
{
	place_note(st, why);
	pthread_mutex_lock(&st->lock);
	st->at.target = st->at.next = st->at.found = NULL;
	pthread_mutex_unlock(&st->lock);
	claim_end(st);
}

bool
place_next(struct store *st)
{
	struct looked seen = { .there = false };

	assert(!st->growing);
	if (st->at.next == NULL)
		return false;
	index_look(st->at.next, &seen);
	claim_end(st);
	pthread_mutex_lock(&st->lock);
	st->at.target = st->at.next;
	st->at.next = NULL;
	st->seen = seen;
	st->grows = false;
	pthread_mutex_unlock(&st->lock);
	return true;
}

/* To the next place, or to none, for that reason. */
static void
go_on(struct store *st, const char *why)
{
	struct buf b = BUF_INIT;

	if (place_next(st))
		return;
	buf_printf(&b, "off: %s", why);
	store_keep_none(st, b.bad ? "off: out of memory" : b.s);
	buf_free(&b);
}

static bool
begin_new(struct store *st, struct err *err)
{
	struct str directory = directory_in(st->at.target);
	struct buf b = BUF_INIT;
	bool ok;

	(void)named_directories(st->at.target);
	buf_str(&b, directory);
	buf_chr(&b, '.');
	if (!b.bad)
		file_sweep(b.s);
	buf_free(&b);
	ok = file_begin(&st->building, st->at.target, err);
	if (ok) {
		st->end = index_page_up(INDEX_PAGE);
		store_all(st, false);
		st->grows = true;
	}
	return ok;
}

bool
place_begin(struct store *st)
{
	enum claim claim;
	struct err why;

	assert(st->at.target != NULL && st->below == NULL);
	if (st->building.fd >= 0)
		return true;
	if (st->grows) {
		claim = claim_growth(st);
		if (claim == CLAIM_OURS)
			return true;
		if (claim == CLAIM_BUSY) {
			store_keep_none(st, "off: another icecore is writing it");
			return false;
		}
	}
	while (st->at.target != NULL && !begin_new(st, &why))
		go_on(st, why.text);
	return st->at.target != NULL;
}

char *
store_unpacked_path(const struct store *st, bool other)
{
	struct buf b = BUF_INIT;
	const char *index;
	struct str name;

	if (st->below != NULL)
		return store_unpacked_path(st->below, other);
	index = other ? st->at.next : st->at.target;
	if (index == NULL)
		return NULL;
	name = str_of(index);
	name.n -= sizeof SUFFIX - 1;
	if (st->dump > 1)
		name.n -= (size_t)snprintf(NULL, 0, ".%u", st->dump);
	buf_str(&b, name);
	buf_str(&b, STR(SUFFIX RAW));
	if (!b.bad)
		return b.s;
	buf_free(&b);
	return NULL;
}
