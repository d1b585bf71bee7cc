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
};

/* The level that a build begins with: sanitizers make calls of their own, coverage writes files at the end. */
enum sandbox_level sandbox_usual(void);

void	sandbox_begin(struct sandbox *, enum sandbox_level, bool reads);
/* Allows reading of a file or of all beneath a directory; or writing, removing and creating as well.  Ignores a missing path. */
void	sandbox_read(const struct sandbox *, const char *path);
void	sandbox_write(const struct sandbox *, const char *path);
/* As sandbox_write; creates the directory if it is missing. */
void	sandbox_make(const struct sandbox *, const char *directory);
/* Confines the process, for good.  False: the kernel, or this build, lacks some of that level. */
bool	sandbox_enter(struct sandbox *);

/* "landlock 7, seccomp", "none (kernel without Landlock)". */
const char *sandbox_text(void);
/* After a failure to make path: fills err where the sandbox alone refused it, and says what to do; false: it did not. */
bool	sandbox_explains(const char *path, struct err *);

/* ---- for sandbox.c ----------------------------------------------------------------- */

/* Opens what tells how much of mapped files is in memory. */
void	resident_open(void);

/* False: this program was built without it, or the kernel or a container refuses. */
bool	syscalls_confine(bool beneath);

#endif
