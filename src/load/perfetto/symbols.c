/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * symbols: names of addresses, of renamed methods and of track events, which a tool added to a trace.
 *
 * Their place in the trace does not matter: they apply to all of it.  So they are read after the last packet.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "perfetto.h"

enum { FIELDS = 3, METHODS };
enum { CHAIN_MOST = 64, METHODS_MOST = 16 };	/* rows of a key and names of a method that are read */

/* A class, or one of its members. */
#define NAMED(F) F(1, obfuscated, BYTES) F(2, name, BYTES) F(3, fields, NONE) F(4, methods, NONE)
#define TRANSLATION(F) F(1, chrome_histogram_names, UNREAD) F(2, chrome_user_event_names, UNREAD) \
	F(3, chrome_performance_mark_names, UNREAD) F(4, slices, NONE) F(5, process_track_names, UNREAD) \
	F(6, chrome_study_names, UNREAD)
#define METHOD(F) F(1, obfuscated, BYTES) F(2, name, BYTES) F(3, from, U64) F(4, to, U64) F(5, line, U64)
SHAPE(symbol_module, "ModuleSymbols", FIELDS_MODULE)
SHAPE(symbol_address, "AddressSymbols", FIELDS_ADDRESS)
SHAPE(symbol_renamed, "DeobfuscationMapping", FIELDS_RENAMED)
SHAPE(symbol_named, "ObfuscatedClass", NAMED)
SHAPE(symbol_translation, "TranslationTable", TRANSLATION)
SHAPE(symbol_method, "ObfuscatedMember", METHOD)

/* A packet. */
struct symbols_in {
	struct pf_place	in, id;		/* id: build id, or package */
	uint32_t	packet;
};

/* An address of a path; a method or field of a class; or a class. */
struct symbol {
	uint64_t	key;
	struct pf_place	in, of;		/* messages of the symbol, and of the class of a member */
	uint32_t	packet, next;	/* next: from 1 */
};

bool
pf_symbols_packet(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct symbols_in new = { .in = pf_place(p, m), .packet = now->number };

	return PF_ADD(p->symbols, packets, new, "packets of symbols", err);
}

void
pf_symbols_close(struct pf_symbols *s)
{
	SCRATCH_FREE(&s->packets, &s->rows, &s->inlined);
	idmap_free(&s->by_key);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static bool
add_symbol(struct perfetto *p, struct symbol *new, struct err *err)
{
	struct pf_symbols *s = &p->symbols;

	new->next = idmap_get(&s->by_key, new->key);
	return make_add(&s->rows, &s->nrows, new, sizeof *new, MAKE_MOST, "symbols", err) &&
	    idmap_put(&s->by_key, new->key, (uint32_t)s->nrows, err);
}

static const struct symbol *
symbol_at(const struct perfetto *p, uint32_t at)
{
	return at == 0 ? NULL : &SCRATCH(p->symbols.rows, struct symbol)[at - 1];
}

static struct symbol_named
named_at(struct str in)
{
	struct symbol_named m;

	(void)symbol_named_read(in, &m, NULL);
	return m;
}

static uint64_t
address_key(struct str path, uint64_t address)
{
	return idmap_hash(idmap_hash_text(path, PKT_SYMBOLS) ^ idmap_hash(address)) | 1;
}

/* of: the field of their messages in those of classes. */
static uint64_t
member_key(struct str class, struct str member, unsigned of)
{
	return idmap_hash_text(member, idmap_hash_text(class, PKT_DEOBFUSCATION + of)) | 1;
}

static uint64_t
method_key(struct str class, struct str method)
{
	return member_key(class, method, METHODS);
}

static bool
read_module(struct perfetto *p, uint32_t packet, struct str in, struct err *err)
{
	struct symbols_in *t = &SCRATCH(p->symbols.packets, struct symbols_in)[packet];
	struct symbol_address a;
	struct symbol_module m;

	p->count[PF_BAD_PACKETS] += !symbol_module_read(in, &m, NULL);
	t->id = pf_place(p, m.build);
	SHAPE_EACH(in, 3, address) {
		p->count[PF_BAD_PACKETS] += !symbol_address_read(address, &a, NULL);
		if (!work_go(p->l->work, p->file.n, err) ||
		    !add_symbol(p, &(struct symbol){ .key = address_key(m.path, a.address),
		    .in = pf_place(p, address), .packet = packet }, err))
			return false;
	}
	return true;
}

static bool
symbols_read_members(struct perfetto *p, struct symbol new, struct str class, struct str in, unsigned of,
    struct err *err)
{
	struct str name;

	SHAPE_EACH(in, of, each) {
		name = named_at(each).obfuscated;
		new.in = pf_place(p, each);
		new.key = member_key(class, name, of);
		if (name.n > 0 && !add_symbol(p, &new, err))
			return false;
	}
	return true;
}

static bool
read_class(struct perfetto *p, uint32_t packet, struct str in, struct err *err)
{
	struct symbol new = { .in = pf_place(p, in), .packet = packet };
	struct symbol member = { .of = new.in, .packet = packet };
	struct symbol_named class;

	p->count[PF_BAD_PACKETS] += !symbol_named_read(in, &class, NULL);
	new.key = method_key(class.obfuscated, STR(""));
	return class.obfuscated.n == 0 || (add_symbol(p, &new, err) &&
	    symbols_read_members(p, member, class.obfuscated, in, METHODS, err) &&
	    (p->graph.ngraphs == 0 || symbols_read_members(p, member, class.obfuscated, in, FIELDS, err)));
}

static bool
read_renamed(struct perfetto *p, uint32_t packet, struct str in, struct err *err)
{
	struct symbols_in *t = &SCRATCH(p->symbols.packets, struct symbols_in)[packet];
	struct symbol_renamed m;

	p->count[PF_BAD_PACKETS] += !symbol_renamed_read(in, &m, NULL);
	t->id = pf_place(p, m.package);
	p->symbols.renamed = true;
	SHAPE_EACH(in, 3, class)
		if (!work_go(p->l->work, p->file.n, err) || !read_class(p, packet, class, err))
			return false;
	return true;
}

bool
pf_symbols_read(struct perfetto *p, struct err *err)
{
	for (uint32_t i = 0; i < p->symbols.npackets; i++) {
		struct symbols_in t = SCRATCH(p->symbols.packets, struct symbols_in)[i];
		struct str m = pf_placed(p, t.in);

		if (!(t.packet == PKT_SYMBOLS ? read_module : read_renamed)(p, i, m, err))
			return false;
	}
	return true;
}

/* ---- track events --------------------------------------------------------------------------------------- */

static uint64_t
event_key(struct str name)
{
	return idmap_hash_text(name, PKT_TRANSLATION) | 1;
}

/* Its entries {1 name, 2 what it is called} are read at once: names of events are looked for as they are played. */
bool
pf_translation_packet(struct perfetto *p, const struct pf_now *now, struct str m, struct err *err)
{
	struct symbol new = { .packet = 0 };
	struct symbol_translation t;

	(void)now;
	p->count[PF_BAD_PACKETS] += !symbol_translation_read(m, &t, &p->unread);
	SHAPE_EACH(m, 4, slices)
		SHAPE_EACH(slices, 1, entry) {
			new.in = pf_place(p, entry);
			new.key = event_key(named_at(entry).obfuscated);
			if (!work_go(p->l->work, p->file.n, err) || !add_symbol(p, &new, err))
				return false;
			p->symbols.translated = true;
		}
	return true;
}

struct str
pf_translated(const struct perfetto *p, struct str name)
{
	const struct symbol *s = !p->symbols.translated ? NULL :
	    symbol_at(p, idmap_get(&p->symbols.by_key, event_key(name)));
	struct str to = s == NULL ? STR("") : named_at(pf_placed(p, s->in)).name;

	return to.n > 0 ? to : name;
}

/* ---- addresses ----------------------------------------------------------------------------------------- */

static struct str
id_of(const struct perfetto *p, const struct symbol *s)
{
	const struct symbols_in *t = &SCRATCH(p->symbols.packets, struct symbols_in)[s->packet];

	return pf_placed(p, t->id);
}

/* Whether hex has the digits of those bytes. */
static bool
is_hex_of(struct str hex, struct str bytes)
{
	static const char digits[] = "0123456789abcdef";

	if (hex.n != bytes.n * 2)
		return false;
	for (size_t i = 0; i < hex.n; i++) {
		unsigned byte = (unsigned char)bytes.s[i / 2];

		if ((hex.s[i] | 32) != digits[i % 2 == 0 ? byte >> 4 : byte & 15])
			return false;
	}
	return true;
}

/* Build ids are bytes, or their hexadecimal digits; an absent one matches any. */
static bool
same_build(struct str packet, struct str build)
{
	return packet.n == 0 || build.n == 0 || str_eq(packet, build) || is_hex_of(packet, build);
}

bool
pf_symbols_find(const struct perfetto *p, struct str path, struct str build, uint64_t address,
    struct str *lines)
{
	const struct symbol *s;
	uint64_t key = address_key(path, address);
	unsigned n = 0;

	if (p->symbols.nrows == 0)
		return false;
	for (s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL &&
	    n++ < CHAIN_MOST; s = symbol_at(p, s->next))
		if (same_build(id_of(p, s), build)) {
			*lines = pf_placed(p, s->in);
			return true;
		}
	return false;
}

/* ---- methods ------------------------------------------------------------------------------------------- */

/* "/data/app/[~~random/]PACKAGE[-random]/base.apk": PACKAGE; empty: it is of no app. */
static struct str
app_of(struct str path)
{
	struct str package = STR(""), random;

	if (!str_take(&path, STR("/data/app/")))
		return package;
	if (str_begins(path, "~~") && !str_split(&path, '/', &package))
		return STR("");
	if (!str_split(&path, '/', &package) || path.n == 0)
		return STR("");
	return str_divide(package, STR("-"), &package, &random) || str_has(package, STR(".")) ? package :
	    STR("");
}

/*
 * Return how well a row fits a package: 3 if it is of that package, 2 if it is of no package, 1 if the
 * package is unknown, 0 if it is of another package.
 */
static unsigned
rank_of(const struct perfetto *p, const struct symbol *s, struct str package)
{
	struct str packet = id_of(p, s);

	return package.n > 0 && str_eq(packet, package) ? 3 : packet.n == 0 ? 2 : package.n == 0;
}

/* Find the rows of a key that count most for a package, in the order of the trace.  Return their number. */
static unsigned
best_rows(const struct perfetto *p, uint64_t key, struct str package, bool methods,
    const struct symbol *row[CHAIN_MOST])
{
	unsigned best = 1, at = CHAIN_MOST, looked = 0, rank;

	for (const struct symbol *s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL &&
	    looked++ < CHAIN_MOST; s = symbol_at(p, s->next)) {
		rank = rank_of(p, s, package);
		if (rank < best || (s->of.n > 0) != methods)
			continue;
		at = rank > best ? CHAIN_MOST : at;
		best = rank;
		/* The chain has the latest row first. */
		row[--at] = s;
	}
	memmove(row, row + at, (CHAIN_MOST - at) * sizeof *row);
	return CHAIN_MOST - at;
}

/* Append "class.member" of a row.  The name of one from another class already has its class. */
static void
add_member(const struct perfetto *p, const struct symbol *s, struct buf *b)
{
	struct str name = named_at(pf_placed(p, s->in)).name;

	if (memchr(name.s, '.', name.n) == NULL) {
		buf_str(b, str_head(named_at(pf_placed(p, s->of)).name, PF_TEXT_MOST));
		buf_chr(b, '.');
	}
	buf_str(b, str_head(name, PF_TEXT_MOST));
}

static int
symbols_by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Append the names of all rows, sorted, each once, with " | " between them. */
static void
symbols_add_names(const struct perfetto *p, const struct symbol *const *row, unsigned n, struct buf *b)
{
	OWN_BUF texts = BUF_INIT;
	struct str name[METHODS_MOST];
	unsigned all = 0;
	size_t at;

	for (unsigned i = 0; i < n && all < METHODS_MOST; i++) {
		if (named_at(pf_placed(p, row[i]->in)).name.n == 0)
			continue;
		at = texts.n;
		add_member(p, row[i], &texts);
		name[all++].n = texts.n - at;
	}
	/* The texts do not move any more. */
	at = 0;
	for (unsigned i = 0; i < all; at += name[i++].n)
		name[i].s = texts.s + at;
	b->bad |= texts.bad;
	qsort(name, all, sizeof *name, symbols_by_text);
	for (unsigned i = 0; i < all; i++)
		if (i == 0 || !str_eq(name[i], name[i - 1]))
			buf_list(b, " | ", name[i]);
}

unsigned
pf_retraced(const struct perfetto *p, struct str name, struct str path, uint64_t line, struct pf_retraced *to)
{
	const struct symbol *row[CHAIN_MOST];
	struct str class, method;
	struct symbol_method m;
	unsigned rows, n = 0;

	if (!p->symbols.renamed || line == 0 || !str_divide_last(name, '.', &class, &method))
		return 0;
	rows = best_rows(p, method_key(class, method), app_of(path), true, row);
	for (unsigned i = 0; i < rows && n < PF_RETRACED_MOST; i++) {
		(void)symbol_method_read(pf_placed(p, row[i]->in), &m, NULL);
		if (m.has_from && line >= m.from && (!m.has_to || line <= m.to) && m.name.n > 0)
			to[n++] = (struct pf_retraced){ row[i], m.line };
	}
	return n;
}

void
pf_retraced_name(const struct perfetto *p, const struct pf_retraced *r, struct buf *b)
{
	add_member(p, r->method, b);
}

struct str
pf_deobfuscated(struct perfetto *p, struct str name, struct str path, struct buf *b)
{
	struct str class, method, package = app_of(path);
	const struct symbol *row[CHAIN_MOST];
	unsigned n;

	if (!p->symbols.renamed || !str_divide_last(name, '.', &class, &method) || method.n == 0)
		return name;
	buf_clear(b);
	symbols_add_names(p, row, best_rows(p, method_key(class, method), package, true, row), b);
	if (b->n > 0)
		return buf_view(b);
	if ((n = best_rows(p, method_key(class, STR("")), package, false, row)) == 0)
		return name;
	/* The latest row of the class. */
	buf_str(b, str_head(named_at(pf_placed(p, row[n - 1]->in)).name, PF_TEXT_MOST));
	buf_chr(b, '.');
	buf_str(b, method);
	return b->n > method.n + 1 ? buf_view(b) : name;
}

/* ---- classes and fields -------------------------------------------------------------------------------- */

bool
pf_renamed(const struct perfetto *p, struct str class, struct str field, struct str path, struct str package,
    struct buf *b)
{
	const struct symbol *row[CHAIN_MOST];
	struct str own = app_of(path), name;
	unsigned n;

	if (!p->symbols.renamed)
		return false;
	package = own.n > 0 ? own : package;
	n = best_rows(p, method_key(class, STR("")), package, false, row);
	if (n == 0 || (n > 1 && rank_of(p, row[0], package) == 1))
		return false;
	name = named_at(pf_placed(p, row[n - 1]->in)).name;
	if (field.n > 0 && (n = best_rows(p, member_key(class, field, FIELDS), package, true, row)) > 0) {
		add_member(p, row[n - 1], b);
		return true;
	}
	buf_str(b, str_head(name, PF_TEXT_MOST));
	if (field.n > 0) {
		buf_chr(b, '.');
		buf_str(b, field);
	}
	return name.n > 0;
}
