/*
 * sandbox: from sandbox_enter on this process opens, changes and reaches only what it still needs, whatever a file may
 * make it do.  Landlock confines files, network and signals, seccomp system calls; what the kernel lacks is no error,
 * sandbox_text names what is on.
 *
 * Begin it before there are other threads: those that start later are confined as well.  What is open stays usable.
 */
#ifndef ICECORE_SANDBOX_H
#define ICECORE_SANDBOX_H

#include "icecore/base.h"

enum sandbox_level { SANDBOX_OFF, SANDBOX_LANDLOCK, SANDBOX_FULL, SANDBOX_LEVELS };
extern const char *const sandbox_levels[SANDBOX_LEVELS];

struct sandbox {
	enum sandbox_level	 level;
	bool			 reads;		/* reading is confined too */
	bool			 beneath;	/* openat2 is left, for paths of others: directory_beneath */
	int			 version;	/* of Landlock; 0: the kernel has none */
	int			 rules;		/* Landlock's, to be added to; -1: there are none */
	bool			 starved;	/* memory ran out */
	bool			 whole;		/* it was entered, and nothing of that level is missing */
};

/* The level that a build begins with: sanitizers make calls of their own, coverage writes files at the end. */
enum sandbox_level sandbox_usual(void);
/* The level of this process: $ICECORE_SANDBOX, or the usual one; none: off.  Who exports it means it for all that is started. */
bool	sandbox_level(bool none, enum sandbox_level *, struct err *) MUST_USE;

void	sandbox_begin(struct sandbox *, enum sandbox_level, bool reads);
/*
 * Allows reading of a file or of all beneath a directory; or writing, removing and creating as well, which never is allowed
 * beneath "/".  Ignores a missing path.
 */
void	sandbox_read(const struct sandbox *, const char *path);
void	sandbox_write(const struct sandbox *, const char *path);
/* As sandbox_write; creates the directory if it is missing. */
void	sandbox_make(const struct sandbox *, const char *directory);
/* Confines the process, for good, as far as the kernel and this build can.  False: memory ran out, or too many files are open. */
bool	sandbox_enter(struct sandbox *, struct err *) MUST_USE;

/*
 * Confines a child that is about to become another program: it may read and run what the user may, but write only below /tmp,
 * and lacks the system calls that lead out of that.  False: out of memory.
 */
bool	sandbox_program(enum sandbox_level) MUST_USE;

/* "landlock 7, seccomp", "none (kernel without Landlock)". */
const char *sandbox_text(void);
/* After a failure to make path: fills err where the sandbox alone refused it, and says what to do; false: it did not. */
bool	sandbox_explains(const char *path, struct err *);

/* ---- for sandbox.c ----------------------------------------------------------------- */

/* Opens what tells how much of mapped files is in memory. */
void	resident_open(void);

/* 0, or an error: ENOSYS in a program that was built without it, ENOMEM, or that of a kernel or a container that refuses. */
int	syscalls_confine(bool beneath);
int	syscalls_confine_program(void);

#endif
