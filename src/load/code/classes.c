/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * classes: the loader of bytecode (class files, dex files and their archives), also next to another file.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "icecore/columns_code.h"
#include "icecore/facts.h"
#include "bytes.h"

/* ---- recognising files --------------------------------------------------------------------- */

/* Universal binaries of macOS have the same magic, with a small number in the place of the version. */
static bool
is_class_file(const uint8_t *p, uint64_t n)
{
	return n >= 10 && be32(p) == 0xcafebabe && be16(p + 6) >= 45;
}

/* Version 041 contains several files with common numbering; big-endian files have all numbers swapped. */
static bool
is_dex(const uint8_t *p, uint64_t n)
{
	return n >= 8 && (n < 44 || be32(p + 40) != 0x12345678) && memcmp(p, "dex\n", 4) == 0 && p[7] == 0 &&
	    is_digit((char)p[4]) && is_digit((char)p[5]) &&
	    is_digit((char)p[6]) && memcmp(p + 4, "041", 3) != 0;
}

bool
code_is_piece(const uint8_t *p, uint64_t n)
{
	return is_class_file(p, n) || is_dex(p, n);
}

static bool
is_bundle(const uint8_t *p, uint64_t n)
{
	return n >= 8 && memcmp(p, BUNDLE_MAGIC, 8) == 0;
}

static bool
classes_sniff(const uint8_t *head, size_t n)
{
	return code_is_piece(head, n) || is_bundle(head, n);
}

/* ---- reading -------------------------------------------------------------------------------- */

#define NEWEST_CLASS 69
#define NEWEST_DEX 40

static bool
classes_read_piece(struct code_tables *r, struct str name, struct str piece, struct err *err)
{
	const uint8_t *p = (const uint8_t *)piece.s;
	struct code_piece_row row = { .name = rows_ref(r, name), .at = (uint64_t)(p - r->data),
	    .size = piece.n };

	if (!code_is_piece(p, piece.n)) {
		r->bad_pieces++;
		return true;
	}
	row.dex = is_dex(p, piece.n);
	row.version = (uint16_t)(row.dex ? (p[4] - '0') * 100 + (p[5] - '0') * 10 + p[6] - '0' :
	    (int)be16(p + 6));
	r->newer += row.version > (row.dex ? NEWEST_DEX : NEWEST_CLASS);
	if (!make_add(&r->piece, &r->npieces, &row, sizeof row, MAKE_MOST, "files", err))
		return false;
	return row.dex ? read_dex_file(r, piece, err) : read_class_file(r, piece, err);
}

/* Count the outcomes of archive entries. */
static void
read_counts(uint64_t *counts, struct str s)
{
	for (size_t i = 0; i < BUNDLE_COUNTS && 8 * i + 8 <= s.n; i++)
		counts[i] = num_add(counts[i], le64((const uint8_t *)s.s + 8 * i));
}

static bool
read_bundle(struct code_tables *r, uint64_t *counts, struct err *err)
{
	uint64_t at = 8, name, size;

	for (; r->size - at >= BUNDLE_HEAD; at += BUNDLE_PAD(size) <= r->size - at ? BUNDLE_PAD(size) : size) {
		const uint8_t *head = r->data + at;

		assert(at <= r->size);
		if (!work_go(r->work, at, err))
			return false;
		at += BUNDLE_HEAD;
		name = le32(head);
		size = le64(head + 8);
		if (BUNDLE_PAD(name) > r->size - at || size > r->size - at - BUNDLE_PAD(name)) {
			r->bad_pieces++;
			return true;
		}
		head += BUNDLE_HEAD;
		at += BUNDLE_PAD(name);
		if (name == 0)
			read_counts(counts, (struct str){ (const char *)r->data + at, (size_t)size });
		else if (!classes_read_piece(r, (struct str){ (const char *)head, (size_t)name },
		    (struct str){ (const char *)r->data + at, (size_t)size }, err))
			return false;
	}
	return true;
}

/* ---- columns and facts ----------------------------------------------------------------------- */

static const struct make_column piece_columns[] = {
	MAKE(COL_PIECE_NAME, code_piece_row, name), MAKE(COL_PIECE_AT, code_piece_row, at),
	MAKE_FIT(COL_PIECE_SIZE, code_piece_row, size),
	MAKE(COL_PIECE_VERSION, code_piece_row, version), MAKE(COL_PIECE_DEX, code_piece_row, dex)
};

static const struct make_column class_columns[] = {
	MAKE(COL_CODE_CLASS_NAME, code_class_row, name), MAKE(COL_CODE_CLASS_SUPER, code_class_row, super),
	MAKE(COL_CODE_CLASS_SOURCE, code_class_row, source), MAKE_FIT(COL_CODE_CLASS_AT, code_class_row, at),
	MAKE_FIT(COL_CODE_CLASS_PIECE, code_class_row, piece),
	MAKE_FIT(COL_CODE_CLASS_ACCESS, code_class_row, access),
	MAKE_FIT(COL_CODE_CLASS_FIRST, code_class_row, first),
	MAKE_FIT(COL_CODE_CLASS_METHODS, code_class_row, methods)
};

static const struct make_column method_columns[] = {
	MAKE(COL_CODE_METHOD_NAME, code_method_row, name), MAKE(COL_CODE_METHOD_DESC, code_method_row, desc),
	MAKE_FIT(COL_CODE_METHOD_AT, code_method_row, at),
	MAKE_FIT(COL_CODE_METHOD_CLASS, code_method_row, class),
	MAKE_FIT(COL_CODE_METHOD_ACCESS, code_method_row, access),
	MAKE_FIT(COL_CODE_METHOD_BYTES, code_method_row, bytes),
	MAKE_FIT(COL_CODE_METHOD_FIRST_LINE, code_method_row, first_line),
	MAKE_FIT(COL_CODE_METHOD_LAST_LINE, code_method_row, last_line),
	MAKE(COL_CODE_METHOD_BAD, code_method_row, bad)
};

static bool
classes_put_columns(struct store *st, const struct code_tables *r, struct err *err)
{
	const struct code_piece_row *piece = SCRATCH(r->piece, struct code_piece_row);
	const struct code_class_row *class = SCRATCH(r->class, struct code_class_row);
	const struct code_method_row *method = SCRATCH(r->method, struct code_method_row);

	return make_columns(st, piece_columns, NELEM(piece_columns), MAKE_ROWS(piece, r->npieces), err) &&
	    make_columns(st, class_columns, NELEM(class_columns), MAKE_ROWS(class, r->nclasses), err) &&
	    make_columns(st, method_columns, NELEM(method_columns), MAKE_ROWS(method, r->nmethods), err);
}

static uint64_t
count_dex(const struct code_tables *r)
{
	const struct code_piece_row *piece = SCRATCH(r->piece, struct code_piece_row);
	uint64_t n = 0;

	for (uint64_t i = 0; i < r->npieces; i++)
		n += piece[i].dex;
	return n;
}

static bool
classes_put_facts(struct store *st, const struct code_tables *r, const uint64_t *n, struct err *err)
{
	const struct make_fact facts[] = {
		{ FACT_CODE_FILES, r->npieces }, { FACT_CODE_DEX, count_dex(r), MAKE_ANY },
		{ FACT_CODE_CLASSES, r->nclasses },
		{ FACT_CODE_METHODS, r->nmethods },
		{ FACT_CODE_BYTES, r->code_bytes },
		{ FACT_CODE_NEWER, r->newer, MAKE_ANY },
		{ FACT_ARCHIVE_ENTRIES, n[BUNDLE_ENTRIES], MAKE_ANY },
		{ FACT_UNREAD_ARCHIVE, n[BUNDLE_OTHERS], MAKE_ANY },
		{ FACT_ARCHIVE_NESTED, n[BUNDLE_NESTED], MAKE_ANY },
		{ FACT_ARCHIVE_VERSIONS, n[BUNDLE_VERSIONS], MAKE_ANY },
		{ FACT_ARCHIVE_UNREACHED, n[BUNDLE_UNREACHED], MAKE_ANY },
		{ FACT_ARCHIVE_PREFIX, n[BUNDLE_PREFIX], MAKE_ANY },
		{ FACT_REPAIR_ARCHIVE_DOUBLES, n[BUNDLE_DOUBLES], MAKE_ANY },
		{ FACT_REPAIR_CODE_DOUBLES, r->doubles, MAKE_ANY },
		{ FACT_REPAIR_DEX_CHECKSUM, r->bad_checksum, MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_ENCRYPTED, n[BUNDLE_ENCRYPTED], MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_METHOD, n[BUNDLE_METHOD], MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_ENTRIES, n[BUNDLE_CHECKSUM], MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_BOUNDS, n[BUNDLE_BOUNDS], MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_DEEP, n[BUNDLE_DEEP], MAKE_ANY },
		{ FACT_LOSS_ARCHIVE_CUT, n[BUNDLE_CUT], MAKE_ANY },
		{ FACT_LOSS_CODE_FILES, r->bad_pieces, MAKE_ANY }, { FACT_LOSS_CODE_CUT, r->cut, MAKE_ANY },
		{ FACT_LOSS_CODE_CLASSES, r->bad_classes, MAKE_ANY },
		{ FACT_LOSS_CODE_METHODS, r->bad_methods, MAKE_ANY }
	};

	return unread_facts(&r->unread, st, err) && make_facts(st, facts, NELEM(facts), err);
}

/* ---- duplicate classes ------------------------------------------------------------------------ */

/* Move a row to class to; its methods follow the first n. */
static void
move_class(struct code_tables *r, struct code_class_row row, uint32_t to, uint64_t n)
{
	struct code_method_row *method = SCRATCH(r->method, struct code_method_row);

	assert(to > 0 && to <= r->nclasses);
	assert(n < row.first && row.first - 1ull + row.methods <= r->nmethods);
	if (row.methods > 0)
		memmove(method + n, method + row.first - 1, row.methods * sizeof *method);
	for (uint64_t i = n; i < n + row.methods; i++)
		method[i].class = to;
	row.first = (uint32_t)n + 1;
	SCRATCH(r->class, struct code_class_row)[to - 1] = row;
}

/* The JVM uses the first class with a name. Remove the rows of later ones and their methods. */
static bool
drop_doubles(const struct store *st, struct code_tables *r, struct err *err)
{
	uint64_t n = r->nclasses, nmethods = 0;
	struct idmap names = IDMAP_INIT;
	struct code_class_row row;
	uint32_t kept = 0, class;
	bool ok = true;

	work_start(r->work, "classes", n);
	for (uint64_t i = 0; ok && i < n; i++) {
		row = SCRATCH(r->class, struct code_class_row)[i];
		ok = (i % 256 != 0 || work_go(r->work, i, err)) &&
		    idmap_enter(&names, idmap_hash_text(store_text(st, row.name), 0), kept + 1, &class, err);
		if (!ok || class <= kept)
			continue;
		move_class(r, row, ++kept, nmethods);
		nmethods += row.methods;
	}
	idmap_free(&names);
	r->doubles = n - kept;
	r->nclasses = kept;
	r->nmethods = nmethods;
	return ok;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Open the code of a method before columns exist. */
static bool
open_row(struct code_body *b, const struct code_tables *r, const struct code_method_row *m, struct err *err)
{
	uint32_t id = SCRATCH(r->class, struct code_class_row)[m->class - 1].piece;
	const struct code_piece_row *piece = &SCRATCH(r->piece, struct code_piece_row)[id - 1];

	assert(id > 0 && id <= r->npieces);
	assert(m->at >= piece->at);
	if (b->piece != id && !code_pool_open(&b->pool, r->data + piece->at, piece->size))
		return false;
	b->piece = id;
	b->ntries = b->nlines = 0;
	err->kind = E_NONE;
	return (piece->dex ? dex_body : class_body)(b, &b->pool, m->at - piece->at, err) && body_sound(b);
}

/* Compute lines and sizes, and find invalid methods. */
static bool
classes_measure(struct code_tables *r, struct code_body *b, struct err *err)
{
	struct code_method_row *m = SCRATCH(r->method, struct code_method_row);
	const struct code_line *l;

	work_start(r->work, "methods", r->nmethods);
	for (uint64_t i = 0; i < r->nmethods; i++, m++) {
		if (i % 256 == 0 && !work_go(r->work, i, err))
			return false;
		if (m->at == 0 || m->bad)
			continue;
		if (!open_row(b, r, m, err)) {
			if (err->kind != E_NONE)
				return false;
			r->bad_methods += m->bad = 1;
			continue;
		}
		m->bytes = b->size * (b->pool.dex ? 2u : 1u);
		r->code_bytes += m->bytes;
		l = SCRATCH(b->lines, struct code_line);
		for (uint64_t k = 0; k < b->nlines; k++, l++) {
			m->first_line = m->first_line == 0 ||
			    l->line < m->first_line ? l->line : m->first_line;
			m->last_line = l->line > m->last_line ? l->line : m->last_line;
		}
	}
	return true;
}

/* ---- the loader ------------------------------------------------------------------------------- */

bool
code_load(struct store *st, const uint8_t *data, uint64_t size, uint64_t base, struct work *w, struct err *err)
{
	struct code_tables r = { .data = data, .size = size, .base = base, .work = w };
	struct code_body body = { .unread = &r.unread };
	uint64_t counts[BUNDLE_COUNTS] = { 0 };
	bool ok;

	work_start_bytes(w, "classes", size);
	ok = is_bundle(data, size) ? read_bundle(&r, counts, err) :
	    classes_read_piece(&r, STR(""), (struct str){ (const char *)data, (size_t)size }, err);
	ok = ok && drop_doubles(st, &r, err) && classes_measure(&r, &body, err) &&
	    classes_put_columns(st, &r, err) &&
	    classes_put_facts(st, &r, counts, err);
	code_body_free(&body);
	code_pool_free(&r.pool);
	SCRATCH_FREE(&r.piece, &r.class, &r.method);
	return ok;
}

static const struct {
	enum fact_id fact;
	const char *what;
} unread[] = {
	{ FACT_LOSS_ARCHIVE_ENCRYPTED, "encrypted" },
	{ FACT_LOSS_ARCHIVE_METHOD, "compressed by an unsupported method" },
	{ FACT_LOSS_ARCHIVE_ENTRIES, "damaged" },
	{ FACT_LOSS_ARCHIVE_BOUNDS, "outside the archive or too large" },
	{ FACT_LOSS_ARCHIVE_DEEP, "nested too deeply" }
};

bool
code_fail_empty(const struct store *st, const char *path, struct err *err)
{
	struct buf why = BUF_INIT;
	uint64_t n;

	for (size_t i = 0; i < NELEM(unread); i++)
		if ((n = fact_value(st, unread[i].fact)) > 0)
			buf_printf(&why, "%s%" PRIu64 " %s", why.n > 0 ? ", " : "; entries: ", n,
			    unread[i].what);
	fail(err, E_UNREADABLE, "%s%sno readable classes in this file%.*s", path == NULL ? "" : path,
	    path == NULL ? "" : ": ", (int)why.n,
	    why.n > 0 ? why.s : "");
	buf_free(&why);
	return false;
}

static bool
classes_put_format(struct store *st, struct err *err)
{
	uint64_t n = fact_value(st, FACT_CODE_FILES), dex = fact_value(st, FACT_CODE_DEX);

	return fact_set_text(st, FACT_FORMAT, n == 1 ? (dex == 1 ? STR("dex file") : STR("Java class file")) :
	    dex == n ? STR("dex files") : dex == 0 ? STR("Java class files") :
	    STR("Java class files and dex files"), err);
}

static bool
classes_load(struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);

	if (!classes_sniff(m->data, (size_t)m->size))
		return fail(err, E_UNREADABLE, "not a class file, dex file or archive of them");
	if (!code_load(st, m->data, m->size, 0, w, err) || !classes_put_format(st, err))
		return false;
	if (fact_value(st, FACT_CODE_CLASSES) > 0)
		return true;
	/* The end of an archive is missing, and the entries before it have other data. */
	if (fact_value(st, FACT_LOSS_ARCHIVE_CUT) > 0 && fact_value(st, FACT_CODE_FILES) == 0)
		return foreign_fail(store_file(st)->data, store_file(st)->size, err);
	return code_fail_empty(st, NULL, err);
}

const struct loader load_classes = {
	.name = "classes",
	.what = "bytecode: class files, jar, aar, dex 035 to 040, apk, aab",
	.shapes = SHAPE_CODE,
	.sniff = classes_sniff,
	.load = classes_load
};
