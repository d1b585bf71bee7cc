/*
 * limits: what one run may use of the disk and of time, whatever its input says.
 */
#ifndef ICECORE_LIMITS_H
#define ICECORE_LIMITS_H

#include "icecore/os.h"

/* ---- what an option says of a limit; false: E_USAGE ---------------------------------------- */

bool	limit_size(const char *arg, uint64_t *bytes, struct err *) MUST_USE;
bool	limit_time(const char *arg, uint64_t *ns, struct err *) MUST_USE;	/* a plain number is seconds; 0 is none */

/* ---- space: temporary files and the index leave some of every disk to others -------------- */

/*
 * --reserve: so much of a file system stays free.  Without it 1 GiB, or 5 % of a small one, and the first 16 MiB of a run
 * are taken unasked, so that little things work on a disk that is nearly full.
 */
void	space_reserve(uint64_t bytes);
/* To be asked before the file grows by so much.  False: E_SYSTEM that names the directory and what to do. */
bool	space_ask(int fd, uint64_t more, struct err *) MUST_USE;

/* ---- intake: bytes whose number nobody knows, on their way into a file: unpacked, or out of a pipe ---- */

/* Asked of what came so far, once at INTAKE_LOOK bytes and once at INTAKE_LAST.  False with err: nobody is going to read it. */
struct intake_check {
	bool		(*ok)(const struct map *, const void *arg, struct err *);
	const void	*arg;
};

#define INTAKE_LOOK ((uint64_t)16 << 20)
#define INTAKE_LAST ((uint64_t)256 << 20)

struct intake {
	int			 fd;
	const struct intake_check	*known;		/* or NULL */
	uint64_t		 most;		/* no more than that */
	uint64_t		 n;		/* bytes it has */
};

/* --unpacked: of each input, with all its layers.  64 GiB without it. */
void	intake_allow(uint64_t bytes);
uint64_t intake_allowed(void);
bool	fail_allowed(struct err *, bool pipe);	/* REASON_LIMIT: more than that */
/* False: no space, not known, or, with REASON_LIMIT, more than most, which the file has. */
bool	intake_put(struct intake *, const void *, size_t, struct err *) MUST_USE;
/* All that from gives, however slowly: work is asked ten times a second. */
bool	intake_drain(struct intake *, int from, struct work *, struct err *) MUST_USE;

/* As map_open.  Of a pipe that gives more than --unpacked allows the first part is there, and m->cut is set. */
bool	map_open_known(struct map *, const char *path, const struct intake_check *, struct work *, struct err *) MUST_USE;

/* ---- deadline: --timeout ------------------------------------------------------------------- */

/* So many ns from now on (0: never) work_tick says no, and fail_cancel E_SYSTEM with what was being done; for all work of the process. */
void	work_deadline(uint64_t ns);
/* For a part of it that may be given up: half of what is left, until work_deadline_end.  False: there is no end. */
struct work_deadline_was {
	uint64_t	at, ns;
};
bool	work_deadline_half(struct work_deadline_was *);
void	work_deadline_end(const struct work_deadline_was *);

#endif
