/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checks: read rules about calls that must come together.
 */
#include "config.h"

#include <assert.h>
#include <ctype.h>

#include "icecore/columns_code.h"
#include "icecore/make.h"
#include "icecore/resources.h"

static bool
is_rule_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!isalnum((unsigned char)name.s[i]) && name.s[i] != '-' && name.s[i] != '_')
			return false;
	return name.n > 0;
}

/* Words of one kind up to the next keyword, which *what gets; RESOURCE_WHATS: the line ends. */
static bool
add_words(struct resources *r, uint32_t row, enum resource_what as, struct str *line,
    enum resource_what *what, struct err *err)
{
	enum resource_what of = *what;
	struct str word;
	bool any = false;

	while ((word = resources_take_word(line)).n > 0) {
		*what = resources_what_of(word, RESOURCE_CALL, RESOURCE_WHATS);
		if (*what != RESOURCE_WHATS)
			return any || fail(err, E_USAGE, "a name is missing before '%.*s'", (int)word.n,
			    word.s);
		any = true;
		if (of == RESOURCE_AFTER && str_eq(word, STR("throw")))
			r->row[row].may_throw = true;
		else if (!resources_add_word(r, row, as, word, err))
			return false;
	}
	*what = RESOURCE_WHATS;
	return any || fail(err, E_USAGE, "a name is missing at the end");
}

/* The start of a method or a handler can only be followed by something. */
static bool
is_together(enum resource_what trigger, enum resource_what need)
{
	return need == RESOURCE_AFTER || (trigger == RESOURCE_CALL && need >= RESOURCE_BEFORE &&
	    need <= RESOURCE_OUTSIDE);
}

static bool
checks_read_line(struct resources *r, struct str line, struct err *err)
{
	uint32_t at = (uint32_t)(line.s - r->text[r->ntexts - 1].s);
	struct str says = STR(""), name, word;
	enum resource_what what;
	uint32_t row = RESOURCES_MOST + 1 + r->nchecks;

	str_divide(line, STR(" says "), &line, &says);
	resources_slashes(line);
	name = resources_take_word(&line);
	if (name.n == 0 || name.s[0] == '#')
		return true;
	if (!is_rule_name(name))
		return fail(err, E_USAGE, "'%.*s' is not the name of a rule", (int)name.n, name.s);
	if (r->nchecks == CHECKS_MOST)
		return fail(err, E_USAGE, "more than %u rules", CHECKS_MOST);
	word = resources_take_word(&line);
	what = resources_what_of(word, RESOURCE_CALL, RESOURCE_AFTER);
	if (what == RESOURCE_WHATS)
		return fail(err, E_USAGE, "expected 'call', 'enter' or 'catch' after the name");
	r->nchecks++;
	r->row[row].type = name;
	r->row[row].from = (uint32_t)r->nwords;
	r->row[row].begun = true;
	r->row[row].at = at;
	r->row[row].says = str_trim(says);
	r->row[row].trigger = (uint8_t)what;
	if (!add_words(r, row, what, &line, &what, err))
		return false;
	if (what == RESOURCE_WHATS || !is_together((enum resource_what)r->row[row].trigger, what))
		return fail(err, E_USAGE, r->row[row].trigger == RESOURCE_CALL ?
		    "expected 'needs-after', 'needs-before', 'inside' or 'outside'" : "expected 'needs-after'");
	r->row[row].need = (uint8_t)what;
	if (!add_words(r, row, what >= RESOURCE_INSIDE ? RESOURCE_INSIDE : RESOURCE_RELEASED, &line, &what,
	    err))
		return false;
	return what == RESOURCE_WHATS || fail(err, E_USAGE, "a rule needs one thing only");
}

bool
checks_read(struct resources *r, struct str text, struct err *err)
{
	return resources_lines(r, text, checks_read_line, err);
}

bool
checks_one(struct resources *r, const struct store *st, uint64_t offset)
{
	const struct column *text = store_column(st, COL_CODE_CHECKS);
	struct err err = { .kind = E_NONE };
	struct str rest, line;

	/* Only a damaged index has such an offset. */
	if (text == NULL || offset >= text->rows)
		return false;
	rest = str_after((struct str){ column_all(text), (size_t)text->rows }, (size_t)offset);
	return str_line(&rest, &line) && checks_read(r, line, &err) && r->nchecks == 1;
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool
check_has(const struct resources *r, uint32_t row, enum resource_what what, struct str owner, struct str name,
    struct str desc)
{
	const struct resource_word *w = SCRATCH(r->words, struct resource_word) + r->row[row].from;

	assert(resource_is_check(row) && row <= RESOURCES_MOST + r->nchecks);
	for (uint32_t i = 0; i < r->row[row].n; i++)
		if (w[i].what == what && str_eq(w[i].name, name) &&
		    (w[i].owner.n == 0 || str_eq(w[i].owner, owner)) &&
		    resources_first_fits(&w[i], desc))
			return true;
	return false;
}

const struct resource_word *
check_word(const struct resources *r, uint32_t row, enum resource_what what)
{
	const struct resource_word *w = SCRATCH(r->words, struct resource_word) + r->row[row].from;

	for (uint32_t i = 0; i < r->row[row].n; i++)
		if (w[i].what == what)
			return &w[i];
	return NULL;
}
