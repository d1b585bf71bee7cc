/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command: the command line that asks a query again, with the options that its rows depend on.
 */
#include "config.h"

#include <string.h>

#include "icecore/bugs.h"
#include "icecore/directory.h"
#include "query/trace/trace.h"
#include "report.h"

const char *
session_option(const struct session *s, size_t i, const char **value, bool *usual)
{
	unsigned shapes = session_shapes(s);
	struct weights w;

	weights_of(session_store(s), &w);
	if ((shapes & SHAPE_GRAPH) == 0)
		i += 2;
	switch (i) {
	case 0:
		*value = heap_refs_names[s->refs];
		*usual = s->refs == 0;
		return "refs";
	case 1:
		*value = heap_sizes_names[s->sizes];
		*usual = s->sizes == 0;
		return "sizes";
	case 2:
		if (shapes & SHAPE_CALLS && w.clocks) {
			*value = clock_names[s->clock];
			*usual = s->clock == weights_clock(&w);
			return "clock";
		}
		if (shapes & SHAPE_CODE) {
			*value = bug_rules_names[s->rules];
			*usual = s->rules == 0;
			return "rules";
		}
		return NULL;
	default:
		return NULL;
	}
}

struct str
given_value(const struct report_option *o)
{
	return o->path ? shown_name(o->value) : str_of(o->value);
}

/* Append a word as a shell reads it back. */
static void
command_add_word(struct str word, struct buf *b)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,:/=@%";
	bool quotes = word.n == 0;

	for (size_t i = 0; i < word.n; i++)
		quotes = quotes || memchr(plain, word.s[i], sizeof plain - 1) == NULL;
	if (quotes)
		buf_chr(b, '\'');
	for (size_t i = 0; i < word.n; i++)
		buf_str(b, word.s[i] == '\'' ? STR("'\\''") : (struct str){ word.s + i, 1 });
	if (quotes)
		buf_chr(b, '\'');
}

void
command_options(const struct session *s, const struct report_options *o, struct buf *b)
{
	const char *name, *value;
	bool usual;

	for (size_t i = 0; session_store(s) != NULL && (name = session_option(s, i, &value,
	    &usual)) != NULL; i++)
		if (!usual)
			buf_printf(b, "--%s %s ", name, value);
	for (size_t i = 0; i < o->ngiven; i++) {
		/* A query is about the file that is shown. */
		if (strcmp(o->given[i].name, "file") == 0)
			continue;
		buf_printf(b, "--%s ", o->given[i].name);
		if (o->given[i].value != NULL) {
			command_add_word(given_value(&o->given[i]), b);
			buf_chr(b, ' ');
		}
	}
}

void
command_of(const struct session *s, const struct report_options *o, struct str query, const char *files,
    struct buf *b)
{
	buf_str(b, STR("icecore "));
	command_options(s, o, b);
	buf_str(b, STR("-e "));
	command_add_word(query, b);
	buf_printf(b, " %s", files);
}

static void
address_put(struct str part, struct buf *b)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.~/";

	for (size_t i = 0; i < part.n; i++)
		if (memchr(plain, part.s[i], sizeof plain - 1) != NULL)
			buf_chr(b, part.s[i]);
		else
			buf_printf(b, "%%%02x", (unsigned char)part.s[i]);
}

void
command_explorer(const struct session *s, const struct report_options *o, struct str path, struct str query,
    struct buf *b)
{
	buf_str(b, STR("in the explorer: icecore '"));
	command_address(s, o, path, "q", query, b);
	buf_chr(b, '\'');
}

void
command_address(const struct session *s, const struct report_options *o, struct str path, const char *name,
    struct str value, struct buf *b)
{
	const char *option, *is;
	bool usual;

	buf_str(b, STR("icecore://"));
	address_put(path, b);
	buf_printf(b, "?%s=", name);
	address_put(value, b);
	for (size_t i = 0; session_store(s) != NULL && (option = session_option(s, i, &is, &usual)) != NULL; i++)
		if (!usual)
			buf_printf(b, "&%s=%s", option, is);
	for (size_t i = 0; i < o->ngiven; i++)
		if (strcmp(o->given[i].name, "event") == 0 || strcmp(o->given[i].name, "dump") == 0) {
			buf_printf(b, "&%s=", o->given[i].name);
			address_put(str_of(o->given[i].value), b);
		}
}
