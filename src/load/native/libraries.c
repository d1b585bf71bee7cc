/*
 * The list "libs" at the top of a profile of Firefox or samply.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "native_room.h"

#define UNPACKED_MOST ((size_t)4 << 20)

/* The first part of what gzip packed; NULL: it is not packed so, or memory ran out. */
static char *
unpack(struct str packed, size_t *n)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)packed.s, .avail_in = (uInt)packed.n };
	char *out = mem_array(UNPACKED_MOST, 1);

	if (out == NULL || inflateInit2(&z, 15 + 16) != Z_OK) {
		free(out);
		return NULL;
	}
	z.next_out = (Bytef *)out;
	z.avail_out = UNPACKED_MOST;
	(void)inflate(&z, Z_SYNC_FLUSH);
	*n = UNPACKED_MOST - z.avail_out;
	inflateEnd(&z);
	return out;
}

static struct str
text_of(struct json j, struct buf *b)
{
	struct str word;

	return json_peek(&j) == '"' && json_word(&j, &word) ? json_unescape(word, b) : STR("");
}

static void
take_library(struct json j, void (*take)(void *, const struct native_library *), void *to)
{
	static const char *const names[] = { "name", "path", "debugPath", "codeId", "breakpadId" };
	struct buf text[NELEM(names)] = { BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT };
	struct native_library l = { .name = STR("") };
	struct str *const field[] = { &l.name, &l.path, &l.debug_path, &l.code_id, &l.breakpad_id };
	struct str name;
	bool bad = false;

	json_open(&j, '{');
	while (json_member(&j, &name)) {
		for (size_t i = 0; i < NELEM(names); i++)
			if (str_eq(name, str_of(names[i])))
				*field[i] = text_of(j, &text[i]);
		if (!json_skip(&j))
			break;
	}
	for (size_t i = 0; i < NELEM(names); i++)
		bad |= text[i].bad;
	if (!bad)
		take(to, &l);
	for (size_t i = 0; i < NELEM(names); i++)
		buf_free(&text[i]);
}

/* Somebody gave the profile all names that there are. */
static bool
is_named(struct json meta)
{
	struct str name, said = STR("");

	if (!json_open(&meta, '{'))
		return false;
	while (json_member(&meta, &name) && json_plain(&meta, &said))
		if (str_eq(name, STR("symbolicated")))
			return str_eq(said, STR("true"));
	return false;
}

/* What stands in front of the list is small; another kind of JSON is left as soon as it shows. */
static bool
find_list(struct json *j)
{
	static const char *const others[] = { "traceEvents", "nodes", "snapshot", "$schema", "threads", "samples" };
	struct str name;

	if (!json_open(j, '{'))
		return false;
	while (json_member(j, &name)) {
		if (str_eq(name, STR("libs")))
			return json_open(j, '[');
		if (str_eq(name, STR("meta")) && is_named(*j))
			return false;
		for (size_t i = 0; i < NELEM(others); i++)
			if (str_eq(name, str_of(others[i])))
				return false;
		if (!json_skip(j))
			break;
	}
	return false;
}

void
libraries_each(struct str head, void (*take)(void *to, const struct native_library *), void *to)
{
	char *unpacked = head.n > 2 && memcmp(head.s, "\x1f\x8b", 2) == 0 ? unpack(head, &head.n) : NULL;
	struct json j = { .base = unpacked != NULL ? unpacked : head.s, .size = head.n }, item;
	uint64_t n = 0;

	if (find_list(&j)) {
		while (n++ < LIBRARIES_MOST && json_item(&j)) {
			item = j;
			if (json_peek(&j) != '{' || !json_skip(&j))
				break;
			take_library(item, take, to);
		}
	}
	free(unpacked);
}
