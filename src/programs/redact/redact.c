/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * redact: write a redacted copy of a dump; it appears complete or not at all.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/directory.h"
#include "icecore/load.h"
#include "left.h"

#define RESIDENT ((uint64_t)24 << 20)	/* bytes of the input kept in memory */

const char *const redact_modes[REDACT_MODES] = { "shape", "stable" };
const char *const redact_names[REDACT_NAMES] = { "keep", "hash", "hash-all" };
const char *const redact_numbers[REDACT_NUMBERS] = { "mask", "keep" };

extern const struct redact_kind redact_meant, redact_trace;
static const struct redact_kind *const kinds[] = { &redact_trace, &redact_meant };

/* NULL: it may be a heap dump. */
static const struct redact_kind *
redact_kind_of(const struct map *m)
{
	for (size_t i = 0; i < NELEM(kinds); i++)
		if (kinds[i]->is(m))
			return kinds[i];
	return NULL;
}

/* False.  The message is that of a damaged heap dump if the file may be one. */
static bool
fail_kept_out(const struct map *m, struct err *err)
{
	const struct loader *l = load_format(m, "");

	if (l != NULL && (l->shapes & SHAPE_GRAPH) == 0)
		fail(err, E_UNREADABLE, "files of this kind cannot be redacted (%s); icecore-redact(1) lists those "
		    "that can", l->what);
	else if (m->size == 0)
		fail(err, E_UNREADABLE, "the file is empty");
	else if (l == NULL && !str_begins(map_text(m), "JAVA PROFILE"))
		fail(err, E_UNREADABLE, "not a heap dump, trace, recording or stack dump that icecore knows; "
		    "icecore-redact(1) lists the files that can be redacted");
	return false;
}

/* A heap dump, or a file of another kind. */
static bool
is_dump(const struct map *m, const void *arg, struct err *err)
{
	struct dump_walk w;

	(void)arg;
	return redact_kind_of(m) != NULL || walk_begin(&w, m, NULL, err) || fail_kept_out(m, err);
}

/* A system error is not an error of the file. */
static bool
fail_of(const char *path, const struct err *why, struct err *err)
{
	bool ours = why->kind == E_SYSTEM || why->kind == E_CANCEL;

	return fail_about(err, ours ? NULL : shown_path(path), why);
}

/* Also of the compressed file, if it has a size. */
static bool
open_dump(struct map *m, struct map *packed, const char *path, bool *cut, struct work *work, struct err *err)
{
	struct err why = { .kind = E_NONE };

	if (!unpacked_open_both(m, packed, path, &(const struct intake_check){ is_dump, NULL }, cut, work,
	    &why))
		return fail_of(path, &why, err);
	if (is_dump(m, NULL, &why) && load_permits(m, path, &why))
		return true;
	map_close(m);
	map_close(packed);
	return fail_of(path, &why, err);
}

/* Reported before anything is read. */
static bool
check_paths(const struct redact_options *o, struct err *err)
{
	const struct output_path all[] = {
		{ "input", o->in, .made = false }, { "key", o->key_file, .made = false },
		{ "output", o->out, .made = true }, { "mapping", o->mapping, .made = true }
	};

	return output_check(all, NELEM(all), o->force, err);
}

/* Write the comment of the second member of a compressed file. */
static void
make_comment(const struct redact_options *o, char *comment, size_t size)
{
	snprintf(comment, size, "icecore redact 1 %s %s", redact_modes[o->mode], redact_names[o->names]);
}

static bool
check_unchanged(const struct redaction *r)
{
	return !map_lost(r->in) || fail_file(r->err, E_SYSTEM, r->o->in,
	    "file changed while reading; run icecore again");
}

/* Reported before anything is written. */
static bool
check_sound(const struct redaction *r)
{
	return !r->o->strict || redacted_sound(r->result) ||
	    fail_file(r->err, E_INPUT, r->o->in, "damaged or truncated; nothing written (--strict)");
}

static bool
write_mapping(const char *path, const struct buf *b, bool force, struct err *err)
{
	struct file f;

	if (b->bad)
		return fail(err, E_SYSTEM, "out of memory (mapping)");
	if (!output_begin(&f, path, err))
		return false;
	if (file_write(&f, b->s, b->n, err) && file_commit(&f, force, err))
		return true;
	file_abandon(&f);
	return false;
}

/* Learn everything that masking needs, and open the key. */
static bool
redact_know(struct redaction *r, struct learned *l)
{
	if (!learn(l, r))
		return false;
	r->result->unknown = l->lost;
	r->result->open = l->cut;
	return keyed_open(&r->key, r->o->key, r->o->key_size, r->err) && names_break(l, r);
}

/* Only dumps have classes and fields. */
static bool
check_no_dump(const struct redact_options *o, struct err *err)
{
	return (o->keep == NULL && o->mapping == NULL) ||
	    fail_file(err, E_USAGE, o->in, "--keep-field and --write-mapping are for heap dumps");
}

static bool
check_dump(const struct redact_options *o, struct err *err)
{
	return o->numbers == REDACT_NUMBERS_MASK ||
	    fail_file(err, E_USAGE, o->in,
	    "--numbers keep is for traces, recordings and text; heap dumps have --keep-field");
}

static bool
redact_other(const struct redact_kind *kind, struct redaction *r, int fd)
{
	const struct redact_options *o = r->o;
	bool ok = check_no_dump(o, r->err) &&
	    (!o->strict || (kind->damage(r, &r->result->unknown) && check_sound(r)));

	r->result->unknown = 0;
	r->result->size = r->in->size;
	r->result->other = true;
	/* Decompressed data may be longer than the input. */
	return ok && keyed_open(&r->key, o->key, o->key_size, r->err) &&
	    output_sink(r->s, o->out, fd, UINT64_MAX, o->level, NULL, r->work, r->err) && kind->mask(r) &&
	    check_unchanged(r);
}

static bool
redact_dump(struct redaction *r, int fd, struct buf *mapping)
{
	const struct redact_options *o = r->o;
	struct learned l;
	char comment[64];
	bool ok;

	make_comment(o, comment, sizeof comment);
	if (!check_dump(o, r->err))
		return false;
	ok = redact_know(r, &l) && check_sound(r) && output_sink(r->s, o->out, fd, r->in->size, o->level,
	    comment, r->work, r->err) && mask(r, &l, false) && check_unchanged(r) &&
	    (o->mapping == NULL || mapping_lines(r, &l, mapping));
	learned_free(&l);
	return ok;
}

static void
redaction_close(struct redaction *r)
{
	sink_free(r->s);
	keyed_free(r->key);
}

bool
redact_file(const struct redact_options *o, struct redacted *result, struct work *work, struct err *err)
{
	struct file f = FILE_INIT;
	struct buf mapping = BUF_INIT;
	struct map m, packed;
	struct sink s = { .room = NULL };
	struct redaction r = { .in = &m, .o = o, .s = &s, .result = result, .work = work, .err = err };
	const struct redact_kind *kind;
	bool std = output_is_std(o->out), ok;
	int fd;

	memset(result, 0, sizeof *result);
	if (!check_paths(o, err) || !open_dump(&m, &packed, o->in, &result->cut, work, err))
		return false;
	map_close(&packed);
	resident_limit(RESIDENT, true);
	ok = std || output_begin(&f, o->out, err);
	kind = redact_kind_of(&m);
	fd = std ? STDOUT_FILENO : f.fd;
	ok = ok && (kind != NULL ? redact_other(kind, &r, fd) : redact_dump(&r, fd, &mapping));
	redaction_close(&r);
	ok = ok && (std || output_size(f.fd, &result->written, err)) &&
	    (o->mapping == NULL || write_mapping(o->mapping, &mapping, o->force, err)) &&
	    (std || file_commit(&f, o->force, err));
	file_abandon(&f);
	buf_free(&mapping);
	map_close(&m);
	return ok;
}

bool
redact_texts(const char *path, redact_text_take take, void *arg, uint64_t *omitted, struct work *work,
    struct err *err)
{
	struct err why = { .kind = E_NONE };
	struct map m, packed;
	bool cut = false, ok;

	if (!open_dump(&m, &packed, path, &cut, work, err))
		return false;
	map_close(&packed);
	resident_limit(RESIDENT, true);
	ok = left_list(&m, redact_kind_of(&m), take, arg, omitted, work, &why) || fail_of(path, &why, err);
	map_close(&m);
	return ok;
}

/* ---- checking ---------------------------------------------------------------------------------------- */

/* Without the key, letters are only checked for what they can be. */
static bool
redact_compare(struct redaction *r, const struct map *out)
{
	bool loose = r->o->key == NULL && (r->o->mode == REDACT_STABLE || r->o->names != REDACT_KEEP);
	struct err *err = r->err, why = { .kind = E_NONE };
	struct learned l;
	bool ok = redact_know(r, &l) && sink_begin_peer(r->s, out, r->in->size, r->work, err);

	r->err = r->s->err = &why;
	if (ok && !mask(r, &l, loose))
		ok = fail_of(r->o->out, &why, err);
	learned_free(&l);
	return ok;
}

/* Check that the output contains none of the words, and that a compressed file contains nothing else. */
static bool
check_rest(const struct map *out, const struct map *packed, bool cut, bool dump,
    const struct redact_options *o, struct work *work, struct err *err)
{
	struct err why = { .kind = E_NONE };
	char comment[64];

	make_comment(o, comment, sizeof comment);
	return ((o->words == NULL || sought_missing(out, packed, o->words, work, &why)) &&
	    (!cut || fail(&why, E_INPUT, "check failed: compressed data truncated or damaged")) &&
	    (packed->size == 0 || gzip_check(packed, out->size, dump ? comment : NULL, work, &why))) ||
	    fail_of(o->out, &why, err);
}

/* A file of another kind: names become letters in all modes. */
static bool
check_other(const struct redact_kind *kind, struct redaction *r, const struct map *out)
{
	const struct redact_options *o = r->o;
	struct err *err = r->err, why = { .kind = E_NONE };
	bool ok;

	r->result->size = r->in->size;
	r->result->other = true;
	ok = (o->key == NULL || keyed_open(&r->key, o->key, o->key_size, err)) &&
	    sink_begin_peer(r->s, out, UINT64_MAX, r->work, err);
	r->err = r->s->err = &why;
	return ok && ((redact_kind_of(out) != kind ?
	    !!fail(&why, E_INPUT, "check failed: another kind of file") : kind->mask(r)) ||
	    fail_of(o->out, &why, err));
}

bool
redact_check(const struct redact_options *o, struct redacted *result, struct work *work, struct err *err)
{
	const struct redact_kind *kind;
	struct map in, out, packed;
	struct sink s = { .room = NULL };
	struct redaction r = { .in = &in, .o = o, .s = &s, .result = result, .work = work, .err = err };
	bool cut = false, ok;

	memset(result, 0, sizeof *result);
	if (!open_dump(&in, &packed, o->in, &result->cut, work, err))
		return false;
	map_close(&packed);
	ok = open_dump(&out, &packed, o->out, &cut, work, err);
	if (ok) {
		resident_limit(RESIDENT, true);
		kind = redact_kind_of(&in);
		ok = kind == NULL ? check_dump(o, err) && redact_compare(&r, &out) :
		    check_no_dump(o, err) && check_other(kind, &r, &out);
		redaction_close(&r);
		ok = ok && check_rest(&out, &packed, cut, kind == NULL, o, work, err);
		map_close(&out);
		map_close(&packed);
	}
	map_close(&in);
	return ok;
}
