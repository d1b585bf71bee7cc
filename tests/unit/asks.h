/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * asks: queries asked of a session, and their answers compared.
 */
#ifndef UNIT_ASKS_H
#define UNIT_ASKS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "icecore/query.h"

/* The answer as text, or "KIND@COLUMN MESSAGE"; the caller frees. */
static inline char *
ask(struct session *session, const char *text, enum format format, unsigned width)
{
	struct err err = { .kind = E_NONE, .at = ERR_NOWHERE };
	struct query *q = NULL;
	struct rows *rows;
	char *out = NULL;
	size_t size;
	uint64_t n;
	FILE *f = open_memstream(&out, &size);
	bool ok = query_parse(&q, str_of(text), &err) &&
	    query_prepare(q, session, NULL, &err) &&
	    query_open(q, session, &rows, &err);

	if (ok) {
		ok = rows_print(rows, format, width, f, &n, &err);
		rows_close(rows);
	}
	if (!ok) {
		rewind(f);
		fprintf(f, "%d@%lld %s", err.kind, (long long)err.at, err.text);
	}
	query_free(q);
	fclose(f);
	return out;
}

static inline void
check_answer(struct session *session, const char *query, enum format format, unsigned width,
    const char *want)
{
	char *got = ask(session, query, format, width);

	if (strcmp(got, want) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", query, got, want);
	free(got);
}

/* The first bytes of the message; the rest is for people. */
static inline void
check_fails(struct session *session, const char *query, const char *want)
{
	char *got = ask(session, query, FORMAT_TSV, 0);

	if (strncmp(got, want, strlen(want)) != 0)
		fail_msg("%s\ngives:\n%s\nnot:\n%s", query, got, want);
	free(got);
}

#endif
