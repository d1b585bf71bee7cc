/*
 * sums: how long a thread or CPU did what, up to any time: what a cell of a timeline shows is a difference of two.
 */
#ifndef ICECORE_SUMS_H
#define ICECORE_SUMS_H

#include "icecore/track.h"

/* States that time is counted for. */
enum time_kind {
	KIND_RUN, KIND_RUNQ,	/* on a CPU; in a run queue, woken or preempted */
	KIND_DISK,		/* uninterruptible sleep */
	KIND_SOCKET,		/* waiting for the network */
	KIND_MONITOR, KIND_GC,	/* blocked by a lock of the program, or for its collector */
	KIND_SLEEP,		/* alive, and none of those */
	KINDS,
	KIND_NONE = KINDS	/* it has ended, or nothing is known */
};

enum time_kind state_kind(const struct store *, uint32_t state);
enum time_kind state_kind_of(const char *name);

/*
 * Sums over a track of states or tasks; start from zeros.  A sum is stored at every so many points; the points after it are
 * walked, so that the sum at any time needs only few points.
 */
struct track_sums {
	struct track	 track;
	uint8_t		*kind;		/* enum time_kind by state */
	size_t		 nkinds;
	uint64_t	*kept;		/* KINDS sums before each STRIDEth point; NULL: only totals were made */
	uint64_t	 end;		/* of the last state */
	uint64_t	 first, last;	/* when it began to live, as far as that is known, and ended */
	uint64_t	 total[KINDS], longest[KINDS];
};

/* keep: sums_at is going to be called.  end: of the trace. */
bool	sums_make(struct track_sums *, const struct store *, const struct track *, uint64_t end, bool keep, struct work *,
	    struct err *);
void	sums_free(struct track_sums *);
/* Where a time was found, from which later ones go on; start from zeros. */
struct sums_place {
	uint64_t	n;		/* points at or before it */
	uint64_t	sum[KINDS];	/* up to the last of them */
};

/* At times that rise. */
void	sums_at(const struct track_sums *, uint64_t time, struct sums_place *, uint64_t sum[KINDS]);
/* Hardly any CPU time up to end, and never for long in a run queue, on the disk or blocked. */
bool	sums_idle(const struct track_sums *);
bool	times_idle(uint64_t run, uint64_t longest_wait, uint64_t end);

/*
 * CPU use of a piece of time as a bar: 0: none; else the nearest eighth, 1 to USE_STEPS, so that what uses little differs from
 * what uses none.  From USE_BUSY on it is at least 70 %.
 */
#define USE_STEPS 8
#define USE_BUSY 6
#define USE_PARTS 20		/* in which a trace is shown so: column cpu.use, digits */
unsigned use_step(uint64_t run, uint64_t length);

#endif
