/*
 * index: the index file, read and written.  icecore-index(5) documents every byte.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inside.h"

#define MAGIC "ICECORE"
#define BYTE_ORDER_MARK 0x01020304u
#define FORMAT 1u
#define EAGER_MAX (64u << 20)	/* columns up to this in all are verified at once */

struct header {
	char		magic[8];
	uint32_t	order, format, content, columns;
	uint64_t	source_size, source_mtime, source_inode, source_hash;
	uint64_t	dir_offset, dir_hash, file_size;
	uint64_t	hash;		/* of all before it */
};

struct dir_entry {
	char		name[NAME_SIZE];
	uint32_t	type, zero;
	uint64_t	rows, offset, hash;
};

uint64_t
index_bytes(const struct column *c)
{
	return c->rows * column_width(c->type);
}

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
	uint64_t h = m->size, at, i;

	if (m->size <= 2 * EDGE)
		return hash_bytes(m->data, m->size, h);
	h = hash_bytes(m->data, EDGE, h);
	h = hash_bytes(m->data + m->size - EDGE, EDGE, h);
	for (i = 1; i <= SAMPLES; i++) {
		at = (m->size - SAMPLE) / (SAMPLES + 1) * i;
		h = hash_bytes(m->data + at, SAMPLE, h);
	}
	return h;
}

/* With the inode number, so that an index that came along with its file does not count. */
static void
fill_header(const struct store *st, struct header *h)
{
	memset(h, 0, sizeof *h);
	memcpy(h->magic, MAGIC, sizeof h->magic);
	h->order = BYTE_ORDER_MARK;
	h->format = FORMAT;
	h->content = STORE_CONTENT;
	h->source_size = st->file.size;
	h->source_mtime = st->file.mtime;
	h->source_inode = st->file.ino;
	h->source_hash = hash_source(&st->file);
}

static uint64_t
hash_header(const struct header *h)
{
	return hash_bytes(h, offsetof(struct header, hash), 0);
}

/* ---- reading --------------------------------------------------------------------- */

static bool
header_ok(const struct store *st, const struct map *m, struct header *h)
{
	struct header want;
	uint64_t room;

	if (m->size < INDEX_PAGE)
		return false;
	memcpy(h, m->data, sizeof *h);
	fill_header(st, &want);
	if (memcmp(h->magic, want.magic, sizeof h->magic) != 0 ||
	    h->order != want.order || h->format != want.format ||
	    h->content != want.content || h->hash != hash_header(h) ||
	    h->source_size != want.source_size ||
	    h->source_mtime != want.source_mtime ||
	    h->source_inode != want.source_inode ||
	    h->source_hash != want.source_hash || h->file_size != m->size)
		return false;
	if (h->columns > COLUMNS_MAX || h->dir_offset < INDEX_PAGE ||
	    h->dir_offset > m->size || h->dir_offset % 8 != 0)
		return false;
	room = m->size - h->dir_offset;
	return room == h->columns * sizeof(struct dir_entry) &&
	    hash_bytes(m->data + h->dir_offset, room, 0) == h->dir_hash;
}

static bool
dir_entry_ok(const struct map *m, const struct dir_entry *d)
{
	size_t n = strnlen(d->name, sizeof d->name), i;

	for (i = n; i < sizeof d->name; i++)
		if (d->name[i] != '\0')
			return false;
	return column_name_ok((struct str){ d->name, n }) &&
	    d->type <= COL_BYTES && d->zero == 0 &&
	    d->offset >= INDEX_PAGE && d->offset <= m->size &&
	    d->offset % INDEX_PAGE == 0 &&
	    d->rows <= (m->size - d->offset) /
	    column_width((enum column_type)d->type);
}

/* Makes an entry from the directory; facts are taken at once. */
static bool
take(struct store *st, const struct map *m, const struct dir_entry *d,
    bool eager)
{
	struct str name = str_of(d->name);
	struct entry *e;
	size_t i;

	for (i = 0; i < st->nentries; i++)
		if (strcmp(st->entry[i]->name, d->name) == 0)
			return false;
	e = column_add(st, name);
	if (e == NULL)
		return false;
	e->column.type = (enum column_type)d->type;
	e->column.rows = d->rows;
	e->column.data = m->data + d->offset;
	e->state = STATE_PUBLISHED;
	e->place = PLACE_MAPPED;
	e->hashed = true;
	e->hash = d->hash;
	if (!eager && !str_eq(name, STR(FACTS_COLUMN)))
		return true;
	e->checked = true;
	if (!column_intact(e))
		return false;
	if (!str_eq(name, STR(FACTS_COLUMN)))
		return true;
	/* Written anew from the facts at every save. */
	e->state = STATE_GONE;
	return d->type == COL_BYTES && facts_unpack(st,
	    (struct str){ e->column.data, (size_t)d->rows });
}

static bool
load_columns(struct store *st, const struct map *m, const struct header *h)
{
	struct dir_entry d;
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < h->columns; i++) {
		memcpy(&d, m->data + h->dir_offset + i * sizeof d, sizeof d);
		if (!dir_entry_ok(m, &d))
			return false;
		total += d.rows * column_width((enum column_type)d.type);
	}
	for (i = 0; i < h->columns; i++) {
		memcpy(&d, m->data + h->dir_offset + i * sizeof d, sizeof d);
		if (!take(st, m, &d, total <= EAGER_MAX))
			return false;
	}
	return true;
}

bool
index_load(struct store *st, const char *path)
{
	struct header h;
	struct map m;
	bool ok;

	if (!map_open_own(&m, path))
		return false;
	ok = header_ok(st, &m, &h) && load_columns(st, &m, &h) &&
	    !map_lost(&m);
	st->making = false;
	if (ok) {
		st->index = m;
		return true;
	}
	while (st->nentries > 0)
		column_free(st->entry[--st->nentries]);
	st->facts.n = 0;
	map_close(&m);
	return false;
}

/* ---- writing --------------------------------------------------------------------- */

/* Puts bytes at the end of the new index. */
static bool
append(struct store *st, const void *data, uint64_t size, uint64_t *offset,
    struct err *err)
{
	*offset = st->end;
	if (!fd_write_at(st->building.fd, data, (size_t)size, st->end, err))
		return false;
	st->end = (st->end + size + INDEX_PAGE - 1) / INDEX_PAGE * INDEX_PAGE;
	return true;
}

/* What was made in the new index lies there already. */
static bool
write_column(struct store *st, struct entry *e, struct dir_entry *d,
    struct err *err)
{
	uint64_t size = index_bytes(&e->column);

	if (!e->hashed) {
		e->hash = hash_bytes(e->column.data, size, 0);
		e->hashed = true;
	}
	memcpy(d->name, e->name, sizeof d->name);
	d->type = e->column.type;
	d->rows = e->column.rows;
	d->offset = e->offset;
	d->hash = e->hash;
	return e->place == PLACE_NEW ||
	    append(st, e->column.data, size, &d->offset, err);
}

static bool
write_facts(struct store *st, struct dir_entry *d, struct err *err)
{
	struct buf b = BUF_INIT;
	bool ok;

	memcpy(d->name, FACTS_COLUMN, sizeof FACTS_COLUMN);
	d->type = COL_BYTES;
	if (facts_pack(st, &b)) {
		d->rows = b.n;
		d->hash = hash_bytes(b.s, b.n, 0);
		ok = append(st, b.s, b.n, &d->offset, err);
	} else
		ok = fail(err, E_SYSTEM, "no memory");
	buf_free(&b);
	return ok;
}

/* The directory, and last the header, which makes a file an index. */
static bool
write_ends(struct store *st, const struct dir_entry *dir, uint32_t n,
    struct err *err)
{
	struct header h;
	uint64_t size = n * sizeof *dir;
	int fd = st->building.fd;

	fill_header(st, &h);
	h.columns = n;
	h.dir_offset = st->end;
	h.dir_hash = hash_bytes(dir, size, 0);
	h.file_size = st->end + size;
	h.hash = hash_header(&h);
	if (ftruncate(fd, (off_t)h.dir_offset) < 0)
		return fail_errno(err, "cannot write");
	return fd_write_at(fd, dir, (size_t)size, h.dir_offset, err) &&
	    fd_write_at(fd, &h, sizeof h, 0, err);
}

static bool
write_all(struct store *st, struct err *err)
{
	struct dir_entry *dir = mem_array(st->nentries + 1, sizeof *dir);
	uint32_t n = 0;
	size_t i;
	bool ok = true;

	if (dir == NULL)
		return fail(err, E_SYSTEM, "no memory");
	for (i = 0; i < st->nentries && ok; i++)
		if (st->entry[i]->state == STATE_PUBLISHED)
			ok = write_column(st, st->entry[i], &dir[n++], err);
	ok = ok && write_facts(st, &dir[n++], err) &&
	    write_ends(st, dir, n, err);
	free(dir);
	return ok;
}

/* The file is done, well or not: what was made in it stays mapped from there. */
static void
settle(struct store *st, bool ok)
{
	size_t i;

	pthread_mutex_lock(&st->lock);
	for (i = 0; i < st->nentries; i++)
		if (st->entry[i]->place == PLACE_NEW)
			st->entry[i]->place = PLACE_MAPPED;
	if (ok) {
		st->dirty = false;
		st->found = NULL;
	}
	pthread_mutex_unlock(&st->lock);
	file_abandon(&st->building);
}

bool
store_save(struct store *st, struct err *err)
{
	struct err why = { .kind = E_NONE };
	bool ok;

	if (!st->dirty || st->target == NULL)
		return true;
	if (store_lost(st))
		return fail(err, E_INPUT, "%s: changed while it was read",
		    st->path);
	if (st->building.fd < 0 && !place_begin(st))
		return true;
	if (!write_all(st, &why)) {
		ok = fail(err, why.kind, "%s: %s", st->target, why.text);
		file_abandon(&st->building);
	} else
		ok = file_commit(&st->building, true, err);
	settle(st, ok);
	return ok;
}
