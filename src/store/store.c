/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store: a source and what is known about it.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "icecore/limits.h"
#include "inside.h"

#define DIGEST "trace.sha256"

/* The path names the very file that was mapped, and an index can belong to that file. */
static bool
is_regular(const struct store *st)
{
	struct stat s;

	return stat(st->path, &s) == 0 && S_ISREG(s.st_mode) &&
	    (uint64_t)s.st_dev == st->file.dev && s.st_ino == st->file.ino;
}

static bool
name_source(struct store *st, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');

	st->path = mem_copy(str_of(path));
	st->base = mem_copy(str_of(slash == NULL ? path : slash + 1));
	return (st->path != NULL && st->base != NULL) || fail(err, E_SYSTEM, "out of memory");
}

static bool
open_source(struct store *st, const char *path,
    const struct store_options *o, struct err *err)
{
	const struct str *bytes = o != NULL ? o->bytes : NULL;
	const int *fd = o != NULL ? o->fd : NULL;

	if (!name_source(st, path, err) || !(bytes != NULL ? map_of_memory(&st->file, *bytes, err) :
	    fd != NULL ? map_open_fd(&st->file, *fd, NULL, o->work, err) :
	    map_open_known(&st->file, path, NULL, o != NULL ? o->known : NULL, o != NULL ? o->work : NULL, err)))
		return false;
	if (bytes != NULL || strcmp(path, "-") == 0 || !is_regular(st))
		st->at.note = "off: input is not a regular file";
	else if (o != NULL && o->memory_only)
		st->at.note = "off (--no-index)";
	else
		place_find(st, o);
	return o == NULL || !o->digest || store_fact_str(st, DIGEST).n > 0 ||
	    digest_start(&st->digest, &st->file, o->work, err);
}

static struct store *
store_new(struct err *err)
{
	static atomic_uint_fast64_t last;
	struct store *st = mem_array(1, sizeof *st);

	if (st == NULL) {
		fail(err, E_SYSTEM, "out of memory");
		return NULL;
	}
	st->file.slot = st->raw.slot = st->index.slot = -1;
	st->building = FILE_INIT;
	st->refused = mem_refused();
	st->replaced = -1;
	st->at.note = "";
	st->dump = 1;
	/* Stores are opened by several threads. */
	st->serial = atomic_fetch_add(&last, 1) + 1;
	pthread_mutex_init(&st->lock, NULL);
	pthread_mutex_init(&st->mending, NULL);
	return st;
}

bool
store_open(struct store **out, const char *path,
    const struct store_options *o, struct err *err)
{
	struct store *st = store_new(err);

	if (st == NULL)
		return false;
	if (o != NULL && o->dump > 1)
		st->dump = o->dump;
	st->rebuild = o == NULL ? NULL : o->rebuild;
	if (open_source(st, path, o, err)) {
		*out = st;
		return true;
	}
	store_close(st);
	return false;
}

void
store_close(struct store *st)
{
	if (st == NULL)
		return;
	store_close(st->anew);
	store_close(st->owned);
	for (size_t i = 0; i < st->entries.n; i++)
		column_free(st->entries.at[i]);
	st->entries.n = 0;
	claim_cut(st);
	claim_end(st);
	for (size_t i = 0; i < st->kept.n; i++)
		free(st->kept.text[i]);
	free(st->entries.at);
	free(st->kept.text);
	free(st->facts.fact);
	free(st->pending.fact);
	digest_free(st->digest);
	map_close(&st->index);
	map_close(&st->raw);
	map_close(&st->file);
	pthread_mutex_destroy(&st->lock);
	pthread_mutex_destroy(&st->mending);
	free(st->path);
	free(st->base);
	free(st);
}

/* The store of the file, which may be this one. */
static struct store *
store_bottom(const struct store *st)
{
	while (st->below != NULL)
		st = st->below;
	return (struct store *)(uintptr_t)st;
}

const char *
store_path(const struct store *st)
{
	return store_bottom(st)->path;
}

unsigned
store_dump(const struct store *st)
{
	return st->dump;
}

const char *
store_index_path(const struct store *st)
{
	struct store *s = store_bottom(st);
	const char *path;

	pthread_mutex_lock(&s->lock);
	path = s->at.found != NULL ? s->at.found : s->at.target;
	pthread_mutex_unlock(&s->lock);
	return path == NULL ? "" : path;
}

const char *
store_note(const struct store *st)
{
	struct store *s = store_bottom(st);
	const char *note;

	pthread_mutex_lock(&s->lock);
	note = s->at.note;
	pthread_mutex_unlock(&s->lock);
	return note == NULL ? "" : note;
}

bool
store_damage(const struct store *st, uint64_t *at)
{
	struct store *s = store_bottom(st);
	bool damaged;

	pthread_mutex_lock(&s->lock);
	damaged = s->voided || s->mended > 0;
	*at = damaged ? s->damage : STORE_COPY;
	damaged |= s->copy_damaged;
	pthread_mutex_unlock(&s->lock);
	return damaged;
}

bool
store_damage_text(const struct store *st, struct buf *b)
{
	uint64_t at;

	if (!store_damage(st, &at))
		return false;
	if (at == STORE_COPY)
		buf_str(b, STR("unpacked data was damaged; unpacked again"));
	else
		buf_printf(b, "index was damaged at byte %llu; rebuilt", (unsigned long long)at);
	return true;
}

void
store_copy_damaged(struct store *st)
{
	pthread_mutex_lock(&st->lock);
	st->copy_damaged = true;
	pthread_mutex_unlock(&st->lock);
}

bool
store_doubted(const struct store *st)
{
	return st->doubted;
}

void
store_confirm(struct store *st)
{
	/* Only an index that can grow: any other would be written as a whole. */
	if (st->doubted && st->grows && st->file.ctime != 0)
		atomic_store(&st->dirty, true);
	st->doubted = false;
}

size_t
store_mended(const struct store *st)
{
	struct store *s = store_bottom(st);
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = s->mended;
	pthread_mutex_unlock(&s->lock);
	return n;
}

const struct map *
store_file(const struct store *st)
{
	return &store_bottom(st)->file;
}

const struct map *
store_source(const struct store *st)
{
	st = store_bottom(st);
	return st->unpacked ? &st->raw : &st->file;
}

static bool
make_digest(struct store *st, struct work *work, struct err *err)
{
	unsigned char sum[SHA256_BYTES];
	char text[2 * SHA256_BYTES + 1];

	if ((st->digest == NULL && !digest_start(&st->digest, &st->file, work, err)) ||
	    !digest_take(st->digest, sum, work, err))
		return false;
	for (size_t i = 0; i < SHA256_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", sum[i]);
	if (!store_fact_text(st, DIGEST, str_of(text), err))
		return false;
	store_publish(st);
	return true;
}

bool
store_digest(struct store *st, struct work *work, struct str *digest, struct err *err)
{
	st = store_bottom(st);
	if (store_fact_str(st, DIGEST).n == 0 && !make_digest(st, work, err))
		return false;
	*digest = store_fact_str(st, DIGEST);
	return true;
}

void
store_set_source(struct store *st, struct map *m)
{
	assert(st->below == NULL);
	map_close(&st->raw);
	st->raw = *m;
	st->unpacked = true;
	*m = (struct map){ .slot = -1 };
}

bool
store_lost(const struct store *st)
{
	return (st->below != NULL && store_lost(st->below)) || map_lost(&st->file) || map_lost(&st->raw) ||
	    map_lost(&st->index);
}

/* ---- stores in memory over others ------------------------------------------------------------ */

struct store *
store_below(const struct store *st)
{
	return st->below;
}

void
store_put_beside(struct store *st, const struct store *beside)
{
	st->beside = beside;
}

void
store_own_beside(struct store *st, struct store *beside)
{
	st->beside = st->owned = beside;
}

const struct store *
store_beside(const struct store *st)
{
	return st->beside;
}

uint64_t
store_serial(const struct store *st)
{
	return st == NULL ? 0 : st->serial;
}

bool
store_over(struct store **out, struct store *below, const column_id *masked, struct err *err)
{
	struct store *st = store_new(err);

	assert(below != NULL);
	if (st == NULL)
		return false;
	st->dump = below->dump;
	st->below = below;
	for (; masked != NULL && *masked != COL_NONE; masked++)
		for (unsigned i = 0; i < (col_is_family(*masked) ? COL_CHOICES : 1); i++)
			st->masked[col_choice(*masked, i)] = true;
	*out = st;
	return true;
}

void
store_close_pile(struct store *st, const struct store *bottom)
{
	struct store *below;

	for (; st != NULL && st != bottom; st = below) {
		below = st->below;
		store_close(st);
	}
}
