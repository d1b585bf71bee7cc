/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * verify: no byte of an index is used before its chunk was verified.
 *
 * The index has a sum of every CHUNK bytes of a column.  A column that was read from it is guarded: readers
 * of its values have them verified first, chunk by chunk, once.  If a chunk is damaged, the loader or the
 * pass that made the column rebuilds it, from the source alone, and its pages replace those of the file: the
 * same bytes, at the same address, so that readers need no change.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "icecore/named.h"
#include "icecore/system.h"
#include "inside.h"

#define FEW 4u		/* chunks that a look-up may need */

enum { CHUNK_UNKNOWN, CHUNK_GOOD };

/* ---- damage ---------------------------------------------------------------------- */

/* With the base columns, and none of st. */
static struct store *
begin_anew(struct store *st, struct work *w)
{
	struct store *anew;
	struct err err;

	if (st->rebuild == NULL || !store_over(&anew, st, NULL, &err))
		return NULL;
	memset(anew->masked, true, sizeof anew->masked);
	if (st->rebuild(anew, COL_NONE, w, &err))
		return anew;
	store_close(anew);
	return NULL;
}

/* Return a rebuilt copy of the column, if it has the same properties. */
static const void *
make_again(struct store *st, const struct held *e, struct work *w)
{
	const struct column *c;
	struct err err;

	if (st->anew == NULL && (st->anew = begin_anew(st, w)) == NULL)
		return NULL;
	c = store_column(st->anew, e->column.col);
	if (c == NULL && st->rebuild(st->anew, e->column.col, w, &err))
		c = store_column(st->anew, e->column.col);
	if (c == NULL || c->type != e->column.type || c->rows != e->column.rows)
		return NULL;
	for (uint64_t i = 0; i < chunks_of(index_bytes(&e->column)); i++)
		if (!chunks_fit(e, c->values, i))
			return NULL;
	return c->values;
}

/* Pages of a file, which may leave memory as those of the index did. */
static bool
chunks_put_file(void *at, const void *values, size_t bytes)
{
	bool ok;
	int fd;

	if (!fd_temporary(&fd, NULL, NULL))
		return false;
	ok = fd_write_all(fd, values, bytes, NULL) && mmap(at, bytes, PROT_READ, MAP_SHARED | MAP_FIXED, fd,
	    0) == at;
	close(fd);
	return ok;
}

/* Pages of memory, which are full when they come to that place: others may be reading there. */
static bool
put_memory(void *at, const void *values, size_t bytes)
{
	void *new = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (new == MAP_FAILED)
		return false;
	memcpy(new, values, bytes);
	if (mprotect(new, bytes, PROT_READ) == 0 && system_put_pages(at, new, bytes))
		return true;
	munmap(new, bytes);
	return false;
}

/* Replace the pages of the index by values. */
static bool
chunks_put(const struct held *e, const void *values)
{
	void *at = (void *)(uintptr_t)e->column.values;
	size_t bytes = (size_t)index_bytes(&e->column);

	if (chunks_put_file(at, values, bytes))
		return true;
	/* Anonymous pages must not be dropped: no file has their content. */
	resident_remove(e->store->index.data);
	return put_memory(at, values, bytes);
}

/* Rebuild a damaged column.  If that fails it reads as zeros and counts as lost, like a file that shrank. */
static void
mend(struct held *e, uint64_t chunk)
{
	struct store *st = e->store;
	struct work_was was;
	const void *values;

	pthread_mutex_lock(&st->mending);
	if (atomic_load(&e->column.guarded)) {
		chunks_open(e);
		was = work_apart("rebuilding damaged index");
		values = make_again(st, e, was.work);
		work_back(&was);
		if ((values == NULL || !chunks_put(e, values)) && !map_fault(e->column.values))
			abort();
		pthread_mutex_lock(&st->lock);
		/*
		 * Others may use the rest of an index that is not our target; a cancelled rebuild proves
		 * nothing.
		 */
		if (values == NULL && work_tick(was.work, 0) && st->at.found != NULL &&
		    st->at.found == st->at.target)
			(void)named_remove(st->at.found);
		if (st->mended++ == 0)
			st->damage = e->offset + chunk * CHUNK;
		e->stored = false;
		e->offset = 0;
		atomic_store(&st->dirty, true);
		pthread_mutex_unlock(&st->lock);
		atomic_store_explicit(&e->column.guarded, false, memory_order_release);
	}
	pthread_mutex_unlock(&st->mending);
}

/* ---- verifying ------------------------------------------------------------------- */

/* False: it was done before. */
static bool
verify(struct held *e, uint64_t chunk)
{
	unsigned char unknown = CHUNK_UNKNOWN;

	if (atomic_load_explicit(&e->chunk[chunk], memory_order_acquire) == CHUNK_GOOD)
		return false;
	chunks_open_one(e, chunk);
	if (!chunks_fit(e, e->column.values, chunk))
		mend(e, chunk);
	/* Two threads may have done the same. */
	else if (atomic_compare_exchange_strong(&e->chunk[chunk], &unknown, CHUNK_GOOD) &&
	    atomic_fetch_sub(&e->unknown, 1) == 1)
		atomic_store_explicit(&e->column.guarded, false, memory_order_release);
	return true;
}

void
column_verify(const struct column *c, uint64_t first, uint64_t n)
{
	struct held *e = (struct held *)(uintptr_t)c;
	uint64_t width = column_width(c->type), chunks = chunks_of(c->rows * width), last;
	bool more = false;

	if (n == 0 || first >= c->rows)
		return;
	last = n > c->rows - first ? c->rows - 1 : first + n - 1;
	last = (last * width + width - 1) / CHUNK;
	for (uint64_t i = first * width / CHUNK; i <= last && atomic_load(&c->guarded); i++)
		more |= verify(e, i);
	/* A caller that has read so much is likely to read all, which is faster without a guard. */
	more = more && chunks - atomic_load(&e->unknown) > FEW + chunks / 8;
	for (uint64_t i = 0; more && i < chunks && atomic_load(&c->guarded); i++)
		(void)verify(e, i);
}

static struct held *
find_guarded(struct store *st, uint64_t *left)
{
	struct held *e, *found = NULL;

	*left = 0;
	pthread_mutex_lock(&st->lock);
	for (size_t i = 0; i < st->entries.n; i++) {
		e = st->entries.at[i];
		if (e->state != STATE_PUBLISHED || !atomic_load(&e->column.guarded))
			continue;
		found = found == NULL ? e : found;
		*left += atomic_load(&e->unknown) * CHUNK;
	}
	pthread_mutex_unlock(&st->lock);
	return found;
}

bool
store_verify(struct store *st, uint64_t until, struct work *w)
{
	struct held *e;
	uint64_t left, all;

	while (st->below != NULL)
		st = st->below;
	if (find_guarded(st, &left) == NULL)
		return false;
	all = st->index.size > left ? st->index.size : left;
	work_start_bytes(w, "checking index", all);
	while ((e = find_guarded(st, &left)) != NULL)
		for (uint64_t i = 0; i < chunks_of(index_bytes(&e->column)) &&
		    atomic_load(&e->column.guarded); i++) {
			if (!verify(e, i))
				continue;
			chunks_release(e, i);
			left -= left < CHUNK ? left : CHUNK;
			if (!work_tick(w, all - left) || os_now() > until)
				return true;
		}
	return false;
}
