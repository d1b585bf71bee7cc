/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hprof_parts: read the parts of an unfinished heap dump as one file.
 *
 * A part contains heap dump segments without a header. Each file may end anywhere. Only complete records are used;
 * otherwise the length of a truncated record would include the beginning of the next file.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "hprof.h"
#include "icecore/facts.h"
#include "icecore/limits.h"
#include "load/decode.h"

#define MARK HPROF_MARK "1.0.2"	/* with its NUL */
#define HEAD (sizeof MARK + 12)

struct joined {
	struct intake	 to;
	struct work	*work;
	unsigned	 id_size;
	uint64_t	 dropped;	/* bytes of incomplete records */
	unsigned	 parts, last;	/* number of parts; 1 + the number of the last one */
	bool		 begun;		/* the file itself has objects: some parts are already in it */
};

/* True if there is no end record: HotSpot writes it when all parts are in the file. */
static bool
is_unfinished(const struct map *m)
{
	static const uint8_t end[HPROF_HEAD] = { RECORD_END };

	return m->size > HEAD && memcmp(m->data, MARK, sizeof MARK) == 0 &&
	    memcmp(m->data + m->size - HPROF_HEAD, end, HPROF_HEAD) != 0;
}

/* ---- one file -------------------------------------------------------------------------- */

static bool
hprof_parts_put(struct joined *j, const uint8_t *p, uint64_t n, struct err *err)
{
	uint64_t some;

	for (; n > 0; p += some, n -= some) {
		some = n < (1u << 20) ? n : 1u << 20;
		if (!work_go(j->work, j->to.n, err) || !intake_put(&j->to, p, (size_t)some, err))
			return false;
	}
	return true;
}

/* Add a segment at p that the file truncates, with the length of its complete part. */
static bool
put_cut_segment(struct joined *j, const struct map *m, uint64_t p, struct err *err)
{
	uint64_t at = p + HPROF_HEAD;
	uint8_t head[HPROF_HEAD];
	struct heap_record r;

	for (; at < m->size && hprof_step(m->data, m->size, j->id_size, at, NULL, &r); at = r.next)
		;
	j->dropped += m->size - at;
	if (at == p + HPROF_HEAD)
		return true;
	memcpy(head, m->data + p, HPROF_HEAD);
	for (unsigned i = 0; i < 4; i++)
		head[5 + i] = (uint8_t)((at - p - HPROF_HEAD) >> (24 - 8 * i));
	return hprof_parts_put(j, head, HPROF_HEAD, err) &&
	    hprof_parts_put(j, m->data + p + HPROF_HEAD, at - p - HPROF_HEAD, err);
}

/* Add the records of a file from the first one on. */
static bool
put_records(struct joined *j, const struct map *m, uint64_t first, struct err *err)
{
	uint64_t p = first, length;
	bool cut = false;

	while (!cut && m->size - p > HPROF_HEAD) {
		length = be32(m->data + p + 5);
		j->begun |= first > 0 && heap_is_dump(m->data[p]);
		cut = length > m->size - p - HPROF_HEAD || (heap_is_dump(m->data[p]) && length == 0);
		p += cut ? 0 : HPROF_HEAD + length;
		if (!work_go(j->work, j->to.n, err))
			return false;
	}
	if (!hprof_parts_put(j, m->data, p, err))
		return false;
	if (cut && m->data[p] == RECORD_SEGMENT)
		return put_cut_segment(j, m, p, err);
	j->dropped += m->size - p;
	return true;
}

static bool
hprof_parts_put_part(struct joined *j, int fd, struct err *err)
{
	struct map m;
	bool ok;

	if (!map_open_fd(&m, fd, NULL, j->work, err))
		return false;
	ok = m.size == 0 || put_records(j, &m, 0, err);
	if (ok && map_lost(&m))
		ok = fail(err, E_SYSTEM, "a part of the dump changed while reading; run icecore again");
	map_close(&m);
	return ok;
}

/* ---- all files --------------------------------------------------------------------------- */

/* The file may exist: open failed only because too many files are open. */
static bool
too_many_open(int fd)
{
	return fd < 0 && errno_crowded(errno);
}

static bool
hprof_parts_put_all(struct joined *j, const struct store *st, struct err *err)
{
	const struct map *m = store_file(st);
	bool ok;
	int fd;

	j->id_size = be32(m->data + sizeof MARK) == 4 ? 4 : 8;
	if (!put_records(j, m, HEAD, err))
		return false;
	for (unsigned i = 0; i < DUMP_PARTS; i++) {
		fd = dumpparts_file(store_path(st), i);
		if (too_many_open(fd))
			return fail_errno(err, "a part of the dump");
		if (fd < 0)
			continue;
		ok = hprof_parts_put_part(j, fd, err);
		close(fd);
		if (!ok)
			return false;
		j->parts++;
		j->last = i + 1;
	}
	return true;
}

static bool
note_parts(struct store *st, const struct joined *j, struct err *err)
{
	/* Parts already in the file itself were removed. */
	uint64_t missing = j->begun ? 0 : j->last - j->parts;

	return fact_set(st, FACT_PARTS, j->parts, err) &&
	    fact_set(st, FACT_LOSS_PART_BYTES, j->dropped, err) &&
	    (missing == 0 || fact_set(st, FACT_LOSS_PARTS, missing, err));
}

static bool
any_part(const char *path)
{
	bool any = false;

	for (unsigned i = 0; !any && i < DUMP_PARTS; i++) {
		int fd = dumpparts_file(path, i);

		any = fd >= 0 || too_many_open(fd);
		if (fd >= 0)
			close(fd);
	}
	return any;
}

bool
hprof_gather(struct store *st, struct work *w, struct err *err)
{
	struct joined j = { .work = w, .to.most = intake_allowed() };
	struct map all;
	bool ok;

	if (!is_unfinished(store_source(st)) || store_source(st) != store_file(st) || !any_part(store_path(st)))
		return true;
	if (!fd_temporary(&j.to.fd, NULL, err))
		return false;
	work_start_bytes(w, "reading the parts of the dump", 0);
	ok = hprof_parts_put_all(&j, st, err) && note_parts(st, &j, err) && map_open_fd(&all, j.to.fd, NULL, NULL, err);
	close(j.to.fd);
	if (ok) {
		store_set_source(st, &all);
		store_keep_none(st, "off: the dump was read from several files");
	}
	return ok;
}
