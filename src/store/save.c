/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * save: writes the index.
 *
 * The first time as a new file that gets its name when it is complete.  From then on it grows: new data is
 * appended after the data that its header describes, and counts when the header is replaced.
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icecore/limits.h"
#include "inside.h"

/* Amount of new data that is saved at once: bytes, or ns that making took. */
#define WORTH_BYTES (1u << 20)
#define WORTH_TIME 1000000000u

/* ---- columns ------------------------------------------------------------------- */

/* Puts bytes at the end. */
static bool
save_append(struct store *st, const void *data, uint64_t size, uint64_t *offset,
    struct err *err)
{
	*offset = st->end;
	if (!space_ask(st->building.fd, size, err) || !fd_write_at(st->building.fd, data, (size_t)size,
	    st->end, err))
		return false;
	st->end = index_page_up(st->end + size);
	return true;
}

/*
 * A column in the file keeps its place, unless a reader finds it damaged: its offset becomes 0, at any time.
 */
static bool
write_column(struct store *st, struct held *e, struct index_dir *d,
    struct err *err)
{
	uint64_t size = index_bytes(&e->column), offset;
	bool there;

	assert(e->state != STATE_MADE);
	if (e->sums == NULL && !chunks_sum(e))
		return fail(err, E_SYSTEM, "out of memory");
	pthread_mutex_lock(&st->lock);
	there = e->stored || e->place == PLACE_NEW;
	offset = e->offset;
	pthread_mutex_unlock(&st->lock);
	if (!there && !save_append(st, column_all(&e->column), size, &offset, err))
		return false;
	assert(offset >= INDEX_PAGE);
	if (!there) {
		pthread_mutex_lock(&st->lock);
		e->offset = offset;
		pthread_mutex_unlock(&st->lock);
	}
	assert(strlen(column_names[e->column.col]) < sizeof d->name);
	*d = (struct index_dir){ .type = e->column.type };
	memcpy(d->name, column_names[e->column.col], strlen(column_names[e->column.col]));
	d->rows = e->column.rows;
	d->offset = offset;
	return true;
}

static bool
write_facts(struct store *st, struct index_dir *d, struct stored_facts *facts, struct err *err)
{
	const struct stored_facts *before = &st->stored_facts;
	struct buf b = BUF_INIT;
	bool ok;

	*d = (struct index_dir){ .type = COL_BYTES };
	memcpy(d->name, FACTS_COLUMN, sizeof FACTS_COLUMN);
	if (facts_pack(st, &b)) {
		d->rows = b.n;
		*facts = (struct stored_facts){ before->at, b.n, hash_bytes(b.s, b.n, 0) };
		ok = (before->at != 0 && facts->size == before->size && facts->hash == before->hash) ||
		    save_append(st, b.s, b.n, &facts->at, err);
		d->offset = facts->at;
	} else
		ok = fail(err, E_SYSTEM, "out of memory");
	buf_free(&b);
	return ok;
}

/* ---- the file ------------------------------------------------------------------ */

/* Copy the list of columns for the directory: a reader may find damage at any time. */
static struct held **
save_list_columns(struct store *st, size_t *n)
{
	struct held **list = mem_array(st->entries.n + 1, sizeof *list);

	*n = 0;
	pthread_mutex_lock(&st->lock);
	for (size_t i = 0; list != NULL && i < st->entries.n; i++)
		if (st->entries.at[i]->state == STATE_PUBLISHED &&
		    !col_is_derived(st->entries.at[i]->column.col))
			list[(*n)++] = st->entries.at[i];
	pthread_mutex_unlock(&st->lock);
	return list;
}

/*
 * An index becomes valid with its header.  icecore does not wait for the disk: parts lost in a power cut are
 * detected when the index is read, and made again.
 */
static bool
replace_header(struct store *st, const struct index_header *h, struct err *err)
{
	int fd = st->building.fd;

	if (!fd_write_at(fd, h, sizeof *h, 0, err))
		return !fd_write_at(fd, &st->seen.header, sizeof *h, 0, NULL) &&
		    fail(err, E_SYSTEM, "cannot write its header");
	st->seen.header = *h;
	return true;
}

/* A new file: whatever has the name by then is replaced, or nothing. */
static bool
give_name(struct store *st, const struct index_header *h, enum claim claim,
    struct err *err)
{
	struct stat s;

	if (!fd_write_at(st->building.fd, h, sizeof *h, 0, err) ||
	    !file_publish(&st->building, claim != CLAIM_FREE, err))
		return false;
	if (fstat(st->building.fd, &s) == 0)
		st->seen = (struct looked){ true, s.st_dev, s.st_ino, *h };
	return true;
}

/* columns: with that of facts. */
static bool
write_ends(struct store *st, struct str dir, size_t columns, struct index_header *h, struct err *err)
{
	assert(columns > 0 && columns <= COL_COUNT && st->end % 8 == 0);
	index_header(st, h);
	h->columns = (uint32_t)columns;
	h->dir_offset = st->end;
	h->dir_hash = hash_bytes(dir.s, dir.n, 0);
	h->file_size = st->end + dir.n;
	h->hash = index_header_hash(h);
	if (ftruncate(st->building.fd, (off_t)h->dir_offset) < 0)
		return fail_errno(err, "cannot write");
	return fd_write_at(st->building.fd, dir.s, dir.n, h->dir_offset, err);
}

/* Columns, then facts, then the directory with the sums. */
static bool
save_write_all(struct store *st, struct held **list, size_t n, struct index_header *h,
    struct stored_facts *facts, struct err *err)
{
	struct index_dir d;
	struct buf dir = BUF_INIT, sums = BUF_INIT;
	bool ok = true;

	for (size_t i = 0; i < n && ok; i++) {
		if (!(ok = write_column(st, list[i], &d, err)))
			break;
		buf_add(&dir, &d, sizeof d);
		buf_add(&sums, list[i]->sums, chunks_of(index_bytes(&list[i]->column)) * sizeof *list[i]->sums);
	}
	if (ok && (ok = write_facts(st, &d, facts, err))) {
		buf_add(&dir, &d, sizeof d);
		buf_add(&sums, &facts->hash, sizeof facts->hash);
		buf_str(&dir, buf_view(&sums));
		ok = dir.bad || sums.bad ? fail(err, E_SYSTEM, "out of memory") :
		    write_ends(st, buf_view(&dir), n + 1, h, err);
	}
	buf_free(&dir);
	buf_free(&sums);
	return ok;
}

/* ---- saving -------------------------------------------------------------------- */

static void
save_settle(struct store *st, struct held **list, size_t n, const struct stored_facts *facts)
{
	assert(facts->at >= INDEX_PAGE && st->building.fd >= 0);
	pthread_mutex_lock(&st->lock);
	atomic_store(&st->dirty, false);
	st->failed = false;
	for (size_t i = 0; i < n; i++) {
		list[i]->stored = list[i]->offset != 0;
		if (!list[i]->stored)
			atomic_store(&st->dirty, true);
	}
	st->stored_facts = *facts;
	st->unsaved = st->spent = 0;
	st->at.found = NULL;
	pthread_mutex_unlock(&st->lock);
	claim_end(st);
}

/* Drop the bytes behind end, unless the header already covers them; the next write must find zeros. */
static void
save_take_back(struct store *st, uint64_t end)
{
	st->failed = true;
	if (!st->growing) {
		st->grows = false;
		claim_end(st);
		return;
	}
	if (st->seen.header.file_size > end)
		st->end = index_page_up(st->seen.header.file_size);
	else if (ftruncate(st->building.fd, (off_t)end) == 0)
		st->end = end;
}

static bool
save_save(struct store *st, enum claim claim, struct err *err)
{
	struct stored_facts facts;
	struct index_header h;
	struct err why = { .kind = E_NONE };
	uint64_t end = st->end;
	size_t n;
	struct held **list = save_list_columns(st, &n);
	bool ok;

	if (list == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	ok = save_write_all(st, list, n, &h, &facts, &why) &&
	    (!store_lost(st) || fail(&why, E_SYSTEM, "changed while reading")) &&
	    (st->growing ? replace_header(st, &h, &why) : give_name(st, &h, claim, &why));
	if (ok)
		save_settle(st, list, n, &facts);
	else
		save_take_back(st, end);
	free(list);
	if (ok)
		return true;
	if (why.kind == E_USAGE) {
		store_keep_none(st, "off: another icecore just wrote it");
		return true;
	}
	return fail_file(err, why.kind, st->at.target, "%s%s", why.text + why.named,
	    why.reason == REASON_SPACE ? "" : "; --index DIR writes it elsewhere, --no-index turns it off");
}

/* To the place there is, or, where a new file cannot be had there, to the next one. */
static bool
save_somewhere(struct store *st, struct err *err)
{
	enum claim claim = CLAIM_OURS;
	bool grows;

	do {
		if (!place_begin(st))
			return true;
		grows = st->growing;
		if (!grows && (claim = claim_name(st)) == CLAIM_BUSY) {
			store_keep_none(st, "off: another icecore is writing it");
			return true;
		}
		if (save_save(st, claim, err))
			return true;
	} while (!grows && !store_lost(st) && mem_refused() == st->refused && place_next(st));
	return false;
}

bool
store_save(struct store *st, struct err *err)
{
	if (st->below != NULL)
		return store_save(st->below, err);
	if (!atomic_load(&st->dirty) || st->at.target == NULL)
		return true;
	if (store_lost(st))
		return fail_file(err, E_SYSTEM, st->path, "changed while reading");
	/* A column may be incomplete; the answer reports that, and the next run rebuilds it. */
	if (mem_refused() != st->refused) {
		store_keep_none(st, "off: out of memory");
		return true;
	}
	return save_somewhere(st, err);
}

void
store_save_worth(struct store *st, struct work *w)
{
	if (!atomic_load(&st->dirty) || st->failed || st->at.target == NULL ||
	    (st->unsaved < WORTH_BYTES && st->spent < WORTH_TIME))
		return;
	work_start(w, "writing index", 0);
	st->failed = !store_save(st, NULL) || st->failed;
}
