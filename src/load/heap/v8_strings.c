/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * v8_strings: the strings of a snapshot of V8: where they are, and which the loader knows.
 */
#include "config.h"

#include "v8_in.h"

#define WINDOW (4u << 20)	/* bytes of the source that are in memory at once */

#define TICK 16384u
#define CUT 1024u		/* characters of a string, at most, in files of V8 */

bool
v8_string(const struct map *source, const uint64_t *places, uint64_t n, uint64_t i, struct str *s)
{
	struct json j = { .base = (const char *)source->data, .size = source->size };

	if (i >= n)
		return false;
	j.at = places[i / V8_STRIDE] < j.size ? places[i / V8_STRIDE] : j.size;
	for (i = i % V8_STRIDE + 1; i > 0; i--)
		if (!scan_item(&j) || !scan_plain(&j, s))
			return false;
	return true;
}

/* The text of a pair without its closing ")" is split at the last number. */
bool
v8_pair_read(struct str s, struct v8_pair *pair)
{
	size_t digits = str_digits(s), n = s.n;
	struct str tail = str_after(s, digits);

	if (digits == 0 || !str_begins(tail, " / part of key (") || !str_ends(s, ")"))
		return false;
	assert(n > digits + 1);
	for (n--; is_digit(s.s[n - 1]); n--)
		continue;
	pair->tail = idmap_hash_text(tail, 0);
	return str_ends(str_head(s, n), ") pair in WeakMap (table @") &&
	    num_u64((struct str){ s.s + n, s.n - n - 1 }, 10, &pair->table);
}

static unsigned
v8_strings_known(struct str s)
{
	static const char *const known[] = {
		[V8_PLAIN] = "Object", [V8_PROTO] = "__proto__", [V8_CONTEXT_MAP] = "sloppy_function_map",
		[V8_NATIVE_CONTEXT] = "system / NativeContext", [V8_DESCRIPTORS] = "(map descriptors)",
		[V8_EXTERNAL] = "system / ExternalStringData", [V8_TREES] = "(Document DOM trees)",
		[V8_BUFFER] = "system / JSArrayBufferData", [V8_ROOTS] = "(GC roots)", [V8_BUN] = "GlobalObject"
	};

	for (unsigned i = V8_PLAIN; i < NELEM(known); i++)
		if (str_is(s, known[i]))
			return i;
	return V8_NO_MARK;
}

/* Characters in UTF-16 of a text as it is in the file. */
static uint64_t
v8_strings_units(struct str s)
{
	uint64_t n = 0;

	for (; s.n > 0; n++) {
		size_t step = s.s[0] != '\\' ? 1 : s.n > 1 && s.s[1] == 'u' ? 6 : 2;

		n += (unsigned char)s.s[0] >= 0xf0;
		n -= ((unsigned char)s.s[0] & 0xc0) == 0x80;
		s = str_after(s, step);
	}
	return n;
}

static bool
v8_strings_mark(struct v8 *v, struct str s, uint64_t i)
{
	struct v8_strings *t = &v->strings;
	unsigned mark = v8_strings_known(s);
	struct v8_pair pair;

	if (i % 64 == 0 && !array_grow(&t->marked, i / 64 + 1, v->err))
		return false;
	if (mark == V8_NO_MARK && s.n > 0 && is_digit(s.s[0]) && v8_pair_read(s, &pair)) {
		mark = V8_PAIR + (unsigned)t->npairs;
		if (!array_add(&t->pairs, &t->npairs, &pair, v->err))
			return false;
	}
	t->cut += s.n >= CUT && v8_strings_units(s) == CUT;
	if (mark == V8_NO_MARK)
		return true;
	set_bit(&t->marked.raw, (uint32_t)i);
	return idmap_put(&t->marks, i + 1, mark, v->err);
}

bool
v8_strings_read(struct v8 *v, struct json *j)
{
	struct v8_strings *t = &v->strings;
	struct str s;
	uint64_t at;

	while (!v->failed && scan_item(j)) {
		at = j->at;
		if (!scan_plain(j, &s))
			return false;
		if (t->n >= UINT32_MAX)
			continue;
		v->failed = t->n % V8_STRIDE == 0 && !array_grow(&t->places, t->n / V8_STRIDE + 1, v->err);
		if (!v->failed && t->n % V8_STRIDE == 0)
			t->places.at[t->n / V8_STRIDE] = at;
		v->failed = v->failed || !v8_strings_mark(v, s, t->n);
		if (++t->n % TICK == 0)
			return !v->failed;
	}
	return false;
}

bool
v8_go(struct v8 *v, uint64_t at)
{
	if (at - v->window >= WINDOW && at > v->window) {
		map_forget(v->source, v->window, at);
		v->window = at;
	}
	if (!v->failed && !work_go(v->work, at, v->err))
		v->failed = true;
	return !v->failed;
}
