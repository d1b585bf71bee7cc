/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * categories: rules that give transactions a category, one a line: "payee ~ /shop|market/i : food".
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/lines.h"
#include "icecore/make.h"
#include "icecore/scan.h"
#include "categories.h"

#define RULES_MOST 1000u
#define TEXT_MOST (1u << 20)
#define NAME_MOST 255u		/* bytes of a category; its length has 8 bits in the column */

static const struct { struct str word; enum category_field field; } fields[] = {
	{ STR("payee"), CATEGORY_PAYEE }, { STR("memo"), CATEGORY_MEMO }, { STR("type"), CATEGORY_TYPE },
};

/* Take "/pattern/" or "/pattern/i"; a backslash takes the next character. */
static bool
take_pattern(struct str *line, struct str *pattern, bool *nocase, struct err *err)
{
	size_t n = 0;

	if (!str_take(line, STR("/")))
		return fail(err, E_USAGE, "expected /regex/ after '~'");
	while (n < line->n && line->s[n] != '/')
		n += line->s[n] == '\\' && n + 1 < line->n ? 2 : 1;
	if (n >= line->n)
		return fail(err, E_USAGE, "the regex has no closing /");
	*pattern = str_head(*line, n);
	*line = str_after(*line, n + 1);
	*nocase = str_take(line, STR("i"));
	return true;
}

static bool
read_rule(struct categories *all, struct str line, const char *text, struct err *err)
{
	struct category_rule c = { .field = CATEGORY_FIELDS };
	struct str pattern;
	bool nocase = false;

	for (size_t i = 0; i < NELEM(fields) && c.field == CATEGORY_FIELDS; i++)
		if (str_take(&line, fields[i].word))
			c.field = fields[i].field;
	line = str_skip_blanks(line);
	if (c.field == CATEGORY_FIELDS || !scan(&line, "~"))
		return fail(err, E_USAGE, "expected 'payee ~ /regex/ : category'; fields: payee, memo, type");
	line = str_skip_blanks(line);
	if (!take_pattern(&line, &pattern, &nocase, err))
		return false;
	line = str_skip_blanks(line);
	if (!scan(&line, ":") || (line = str_skip_blanks(line)).n == 0)
		return fail(err, E_USAGE, "expected ': category' after the regex");
	if (line.n > NAME_MOST)
		return fail(err, E_USAGE, "the category is too long (limit: %u bytes)", NAME_MOST);
	if (all->n == RULES_MOST)
		return fail(err, E_USAGE, "too many rules (limit: %u)", RULES_MOST);
	assert(line.s >= text && (size_t)(line.s - text) <= TEXT_MOST);
	c.name = (uint32_t)((size_t)(line.s - text) << 8 | line.n);
	c.pattern = limited_open(pattern, nocase ? LIMITED_NOCASE : 0, err);
	return c.pattern != NULL && (scratch_add(&all->rules, &all->n, &c, sizeof c, err) ||
	    (limited_free(c.pattern), false));
}

bool
categories_open(struct categories *all, struct str text, struct err *err)
{
	struct lines l = lines_of(text);
	struct err why = { .kind = E_NONE };
	struct str line;

	if (text.n > TEXT_MOST)
		return fail(err, E_USAGE, "too large (limit: %u MiB)", TEXT_MOST >> 20);
	for (unsigned n = 1; lines_next(&l, &line) && !l.cut; n++) {
		line = str_skip_blanks(line);
		while (line.n > 0 && memchr(" \t\r", line.s[line.n - 1], 3) != NULL)
			line.n--;
		if (line.n > 0 && line.s[0] != '#' && !read_rule(all, line, text.s, &why))
			return fail(err, why.kind, "line %u: %s", n, why.text);
	}
	return all->n > 0 || fail(err, E_USAGE, "no rules; a rule is 'payee ~ /regex/ : category'");
}

uint32_t
categories_find(struct categories *all, const struct str text[CATEGORY_FIELDS])
{
	struct category_rule *c = SCRATCH(all->rules, struct category_rule);

	for (uint64_t i = 0; i < all->n; i++) {
		assert(c[i].field < CATEGORY_FIELDS);
		if (limited_matches(c[i].pattern, text[c[i].field], &all->slow))
			return c[i].name;
	}
	return 0;
}

void
categories_close(struct categories *all)
{
	for (uint64_t i = 0; i < all->n; i++)
		limited_free(SCRATCH(all->rules, struct category_rule)[i].pattern);
	scratch_free(&all->rules);
}

bool
categories_check(struct str text, struct err *err)
{
	struct categories all = { .n = 0 };
	bool ok = categories_open(&all, text, err);

	categories_close(&all);
	return ok;
}
