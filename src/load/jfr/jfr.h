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
#include "icecore/points.h"
#include "load/profile/profile.h"

/* ---- rules.c ----------------------------------------------------------------------------------- */

struct jfr_rule {
	const char	*event, *weight, *unit;	/* weight: a field; "": each event is one */
	enum weight_type type;
	enum event_role	 role;
};

/* NULL: it weighs what it lasts or, when none lasts, one. */
const struct jfr_rule *jfr_rule_of(struct str event);
size_t	jfr_rule_rank(const struct jfr_rule *);
/* The field with the class that an event is about; NULL: there is none. */
const char *jfr_rule_class(struct str event);
/* Kind of loss that the recorder reports, and the field with the number; NULL: another event. */
enum jfr_lost { JFR_LOST_BYTES, JFR_LOST_SAMPLES, JFR_LOST };
const char *jfr_rule_lost(struct str event, enum jfr_lost *);

#define JFR_VALUES 3	/* of tracks, or what an interval is about */

/* ---- tracks.c: values over time ------------------------------------------------------------------ */

enum jfr_owner { OF_MACHINE, OF_PROCESS, OF_THREAD };

struct jfr_track {
	const char	*event, *path, *name, *unit;
	enum track_kind	 kind;
	enum jfr_owner	 of;
	const char	*thread, *about;	/* a field with the thread, with what else it is called by; or NULL */
	bool		 share;		/* of all processors, by time */
	uint8_t		 decimals;
};

struct jfr_tracks {
	struct scratch	 seen, points;
	uint64_t	 ntracks, npoints;
	struct buf	 text;
	struct idmap	 by_key;
};

/* The first of n that an event tells of; NULL: there are none. */
const struct jfr_track *jfr_tracks_of(struct str event, unsigned *n);

/* ---- intervals.c: events that last ------------------------------------------------------------------ */

#define JFR_PAUSE "jdk.GCPhasePause"
#define INTERVAL_NO_BYTES UINT64_MAX

/* Rule for an event with a duration. */
struct jfr_lasting {
	const char	*event, *about[JFR_VALUES], *bytes;	/* fields, or NULL */
	const char	*state;		/* of its thread meanwhile; or NULL */
	const char	*between;	/* what parts those of about; NULL: a blank */
};

/* A row of intervals, of which each file has one kind. */
struct jfr_interval {
	uint64_t	start;		/* ns since 1970 */
	uint64_t	length, bytes;	/* bytes: INTERVAL_NO_BYTES: not told */
	uint32_t	thread;		/* 0: none */
	uint32_t	event;		/* row of kinds, from 1; then its name in the text */
	uint32_t	what;		/* place in the text; 0: nothing */
};

struct jfr_intervals {
	struct scratch	 rows, kinds;
	uint64_t	 nrows, nkinds;
	struct text_pool text;
	struct idmap	 by_kind;
};

/* Whether events of that name are intervals when one lasts; *rule: what is told of them, or NULL. */
bool	jfr_lasts(struct str event, const struct jfr_lasting **rule);

/* ---- old.c: objects that stayed ------------------------------------------------------------------------ */

struct jfr_old {
	uint32_t	class, stack;	/* a frame; 0: none */
};

/* ---- settings.c: how it was recorded ----------------------------------------------------------------- */

enum jfr_note { NOTE_NOTHING, NOTE_SETTING, NOTE_LOG };

struct jfr_settings {
	struct scratch	 rows;
	uint64_t	 n;
	struct buf	 text;
	struct idmap	 by_value, by_name;
	unsigned	 logs;
};

/* ---- what becomes of a recording ------------------------------------------------------------------ */

/* Where events have what is asked of them. */
enum { EVENT_START, EVENT_DURATION, EVENT_THREAD, EVENT_STACK, EVENT_WEIGHT, EVENT_CLASS, EVENT_TIME,
	EVENT_VALUES, EVENT_MORE = EVENT_VALUES + JFR_VALUES, EVENT_LOST, EVENT_STATE };
enum { SETTING_ID = EVENT_VALUES, SETTING_NAME, SETTING_VALUE };
enum { LOG_LEVEL = EVENT_VALUES, LOG_MESSAGE };

/* The counts of what was lost or repaired. */
struct jfr_losses {
	uint64_t	chunks, types, checkpoints, unknown_events, bad_events, stacks, tail_bytes, gap_bytes;
	uint64_t	unfinished, clock, times;
	uint64_t	recorder[JFR_LOST];	/* by the recorder, before there was a file */
};

/* Source of the weight of an event. */
enum jfr_weight { WEIGH_ONE, WEIGH_FIELD, WEIGH_DURATION };

/* A type of events as the chunk has it. */
struct jfr_reader {
	uint32_t	plan;		/* row, from 1 */
	uint32_t	event;		/* of the samples; 0: it has no stacks */
	uint8_t		weigh;		/* enum jfr_weight */
	bool		ignored;	/* it tells of the recording itself */
	uint8_t		note, lost;	/* enum jfr_note; enum jfr_lost of what it tells */
	bool		survives;	/* it tells of an object that stayed */
	bool		stated, by_state;	/* stated: a sample has the state of its thread; by_state: that state decides its event */
	uint8_t		ntracks;
	const struct jfr_track *tracks;
	uint32_t	kind;		/* of intervals; 0: it is none */
};

/* An event of the samples, of all chunks. */
struct jfr_known {
	const struct jfr_rule	*rule;		/* which tells its weight; or NULL */
	size_t			 rank;
	uint64_t		 stacks;	/* events that had one */
	bool			 lasts;		/* without a rule: one lasted longer than 0 */
};

/* The kind of the samples of a chunk that async-profiler wrote. */
struct jfr_kinds {
	bool		by_async, by_state;	/* states tell CPU time from the wall clock */
	uint32_t	told;		/* event of all samples, as a setting tells it; 0: it does not */
};

/* The processes that wrote it. */
struct jfr_process {
	struct buf	 vm, arguments;	/* of the first */
	uint32_t	 pid;		/* of the first that tells it */
	uint64_t	 n;
	struct idmap	 by_pid;
};

struct jfr {
	struct samples	 s;
	struct store	*st;
	struct work	*work;
	struct jfr_chunk c;
	struct jfr_losses lost;
	struct scratch	 readers, known, frames;	/* of this chunk; by event of s; u32: of a stack, innermost first */
	struct scratch	 read;		/* struct read_frame (stacks.c) */
	uint64_t	 nreaders, nknown;
	struct buf	 text, more, about;
	struct jfr_kinds kinds;
	struct jfr_process process;
	struct jfr_settings settings;
	struct jfr_tracks tracks;
	struct jfr_intervals intervals;
	struct scratch	 old;		/* struct jfr_old */
	uint64_t	 nold;
	uint32_t	 no_thread, lost_frame, unknown_frame, truncated_frame;
	uint64_t	 chunks, nevents, versions;
	bool		 by_jdk, by_async;	/* who wrote chunks */
	uint64_t	 zero, last;	/* ns since 1970: the first and the last moment */
	uint64_t	 from, to;	/* the same of what the chunk can tell of (times.c) */
	bool		 timed;		/* the event that is read is one of these */
};

/* stacks.c: ids of struct samples; a key of nothing is none. */
bool	jfr_stack_of(struct jfr *, uint32_t type, uint64_t key, uint32_t *stack, struct err *);
bool	jfr_class_frame(struct jfr *, uint32_t type, uint64_t key, uint32_t *frame, struct err *);
/* Finds out whether frames that are Native are functions of C in this chunk. */
void	jfr_stacks_begin(struct jfr_chunk *);
/* threads.c: never 0 but for failure. */
bool	jfr_thread_of(struct jfr *, uint32_t type, uint64_t key, uint32_t *thread, struct err *);

/* Appends what a slot means: of a class its name, of a method also its own. */
void	jfr_about(struct jfr *, struct jfr_slot, uint64_t value, struct buf *);
/* tracks.c: points of an event, and all tracks in the end. */
bool	jfr_tracks_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *, struct err *);
bool	jfr_tracks_put(struct jfr *, struct points *, struct err *);
void	jfr_tracks_close(struct jfr_tracks *);
/* intervals.c: the kind of an event, an event, and in the end rows by time, whose columns are made; states.c: states of threads by these. */
bool	jfr_intervals_kind(struct jfr *, struct str event, uint32_t *kind, struct err *);
bool	jfr_intervals_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *, uint32_t thread, struct err *);
bool	jfr_intervals_settle(struct jfr *, struct err *);
bool	jfr_intervals_columns(struct jfr *, struct err *);
/* The state of its thread meanwhile, or NULL; *pause: the collector pauses all of them. */
const char *jfr_interval_state(const struct jfr *, const struct jfr_interval *, bool *pause);
void	jfr_intervals_close(struct jfr_intervals *);
bool	jfr_states_put(struct jfr *, struct points *, struct err *);

/* process.c: that of the chunk, and its processors. */
bool	jfr_process_find(struct jfr *, struct err *);
void	jfr_process_close(struct jfr_process *);
/* settings.c: what is asked of events that tell of the recording, such an event, and in the end facts. */
void	jfr_settings_paths(struct str event, struct jfr_reader *, jfr_paths *);
bool	jfr_settings_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *, struct err *);
bool	jfr_settings_facts(struct jfr *, struct err *);
void	jfr_settings_close(struct jfr_settings *);

/* times.c: which times events of the chunk can have; begin and end of the one in the slots (false: it has none), whether they can be. */
bool	jfr_times_begin(struct jfr *, struct err *);
bool	jfr_times_of(const struct jfr *, const struct jfr_plan *, uint64_t *begin, uint64_t *end);
bool	jfr_times_sensible(const struct jfr *, uint64_t begin, uint64_t end);

/* old.c: an object of a slot and the stack that made it; in the end their columns. */
bool	jfr_old_add(struct jfr *, struct jfr_slot, uint64_t key, uint32_t stack, struct err *);
bool	jfr_old_columns(struct jfr *, struct err *);

/* kinds.c: finds out what tells the kinds of samples; the event of a type of that name; event and state of a sample. */
bool	jfr_kinds_begin(struct jfr *, struct err *);
bool	jfr_kinds_reader(struct jfr *, struct str name, struct jfr_reader *, struct err *);
bool	jfr_kinds_sample(struct jfr *, const struct jfr_reader *, struct jfr_slot, uint64_t key, struct sample *, struct err *);

/* events.c: all events of the chunk; what reads those of a type, NULL: there is no such type. */
bool	jfr_events_read(struct jfr *, struct err *);
bool	jfr_reader_of(struct jfr *, uint64_t id, const struct jfr_reader **, struct err *);
/* An event of the samples, once for all chunks; told: the rule says what it weighs.  0: failed. */
uint32_t jfr_event_add(struct jfr *, struct str name, const struct jfr_rule *, bool told, struct err *);
/* events_out.c: leaves those that are events of the profile, in their order. */
bool	jfr_events_settle(struct jfr *, struct err *);

#endif
