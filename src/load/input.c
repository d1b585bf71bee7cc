/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open an input: use its index, or the loader that recognises the content.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/policy.h"

#include "asks.h"
#include "decode.h"
#include "folder.h"
#include "perfdata.h"
#include "unpack.h"

/* ---- the loader -------------------------------------------------------------------------- */

#define CHECKSUM "checksum of the file"

const struct loader *
loader_named(struct str name)
{
	for (size_t i = 0; loaders[i] != NULL; i++)
		if (str_eq(str_of(loaders[i]->name), name))
			return loaders[i];
	return NULL;
}

const struct loader *
load_loader(const struct store *st)
{
	return loader_named(fact_text(st, FACT_LOADER));
}

unsigned
load_shapes(const struct store *st)
{
	uint64_t shapes = fact_value(st, FACT_SHAPES);
	const struct loader *l = shapes != 0 ? NULL : load_loader(st);

	return shapes != 0 ? (unsigned)shapes : l != NULL ? l->shapes : 0;
}

bool
load_graph_only(unsigned shapes)
{
	return (shapes & (SHAPE_COSTS | SHAPE_SAMPLES)) == SHAPE_COSTS;
}

uint64_t
load_left_out(const struct store *st)
{
	uint64_t n = fact_value(st, FACT_REPAIR_IGNORED_LINES);

	return n > fact_value(st, FACT_LINES) ? n : 0;
}

/* ---- choosing the loader ---------------------------------------------------------------------- */

/* Return whether the index was made by another loader or with other options than those of this run. */
static bool
input_is_other(const struct store *st, const struct store_options *o)
{
	if (load_loader(st) == NULL)
		return false;
	return (o->as != NULL ? !str_eq(fact_text(st, FACT_LOADER), str_of(o->as)) : fact_value(st, FACT_TRACE_ASKED) != 0) ||
	    !asks_same(st, o->asks, load_loader(st)->shapes) || (load_loader(st)->stale != NULL && load_loader(st)->stale(st));
}

/*
 * Compare the checksum of the whole file. The store's samples do not detect a change between them if the file time
 * was reset.
 */
static bool
input_is_changed(struct store *st, struct work *w, bool *changed, struct err *err)
{
	uint64_t hash, was = fact_value(st, FACT_TRACE_HASH);

	*changed = was == 0;
	if (*changed)
		return true;
	if (!hash_map(store_file(st), CHECKSUM, w, &hash, err))
		return false;
	*changed = hash != was;
	if (!*changed)
		store_confirm(st);
	return true;
}

/* Return whether the file name is that of a table, with or without .gz. */
static bool
has_table_name(const char *path)
{
	static const char *const ends[] = { ".csv", ".tsv", ".tab", ".jsonl", ".ndjson" };
	size_t n = strlen(path), end;

	n -= n > 3 && strcasecmp(path + n - 3, ".gz") == 0 ? 3 : 0;
	for (size_t i = 0; i < NELEM(ends); i++)
		if ((end = strlen(ends[i])) < n && strncasecmp(path + n - end, ends[i], end) == 0)
			return true;
	return false;
}

/* Return whether the name is that of a table, and the content is not another tool's format. */
static bool
input_is_table(const char *path, const struct map *m)
{
	size_t n = m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;
	bool binary = n > 0 && memchr(m->data, '\0', n) != NULL;

	return has_table_name(path) && (binary ? foreign_name(m->data, n) : foreign_text((struct str){ (const char *)m->data, n })) == NULL;
}

static bool
unknown(const struct map *m, struct err *err)
{
	size_t n = m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;
	const char *what = elf_is_oat(m->data, m->size) ? "an oat file; open the APK it was compiled from" :
	    foreign_name(m->data, n);

	if (what == NULL)
		return fail(err, E_UNREADABLE, "unrecognised binary data" OR_AS);
	return fail(err, E_UNREADABLE, "%s", what);
}

/* The loader's loss may be caused by the end of the truncated data. */
static bool
lost_end(const struct store *st)
{
	return fact_value(st, FACT_LOSS_TAIL_BYTES) != 0 || fact_value(st, FACT_LOSS_JSON) != 0;
}

/* The reason: the loader's loss if the data is complete, and the truncation otherwise. */
static bool
note_cut(struct store *st, struct err *err)
{
	const struct decode_word *word = decode_words;
	struct str part = fact_text(st, FACT_TRACE_PART);
	char text[128], size[NUM_TEXT];

	/* If only a part was read, the limit is the reason, not the loader's loss at its end. */
	if (part.n > 0)
		return fact_set_text(st, FACT_LOSS_REASON, part, err);
	for (; word < decode_words + DECODE_KINDS; word++) {
		if (word->what == NULL || fact_value(st, word->lost) == 0 ||
		    (fact_text(st, FACT_LOSS_REASON).n > 0 && !lost_end(st)))
			continue;
		num_show_count(size, sizeof size, store_source(st)->size);
		snprintf(text, sizeof text, "%s truncated or damaged; %s bytes decompressed", word->what, size);
		if (!fact_set_text(st, FACT_LOSS_REASON, str_of(text), err))
			return false;
	}
	return true;
}

static const struct loader *
find_loader(const char *path, const struct map *m)
{
	size_t n = m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;

	for (size_t i = 0; n > 0 && loaders[i] != NULL; i++)
		if (loaders[i]->sniff(m->data, loaders[i]->whole ? (size_t)m->size : n))
			return loaders[i];
	return input_is_table(path, m) ? loader_named(STR("table")) : NULL;
}

/* Return whether the first part may be JSON, whose format may only be recognisable later. */
static bool
may_be_json(const struct map *m)
{
	uint64_t i;

	for (i = 0; i < m->size && memchr(" \t\r\n", m->data[i], 4) != NULL; i++)
		;
	return m->size < INTAKE_LAST && i < m->size && (m->data[i] == '{' || m->data[i] == '[');
}

static bool
content_known(const struct map *m, const void *name, struct err *err)
{
	return find_loader(name, m) != NULL || may_be_json(m) || unknown(m, err);
}

bool
load_knows(const struct map *m, const void *name, struct err *err)
{
	return decode_known(m, &(const struct intake_check){ content_known, name }, err);
}

bool
load_is_name(struct str name)
{
	return loader_named(name) != NULL;
}

struct format_of {
	const char		*path;
	const struct loader	*loader;
};

static bool
note_format(const struct map *m, const void *of, struct err *err)
{
	struct format_of *f = (struct format_of *)(uintptr_t)of;

	f->loader = find_loader(f->path, m);
	return f->loader != NULL || unknown(m, err);
}

const struct loader *
load_format(const struct map *m, const char *path)
{
	struct format_of f = { .path = path };
	struct err err;

	/* The directory of an archive is at its end: a known file without a loader is an archive with bytecode. */
	if (!decode_known(m, &(const struct intake_check){ note_format, &f }, &err) || f.loader != NULL)
		return f.loader;
	for (size_t i = 0; f.loader == NULL && loaders[i] != NULL; i++)
		if (loaders[i]->shapes == SHAPE_CODE)
			f.loader = loaders[i];
	return f.loader;
}

bool
load_permits(const struct map *m, const char *path, struct err *err)
{
	const struct loader *l = load_format(m, path);

	return policy_format(l != NULL ? l->name : "unknown", err);
}

const struct loader *
load_format_fd(int fd, const char *path)
{
	char *head = mem_array(SNIFF_MAX, 1);
	ssize_t n = head != NULL ? pread(fd, head, SNIFF_MAX, 0) : 0;
	const struct loader *l = NULL;
	struct map m;
	struct err err;

	if (n > 0 && map_of_memory(&m, (struct str){ head, (size_t)n }, &err)) {
		l = load_format(&m, path);
		map_close(&m);
	}
	free(head);
	return l;
}

/* If a loader finds nothing complete in a partial file, the limit is the reason. */
static bool
input_fail_part(const struct store *st, struct err *err)
{
	struct str part = fact_text(st, FACT_TRACE_PART);

	return part.n > 0 && err->kind == E_UNREADABLE ? fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%.*s", (int)part.n, part.s) :
	    false;
}

/* Compute the checksum of the whole file for its index. */
struct whole {
	const struct map *file;
	uint64_t	 hash;
	bool		 ok;
	struct err	 err;
};

static void
hash_whole(void *arg, struct work *w)
{
	struct whole *h = arg;

	h->ok = hash_map(h->file, CHECKSUM, w, &h->hash, &h->err);
}

/* *hash is computed while the loader reads, if there is a free thread and an index is wanted. */
static bool
load_and_hash(struct store *st, const struct loader *l, uint64_t *hash, struct work *w, struct err *err)
{
	struct whole whole = { .file = store_file(st), .ok = true };
	bool wanted = store_index_path(st)[0] != '\0', ok;
	struct aside *aside = wanted && !l->threads ? aside_start(w, hash_whole, &whole) : NULL;

	ok = l->load(st, w, err) || input_fail_part(st, err);
	if (aside != NULL && !ok)
		aside_cancel(aside);
	aside_join(aside, w);
	if (ok && wanted && aside == NULL)
		hash_whole(&whole, w);
	if (ok && !whole.ok)
		*err = whole.err;
	*hash = whole.hash;
	return ok && whole.ok;
}

static bool
run_loader(struct store *st, const struct store_options *o, struct work *w, struct err *err)
{
	const char *as = o->as;
	const struct map *m = store_source(st);
	const struct loader *known = find_loader(store_path(st), m), *l = as != NULL ? loader_named(str_of(as)) : known;
	uint64_t hash;

	if (as != NULL && l == NULL)
		return fail(err, E_USAGE, "unknown format %s; icecore --list-formats lists them", as);
	if (m->size == 0 && decode_kind(store_file(st)) == DECODE_GZIP)
		return input_fail_part(st, err) || fail(err, E_UNREADABLE, "empty: decompresses to nothing");
	if (l == NULL || m->size == 0)
		/* A page may decode to nothing. */
		return unknown(m->size > 0 ? m : store_file(st), err) || input_fail_part(st, err);
	if (store_dump(st) > 1 && !(l->shapes & SHAPE_GRAPH))
		return fail(err, E_USAGE, "--dump %u: not a heap dump", store_dump(st));
	if (!policy_format(l->name, err) || !asks_fit(o->asks, l, err) || !asks_put(st, o->asks, err) ||
	    (l->gather != NULL && o->bytes == NULL && o->fd == NULL && !l->gather(st, w, err)) || !load_and_hash(st, l, &hash, w, err) ||
	    !fact_set_text(st, FACT_LOADER, str_of(l->name), err) ||
	    (l != known && !fact_set(st, FACT_TRACE_ASKED, 1, err)) ||
	    (store_index_path(st)[0] != '\0' && !fact_set(st, FACT_TRACE_HASH, hash, err)))
		return false;
	return note_cut(st, err);
}

static bool
input_load(struct store *st, const struct store_options *o, struct work *w, struct err *err)
{
	bool packed = decode_kind(store_file(st)) != DECODE_NONE;
	bool known = load_loader(st) != NULL, fresh;
	const struct intake_check what = { content_known, store_path(st) };

	if (store_file(st)->cut && !unpack_note_part(st, true, err))
		return false;
	fresh = packed && !(known ? unpack_reuse(st, w) : unpack_borrow(st, o, w));
	if (!work_go(w, 0, err))
		return false;
	if (fresh && !unpack_make(st, o->known != NULL ? &what : NULL, w, err))
		return false;
	if (known)
		return policy_format(load_loader(st)->name, err) && asks_fit(o->asks, load_loader(st), err);
	known = (!perfdata_is(store_file(st)) || perfdata_open(st, w, err)) && run_loader(st, o, w, err);
	if (store_lost(st))
		known = fail(err, E_SYSTEM, "file changed while reading; run icecore again");
	if (!known && fresh)
		unpack_drop(st);
	return known;
}

bool
load_again(struct store *st, struct work *w, struct err *err)
{
	const struct loader *l = load_loader(st);

	bool ok = l != NULL ? l->load(st, w, err) : fail(err, E_SYSTEM, "the index names an unknown loader");

	if (ok)
		store_publish(st);
	else
		store_discard(st);
	return ok;
}

bool
load_open(struct store **out, const char *path,
    const struct store_options *options, struct work *w, struct err *err)
{
	struct store_options o = { .dir = NULL };
	struct store *st;
	bool other;

	*out = NULL;
	if (options != NULL)
		o = *options;
	o.work = w;
	if (o.bytes == NULL && o.fd == NULL && directory_is(path))
		return folder_open(out, path, &o, w, err);
	/* With --as the decoded content need not be recognised. */
	o.known = o.as == NULL ? &(const struct intake_check){ load_knows, path } : NULL;
	if (!store_open(&st, path, &o, err))
		return false;
	other = input_is_other(st, &o);
	if (!other && (o.verify || store_doubted(st)) && load_loader(st) != NULL && !input_is_changed(st, w, &other, err)) {
		store_close(st);
		return false;
	}
	if (other) {
		store_close(st);
		o.anew = true;
		if (!store_open(&st, path, &o, err))
			return false;
	}
	resident_source(store_source(st)->size, true);
	if (!input_load(st, &o, w, err)) {
		store_discard(st);
		store_close(st);
		return false;
	}
	store_publish(st);
	/*
	 * Set it here, because with a kept index no pass sets it. Not for traces: building a call tree writes columns
	 * that would be dropped and read again.
	 */
	if (load_shapes(st) & SHAPE_GRAPH)
		scratch_budget_input(store_source(st)->size, fact_value(st, FACT_HEAP_OBJECTS));
	*out = st;
	return true;
}
