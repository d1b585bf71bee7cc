/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * money: values of bank statement columns as texts and amounts.
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "icecore/calendar.h"
#include "icecore/columns_money.h"
#include "icecore/facts.h"
#include "icecore/money.h"

#define YEAR_FIRST 1800	/* 500 years of ns fit into 64 bits */
#define YEAR_LAST 2299
#define CODE_BYTES 3	/* longer names of currencies are hashed; normally ASCII */
#define CODE_HASH 0x800000u
#define SHOWN_OF_ID 4	/* shown characters of an account number */

struct money_source
money_source_of(const struct store *st)
{
	return (struct money_source){ st, st != NULL && fact_value(st, FACT_MONEY_SINGLE_BYTES) != 0,
		st != NULL && fact_text(st, FACT_TRACE_ASK_FULL).n > 0 };
}

struct str
money_text(const struct money_source *from, uint64_t ref, struct buf *b)
{
	return money_value(store_text(from->st, ref), from->single_bytes, b);
}

/* ---- amounts ----------------------------------------------------------------------------------- */

void
money_form(struct decimal d, uint64_t *low, uint64_t *high, uint8_t *form)
{
	unsigned __int128 size = d.value < 0 ? 0 - (unsigned __int128)d.value : (unsigned __int128)d.value;

	assert(d.places <= DECIMAL_PLACES);
	*low = (uint64_t)size;
	*high = (uint64_t)(size >> 64);
	*form = (uint8_t)(d.places | (d.value < 0 ? MONEY_MINUS : 0));
}

bool
money_amount(uint64_t low, uint64_t high, uint64_t form, struct decimal *d)
{
	unsigned __int128 size = (unsigned __int128)high << 64 | low;

	*d = (struct decimal){ 0, (unsigned)form & (MONEY_MINUS - 1) };
	if (form == MONEY_NONE || d->places > DECIMAL_PLACES || size > (unsigned __int128)DECIMAL_MOST)
		return false;
	d->value = form & MONEY_MINUS ? -(__int128)size : (__int128)size;
	return true;
}

uint32_t
money_currency(struct str name)
{
	uint32_t code = 0;

	for (size_t i = 0; i < name.n; i++)
		if (i == CODE_BYTES || (name.s[i] & 0x80) != 0 || name.s[i] == '\0')
			return CODE_HASH | ((uint32_t)hash_bytes(name.s, name.n, 0) & (CODE_HASH - 1));
	for (size_t i = 0; i < name.n; i++)
		code = code << 8 | (uint8_t)name.s[i];
	return code;
}

void
money_currency_name(uint32_t currency, struct buf *b)
{
	if (currency & CODE_HASH)
		buf_str(b, STR("another currency"));
	for (int shift = 16; shift >= 0 && (currency & CODE_HASH) == 0; shift -= 8)
		if ((currency >> shift & 0xff) != 0)
			buf_chr(b, (char)(currency >> shift & 0xff));
}

/* ---- days ---------------------------------------------------------------------------------------- */

/* Split a number such as 20260131. */
static struct calendar_day
day_of(uint64_t day)
{
	return (struct calendar_day){ (int64_t)(day / 10000), (unsigned)(day / 100 % 100),
	    (unsigned)(day % 100) };
}

bool
money_days(uint64_t day, uint64_t *days)
{
	const struct calendar_day d = day_of(day);

	if (d.year < YEAR_FIRST || d.year > YEAR_LAST)
		return false;
	*days = (uint64_t)(calendar_days(&d) - calendar_days(&(struct calendar_day){ YEAR_FIRST - 1, 3, 1 }));
	return true;
}

/* Take digits, the month and the day with a minus before them; an absent part is 1. */
static bool
money_take_part(struct str *s, size_t digits, uint64_t most, uint64_t *v)
{
	*v = 1;
	if (s->n == 0)
		return true;
	if (digits == 2 && !str_take(s, STR("-")))
		return false;
	if (s->n < digits || !num_u64((struct str){ s->s, digits }, 10, v) || *v == 0 || *v > most)
		return false;
	*s = str_after(*s, digits);
	return true;
}

/* Convert "2026", "2026-01" or "2026-01-31" to 20260131. */
static bool
read_day(struct str s, uint64_t *day)
{
	uint64_t y, month, in_month;

	if (s.n < 4 || !money_take_part(&s, 4, YEAR_LAST, &y) || !money_take_part(&s, 2, 12, &month) ||
	    !money_take_part(&s, 2, 31, &in_month) || s.n > 0)
		return false;
	*day = y * 10000 + month * 100 + in_month;
	return true;
}

bool
money_moment(const struct store *st, struct str s, uint64_t *ns)
{
	struct calendar_day asked;
	uint64_t day, days, first;

	*ns = 0;
	if (!read_day(s, &day) || !money_days(day, &days))
		return false;
	asked = day_of(day);
	/* Statements may contain days that do not exist in their month. */
	if (!calendar_has(&asked))
		return false;
	if (store_is_blank(st))
		return true;
	if (!read_day(fact_text(st, FACT_FIRST_DAY), &day) || !money_days(day, &first))
		return false;
	*ns = days < first ? 0 : (days - first) * MONEY_DAY_NS;
	return true;
}

/* ---- texts --------------------------------------------------------------------------------------- */

void
money_day(uint64_t day, struct buf *b)
{
	if (day != 0 && day <= 99991231)
		buf_printf(b, "%04u-%02u-%02u", (unsigned)(day / 10000), (unsigned)(day / 100 % 100),
		    (unsigned)(day % 100));
}

struct str
money_payee(const struct money_source *from, uint64_t payee, uint64_t check, struct buf *b)
{
	struct buf number = BUF_INIT;
	struct str text;

	if (payee != 0)
		return money_text(from, payee, b);
	if (check == 0)
		return STR("(no payee)");
	text = money_text(from, check, &number);
	buf_clear(b);
	buf_str(b, STR("check "));
	buf_str(b, text);
	b->bad |= number.bad;
	buf_free(&number);
	return buf_view(b);
}

/* Convert only ASCII letters to upper case. */
static struct str
capitals(struct str text, struct buf *b)
{
	bool any = false;

	for (size_t i = 0; i < text.n && !any; i++)
		any = islower((unsigned char)text.s[i]);
	if (!any)
		return text;
	if (text.s != b->s) {
		buf_clear(b);
		buf_str(b, text);
	}
	for (size_t i = 0; i < b->n; i++)
		if (b->s[i] >= 'a' && b->s[i] <= 'z')
			b->s[i] = (char)(b->s[i] - 'a' + 'A');
	return buf_view(b);
}

struct str
money_type(const struct money_source *from, uint64_t type, struct buf *b)
{
	return type == 0 ? STR("(none)") : capitals(money_text(from, type, b), b);
}

struct str
money_account_kind(const struct money_source *from, enum money_account kind, uint64_t type, struct buf *b)
{
	static const char *const names[] = { "BANK", "CREDITCARD", "INVESTMENT", "LOAN" };

	if (kind == MONEY_BANK && type != 0)
		return capitals(money_text(from, type, b), b);
	return str_of((unsigned)kind < NELEM(names) ? names[kind] : "");
}

/* Return the start of the last characters of a text. */
static size_t
last_characters(struct str s, size_t n)
{
	size_t at = s.n;

	for (; at > 0 && n > 0; n -= (s.s[at] & 0xc0) != 0x80)
		at--;
	return at;
}

void
money_account_id(const struct money_source *from, uint64_t id, uint64_t alike, struct buf *b)
{
	struct buf text = BUF_INIT;
	struct str all = id == 0 ? STR("?") : money_text(from, id, &text);
	size_t at = from->full ? 0 : last_characters(all, SHOWN_OF_ID);

	buf_str(b, at > 0 ? STR("..") : STR(""));
	buf_str(b, str_after(all, at));
	if (alike > 1 && !from->full)
		buf_printf(b, "#%u", (unsigned)alike);
	b->bad |= text.bad;
	buf_free(&text);
}

struct str
money_category(const struct store *st, uint64_t category)
{
	struct str rules = fact_text(st, FACT_TRACE_ASK_CATEGORIES);
	size_t at = (size_t)(category >> 8), n = (size_t)(category & 0xff);

	return at > rules.n || n > rules.n - at ? STR("") : (struct str){ rules.s + at, n };
}

void
money_element(const struct money_source *from, struct str name, uint64_t ref, struct buf *b)
{
	static const char *const ids[] = { "ACCTID", "LOANACCTID", "ACCTKEY" };
	static const char *const secrets[] =
	    { "USERPASS", "NEWUSERPASS", "USERKEY", "SESSCOOKIE", "ACCESSKEY", "AUTHTOKEN", "MFAPHRASEA",
		"TAXID", "PIN" };
	struct buf text = BUF_INIT;

	if (ref == 0)
		return;
	for (size_t i = 0; i < NELEM(ids); i++)
		if (strlen(ids[i]) == name.n && strncasecmp(ids[i], name.s, name.n) == 0) {
			money_account_id(from, ref, 0, b);
			return;
		}
	for (size_t i = 0; i < NELEM(secrets) && !from->full; i++)
		if (strlen(secrets[i]) == name.n && strncasecmp(secrets[i], name.s, name.n) == 0) {
			buf_str(b, STR(".."));
			return;
		}
	buf_str(b, money_text(from, ref, &text));
	b->bad |= text.bad;
	buf_free(&text);
}

void
money_account_name(const struct money_source *from, enum money_account kind, uint64_t type, uint64_t id,
    uint64_t alike, uint64_t currency, struct buf *b)
{
	struct buf text = BUF_INIT;

	buf_str(b, money_account_kind(from, kind, type, &text));
	buf_chr(b, ' ');
	money_account_id(from, id, alike, b);
	buf_chr(b, ' ');
	buf_str(b, currency == 0 ? STR("?") : money_text(from, currency, &text));
	b->bad |= text.bad;
	buf_free(&text);
}

void
money_statement_name(const struct money_source *from, uint64_t statement, struct buf *b)
{
	const struct store *st = from->st;

	money_account_name(from, (enum money_account)store_cell(st, COL_STATEMENT_KIND, statement),
	    store_cell(st, COL_STATEMENT_TYPE, statement), store_cell(st, COL_STATEMENT_ID, statement),
	    store_cell(st, COL_STATEMENT_ALIKE, statement), store_cell(st, COL_STATEMENT_CURRENCY, statement),
	    b);
}
