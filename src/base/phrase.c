/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phrase: sentences for people, with fields that are filled in.
 */
#include "config.h"

#include "icecore/phrase.h"

/* Return the position of that character outside of fields and parts; text.n: none. */
static size_t
phrase_find(struct str text, char c)
{
	size_t depth = 0, i;

	for (i = 0; i < text.n && (depth > 0 || text.s[i] != c); i++)
		depth += (text.s[i] == '{' || text.s[i] == '[') - (text.s[i] == '}' || text.s[i] == ']');
	return i;
}

/* Take the text up to that character, and the character, from the front. */
static struct str
phrase_take(struct str *text, char c)
{
	size_t n = phrase_find(*text, c);
	struct str before = str_head(*text, n);

	*text = str_after(*text, n + 1);
	return before;
}

/* Take the name at the front; the character behind it is left. */
static struct str
phrase_name(struct str *text)
{
	struct str all = *text;
	size_t n = 0;

	while (n < all.n && memchr(": ?|[{", all.s[n], 6) == NULL)
		n++;
	*text = str_after(all, n);
	return str_head(all, n);
}

/* Return whether no field of the part is empty or 0. */
static bool
phrase_says(struct str part, const struct phrase_fields *f)
{
	struct str field;

	phrase_take(&part, '{');
	while (part.n > 0) {
		field = phrase_take(&part, '}');
		if (f->amount(f->of, phrase_name(&field)) == AMOUNT_NONE)
			return false;
		phrase_take(&part, '{');
	}
	return true;
}

static void
phrase_either(struct str texts, bool first, const struct phrase_fields *f, struct buf *b)
{
	struct str one = phrase_take(&texts, '|');

	phrase_add(first ? one : texts, f, b);
}

static void
phrase_part(struct str part, const struct phrase_fields *f, struct buf *b)
{
	struct str rest = part, name = phrase_name(&rest);

	if (str_take(&rest, STR("?")))
		phrase_either(rest, f->amount(f->of, name) != AMOUNT_NONE, f, b);
	else if (phrase_says(part, f))
		phrase_add(part, f, b);
}

static void
phrase_field(struct str field, const struct phrase_fields *f, struct buf *b)
{
	struct str name = phrase_name(&field);

	if (!str_has_prefix(field, STR(":")))
		f->add(f->of, name, b);
	if (str_has_prefix(field, STR(" ")))
		buf_chr(b, ' ');
	if (field.n > 0)
		phrase_either(str_after(field, 1), f->amount(f->of, name) == AMOUNT_ONE, f, b);
}

void
phrase_add(struct str phrase, const struct phrase_fields *f, struct buf *b)
{
	while (phrase.n > 0) {
		if (str_take(&phrase, STR("{")))
			phrase_field(phrase_take(&phrase, '}'), f, b);
		else if (str_take(&phrase, STR("[")))
			phrase_part(phrase_take(&phrase, ']'), f, b);
		else {
			buf_chr(b, phrase.s[0]);
			phrase = str_after(phrase, 1);
		}
	}
}
