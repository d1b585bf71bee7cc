/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to src/query/overview: a line of an overview, and how it is answered.
 */
#ifndef QUERY_OVERVIEW_H
#define QUERY_OVERVIEW_H

#include "icecore/overview.h"
#include "query/lang/lang.h"

#define PROFILES SHAPE_SAMPLES
#define NO_PROFILES (SHAPE_MONEY | SHAPE_GRAPH | SHAPE_DUMPS)
/* Heaps of languages that have no packages and class loaders. */
#define NO_PACKAGES (SHAPE_DISTANCES | SHAPE_SITES)
#define CURRENT "events | where current = true"
#define OOM_THREADS "threads | where top ~ /^java[.]lang[.]OutOfMemoryError[.]/"
#define UNREACHABLE "objects | where reachable = unreachable"
#define UNREACHABLE_CLASSES UNREACHABLE " | group class : count as objects, sum(shallow) as shallow | sort -shallow"
#define UNREACHABLE_MOST UNREACHABLE " | group class : sum(shallow) as most | top 1 most"
/* The method that draws a frame on Android, and its calls that take too long. */
#define DO_FRAME "methods | where class = android.view.Choreographer and name = doFrame | top 1 calls | select id calls"
#define LATE_CALLS "spans min 16666us | where method_id = {id} and wall > 16666667ns"
#define LATE_DO_FRAMES "spans min 16666us | where method ~ /^android[.]view[.]Choreographer[.]doFrame$/ " \
	"and wall > 16666667ns | sort -wall"

/* Kernels and CPU time add up to nothing.  PyTorch names threads of GPUs so. */
#define OF_GPUS .weights = WEIGHTS_OF_ONE, .fact = 1 + FACT_GPUS
#define STREAMS "threads | where name ~ /^stream -?[0-9]+$/ | "
#define NO_STREAMS "threads | where name !~ /^stream -?[0-9]+$/ | "
#define COPIES "/^Mem(cpy|set)/"

struct answering {
	const struct overview_line *line;
	struct session	*session;
	struct work	*work;
	struct overview_answer *answer;
	struct reply	 given[OVERVIEW_GIVEN], asked;
	double		 whole;		/* that shares are of; 0: none */
};

/* The next item; NULL: there are enough. */
struct overview_item *answering_add(struct answering *);
/* The item of a row of its query, without its words if it has none. */
struct overview_item *answering_row(struct answering *, uint64_t row);

void	answering_drop(struct overview_answer *);	/* the last item */
/* Answer its line; answering_end closes the rows. */
bool	answering_line(struct answering *, struct err *);
void	answering_end(struct answering *);
/* A cell of the given queries by its name; NULL: no query has that name, and the cell is empty. */
const struct coldef *answering_given(struct answering *, struct str name, struct cell *);

/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0:
 * there is no such object.  *holder: the last class on that way, or 0.
 */
uint32_t heap_gathering(const struct heap *, uint32_t *holder);

bool	own_hottest_path(struct answering *, struct err *);
bool	own_hot_steps(struct answering *, struct err *);	/* a row where it becomes narrower */
bool	own_elsewhere(struct answering *, struct err *);
bool	own_accumulation(struct answering *, struct err *);
bool	own_held_by(struct answering *, struct err *);
bool	own_owners(struct answering *, struct err *);
bool	own_process(struct answering *, struct err *);
bool	own_lock_series(struct answering *, struct err *);	/* rows of the line: waits_for dump n */
bool	own_story(struct answering *, struct err *);
/* the innermost function of the program with half of the weight */
bool	own_story_path(struct answering *, struct err *);
bool	own_story_frames(struct answering *, struct err *);	/* with the method that made most of them late */
bool	own_story_parts(struct answering *, struct err *);	/* of the start of an application */
bool	own_story_kernel(struct answering *, struct err *);
bool	own_story_runtime(struct answering *, struct err *);	/* garbage collection, or the compiler */
bool	own_story_site(struct answering *, struct err *);	/* the function that allocates most */
bool	own_unread(struct answering *, struct err *);

/* Append ", under caller", if the item is a method of a library or of the kernel: who uses it most. */
bool	story_add_caller(struct answering *, struct overview_item *, struct err *);
void	story_shorten(struct overview_item *);	/* to 120 characters */
/* Append "58% of cpu", the share of an item. */
void	story_add_share(struct answering *, struct overview_item *);

#endif
