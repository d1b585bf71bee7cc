/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * index: the index file, read.  icecore-index(5) documents every byte.
 */
#include "config.h"

#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inside.h"

#define MAGIC "ICECORE"
#define BYTE_ORDER_MARK 0x01020304u
#define FORMAT 4u
#define HEADER_TRIES 16
#define OPEN_TRIES 4

uint64_t
index_page_up(uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (page < INDEX_PAGE)
		page = INDEX_PAGE;
	return (bytes + page - 1) / page * page;
}

/* ---- whose index it is ----------------------------------------------------------- */

#define EDGE 65536u	/* bytes looked at in front and at the end */
#define SAMPLES 16u
#define SAMPLE 4096u

static uint64_t
hash_source(const struct map *m)
{
	uint64_t h = m->size, at;

	if (m->size <= 2 * EDGE)
		return hash_bytes(m->data, m->size, h);
	h = hash_bytes(m->data, EDGE, h);
	h = hash_bytes(m->data + m->size - EDGE, EDGE, h);
	for (uint64_t i = 1; i <= SAMPLES; i++) {
		at = (m->size - SAMPLE) / (SAMPLES + 1) * i;
		h = hash_bytes(m->data + at, SAMPLE, h);
	}
	return h;
}

/*
 * With the inode number, so that an index that came along with its file does not count; and each dump
 * of a file has its own hash, as x.2.icx is the name of dump 2 of x and of x.2.
 */
void
index_header(const struct store *st, struct index_header *h)
{
	memset(h, 0, sizeof *h);
	memcpy(h->magic, MAGIC, sizeof h->magic);
	h->order = BYTE_ORDER_MARK;
	h->format = FORMAT;
	h->content = STORE_CONTENT;
	h->source_size = st->file.size;
	h->source_mtime = st->file.mtime;
	h->source_inode = st->file.ino;
	h->source_hash = hash_source(&st->file) + st->dump - 1;
	h->source_ctime = st->file.ctime;
}

uint64_t
index_header_hash(const struct index_header *h)
{
	return hash_bytes(h, offsetof(struct index_header, hash), 0);
}

/* ---- reading --------------------------------------------------------------------- */

/* ctime is not compared: renaming or chmod changes it, too.  load_open compares the bytes instead. */
bool
index_header_ok(const struct store *st, const struct index_header *h)
{
	struct index_header want;

	index_header(st, &want);
	return memcmp(h->magic, want.magic, sizeof h->magic) == 0 &&
	    h->order == want.order && h->format == want.format &&
	    h->content == want.content && h->hash == index_header_hash(h) &&
	    h->source_size == want.source_size &&
	    h->source_mtime == want.source_mtime &&
	    h->source_inode == want.source_inode &&
	    h->source_hash == want.source_hash;
}

/* A writer may be replacing it at this very moment, which takes much less than a yield. */
static void
index_read_header(const struct map *m, struct index_header *h)
{
	memset(h, 0, sizeof *h);
	for (int tries = 0; tries < HEADER_TRIES && m->size >= sizeof *h; tries++) {
		memcpy(h, m->data, sizeof *h);
		if (h->hash == index_header_hash(h))
			break;
		sched_yield();
	}
}

/*
 * Check the directory.  Bytes behind the end given in the header belong to an unfinished write: ignore them.
 */
static bool
dir_ok(struct map *m, const struct index_header *h)
{
	uint64_t room;

	if (h->file_size > m->size || h->columns > COL_COUNT ||
	    h->dir_offset < INDEX_PAGE || h->dir_offset > h->file_size ||
	    h->dir_offset % 8 != 0)
		return false;
	map_shrink(m, h->file_size);
	room = m->size - h->dir_offset;
	return room >= h->columns * sizeof(struct index_dir) &&
	    hash_bytes(m->data + h->dir_offset, room, 0) == h->dir_hash;
}

/* Whether the header is of this format, but damaged. */
static bool
is_torn(const struct index_header *h)
{
	return memcmp(h->magic, MAGIC, sizeof h->magic) == 0 && h->order == BYTE_ORDER_MARK &&
	    h->format == FORMAT && h->hash != index_header_hash(h);
}

static bool
dir_entry_ok(const struct map *m, const struct index_dir *d)
{
	size_t n = strnlen(d->name, sizeof d->name);

	for (size_t i = n; i < sizeof d->name; i++)
		if (d->name[i] != '\0')
			return false;
	return name_ok((struct str){ d->name, n }, NAME_SIZE) &&
	    d->type <= COL_BYTES && d->zero == 0 &&
	    d->offset >= INDEX_PAGE && d->offset <= m->size &&
	    /* Pages of this machine: those of a column can be replaced. */
	    d->offset == index_page_up(d->offset) &&
	    d->rows <= (m->size - d->offset) /
	    column_width((enum column_type)d->type);
}

/* Map the hashes of column names to columns. */
static bool
index_names(struct idmap *names, struct err *err)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < COL_COUNT; i++)
		if (column_names[i] != NULL)
			ok = idmap_put(names, idmap_hash_text(str_of(column_names[i]), 0), i, err);
	return ok;
}

static column_id
index_find_name(const struct idmap *names, const char *name)
{
	uint32_t id = idmap_get(names, idmap_hash_text(str_of(name), 0));

	return id != 0 && strcmp(column_names[id], name) == 0 ? (column_id)id : COL_NONE;
}

/* Written from the facts, never twice. */
static bool
take_facts(struct store *st, const struct map *m, const struct index_dir *d, const uint64_t *sums)
{
	struct str bytes = { (const char *)m->data + d->offset, (size_t)d->rows };

	st->damage = d->offset;
	if (d->type != COL_BYTES || st->stored_facts.at != 0 || hash_bytes(bytes.s, bytes.n, 0) != *sums)
		return false;
	st->stored_facts = (struct stored_facts){ d->offset, bytes.n, *sums };
	return facts_unpack(st, bytes);
}

/* Makes an entry from the directory; facts are taken at once. */
static bool
index_take(struct store *st, const struct map *m, const struct index_dir *d, const uint64_t *sums,
    const struct idmap *names)
{
	struct held *e;
	column_id col;

	if (strcmp(d->name, FACTS_COLUMN) == 0)
		return take_facts(st, m, d, sums);
	col = index_find_name(names, d->name);
	/* Another version of icecore wrote an unknown name; no version writes a name twice. */
	if (col == COL_NONE || st->slot[col] != NULL || (e = column_add(st, col)) == NULL)
		return false;
	e->column.type = (enum column_type)d->type;
	e->column.rows = d->rows;
	e->column.values = m->data + d->offset;
	e->place = PLACE_MAPPED;
	e->offset = d->offset;
	column_show(st, e);
	return chunks_guard(st, e, sums);
}

/* The pieces of facts count as one. */
static uint64_t
sums_of(const struct index_dir *d)
{
	return strcmp(d->name, FACTS_COLUMN) == 0 ? 1 : chunks_of(d->rows * column_width((enum column_type)d->type));
}

struct range {
	uint64_t	from, to;
};

static int
index_by_place(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return num_order(x->from, y->from, num_order(x->to, y->to, 0));
}

/* No column has bytes of another one or of the directory: each is written where nothing was. */
static bool
are_apart(const struct map *m, const struct index_header *h)
{
	struct range *r = mem_array(h->columns + 1u, sizeof *r);
	struct index_dir d;
	bool ok = r != NULL;

	for (uint32_t i = 0; ok && i < h->columns; i++) {
		memcpy(&d, m->data + h->dir_offset + i * sizeof d, sizeof d);
		r[i] = (struct range){ d.offset, d.offset + d.rows * column_width((enum column_type)d.type) };
	}
	if (ok) {
		r[h->columns] = (struct range){ h->dir_offset, m->size };
		qsort(r, h->columns + 1u, sizeof *r, index_by_place);
	}
	for (uint32_t i = 0; ok && i < h->columns; i++)
		ok = r[i].to <= r[i + 1].from;
	free(r);
	return ok;
}

static bool
load_columns(struct store *st, const struct map *m, const struct index_header *h)
{
	const uint8_t *dir = m->data + h->dir_offset;
	/* Aligned: dir_offset and the size of a directory entry are multiples of 8. */
	const uint64_t *sums = (const uint64_t *)(const void *)(dir + h->columns * sizeof(struct index_dir));
	uint64_t room = m->size - h->dir_offset - h->columns * sizeof(struct index_dir), n = 0;
	struct idmap names = IDMAP_INIT;
	struct index_dir d;
	struct err err = { 0 };
	bool ok;

	for (uint32_t i = 0; i < h->columns; i++) {
		memcpy(&d, dir + i * sizeof d, sizeof d);
		if (!dir_entry_ok(m, &d))
			return false;
		n += sums_of(&d);
	}
	if (n != room / sizeof *sums || room % sizeof *sums != 0 || !are_apart(m, h))
		return false;
	ok = index_names(&names, &err);
	for (uint32_t i = 0; ok && i < h->columns; i++) {
		memcpy(&d, dir + i * sizeof d, sizeof d);
		ok = index_take(st, m, &d, sums, &names);
		sums += sums_of(&d);
	}
	idmap_free(&names);
	if (ok)
		atomic_fetch_add(&st->batch, 1);
	return ok;
}

static void
forget_all(struct store *st)
{
	while (st->entries.n > 0) {
		atomic_store(&st->slot[st->entries.at[--st->entries.n]->column.col], NULL);
		column_free(st->entries.at[st->entries.n]);
	}
	st->facts.n = 0;
	st->stored_facts.at = 0;
}

/* A writer may have extended it since it was opened: the map is shorter than its header says. */
static bool
has_grown(const struct map *m, const struct index_header *h)
{
	return h->hash == index_header_hash(h) && h->file_size > m->size;
}

/*
 * The data that a header describes never moves: where a writer was faster than the map, the file is mapped
 * again, and the header is not read again, unless another file has the name by now.
 */
static bool
look_again(const char *path, struct map *m, struct index_header *h)
{
	struct map shorter = *m;
	bool ok = map_open_own(m, path), same = ok && m->dev == shorter.dev && m->ino == shorter.ino;

	/* Only now: the number of a file that is mapped is not given to another. */
	map_close(&shorter);
	if (ok && !same)
		index_read_header(m, h);
	return ok;
}

static bool
look(const char *path, struct map *m, struct looked *seen)
{
	bool ok = map_open_own(m, path);

	memset(seen, 0, sizeof *seen);
	if (ok)
		index_read_header(m, &seen->header);
	for (int tries = 1; ok && tries < OPEN_TRIES && has_grown(m, &seen->header); tries++)
		ok = look_again(path, m, &seen->header);
	if (ok) {
		seen->there = true;
		seen->dev = m->dev;
		seen->ino = m->ino;
	}
	return ok;
}

void
index_look(const char *path, struct looked *seen)
{
	struct map m;

	if (look(path, &m, seen))
		map_close(&m);
}

bool
index_load(struct store *st, const char *path, struct looked *seen)
{
	struct map m;
	bool mine, ok;

	if (!look(path, &m, seen))
		return false;
	mine = index_header_ok(st, &seen->header);
	st->damage = mine ? seen->header.dir_offset < m.size ? seen->header.dir_offset : m.size : 0;
	ok = mine && dir_ok(&m, &seen->header) && load_columns(st, &m, &seen->header) && !map_lost(&m);
	st->making = false;
	st->voided = !ok && (mine || is_torn(&seen->header));
	if (ok) {
		st->index = m;
		st->doubted = seen->header.source_ctime == 0 || seen->header.source_ctime != st->file.ctime;
		return true;
	}
	forget_all(st);
	map_close(&m);
	return false;
}
