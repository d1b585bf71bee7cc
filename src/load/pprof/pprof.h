/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pprof: the message Profile of profile.proto, as written by Go, Parca, Pyroscope and others.
 *
 * Fields come in any order, and samples usually before their locations: a first pass over the file fills
 * the tables, a second one reads the samples. Ids in the file are arbitrary 64-bit numbers; table rows are
 * numbered from 1, and 0 means none.
 */
#ifndef LOAD_PPROF_H
#define LOAD_PPROF_H

#include "icecore/limited.h"
#include "icecore/shape.h"
#include "load/profile/profile.h"

/* ---- messages ---------------------------------------------------------------------- */

/* The number of a string; one that cannot be is of no string. */
#define PPROF_NO_STRING UINT32_MAX
#define SHAPE_IS_STRING(member) uint32_t member;
#define SHAPE_TAKE_STRING(f, m, member) if ((f).wire == PROTO_VARINT) (m)->member = pprof_number((f).value);

static inline uint32_t
pprof_number(uint64_t v)
{
	return v < PPROF_NO_STRING ? (uint32_t)v : PPROF_NO_STRING;
}

#define PROFILE(F) F(1, types, NONE) F(2, samples, NONE) F(3, mappings, NONE) F(4, locations, NONE) F(5, functions, \
    NONE) F(6, strings, NONE) \
	F(7, drop, STRING) F(8, keep, STRING) F(9, time, U64) F(10, duration, U64) F(11, period_type, NONE) F(12, \
	    period, U64) \
	F(13, comments, NONE) F(14, default_type, STRING)
#define VALUE_TYPE(F) F(1, type, STRING) F(2, unit, STRING)
#define LABEL(F) F(1, key, U64) F(2, text, STRING) F(3, number, U64) F(4, unit, STRING)
#define MAPPING(F) F(1, id, U64) F(2, start, NONE) F(3, limit, NONE) F(4, offset, NONE) F(5, file, STRING) F(6, \
    build_id, NONE) \
	F(7, functions, NONE) F(8, files, NONE) F(9, lines, NONE) F(10, inlined, NONE)
#define LOCATION(F) F(1, id, U64) F(2, mapping, U64) F(3, address, NONE) F(4, lines, NONE) F(5, folded, NONE)
#define LINE(F) F(1, function, U64) F(2, line, NONE) F(3, column, NONE)
#define FUNCTION(F) F(1, id, U64) F(2, name, STRING) F(3, system, STRING) F(4, file, STRING) F(5, line, U64)
SHAPE(profile, "Profile", PROFILE)
SHAPE(value_type, "ValueType", VALUE_TYPE)
SHAPE(label, "Label", LABEL)
SHAPE(mapping, "Mapping", MAPPING)
SHAPE(location, "Location", LOCATION)
SHAPE(line, "Line", LINE)
SHAPE(function, "Function", FUNCTION)

/* ---- the profile ------------------------------------------------------------------- */

/* Ids of the file and the rows of a table, in order of appearance. */
struct pprof_ids {
	struct idmap	map;		/* only used if ids are not 1, 2, 3 and so on */
	uint64_t	n;
	bool		odd;
};

/* A sample type; type, unit and event are string numbers. */
struct pprof_type {
	uint32_t	type, unit, event;
	uint64_t	factor;		/* factor from values to the icecore unit */
};

struct pprof_function {
	uint32_t	name, system, file;
	uint32_t	frame;		/* event in struct samples; 0: not yet made */
	uint64_t	line;		/* lowest address; 0: unknown */
	bool		known, drop;	/* known: drop is valid, according to drop_frames */
};

struct pprof_mapping {
	uint32_t	file, frame;
};

struct pprof_location {
	struct str	in;		/* message of the location, read when the first sample needs it */
	uint64_t	first;		/* index of the first frame; frames are outermost first */
	uint32_t	nframes;	/* 0: not yet read; there is always at least one */
	uint32_t	keep;		/* number of frames before the first one in drop_frames; nframes: none */
};

/* Meaning of a label by its key. KEY_NAME and KEY_ID begin ranges of keys, the most important first. */
enum pprof_key { KEY_NONE, KEY_THREAD, KEY_NAME, KEY_ID = KEY_NAME + 4, KEYS_END = KEY_ID + 5 };

/* Labels of samples while these are read. */
struct pprof_labelled {
	struct scratch	 keys;		/* u64 by string: how many labels have that key, and its meaning */
	struct scratch	 others, set;	/* labels of a sample that name no thread: struct label; their numbers */
	uint64_t	 nothers;
	struct idmap	 by_label;	/* hashes of labels to their numbers */
	struct str	 last;		/* labels of the last sample */
	uint32_t	 last_thread, last_set;
	uint32_t	 no_thread;	/* thread of samples whose labels name none; 0: not yet made */
};

struct pprof {
	struct samples	 s;
	struct str	 source, whole;	/* the whole file; its complete fields */
	struct scratch	 types, strings, functions, locations, mappings, comments;
	uint64_t	 ntypes, nstrings, ncomments;
	struct pprof_ids by_function, by_location, by_mapping;
	uint64_t	 nsamples, empty;	/* empty: number of empty strings except the first */
	struct profile	 is;		/* fields of the profile itself */
	struct pprof_type period_type;
	uint64_t	 counted;	/* the type that counts samples, from 1; 0: none */
	/* Used while samples are read. */
	struct scratch	 frames, path, values;
	struct scratch	 stacks;	/* frames of the samples in the batch */
	uint64_t	 nframes, nstacks;
	struct limited	*drops, *keeps;	/* patterns of complete names; NULL: none */
	struct pprof_labelled labelled;
	uint32_t	 unknown_frame;
	struct buf	 text;
	char		 lost[24];	/* "[string 12]" */
	uint64_t	 dropped, inlined, bad_ids, bad_values, bad_locations, bad_strings, bad_patterns;
	uint64_t	 bad_messages, too_deep;
	struct unread	 unread;
};

/* ---- tables ------------------------------------------------------------------------ */

bool	pprof_read_tables(struct pprof *, struct err *);
void	pprof_close_tables(struct pprof *);
bool	pprof_fail_two(struct err *);	/* the file is several concatenated profiles */
/* Return a string by number; numbers outside of the table are empty, and counted. */
struct str pprof_string(struct pprof *, uint32_t number);
/* The same; of a text that is lost its number, so that names stay different, until the next call. */
struct str pprof_name(struct pprof *, uint32_t number);
/* Return the row of an id; 0: none. */
uint32_t pprof_row(const struct pprof_ids *, uint64_t id);

/* ---- frames ------------------------------------------------------------------------ */

/* Read the frames of a location if they are not known yet. */
bool	pprof_read_location(struct pprof *, struct pprof_location *, struct err *);
bool	pprof_open_patterns(struct pprof *, struct err *);
void	pprof_close_patterns(struct pprof *);

/* ---- samples ----------------------------------------------------------------------- */

bool	pprof_read_samples(struct pprof *, struct err *);
/* Find the thread of a sample by its labels, and the set of the others. */
bool	pprof_labels(struct pprof *, struct str message, struct sample *, struct err *);
bool	pprof_open_labels(struct pprof *, struct err *);
void	pprof_close_labels(struct pprof *);
/* Append the number of labels for each key: "bytes:217 thread_id:3". */
void	pprof_label_keys(struct pprof *, struct buf *);

#endif
