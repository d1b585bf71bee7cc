/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hide: what texts of traces and profiles become, in place.
 */
#include "config.h"

#include <string.h>

#include "hide.h"

enum { SHORT = 2 };

/* The same text becomes the same letters, wherever it stands. */
static void
hide_letters(struct hider *h, char *at, size_t n)
{
	struct keyed_bytes b;

	keyed_begin(h->key, STR("p"), at, n, &b);
	keyed_letters(&b, (uint8_t *)at, n);
	h->told->masked += n;
	h->told->renamed++;
	h->told->names++;
}

static void
hide_keep(struct hider *h)
{
	h->told->names++;
}

void
hide_text(struct hider *h, char *at, size_t n)
{
	struct keyed_bytes b;

	h->told->texts++;
	h->told->masked += n;
	if (h->o->mode == REDACT_SHAPE)
		memset(at, 'x', n);
	else {
		keyed_begin(h->key, STR("t"), at, n, &b);
		keyed_letters(&b, (uint8_t *)at, n);
	}
}

/* Names that are too short to mean anything stay: as letters several would be one. */
void
hide_who(struct hider *h, char *at, size_t n)
{
	size_t part = h->o->names == REDACT_HASH_ALL ? 0 : platform_part((struct str){ at, n });

	if (n <= SHORT || part == n)
		hide_keep(h);
	else
		hide_letters(h, at + part, n - part);
}

/* A name that stays, except for names of processes in it. */
static void
hide_parts(struct hider *h, char *at, size_t n)
{
	struct str text = { at, n };
	size_t from = 0, part, length;

	hide_keep(h);
	for (; trace_words_next(&h->who, text, from, &part, &length); from = part + length)
		hide_letters(h, at + part, length);
}

void
hide_name(struct hider *h, char *at, size_t n)
{
	if (h->o->names == REDACT_KEEP)
		hide_parts(h, at, n);
	else if (n <= SHORT)
		hide_keep(h);
	else
		hide_letters(h, at, n);
}

void
hide_meant(struct hider *h, enum meaning means, char *at, size_t n)
{
	switch (means) {
	case MEANT_FORM: break;
	case MEANT_WHO: hide_who(h, at, n); break;
	case MEANT_NAME: hide_name(h, at, n); break;
	default: hide_text(h, at, n);
	}
}

bool
hide_learn(struct hider *h, struct str name, struct err *err)
{
	return platform_part(name) == name.n || trace_words_add(&h->who, name, err);
}
