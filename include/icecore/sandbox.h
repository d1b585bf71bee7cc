/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sandbox: after sandbox_enter this process opens, changes and reaches nothing by name, whatever a file may
 * make it do.
 *
 * Landlock confines files, network and signals, seccomp system calls.  Features that the kernel lacks are
 * not an error: sandbox_text names the active ones.  For the rest of its needs it asks its helper
 * (named.h), a process that has read nothing and obeys only requests within the places passed to
 * sandbox_let.  Without Landlock and seccomp the places are the only protection.  Begin it before there are
 * other threads: those that start later are confined as well.  Open files stay usable.
 */
#ifndef ICECORE_SANDBOX_H
#define ICECORE_SANDBOX_H

#include "icecore/base.h"

enum sandbox_level { SANDBOX_OFF, SANDBOX_LANDLOCK, SANDBOX_FULL, SANDBOX_LEVELS };

/* Kinds of access that the sandbox allows at a path. */
enum sandbox_use {
	SANDBOX_READ,		/* read the file, or all files beneath the directory */
	/* Start processes for visible files below the directory, except those of the system. */
	SANDBOX_SEEN,
	/* The same, read them, and list the directory and visible directories below it. */
	SANDBOX_LISTED,
	SANDBOX_WRITE,		/* make files beneath the directory that the user enters */
	SANDBOX_TARGET,		/* make the file, or the directory and files in it */
	SANDBOX_INDEX,		/* read and write indexes in the directory */
	SANDBOX_KEPT,		/* read the text file of the user, and replace it by other text */
	SANDBOX_EXPORT,		/* the same as SANDBOX_WRITE, for visible files with one of the endings */
	SANDBOX_TEMPORARY,	/* make files without a name in the directory */
	SANDBOX_USES
};

struct sandbox_place;

struct sandbox {
	enum sandbox_level	 level;
	bool			 beneath;	/* named_open_beneath is allowed */
	const char *const	*indexes;	/* endings of SANDBOX_INDEX, ".icx" for example, then NULL */
	/* Endings of files of SANDBOX_EXPORT, ".tsv" for example, then NULL. */
	const char *const	*endings;
	/* Endings of pictures and of their list in a directory that the user enters, then NULL. */
	const char *const	*rereads;
	const char *const	*stems;		/* names of the files, as proposed names begin; then NULL */
	int			 version;	/* version of Landlock; 0: not in this kernel */
	/* Descriptor of the helper's rules of Landlock, which can be extended; -1: none. */
	int			 rules;
	bool			 starved;	/* memory ran out */
	bool			 whole;		/* entered with all features of the level */
	struct sandbox_place		*place;
	size_t			 nplaces, places_cap;
};

/* Initial level of a build: sanitizers make their own system calls, coverage writes files at the end. */
enum sandbox_level sandbox_usual(void);
/*
 * The level of this process: $ICECORE_SANDBOX, or the usual one; none: off.  Who exports it means it for
 * all that is started.
 */
bool	sandbox_level(bool none, enum sandbox_level *, struct err *) MUST_USE;

/* Begins a list of what is allowed: nothing yet.  SANDBOX_OFF: what follows does nothing. */
void	sandbox_begin(struct sandbox *, enum sandbox_level);
/* Allows it.  Ignores a missing path; for "/" only reading can be allowed. */
void	sandbox_let(struct sandbox *, enum sandbox_use, const char *path);
/* Creates the missing directories above path, then sandbox_let. */
void	sandbox_make(struct sandbox *, enum sandbox_use, const char *path);
/*
 * Lets the index at path, and what its file unpacks to beside it, be read and written; creates missing
 * directories.
 */
void	sandbox_index(struct sandbox *, const char *path);
/*
 * Confines the process, for good, as far as the kernel and this build support it.  False: out of memory,
 * too many open files, or the helper cannot be started.
 */
bool	sandbox_enter(struct sandbox *, struct err *) MUST_USE;

/*
 * Confines a child that is about to become another program: it may read and run what the user may, but
 * write only below /tmp, and lacks the system calls for escaping that.  False: out of memory.
 */
bool	sandbox_program(enum sandbox_level) MUST_USE;

/* "landlock 7, seccomp", "none (kernel without Landlock)". */
const char *sandbox_text(void);
/*
 * After a failure to create path: fills err if only the sandbox refused it, with a remedy; false: it did
 * not.  Keeps errno.
 */
bool	sandbox_explains(const char *path, struct err *);

/*
 * Attempt of a process confined as for reading a file, or of an explorer that was taken over: ended: it was
 * killed; otherwise error of the refusal, 0: it succeeded.
 */
#define SANDBOX_TRIES 12
struct sandbox_tried {
	const char	*what;		/* "read a file" */
	bool		 ended;
	int		 error;
};

/* Tries one of them in a child.  Before this process is confined, and before there are threads. */
bool	sandbox_try(size_t i, enum sandbox_level, struct sandbox_tried *, struct err *) MUST_USE;

/* ---- for sandbox.c ----------------------------------------------------------------- */

/*
 * 0, or an error: ENOSYS if the program was built without it, ENOMEM, or the refusal of a kernel or
 * container.
 */
enum syscalls_of { SYSCALLS_OF_READER, SYSCALLS_OF_HELPER };
int	syscalls_confine(enum syscalls_of);
int	syscalls_confine_program(void);

#endif
