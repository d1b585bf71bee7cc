/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruby_line: one line of a heap dump of Ruby, an object of JSON, read in place.
 *
 * Ruby writes names of files and methods without escapes, and some versions bytes that are not text: then the
 * line is not JSON, and its members are found by their keys.
 */
#ifndef LOAD_RUBY_LINE_H
#define LOAD_RUBY_LINE_H

#include "icecore/json.h"

/*
 * The members that are read, the usual ones first.  HEX: "0x.." in quotes; NUMBER; TEXT: of a string, still
 * escaped; TRUE; LIST: between the brackets.
 */
#define RUBY_MEMBERS(M) \
	M("address", address, HEX) M("type", type, TEXT) M("slot_size", slot_size, NUMBER) \
	M("shape_id", shape, NUMBER) M("class", class, HEX) M("marked", marked, TRUE) M("old", old, TRUE) \
	M("memsize", memsize, NUMBER) M("references", references, LIST) M("value", value, TEXT) \
	M("bytesize", bytesize, NUMBER) M("file", file, TEXT) M("line", line, NUMBER) \
	M("method", method, TEXT) M("generation", generation, NUMBER) M("encoding", encoding, TEXT) \
	M("length", length, NUMBER) M("size", size, NUMBER) M("imemo_type", imemo, TEXT) \
	M("struct", data, TEXT) M("node_type", node, TEXT) M("name", name, TEXT) \
	M("superclass", superclass, HEX) M("singleton", singleton, TRUE) \
	M("real_class_name", real_name, TEXT) M("default", fallback, HEX) M("shared", shared, TRUE) \
	M("coderange", coderange, TEXT) M("chilled", chilled, TRUE) M("mid", mid, TEXT) \
	M("called_id", called, TEXT) M("age", age, NUMBER) M("root", root, TEXT) M("id", id, NUMBER) \
	M("parent_id", parent, NUMBER) M("edge_name", edge, TEXT)

#define RUBY_HEX uint64_t
#define RUBY_NUMBER uint64_t
#define RUBY_TEXT struct str
#define RUBY_LIST struct str
#define RUBY_TRUE bool
#define RUBY_BIT(key, member, kind) RUBY_IS_##member,
#define RUBY_DECLARE(key, member, kind) RUBY_##kind member;

enum { RUBY_MEMBERS(RUBY_BIT) RUBY_MEMBER_COUNT };

struct ruby_line {
	uint64_t	has;		/* a bit for each member */
	RUBY_MEMBERS(RUBY_DECLARE)
	bool		salvaged;	/* the members were found by their keys: texts are not escaped */
};

#define RUBY_HAS(l, member) ((l)->has >> RUBY_IS_##member & 1)

/* Kinds of lines. */
enum ruby_line_is {
	RUBY_JSON,
	RUBY_NO_JSON,		/* but it has a type, and an address or the kind of a root */
	RUBY_OTHER,		/* JSON, and no object or root */
	RUBY_LOST		/* neither */
};

/* Why it is not as it should be. */
struct ruby_flaws {
	bool		bytes, control;		/* not UTF-8; control characters in strings */
};

/*
 * flaws: NULL, or all false.  places: NULL, or RUBY_MEMBER_COUNT empty texts, for where the values stand in a line of
 * JSON, with their quotes or brackets; the last of equal names counts.
 */
enum ruby_line_is ruby_line_read(struct ruby_line *, struct str line, struct ruby_flaws *, struct str *places);
/* A line without the blanks at its ends. */
struct str ruby_line_trim(struct str);
bool	ruby_line_capitals(struct str type);	/* whether it looks like the name of a type */
/* True if a line that may be cut begins as one with an object or a root. */
bool	ruby_line_begins(struct str line);
/* The next address in a list; false: there are no more. */
bool	ruby_line_next(struct str *list, uint64_t *addr);
/* "0x7f00" from the front of a text; false: no such number of 64 bits. */
bool	ruby_line_hex(struct str *, uint64_t *);
/*
 * The text without escapes, unless it has none; bytes that are not UTF-8 as "\xff".  The slice itself, or in
 * the buffer.
 */
struct str ruby_line_text(struct str raw, bool escaped, struct buf *);

#endif
