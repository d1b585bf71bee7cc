/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Open an input: use its index, or the loader that recognises the content.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/json.h"
#include "icecore/policy.h"

#include "asks.h"
#include "decode.h"
#include "folder.h"
#include "folder_table.h"
#include "format.h"
#include "perfdata.h"
#include "unpack.h"

#define CHECKSUM "checksum of the file"

/* ---- whether an index is used ---------------------------------------------------------------- */

/* Return whether the index was made by another loader or with other options than those of this run. */
static bool
input_is_other(const struct store *st, const struct store_options *o)
{
	if (load_loader(st) == NULL)
		return false;
	return (o->as != NULL ? !str_eq(fact_text(st, FACT_LOADER), str_of(o->as)) :
	    fact_value(st, FACT_TRACE_ASKED) != 0) ||
	    !asks_same(st, o->asks, load_loader(st)->shapes) ||
	    (load_loader(st)->dumps && fact_value(st, FACT_DUMP) != o->dump) ||
	    (load_loader(st)->stale != NULL && load_loader(st)->stale(st));
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

/* If a loader finds nothing complete in a partial file, the limit is the reason. */
static bool
input_fail_part(const struct store *st, struct err *err)
{
	struct str part = fact_text(st, FACT_TRACE_PART);

	return part.n > 0 && err->kind == E_UNREADABLE ?
	    fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%.*s", (int)part.n, part.s) :
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
	uint64_t plain;

	(void)scan_plain_read();
	ok = l->load(st, w, err) || input_fail_part(st, err);
	plain = scan_plain_read();
	ok = ok && (plain == 0 || fact_set(st, FACT_REPAIR_ESCAPES, plain, err));
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

/* The table is a list of the files of an archive. */
static bool
input_is_list(struct store *st, struct err *err)
{
	struct buf hint = BUF_INIT;
	bool ok;

	buf_printf(&hint, "an archive of several files, which 'records' lists; open one: icecore '%s!NAME'",
	    store_path(st));
	ok = (!hint.bad || fail(err, E_SYSTEM, "out of memory")) &&
	    fact_set(st, FACT_SHAPES, SHAPE_TABLE | SHAPE_FOLDER, err) &&
	    fact_set_text(st, FACT_FORMAT, STR("archive"), err) &&
	    fact_set_text(st, FACT_TRACE_HINT, buf_view(&hint), err);
	buf_free(&hint);
	return ok;
}

static bool
run_loader(struct store *st, const struct store_options *o, struct work *w, struct err *err)
{
	bool list = (fact_value(st, FACT_SHAPES) & SHAPE_FOLDER) != 0;
	const char *as = o->as;
	const struct map *m = store_source(st);
	const struct loader *known = list ? loader_named(STR("table")) : format_loader(store_path(st), m);
	const struct loader *l = as != NULL ? loader_named(str_of(as)) : known;
	const struct ask_options *asks = list ? &folder_asks : o->asks;
	uint64_t hash;

	if (as != NULL && l == NULL)
		return fail(err, E_USAGE, "unknown format %s; icecore --list-formats lists them", as);
	if (list && l != known)
		return fail(err, E_UNREADABLE, "an archive of several files; open one: icecore --as %s '%s!NAME'",
		    as, store_path(st));
	if (m->size == 0 && decode_is_packed(decode_kind(store_file(st), false)))
		return input_fail_part(st, err) || fail(err, E_UNREADABLE, "%s: decompresses to nothing",
		    decode_is_cut(st) ? "truncated or damaged" : "empty");
	if (l == NULL || m->size == 0) {
		/* A page may decode to nothing. */
		m = m->size > 0 ? m : store_file(st);
		return foreign_fail(m->data, m->size, err) || input_fail_part(st, err);
	}
	if (store_dump(st) > 1 && !(l->shapes & SHAPE_GRAPH) && !l->dumps)
		return fail(err, E_USAGE, "--dump %u: not a heap dump; of profiles all dumps are read together",
		    store_dump(st));
	if ((l->dumps && o->dump > 0 && !fact_set(st, FACT_DUMP, o->dump, err)) ||
	    !policy_format(l->name, err) || !asks_fit(asks, l, err) || !asks_put(st, asks, err) ||
	    (l->gather != NULL && o->bytes == NULL && o->fd == NULL && !l->gather(st, w, err)) ||
	    !load_and_hash(st, l, &hash, w, err) ||
	    !fact_set_text(st, FACT_LOADER, str_of(l->name), err) ||
	    (list && !input_is_list(st, err)) ||
	    (l != known && !fact_set(st, FACT_TRACE_ASKED, 1, err)) ||
	    (store_index_path(st)[0] != '\0' && !fact_set(st, FACT_TRACE_HASH, hash, err)))
		return false;
	return note_cut(st, err);
}

static bool
input_load(struct store *st, const struct store_options *o, struct work *w, struct err *err)
{
	/* With --as, logs are what the user says: tables, for example. */
	bool log = o->as == NULL || strcmp(o->as, "stacks") == 0;
	bool packed = decode_kind(store_file(st), log) != DECODE_NONE;
	bool known = load_loader(st) != NULL, fresh;
	const struct intake_check what = { format_known, store_path(st) };

	if (store_file(st)->cut && !unpack_note_part(st, true, err))
		return false;
	fresh = packed && !(known ? unpack_reuse(st, w) : unpack_borrow(st, o, w));
	if (!work_go(w, 0, err))
		return false;
	if (fresh && !unpack_make(st, o->known != NULL ? &what : NULL, log, w, err))
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

static bool
input_open(struct store **out, const char *path, struct store_options o, struct work *w, struct err *err)
{
	struct store *st;
	bool other;

	/* With --as the decoded content need not be recognised. */
	o.known = o.as == NULL ? &(const struct intake_check){ load_knows, path } : NULL;
	if (!store_open(&st, path, &o, err))
		return false;
	other = input_is_other(st, &o);
	if (!other && (o.verify || store_doubted(st)) && load_loader(st) != NULL &&
	    !input_is_changed(st, w, &other, err)) {
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

/* Open a directory as a table in memory. */
static bool
input_open_folder(struct store **st, const char *path, const struct store_options *given, struct work *w,
    struct err *err)
{
	struct store_options o = { .memory_only = true, .as = "table", .asks = &folder_asks, .work = w };
	struct buf table = BUF_INIT;
	struct str bytes;
	bool ok = folder_read(&table, path, given->recent, w, err);

	bytes = buf_view(&table);
	o.bytes = &bytes;
	ok = ok && input_open(st, path, o, w, err);
	buf_free(&table);
	if (!ok)
		return false;
	if (!fact_set(*st, FACT_SHAPES, SHAPE_TABLE | SHAPE_FOLDER, err) ||
	    !fact_set_text(*st, FACT_FORMAT, STR("directory"), err)) {
		store_close(*st);
		return false;
	}
	store_publish(*st);
	return true;
}

/* Open a file of an archive. */
static bool
input_open_member(struct store **st, const char *path, const char *archive, const char *name, struct store_options o,
    struct work *w, struct err *err)
{
	int fd;
	bool ok;

	if (!fd_temporary(&fd, NULL, err))
		return false;
	o.fd = &fd;
	o.memory_only = true;
	ok = member_unpack_to(fd, archive, name, w, err) && input_open(st, path, o, w, err);
	close(fd);
	return ok;
}

bool
load_open(struct store **st, const char *path, const struct store_options *options, struct work *w,
    struct err *err)
{
	struct store_options o = options != NULL ? *options : (struct store_options){ .dir = NULL };
	const char *name;
	char *archive;
	bool ok;

	*st = NULL;
	o.work = w;
	if (o.bytes != NULL || o.fd != NULL)
		return input_open(st, path, o, w, err);
	if (directory_is(path))
		return input_open_folder(st, path, &o, w, err);
	if ((archive = member_archive(path, &name)) == NULL)
		return input_open(st, path, o, w, err);
	ok = input_open_member(st, path, archive, name, o, w, err);
	free(archive);
	return ok;
}
