/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * make: columns are made and published, or dropped.
 */
#include "config.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "icecore/system.h"
#include "inside.h"

/* Below this a column is cheaper in memory than as a mapping of the file. */
#define FILE_MIN 65536u
/* FILE_MIN where no index is kept and the file only saves memory. */
#define NAMELESS_MIN (1u << 20)
/* Mapped columns from here on leave resident memory when they are done; they stay in the page cache. */
#define RELEASE_MIN (1u << 20)

/* The index; where none is kept, a file without a name: either can leave memory when memory is short. */
static bool
column_begin_file(struct store *st)
{
	if (st->at.target != NULL && place_begin(st))
		return true;
	return st->building.fd >= 0 ||
	    fd_temporary(&st->building.fd, NULL, NULL);
}

/* Memory that is a piece of the next index file already, so that it is written only once. */
static bool
make_in_file(struct store *st, struct held *e, uint64_t bytes, bool scattered)
{
	uint64_t size = index_page_up(bytes);
	void *data;

	if (bytes < (st->at.target != NULL ? FILE_MIN : NAMELESS_MIN) || !column_begin_file(st))
		return false;
	if (!fd_reserve(st->building.fd, st->end, size, NULL))
		return false;
	data = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    st->building.fd, (off_t)st->end);
	if (data == MAP_FAILED)
		return false;
	resident_add(data, (size_t)size, true);
	assert(st->end % INDEX_PAGE == 0);
	/*
	 * Page by page: in large folios the kernel visits all blocks of a folio for each page that is
	 * written, or is dropped after that.
	 */
	if (scattered)
		(void)madvise(data, (size_t)size, MADV_RANDOM);
	/* Bytes are trimmed in the end. */
	else if (e->column.type != COL_BYTES && size >= AHEAD_MIN)
		os_ahead(data, (size_t)size);
	e->column.values = data;
	e->place = PLACE_NEW;
	e->offset = st->end;
	e->mapped = size;
	st->end += size;
	return true;
}

static bool
make_in_memory(struct held *e, uint64_t bytes, struct err *err)
{
	if (!scratch_array(&e->memory, bytes > 0 ? bytes : 1, 1, err))
		return false;
	e->column.values = e->memory.data;
	e->place = PLACE_MEMORY;
	return true;
}

/* An older one occupies the place. */
static bool
is_free(struct store *st, column_id col)
{
	bool ok;

	pthread_mutex_lock(&st->lock);
	ok = column_find_made(st, col) == NULL && atomic_load(&st->slot[col]) == NULL;
	pthread_mutex_unlock(&st->lock);
	return ok;
}

static void *
make_empty(struct store *st, column_id col, enum column_type type, uint64_t rows, bool scattered,
    struct err *err)
{
	size_t width = column_width(type);
	struct held *e = NULL;
	const char *name;

	assert(col > COL_NONE && col < COL_COUNT);
	name = column_names[col];
	if (rows > (SIZE_MAX / 4) / width)
		fail(err, E_SYSTEM, "%s: %llu rows are too many", name, (unsigned long long)rows);
	else if (!is_free(st, col))
		fail(err, E_SYSTEM, "%s: made already", name);
	else if ((e = column_add(st, col)) == NULL)
		fail(err, E_SYSTEM, "%s: out of memory", name);
	if (e == NULL)
		return NULL;
	e->column.type = type;
	e->column.rows = rows;
	if ((col_is_derived(col) || !make_in_file(st, e, rows * width, scattered)) &&
	    !make_in_memory(e, rows * width, err)) {
		e->state = STATE_GONE;
		return NULL;
	}
	return (void *)(uintptr_t)e->column.values;
}

void *
store_make(struct store *st, column_id col, enum column_type type, uint64_t rows, struct err *err)
{
	return make_empty(st, col, type, rows, false, err);
}

void *
store_make_scattered(struct store *st, column_id col, enum column_type type, uint64_t rows, struct err *err)
{
	return make_empty(st, col, type, rows, true, err);
}

void
store_put(struct store *st, column_id col, uint64_t row, const void *values, uint64_t n)
{
	struct held *e = column_find_made(st, col);
	size_t width = column_width(e->column.type);

	assert(row <= e->column.rows && n <= e->column.rows - row);
	if (e->mapped == 0 || !fd_write_at(st->building.fd, values, (size_t)n * width,
	    e->offset + row * width, NULL))
		memcpy((char *)(uintptr_t)e->column.values + row * width, values, (size_t)n * width);
}

bool
store_take(struct store *st, struct store *over, struct err *err)
{
	struct held *e;
	bool ok;

	assert(over->below == st);
	pthread_mutex_lock(&st->lock);
	ok = mem_grow(&st->entries.at, &st->entries.cap, st->entries.n + over->entries.n,
	    sizeof(struct held *)) || fail(err, E_SYSTEM, "out of memory (columns)");
	for (size_t i = 0; ok && i < over->entries.n; i++) {
		e = st->entries.at[st->entries.n++] = over->entries.at[i];
		/* Saving copies it. */
		if (e->place == PLACE_NEW)
			e->place = PLACE_MAPPED;
	}
	if (ok) {
		over->entries.n = 0;
		store_making(st);
		if (over->making && over->since < st->since)
			st->since = over->since;
	}
	pthread_mutex_unlock(&st->lock);
	return ok && facts_take(st, over, err);
}

/* Gives the end of a column of the new index back, to its last page. */
static void
column_shrink(struct store *st, struct held *e, uint64_t bytes)
{
	uint64_t keep = index_page_up(bytes), size = e->mapped;
	uint64_t from = e->offset + keep;

	assert(e->state == STATE_MADE);
	if (e->place != PLACE_NEW || keep >= size)
		return;
	resident_remove(e->column.values);
	munmap((char *)(uintptr_t)e->column.values + keep, (size_t)(size - keep));
	if (keep > 0)
		resident_add((void *)(uintptr_t)e->column.values, (size_t)keep, true);
	e->mapped = keep;
	if (e->offset + size != st->end) {
		/* Only disk space is at stake. */
		system_punch(st->building.fd, from, size - keep);
		return;
	}
	/* The next column there must find zeros. */
	if (ftruncate(st->building.fd, (off_t)from) == 0)
		st->end = from;
}

void
store_trim(struct store *st, column_id col, uint64_t rows)
{
	struct held *e = column_find_made(st, col);

	assert(e != NULL);
	if (rows >= e->column.rows)
		return;
	e->column.rows = rows;
	column_shrink(st, e, rows > 0 ? index_bytes(&e->column) : 1);
}

/* A column is done. */
static void
seal(struct store *st, struct held *e)
{
	uint64_t bytes = index_bytes(&e->column);
	void *data = (void *)(uintptr_t)e->column.values;

	assert(e->state == STATE_MADE);
	assert(e->mapped == 0 || bytes <= e->mapped);
	if (!col_is_derived(e->column.col))
		st->unsaved += bytes;
	if (e->mapped == 0) {
		scratch_seal(&e->memory);
		return;
	}
	mprotect(data, e->mapped, PROT_READ);
	(void)madvise(data, e->mapped, MADV_NORMAL);
	/* Now, while its pages are at hand. */
	if (st->at.target != NULL)
		(void)chunks_sum(e);
	else if (bytes >= RELEASE_MIN)
		(void)madvise(data, e->mapped, MADV_DONTNEED);
}

void
store_publish(struct store *st)
{
	bool kept = false;

	for (size_t i = 0; i < st->entries.n; i++)
		if (st->entries.at[i]->state == STATE_MADE) {
			seal(st, st->entries.at[i]);
			kept = kept || !col_is_derived(st->entries.at[i]->column.col);
		}
	pthread_mutex_lock(&st->lock);
	for (size_t i = 0; i < st->entries.n; i++)
		if (st->entries.at[i]->state == STATE_MADE)
			column_show(st, st->entries.at[i]);
	atomic_fetch_add(&st->batch, 1);
	kept |= facts_publish(st);
	if (st->making && kept) {
		atomic_store(&st->dirty, true);
		st->spent += os_now() - st->since;
	}
	st->making = false;
	pthread_mutex_unlock(&st->lock);
}

void
store_discard(struct store *st)
{
	struct held *e;
	size_t n = 0;

	pthread_mutex_lock(&st->lock);
	/* The youngest first, so that the new index shrinks again. */
	for (size_t i = st->entries.n; i > 0; i--)
		if (st->entries.at[i - 1]->state == STATE_MADE)
			column_shrink(st, st->entries.at[i - 1], 0);
	for (size_t i = 0; i < st->entries.n; i++) {
		e = st->entries.at[i];
		if (e->state == STATE_MADE)
			column_free(e);
		else
			st->entries.at[n++] = e;
	}
	st->entries.n = n;
	st->pending.n = 0;
	st->making = false;
	pthread_mutex_unlock(&st->lock);
}

bool
store_pack(struct store *st, column_id col, const uint64_t *values,
    uint64_t rows, struct err *err)
{
	enum column_type type;
	uint64_t max = 0;
	void *data;

	for (uint64_t i = 0; i < rows; i++)
		if (values[i] > max)
			max = values[i];
	type = column_fit(max);
	data = store_make(st, col, type, rows, err);
	if (data == NULL)
		return false;
	column_set_many(data, type, 0, values, rows);
	return true;
}
