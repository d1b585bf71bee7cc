/*
 * jload: profiles and traces in JSON: speedscope.c and cpuprofile.c read profiles, chrome.c events.
 */
#ifndef LOAD_JLOAD_H
#define LOAD_JLOAD_H

#include "profile.h"

/* ---- what the readers share ------------------------------------------------------------------- */

struct jload {
	struct json	 doc;		/* at its first value */
	struct store	*st;
	struct work	*work;
	struct samples	 samples;	/* or only its names and threads */
	struct spans_in	 spans;
	struct buf	 text, file, name;
	bool		 timed;		/* there are calls, not samples */
	bool		 cut;
	uint64_t	 bad;		/* entries that make no sense, left out */
	uint64_t	 no_number;	/* values that should be numbers and cannot be read, taken as 0 */
	uint64_t	 beyond;	/* times that do not fit, clipped */
	uint64_t	 no_node;	/* samples of nodes that are not there */
	uint64_t	 others;	/* entries of kinds that are not read */
};

/* Times may be below 0: they are ns from TIME_ZERO on, and at most TIME_MOST from it. */
#define TIME_ZERO ((uint64_t)1 << 63)
#define TIME_MOST (TIME_ZERO - 2)

/* The tree of a CPU profile: nodes with their frames, parents in any order. */
struct cpu_nodes {
	struct jload	*l;
	struct scratch	 nodes, path;
	struct idmap	 by_id;		/* row + 1 */
	uint64_t	 n, before;	/* nodes, and those of trees that were read before */
};

/* An array of nodes, as V8 writes it, of which there may be several. */
bool	cpu_nodes_read(struct cpu_nodes *, struct json array, struct err *);
/* Their parents, when all nodes are there. */
bool	cpu_nodes_join(struct cpu_nodes *, struct json array, struct err *);
bool	cpu_nodes_add(struct cpu_nodes *, uint64_t id, uint32_t frame, struct err *);
void	cpu_nodes_parent(struct cpu_nodes *, uint64_t id, uint64_t parent);
/* The stack of a node when all are there; 0: there is no such node. */
bool	cpu_nodes_stack(struct cpu_nodes *, uint64_t id, uint32_t *stack, struct err *);
/* Another tree, in the same memory. */
void	cpu_nodes_begin(struct cpu_nodes *);
void	cpu_nodes_close(struct cpu_nodes *);

/* Samples of a CPU profile: the node on top at a time. */
struct cpu_samples {
	struct scratch	 rows;
	uint64_t	 n;
	uint64_t	 clock;		/* of the last one, from TIME_ZERO on; at first that of the start */
};

/* The samples of an array of node ids; each delta, if there are any, is in microseconds since the sample before. */
bool	cpu_samples_read(struct cpu_samples *, struct jload *, struct json ids, struct json deltas, struct err *);
/*
 * Adds them to the samples of the file, with the thread and event of s.  timed: in order of time, each lasts until the next one, the
 * last one until the end, unless that is more than most behind it.
 */
bool	cpu_samples_add(struct cpu_samples *, struct cpu_nodes *, struct sample *s, bool timed, uint64_t end, uint64_t most, struct err *);
void	cpu_samples_close(struct cpu_samples *);

bool	speedscope_load(struct jload *, struct err *);
bool	cpuprofile_load(struct jload *, struct err *);
bool	chrome_load(struct jload *, struct err *);
bool	gecko_load(struct jload *, struct err *);
/* Addresses that had no name would have one now. */
bool	gecko_stale(const struct store *);

/* Helpers of the readers above. */
/*
 * Call take with each item of the array at j, if there is one.  A truncated or damaged item ends the array
 * and is counted.
 */
bool	jload_each(struct jload *, struct json j, bool (*take)(void *, struct json item, struct err *), void *, struct err *);
/* Return the value at j as a word; empty if there is none. */
struct str jload_word(struct json j);
/*
 * Read a number of at least 0, times 10^decimals.  False: there is none, and *v is unchanged.  A number that
 * is negative or cannot be read is counted.
 */
bool	jload_number(struct jload *, struct json j, unsigned decimals, uint64_t *v);
/*
 * Read a time in units of 10^-decimals ns, from TIME_ZERO on.  A time out of range is clipped and counted.
 * False: not a number.
 */
bool	jload_time(struct jload *, struct str, unsigned decimals, uint64_t *time);
/* The time that is a step, itself from TIME_ZERO on, behind another one. */
uint64_t jload_step(struct jload *, uint64_t time, uint64_t step);
/*
 * The id of a function; name and file are JSON strings, still escaped.  Without a name it is named after its file and line
 * (0: unknown).  0: failure.
 */
uint32_t jload_function(struct jload *, struct str name, struct str file, uint64_t line, struct err *);
/* Likewise, for a function that begins at this line and column; one that begins elsewhere in the file is another function. */
uint32_t jload_begun(struct jload *, struct str name, struct str file, uint64_t line, uint64_t column, struct err *);
/* Where the values of the names are, NULL-terminated, in the object at j; those that are not there get at = size. */
void	jload_members(struct jload *, struct json j, const char *const *names, struct json *values);
/* Take the members, and step over the value at j, which may be no object.  Damage inside it is reported.  False: it has no end. */
bool	jload_take(struct jload *, struct json *j, const char *const *names, struct json *values);

#endif
