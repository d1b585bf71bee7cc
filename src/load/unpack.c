/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unpack: the decoded copy of a compressed or encoded file.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/directory.h"
#include "icecore/facts.h"
#include "icecore/named.h"
#include "unpack.h"

/* Facts of the decoded file, in the order of info; those of decoders by kind. */
static const enum fact_id unpacked_facts[] = {
	FACT_ENCODING, FACT_UNPACKED, FACT_TRACE_UNPACKED_HASH, FACT_REPAIR_UTF16, FACT_LOSS_GZIP, FACT_LOSS_LZ4,
	FACT_LOSS_ZSTD, FACT_LOSS_XZ, FACT_LOSS_BZIP2, FACT_LOSS_ZLIB, FACT_LOSS_HTML, FACT_LOSS_ARCHIVE
};

static bool
note_unpacked(struct store *st, const struct decoded *done, const struct map *raw, struct err *err)
{
	const char *parts = done->parts;
	char how[sizeof done->how + sizeof done->parts + 3];

	snprintf(how, sizeof how, "%s%s%s", done->how, parts[0] != '\0' ? ": " : "", parts);
	if (!fact_set_text(st, FACT_ENCODING, str_of(how), err) ||
	    !fact_set(st, FACT_UNPACKED, raw->size, err) ||
	    (done->replaced > 0 && !fact_set(st, FACT_REPAIR_UTF16, done->replaced, err)))
		return false;
	for (size_t i = 0; i < DECODE_KINDS; i++)
		if (done->cut[i] && !fact_set(st, decode_words[i].lost, 1, err))
			return false;
	return true;
}

bool
unpack_note_part(struct store *st, bool pipe, struct err *err)
{
	struct err why;

	fail_allowed(&why, pipe);
	return fact_set(st, FACT_LOSS_UNPACKED, 1, err) && fact_set_text(st, FACT_TRACE_PART, str_of(why.text), err);
}

/* ---- location of the copy ------------------------------------------------------------------- */

/* Return whether writing failed rather than reading: no permission, no space, no disk. */
static bool
is_of_place(const struct err *why, uint64_t refused, struct work *w)
{
	return why->kind == E_SYSTEM && (why->reason == REASON_NONE || why->reason == REASON_SPACE) &&
	    mem_refused() == refused && work_tick(w, 0);
}

/*
 * Decode to a file next to the index or at its alternative place. *tried: neither could be written; why: the last
 * error.
 */
static bool
unpack_kept(struct map *raw, struct store *st, const struct intake_check *known, struct decoded *done, bool *tried,
    struct work *w, struct err *why)
{
	uint64_t refused = mem_refused();
	bool ok = false;

	*tried = false;
	for (int other = 0; !ok && other < 2; other++) {
		char *path = store_unpacked_path(st, other != 0);

		if (path == NULL)
			break;
		*tried = true;
		ok = named_directories(path) && directory_takes(path) && directory_replaces(path) ?
		    decode_file(raw, store_file(st), path, known, done, w, why) :
		    fail(why, E_SYSTEM, "cannot create files beside %s", path);
		free(path);
		if (!ok && !is_of_place(why, refused, w))
			return false;
	}
	return ok;
}

/* Decode to a nameless file. */
static bool
unpack_nameless(struct map *raw, struct store *st, const struct intake_check *known, struct decoded *done,
    struct work *w,
    struct err *err)
{
	uint64_t refused = mem_refused();
	struct err why;

	if (decode_file(raw, store_file(st), NULL, known, done, w, &why))
		return true;
	if (!is_of_place(&why, refused, w) || why.reason == REASON_SPACE)
		return fail_about(err, NULL, &why);
	return fail(err, E_SYSTEM, "%s; to unpack elsewhere, use --index DIR, or --no-index and TMPDIR", why.text);
}

static bool
unpack_unpack(struct map *raw, struct store *st, const struct intake_check *known, struct decoded *done, bool *kept,
    struct work *w, struct err *err)
{
	uint64_t refused = mem_refused();
	struct err why = { .kind = E_NONE };
	struct buf b = BUF_INIT;
	bool tried;

	*kept = unpack_kept(raw, st, known, done, &tried, w, &why);
	if (*kept)
		return true;
	if (tried && !is_of_place(&why, refused, w))
		return fail_about(err, NULL, &why);
	if (tried) {
		buf_printf(&b, "off: %s", why.text);
		store_keep_none(st, b.bad ? "off: out of memory" : b.s);
		buf_free(&b);
	}
	return unpack_nameless(raw, st, known, done, w, err);
}

bool
unpack_make(struct store *st, const struct intake_check *known, bool log, struct work *w, struct err *err)
{
	struct decoded done = { .log = log, .path = store_path(st) };
	struct map raw;
	uint64_t hash = 0;
	bool kept;

	if (!unpack_unpack(&raw, st, known, &done, &kept, w, err))
		return false;
	store_set_source(st, &raw);
	if (kept && !done.full && !done.listed &&
	    (!hash_map(store_source(st), "checksum of the decoded copy", w, &hash, err) ||
	    !fact_set(st, FACT_TRACE_UNPACKED_HASH, hash, err)))
		return false;
	/* A copy truncated by a limit is not kept, because another limit gives another copy. */
	if (done.full)
		store_keep_none(st, "off: unpacked only in part (limit: --unpacked)");
	/* Paths in a list of files depend on the name of the archive. */
	if (done.listed)
		store_keep_none(st, "off: a list of files");
	if (done.listed && !fact_set(st, FACT_SHAPES, SHAPE_TABLE | SHAPE_FOLDER, err))
		return false;
	return note_unpacked(st, &done, store_source(st), err) && (!done.full || unpack_note_part(st, false, err));
}

void
unpack_drop(const struct store *st)
{
	for (int other = 0; other < 2; other++) {
		char *path = store_unpacked_path(st, other != 0);

		if (path != NULL)
			(void)named_remove(path);
		free(path);
	}
}

/* ---- copy of an earlier run ----------------------------------------------------------------- */

/* *damaged: a copy exists, but does not match. */
static bool
reuse(struct store *st, bool other, bool *damaged, struct work *w)
{
	char *path = store_unpacked_path(st, other);
	struct map raw;
	struct err err;
	uint64_t hash;
	bool ok = path != NULL && map_open_own(&raw, path);

	free(path);
	if (!ok)
		return false;
	ok = raw.size == fact_value(st, FACT_UNPACKED) && hash_map(&raw, "checking the decoded copy", w, &hash, &err) &&
	    hash == fact_value(st, FACT_TRACE_UNPACKED_HASH);
	if (ok)
		store_set_source(st, &raw);
	else {
		*damaged |= work_tick(w, 0);
		map_close(&raw);
	}
	return ok;
}

bool
unpack_reuse(struct store *st, struct work *w)
{
	bool damaged = false, ok = reuse(st, false, &damaged, w) || reuse(st, true, &damaged, w);

	if (!ok && damaged)
		store_copy_damaged(st);
	return ok;
}

bool
unpack_borrow(struct store *st, const struct store_options *o, struct work *w)
{
	struct store_options options = *o;
	struct store *first;
	struct fact f;
	struct err err;
	bool ok;

	options.dump = 1;
	if (store_dump(st) == 1 || store_index_path(st)[0] == '\0' ||
	    !store_open(&first, store_path(st), &options, &err))
		return false;
	ok = load_loader(first) != NULL && !store_doubted(first);
	for (size_t i = 0; ok && store_fact_at(first, i, &f); i++)
		for (size_t k = 0; ok && k < NELEM(unpacked_facts); k++)
			if (strcmp(f.name, fact_name(unpacked_facts[k])) == 0)
				ok = f.type == FACT_TEXT ? store_fact_text(st, f.name, f.text, &err) :
				    store_fact(st, f.name, f.type, f.value, &err);
	store_close(first);
	return ok && unpack_reuse(st, w);
}
