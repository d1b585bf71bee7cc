/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resources: read tables of resources.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "icecore/make.h"
#include "icecore/resources.h"

static const char *const words[RESOURCE_WHATS] = {
	[RESOURCE_MADE] = "made", [RESOURCE_BEGUN] = "begun", [RESOURCE_RELEASED] = "released",
	[RESOURCE_THROWS] = "throws",
	[RESOURCE_WITH] = "with", [RESOURCE_SAME] = "same", [RESOURCE_UNLESS] = "unless",
	[RESOURCE_WHILE] = "while",
	[RESOURCE_WRAPS] = "wraps", [RESOURCE_BORROWS] = "borrows", [RESOURCE_QUIET] = "quiet",
	[RESOURCE_CALM] = "calm",
	[RESOURCE_CALL] = "call", [RESOURCE_ENTER] = "enter", [RESOURCE_CATCH] = "catch",
	[RESOURCE_AFTER] = "needs-after",
	[RESOURCE_BEFORE] = "needs-before", [RESOURCE_INSIDE] = "inside", [RESOURCE_OUTSIDE] = "outside",
	[RESOURCE_SAYS] = "says"
};

/* ---- reading --------------------------------------------------------------------------------- */

enum resource_what
resources_what_of(struct str word, enum resource_what from, enum resource_what end)
{
	unsigned i = from;

	while (i < end && !str_eq(word, str_of(words[i])))
		i++;
	return i < end ? (enum resource_what)i : RESOURCE_WHATS;
}

static bool
is_type_word(enum resource_what what)
{
	return what == RESOURCE_THROWS || what == RESOURCE_WITH || what == RESOURCE_WRAPS ||
	    what == RESOURCE_CATCH ||
	    what == RESOURCE_INSIDE;
}

/* The word belongs to a row. */
static bool
is_row_word(enum resource_what what)
{
	return what < RESOURCE_WRAPS || what > RESOURCE_CALM;
}

/* "a/B/run(a/C)"; names of classes alone are the owner. */
static bool
resources_split(struct resource_word *w, struct str word)
{
	struct str inside, before;

	w->name = word;
	if (str_divide(word, STR("("), &w->name, &inside)) {
		w->some = true;
		if (!str_has_suffix(inside, STR(")")))
			return false;
		w->first = str_head(inside, inside.n - 1);
	}
	if (is_type_word((enum resource_what)w->what)) {
		w->owner = w->name;
		w->name = STR("");
	} else if (is_row_word((enum resource_what)w->what) &&
	    str_divide_last(w->name, '/', &before, &inside)) {
		w->owner = before;
		w->name = inside;
	}
	return w->name.n + w->owner.n > 0;
}

bool
resources_add_word(struct resources *r, uint32_t row, enum resource_what what, struct str word,
    struct err *err)
{
	struct resource_word w = { .row = row, .what = (uint8_t)what };
	uint64_t key;

	assert(row < NELEM(r->row) && (row > 0) == is_row_word(what));
	if (!resources_split(&w, word))
		return fail(err, E_USAGE, "'%.*s' is not a name", (int)word.n, word.s);
	if (what == RESOURCE_MADE || what == RESOURCE_BEGUN) {
		if (str_eq(w.name, STR("new")))
			w.owner = r->row[row].type;
		key = idmap_hash_text(str_eq(w.name, STR("new")) ? w.owner : w.name, 0);
		w.next = idmap_get(&r->makers, key);
		if (!idmap_put(&r->makers, key, (uint32_t)r->nwords + 1, err))
			return false;
	}
	r->row[row].begun |= what == RESOURCE_BEGUN;
	r->row[row].throws |= what == RESOURCE_THROWS;
	r->row[row].with |= what == RESOURCE_WITH;
	r->row[row].n += row > 0;
	return scratch_add(&r->words, &r->nwords, &w, sizeof w, err);
}

static bool
resources_begin_row(struct resources *r, struct str type, struct err *err)
{
	if (r->nrows == RESOURCES_MOST)
		return fail(err, E_USAGE, "more than %u resources", RESOURCES_MOST);
	r->nrows++;
	r->row[r->nrows].type = type;
	r->row[r->nrows].from = (uint32_t)r->nwords;
	return true;
}

struct str
resources_take_word(struct str *line)
{
	struct str word = *line = str_skip_blanks(*line);

	word.n = 0;
	while (word.n < line->n && !is_blank(word.s[word.n]))
		word.n++;
	*line = str_after(*line, word.n);
	return word;
}

static bool
resources_read_line(struct resources *r, struct str line, struct err *err)
{
	struct str word = resources_take_word(&line);
	enum resource_what what = resources_what_of(word, RESOURCE_MADE, RESOURCE_CALL), next;
	unsigned seen = 0;

	resources_slashes(word);
	resources_slashes(line);
	if (word.n == 0 || word.s[0] == '#')
		return true;
	if (what < RESOURCE_WRAPS)
		return fail(err, E_USAGE, "expected a class, 'wraps', 'borrows', 'quiet' or 'calm'");
	if (what == RESOURCE_WHATS && !resources_begin_row(r, word, err))
		return false;
	while ((word = resources_take_word(&line)).n > 0) {
		next = resources_what_of(word, RESOURCE_MADE, RESOURCE_CALL);
		if (next < RESOURCE_WRAPS && (what < RESOURCE_WRAPS || what == RESOURCE_WHATS)) {
			what = next;
			seen |= 1u << what;
		} else if (what == RESOURCE_WHATS)
			return fail(err, E_USAGE, "expected 'made' or 'begun' after the class");
		else if (!resources_add_word(r, what < RESOURCE_WRAPS ? r->nrows : 0, what, word, err))
			return false;
	}
	if (what < RESOURCE_WRAPS || what == RESOURCE_WHATS)
		return ((seen & 3) != 0 && (seen & 3) != 3 && (seen & 1u << RESOURCE_RELEASED)) ||
		    fail(err, E_USAGE, "a resource needs 'made' or 'begun', and 'released'");
	return true;
}

void
resources_slashes(struct str s)
{
	char *to = (char *)(uintptr_t)s.s;

	for (size_t i = 0; i < s.n; i++)
		to[i] = to[i] == '.' ? '/' : to[i];
}

bool
resources_lines(struct resources *r, struct str text, bool (*read)(struct resources *, struct str line, struct err *),
    struct err *err)
{
	struct buf *to = &r->text[r->ntexts++];
	struct str rest, line;
	struct err why = { .kind = E_NONE };

	assert(r->ntexts <= RESOURCES_TEXTS);
	buf_str(to, text);
	buf_chr(to, '\n');
	if (to->bad)
		return fail(err, E_SYSTEM, "out of memory (resources)");
	rest = buf_view(to);
	for (unsigned n = 1; str_line(&rest, &line); n++)
		if (!read(r, line, &why))
			return fail(err, why.kind, "line %u: %s", n, why.text);
	return true;
}

bool
resources_read(struct resources *r, struct str text, struct err *err)
{
	return resources_lines(r, text, resources_read_line, err);
}

void
resources_free(struct resources *r)
{
	for (unsigned i = 0; i < RESOURCES_TEXTS; i++)
		buf_free(&r->text[i]);
	SCRATCH_FREE(&r->words);
	idmap_free(&r->makers);
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool
resources_first_fits(const struct resource_word *w, struct str desc)
{
	struct str d = desc;

	if (!w->some || desc.n == 0)
		return true;
	if (w->first.n == 0)
		return str_has_prefix(desc, STR("()"));
	return str_take(&d, STR("(L")) && str_take(&d, w->first) && str_has_prefix(d, STR(";"));
}

uint32_t
resources_made(const struct resources *r, struct str owner, struct str name, struct str desc)
{
	bool new = str_eq(name, STR("new"));
	const struct resource_word *w;
	uint32_t i = idmap_get(&r->makers, idmap_hash_text(new ? owner : name, 0));

	for (; i != 0; i = w->next) {
		struct str before, type;

		w = &SCRATCH(r->words, struct resource_word)[i - 1];
		if (!str_eq(w->name, name) || !resources_first_fits(w, desc))
			continue;
		if (new || w->owner.n > 0) {
			if (str_eq(w->owner, owner))
				return w->row;
		} else if (w->what == RESOURCE_BEGUN ? str_eq(owner, r->row[w->row].type) :
		    str_divide_last(desc, ')', &before, &type) &&
		    str_eq(code_type_name(type), r->row[w->row].type))
			return w->row;
	}
	return 0;
}

bool
resources_has(const struct resources *r, uint32_t row, enum resource_what what, struct str owner,
    struct str name)
{
	const struct resource_word *w = SCRATCH(r->words, struct resource_word);
	uint64_t from = row == 0 ? 0 : r->row[row].from, end = row == 0 ? r->nwords : from + r->row[row].n;
	bool type = is_type_word(what);

	assert(row < NELEM(r->row) && end <= r->nwords);
	for (uint64_t i = from; i < end; i++) {
		struct str full = w[i].name, rest = owner;

		if (w[i].what != what || w[i].row != row)
			continue;
		if (what >= RESOURCE_BORROWS && full.n > 0) {
			if (full.s[full.n - 1] == '*' ? str_has_prefix(owner, str_head(full, full.n - 1)) :
			    str_eq(full, owner) ||
			    (str_take(&full, rest) && str_take(&full, STR("/")) && str_eq(full, name)))
				return true;
		} else if ((w[i].owner.n == 0 || str_eq(w[i].owner, owner)) &&
		    (type || str_eq(w[i].name, name)))
			return true;
	}
	return false;
}

bool
resources_constructed(const struct resources *r, uint32_t row, struct str owner, struct str desc)
{
	return resources_made(r, owner, STR("new"), desc) == row;
}
