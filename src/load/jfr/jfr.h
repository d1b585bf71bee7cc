/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jfr: recordings of Java Flight Recorder and async-profiler, chunk by chunk.
 *
 * A chunk describes its events and has its own constants, ids and clock. It is read twice: first for types and
 * constants, which may follow the events that refer to them, then for events. Each type is compiled once to steps
 * that read the bytes of a value and put wanted fields into slots. Constants stay in the file, found by type
 * and key, and are read when an event needs them. Objects made from them (a stack, a thread) are stored
 * with them.
 */
#ifndef LOAD_JFR_H
#define LOAD_JFR_H

#include "chunk.h"
#include "icecore/points.h"
#include "icecore/unread.h"

/* ---- rules.c ----------------------------------------------------------------------------------- */

struct jfr_rule {
	const char	*event, *weight, *unit;	/* weight: a field; "": each event counts as one */
	enum weight_type type;
	enum event_role	 role;
};

/* NULL: the weight is the duration, or one if no event has a duration */
const struct jfr_rule *jfr_rule_of(struct str event);
const char *jfr_rule_class(struct str event);	/* field with the class that an event is about; NULL: none */
/* Return the kind of loss that an event reports, and the field with the number; NULL: another event. */
enum jfr_lost { JFR_LOST_BYTES, JFR_LOST_SAMPLES, JFR_LOST };
const char *jfr_rule_lost(struct str event, enum jfr_lost *);
/* Events that are not shown: of programs and the JVM, or context, about the process and its machine; or by facts. */
enum jfr_unread { JFR_UNREAD, JFR_UNREAD_CONTEXT, JFR_UNREAD_SHOWN };
enum jfr_unread jfr_rule_unread(struct str event);

#define JFR_VALUES 3	/* name of a track, or subject of an interval */

/* ---- tracks.c: values over time ------------------------------------------------------------------ */

enum jfr_owner { OF_MACHINE, OF_PROCESS, OF_THREAD };

struct jfr_track {
	const char	*event, *path, *name, *unit;
	enum track_kind	 kind;
	enum jfr_owner	 of;
	const char	*thread, *about;	/* a field with the thread, with its alternative names; or NULL */
	bool		 share;		/* share of all processors, by time */
	uint8_t		 decimals;
};

struct jfr_tracks {
	struct scratch	 seen, points;
	uint64_t	 ntracks, npoints;
	struct buf	 text;
	struct idmap	 by_key;
};

const struct jfr_track *jfr_tracks_of(struct str event, unsigned *n);	/* the first of n rules for an
									 * event; NULL: none */

/* ---- intervals.c: events with a duration ------------------------------------------------------------ */

#define JFR_PAUSE "jdk.GCPhasePause"
#define INTERVAL_NO_BYTES UINT64_MAX

/* Rule for an event with a duration. */
struct jfr_lasting {
	const char	*event, *about[JFR_VALUES], *bytes;	/* fields, or NULL */
	const char	*state;		/* state of its thread during the event; or NULL */
	const char	*between;	/* separator between the parts of the subject; NULL: a blank */
	const char	*owner;		/* the previous owner of the lock, in place of the last part; or NULL */
	bool		 pauses;	/* the last part is the longest pause in it; bytes: the sum of its pauses */
};

/* A row of intervals; of which a file has one type. */
struct jfr_interval {
	uint64_t	start;		/* ns since 1970 */
	uint64_t	length, bytes, paused, pause;	/* INTERVAL_NO_BYTES: unknown */
	uint32_t	thread;		/* 0: none */
	uint32_t	event;		/* row of kinds, from 1; later its name in the text */
	uint32_t	what;		/* offset in the text; 0: none */
	uint32_t	stack, owner;	/* 0: none; a thread, 0: unknown */
};

struct jfr_intervals {
	struct scratch	 rows, kinds;
	uint64_t	 nrows, nkinds;
	struct text_pool text;
	struct idmap	 by_kind;
};

/* Return whether events of that name are intervals if they have a duration; *rule: their rule, or NULL. */
bool	jfr_lasts(struct str event, const struct jfr_lasting **rule);

/* ---- old.c: surviving objects -------------------------------------------------------------------------- */

struct jfr_old {
	uint32_t	class, stack;	/* a frame; 0: none */
};

/* ---- native.c: memory of malloc ------------------------------------------------------------------------ */

struct jfr_native {
	uint64_t	time;		/* ns since 1970; the sort key, so first */
	uint64_t	address, bytes;
	uint32_t	thread, stack;	/* thread 0: it is freed */
};

#define JFR_UNRELEASED "unreleased bytes"
enum { JFR_HOOKS = 8 };

/* ---- settings.c: settings of the recording ----------------------------------------------------------- */

enum jfr_note { NOTE_NOTHING, NOTE_SETTING, NOTE_LOG };

struct jfr_settings {
	struct scratch	 rows;
	uint64_t	 n;
	struct buf	 text;
	struct idmap	 by_value, by_name;
	unsigned	 logs;
	/* async-profiler, in this chunk: its event and its intervals, ns; 0: by default; UINT64_MAX: not stated. */
	enum jfr_engine { ENGINE_UNKNOWN, ENGINE_CPU, ENGINE_WALL } engine;
	uint64_t	 interval, wall;
};

/* ---- reading a recording -------------------------------------------------------------------------- */

/* Slots of the wanted fields of events. */
enum { EVENT_START, EVENT_DURATION, EVENT_THREAD, EVENT_STACK, EVENT_WEIGHT, EVENT_CLASS, EVENT_TIME,
	EVENT_VALUES, EVENT_MORE = EVENT_VALUES + JFR_VALUES, EVENT_LOST, EVENT_STATE };
enum { SETTING_ID = EVENT_VALUES, SETTING_NAME, SETTING_VALUE };
enum { LOG_LEVEL = EVENT_VALUES, LOG_MESSAGE };

/* Counts of losses and repairs. */
struct jfr_losses {
	uint64_t	chunks, types, checkpoints, unknown_events, bad_events, stacks, tail_bytes, gap_bytes;
	uint64_t	unfinished, clock, times;
	uint64_t	recorder[JFR_LOST];	/* by the recorder, before writing the file */
};

/* Source of the weight of an event. */
enum jfr_weight { WEIGH_ONE, WEIGH_FIELD, WEIGH_DURATION };

/* A type of events in a chunk. */
struct jfr_reader {
	uint32_t	plan;		/* row, from 1 */
	uint32_t	event;		/* event of the samples; 0: it has no stacks */
	uint8_t		weigh;		/* enum jfr_weight */
	bool		ignored;	/* the event describes the recording itself; facts show it */
	uint8_t		note, lost;	/* enum jfr_note; enum jfr_lost of the reported loss */
	bool		native;		/* memory of malloc, or its free */
	bool		survives;	/* the event describes a surviving object */
	bool		stated, by_state;	/* stated: samples have the state of their thread; by_state:
						 * this state selects their event */
	uint8_t		ntracks;
	const struct jfr_track *tracks;
	uint32_t	kind;		/* kind of interval; 0: not an interval */
	struct jfr_word	name;
	uint64_t	unread;		/* events of which nothing is shown */
};

/* An event of the samples, over all chunks. */
struct jfr_known {
	const struct jfr_rule	*rule;		/* that determines its weight; or NULL */
	size_t			 rank;
	uint64_t		 stacks;	/* number of events with frames */
	bool			 bare;		/* at least one has a stack without frames */
	bool			 lasts;		/* without a rule: at least one has a duration */
	bool			 elsewhere;	/* its events are intervals or points of tracks */
	uint64_t		 n;		/* number of events */
};

/* Events of the samples in a chunk written by async-profiler. */
struct jfr_kinds {
	bool		by_async, by_state;	/* states distinguish CPU time from the wall clock */
	/* Event of all samples, as a setting states or states show; 0: unknown. It holds for later chunks too. */
	uint32_t	by_setting;
	uint32_t	pid;		/* process of by_setting */
};

/* The process that wrote a chunk; 0: unknown. Later chunks of the same recorder may not repeat it. */
struct jfr_writer {
	uint32_t	pid;
	uint32_t	processors;	/* processors that the process may use */
	uint32_t	of_machine;	/* processors of the machine */
	bool		native_c;	/* async-profiler: frames of type Native are C functions */
};

/* The processes that wrote the recording. */
struct jfr_process {
	struct buf	 vm, arguments;	/* texts about the first process */
	uint32_t	 pid;		/* pid of the first process that states a pid */
	uint64_t	 n;
	struct idmap	 by_pid;
};

struct jfr {
	struct samples	 s;
	struct store	*st;
	struct into	 to;
	struct jfr_chunk c;
	struct jfr_writer writer;	/* writer of the chunk */
	struct jfr_kept	 kept;
	struct jfr_losses lost;
	struct unread	 unread;
	/*
	 * Rows: readers by type of event in this chunk; known by event of s; frames (u32) of a stack,
	 * innermost first.
	 */
	struct scratch	 readers, known, frames;
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
	struct scratch	 native;	/* struct jfr_native */
	uint64_t	 nnative, nfreed;
	/* Frames of the profiler's own functions, which stand for malloc and the like. */
	uint32_t	 hook[JFR_HOOKS];
	unsigned	 nhooks;
	uint32_t	 no_thread, lost_frame, unknown_frame, truncated_frame;
	uint64_t	 chunks, nevents, versions;
	uint64_t	 dumps;		/* texts of thread dumps */
	bool		 by_jdk, by_async;	/* writers of the chunks */
	/* nothing of the chunk is missing: events of types without a description are stepped over */
	bool		 whole;
	uint64_t	 zero, last;	/* ns since 1970: first and last time */
	uint64_t	 earliest, latest;	/* possible times of events in the chunk (times.c) */
	bool		 timed;		/* the current event is one of these */
};

/* stacks.c: ids of struct samples; 0: no such key, or failed. */
uint32_t jfr_stack_of(struct jfr *, uint32_t type, uint64_t key);
uint32_t jfr_class_frame(struct jfr *, uint32_t type, uint64_t key);
uint32_t jfr_thread_of(struct jfr *, uint32_t type, uint64_t key);	/* threads.c: 0: failed */

/* Append the text of a slot: for a class its name, for a method also its own. */
void	jfr_about(struct jfr *, struct jfr_slot, uint64_t value, struct buf *);
/* tracks.c: points of an event, and finally all tracks. */
void	jfr_tracks_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *);
void	jfr_tracks_put(struct jfr *, struct points *);
void	jfr_tracks_close(struct jfr_tracks *);
/*
 * intervals.c: kind of an event (0: none), an event, and finally all rows by time as columns; states.c:
 * thread states from these.
 */
uint32_t jfr_intervals_kind(struct jfr *, struct str event);
void	jfr_intervals_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *, uint32_t thread,
    uint32_t stack);
void	jfr_intervals_settle(struct jfr *);
bool	jfr_intervals_columns(struct jfr *, struct err *);
/* Return the state of the thread during the event, or NULL; *pause: the collector stops all threads. */
const char *jfr_interval_state(const struct jfr *, const struct jfr_interval *, bool *pause);
void	jfr_intervals_close(struct jfr_intervals *);
void	jfr_states_put(struct jfr *, struct points *);

/* process.c: the writer of the chunk. */
void	jfr_process_find(struct jfr *);
void	jfr_process_close(struct jfr_process *);
/* settings.c: fields to read from events that describe the recording, such an event, and finally facts. */
void	jfr_settings_paths(struct str event, struct jfr_reader *, jfr_paths *);
void	jfr_settings_add(struct jfr *, const struct jfr_reader *, const struct jfr_plan *);
/* Before the events of a chunk, and after them: what they say about the periods of samples. */
void	jfr_settings_begin(struct jfr *);
void	jfr_settings_end(struct jfr *);
bool	jfr_settings_facts(struct jfr *, struct err *);
void	jfr_settings_close(struct jfr_settings *);

/*
 * times.c: possible times of events in the chunk; start and end of the event in the slots (false: none),
 * and whether they are possible.
 */
void	jfr_times_begin(struct jfr *);
bool	jfr_times_of(const struct jfr *, const struct jfr_plan *, uint64_t *begin, uint64_t *end);
bool	jfr_times_sensible(const struct jfr *, uint64_t begin, uint64_t end);

/* old.c: an object in a slot and its allocation stack; finally the columns. */
void	jfr_old_add(struct jfr *, struct jfr_slot, uint64_t key, uint32_t stack);
bool	jfr_old_columns(struct jfr *, struct err *);

/*
 * native.c: memory of malloc in the slots of an event; thread 0: it is freed.  Finally samples of what was not
 * freed, if the recording says what was.
 */
void	jfr_native_add(struct jfr *, const struct jfr_plan *, const uint64_t *slot, uint32_t thread, uint32_t stack);
void	jfr_native_settle(struct jfr *);

/*
 * kinds.c: detect what distinguishes kinds of samples; the event of a type with that name; event and state
 * of a sample.
 */
void	jfr_kinds_begin(struct jfr *);
void	jfr_kinds_reader(struct jfr *, struct str name, struct jfr_reader *);
void	jfr_kinds_sample(struct jfr *, const struct jfr_reader *, struct jfr_slot, uint64_t key, struct sample *);

/*
 * rules.c: an event of the samples, the same for all chunks; stated is set if a rule states its weight. 0: failed.
 * Its final name and weight are known only after all events were read.
 */
uint32_t jfr_event_add(struct jfr *, struct str name, const struct jfr_rule *, bool stated);
/* readers.c: the reader of a type, NULL: no such type, or failed. */
struct jfr_reader *jfr_reader_of(struct jfr *, uint64_t id);
/* events.c: all events of the chunk. */
void	jfr_events_read(struct jfr *);
/* jfr_meant.c: see struct loader. */
bool	jfr_meant(const struct map *, meant_take, void *arg, uint64_t *lost, struct work *, struct err *);
/* events_out.c: keep the events of the profile, in their order. */
void	jfr_events_settle(struct jfr *);
/* Whether the event is part of the profile: one of its samples has a stack. */
bool	jfr_event_kept(const struct jfr *, uint32_t event);

#endif
