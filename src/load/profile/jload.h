/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jload: profiles and traces in JSON: speedscope.c and cpuprofile.c read profiles, chrome.c reads events.
 */
#ifndef LOAD_JLOAD_H
#define LOAD_JLOAD_H

#include <string.h>

#include "icecore/unread.h"
#include "profile.h"

/* ---- shared by the readers -------------------------------------------------------------------- */

struct jload {
	struct json	 doc;		/* at its first value */
	struct store	*st;
	struct work	*work;
	struct into	 to;
	struct samples	 samples;	/* or only its names and threads */
	struct spans_in	 spans;
	struct buf	 text, file, name;
	bool		 timed;		/* the file has calls, not samples */
	bool		 cut;
	uint64_t	 bad;		/* invalid entries, which are skipped */
	uint64_t	 no_number;	/* values that are not numbers, treated as 0 */
	uint64_t	 beyond;	/* times out of range, clipped */
	uint64_t	 no_node;	/* samples of missing nodes */
	uint64_t	 others;	/* entries of unsupported kinds */
	struct unread	 unread;
	struct scratch	 ticks;		/* struct line_ticks */
	struct idmap	 by_tick;
	uint64_t	 nticks;
};

/* ---- objects ---------------------------------------------------------------------------------- */

/*
 * An object of JSON, declared once as a list of its members: W(key) is a word, V(key) any value, and
 * O("key", member) a value whose key is not a name in C.  SHAPE makes a struct of the list and its reader.  If
 * a member comes again, the last value counts.  A word that is missing, or is an object or an array, is
 * empty; has_MEMBER is set unless it is missing.
 */
#define JLOAD_WORD(key) struct str key; bool has_##key;
#define JLOAD_VALUE(key) struct json key;
#define JLOAD_OTHER(text, member) struct json member;
#define JLOAD_NO_WORD(key) .key = { "", 0 },
#define JLOAD_NO_VALUE(key)
#define JLOAD_NO_OTHER(text, member)
#define JLOAD_IS(text) key_.n == sizeof (text) - 1 && memcmp(key_.s, (text), sizeof (text) - 1) == 0
#define JLOAD_TAKE_WORD(key) if (JLOAD_IS(#key)) { m.key = STR(""); m.has_##key = true; scan_plain(&at_, &m.key); } else
#define JLOAD_TAKE_VALUE(key) JLOAD_TAKE_OTHER(#key, key)
#define JLOAD_TAKE_OTHER(text, member) if (JLOAD_IS(text)) { m.member = at_; scan_skip(&at_); } else

/*
 * struct NAME, and NAME_take, which reads the object at *j and moves j after it.  Other values have no
 * members.  Damage in the object is reported; if there is no end, j is bad.  count: count the members that
 * the list lacks.  NAME_read does not move j, and counts none.
 */
#define JLOAD_SHAPE(name, MEMBERS) \
	struct name { MEMBERS(JLOAD_WORD, JLOAD_VALUE, JLOAD_OTHER) }; \
	static inline struct name \
	name##_take(struct jload *l, struct json *j, bool count) \
	{ \
		struct name m = { MEMBERS(JLOAD_NO_WORD, JLOAD_NO_VALUE, JLOAD_NO_OTHER) }; \
		struct json at_ = *j; \
		struct str key_; \
		if (!scan_open(&at_, '{')) { \
			scan_skip(j); \
			return m; \
		} \
		while (scan_member(&at_, &key_)) { \
			scan_peek(&at_); \
			MEMBERS(JLOAD_TAKE_WORD, JLOAD_TAKE_VALUE, JLOAD_TAKE_OTHER) \
			jload_pass(l, &at_, key_, count); \
		} \
		jload_end(l, j, &at_); \
		return m; \
	} \
	UNUSED static inline struct name \
	name##_read(struct jload *l, struct json j) \
	{ \
		return name##_take(l, &j, false); \
	}

/* Skip a member that no list has. */
void	jload_pass(struct jload *, struct json *value, struct str key, bool count);
/* Move j to the end of its object, which was read up to at. */
void	jload_end(struct jload *, struct json *j, const struct json *at);

/*
 * For each item of an array, with progress, until a call fails.  Other values have no items.  A truncated or
 * damaged item ends the array and is reported.
 */
#define JLOAD_EACH(l, array, item) for (struct json item##_rest = json_items(array), item; \
    jload_next((l), &item##_rest, &item); )
bool	jload_next(struct jload *, struct json *rest, struct json *item);

/* ---- CPU profiles of V8 ----------------------------------------------------------------------- */

/* Times may be negative: they are ns from TIME_ZERO on, at most TIME_MOST away from it. */
#define TIME_ZERO ((uint64_t)1 << 63)
#define TIME_MOST (TIME_ZERO - 2)

/* The tree of a CPU profile: nodes with frames and parents in any order. */
struct cpu_nodes {
	struct jload	*l;
	struct scratch	 nodes, path;
	struct idmap	 by_id;		/* row + 1 */
	uint64_t	 n, before;	/* number of nodes, and of nodes in earlier trees */
};

/* Read an array of nodes, as V8 writes it; there may be several. */
void	cpu_nodes_read(struct cpu_nodes *, struct json array);
/* Set their parents, when all nodes were read. */
void	cpu_nodes_join(struct cpu_nodes *, struct json array);
void	cpu_nodes_add(struct cpu_nodes *, uint64_t id, uint32_t frame, uint64_t hits);
void	cpu_nodes_parent(struct cpu_nodes *, uint64_t id, uint64_t parent);
/* Return the stack of a node when all were read; 0: no such node. */
uint32_t cpu_nodes_stack(struct cpu_nodes *, uint64_t id);
/* Begin another tree in the same memory. */
void	cpu_nodes_begin(struct cpu_nodes *);
void	cpu_nodes_close(struct cpu_nodes *);
/* The columns of lines, if any node has samples by line. */
bool	cpu_ticks_columns(struct jload *, struct err *) MUST_USE;

/* Samples of a CPU profile: the top node at each time. */
struct cpu_samples {
	struct scratch	 rows;
	uint64_t	 n;
	uint64_t	 clock;		/* time of the last sample, from TIME_ZERO on; initially the start time */
};

/* Read samples from an array of node ids; deltas, if present, are in microseconds since the previous sample. */
void	cpu_samples_read(struct cpu_samples *, struct jload *, struct json ids, struct json deltas);
/*
 * Add them to the samples of the file, with the thread and event of s. timed: in time order, each lasts until the
 * next one; the last one lasts until the end, at most `most`.
 */
void	cpu_samples_add(struct cpu_samples *, struct cpu_nodes *, struct sample *s, bool timed, uint64_t end,
    uint64_t most);

/* ---- samples of Chrome ------------------------------------------------------------------------ */

/* Positions of events with samples; they are read when all threads are known. */
struct chrome_samples {
	struct jload	*l;
	struct scratch	 profiles, pieces;
	struct scratch	 sampled;	/* u8 by thread: a profile of it was read */
	struct idmap	 by_id;
	uint64_t	 nprofiles, npieces;
	/* "samples" and "stackFrames", which follow or precede the events; at = size: missing */
	struct json	 top, frames;
	struct cpu_nodes nodes;
	uint64_t	 no_head;	/* profiles whose first event is missing */
	struct scratch	 instants;	/* struct instant_stack */
	uint64_t	 ninstants, no_frames;	/* no_frames: stacks by number in a file without frames */
};

/*
 * A part of a profile of V8, from another format than trace events: data is what args.data is there.  The parts of
 * a profile have its key; its first one, the head, names its thread.
 */
void	chrome_samples_data(struct chrome_samples *, bool head, uint64_t key, uint32_t thread, struct json data);
/* Make the samples.  place: the numbers of the threads of chrome_samples_data now. */
void	chrome_samples_load(struct chrome_samples *, const uint32_t *place);
void	chrome_samples_close(struct chrome_samples *);

/* ---- readers ---------------------------------------------------------------------------------- */

void	speedscope_load(struct jload *);
void	cpuprofile_load(struct jload *);
void	chrome_load(struct jload *);
void	gecko_load(struct jload *);
void	pyinstrument_load(struct jload *);
void	sentry_load(struct jload *);
void	sentry_envelope_load(struct jload *);
void	stackprof_load(struct jload *);
void	v8_ticks_load(struct jload *);
void	ghc_load(struct jload *);
/* Number of addresses without names that could be looked up now. */
bool	gecko_stale(const struct store *);

/* Return the value at j as a word; empty if missing. */
struct str jload_word(struct json j);
/* Read a number of at least 0; false, and *v is unchanged: another word, which is counted. */
bool	jload_number(struct jload *, struct str, unsigned decimals, uint64_t *v);
/* A number of at least 0, rounded down; `other` if the word is none. */
uint64_t jload_whole(struct str, uint64_t other);
/*
 * Read a time in units of 10^-decimals ns, from TIME_ZERO on.  A time out of range is clipped and counted.
 * False: not a number.
 */
bool	jload_time(struct jload *, struct str, unsigned decimals, uint64_t *time);
/* Add a step, which counts from TIME_ZERO itself, to a time. */
uint64_t jload_step(struct jload *, uint64_t time, uint64_t step);
/*
 * A number with decimals, but without an exponent, is a weight that keeps them. Other words count as in
 * jload_number.
 */
bool	jload_is_weight(struct str);
/* A text without escapes; valid until the next one. */
struct str jload_text(struct jload *, struct str raw);
/*
 * Return the id of a function that begins at this line and column; functions at other places in the file are
 * distinct. Name and file are JSON strings, still escaped. Without a name it is named after its file and
 * line (0: unknown).
 */
uint32_t jload_begun(struct jload *, struct str name, struct str file, uint64_t line, uint64_t column);
/* Likewise, without a place: the line is only for the name. */
uint32_t jload_function(struct jload *, struct str name, struct str file, uint64_t line);
/*
 * Count a member that is not in known, and whose value has any content: a column of nulls has none. object:
 * its name; or NULL.
 */
void	jload_unread(struct jload *, enum unread_level, const char *object, struct str name, struct str value,
    const char *const *known);

#endif
