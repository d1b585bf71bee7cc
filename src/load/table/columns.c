/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns: resolve the columns of --path, --weight and --time.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/facts.h"
#include "icecore/lev.h"
#include "icecore/scan.h"
#include "table.h"

static char
columns_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

static bool
alike(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (columns_lower(a.s[i]) != columns_lower(b.s[i]))
			return false;
	return true;
}

uint32_t
sheet_meant(const struct sheet_names *names, struct str word)
{
	uint32_t found = sheet_named(names, word), hits = 0;
	uint64_t number;

	if (found != 0)
		return found;
	for (uint32_t i = 0; i < names->n; i++)
		if (alike(sheet_name(names, i), word)) {
			found = i + 1;
			hits++;
		}
	if (hits == 1)
		return found;
	return num_u64(word, 10, &number) && number >= 1 && number <= names->n ? (uint32_t)number : 0;
}

static struct str
candidate(void *names, uint64_t i)
{
	return sheet_name(names, (uint32_t)i);
}

static bool
fail_column(const struct sheet_names *names, struct str word, struct err *err)
{
	struct buf all = BUF_INIT;
	char guess[GUESS_TEXT];

	guess_among(word, candidate, (void *)(uintptr_t)names, names->n, guess, sizeof guess);
	for (uint32_t i = 0; i < names->n && all.n < 200; i++) {
		buf_list(&all, ", ", sheet_name(names, i));
		if (all.n >= 200)
			buf_str(&all, STR(", ..."));
	}
	fail(err, E_USAGE, "no column '%.*s' in this table%s; columns: %s", word.n > 80 ? 80 : (int)word.n,
	    word.s, guess, all.bad || all.n == 0 ? "none" : all.s);
	buf_free(&all);
	return false;
}

/* ---- parts of the path ------------------------------------------------------------------ */

static bool
read_how(struct str word, struct path_part *part)
{
	static const struct { const char *word; enum part_how how; } hows[] = {
		{ "year", PART_YEAR }, { "month", PART_MONTH }, { "day", PART_DAY }, { "hour", PART_HOUR },
		{ "dir", PART_SPLIT }
	};

	part->at = '/';
	part->how = PART_SPLIT;
	if (scan(&word, "split=")) {
		part->at = word.n == 1 ? word.s[0] : '\0';
		return word.n == 1 && (unsigned char)part->at < 0x80;
	}
	for (size_t i = 0; i < NELEM(hows); i++)
		if (str_eq(word, str_of(hows[i].word))) {
			part->how = hows[i].how;
			return true;
		}
	return false;
}

/* "COLUMN" or "COLUMN:HOW". */
static bool
columns_read_part(struct path_part *part, struct str word, const struct sheet_names *names, struct err *err)
{
	struct str column, how;

	part->how = PART_WHOLE;
	part->column = sheet_meant(names, word);
	if (part->column == 0 && str_divide_last(word, ':', &column, &how) && how.n > 0) {
		if ((part->column = sheet_meant(names, column)) == 0)
			return fail_column(names, column, err);
		if (!read_how(how, part))
			return fail(err, E_USAGE,
			    "unknown column part '%.*s'; use year, month, day, hour, dir or split=X",
			    how.n > 80 ? 80 : (int)how.n, how.s);
	}
	if (part->column == 0)
		return fail_column(names, word, err);
	assert(part->column <= names->n);
	part->column--;
	return true;
}

static bool
read_path(struct asked *a, struct str path, const struct sheet_names *names, struct err *err)
{
	struct str word;

	while (str_split(&path, ',', &word)) {
		if (a->nparts == PATH_PARTS)
			return fail(err, E_USAGE, "a path has too many columns (limit: %u)", PATH_PARTS);
		if (!columns_read_part(&a->part[a->nparts++], word, names, err))
			return false;
	}
	return true;
}

static bool
read_weights(struct asked *a, struct str list, const struct sheet_names *names, struct err *err)
{
	struct str word;
	uint32_t column;

	while (str_split(&list, '\n', &word)) {
		if (a->nweights == WEIGHTS_MOST)
			return fail(err, E_USAGE, "too many weights (limit: %u)", WEIGHTS_MOST);
		if ((column = sheet_meant(names, word)) == 0)
			return fail_column(names, word, err);
		a->weight[a->nweights++] = (struct weighed){ .column = column - 1 };
	}
	return true;
}

bool
asked_columns(struct asked *a, const struct store *st, const struct sheet_names *names, struct err *err)
{
	struct str time = fact_text(st, FACT_TRACE_ASK_TIME);

	a->nparts = a->nweights = a->time = 0;
	if (read_path(a, fact_text(st, FACT_TRACE_ASK_PATH), names, err) &&
	    read_weights(a, fact_text(st, FACT_TRACE_ASK_WEIGHT), names, err)) {
		if (time.n == 0 || (a->time = sheet_meant(names, time)) != 0)
			return true;
		fail_column(names, time, err);
	}
	a->nparts = a->nweights = 0;
	return false;
}

void
asked_form(struct asked *a, const struct store *st)
{
	struct str sep = fact_text(st, FACT_TRACE_ASK_SEP), mark = fact_text(st, FACT_TRACE_ASK_DECIMAL);
	struct str header = fact_text(st, FACT_TRACE_ASK_HEADER);

	a->sep = str_is(sep, "tab") || str_is(sep, "\\t") ? '\t' : sep.n > 0 ? sep.s[0] : '\0';
	a->mark = mark.n > 0 ? mark.s[0] : '\0';
	a->header = str_is(header, "yes") ? 1 : str_is(header, "no") ? -1 : 0;
}
