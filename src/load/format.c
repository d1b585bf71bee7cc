/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * format: the loader that recognises the content of a file, or its name.
 */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "icecore/inflate.h"
#include "format.h"

/* Return whether the file name is that of a table, packed or not. */
static bool
has_table_name(const char *path)
{
	static const char *const ends[] = { ".csv", ".tsv", ".tab", ".jsonl", ".ndjson" };
	size_t n = inflate_stem(str_of(path)).n, end;

	for (size_t i = 0; i < NELEM(ends); i++)
		if ((end = strlen(ends[i])) < n && strncasecmp(path + n - end, ends[i], end) == 0)
			return true;
	return false;
}

static size_t
sniffed(const struct map *m)
{
	return m->size < SNIFF_MAX ? (size_t)m->size : SNIFF_MAX;
}

/* Return whether the name is that of a table, and the content is not another tool's format. */
static bool
format_is_table(const char *path, const struct map *m)
{
	size_t n = sniffed(m);
	bool binary = n > 0 && memchr(m->data, '\0', n) != NULL;

	return has_table_name(path) && !(binary ? foreign_is(m->data, m->size) :
	    foreign_text((struct str){ (const char *)m->data, n }));
}

const struct loader *
format_loader(const char *path, const struct map *m)
{
	size_t n = sniffed(m);

	for (size_t i = 0; n > 0 && loaders[i] != NULL; i++)
		if (loaders[i]->sniff(m->data, loaders[i]->whole ? (size_t)m->size : n))
			return loaders[i];
	return format_is_table(path, m) ? loader_named(STR("table")) : NULL;
}
