/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OTLP in JSON, written as messages of protobuf, which the other files read.  Members have the letters of the fields.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>

#include "otlp.h"

/* The deepest message: ProfilesData, dictionary, attribute, value. */
enum { JSON_DEPTH = 8, SIZE_BYTES = 5 };

enum json_as { AS_NUMBER, AS_TEXT, AS_MESSAGE };

/* letter '-': a member that has nothing to show. */
struct json_member {
	const char	*name;
	char		 letter;
	enum json_as	 as;
	enum otlp_message message;
};

#define NUMBER(name, letter) { name, letter, AS_NUMBER, OTLP_TOP }
#define TEXT(name, letter) { name, letter, AS_TEXT, OTLP_TOP }
#define INNER(name, letter, message) { name, letter, AS_MESSAGE, message }
#define NOTHING(name) { name, '-', AS_NUMBER, OTLP_TOP }
#define MEMBERS(...) (const struct json_member[]){ __VA_ARGS__, { NULL, '-', AS_NUMBER, OTLP_TOP } }

/* The names of all versions. */
static const struct json_member *const members[OTLP_MESSAGES_END] = {
	[OTLP_TOP] = MEMBERS(INNER("resourceProfiles", 'R', OTLP_RESOURCES), INNER("dictionary", 'D', OTLP_TABLES)),
	[OTLP_RESOURCES] = MEMBERS(INNER("resource", 'r', OTLP_RESOURCE), INNER("scopeProfiles", 's', OTLP_SCOPES),
	    NOTHING("schemaUrl")),
	[OTLP_RESOURCE] = MEMBERS(INNER("attributes", 'a', OTLP_KEY_VALUE), NOTHING("droppedAttributesCount")),
	[OTLP_SCOPES] = MEMBERS(INNER("profiles", 'p', OTLP_PROFILE), NOTHING("scope"), NOTHING("schemaUrl")),
	[OTLP_PROFILE] = MEMBERS(INNER("sampleType", 'T', OTLP_TYPE), INNER("samples", 'S', OTLP_SAMPLE),
	    INNER("sample", 'S', OTLP_SAMPLE), NUMBER("locationIndices", 'i'), NUMBER("timeUnixNano", 't'),
	    NUMBER("timeNanos", 't'), NUMBER("durationNano", 'd'), NUMBER("durationNanos", 'd'),
	    INNER("periodType", 'k', OTLP_TYPE), NUMBER("period", 'p'), NUMBER("attributeIndices", 'a'),
	    NOTHING("profileId"), NOTHING("droppedAttributesCount"), NOTHING("originalPayloadFormat"),
	    NOTHING("commentStrindices"), NOTHING("defaultSampleTypeIndex")),
	[OTLP_TYPE] = MEMBERS(NUMBER("typeStrindex", 't'), NUMBER("unitStrindex", 'u'),
	NOTHING("aggregationTemporality")),
	[OTLP_SAMPLE] = MEMBERS(NUMBER("stackIndex", 'y'), NUMBER("values", 'v'), NUMBER("value", 'v'),
	    NUMBER("attributeIndices", 'a'), NUMBER("linkIndex", 'k'), NUMBER("timestampsUnixNano", 't'),
	    NUMBER("locationsStartIndex", 's'), NUMBER("locationsLength", 'n')),
	[OTLP_TABLES] = MEMBERS(INNER("mappingTable", 'M', OTLP_MAPPING), INNER("locationTable", 'L', OTLP_LOCATION),
	    INNER("functionTable", 'F', OTLP_FUNCTION), INNER("linkTable", 'K', OTLP_LINK), TEXT("stringTable", 'X'),
	    INNER("attributeTable", 'A', OTLP_ATTRIBUTE), INNER("stackTable", 'Y', OTLP_STACK),
	    NOTHING("attributeUnits")),
	[OTLP_MAPPING] = MEMBERS(NUMBER("filenameStrindex", 'f'), NOTHING("memoryStart"), NOTHING("memoryLimit"),
	    NOTHING("fileOffset"), NOTHING("attributeIndices"), NOTHING("hasFunctions"), NOTHING("hasFilenames"),
	    NOTHING("hasLineNumbers"), NOTHING("hasInlineFrames")),
	[OTLP_LOCATION] = MEMBERS(NUMBER("mappingIndex", 'm'), NUMBER("address", 'a'), INNER("lines", 'l', OTLP_LINE),
	    INNER("line", 'l', OTLP_LINE), NUMBER("attributeIndices", 't'), NOTHING("isFolded")),
	[OTLP_LINE] = MEMBERS(NUMBER("functionIndex", 'f'), NUMBER("line", 'l'), NOTHING("column")),
	[OTLP_FUNCTION] = MEMBERS(NUMBER("nameStrindex", 'n'), NUMBER("systemNameStrindex", 's'),
	    NUMBER("filenameStrindex", 'f'), NUMBER("startLine", 'l')),
	[OTLP_LINK] = MEMBERS(TEXT("traceId", 't'), TEXT("spanId", 's')),
	[OTLP_STACK] = MEMBERS(NUMBER("locationIndices", 'l')),
	[OTLP_ATTRIBUTE] = MEMBERS(NUMBER("keyStrindex", 'K'), TEXT("key", 't'), INNER("value", 'v', OTLP_VALUE),
	    NOTHING("unitStrindex")),
	[OTLP_KEY_VALUE] = MEMBERS(TEXT("key", 't'), INNER("value", 'v', OTLP_VALUE), NUMBER("keyStrindex", 'K')),
	/* Numbers are texts in messages as well: they are only shown. */
	[OTLP_VALUE] = MEMBERS(TEXT("stringValue", 's'), TEXT("boolValue", 's'), TEXT("intValue", 's'),
	    TEXT("doubleValue", 's'), TEXT("bytesValue", 's'), NUMBER("stringValueStrindex", 'r')),
};

struct otlp_writer {
	struct json	*j;
	struct buf	*b, text;
	const struct otlp_layout *layout;
	struct unread	*unread;
	unsigned	 depth;
};

static void	write_object(struct otlp_writer *, enum otlp_message);

static uint64_t
otlp_number_of(struct str word)
{
	bool below = str_take(&word, STR("-"));
	uint64_t v = 0;

	(void)scan_fixed(word, 0, &v);
	return below ? 0 - v : v;
}

/* The size of a message is known at its end; a number may have more bytes than it needs. */
static void
write_message(struct otlp_writer *w, unsigned number, enum otlp_message message)
{
	size_t at;
	uint64_t n;

	proto_put_varint(w->b, (uint64_t)number << 3 | PROTO_BYTES);
	at = w->b->n;
	buf_str(w->b, STR("\x80\x80\x80\x80\0"));
	write_object(w, message);
	if (w->b->bad)
		return;
	assert(w->b->n >= at + SIZE_BYTES);
	n = w->b->n - at - SIZE_BYTES;
	for (unsigned i = 0; i < SIZE_BYTES; i++)
		w->b->s[at + i] = (char)((n >> 7 * i & 127) | (i + 1 < SIZE_BYTES ? 128 : 0));
}

static void
write_value(struct otlp_writer *w, unsigned number, const struct json_member *m)
{
	struct str word = STR("");

	if (m->as == AS_MESSAGE) {
		write_message(w, number, m->message);
		return;
	}
	if (!scan_plain(w->j, &word))
		return;
	if (m->as == AS_TEXT)
		proto_put_bytes(w->b, number, scan_unescape(word, &w->text));
	else
		proto_put_number(w->b, number, otlp_number_of(word));
	w->b->bad |= w->text.bad;
}

static const struct json_member *
otlp_member_of(enum otlp_message message, struct str key)
{
	const struct json_member *m = members[message];

	while (m->name != NULL && !str_eq(key, str_of(m->name)))
		m++;
	return m;
}

/* The messages are nested as deep as the table says, whatever the text has. */
static void
write_object(struct otlp_writer *w, enum otlp_message message)
{
	const struct json_member *m;
	unsigned number;
	struct str key;

	assert(message < OTLP_MESSAGES_END && w->depth < JSON_DEPTH);
	if (!scan_open(w->j, '{')) {
		(void)scan_skip(w->j);
		return;
	}
	w->depth++;
	while (!w->b->bad && scan_member(w->j, &key)) {
		m = otlp_member_of(message, key);
		number = m->letter == '-' ? 0 : otlp_number(w->layout, message, m->letter);
		if (number == 0) {
			if (m->name == NULL || m->letter != '-')
				unread_add(w->unread, UNREAD_KEY, key, 1);
			(void)scan_skip(w->j);
		} else if (scan_peek(w->j) != '[') {
			write_value(w, number, m);
		} else if (scan_open(w->j, '[')) {
			while (!w->b->bad && scan_item(w->j))
				write_value(w, number, m);
		}
	}
	w->depth--;
}

/* Whether the tables have stacks: they are of the last layout. */
static bool
has_stacks(struct json j)
{
	struct str key;
	bool inside = false;

	if (!scan_open(&j, '{'))
		return false;
	while (scan_member(&j, &key)) {
		if (inside && str_is(key, "stackTable"))
			return true;
		inside |= str_is(key, "dictionary");
		if (str_is(key, "dictionary") ? !scan_open(&j, '{') : !scan_skip(&j))
			break;
	}
	return false;
}

bool
otlp_json(struct json *j, struct buf *b, const struct otlp_layout **layout, struct unread *unread)
{
	struct otlp_writer w = { .j = j, .b = b, .text = BUF_INIT, .unread = unread };

	*layout = w.layout = &otlp_layouts[has_stacks(*j) ? OTLP_1_10 : OTLP_1_7];
	buf_clear(b);
	write_object(&w, OTLP_TOP);
	assert(w.depth == 0);
	buf_free(&w.text);
	return !j->bad && !b->bad;
}
