/*
 * jfr: recordings of Java's Flight Recorder and of async-profiler, a chunk after the other.
 *
 * A chunk says itself what its events look like and has its own constants, ids and clock.  It is walked twice: to find its types
 * and constants, which may stand behind the events that mean them, and to read the events.  Each type is compiled once to
 * steps that go over the bytes of one value and put what is wanted of it into slots.  Constants stay where they are, found
 * by type and key, and are read when an event wants them; what they became (a stack, a thread) is kept beside them.
 */
#ifndef LOAD_JFR_H
#define LOAD_JFR_H

#include "chunk.h"
#include "load/profile/profile.h"

/* ---- rules.c ----------------------------------------------------------------------------------- */

struct jfr_rule {
	const char	*event, *weight, *unit;	/* weight: a field; "": each event is one */
	enum weight_type type;
};

/* NULL: it weighs what it lasts or, when none lasts, one. */
const struct jfr_rule *jfr_rule_of(struct str event);
size_t	jfr_rule_rank(const struct jfr_rule *);
/* The field with the class that an event is about; NULL: there is none. */
const char *jfr_rule_class(struct str event);

/* ---- what becomes of a recording ------------------------------------------------------------------ */

/* Where events have what is asked of them. */
enum { EVENT_START, EVENT_DURATION, EVENT_THREAD, EVENT_STACK, EVENT_WEIGHT, EVENT_CLASS, EVENT_TIME };

/* The counts of what was lost or repaired. */
struct jfr_losses {
	uint64_t	chunks, checkpoints, unknown_events, bad_events, stacks, tail_bytes, gap_bytes, recorded;
	uint64_t	unfinished, clock;
};

/* What weighs an event. */
enum jfr_weight { WEIGH_ONE, WEIGH_FIELD, WEIGH_DURATION };

/* A type of events as the chunk has it. */
struct jfr_reader {
	uint32_t	plan;		/* row, from 1 */
	uint32_t	event;		/* of the samples; 0: it has no stacks */
	uint8_t		weigh;		/* enum jfr_weight */
	bool		ignored;	/* it tells of the recording itself */
};

/* An event of the samples, of all chunks. */
struct jfr_known {
	const struct jfr_rule	*rule;		/* which tells its weight; or NULL */
	size_t			 rank;
	uint64_t		 stacks;	/* events that had one */
	bool			 weigh_duration, lasts;	/* lasts: one weighed more than 0 */
};

struct jfr {
	struct samples	 s;
	struct store	*st;
	struct work	*work;
	struct jfr_chunk c;
	struct jfr_losses lost;
	struct scratch	 readers, known, frames;	/* of this chunk; by event of s; u32: of a stack, innermost first */
	uint64_t	 nreaders, nknown;
	struct buf	 text, more;
	uint32_t	 no_thread, lost_frame, unknown_frame, truncated_frame;
	uint64_t	 chunks, nevents, versions;
	uint64_t	 zero, last;	/* ns since 1970: the first and the last moment */
};

/* stacks.c: ids of struct samples; a key of nothing is none. */
bool	jfr_stack_of(struct jfr *, uint32_t type, uint64_t key, uint32_t *stack, struct err *);
bool	jfr_class_frame(struct jfr *, uint32_t type, uint64_t key, uint32_t *frame, struct err *);
/* Finds out whether frames that are Native are functions of C in this chunk. */
void	jfr_stacks_begin(struct jfr_chunk *);
/* threads.c: never 0 but for failure. */
bool	jfr_thread_of(struct jfr *, uint32_t type, uint64_t key, uint32_t *thread, struct err *);

/* events.c: all events of the chunk. */
bool	jfr_events_read(struct jfr *, struct err *);
/* events_out.c: leaves those that are events of the profile, in their order. */
bool	jfr_events_settle(struct jfr *, struct err *);

#endif
