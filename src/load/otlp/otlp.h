/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otlp: profiles of OpenTelemetry, messages of protobuf or JSON.
 *
 * Six layouts share the names of the messages, but not the numbers of their fields.  So a field has a letter, and a
 * layout is a list of letters by number for each message.  JSON becomes messages first.  An object has its own
 * tables, which refer to its bytes and are freed with it; what is shown is copied if it is not in the file.  Numbers
 * from the file are rows only after they are compared with the size of their table.
 */
#ifndef LOAD_OTLP_H
#define LOAD_OTLP_H

#include "icecore/protobuf.h"
#include "icecore/shape.h"
#include "load/profile/profile.h"

/* ---- messages ------------------------------------------------------------------------------ */

/* Their names, as for unread fields. */
#define OTLP_MESSAGES(M) \
	M(TOP, "ProfilesData") M(RESOURCES, "ResourceProfiles") M(RESOURCE, "Resource") M(SCOPES, "ScopeProfiles") \
	M(PROFILE, "Profile") M(TYPE, "ValueType") M(SAMPLE, "Sample") M(TABLES, "ProfilesDictionary") \
	M(MAPPING, "Mapping") M(LOCATION, "Location") M(LINE, "Line") M(FUNCTION, "Function") M(LINK, "Link") \
	M(STACK, "Stack") M(ATTRIBUTE, "Attribute") M(KEY_VALUE, "KeyValue") M(VALUE, "AnyValue")

enum otlp_message {
#define OTLP_MESSAGE(id, name) OTLP_##id,
	OTLP_MESSAGES(OTLP_MESSAGE)
#undef OTLP_MESSAGE
	OTLP_MESSAGES_END
};

/* '-': a field that is known and has nothing to show; 'o': one that is counted as unread. */
struct otlp_layout {
	const char	*version;	/* the first with this layout */
	const char	*fields[OTLP_MESSAGES_END];
	bool		 stacks;	/* the tables have stacks; a profile has one type, and times have 8 bytes */
};

/* By age; the last two have the same names and numbers with other meanings. */
enum { OTLP_1_3, OTLP_1_4, OTLP_1_6, OTLP_1_7, OTLP_1_8, OTLP_1_10, OTLP_LAYOUTS };
extern const struct otlp_layout otlp_layouts[OTLP_LAYOUTS];
extern const char *const otlp_names[OTLP_MESSAGES_END];

/* The number of a field; 0: the layout lacks it. */
unsigned otlp_number(const struct otlp_layout *, enum otlp_message, char letter);
/* The last value of a field that is a number; other: it is absent. */
uint64_t otlp_value(struct str message, unsigned number, uint64_t other);
/* The last value of a field of bytes; empty: it is absent. */
struct str otlp_bytes(struct str message, unsigned number);
/* How many fields have that number. */
uint64_t otlp_count(struct str message, unsigned number);
/* Find the layout of an object.  *guessed: two of them fit as well. */
const struct otlp_layout *otlp_layout_of(struct str top, bool *guessed);
/* Whether the head, which may be truncated, has the form of an object. */
bool	otlp_is_object(struct str head);

/* ---- JSON ---------------------------------------------------------------------------------- */

/*
 * Write an object of JSON as a message; *layout is how.  Members that are not read are counted.  False: it is damaged,
 * or memory ran out (b->bad).
 */
bool	otlp_json(struct json *, struct buf *b, const struct otlp_layout **layout, struct unread *);

/* ---- reading ------------------------------------------------------------------------------- */

enum otlp_table { OTLP_MAPPINGS, OTLP_LOCATIONS, OTLP_FUNCTIONS, OTLP_LINKS, OTLP_STRINGS, OTLP_ATTRIBUTES, OTLP_STACKS,
	OTLP_TABLES_END };

enum otlp_key { OTLP_LABEL, OTLP_PID, OTLP_TID, OTLP_THREAD };

struct otlp_attribute {
	struct str	key, text;
	int64_t		number;		/* if text is empty */
	uint32_t	label;		/* 0: not made yet */
	uint8_t		is;		/* enum otlp_key */
	bool		has_number;
};

/* Frames of a location, innermost first, or the stack of a row; n 0 and done false: not read yet. */
struct otlp_place {
	uint64_t	first;
	uint32_t	n, stack;
	bool		done;
};

/* The owner of a sample, by its attributes. */
struct otlp_owner {
	uint32_t	pid, tid;
	struct str	thread;
	uint64_t	nlabels;	/* in labels */
};

/* Attributes that a sample may have from its resource and its profile; more are counted as unread. */
enum { OTLP_OWN_MOST = 256 };

struct otlp_sum {
	uint64_t	mappings, locations, functions, samples, inlined, bad_index, bad_strings, bad_values, unpaired;
	uint64_t	bad_messages, too_deep, guessed, lost_bytes, objects, equal_types;
	uint64_t	from, to;	/* range of the profiles, ns since 1970; to 0: unknown */
};

struct otlp {
	struct samples	 s;
	struct into	 to;
	struct str	 source;
	const struct otlp_layout *layout;
	uint64_t	 at;			/* offset of the object in the source */
	/* Tables of the object: struct str by row; n: how many rows. */
	struct scratch	 table[OTLP_TABLES_END];
	uint64_t	 n[OTLP_TABLES_END];
	/* struct otlp_attribute by row of that table, then those of the resource */
	struct scratch	 attributes;
	uint64_t	 nattributes;
	struct scratch	 places, stacks;	/* struct otlp_place of locations and stacks */
	struct scratch	 frames;
	uint64_t	 nframes, budget;	/* budget: frames that stacks of the object may still have */
	/* The profile that is being read. */
	struct scratch	 indices;		/* u64: locations of its samples, if the layout has no stacks */
	uint64_t	 nindices, nown;	/* nown: attributes of the resource and the profile, in own */
	struct scratch	 own;			/* u64: rows of attributes */
	struct scratch	 types;			/* struct otlp_type */
	uint64_t	 ntypes;
	/* The sample that is being read. */
	struct scratch	 values, times, rows, labels, last;
	uint64_t	 nvalues, ntimes, nrows, nlast;
	uint32_t	 last_thread, last_set;	/* owner with the attributes in last; thread 0: none */
	struct buf	 text;
	struct otlp_sum	 sum;
	struct unread	 unread;
};

struct otlp_type {
	uint32_t	event;
	bool		counted;	/* its values are numbers of samples */
	uint64_t	factor;
};

/* otlp_tables.c.  A message may be damaged: what is before the damage counts. */
bool	otlp_open_tables(struct otlp *, struct str message, enum otlp_message);
void	otlp_close_tables(struct otlp *);
struct str otlp_row(const struct otlp *, enum otlp_table, uint64_t row);	/* empty: there is none */
struct str otlp_string(struct otlp *, uint64_t number);
/* Count fields that are not read, and damage. */
void	otlp_unread(struct otlp *, struct str message, enum otlp_message);
/* Append an attribute; its row. */
uint64_t otlp_add_attribute(struct otlp *, struct str message, enum otlp_message);
/* Thread and labels of attributes, whose rows are in rows. */
void	otlp_set(struct otlp *, uint64_t link, struct sample *);

/* otlp_frames.c */
uint32_t otlp_stack(struct otlp *, struct str sample);

/* otlp_samples.c */
void	otlp_profile(struct otlp *, struct str message);

#endif
