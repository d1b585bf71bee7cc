/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * address: a place in a file as one word, icecore://PATH?pane=NAME&q=QUERY&OPTION=VALUE, which Y copies, as words of a
 * command line.
 *
 * An address may come from anybody: it only opens a file, with options that change what is shown, and asks a query that
 * writes nothing.
 */
#include "config.h"

#include <string.h>

#include "cli.h"

#define SCHEME STR("icecore://")

/* Append a part of an address; %XX is a byte.  False: there is no such byte. */
static bool
address_add(struct str part, struct buf *b)
{
	uint64_t byte;

	for (size_t i = 0; i < part.n; i++) {
		if (part.s[i] != '%') {
			buf_chr(b, part.s[i]);
			continue;
		}
		if (part.n - i < 3 || !num_u64((struct str){ part.s + i + 1, 2 }, 16, &byte) || byte == 0)
			return false;
		buf_chr(b, (char)byte);
		i += 2;
	}
	return true;
}

/* Append the keys that ask the query. */
static bool
address_query(struct str query, struct buf *words, struct err *err)
{
	struct query *q;
	bool ok = query_parse(&q, query, err);

	if (!ok)
		return false;
	ok = !query_writes(q) || fail(err, E_USAGE, "the query of an address cannot write files");
	query_free(q);
	buf_chr(words, ':');
	for (size_t i = 0; i < query.n; i++)
		buf_chr(words, (unsigned char)query.s[i] < 0x20 ? ' ' : query.s[i]);
	buf_chr(words, '\r');
	return ok;
}

static bool
address_pane(struct str name, struct buf *words, struct err *err)
{
	const struct pane_letter *l = pane_letters;

	while (l->name != NULL && !str_eq(name, str_of(l->name)))
		l++;
	buf_printf(words, "g%c", l->letter);
	return l->name != NULL || fail(err, E_USAGE, "no pane is called '%.*s'", (int)name.n, name.s);
}

/* Append the words of NAME=VALUE, each with a NUL. */
static bool
address_option(struct str option, struct buf *words, struct err *err)
{
	static const char *const names[] = { "clock", "event", "refs", "sizes", "rules", "dump" };
	struct buf value = BUF_INIT;
	struct str name;
	size_t i;
	bool ok = str_split(&option, '=', &name) && address_add(option, &value) && !value.bad;

	if (!ok)
		ok = fail(err, E_USAGE, "not in an address: %.*s", (int)name.n, name.s);
	else if (str_eq(name, STR("q")) || str_eq(name, STR("pane"))) {
		buf_add(words, "--type", sizeof "--type");
		ok = (str_eq(name, STR("q")) ? address_query : address_pane)(buf_view(&value), words, err);
		buf_chr(words, '\0');
	} else {
		for (i = 0; i < NELEM(names) && !str_eq(name, str_of(names[i])); i++)
			;
		ok = i < NELEM(names) || fail(err, E_USAGE, "not in an address: %.*s", (int)name.n, name.s);
		buf_printf(words, "--%.*s=%.*s", (int)name.n, name.s, (int)value.n, value.s);
		buf_chr(words, '\0');
	}
	buf_free(&value);
	return ok;
}

static bool
address_words(const char *address, struct buf *text, struct err *err)
{
	struct str rest = str_after(str_of(address), SCHEME.n), path, option;
	struct buf name = BUF_INIT;
	bool ok = true;

	str_split(&rest, '?', &path);
	while (ok && str_split(&rest, '&', &option))
		ok = address_option(option, text, err);
	if (ok && (path.n == 0 || !address_add(path, &name)))
		ok = fail(err, E_USAGE, "an address is icecore://PATH?q=QUERY");
	/* An option, or standard input, is no path. */
	if (str_begins(buf_view(&name), "-"))
		buf_str(text, STR("./"));
	buf_str(text, buf_view(&name));
	buf_chr(text, '\0');
	text->bad = text->bad || name.bad;
	buf_free(&name);
	return ok;
}

bool
address_expand(int argc, char **argv, struct buf *text, struct args_list *words, struct err *err)
{
	for (int i = 0; i < argc; i++)
		if (!str_has_prefix(str_of(argv[i]), SCHEME))
			buf_add(text, argv[i], strlen(argv[i]) + 1);
		else if (!address_words(argv[i], text, err))
			return false;
	if (text->bad)
		return fail(err, E_SYSTEM, "out of memory (arguments)");
	for (size_t at = 0; at < text->n; at += strlen(text->s + at) + 1)
		if (!args_add(words, text->s + at, err))
			return false;
	return true;
}
