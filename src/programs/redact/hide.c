/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hide: what texts of traces and profiles become, in place.
 */
#include "config.h"

#include <string.h>

#include "icecore/telling.h"
#include "hide.h"

enum { SHORT = 2, COPY = 256 };	/* bytes of names that stay; of texts at once */

/* ---- letters ------------------------------------------------------------------------------------------- */

void
hide_begin(struct hider *h, struct hide_peer *peer, const struct redaction *r)
{
	*h = (struct hider){ .o = r->o, .key = r->key, .result = r->result, .peer = r->key == NULL ? peer : NULL };
	if (h->peer != NULL)
		*peer = (struct hide_peer){ .out = r->s->peer };
}

void
hide_end(struct hider *h)
{
	if (h->peer != NULL)
		idmap_free(&h->peer->seen);
	trace_words_free(&h->who);
	listed_free(&h->listed);
}

void
hide_in(struct hider *h, const char *room, uint64_t at)
{
	if (h->peer == NULL)
		return;
	h->peer->room = room;
	h->peer->base = at;
}

bool
hide_ok(const struct hider *h, struct err *err)
{
	if (h->listed.bad)
		return fail(err, E_SYSTEM, "out of memory (names)");
	if (h->peer == NULL || h->peer->err.kind == E_NONE)
		return true;
	*err = h->peer->err;
	return false;
}

/* Whether these bytes of the output may be those of the text; same: letters that are in both, of all of them. */
static bool
check_letters(struct hide_peer *p, char what, struct str text, const char *bytes, size_t same, size_t letters,
    uint64_t at)
{
	uint64_t key = idmap_hash_text(text, (uint64_t)(unsigned char)what);
	uint32_t is = (uint32_t)idmap_hash_text((struct str){ bytes, text.n }, 0) | 1,
	    first = idmap_get(&p->seen, key);

	if (first == 0) {
		/* The writer makes none of these. */
		if (2 * same > letters)
			return fail_at(&p->err, E_INPUT, at,
			    "check failed at byte %llu: value unchanged from the input",
			    (unsigned long long)at);
		return idmap_enter(&p->seen, key, is, &first, &p->err);
	}
	return first == is || fail_at(&p->err, E_INPUT, at,
	    "check failed at byte %llu: equal texts of the input differ", (unsigned long long)at);
}

static bool
hide_has_letter(struct hide_peer *p, uint64_t at, char high)
{
	char c = (char)p->out->data[at];

	return ((c ^ high) >= 'a' && (c ^ high) <= 'z') ||
	    fail_at(&p->err, E_INPUT, at, "check failed at byte %llu: 0x%02x is not a replacement value",
	    (unsigned long long)at, (unsigned char)c);
}

/*
 * Where a part of the room is in the output; UINT64_MAX: the sink finds that the output is too short, or an
 * error was found.
 */
static uint64_t
place_in_peer(const struct hide_peer *p, const char *part, size_t n)
{
	uint64_t from = p->base + (uint64_t)(part - p->room);

	return p->err.kind != E_NONE || from > p->out->size || n > p->out->size - from ? UINT64_MAX : from;
}

void
hide_as_peer(struct hider *h, struct str text, char *room)
{
	struct hide_peer *p = h->peer;
	uint64_t from = place_in_peer(p, room, text.n);
	size_t letters = 0, same = 0;

	for (size_t i = 0; from != UINT64_MAX && i < text.n; i++) {
		if ((room[i] & 127) != NAME_LETTER)
			continue;
		if (!hide_has_letter(p, from + i, (char)(room[i] ^ NAME_LETTER)))
			return;
		room[i] = (char)p->out->data[from + i];
		same += room[i] == text.s[i];
		letters++;
	}
	if (letters > 0)
		(void)!check_letters(p, 'j', text, room, same, letters, from);
}

/* Most letters of each piece differ from the text: a check without the key knows a text that was not replaced. */
static void
make_letters(struct hider *h, char what, char *at, size_t n)
{
	struct keyed_bytes b;
	char was[COPY];
	size_t some;

	keyed_begin(h->key, (struct str){ &what, 1 }, at, n, &b);
	for (; n > 0; n -= some, at += some) {
		some = n < COPY ? n : COPY;
		memcpy(was, at, some);
		keyed_letters(&b, (uint8_t *)at, some);
		letters_apart(was, at, some);
	}
}

/* The same text becomes the same letters wherever it is. */
static void
put_letters(struct hider *h, char what, char *at, size_t n)
{
	struct hide_peer *p = h->peer;
	const char *bytes;
	size_t same = 0;
	uint64_t from;

	if (p == NULL) {
		make_letters(h, what, at, n);
		return;
	}
	if (p->marking) {
		memset(at, NAME_LETTER, n);
		return;
	}
	from = place_in_peer(p, at, n);
	if (from == UINT64_MAX)
		return;
	bytes = (const char *)p->out->data + from;
	for (size_t i = 0; i < n; i++) {
		if (!hide_has_letter(p, from + i, 0))
			return;
		same += bytes[i] == at[i];
	}
	if (check_letters(p, what, (struct str){ at, n }, bytes, same, n, from))
		memcpy(at, bytes, n);
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static void
hide_letters(struct hider *h, char *at, size_t n)
{
	put_letters(h, 'p', at, n);
	h->result->masked += n;
	h->result->renamed++;
	h->result->names++;
}

static void
hide_keep(struct hider *h)
{
	h->result->names++;
}

void
hide_text(struct hider *h, char *at, size_t n)
{
	h->result->texts++;
	h->result->masked += n;
	if (h->o->mode == REDACT_SHAPE)
		memset(at, 'x', n);
	else
		put_letters(h, 't', at, n);
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

/* A name that stays, except for names of processes and users in it. */
static void
hide_parts(struct hider *h, char *at, size_t n)
{
	struct str text = { at, n };
	size_t from = 0, part, length;

	for (; trace_words_next(&h->who, text, from, &part, &length); from = part + length)
		hide_letters(h, at + part, length);
}

/* Nobody has looked for users in a name yet: marks and names of scripts may have paths in them. */
static void
hide_paths(struct hider *h, char *at, size_t n)
{
	struct user_parts users = { .rest = { at, n } };
	char *from = at, *to;
	enum meaning means;
	struct str part;

	for (; telling_user_part(&users, &part, &means); from = to + part.n) {
		to = at + (part.s - at);
		hide_parts(h, from, (size_t)(to - from));
		(means == MEANT_TEXT ? hide_text : hide_letters)(h, to, part.n);
	}
	hide_parts(h, from, (size_t)(at + n - from));
}

/* A mark or an event may have the number of a card in its name: "pay +49172423751". */
static void
hide_in_name(struct hider *h, char *at, size_t n)
{
	size_t before, length;

	hide_keep(h);
	for (; (before = telling_personal((struct str){ at, n }, true, &length)) < n; at += before + length) {
		hide_paths(h, at, before);
		hide_text(h, at + before, length);
		n -= before + length;
	}
	hide_paths(h, at, n);
}

/* Names in a program: letters if names become such; otherwise names of processes and users in it do. */
static void
hide_name(struct hider *h, char *at, size_t n)
{
	if (h->o->names == REDACT_KEEP)
		hide_in_name(h, at, n);
	else if (n <= SHORT)
		hide_keep(h);
	else
		hide_letters(h, at, n);
}

static void
hide_words(struct hider *h, char *at, size_t n)
{
	if (h->o->names == REDACT_KEEP) {
		hide_keep(h);
		hide_parts(h, at, n);
	} else
		hide_words_each(h, at, n, hide_letters);
}

void
hide_meant(struct hider *h, enum meaning means, char *at, size_t n)
{
	switch (means) {
	case MEANT_FORM: break;
	case MEANT_WHO: hide_who(h, at, n); break;
	/* Short names and those of the platform, too: "/home/jo" and "/home/main" name somebody. */
	case MEANT_USER: case MEANT_PLACE: hide_letters(h, at, n); break;
	case MEANT_NAME: hide_name(h, at, n); break;
	case MEANT_WORDS: hide_words(h, at, n); break;
	default: hide_text(h, at, n);
	}
}

bool
hide_learn(struct hider *h, struct str name, struct err *err)
{
	return platform_part(name) == name.n || trace_words_add(&h->who, name, err);
}

/* Words of all programs, such as "main" and "app", would take frames with them. */
bool
hide_learn_user(struct hider *h, struct str name, struct err *err)
{
	return name.n <= SHORT || hide_is_platform_word(h, name) || str_digits(name) == name.n ||
	    trace_words_add_user(&h->who, name, err);
}

/* A directory that may be that of a user is only hidden where it is, as in text. */
bool
hide_learn_name(struct hider *h, struct str name, struct err *err)
{
	struct user_parts users = { .rest = name };
	enum meaning means;
	struct str part;

	while (telling_user_part(&users, &part, &means))
		if (means == MEANT_USER && !hide_learn_user(h, part, err))
			return false;
	return true;
}
