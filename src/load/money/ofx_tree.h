/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/load/money: the tree of elements being read, and the rows made from it.
 */
#ifndef LOAD_MONEY_OFX_TREE_H
#define LOAD_MONEY_OFX_TREE_H

#include "icecore/unread.h"
#include "load/profile/profile.h"
#include "ofx.h"

/* Role of an element. */
enum ofx_use {
	OFX_NONE,
	/* Elements that make rows of their own, filled by children. */
	OFX_STMTRS, OFX_CCSTMTRS, OFX_INVSTMTRS, OFX_LOANSTMTRS, OFX_STMTTRN, OFX_STMTTRNP, OFX_LOANTRN,
	OFX_STATUS, OFX_BAL,
	OFX_ACCTINFO,		/* accounts of a list */
	OFX_BANKTRANLIST,	/* the period of the list is the period of the statement */
	/* Only their start and end matter. */
	OFX_INVTRANLIST, OFX_INVPOSLIST, OFX_BALLIST, OFX_INVOOLIST, OFX_SECURITY, OFX_REQUEST,
	OFX_RESPONSE,		/* what a bank answers to one request */
	OFX_AROUND,		/* about what is shown, or of no interest */
	OFX_INVTRAN, OFX_INVPOS, OFX_SECINFO,
	/* Kept below their parent; only the first of each is used. */
	OFX_KEPT,
	OFX_LEDGERBAL = OFX_KEPT, OFX_AVAILBAL, OFX_INVBAL, OFX_BANKACCTFROM, OFX_CCACCTFROM, OFX_INVACCTFROM,
	OFX_LOANACCTFROM, OFX_PAYEE, OFX_CURRENCY, OFX_BANKACCTINFO, OFX_CCACCTINFO, OFX_INVACCTINFO,
	OFX_LOANACCTINFO,
	OFX_BPACCTINFO, OFX_DESC, OFX_SVCSTATUS,
	OFX_CURDEF, OFX_DTASOF, OFX_DTSTART, OFX_BANKID, OFX_BROKERID, OFX_ACCTID, OFX_LOANACCTID,
	OFX_ACCTTYPE, OFX_BALAMT, OFX_AVAILCASH,
	OFX_MARGINBALANCE, OFX_SHORTBALANCE, OFX_BUYPOWER, OFX_NAME, OFX_VALUE, OFX_TRNTYPE, OFX_DTPOSTED,
	OFX_DTTRAN,
	OFX_TRNAMT, OFX_MEMO, OFX_FITID, OFX_CHECKNUM, OFX_SIC, OFX_CURSYM, OFX_CODE, OFX_SEVERITY,
	OFX_MESSAGE,
	OFX_USES
};

struct ofx_element {
	uint64_t	from, to;	/* text of the element, as offsets in the source; equal: no text */
	uint32_t	name;
	uint32_t	first, last, next;	/* kept children, from 1; 0: none */
	uint32_t	row;		/* row of the element, from 1 */
	uint32_t	number;		/* number among all elements, from 1 */
	uint8_t		use;		/* enum ofx_use */
	bool		aggregate;	/* according to the specification */
	bool		parent;		/* the element has or had children */
};

/* Rows that become columns: columns_money.h. */
struct ofx_listed {
	uint64_t	name, value;
	uint32_t	parent;		/* from 1; 0: none */
	/* An empty leaf without an end tag: its children are those of its parent */
	bool		hollow;
};

struct ofx_statement {
	uint64_t	type, bank, id, currency, desc, status;
	uint32_t	account, alike, ledger, available, booked, pending, start;
	uint32_t	outer;		/* enclosing statement; 0: none */
	uint8_t		kind, listed;	/* listed: an account of a list, without a statement */
};

struct ofx_money {
	uint64_t	type, payee, memo, fitid, check, sic, currency;
	uint64_t	low, high, at;	/* at: its offset in the source */
	uint32_t	statement, day, category;
	uint8_t		form, pending;
};

struct ofx_balance {
	uint64_t	order;		/* first, for make_sort: statement and kind */
	uint64_t	name, low, high;
	uint32_t	statement, day;
	uint8_t		kind, form;
};

/* Counts of repairs and losses. */
enum ofx_count {
	OFX_IMPLICIT_CLOSE, OFX_STRAY_CLOSE, OFX_HOISTED, OFX_STRAY_TEXT, OFX_NO_AMOUNT, OFX_NO_DAY,
	OFX_OUTSIDE, OFX_TOO_DEEP,
	OFX_OPEN_AT_END,
	OFX_SLOW,		/* texts on which a rule was too slow */
	OFX_AGAIN,		/* transactions that are also in another statement */
	OFX_REFUSED,		/* requests that the bank answered with an error */
	OFX_CUT, OFX_COUNTS
};

struct ofx {
	struct store	*st;
	struct work	*work;
	struct err	*err;
	bool		 bad;		/* err is filled; nothing more is added */
	struct ofx_tokens tokens;
	bool		 single_bytes;
	/* names */
	struct idmap	 names;
	uint8_t		 use[2048];	/* names of the specification */
	bool		 aggregate[2048];
	struct scratch	 open;		/* u32 by name: number of open elements */
	uint64_t	 nnames, nlisted;
	uint32_t	 named[OFX_USES];	/* name of each use */
	/* tree */
	struct scratch	 elements, stack;	/* struct ofx_element; u32: the open ones */
	uint64_t	 nelements, nstack, skipped;
	/* rows */
	struct scratch	 statements, moneys, balances, all;	/* all: struct ofx_listed */
	/* nlist: statements that are only listed accounts */
	uint64_t	 nstatements, nmoneys, nbalances, nlist, nall;
	uint32_t	 statement;	/* the innermost open element; 0: none */
	struct buf	 text;
	/* counts */
	struct unread	 unread;	/* elements of no version, and those that no row shows */
	uint64_t	 read, depth, unknown, seen[OFX_USES], count[OFX_COUNTS];
	struct buf	 refusal;	/* code and message of the first error */
	struct buf	 requests;	/* what a request asks for */
};

void	ofx_tree_open(struct ofx *);
void	ofx_tree_read(struct ofx *);
void	ofx_tree_close(struct ofx *);

static inline struct ofx_element *
ofx_element(const struct ofx *x, uint32_t id)
{
	assert(id != 0 && id <= x->nelements);
	return &SCRATCH(x->elements, struct ofx_element)[id - 1];
}

static inline bool
ofx_has_text(const struct ofx_element *e)
{
	return e->to > e->from;
}

/* Return the kept child with that use; NULL: none. */
static inline const struct ofx_element *
ofx_child(const struct ofx *x, const struct ofx_element *parent, enum ofx_use use)
{
	const struct ofx_element *e;

	for (uint32_t id = parent == NULL ? 0 : parent->first; id != 0; id = e->next) {
		e = ofx_element(x, id);
		if (e->use == use)
			return e;
	}
	return NULL;
}

/* Return the text of an element as a ref; 0: none. */
static inline uint64_t
ofx_ref(const struct ofx_element *e)
{
	return e == NULL || !ofx_has_text(e) ? 0 : ref_make(e->from, e->to - e->from);
}

/* ---- ofx_rows.c --------------------------------------------------------------------------- */

/* Begin an element that makes a row: the row is added in file order; and end it. */
void	ofx_row_begin(struct ofx *, struct ofx_element *);
void	ofx_row_end(struct ofx *, const struct ofx_element *);
/* Note what the current element asks the bank for. */
void	ofx_row_request(struct ofx *);

/* ---- ofx_out.c ------------------------------------------------------------------------------ */

/* At the end: write rows as columns, and counts as facts. */
bool	ofx_put_rows(struct ofx *);
bool	ofx_facts(const struct ofx *);

/* ---- ofx_paths.c ---------------------------------------------------------------------------- */

/* Number and name the accounts; convert transactions to samples. */
bool	ofx_samples(struct ofx *, struct samples *);

#endif
