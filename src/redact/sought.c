/*
 * sought: words that must not stand in a file, in any of the encodings in which they may hide.
 */
#include "config.h"

#include <string.h>

#include "redact.h"

#define WINDOW (16u << 20)

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

/* Of base64 the characters that depend on nothing but the word, which begins behind so many bytes. */
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

/* In one encoding; b holds it. */
static struct str
encoded(struct str word, unsigned how, struct buf *b)
{
	buf_clear(b);
	if (how == 0)
		return word;
	if (how <= 3)
		return base64_at(word, how - 1, b);
	for (size_t i = 0; i < word.n; i++)
		switch (how) {
		case 4: buf_chr(b, '\0'); buf_chr(b, word.s[i]); break;
		case 5: buf_chr(b, word.s[i]); buf_chr(b, '\0'); break;
		case 6: buf_printf(b, "%02x", (unsigned char)word.s[i]); break;
		default: buf_printf(b, "%02X", (unsigned char)word.s[i]); break;
		}
	return buf_view(b);
}

static bool
word_missing(const struct map *m, struct str word, struct work *work, struct err *err)
{
	static const char *const how[] = { "as it is", "in base64", "in base64", "in base64", "in UTF-16", "in UTF-16", "in hex", "in hex" };
	struct buf b = BUF_INIT;
	bool found = false, ok = true;

	for (unsigned i = 0; ok && i < NELEM(how); i++) {
		ok = stands(m, encoded(word, i, &b), &found, work, err);
		if (b.bad)
			ok = fail(err, E_SYSTEM, "out of memory (words)");
		if (ok && found)
			ok = fail(err, E_INPUT, "check failed: '%.*s' is in it, %s", (int)(word.n < 200 ? word.n : 200), word.s, how[i]);
	}
	buf_free(&b);
	return ok;
}

bool
sought_missing(const struct map *m, const char *words, struct work *work, struct err *err)
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
		ok = word.n == 0 || word_missing(m, word, work, err);
	}
	map_close(&list);
	return ok;
}
