/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * symbols: names of addresses and of renamed methods, which a tool appended to a trace.
 *
 * Their place in the trace does not matter: they apply to all of it.  So they are read after the last packet.
 */
#include "config.h"

#include <string.h>

#include "perfetto.h"

enum { CHAIN_MOST = 64, METHODS_MOST = 16, PACKAGE_MOST = 256 };	/* rows of one key, names of one method, that are looked at */

#define MODULE(F) F(1, path, BYTES) F(2, build, BYTES) F(3, addresses, NONE)
#define ADDRESS(F) F(1, address, U64) F(2, lines, NONE)
#define RENAMED(F) F(1, package, BYTES) F(3, classes, NONE)
#define NAMED(F) F(1, obfuscated, BYTES) F(2, name, BYTES) F(4, methods, NONE)
SHAPE(symbol_module, "ModuleSymbols", MODULE)
SHAPE(symbol_address, "AddressSymbols", ADDRESS)
SHAPE(symbol_renamed, "DeobfuscationMapping", RENAMED)
SHAPE(symbol_named, "ObfuscatedClass", NAMED)		/* or one of its methods */

/* A packet. */
struct told {
	uint64_t	at, id_at;	/* id: build id, or package */
	uint32_t	n, id_n, packet;
};

/* An address of a path; a method of a class; or a class. */
struct symbol {
	uint64_t	key, at, of;	/* of: of a method its class */
	uint32_t	n, of_n;
	uint32_t	told, next;	/* next: from 1 */
};

bool
pf_symbols_told(struct perfetto *p, unsigned packet, struct str m, struct err *err)
{
	struct told new = { .at = pf_offset(p, m.s), .n = (uint32_t)m.n, .packet = packet };

	return m.n == 0 || make_add(&p->symbols.told, &p->symbols.ntold, &new, sizeof new, MAKE_MOST, "packets of symbols", err);
}

void
pf_symbols_close(struct pf_symbols *s)
{
	SCRATCH_FREE(&s->told, &s->rows, &s->inlined);
	idmap_free(&s->by_key);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

static bool
add_symbol(struct perfetto *p, struct symbol *new, struct err *err)
{
	struct pf_symbols *s = &p->symbols;

	new->next = idmap_get(&s->by_key, new->key);
	return make_add(&s->rows, &s->nrows, new, sizeof *new, MAKE_MOST, "symbols", err) &&
	    idmap_put(&s->by_key, new->key, (uint32_t)s->nrows, err);
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

static uint64_t
method_key(struct str class, struct str method)
{
	return idmap_hash_text(method, idmap_hash_text(class, PKT_DEOBFUSCATION)) | 1;
}

static bool
read_module(struct perfetto *p, uint32_t told, struct str in, struct err *err)
{
	struct told *t = &SCRATCH(p->symbols.told, struct told)[told];
	struct symbol_address a;
	struct symbol_module m;

	p->count[PF_BAD_PACKETS] += !symbol_module_read(in, &m, NULL);
	t->id_at = m.build.n > 0 ? pf_offset(p, m.build.s) : 0;
	t->id_n = (uint32_t)m.build.n;
	SHAPE_EACH(in, 3, address) {
		p->count[PF_BAD_PACKETS] += !symbol_address_read(address, &a, NULL);
		if (!work_go(p->l->work, p->file.n, err) || !add_symbol(p, &(struct symbol){ .key = address_key(m.path, a.address),
		    .at = pf_offset(p, address.s), .n = (uint32_t)address.n, .told = told }, err))
			return false;
	}
	return true;
}

static bool
read_class(struct perfetto *p, uint32_t told, struct str in, struct err *err)
{
	struct symbol new = { .at = pf_offset(p, in.s), .n = (uint32_t)in.n, .told = told };
	struct symbol method = { .of = new.at, .of_n = new.n, .told = told };
	struct symbol_named class, m;

	p->count[PF_BAD_PACKETS] += !symbol_named_read(in, &class, NULL);
	new.key = method_key(class.obfuscated, STR(""));
	if (class.obfuscated.n == 0 || !add_symbol(p, &new, err))
		return class.obfuscated.n == 0;
	SHAPE_EACH(in, 4, each) {
		m = named_at(each);
		if (m.obfuscated.n == 0)
			continue;
		method.at = pf_offset(p, each.s);
		method.n = (uint32_t)each.n;
		method.key = method_key(class.obfuscated, m.obfuscated);
		if (!add_symbol(p, &method, err))
			return false;
	}
	return true;
}

static bool
read_renamed(struct perfetto *p, uint32_t told, struct str in, struct err *err)
{
	struct told *t = &SCRATCH(p->symbols.told, struct told)[told];
	struct symbol_renamed m;

	p->count[PF_BAD_PACKETS] += !symbol_renamed_read(in, &m, NULL);
	t->id_at = m.package.n > 0 ? pf_offset(p, m.package.s) : 0;
	t->id_n = (uint32_t)m.package.n;
	p->symbols.renamed = true;
	SHAPE_EACH(in, 3, class)
		if (!work_go(p->l->work, p->file.n, err) || !read_class(p, told, class, err))
			return false;
	return true;
}

bool
pf_symbols_read(struct perfetto *p, struct err *err)
{
	for (uint32_t i = 0; i < p->symbols.ntold; i++) {
		struct told t = SCRATCH(p->symbols.told, struct told)[i];
		struct str m = pf_bytes(p, t.at, t.n);

		if (!(t.packet == PKT_SYMBOLS ? read_module : read_renamed)(p, i, m, err))
			return false;
	}
	return true;
}

/* ---- addresses ------------------------------------------------------------------------------------------------ */

static const struct symbol *
symbol_at(const struct perfetto *p, uint32_t at)
{
	return at == 0 ? NULL : &SCRATCH(p->symbols.rows, struct symbol)[at - 1];
}

static struct str
id_of(const struct perfetto *p, const struct symbol *s)
{
	const struct told *t = &SCRATCH(p->symbols.told, struct told)[s->told];

	return pf_bytes(p, t->id_at, t->id_n);
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
same_build(struct str told, struct str build)
{
	return told.n == 0 || build.n == 0 || str_eq(told, build) || is_hex_of(told, build);
}

bool
pf_symbols_find(const struct perfetto *p, struct str path, struct str build, uint64_t address, struct str *lines)
{
	const struct symbol *s;
	uint64_t key = address_key(path, address);
	unsigned n = 0;

	if (p->symbols.nrows == 0)
		return false;
	for (s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL && n++ < CHAIN_MOST; s = symbol_at(p, s->next))
		if (same_build(id_of(p, s), build)) {
			*lines = pf_bytes(p, s->at, s->n);
			return true;
		}
	return false;
}

/* ---- methods ------------------------------------------------------------------------------------------------ */

/* "/data/app/[~~random/]PACKAGE-random/base.apk": PACKAGE; empty: it is of no app. */
static struct str
app_of(struct str path)
{
	struct str package = STR(""), random;

	if (!str_take(&path, STR("/data/app/")))
		return package;
	if (str_has_prefix(path, STR("~~")) && !str_split(&path, '/', &package))
		return STR("");
	str_split(&path, '/', &package);
	return str_divide(package, STR("-"), &package, &random) ? package : STR("");
}

/* Whether a row of that key counts for a package: its own before one that is of no package, and that before any. */
static unsigned
rank_of(const struct perfetto *p, const struct symbol *s, struct str package)
{
	struct str told = id_of(p, s);

	return package.n > 0 && str_eq(told, package) ? 3 : told.n == 0 ? 2 : 1;
}

/* The best rank of the rows of a key; 0: there are none. */
static unsigned
best_rank(const struct perfetto *p, uint64_t key, struct str package)
{
	unsigned best = 0, rank, n = 0;

	for (const struct symbol *s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL && n++ < CHAIN_MOST; s = symbol_at(p, s->next)) {
		rank = rank_of(p, s, package);
		best = rank > best ? rank : best;
	}
	return best;
}

/* Adds "class.method" of a row, if it is not there yet. */
static void
add_method(const struct perfetto *p, const struct symbol *s, struct buf *b, struct str *had, unsigned *n)
{
	struct str name = named_at(pf_bytes(p, s->at, s->n)).name, class = named_at(pf_bytes(p, s->of, s->of_n)).name;

	for (unsigned i = 0; i < *n; i++)
		if (str_eq(had[i], name))
			return;
	if (*n == METHODS_MOST || name.n == 0)
		return;
	had[*n] = name;
	if ((*n)++ > 0)
		buf_str(b, STR(" | "));
	if (memchr(name.s, '.', name.n) == NULL && *n == 1) {
		buf_str(b, str_head(class, PF_TEXT_MOST));
		buf_chr(b, '.');
	}
	buf_str(b, str_head(name, PF_TEXT_MOST));
}

struct str
pf_deobfuscated(struct perfetto *p, struct str name, struct str path, struct buf *b)
{
	struct str class, method, package = app_of(path), had[METHODS_MOST];
	const struct symbol *row[CHAIN_MOST], *s;
	unsigned rows = 0, n = 0, rank;
	uint64_t key;

	if (!p->symbols.renamed || !str_divide_last(name, '.', &class, &method) || method.n == 0)
		return name;
	buf_clear(b);
	key = method_key(class, method);
	rank = best_rank(p, key, package);
	for (s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL && rows < CHAIN_MOST; s = symbol_at(p, s->next))
		if (rank_of(p, s, package) == rank && s->of_n > 0)
			row[rows++] = s;
	/* The chain has the latest row first; names are added in the order of the trace. */
	for (; rows > 0; rows--)
		add_method(p, row[rows - 1], b, had, &n);
	if (n > 0)
		return buf_view(b);
	key = method_key(class, STR(""));
	rank = best_rank(p, key, package);
	for (s = symbol_at(p, idmap_get(&p->symbols.by_key, key)); s != NULL && rows++ < CHAIN_MOST; s = symbol_at(p, s->next))
		if (rank_of(p, s, package) == rank && s->of_n == 0) {
			buf_str(b, str_head(named_at(pf_bytes(p, s->at, s->n)).name, PF_TEXT_MOST));
			buf_chr(b, '.');
			buf_str(b, method);
			return b->n > method.n + 1 ? buf_view(b) : name;
		}
	return name;
}
