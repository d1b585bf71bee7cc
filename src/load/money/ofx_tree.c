/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ofx_tree: open and close OFX elements by the rules of SGML and the habits of banks.
 *
 * The value of an element is taken when it is closed, and the element is then freed. Only children that
 * somebody asks for stay below their parent, the first of each name. So memory use depends only on open
 * elements.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "ofx_tree.h"

#define OPEN_MOST (1u << 20)	/* nesting limit: no bank needs as many, hostile files do */
#define TOKENS_A_TICK 4096

static const struct { const char *name; enum ofx_use use; } uses[] = {
	{ "STMTRS", OFX_STMTRS }, { "CCSTMTRS", OFX_CCSTMTRS }, { "INVSTMTRS", OFX_INVSTMTRS },
	{ "LOANSTMTRS", OFX_LOANSTMTRS }, { "STMTTRN", OFX_STMTTRN }, { "STMTTRNP", OFX_STMTTRNP },
	{ "LOANTRN", OFX_LOANTRN }, { "STATUS", OFX_STATUS }, { "BAL", OFX_BAL },
	{ "BANKTRANLIST", OFX_BANKTRANLIST }, { "INVTRANLIST", OFX_INVTRANLIST },
	{ "INVPOSLIST", OFX_INVPOSLIST }, { "BALLIST", OFX_BALLIST }, { "INVOOLIST", OFX_INVOOLIST },
	{ "ACCTINFO", OFX_ACCTINFO }, { "STOCKINFO", OFX_SECURITY }, { "MFINFO", OFX_SECURITY },
	{ "DEBTINFO", OFX_SECURITY }, { "OPTINFO", OFX_SECURITY }, { "OTHERINFO", OFX_SECURITY },
	{ "INVTRAN", OFX_INVTRAN }, { "INVPOS", OFX_INVPOS }, { "SECINFO", OFX_SECINFO },
	{ "LEDGERBAL", OFX_LEDGERBAL }, { "AVAILBAL", OFX_AVAILBAL }, { "INVBAL", OFX_INVBAL },
	{ "BANKACCTFROM", OFX_BANKACCTFROM }, { "CCACCTFROM", OFX_CCACCTFROM },
	{ "INVACCTFROM", OFX_INVACCTFROM }, { "LOANACCTFROM", OFX_LOANACCTFROM },
	{ "BANKACCTINFO", OFX_BANKACCTINFO }, { "CCACCTINFO", OFX_CCACCTINFO },
	{ "INVACCTINFO", OFX_INVACCTINFO }, { "LOANACCTINFO", OFX_LOANACCTINFO },
	{ "BPACCTINFO", OFX_BPACCTINFO }, { "DESC", OFX_DESC }, { "SVCSTATUS", OFX_SVCSTATUS },
	{ "INVBANKTRAN", OFX_AROUND }, { "ACCTINFORS", OFX_AROUND }, { "SECLISTRS", OFX_AROUND },
	{ "PROFRS", OFX_AROUND }, { "OFXEXTENSION", OFX_AROUND },
	{ "BANKTRANLISTP", OFX_AROUND }, { "LOANTRANLIST", OFX_AROUND },
	{ "SONRQ", OFX_REQUEST }, { "PAYEE", OFX_PAYEE }, { "CURRENCY", OFX_CURRENCY },
	{ "CURDEF", OFX_CURDEF }, { "DTASOF", OFX_DTASOF }, { "DTSTART", OFX_DTSTART },
	{ "BANKID", OFX_BANKID }, { "BROKERID", OFX_BROKERID }, { "ACCTID", OFX_ACCTID },
	{ "LOANACCTID", OFX_LOANACCTID }, { "ACCTTYPE", OFX_ACCTTYPE }, { "BALAMT", OFX_BALAMT },
	{ "AVAILCASH", OFX_AVAILCASH }, { "MARGINBALANCE", OFX_MARGINBALANCE },
	{ "SHORTBALANCE", OFX_SHORTBALANCE }, { "BUYPOWER", OFX_BUYPOWER }, { "NAME", OFX_NAME },
	{ "VALUE", OFX_VALUE }, { "TRNTYPE", OFX_TRNTYPE }, { "LOANTRNTYPE", OFX_TRNTYPE },
	{ "DTPOSTED", OFX_DTPOSTED }, { "DTTRAN", OFX_DTTRAN }, { "TRNAMT", OFX_TRNAMT },
	{ "MEMO", OFX_MEMO }, { "FITID", OFX_FITID },
	{ "CHECKNUM", OFX_CHECKNUM }, { "SIC", OFX_SIC }, { "CURSYM", OFX_CURSYM }, { "CODE", OFX_CODE },
	{ "SEVERITY", OFX_SEVERITY }, { "MESSAGE", OFX_MESSAGE },
};

/* ---- names ------------------------------------------------------------------------------------- */

static char
tree_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
}

/* Return the key of a name, ignoring case. */
static uint64_t
name_key(struct str name)
{
	return idmap_hash_as(name, tree_upper, 0);
}

/* Number a name from 1. Names outside of the specification get higher numbers. 0: failed. */
static uint32_t
number_name(struct ofx *x, struct str name)
{
	uint64_t key = name_key(name);
	uint32_t none = 0, number = idmap_get(&x->names, key);

	if (number != 0)
		return number;
	x->bad = x->bad || !make_add(&x->open, &x->nnames, &none, sizeof none, MAKE_MOST, "names of elements",
	    x->err) || !idmap_put(&x->names, key, (uint32_t)x->nnames, x->err);
	return x->bad ? 0 : (uint32_t)x->nnames;
}

static void
list_names(struct ofx *x, const char *const *names, bool aggregate)
{
	uint32_t number;

	for (; *names != NULL && (number = number_name(x, str_of(*names))) != 0; names++) {
		assert(number < NELEM(x->use));
		x->aggregate[number] = aggregate;
		if (aggregate && str_ends(str_of(*names), "TRNRQ"))
			x->use[number] = OFX_REQUEST;
		if (aggregate && str_ends(str_of(*names), "TRNRS"))
			x->use[number] = OFX_RESPONSE;
	}
}

void
ofx_tree_open(struct ofx *x)
{
	uint32_t number;

	list_names(x, ofx_aggregates, true);
	list_names(x, ofx_leaves, false);
	x->nlisted = x->nnames;
	for (size_t i = 0; i < NELEM(uses) && (number = number_name(x, str_of(uses[i].name))) != 0; i++) {
		assert(number <= x->nlisted);
		x->use[number] = (uint8_t)uses[i].use;
		x->named[uses[i].use] = number;
	}
}

void
ofx_tree_close(struct ofx *x)
{
	SCRATCH_FREE(&x->open, &x->elements, &x->stack, &x->statements, &x->moneys, &x->balances, &x->all);
	idmap_free(&x->names);
	buf_free(&x->text);
	buf_free(&x->refusal);
	buf_free(&x->requests);
}

static uint32_t *
open_count(const struct ofx *x, uint32_t name)
{
	assert(name != 0 && name <= x->nnames);
	return &SCRATCH(x->open, uint32_t)[name - 1];
}

static bool
tree_is_open(const struct ofx *x, enum ofx_use use)
{
	return *open_count(x, x->named[use]) > 0;
}

/* ---- elements ---------------------------------------------------------------------------------- */

/* Return the number of the innermost open element. */
static uint32_t
top_id(const struct ofx *x)
{
	return x->nstack == 0 ? 0 : SCRATCH(x->stack, uint32_t)[x->nstack - 1];
}

/* Put a closed element below its parent if it is wanted; false: it is not kept. */
static bool
tree_keep(struct ofx *x, struct ofx_element *parent, uint32_t id)
{
	struct ofx_element *e = ofx_element(x, id);

	if (e->use < OFX_KEPT || ofx_child(x, parent, (enum ofx_use)e->use) != NULL)
		return false;
	e->next = 0;
	if (parent->last != 0)
		ofx_element(x, parent->last)->next = id;
	else
		parent->first = id;
	parent->last = id;
	return true;
}

/* An empty leaf without an end tag: move its supposed children after it. */
static bool
hoist(struct ofx *x, struct ofx_element *parent, uint32_t id)
{
	uint32_t child = ofx_element(x, id)->first, next;
	bool kept;

	ofx_element(x, id)->first = ofx_element(x, id)->last = 0;
	kept = tree_keep(x, parent, id);
	for (; child != 0; child = next) {
		next = ofx_element(x, child)->next;
		kept |= tree_keep(x, parent, child);
	}
	x->count[OFX_HOISTED]++;
	return kept;
}

/* Close the innermost element; closed is set if its own end tag closes it. */
static void
tree_pop(struct ofx *x, bool closed)
{
	uint32_t id = top_id(x), above;
	struct ofx_element *e = ofx_element(x, id), *parent;
	bool kept, moved = !closed && !ofx_has_text(e) && e->parent && !e->aggregate;

	assert(e->number != 0 && e->number <= x->nall);
	SCRATCH(x->all, struct ofx_listed)[e->number - 1].value = ofx_ref(e);
	SCRATCH(x->all, struct ofx_listed)[e->number - 1].hollow = moved;
	x->nstack--;
	--*open_count(x, e->name);
	x->count[OFX_IMPLICIT_CLOSE] += !closed && e->parent && !moved;
	if (e->row != 0)
		ofx_row_end(x, e);
	above = top_id(x);
	parent = above == 0 ? NULL : ofx_element(x, above);
	kept = parent != NULL && (moved ? hoist(x, parent, id) : tree_keep(x, parent, id));
	x->count[OFX_HOISTED] += moved && parent == NULL;
	/* All rows made since then are below it. */
	if (!kept)
		x->nelements = id - 1;
}

/* ---- tags -------------------------------------------------------------------------------------- */

/* Return whether an element cannot be nested in an element of its kind. */
static bool
ends_itself(enum ofx_use use)
{
	return use == OFX_STMTTRN || use == OFX_STMTTRNP || use == OFX_LOANTRN || use == OFX_ACCTINFO ||
	    use == OFX_SECURITY;
}

/* Close all elements that cannot be open when such an element begins. */
static void
end_lists(struct ofx *x, enum ofx_use use)
{
	enum ofx_use list, other;

	switch (use) {
	case OFX_LEDGERBAL:
	case OFX_AVAILBAL:
	case OFX_BALLIST:
		list = OFX_BANKTRANLIST;
		other = OFX_STMTTRN;
		break;
	case OFX_INVPOSLIST:
	case OFX_INVBAL:
	case OFX_INVOOLIST:
		list = OFX_INVTRANLIST;
		other = OFX_INVPOSLIST;
		break;
	default:
		return;
	}
	while (tree_is_open(x, list) || tree_is_open(x, other))
		tree_pop(x, false);
}

/* Purchases, positions, payments and balances of pensions are no rows. */
static bool
is_unread(const struct ofx *x, uint32_t name, enum ofx_use use)
{
	enum ofx_use in = x->nstack == 0 ? OFX_NONE : (enum ofx_use)ofx_element(x, top_id(x))->use;

	return use == OFX_SECURITY || (use == OFX_NONE && name <= x->nlisted && x->aggregate[name] &&
	    ((in >= OFX_STMTRS && in <= OFX_LOANSTMTRS) || in == OFX_INVTRANLIST || in == OFX_INVPOSLIST ||
	    in == OFX_INVOOLIST || in == OFX_RESPONSE));
}

static void
tree_push(struct ofx *x, uint32_t name, enum ofx_use use)
{
	struct ofx_element e = { .name = name, .use = (uint8_t)use, .aggregate = name <= x->nlisted &&
	    x->aggregate[name] };
	struct ofx_listed listed = { .name =
	    ref_make((uint64_t)(x->tokens.text.s - x->tokens.s), x->tokens.text.n) };
	uint32_t id;

	if (is_unread(x, name, use))
		unread_add(&x->unread, UNREAD_ELEMENT, x->tokens.text, 1);
	if (x->nstack > 0) {
		ofx_element(x, top_id(x))->parent = true;
		listed.parent = ofx_element(x, top_id(x))->number;
	}
	MAKE_PUT(x, all, listed, MAKE_MOST, "elements");
	e.number = (uint32_t)x->nall;
	MAKE_PUT(x, elements, e, MAKE_MOST, "elements");
	id = (uint32_t)x->nelements;
	MAKE_PUT(x, stack, id, MAKE_MOST, "open elements");
	if (x->bad)
		return;
	++*open_count(x, name);
	x->depth = x->nstack > x->depth ? x->nstack : x->depth;
	if (use != OFX_NONE && use <= OFX_BANKTRANLIST)
		ofx_row_begin(x, ofx_element(x, id));
}

static void
open_tag(struct ofx *x)
{
	uint32_t name = number_name(x, x->tokens.text);
	enum ofx_use use = name <= x->nlisted ? (enum ofx_use)x->use[name] : OFX_NONE;

	if (x->bad)
		return;
	x->read++;
	if (name > x->nlisted) {
		x->unknown++;
		unread_add(&x->unread, UNREAD_ELEMENT, x->tokens.text, 1);
	}
	x->seen[use]++;
	if (use == OFX_REQUEST)
		ofx_row_request(x);
	if (x->nstack > 0 && ofx_has_text(ofx_element(x, top_id(x))))
		tree_pop(x, true);
	if (ends_itself(use) && x->nstack > 0 && ofx_element(x, top_id(x))->name == name)
		tree_pop(x, false);
	end_lists(x, use);
	if (x->nstack == OPEN_MOST) {
		x->count[OFX_TOO_DEEP]++;
		x->skipped += !x->tokens.closed;
		return;
	}
	tree_push(x, name, use);
	if (x->tokens.closed && !x->bad)
		tree_pop(x, true);
}

static void
close_tag(struct ofx *x)
{
	uint32_t name;

	if (x->skipped > 0) {
		x->skipped--;
		return;
	}
	name = idmap_get(&x->names, name_key(x->tokens.text));
	if (name == 0 || *open_count(x, name) == 0) {
		x->count[OFX_STRAY_CLOSE]++;
		return;
	}
	while (ofx_element(x, top_id(x))->name != name)
		tree_pop(x, false);
	tree_pop(x, true);
}

static void
add_text(struct ofx *x, enum ofx_kind kind, uint64_t from)
{
	struct ofx_element *e = x->nstack == 0 ? NULL : ofx_element(x, top_id(x));
	bool blank = ofx_blank(x->tokens.text, kind, x->single_bytes);

	if (blank && (e == NULL || !ofx_has_text(e)))
		return;
	x->count[OFX_CUT] |= e != NULL && !blank && x->tokens.at == x->tokens.n;
	if (e == NULL || e->parent) {
		x->count[OFX_STRAY_TEXT] += !blank;
		return;
	}
	if (!ofx_has_text(e))
		e->from = from;
	e->to = x->tokens.at;
}

/* ---- all ------------------------------------------------------------------------------------------ */

void
ofx_tree_read(struct ofx *x)
{
	const char *first = memchr(x->tokens.s, '<', x->tokens.n);
	enum ofx_kind kind = OFX_TEXT;
	uint64_t from, window = 0;

	work_start(x->work, "OFX", x->tokens.n);
	x->tokens.at = first == NULL ? x->tokens.n : (uint64_t)(first - x->tokens.s);
	for (uint64_t n = 0; kind != OFX_END && !x->bad; n++) {
		from = x->tokens.at;
		if (n % TOKENS_A_TICK == 0) {
			x->bad = !work_go(x->work, from, x->err);
			map_forget(store_source(x->st), window, from);
			window = from;
		}
		kind = ofx_next(&x->tokens);
		if (kind == OFX_OPEN)
			open_tag(x);
		else if (kind == OFX_CLOSE)
			close_tag(x);
		else if (kind != OFX_END)
			add_text(x, kind, from);
	}
	x->count[OFX_CUT] |= x->tokens.cut;
	while (x->nstack > 0 && !x->bad) {
		x->count[OFX_OPEN_AT_END] += !ofx_has_text(ofx_element(x, top_id(x)));
		tree_pop(x, false);
	}
}
