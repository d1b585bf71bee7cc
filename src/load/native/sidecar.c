/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read .syms.json, which samply writes with --unstable-presymbolicate: a list of texts, and for each library
 * rows with a function and its inlined functions at the first address that was looked up, and the row of each
 * address.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/make.h"
#include "icecore/policy.h"
#include "native_room.h"

#define FRAMES_MOST 256u	/* for one address */

struct row {
	uint32_t	symbol;		/* 1 + row of texts */
	uint32_t	uses;		/* number of addresses with this row */
	struct json	frames;
};

struct side_library {
	char		id[NATIVE_ID];
	struct json	symbols, known;
	uint64_t	first, n;	/* first row of the library and number of rows, once they are read */
	struct idmap	by_address;	/* 1 + number of the row of this library */
	bool		read;
};

struct sidecar {
	struct map	map;
	struct work	*work;
	struct scratch	texts, libraries, rows, frames;
	uint64_t	ntexts, nlibraries, nrows;
	struct scratch	bufs;		/* struct buf: texts of frames without escapes */
	uint64_t	nbufs;
};

static struct side_library *
library_at(const struct sidecar *s, uint64_t i)
{
	return &SCRATCH(s->libraries, struct side_library)[i];
}

/* ---- file ------------------------------------------------------------------------------------------- */

static bool
sidecar_read_texts(struct sidecar *s, struct json j, struct err *err)
{
	struct str text;

	if (!scan_open(&j, '['))
		return true;
	while (scan_item(&j) && scan_plain(&j, &text))
		if (!work_go(s->work, j.at, err) ||
		    !make_add(&s->texts, &s->ntexts, &text, sizeof text, MAKE_MOST, "texts", err))
			return false;
	return true;
}

static bool
read_library(struct sidecar *s, struct json j, struct err *err)
{
	struct side_library new = { .read = false };
	struct str name, word, id = STR("");

	scan_open(&j, '{');
	while (scan_member(&j, &name)) {
		if (str_is(name, "symbol_table"))
			new.symbols = j;
		if (str_is(name, "known_addresses"))
			new.known = j;
		if (!scan_plain(&j, &word))
			break;
		if (str_is(name, "debug_id"))
			id = word;
	}
	return !native_id(id, new.id) ||
	    make_add(&s->libraries, &s->nlibraries, &new, sizeof new, LIBRARIES_MOST, "libraries", err);
}

static bool
read_file(struct sidecar *s, struct err *err)
{
	struct json j = { .base = (const char *)s->map.data, .size = s->map.size }, list, item;
	struct str name;

	if (!scan_open(&j, '{'))
		return true;
	while (scan_member(&j, &name)) {
		list = j;
		if (str_is(name, "string_table") && !sidecar_read_texts(s, j, err))
			return false;
		if (str_is(name, "data") && scan_open(&list, '['))
			while (scan_item(&list)) {
				item = list;
				if (scan_peek(&list) != '{' || !scan_skip(&list))
					break;
				if (!read_library(s, item, err))
					return false;
			}
		if (!scan_skip(&j))
			break;
	}
	return true;
}

struct sidecar *
sidecar_open(int fd, struct work *w)
{
	struct sidecar *s = mem_array(1, sizeof *s);
	struct err err;

	if (s == NULL)
		return NULL;
	s->work = w;
	if (map_open_fd(&s->map, fd, POLICY_SYMBOLS, w, &err)) {
		if (read_file(s, &err) && s->nlibraries > 0)
			return s;
	} else
		s->map = (struct map){ .slot = -1 };
	sidecar_close(s);
	return NULL;
}

void
sidecar_close(struct sidecar *s)
{
	if (s == NULL)
		return;
	for (uint64_t i = 0; i < s->nlibraries; i++)
		idmap_free(&library_at(s, i)->by_address);
	for (uint64_t i = 0; i < s->nbufs; i++)
		buf_free(&SCRATCH(s->bufs, struct buf)[i]);
	SCRATCH_FREE(&s->texts, &s->libraries, &s->rows, &s->frames, &s->bufs);
	map_close(&s->map);
	free(s);
}

uint32_t
sidecar_library(const struct sidecar *s, const char *id)
{
	for (uint64_t i = 0; s != NULL && i < s->nlibraries; i++)
		if (strcmp(library_at(s, i)->id, id) == 0)
			return (uint32_t)i + 1;
	return 0;
}

/* ---- library -------------------------------------------------------------------------------- */

/* Read a number below n, counted from 1; 0: null, or invalid. */
static uint32_t
sidecar_number_of(struct str word, uint64_t n)
{
	uint64_t v;

	return num_u64(word, 10, &v) && v < n && v < UINT32_MAX ? (uint32_t)v + 1 : 0;
}

static struct row
read_row(const struct sidecar *s, struct json j)
{
	struct row new = { .symbol = 0 };
	struct str name, word;

	scan_open(&j, '{');
	while (scan_member(&j, &name)) {
		if (str_is(name, "frames"))
			new.frames = j;
		if (!scan_plain(&j, &word))
			break;
		if (str_is(name, "symbol"))
			new.symbol = sidecar_number_of(word, s->ntexts);
	}
	return new;
}

static bool
sidecar_read_rows(struct sidecar *s, struct side_library *l, struct err *err)
{
	struct json j = l->symbols;
	struct row new;

	l->first = s->nrows;
	if (!scan_open(&j, '['))
		return true;
	while (scan_item(&j)) {
		new = read_row(s, j);
		if (!scan_skip(&j))
			break;
		if (!work_go(s->work, j.at, err) ||
		    !make_add(&s->rows, &s->nrows, &new, sizeof new, MAKE_MOST, "functions", err))
			return false;
	}
	l->n = s->nrows - l->first;
	return true;
}

/* "[4096, 7]": an address and its row. */
static bool
read_pair(struct json j, uint64_t n, uint64_t *address, uint32_t *row)
{
	struct str first, second;

	return scan_open(&j, '[') && scan_item(&j) && scan_plain(&j, &first) && scan_item(&j) &&
	    scan_plain(&j, &second) && num_u64(first, 10, address) &&
	    (*row = sidecar_number_of(second, n)) != 0;
}

static bool
read_known(struct sidecar *s, struct side_library *l, struct err *err)
{
	struct json j = l->known;
	uint64_t address;
	uint32_t row;
	bool is;

	if (!scan_open(&j, '['))
		return true;
	while (scan_item(&j)) {
		is = read_pair(j, l->n, &address, &row);
		if (!scan_skip(&j))
			break;
		if (!work_go(s->work, j.at, err) ||
		    (is && !idmap_put(&l->by_address, idmap_hash(address), row, err)))
			return false;
		if (is)
			SCRATCH(s->rows, struct row)[l->first + row - 1].uses++;
	}
	return true;
}

/* ---- address -------------------------------------------------------------------------------- */

/* Unescape; the buffer is valid until the next address. */
static struct str
text_at(struct sidecar *s, uint32_t row, struct err *err)
{
	struct buf new = BUF_INIT;
	struct str raw = row == 0 ? STR("") : SCRATCH(s->texts, struct str)[row - 1];

	if (raw.n == 0 || !make_add(&s->bufs, &s->nbufs, &new, sizeof new, UINT32_MAX, "texts", err))
		return STR("");
	return scan_unescape(raw, &SCRATCH(s->bufs, struct buf)[s->nbufs - 1]);
}

static bool
add_frame(struct sidecar *s, struct native_frame f, size_t *n, struct err *err)
{
	uint64_t rows = *n;
	bool ok = f.name.n == 0 || make_add(&s->frames, &rows, &f, sizeof f, FRAMES_MOST, "inlined functions",
	    err);

	*n = (size_t)rows;
	return ok;
}

/* From the innermost on. */
static bool
sidecar_read_frames(struct sidecar *s, struct json j, size_t *n, struct err *err)
{
	struct str name, word;

	if (!scan_open(&j, '['))
		return true;
	while (*n < FRAMES_MOST && scan_item(&j) && scan_open(&j, '{')) {
		struct native_frame f = { .line = 0 };

		while (scan_member(&j, &name) && scan_plain(&j, &word)) {
			if (str_is(name, "function"))
				f.name = text_at(s, sidecar_number_of(word, s->ntexts), err);
			if (str_is(name, "file"))
				f.file = text_at(s, sidecar_number_of(word, s->ntexts), err);
			if (str_is(name, "line") && !num_u64(word, 10, &f.line))
				f.line = 0;
		}
		if (j.bad)
			break;
		if (!add_frame(s, f, n, err))
			return false;
	}
	return true;
}

static void
forget_texts(struct sidecar *s)
{
	for (uint64_t i = 0; i < s->nbufs; i++)
		buf_free(&SCRATCH(s->bufs, struct buf)[i]);
	s->nbufs = 0;
}

bool
sidecar_at(struct sidecar *s, uint32_t library, uint64_t address, const struct native_frame **frames,
    size_t *n, struct err *err)
{
	struct side_library *l = library_at(s, library - 1);
	struct native_frame *f;
	const struct row *row;
	uint32_t at;

	*n = 0;
	if (!l->read && (!sidecar_read_rows(s, l, err) || !read_known(s, l, err)))
		return false;
	l->read = true;
	at = idmap_get(&l->by_address, idmap_hash(address));
	if (at == 0)
		return true;
	forget_texts(s);
	row = &SCRATCH(s->rows, struct row)[l->first + at - 1];
	/* Inlined frames belong to one address: use them only if no other address has the row. */
	if (row->uses == 1 && !sidecar_read_frames(s, row->frames, n, err))
		return false;
	if (*n == 0 && !add_frame(s, (struct native_frame){ .name = text_at(s, row->symbol, err) }, n, err))
		return false;
	f = SCRATCH(s->frames, struct native_frame);
	for (size_t i = 0; i < *n / 2; i++) {
		struct native_frame inner = f[i];

		f[i] = f[*n - 1 - i];
		f[*n - 1 - i] = inner;
	}
	*frames = f;
	return true;
}
