/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sought: find words in a file in any encoding.
 */
#include "config.h"

#include <string.h>

#include "redact.h"

#define WINDOW (16u << 20)
#define PACKED_LEAST 6u	/* bytes; shorter encoded words occur in compressed data by chance */

static bool
stands(const struct map *m, struct str what, bool *found, struct work *work, struct err *err)
{
	uint64_t n;

	*found = false;
	for (uint64_t at = 0; what.n > 0 && !*found && at < m->size; at += WINDOW) {
		n = m->size - at < WINDOW + what.n ? m->size - at : WINDOW + what.n;
		*found = memmem(m->data + at, (size_t)n, what.s, what.n) != NULL;
		if (!work_go(work, at, err))
			return false;
	}
	return true;
}

/* Return the base64 characters that depend on the word alone if it begins after 0, 1 or 2 bytes. */
static struct str
base64_at(struct str word, size_t behind, struct buf *b)
{
	size_t from = (behind * 8 + 5) / 6, to = (behind + word.n) * 8 / 6;
	struct buf raw = BUF_INIT;

	buf_add(&raw, "\0\0", behind);
	buf_str(&raw, word);
	buf_base64(b, buf_view(&raw));
	buf_free(&raw);
	return b->bad || from >= to ? (struct str){ NULL, 0 } : (struct str){ b->s + from, to - from };
}

enum { AS_IT_IS, BASE64, BASE64_1, BASE64_2, UTF16_BIG, UTF16_LITTLE, LATIN_1, HEX, HEX_CAPITAL };

static void
add_unit(struct buf *b, uint32_t unit, bool little)
{
	const char bytes[] = { (char)(unit >> 8), (char)unit };

	buf_chr(b, bytes[little]);
	buf_chr(b, bytes[!little]);
}

/* Encode a character as Java does; false: not in Latin-1. */
static bool
add_character(struct buf *b, uint32_t c, unsigned how)
{
	if (how == LATIN_1)
		buf_chr(b, (char)c);
	else if (c < 0x10000)
		add_unit(b, c, how == UTF16_LITTLE);
	else {
		add_unit(b, 0xd7c0 + (c >> 10), how == UTF16_LITTLE);
		add_unit(b, 0xdc00 + (c & 0x3ff), how == UTF16_LITTLE);
	}
	return how != LATIN_1 || c < 0x100;
}

/* Encode the word into b; empty: it has no such encoding. */
static struct str
encoded(struct str word, unsigned how, struct buf *b)
{
	bool whole = true;
	uint32_t c;

	buf_clear(b);
	if (how == AS_IT_IS)
		return word;
	if (how <= BASE64_2)
		return base64_at(word, how - BASE64, b);
	for (size_t i = 0; how >= HEX && i < word.n; i++)
		buf_printf(b, how == HEX ? "%02x" : "%02X", (unsigned char)word.s[i]);
	for (size_t n; how < HEX && whole && word.n > 0; word = str_after(word, n)) {
		n = text_decode(word, &c);
		whole = add_character(b, c, how);
	}
	return whole ? buf_view(b) : STR("");
}

static bool
word_missing(const struct map *m, const struct map *packed, struct str word, struct work *work,
    struct err *err)
{
	static const char *const how[] = { [AS_IT_IS] = "unencoded", [BASE64] = "in base64",
	    [BASE64_1] = "in base64", [BASE64_2] = "in base64", [UTF16_BIG] = "in UTF-16",
	    [UTF16_LITTLE] = "in UTF-16", [LATIN_1] = "in Latin-1", [HEX] = "in hex",
	    [HEX_CAPITAL] = "in hex" };
	struct buf b = BUF_INIT;
	bool found = false, ok = true;
	struct str what;

	for (unsigned i = 0; ok && i < NELEM(how); i++) {
		what = encoded(word, i, &b);
		ok = stands(m, what, &found, work, err);
		if (ok && !found && what.n >= PACKED_LEAST)
			ok = stands(packed, what, &found, work, err);
		if (b.bad)
			ok = fail(err, E_SYSTEM, "out of memory (words)");
		if (ok && found)
			ok = fail(err, E_INPUT, "check failed: contains '%.*s' %s",
			    (int)(word.n < 200 ? word.n : 200), word.s, how[i]);
	}
	buf_free(&b);
	return ok;
}

bool
sought_missing(const struct map *m, const struct map *packed, const char *words, struct work *work,
    struct err *err)
{
	struct str rest, word;
	struct map list;
	bool ok;

	if (!map_open(&list, words, work, err))
		return false;
	rest = (struct str){ (const char *)list.data, list.size };
	work_start(work, "words", 0);
	for (ok = true; ok && str_split(&rest, '\n', &word); ) {
		word.n -= word.n > 0 && word.s[word.n - 1] == '\r';
		ok = word.n == 0 || word_missing(m, packed, word, work, err);
	}
	map_close(&list);
	return ok;
}
