/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jload: profiles and traces in JSON: speedscope.c and cpuprofile.c read profiles, chrome.c reads events.
 */
#ifndef LOAD_JLOAD_H
#define LOAD_JLOAD_H

#include "icecore/unread.h"
#include "profile.h"

/* ---- shared by the readers -------------------------------------------------------------------- */

struct jload {
	struct json	 doc;		/* at its first value */
	struct store	*st;
	struct work	*work;
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
};

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
bool	cpu_nodes_read(struct cpu_nodes *, struct json array, struct err *);
/* Set their parents, when all nodes were read. */
bool	cpu_nodes_join(struct cpu_nodes *, struct json array, struct err *);
bool	cpu_nodes_add(struct cpu_nodes *, uint64_t id, uint32_t frame, struct err *);
void	cpu_nodes_parent(struct cpu_nodes *, uint64_t id, uint64_t parent);
/* Return the stack of a node when all were read; 0: no such node. */
bool	cpu_nodes_stack(struct cpu_nodes *, uint64_t id, uint32_t *stack, struct err *);
/* Begin another tree in the same memory. */
void	cpu_nodes_begin(struct cpu_nodes *);
void	cpu_nodes_close(struct cpu_nodes *);

/* Samples of a CPU profile: the top node at each time. */
struct cpu_samples {
	struct scratch	 rows;
	uint64_t	 n;
	uint64_t	 clock;		/* time of the last sample, from TIME_ZERO on; initially the start time */
};

/* Read samples from an array of node ids; deltas, if present, are in microseconds since the previous sample. */
bool	cpu_samples_read(struct cpu_samples *, struct jload *, struct json ids, struct json deltas, struct err *);
/*
 * Add them to the samples of the file, with the thread and event of s. timed: in time order, each lasts until the
 * next one; the last one lasts until the end, at most `most`.
 */
bool	cpu_samples_add(struct cpu_samples *, struct cpu_nodes *, struct sample *s, bool timed, uint64_t end, uint64_t most, struct err *);
void	cpu_samples_close(struct cpu_samples *);

bool	speedscope_load(struct jload *, struct err *);
bool	cpuprofile_load(struct jload *, struct err *);
bool	chrome_load(struct jload *, struct err *);
bool	gecko_load(struct jload *, struct err *);
/* Number of addresses without names that could be looked up now. */
bool	gecko_stale(const struct store *);

/* Helpers of the readers above. */
/*
 * Call take with each item of the array at j, if there is one. A truncated or damaged item ends the array and is
 * counted.
 */
bool	jload_each(struct jload *, struct json j, bool (*take)(void *, struct json item, struct err *), void *, struct err *);
/* Return the value at j as a word; empty if missing. */
struct str jload_word(struct json j);
/*
 * Read a number of at least 0, times 10^decimals. False: missing, and *v is unchanged. Negative and invalid numbers
 * are counted.
 */
bool	jload_number(struct jload *, struct json j, unsigned decimals, uint64_t *v);
/*
 * Read a time in units of 10^-decimals ns, from TIME_ZERO on.  A time out of range is clipped and counted.
 * False: not a number.
 */
bool	jload_time(struct jload *, struct str, unsigned decimals, uint64_t *time);
/* Add a step, which counts from TIME_ZERO itself, to a time. */
uint64_t jload_step(struct jload *, uint64_t time, uint64_t step);
/*
 * Return the id of a function; name and file are JSON strings, still escaped. Without a name it is named after its
 * file and line (0: unknown). 0: failure.
 */
uint32_t jload_function(struct jload *, struct str name, struct str file, uint64_t line, struct err *);
/*
 * Likewise, for a function that begins at this line and column; functions at other places in the file are distinct.
 */
uint32_t jload_begun(struct jload *, struct str name, struct str file, uint64_t line, uint64_t column, struct err *);
/* Get the positions of members by name, NULL-terminated, in the object at j; missing members get at = size. */
void	jload_members(struct jload *, struct json j, const char *const *names, struct json *values);
/* jload_members of the document; counts its other members that are not in known, which ends with NULL. */
void	jload_top(struct jload *, const char *const *names, struct json *values, const char *const *known);
/* Count a member that is not in known, and whose value has any content: a column of nulls has none.  object: its name; or NULL. */
void	jload_unread(struct jload *, const char *object, struct str name, struct str value, const char *const *known);
/*
 * Get the members and skip the value at j, which need not be an object; other members that are not in known are counted.
 * Damage inside it is reported. False: it is truncated.
 */
bool	jload_take(struct jload *, struct json *j, const char *const *names, struct json *values, const char *const *known);

#endif
