/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_texts: names of types, texts that the source lacks, and the list of references of an object.
 */
#include "config.h"

#include "ruby.h"

#define RUBY_TYPE_NAME(name) [TYPE_##name] = #name,
const char *const ruby_types[TYPES] = { [TYPE_OTHER] = "", RUBY_TYPES(RUBY_TYPE_NAME) };

uint64_t
ruby_own(struct ruby *r, struct str text)
{
	uint64_t at = store_own_at(r->st) + r->own.n;

	buf_str(&r->own, text);
	return ref_make(at, text.n);
}

struct str
ruby_list(const struct ruby *r, uint32_t object)
{
	uint64_t i = object - 1ull;
	struct str rest = str_after(r->text, r->place.at[i]), line;
	struct ruby_line l;

	if (r->list.at[i] == 0)
		return STR("");
	if (r->list.at[i] < UINT32_MAX)
		return str_until(str_after(rest, r->list.at[i]), ']');
	line = str_until(rest, '\n');
	return ruby_line_read(&l, ruby_line_trim(line), NULL, NULL) > RUBY_NO_JSON ? STR("") : l.references;
}
